"""What is private is erased by two persons, once its time is over and nothing holds it back."""

from dataclasses import replace
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from audit.models import ErasureProposal
from audit.retention import erasures_waiting, held_values
from audit.retention.held_values import due, values_of
from audit.retention.proposing import BY, propose_due
from audit.retention.retention_periods import period_of, periods
from audit.retention.retention_questions import (
    ErasureHeldBack,
    InspectorLifts,
    KeptByHouse,
    KeptByInspection,
    NoSuchProposal,
    NoSuchRequest,
    NotProposed,
    NumberUsed,
    OwnProposal,
    OwnRecordErased,
    SecondPersonErases,
    StillKept,
    TimeNotBegun,
)
from audit.retention_events import (
    ErasureDecided,
    ErasureSuspended,
    SubjectRequested,
    SuspensionLifted,
)
from casino import clock
from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.event import EntryRef
from casino.events.keeping import Erased
from casino.events.notices import NoticeSent
from casino.extensions import event_kinds
from casino.floor.tables.todo_lists import Todo
from casino.house_day import day_begins
from casino.models import PrivateValue
from casino.recording import Actor, NothingToErase, Receipt
from casino.recording.refusals import NotAllowed
from tests.factories.erasures import ERASER, PROPOSER, erased, proposed
from tests.factories.events.every import FULL
from tests.factories.examples import in_the_book
from tests.factories.records import HEAD, MANAGER, PIT, hired, recorded
from tests.factories.usual_events import ref

pytestmark = [pytest.mark.django_db, pytest.mark.share]
INSPECTOR = Actor("I-0007", "inspetor", "admin")
CONTACT = "Maria Exemplo, 912 345 678"


@pytest.fixture
def in_years(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Retention is asked so many years from now; what is recorded is recorded today."""

    def later(years: int, days: int = 0) -> None:
        now = clock.now()
        then = now.replace(year=now.year + years) + timedelta(days=days)
        monkeypatch.setattr(held_values, "clock", SimpleNamespace(now=lambda: then))

    return later


def complained(number: str = "RC-1", partida: str | None = None) -> Receipt:
    table = None if partida is None else partida.split("/")[0]
    event = ComplaintReceived(
        table=table, partida=partida, complaint=number, subject="conduct", contact=CONTACT
    )
    return recorded(event, by=HEAD)


def decided(number: str = "RC-1") -> Receipt:
    event = ComplaintDecided(complaint=number, outcome="not_upheld", reason="seen")
    return recorded(event, by=MANAGER)


def requested(number: str = "RGPD-1", asks: Any = "erasure", subject: str = CONTACT) -> Receipt:
    event = SubjectRequested(
        request=number,
        asks=asks,
        about="player",
        received_on=date(2026, 11, 20),
        reference="Carta",
        subject=subject,
    )
    return recorded(event, by=PROPOSER)


def suspended(by: Actor = PROPOSER, suspension: str = "SUS-1", **scope: Any) -> Receipt:
    event = ErasureSuspended(
        suspension=suspension, ordered_by="court", reference="Ofício 1", **scope
    )
    return recorded(event, by=by)


def on_request(entry: EntryRef, field: str = "contact", by: Actor = PROPOSER) -> Receipt:
    return proposed((entry, field), by=by, basis="data_subject_request", request="RGPD-1")


def erase(entry: EntryRef, field: str = "contact", by: Actor = ERASER) -> Receipt:
    return recorded(Erased(entry=entry, field=field, legal_basis="x"), by=by)


def is_kept(entry: Receipt) -> bool:
    return PrivateValue.objects.filter(entry=entry.entry_id, salt__isnull=False).exists()


# -- Two persons -----------------------------------------------------------------------------------


def test_nobody_erases_what_nobody_proposed() -> None:
    complaint = complained()
    with pytest.raises(NotProposed):
        erase(ref(complaint))
    assert is_kept(complaint)


def test_one_person_alone_does_not_erase_however_often_he_says_so() -> None:
    complaint = complained()
    one = Actor("S-0992", "chefia_da_sala", "admin")
    again = Actor("s-0992", "chefia_da_sala", "sala")  # the same number, written otherwise
    for by in (one, again):
        proposed((ref(complaint), "contact"), by=by)
        with pytest.raises(SecondPersonErases):
            erase(ref(complaint), by=one)
    assert is_kept(complaint)


def test_what_the_job_proposed_one_person_does_not_erase(in_years: Any) -> None:
    complaint = complained()
    decided()
    in_years(4)
    assert propose_due() == 1
    with pytest.raises(SecondPersonErases):
        erase(ref(complaint))
    proposal = ErasureProposal.objects.get()
    assert (proposal.staff, proposal.office) == (BY.staff, "sistema")
    agreed = ErasureDecided(proposed=_ref_of(proposal), decision="approved")
    recorded(agreed, by=ERASER)
    with pytest.raises(OwnProposal):
        recorded(agreed, by=ERASER)
    with pytest.raises(SecondPersonErases):
        erase(ref(complaint))
    assert is_kept(complaint)
    erase(ref(complaint), by=Actor("S-0777", "chefia_da_sala", "admin"))
    assert not is_kept(complaint)


@pytest.mark.parametrize("office", ["fiscal_chefe", "administrador", "inspetor", "sistema"])
def test_no_other_office_and_no_job_erases(office: str) -> None:
    complaint = complained()
    proposed((ref(complaint), "contact"))
    with pytest.raises(NotAllowed):
        erase(ref(complaint), by=Actor("S-0500", office, "job"))
    assert is_kept(complaint)


def test_who_recorded_it_does_not_erase_it() -> None:
    person = recorded(hired(), by=ERASER)
    proposed((ref(person), "name"))
    with pytest.raises(OwnRecordErased):
        erase(ref(person), "name")


def test_two_persons_erase_and_the_entry_stands() -> None:
    complaint = complained()
    erased(ref(complaint), "contact")
    value = PrivateValue.objects.get(entry=complaint.entry_id)
    assert (value.salt, value.value) == (None, None)
    with pytest.raises(NothingToErase):
        erase(ref(complaint))


def test_what_was_refused_is_not_erased_nor_proposed_by_the_house_again(in_years: Any) -> None:
    complaint = complained()
    decided()
    in_years(4)
    propose_due()
    proposal = ErasureProposal.objects.get()
    recorded(ErasureDecided(proposed=_ref_of(proposal), decision="refused"), by=PROPOSER)
    with pytest.raises(NotProposed):
        erase(ref(complaint))
    with pytest.raises(NoSuchProposal):
        recorded(ErasureDecided(proposed=_ref_of(proposal), decision="approved"), by=ERASER)
    assert propose_due() == 0
    proposed((ref(complaint), "contact"), basis="retention_over")  # a person may
    erase(ref(complaint))
    assert not is_kept(complaint)


# -- How long --------------------------------------------------------------------------------------


def test_what_is_still_kept_is_not_even_proposed(in_years: Any) -> None:
    complaint = complained()
    with pytest.raises(TimeNotBegun):
        proposed((ref(complaint), "contact"), basis="retention_over")
    decided()
    with pytest.raises(KeptByHouse, match="3"):
        proposed((ref(complaint), "contact"), basis="retention_over")
    in_years(3, -3)
    assert due().free == []
    in_years(3, 3)
    assert [value.field for value in due().free] == ["contact"]
    proposed((ref(complaint), "contact"), basis="retention_over")


def test_who_was_paid_a_prize_is_kept_as_the_law_asks_whoever_asks(in_years: Any) -> None:
    paid = recorded(in_the_book(FULL["jackpot-paid/1"]), by=PIT)
    requested()
    for basis in ("retention_over", "recorded_in_error"):
        with pytest.raises(StillKept, match="83/2017"):
            proposed((ref(paid), "identification"), basis=basis)
    with pytest.raises(StillKept, match="83/2017"):
        on_request(ref(paid), "identification")
    in_years(7, -3)
    assert not [value for value in due().free if value.kind == "jackpot-paid/1"]
    in_years(7, 3)
    fields = {value.field for value in due().free if value.kind == "jackpot-paid/1"}
    assert fields == {"name", "identification"}


def test_a_name_is_kept_while_its_person_holds_an_office(in_years: Any) -> None:
    person = recorded(hired(), by=MANAGER)
    granted = in_the_book(FULL["office-granted/1"])
    recorded(granted, by=PROPOSER, occurred_at=granted.valid_from)
    with pytest.raises(TimeNotBegun):
        proposed((ref(person), "name"), basis="retention_over")


def test_on_request_it_goes_once_its_time_has_begun() -> None:
    complaint = complained()
    with pytest.raises(NoSuchRequest):
        on_request(ref(complaint))
    requested()
    with pytest.raises(TimeNotBegun):
        on_request(ref(complaint))
    decided()
    on_request(ref(complaint))
    erase(ref(complaint))
    assert not is_kept(complaint)


def test_a_request_for_access_erases_nothing() -> None:
    complaint = complained()
    decided()
    requested(asks="access")
    with pytest.raises(NoSuchRequest):
        on_request(ref(complaint))
    with pytest.raises(NumberUsed):
        requested()


def test_an_inspectors_note_is_not_the_houses_to_erase(in_years: Any) -> None:
    note = recorded(in_the_book(FULL["finding-noted/1"]), by=INSPECTOR)
    in_years(50)
    assert not [value for value in due().free if value.kind == "finding-noted/1"]
    with pytest.raises(KeptByInspection):
        proposed((ref(note), "note"), basis="recorded_in_error")


def test_every_private_field_has_its_period() -> None:
    named = {pair for period in periods() for pair in period.fields}
    fields = {(kind, name) for kind, event in event_kinds().items() for name in event.private}
    assert {pair for pair in named if pair[1] != "attachments"} <= fields
    assert all(period_of(*pair) for pair in fields)
    assert period_of("incident-reported/1", "text").name == "other"
    assert period_of("complaint-received/1", "attachments").name == "complaint"


def test_the_29th_of_february_ends_with_the_month_after() -> None:
    prize = period_of("jackpot-paid/1", "name")
    assert prize.until(date(2024, 2, 29)) == date(2031, 3, 1)
    assert prize.until(date(2024, 2, 28)) == date(2031, 2, 28)


# -- Held back -------------------------------------------------------------------------------------

GAME = "BJ-06/2026-11-20/1"


def test_an_order_holds_back_what_is_of_its_days_or_game() -> None:
    complaint = complained()
    suspended(from_day=date(2001, 1, 1), to_day=date(2001, 1, 2))
    suspended(suspension="SUS-2", of_partida=GAME)
    proposed((ref(complaint), "contact"))  # of other days, and of no game
    suspended(suspension="SUS-3", from_day=date(2026, 11, 19), to_day=date(2026, 11, 20))
    for act in (
        lambda: erase(ref(complaint)),
        lambda: proposed((ref(complaint), "contact")),
    ):
        with pytest.raises(ErasureHeldBack, match="SUS-3"):
            act()
    with pytest.raises(NumberUsed):
        suspended(suspension="SUS-3")
    recorded(SuspensionLifted(suspension="SUS-3", reference="Ofício 2"), by=PROPOSER)
    erase(ref(complaint))
    assert not is_kept(complaint)


def test_what_an_inspector_suspended_the_house_does_not_lift() -> None:
    suspended(by=INSPECTOR)
    lifted = SuspensionLifted(suspension="SUS-1", reference="Ofício 2")
    with pytest.raises(InspectorLifts):
        recorded(lifted, by=PROPOSER)
    recorded(lifted, by=Actor("I-0008", "inspetor", "admin"))
    assert held_values.suspensions() == []


def test_a_complaint_nobody_decided_holds_back_what_is_of_its_game() -> None:
    decided_on, _open = complained("RC-1", GAME), complained("RC-2", GAME)
    decided("RC-1")
    with pytest.raises(ErasureHeldBack, match="RC-2"):
        proposed((ref(decided_on), "contact"))
    decided("RC-2")
    proposed((ref(decided_on), "contact"))


def test_an_open_case_holds_back_its_own_steps_and_what_is_of_its_game() -> None:
    asked = in_the_book(FULL["explanation-asked/1"])
    step = recorded(asked, by=INSPECTOR)
    complaint = complained("RC-1", asked.partida)
    decided("RC-1")
    for receipt, field in ((step, "question"), (complaint, "contact")):
        with pytest.raises(ErasureHeldBack, match=asked.case):
            proposed((ref(receipt), field))


def test_the_job_proposes_what_is_free_once_and_erases_nothing(in_years: Any) -> None:
    first, second = complained("RC-1"), complained("RC-2", GAME)
    decided("RC-1"), decided("RC-2")
    suspended(of_partida=GAME)
    in_years(4)
    assert [value.entry_id for value, _kept in due().held] == [second.entry_id]
    assert propose_due() == 1
    assert propose_due() == 0
    named = ErasureProposal.objects.get().values
    assert [(one["stream"], one["n"]) for one in named] == [(first.stream, first.n)]
    assert is_kept(first)
    assert is_kept(second)


def test_values_are_named_with_their_leaf() -> None:
    complaint = complained()
    (value,) = values_of([complaint.entry_id])
    assert (value.leaf, value.kind) == (complaint.leaf, "complaint-received/1")
    another = EntryRef(stream=complaint.stream, n=complaint.n, leaf="0" * 64)
    with pytest.raises(NothingToErase):
        proposed((another, "contact"))


def _ref_of(proposal: ErasureProposal) -> EntryRef:
    from casino.models import BookEntry

    leaf = bytes(BookEntry.objects.get(pk=proposal.pk).leaf_hash).hex()
    return EntryRef(stream=proposal.stream, n=proposal.n, leaf=leaf)


# -- What waits ------------------------------------------------------------------------------------


def waits() -> dict[str, Todo]:
    return {one.what: one for one in erasures_waiting.waiting(clock.now())}


def test_a_proposal_waits_until_it_is_erased_or_refused_and_not_for_its_author() -> None:
    entry = ref(complained())
    decided()
    assert waits() == {}
    proposal = proposed((entry, "contact"), by=MANAGER, basis="recorded_in_error")
    todo = waits()["erasure"]
    assert todo.never == {MANAGER.staff.casefold()}
    assert list(erasures_waiting.waiting(clock.now(), ["BJ-01"])) == []
    recorded(ErasureDecided(proposed=ref(proposal), decision="approved"), by=PROPOSER)
    assert waits()["erasure"].never == frozenset(), "two stand behind it: the first may erase"
    erase(entry)
    assert waits() == {}
    other = proposed((ref(complained("RC-2")), "contact"), by=PROPOSER, basis="recorded_in_error")
    assert "erasure" in waits()
    recorded(ErasureDecided(proposed=ref(other), decision="refused"), by=MANAGER)
    assert waits() == {}


def test_a_request_waits_a_month_until_a_notice_names_it() -> None:
    requested(asks="access")
    todo = waits()["subject"]
    assert todo.until == day_begins(date(2026, 12, 20))
    answer = NoticeSent(notice="CM-9", to="other", about="other", means="letter", reference="X")
    recorded(answer, by=MANAGER)
    assert "subject" in waits()
    recorded(replace(answer, notice="CM-10", reference="RGPD-1"), by=MANAGER)
    assert waits() == {}
