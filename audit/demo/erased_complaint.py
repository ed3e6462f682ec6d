"""A guest of the demo who wants to be forgotten: a complaint, his request, erased by two persons.

Through the door everybody else uses; the value of the complaint's text is looked at before.
"""

from datetime import date
from typing import Final
from uuid import uuid5

from django.db import transaction

from audit.retention_events import ErasureProposed, SubjectRequested, ValueNamed
from casino import clock
from casino.access.private_looks import put_look
from casino.demo.cast import ADMINISTRATOR, CHEFE, INSPECTOR, MANAGER, Member
from casino.demo.recording_acts import NAMES
from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.event import EntryRef, Event
from casino.events.keeping import Erased
from casino.models import Complaint
from casino.recording import Actor, Receipt, Source, record
from casino.web.entries.entry_page import url_of

SLIP: Final = "RC-RECECAO-1"
CONTACT: Final = "Maria Exemplo, maria@exemplo.invalid"


def forget_guest(day: date) -> None:
    """Record it all, once."""
    if not Complaint.objects.filter(complaint=SLIP).exists():
        with transaction.atomic():
            _story(day)


def _story(day: date) -> None:
    request = f"RGPD-{day.year}-1"
    received = ComplaintReceived(
        complaint=SLIP,
        subject="conduct",
        sheet="Folha 12",
        contact=CONTACT,
        text="Esperei vinte minutos na receção da sala sem que ninguém me atendesse.",
    )
    complaint = _record(CHEFE, received)
    put_look(INSPECTOR.number, url_of(received.kind, complaint.entry_id), received.kind,
             ["contact", "text"], complaint.entry_id)  # fmt: skip
    _record(MANAGER, ComplaintDecided(complaint=SLIP, outcome="upheld", reason="visto"))
    asked = SubjectRequested(
        request=request,
        asks="erasure",
        about="player",
        received_on=day,
        reference="Carta de Maria Exemplo",
        subject=CONTACT,
    )
    _record(ADMINISTRATOR, asked)
    entry = EntryRef(stream=complaint.stream, n=complaint.n, leaf=complaint.leaf)
    proposed = ErasureProposed(
        basis="data_subject_request",
        values=(ValueNamed(stream=entry.stream, n=entry.n, leaf=entry.leaf, field="contact"),),
        request=request,
    )
    _record(ADMINISTRATOR, proposed)
    erased = Erased(entry=entry, field="contact", legal_basis=proposed.basis, reference=request)
    _record(MANAGER, erased)


def _record(member: Member, event: Event) -> Receipt:
    key = uuid5(NAMES, f"forgotten/{event.kind}")
    return record(event, key=key, by=Actor(*member.who), occurred_at=clock.now(), source=Source())
