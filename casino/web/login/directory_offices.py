"""Which offices the house's directory gives somebody, beside those the book says he holds.

The directory is asked when somebody logs in by the provider and when a file of accounts is read.
Nothing follows from it but a line for the direction: an office is given and ended by a person.
Only offices that DIRECTORY_OFFICES names are compared.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.conf import settings

from casino import clock
from casino.models import Account, DirectoryOffices
from casino.queries import offices_held


class Difference(NamedTuple):
    """An office somebody has in the directory and not in the book (`lacking`), or the reverse."""

    number: str
    office: str
    lacking: bool
    seen_at: datetime


def groups_in(claim: object) -> frozenset[str] | None:
    """The groups a claim names; None for one that is no list of names, or is not there."""
    listed = [claim] if isinstance(claim, str) else claim
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        return None
    return frozenset(listed)


def note_groups(account: Account, groups: frozenset[str]) -> None:
    """Keep which offices these groups are, where the house asks for groups at all."""
    if not settings.HOUSE_GROUPS:
        return
    offices = sorted(office for office, of in settings.HOUSE_GROUPS.items() if of & groups)
    values = {"offices": offices, "seen_at": clock.now()}
    DirectoryOffices.objects.update_or_create(account=account, defaults=values)


def differences() -> Iterator[Difference]:
    """Every one, by number and office; two queries."""
    compared = sorted(settings.HOUSE_GROUPS)
    if not compared:
        return
    rows = DirectoryOffices.objects.select_related("account").order_by("account__staff")
    held = offices_held(clock.now())
    for row in rows:
        number = row.account.staff
        for office in compared:
            there = office in row.offices
            if there != ((number, office) in held):
                yield Difference(number, office, there, row.seen_at)
