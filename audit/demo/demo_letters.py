"""Two letters of the demo's evening: the notice of a damaged card, and the answer to a complaint.

Asked for as a page does it. The first is sent and acknowledged, the second waits to be sent.
"""

from collections.abc import Callable
from datetime import date
from uuid import UUID, uuid5

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
    for name, row in (("complaint_answer", decision), ("notice", incident)):
        ask(name, row.pk, uuid5(NAMES, f"letter/{name}/{day}"), Actor(*MANAGER.who))
    notice = Letter.objects.filter(letter="notice", matter=incident.incident).first()
    if notice is not None:
        _send(incident, notice)
    return notice is not None


def _send(incident: Incident, letter: Letter) -> None:
    now = clock.now()
    sent = NoticeSent(
        table=incident.table_code,
        partida=incident.partida_id or None,
        notice=f"CM-{incident.gaming_day.year}-0001",
        to="inspection_service",
        about="damaged_card",
        means="portal",
        reference=letter.document,
        incident=incident.incident,
        sent_at=now,
        sent_by=MANAGER.number,
        sent_by_office="chefia_da_sala",
    )
    reached = NoticeAcknowledged(notice=sent.notice, received_at=now, reference="Registo 5127")
    acts: tuple[tuple[Member, Event], ...] = ((MANAGER, sent), (INSPECTOR, reached))
    for member, event in acts:
        key = uuid5(NAMES, f"letter/{event.kind}")
        record(event, key=key, by=Actor(*member.who), occurred_at=now, source=Source())
