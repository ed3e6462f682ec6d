"""Offices and numbers: who is given one, from when on, and who stays when one is ended.

A number is one person's however it is written: `S-0021` and `s-0021` are not two people.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final

from django.db import connection

from casino import clock
from casino.events.staff import OfficeEnded, OfficeGranted, StaffRegistered
from casino.models import BookEntry, OfficeGrant, Staff
from casino.queries import held_at
from casino.recording.preparing import Prepared
from casino.recording.refusals import (
    LastAdministrator,
    NumberOfNobody,
    OfficeBackwards,
    UnknownNumber,
)

ADMIN: Final = "administrador"
# What these do no other office undoes, and the law asks for some of them by name.
HIGH: Final = frozenset({"fiscal_chefe", "chefia_da_sala", ADMIN, "inspetor", "auditor"})
# How far back an office may begin without a second person: a form takes some time to fill in.
BACK: Final = timedelta(minutes=15)
# The doors through which people come; the house's own commands open a book and are not asked.
_OF_PEOPLE: Final = frozenset({"admin", "sala", "import"})


def check_given(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """An office goes to a registered number, and a high one begins when it is recorded.

    A correction may begin earlier: a second person decides on it. `before` is what is recorded with
    it. Raises: UnknownNumber, OfficeBackwards.
    """
    event, by = prepared.submission.event, prepared.submission.by
    if by.door not in _OF_PEOPLE:
        return
    listed = {each.submission.event.staff for each in before if each.kind == StaffRegistered.kind}
    known = _registered(event.staff) | listed
    if event.staff not in known:
        spelt = next((number for number in sorted(known) if _same(number, event.staff)), "")
        if not spelt:
            raise NumberOfNobody(place=prepared.place, person=event.staff)
        raise UnknownNumber(place=prepared.place, person=event.staff, spelt=spelt)
    # Of a file, that is when its second person confirmed it, however late a part is written.
    now = prepared.submission.occurred_at if by.door == "import" else clock.now()
    backwards = event.valid_from < now - BACK
    if event.office in HIGH and backwards and prepared.submission.supersedes is None:
        raise OfficeBackwards(
            place=prepared.place,
            person=event.staff,
            office=event.office,
            found=event.valid_from,
        )


def _registered(number: str) -> set[str]:
    """The numbers in the register that are this one in any spelling."""
    return set(Staff.objects.filter(person__iexact=number).values_list("person", flat=True))


def _same(number: str, other: str) -> bool:
    return number.casefold() == other.casefold()


def check_ended(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """The house is never without an administrator. Raises: LastAdministrator."""
    event = prepared.submission.event
    if event.office != ADMIN or prepared.submission.by.door not in _OF_PEOPLE:
        return
    ended = [each.submission.event for each in before if each.kind == OfficeEnded.kind]
    _check_one_stays(
        prepared, [event.staff, *(each.staff for each in ended if each.office == ADMIN)]
    )


def check_corrected(prepared: Prepared, original: BookEntry) -> None:
    """A correction of an administrator's office leaves the house one. Raises: LastAdministrator."""
    row = OfficeGrant.objects.filter(entry_id=original.pk).first()
    if row is None or row.held != ADMIN or prepared.submission.by.door not in _OF_PEOPLE:
        return
    event = prepared.submission.event
    now = clock.now()
    stays = (
        isinstance(event, OfficeGranted)
        and (event.staff, event.office) == (row.person, ADMIN)
        and event.valid_from <= now
        and event.valid_until is None
    )
    if not stays:
        _check_one_stays(prepared, [row.person])


def _check_one_stays(prepared: Prepared, gone: Iterable[str]) -> None:
    gone = {number.casefold() for number in gone}
    asked = "SELECT g.person FROM casino_office_grant AS g WHERE g.held = %(held)s"
    asked += " AND g.valid_until IS NULL AND "
    with connection.cursor() as cursor:
        cursor.execute(asked + held_at(), {"held": ADMIN, "at": clock.now()})
        others = {person for (person,) in cursor.fetchall() if person.casefold() not in gone}
    if not others:
        raise LastAdministrator(place=prepared.place, person=", ".join(sorted(gone)).upper())
