"""Accounts as the house's directory has them, from a CSV file: opened, closed, and never erased.

A line is a person: ``number,name,active`` and, where the directory's groups are to be held against
the book's offices, ``groups`` with ``|`` between. A file is taken whole or not at all.
"""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Final, NamedTuple
from uuid import uuid4

from django.db import connection, transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from oauth2_provider.models import AccessToken

from casino import clock
from casino.events import Malformed
from casino.events.event_policy import ADMIN
from casino.events.phrases import said
from casino.events.staff import StaffRegistered
from casino.models import Account, ApiClient, Staff
from casino.queries import offices_at
from casino.recording import Actor, Source, Submission, record_many
from casino.security_log import note
from casino.web.forms.people_choices import can_be_number, number_of
from casino.web.login.directory_offices import note_groups
from casino.web.login.open_sessions import end_sessions

_HEADER: Final = ("number", "name", "active")
_GROUPS: Final = "groups"
_LONGEST: Final = 2_000_000  # characters of a file
_ACTIVE: Final = {"true": True, "false": False}


class Faulty(ValueError):
    """A file that is not taken: the line (0: all of it), and what was found and is expected."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(line, why)
        self.line = line
        self.why = why


class Person(NamedTuple):
    """A line. `groups` is None where the file has no such column."""

    line: int
    registered: StaffRegistered
    active: bool
    groups: frozenset[str] | None


class Step(NamedTuple):
    """What becomes of somebody's number and account, in order; empty: they are so already."""

    number: str
    done: Sequence[object]


REGISTERED: Final = _("registered")
OPENED: Final = _("account opened")
CLOSED: Final = _("account closed")
STAYS_CLOSED: Final = _("closed here, stays closed (manage.py account)")
NOT_HERE: Final = _("not active and without an account: nothing")


def close_account(account: Account, by: str) -> None:
    """Nobody logs in with it any more: its sessions and tokens are gone at once, itself is not."""
    Account.objects.filter(pk=account.pk).update(is_active=False)
    end_sessions(account)
    AccessToken.objects.filter(application__user=account).delete()
    note("account-closed", None, account.staff, by=by)


def people_in(text: str) -> list[Person]:
    """The lines of a file. Raises: Faulty, for the first that is no person."""
    if len(text) > _LONGEST or "\0" in text:
        raise Faulty(0, gettext("found no text, or too long a one; expected is a list of people"))
    rows = _rows(text.removeprefix("\ufeff"))
    header = next(rows, (1, []))[1]
    if tuple(header) not in (_HEADER, (*_HEADER, _GROUPS)):
        asked = ", ".join((*_HEADER, f"({_GROUPS})"))
        raise _expected(1, ", ".join(header), asked)
    found: dict[str, Person] = {}
    for line, cells in rows:
        person = _person(line, cells, len(header))
        number = person.registered.staff.casefold()
        if number in found:
            raise _expected(line, cells[0], gettext("each number once"))
        found[number] = person
    if not found:
        raise _expected(0, "", gettext("a list of people"))
    return list(found.values())


def _expected(line: int, found: object, asked: str) -> Faulty:
    text = gettext("found %(found)s; expected: %(asked)s")
    return Faulty(line, text % {"found": repr(str(found)[:80]), "asked": asked})


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each line that is not empty, its cells trimmed. Raises: Faulty."""
    between = ";" if ";" in text.partition("\n")[0] else ","
    reader = csv.reader(StringIO(text, newline=""), delimiter=between, strict=True)
    try:
        for cells in reader:
            if any(cells):
                yield reader.line_num, [one.strip() for one in cells]
    except csv.Error as error:
        raise Faulty(reader.line_num, str(error)) from error


def _person(line: int, cells: list[str], columns: int) -> Person:
    if len(cells) != columns:
        raise _expected(line, len(cells), gettext("%(n)s cells") % {"n": columns})
    typed, name, active = cells[:3]
    if not can_be_number(typed):
        raise _expected(line, typed, gettext("a staff number"))
    if active.lower() not in _ACTIVE:
        raise _expected(line, active, "true, false")
    try:
        registered = StaffRegistered(staff=number_of(typed), name=name or None)
    except Malformed as malformed:
        raise Faulty(line, said(malformed.reason, gettext)) from malformed
    groups = frozenset(filter(None, cells[3].split("|"))) if columns > 3 else None
    return Person(line, registered, _ACTIVE[active.lower()], groups)


@transaction.atomic
def take(people: Sequence[Person], by: Actor | None) -> list[Step]:
    """What the file does, in its order; with somebody who answers for it (`by`) it is done.

    Raises: Faulty, where a number is a machine's, or nobody would be left who is administrador and
    can log in: nothing is done then.
    """
    with connection.cursor() as cursor:  # of two files at once the second sees what the first did
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('accounts', 0))")
    numbers = [one.registered.staff for one in people]
    known = set(Staff.objects.filter(person__in=numbers).values_list("person", flat=True))
    accounts = {one.staff: one for one in Account.objects.filter(staff__in=numbers)}
    machines = set(ApiClient.objects.filter(number__in=numbers).values_list("number", flat=True))
    for person in people:
        if person.registered.staff in machines:
            raise _expected(
                person.line, person.registered.staff, gettext("a person's number, no machine's")
            )
    steps = [
        _step(one, one.registered.staff in known, accounts.get(one.registered.staff))
        for one in people
    ]
    _check_somebody_stays({step.number for step in steps if CLOSED in step.done})
    if by is None:
        return steps
    now = clock.now()
    new = [one for one, step in zip(people, steps, strict=True) if REGISTERED in step.done]
    record_many([Submission(one.registered, uuid4(), by, now, Source()) for one in new])
    for person, step in zip(people, steps, strict=True):
        account = accounts.get(step.number)
        if OPENED in step.done:
            account = Account.objects.create_user(step.number)
            Account.objects.filter(pk=account.pk).update(password_is_temporary=True)
            note("account-opened", None, step.number, by=by.staff)
        elif CLOSED in step.done and account is not None:
            close_account(account, by.staff)
        if account is not None and (person.groups is not None or not person.active):
            note_groups(account, person.groups or frozenset() if person.active else frozenset())
    return steps


def _step(person: Person, known: bool, account: Account | None) -> Step:
    done = []
    if person.active and not known:
        done.append(REGISTERED)
    if account is None:
        done.append(OPENED if person.active else NOT_HERE)
    elif person.active and not account.is_active:
        done.append(STAYS_CLOSED)
    elif account.is_active and not person.active:
        done.append(CLOSED)
    return Step(person.registered.staff, done)


def _check_somebody_stays(closed: set[str]) -> None:
    """Raises: Faulty, where no administrador could log in any more who could before."""
    if not closed:
        return
    now = clock.now()
    can = Account.objects.filter(is_active=True).values_list("staff", flat=True)
    ours = {number for number in can if ADMIN in offices_at(number, now)}
    if ours and ours <= closed:
        raise Faulty(0, gettext("it closes every account of an administrador; one has to stay"))


def not_named(people: Sequence[Person]) -> list[str]:
    """The open accounts of people that are not in a file: nothing becomes of them."""
    named = [one.registered.staff for one in people]
    kept = Account.objects.filter(is_active=True).exclude(staff__in=named)
    machines = ApiClient.objects.values_list("number", flat=True)
    return list(kept.exclude(staff__in=machines).order_by("staff").values_list("staff", flat=True))
