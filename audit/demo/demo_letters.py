"""Two letters of the demo's evening: the notice of a damaged card, and the answer to a complaint.

Asked for as a page does it; once they are numbered they are sent, and arrive.
"""

from collections.abc import Callable
from datetime import date
from uuid import UUID, uuid5

from audit.letter_events import LetterReceived
from audit.letter_state import sent_as
from audit.models import Letter
from casino import clock
from casino.demo.cast import INSPECTOR, MANAGER, Member
from casino.demo.recording_acts import NAMES
from casino.events.event import Event
from casino.events.inspection import NoticeAcknowledged
from casino.events.notices import NoticeSent
from casino.models import ComplaintDecision, Incident
from casino.recording import Actor, Source, record

# Whoever asks for a letter: its name, the entry it is made from, the request's key, as whom.
Ask = Callable[[str, UUID, UUID, Actor], object]


def write_letters(day: date, ask: Ask) -> bool:
    """Take the next step: whether there is none left. The same again changes nothing."""
    incident = Incident.objects.filter(gaming_day=day, level="damaged_card").order_by("n").first()
    decision = ComplaintDecision.objects.filter(gaming_day=day).order_by("n").first()
    if incident is None or decision is None:
        return True
    made = []
    for name, row in (("notice", incident), ("complaint_answer", decision)):
        key = uuid5(NAMES, f"letter/{name}/{day}")
        ask(name, row.pk, key, Actor(*MANAGER.who))
        made.append(Letter.objects.filter(request=key).first())
    notice, answer = made
    if notice is None or answer is None:
        return False
    if not sent_as(notice.document).exists():
        _send(incident, notice, answer)
    return True


def _send(incident: Incident, notice: Letter, answer: Letter) -> None:
    now, register = clock.now(), f"CM-{incident.gaming_day.year}"
    sent = NoticeSent(
        table=incident.table_code,
        partida=incident.partida_id or None,
        notice=f"{register}-0001",
        to="inspection_service",
        about="damaged_card",
        means="portal",
        reference=notice.document,
        incident=incident.incident,
        sent_at=now,
        sent_by=MANAGER.number,
        sent_by_office="chefia_da_sala",
    )
    _record(MANAGER, sent)
    reached = NoticeAcknowledged(notice=sent.notice, received_at=now, reference="Registo 5127")
    _record(INSPECTOR, reached)
    handed = NoticeSent(
        table=incident.table_code,
        notice=f"{register}-0002",
        to="other",
        about="complaint",
        means="in_person",
        reference=answer.document,
        complaint=answer.matter,
        sent_at=now,
    )
    _record(MANAGER, handed)
    _record(MANAGER, LetterReceived(document=answer.document, how="signed_copy", received_at=now))


def _record(member: Member, event: Event) -> None:
    key = uuid5(NAMES, f"letter/{event.kind}/{getattr(event, 'reference', '')}")
    record(event, key=key, by=Actor(*member.who), occurred_at=clock.now(), source=Source())
