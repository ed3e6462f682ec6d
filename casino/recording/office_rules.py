"""Offices and numbers: who is given one, from when on, by how many, and who stays when one is
ended.

A number is one person's however it is written: `S-0021` and `s-0021` are not two people. A high
office is given and ended by two persons of the direction: one asks (`OfficeAsked`), another decides
(`RequestDecided`) and records the office in the same act. So are figures of a rulebook, which have
rules of their own beside these (`figure_rules`).
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import connection

from casino import clock
from casino.events.event_policy import DIRECTION, OVERSEERS
from casino.events.phrases import Phrase
from casino.events.requests import (
    BY_TWO,
    FiguresSet,
    LoginResetAsked,
    OfficeAsked,
    OfficeChange,
    RequestDecided,
)
from casino.events.staff import OfficeEnded, OfficeGranted, StaffRegistered
from casino.models import BookEntry, OfficeGrant, Staff, StaffRequest, StaffRequestDecision
from casino.models.people import FIGURES, LOGIN_RESET
from casino.queries import held_at, offices_at, offices_held
from casino.recording.figure_rules import says_the_same
from casino.recording.preparing import Prepared
from casino.recording.refusals import (
    HIS_OWN,
    NO_ADMINISTRATOR,
    AskedAlready,
    DecidedByOther,
    LastAdministrator,
    NothingAsked,
    NumberOfNobody,
    OfficeBackwards,
    OfficeByTwo,
    OwnLogin,
    OwnOffice,
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
    _check_registered(prepared, before)
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
    if by.door != "import":  # a file is confirmed by a second person as a whole
        _check_by_two(prepared, before, "office_given")


def _check_registered(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """Raises: UnknownNumber, NumberOfNobody."""
    person = prepared.submission.event.staff
    listed = {each.submission.event.staff for each in before if each.kind == StaffRegistered.kind}
    known = _registered(person) | listed
    if person not in known:
        spelt = next((number for number in sorted(known) if _same(number, person)), "")
        if not spelt:
            raise NumberOfNobody(place=prepared.place, person=person)
        raise UnknownNumber(place=prepared.place, person=person, spelt=spelt)


def _registered(number: str) -> set[str]:
    """The numbers in the register that are this one in any spelling."""
    return set(Staff.objects.filter(person__iexact=number).values_list("person", flat=True))


def _same(number: str, other: str) -> bool:
    return number.casefold() == other.casefold()


def check_ended(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """A high office is ended by two, and the house is never without an administrator.

    Raises: OfficeByTwo, LastAdministrator.
    """
    event = prepared.submission.event
    if prepared.submission.by.door not in _OF_PEOPLE:
        return
    if event.office == ADMIN:
        ended = [each.submission.event for each in before if each.kind == OfficeEnded.kind]
        _check_one_stays(
            prepared, [event.staff, *(each.staff for each in ended if each.office == ADMIN)]
        )
    _check_by_two(prepared, before, "office_ended")


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


# By two persons


def check_asked(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """What is asked for could be done, and is not asked for already.

    Raises: UnknownNumber, OwnOffice, OwnLogin, AskedAlready, LastAdministrator.
    """
    event: OfficeAsked | LoginResetAsked = prepared.submission.event
    staff = prepared.submission.by.staff
    _check_registered(prepared, before)
    named = {"change": LOGIN_RESET, "held": ""}
    if isinstance(event, OfficeAsked):
        named = {"change": event.change, "held": event.office}
    if named["change"] != "office_ended" and _same(event.staff, staff):
        if not named["held"]:
            raise OwnLogin(place=prepared.place, staff=staff)
        raise OwnOffice(place=prepared.place, staff=staff, person=event.staff, office=named["held"])
    same = StaffRequest.objects.filter(person__iexact=event.staff, **named)
    waits = next((one.n for one in same.order_by("n") if decision_on(one) is None), None)
    if waits is not None or any(each.submission.event == event for each in before):
        raise AskedAlready(place=prepared.place, person=event.staff, n=waits or "?")
    if named == {"change": "office_ended", "held": ADMIN}:
        _check_one_stays(prepared, [event.staff])


def check_decided(prepared: Prepared, after: Sequence[Prepared]) -> None:
    """By another person than asked, and than it is about. What was approved is recorded with it,
    as the first of what comes `after`.

    Raises: NothingAsked, DecidedByOther.
    """
    event: RequestDecided = prepared.submission.event
    asked = request_of(event)
    if asked is None or decision_on(asked) is not None:
        raise NothingAsked(place=prepared.place, n=event.asked.n)
    by = prepared.submission.by
    why = why_not_decide(asked, by.staff, by.office)
    if why is not None:
        raise DecidedByOther(place=prepared.place, why=why)
    done = bool(after) and after[0].submission.by == by and _does(after[0], asked)
    if done != (event.decision == "approved" and asked.change != LOGIN_RESET):
        raise NothingAsked(place=prepared.place, n=event.asked.n)


def why_not_decide(staff_request: StaffRequest, staff: str, office: str) -> Phrase | None:
    """Why somebody in an office does not decide on a request; None where he does."""
    if _same(staff_request.staff, staff) or _same(staff_request.person, staff):
        return HIS_OWN
    if of_overseer(staff_request) and ADMIN not in (staff_request.office, office):
        return NO_ADMINISTRATOR
    return None


def of_overseer(staff_request: StaffRequest) -> bool:
    """Whether a request is about an inspector's or an auditor's office, or his log-in."""
    held = (
        {staff_request.held}
        if staff_request.held
        else offices_at(staff_request.person, clock.now())
    )
    return bool(held & OVERSEERS)


def decision_on(staff_request: StaffRequest) -> StaffRequestDecision | None:
    """What was decided on a request; None while it waits."""
    return StaffRequestDecision.objects.filter(asked_n=staff_request.n).first()


def request_of(event: RequestDecided) -> StaffRequest | None:
    """The request a decision is on; None where it names none."""
    asked = StaffRequest.objects.filter(stream=event.asked.stream, n=event.asked.n).first()
    if asked is None or bytes(asked.entry.leaf_hash).hex() != event.asked.leaf:
        return None
    return asked


def _does(prepared: Prepared, staff_request: StaffRequest) -> bool:
    """Whether a record does exactly what was asked for."""
    event = prepared.submission.event
    if isinstance(event, FiguresSet):
        return staff_request.change == FIGURES and says_the_same(event, staff_request.entry)
    if isinstance(event, OfficeGranted):
        same = (event.valid_until, staff_request.change) == (
            staff_request.valid_until,
            "office_given",
        )
    else:
        same = isinstance(event, OfficeEnded) and staff_request.change == "office_ended"
    return same and (event.staff, event.office) == (staff_request.person, staff_request.held)


def _check_by_two(prepared: Prepared, before: Sequence[Prepared], change: OfficeChange) -> None:
    """A high office follows another's decision on a request, in one act with it; alone only whoever
    has no second person gives one of the direction. Raises: OfficeByTwo.
    """
    event, by = prepared.submission.event, prepared.submission.by
    if event.office not in BY_TWO or prepared.submission.supersedes is not None:
        return  # a correction has its own second person
    decided = before[-1].submission.event if before else None
    if isinstance(decided, RequestDecided) and decided.decision == "approved":
        asked = request_of(decided)
        if asked is not None and _does(prepared, asked):
            return
    begins = change == "office_given" and event.office in DIRECTION
    if not (begins and is_alone(clock.now(), by.staff)):
        raise OfficeByTwo(place=prepared.place, person=event.staff, office=event.office)


def is_alone(at: datetime, *these: str) -> bool:
    """Whether nobody but these held an office of the direction at a moment."""
    others = {person.casefold() for person, held in offices_held(at) if held in DIRECTION}
    return others <= {one.casefold() for one in these}


def check_correction_decided(pending: BookEntry, original: BookEntry, office: str) -> bool:
    """Whether an office may decide on a correction: of a high office only the direction."""
    if pending.kind not in (OfficeGranted.kind, OfficeEnded.kind):
        return True
    held = {json.loads(bytes(one.entry))["payload"]["office"] for one in (pending, original)}
    return office in DIRECTION or not held & BY_TWO


def _check_one_stays(prepared: Prepared, gone: Iterable[str]) -> None:
    gone = {number.casefold() for number in gone}
    asked = "SELECT g.person FROM casino_office_grant AS g WHERE g.held = %(held)s"
    asked += " AND g.valid_until IS NULL AND "
    with connection.cursor() as cursor:
        cursor.execute(asked + held_at(), {"held": ADMIN, "at": clock.now()})
        others = {person for (person,) in cursor.fetchall() if person.casefold() not in gone}
    if not others:
        raise LastAdministrator(place=prepared.place, person=", ".join(sorted(gone)).upper())
