"""An event of every kind, told in full, that the book takes as it stands."""

from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from itertools import count
from typing import Any
from uuid import uuid4

from audit.case_events import (
    CaseEvent,
    ExplanationGiven,
    FindingsNumbered,
    NumberedFinding,
    case_code,
)
from audit.draw_events import DrawCommitted, DrawMade
from audit.draws.draw_questions import next_number
from audit.events import FindingRaised
from audit.models import Finding
from audit.sampling.procedure import commitment_of
from casino import clock
from casino.events.event import EntryRef
from casino.events.requests import FiguresAsked, LoginResetAsked, OfficeAsked, RequestDecided
from casino.events.sealing import (
    EpochApproved,
    EpochBegun,
    HouseActDecided,
    SigningKeyNamed,
)
from casino.events.staff import OfficeGranted, StaffRegistered
from casino.events.witnessing import PasskeyRegistered, PasskeyRevoked
from casino.recording import Actor
from tests.factories.erasures import privacy_in_the_book
from tests.factories.events.every import FULL
from tests.factories.people import write
from tests.factories.usual_events import ref

_PROGRAM = Actor("reconciler", "sistema", "job")
_ROUNDS = count(100)  # of a shoe, so that no two wins are of one round


def example(kind: str, staff: str = "S-0021") -> Any:
    """An event of a kind, told in full, that the book takes as it stands; a passkey is
    `staff`'s.
    """
    if kind in (PasskeyRegistered.kind, PasskeyRevoked.kind):
        own = replace(FULL[PasskeyRegistered.kind], staff=staff, credential=uuid4().hex)
        if kind == PasskeyRegistered.kind:
            return own
        write(own, by=Actor(staff, "fiscal_chefe", "job"))
        return PasskeyRevoked(staff=staff, credential=own.credential, reason="lost")
    if kind == HouseActDecided.kind:
        return HouseActDecided(act=ref(write(FULL[SigningKeyNamed.kind])), decision="approved")
    if kind == EpochApproved.kind:
        return EpochApproved(begun=ref(write(FULL[EpochBegun.kind])))
    return in_the_book(FULL[kind])


def in_the_book(event: Any) -> Any:
    """The event; one of a pool names terms or a win the book holds, and a round of its own.

    An office goes to a registered number, and is none that begins when it is recorded.
    """
    if isinstance(event, OfficeGranted):
        write(StaffRegistered(staff=event.staff))
        return replace(event, office="pagador")
    if isinstance(event, OfficeAsked | LoginResetAsked):
        person = f"S-9{next(_ROUNDS)}"
        write(StaffRegistered(staff=person))
        return replace(event, staff=person)
    if isinstance(event, FiguresAsked):  # its day is to come, the document's is not, nor its file
        today = clock.now().date()
        days = {"since": today + timedelta(days=30), "document_day": today - timedelta(days=9)}
        return replace(event, **days, file_sha256=None)
    if isinstance(event, RequestDecided):
        asked = in_the_book(FULL[OfficeAsked.kind])
        other = Actor("S-0778", "administrador", "job")
        return replace(event, asked=ref(write(asked, by=other)), decision="refused")
    if isinstance(event, DrawCommitted):
        return replace(event, draw=next_number(), commitment=commitment_of(uuid4().hex))
    if isinstance(event, DrawMade):
        return made_in_the_book(event)
    if type(event).__module__ == "audit.retention_events":
        return privacy_in_the_book(event)
    if isinstance(event, CaseEvent):
        return with_its_case(event)
    if not event.stream.startswith("jackpot/"):
        return event
    if hasattr(event, "confirms"):
        return replace(event, confirms=_entry_of("terms-approved/1", "chefia_da_sala"))
    if getattr(event, "hit", None) is not None:
        return replace(event, hit=_entry_of("jackpot-won/1", "fiscal_chefe"))
    if not getattr(event, "round", None):
        return event
    return replace(event, round=str(uuid4()), number=next(_ROUNDS))


def made_in_the_book(event: DrawMade) -> DrawMade:
    """The result of a draw that was committed to just now."""
    asked = FULL[DrawCommitted.kind]
    secret = uuid4().hex
    asked = replace(asked, draw=next_number(), commitment=commitment_of(secret))
    committed = write(asked, by=Actor("S-0778", "inspetor", "job"))
    return replace(event, draw=asked.draw, secret=secret, committed=ref(committed))


def with_its_case(event: Any) -> Any:
    """A step of the case of a finding of its table and game, which stands numbered by then.

    The house has explained it once.
    """
    place = {"table": event.table, "partida": event.partida}
    key = sha256(f"{event.partida}".encode()).hexdigest()
    case = case_code(2026, int(key[:4], 16) + 1)
    if not Finding.objects.filter(key=key).exists():
        day = event.gaming_day or date(2026, 11, 20)
        raised = replace(FULL[FindingRaised.kind], **place, key=key, gaming_day=day)
        write(raised, by=_PROGRAM)
        pair = NumberedFinding(finding=key, case=case)
        write(replace(FULL[FindingsNumbered.kind], numbers=(pair,)), by=_PROGRAM)
        explained = replace(FULL[ExplanationGiven.kind], **place, finding=key, case=case)
        write(explained, by=Actor("S-0778", "chefia_da_sala", "job"))
    return replace(event, finding=key, case=case)


def _entry_of(kind: str, office: str) -> EntryRef:
    """An event of a pool that somebody else told."""
    return ref(write(in_the_book(FULL[kind]), by=Actor("S-0778", office, "job")))
