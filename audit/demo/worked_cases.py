"""Two cases of the demo's evening: one worked to its end by all who have a part in it, one overdue.

Recorded once the evening was reconciled, through the door everybody else uses.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final
from uuid import uuid5

from audit.audit_queries import open_findings
from audit.case_events import (
    ARTICLE,
    CaseEvent,
    ExplanationAsked,
    ExplanationGiven,
    FindingAssigned,
    FindingDecided,
    FindingNoted,
    FindingSettled,
    FootageMarked,
)
from audit.case_state import OPEN, step_of, with_case
from audit.models import entries_of
from casino import clock
from casino.demo.cast import AUDITOR, CHEFE, INSPECTOR, MANAGER, Member
from casino.demo.recording_acts import NAMES, text_digest
from casino.events.event import EntryRef, Event
from casino.events.witnessing import Witnessed
from casino.models import Account, MailAddress
from casino.recording import Actor, Receipt, Submission, record_many
from casino.witnessing import LASTS

if TYPE_CHECKING:
    from audit.case_state import Worked

CHECK: Final = "blackjack_paid_three_to_two"
WORKED: Final = "BJ-03"  # at this table it is paid in the end
QUESTION: Final = "Porque foi este blackjack pago em singelo? Quem conferiu o pagamento?"
WHO_PAID: Final = "Quanto foi pago a este blackjack, e por quem?"
WAITING: Final = "BJ-01"  # and at this one nobody explains it in time
SOON: Final = timedelta(minutes=1)  # until when it was asked for: whoever looks sees it overdue


def work_cases(day: date) -> bool:
    """Record what was done about them; false while the evening is not reconciled.

    The same again changes nothing.
    """
    found = with_case(open_findings().filter(gaming_day=day, check_name=CHECK))
    if not found.exists():
        return False
    _give_addresses()
    rows = {row.table_code: row for row in found.filter(case_state=OPEN)}
    if not {WORKED, WAITING} <= rows.keys():
        return True
    now = clock.now()
    _record(INSPECTOR, _question(rows[WAITING], WHO_PAID, now + SOON), now)
    for member, event in _story(rows[WORKED], now):
        receipt = _record(member, event, now)
    _record(CHEFE, _word(event, receipt, now), now)
    return True


def _give_addresses() -> None:
    """Where those who are told by mail have it sent: from now on, when there is something to say.

    No such domain exists, and `make run` writes mails into files.
    """
    for member in (INSPECTOR, AUDITOR, MANAGER, CHEFE):
        account = Account.objects.filter(staff=member.number).first()
        if account is not None:
            address = f"{member.number.lower()}@demo.invalid"
            MailAddress.objects.get_or_create(account=account, defaults={"address": address})


def _story(finding: "Worked", now: datetime) -> Iterator[tuple[Member, CaseEvent]]:
    """Who did what, in order; last what was paid."""
    of_it, until = step_of(finding), now + timedelta(days=2)
    yield AUDITOR, FindingAssigned(**of_it, responsible=MANAGER.number, answer_by=until)
    yield INSPECTOR, _question(finding, QUESTION, until)
    yield INSPECTOR, FindingNoted(**of_it, note="Ver quem pagou: terceira vez neste mês.")
    yield INSPECTOR, _footage(finding)
    explained = ExplanationGiven(
        **of_it,
        answer="O pagador pagou em singelo por engano e o fiscal não deu por isso.",
        remedy="O fiscal de banca confere cada blackjack antes de as cartas serem recolhidas.",
        remedy_from=now.date() + timedelta(days=1),
    )
    yield MANAGER, explained
    decided = FindingDecided(
        **of_it, decision="upheld", reason="record_shows_it", document="Despacho 31/2026"
    )
    yield INSPECTOR, decided
    paid = FindingSettled(
        **of_it,
        paid_cents=finding.owed_cents,
        paid_to="player",
        owner=str(finding.where["owner"]),
        means="cash",
        document="Recibo 118",
        reference="SRIJ 2026/4471",
    )
    yield MANAGER, paid


def _footage(finding: "Worked") -> CaseEvent:
    """Where it can be seen: around the newest entry it rests on."""
    happened = max(one.occurred_at for one in entries_of(finding))
    around = timedelta(minutes=5)
    return FootageMarked(
        **step_of(finding),
        camera="C-12",
        recorded_from=happened - around,
        recorded_until=happened + around,
    )


def _question(finding: "Worked", question: str, until: datetime) -> CaseEvent:
    return ExplanationAsked(**step_of(finding), question=question, answer_by=until)


def _word(paid: CaseEvent, receipt: Receipt, now: datetime) -> Witnessed:
    """The second person's, for what was paid."""
    return Witnessed(
        table=paid.table,
        partida=paid.partida,
        witnessed=EntryRef(stream=receipt.stream, n=receipt.n, leaf=receipt.leaf),
        act=paid.kind,
        staff=CHEFE.number,
        office=CHEFE.office,
        method="pin",
        nonce=str(uuid5(NAMES, receipt.leaf)),
        expires_at=now + LASTS,
        text_sha256=text_digest(receipt),
        article=ARTICLE,
    )


def _record(member: Member, event: Event, at: datetime) -> Receipt:
    key = uuid5(NAMES, f"case/{event.kind}/{getattr(event, 'case', '')}")
    (receipt,) = record_many([Submission(event, key, Actor(*member.who), at)])
    return receipt
