"""The demo tells one evening, whole or not at all, once; and what is wrong in it is found."""

import json
import re
import stat
import tempfile
from collections import Counter
from datetime import date, timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from casino.demo import cast
from casino.demo.demo_evening import Evening
from casino.demo.demo_story import BENT, acts_of
from casino.house_day import house_day_at
from tests.factories.demo_evening import FOUND
from tests.stages import recorded_once

pytestmark = pytest.mark.share

RECORDED = {
    "card-burned/1", "card-replaced/1", "cards-shuffled/1", "cards-spread/1",
    "carta-aviso-placed/1", "chips-counted/1", "complaint-decided/1", "complaint-received/1",
    "corrected/1", "cut-made/1", "dealer-left-table/1", "dealer-took-table/1", "deck-inspected/1",
    "deck-received/1", "deck-withdrawn/1", "decks-destroyed/1", "dispute-reviewed/1",
    "drop-counted/1", "duty-begun/1", "duty-ended/1", "firmware-decided/1", "footage-held/1",
    "incident-closed/1", "incident-reported/1", "incident-step/1", "shuffler-signal/1",
    "jackpot-adjusted/1", "jackpot-incremented/1", "jackpot-paid/1",
    "jackpot-read/1", "jackpot-sealed/1", "jackpot-started/1", "jackpot-won/1",
    "inspection-leave-asked/1", "inspection-leave-decided/1",
    "last-round-announced/1", "limits-approved/1", "limits-set/1", "notice-acknowledged/1",
    "notice-sent/1", "office-granted/1",
    "partida-closed/1", "partida-opened/1", "partida-reopened/1", "play-interrupted/1",
    "play-resumed/1", "round-played/1",
    "rounds-deferred/1", "seat-left/1", "seat-taken/1", "shuffler-cycle/1",
    "shuffler-found-empty/1", "shuffler-self-check/1", "stake-signal/1",
    "shuffler-loaded/1", "shuffler-opened/1", "shuffler-registered/1", "shuffler-unloaded/1",
    "staff-registered/1", "table-registered/1", "terms-approved/1", "terms-confirmed/1",
    "withdrawal-asked/1", "witnessed/1",
}  # fmt: skip


class Demo:
    """A book with the demo in it, as the command left it."""

    def __init__(self, logins: Path) -> None:
        self.logins = logins

    @property
    def partidas(self) -> list[str]:
        """The evening's partidas."""
        from casino.models import Partida

        return sorted(Partida.objects.values_list("partida_id", flat=True))

    @property
    def day(self) -> str:
        """The evening's gaming day."""
        return self.partidas[0].split("/")[1]


@recorded_once
def demo() -> Demo:
    """The evening, told into an empty book."""
    logins = Path(tempfile.mkdtemp(prefix="livro-demo-")) / "logins"
    run(logins)
    return Demo(logins)


def run(logins: Path | None) -> str:
    """Call the command; what it said."""
    said = StringIO()
    call_command("demo", *([f"--logins={logins}"] if logins else []), stdout=said)
    return said.getvalue()


def heads() -> dict[str, int]:
    """How long every stream is."""
    from casino import queries

    return queries.heads()


def test_it_tells_every_kind_of_record(demo: Demo) -> None:
    from casino.models import BookEntry

    rows = BookEntry.objects.exclude(stream__name="reconciler")
    kinds = Counter(rows.values_list("kind", flat=True))
    assert set(kinds) == RECORDED
    assert kinds["round-played/1"] == 601


def test_a_night_brings_what_nights_bring() -> None:
    events: dict[str, list[Any]] = {}
    for act in acts_of(Evening(date(2026, 11, 20))):
        if not act.named:
            events.setdefault(act.event.kind, []).append(act.event)
    cuts = events["cut-made/1"]
    assert {cut.cut_by for cut in cuts} == {"seat", "fiscal_de_banca"}
    assert {cut.after for cut in cuts} == {"start", "next_shoe", "interruption"}
    assert any(not offer.accepted for cut in cuts if cut.seat for offer in cut.offers)
    assert {step.step for step in events["incident-step/1"]} == {
        "called",
        "arrived",
        "lid_opened",
        "lid_closed",
        "resolved",
    }
    incidents = events["incident-reported/1"]
    kinds = {"jam", "damaged_card", "deck_defect", "conduct", "cash"}
    assert {one.category for one in incidents} == kinds
    assert any(one.detail for one in incidents)
    inspected = events["deck-inspected/1"]
    assert {one.moment for one in inspected} == {"received", "exhibition", "close"}
    assert [one.deck for one in inspected if one.result == "damaged"] == [BENT]
    (machine,) = events["shuffler-registered/1"]
    assert all((machine.approval, machine.certificate, machine.firmware, machine.serial))
    assert {one.moment for one in events["chips-counted/1"]} >= {
        "opening",
        "interim",
        "closing",
    }


def test_three_tables_and_the_commented_game(demo: Demo) -> None:
    from casino.models import Partida

    tables = {partida.partition("/")[0] for partida in demo.partidas}
    assert tables == {"BJ-01", "BJ-02", "BJ-03", "BJ-07"}
    dealt = dict(Partida.objects.values_list("table_code", "dealing"))
    assert [dealt[table] for table in ("BJ-01", "BJ-02", "BJ-03")] == ["shoe", "shuffler", "shoe"]
    assert Partida.objects.get(table_code="BJ-07").rulebook == "br"


def test_every_row_on_the_shelves_follows_from_an_entry(demo: Demo) -> None:
    from casino.rebuilding import compare, projection_models

    assert [row for model in projection_models().values() for row in compare(model)] == []


def test_every_moment_is_past_and_of_its_evening(demo: Demo) -> None:
    from casino import clock
    from casino.models import BookEntry

    rows = BookEntry.objects.exclude(partida_id="")
    assert {entry.gaming_day.isoformat() for entry in rows} == {demo.day}
    days = {house_day_at(entry.occurred_at) for entry in rows}
    assert {day.isoformat() for day in days} == {demo.day}
    assert BookEntry.objects.latest("occurred_at").occurred_at < clock.now()


def test_the_names_lie_outside_the_book(demo: Demo) -> None:
    from casino.models import BookEntry, PrivateValue

    stored = b"\n".join(bytes(entry.entry) for entry in BookEntry.objects.all())
    for member in cast.EVERYBODY:
        assert member.name.encode() not in stored
    kept = set(PrivateValue.objects.filter(field="name").values_list("value", flat=True))
    assert {member.name for member in cast.EVERYBODY} == kept


def test_the_witnesses_text_is_the_one_they_would_be_shown(demo: Demo) -> None:
    from casino.models import Attestation, BookEntry
    from casino.witnessing import language_read

    for attestation in Attestation.objects.all():
        act = BookEntry.objects.select_related("stream").get(
            stream__name=attestation.witnessed_stream, n=attestation.witnessed_n
        )
        body = json.loads(bytes(BookEntry.objects.get(pk=attestation.pk).entry))
        assert language_read(act, body["payload"]["text_sha256"]) == "pt"


def test_one_correction_waits_and_one_is_approved(demo: Demo) -> None:
    from casino.models import Correction, Supersession

    assert Supersession.objects.exclude(kind="withdrawal-asked/1").count() == 2
    approved = Correction.objects.get(stream="table/BJ-01")
    assert approved.decision == "approved"
    asked = Supersession.objects.get(n=approved.pending_n, stream=approved.stream)
    assert asked.staff != approved.staff


def test_an_incident_tapped_by_mistake_was_withdrawn_by_two_persons(demo: Demo) -> None:
    from casino.models import Incident, Supersession
    from casino.queries import decisions_waiting, that_count

    asked = Supersession.objects.get(kind="withdrawal-asked/1")
    slip = Incident.objects.get(stream=asked.stream, n=asked.original_n)
    assert not that_count(Incident.objects.filter(pk=slip.pk)).exists()
    assert not decisions_waiting().filter(kind=asked.kind).exists()


def test_the_commented_game_pays_as_the_handbook_says(demo: Demo) -> None:
    from casino.law.round_judge import judge
    from casino.law.rulebook.rulebook_file import load_law
    from casino.queries import rounds_of

    with rounds_of(f"BJ-07/{demo.day}/1") as events:
        (played,) = [each.event for each in events]
    judged = judge(played, load_law("br"))
    assert judged.findings == ()
    assert "not_decidable" not in {outcome for _, outcome in judged.outcomes}
    nets: Counter[str] = Counter()
    for box in played.boxes:
        for wager in box.wagers:
            nets[wager.owner] += (wager.returned_cents - wager.stake_cents) // 100
    assert nets == {
        "A": -1500,
        "B": 1500,
        "C": 1000,
        "D": 1500,
        "E": -1500,
        "F": -500,
        "G": 1000,
    }


def test_the_pool_lives_a_whole_evening(demo: Demo) -> None:
    from jackpot.models import JackpotPayment, JackpotSeal
    from jackpot.queries import pool_now, replayed

    pool = replayed(cast.JACKPOT)
    assert pool.misfits == []
    assert pool.meter.adjusted == 12_000_000
    assert pool.meter.held == 0
    now = pool_now(cast.JACKPOT)
    assert now.meter.running == pool.meter.running
    assert JackpotSeal.objects.count() == 2
    paid = JackpotPayment.objects.order_by("n")
    assert [row.paid_cents for row in paid] == [10_000] * len(pool.payouts)
    assert {row.partida_id for row in paid} == {f"BJ-02/{demo.day}/{n}" for n in (1, 2)}


def test_a_prize_is_paid_before_a_witness(demo: Demo) -> None:
    from casino.models import Attestation
    from jackpot.models import JackpotAdjustment, JackpotPayment

    for projection in (JackpotPayment, JackpotAdjustment):
        for row in projection.objects.all():
            (word,) = Attestation.objects.filter(witnessed_stream=row.stream, witnessed_n=row.n)
            assert word.staff != row.staff


def test_closing_decides_on_the_reconciliations(demo: Demo) -> None:
    from casino.models import JobOutbox

    closed = JobOutbox.objects.filter(topic="partida-closed/1")
    # A table that was opened again is looked at again.
    again = [f"BJ-03/{demo.day}/1"]
    assert sorted(job.args["partida"] for job in closed) == sorted([*demo.partidas, *again])
    late = JobOutbox.objects.get(topic="reconciliation")
    assert late.args["from_day"] == demo.day


def test_what_is_wrong_is_found_and_nothing_else(
    demo: Demo, fresh_db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from audit.answers import Stretch, of_checks
    from audit.models import Finding

    # Later than the ten minutes a witness has.
    monkeypatch.setenv("CLOCK_OFFSET", "660")
    with pytest.raises(SystemExit) as ended:
        call_command("reconcile", "--from", demo.day, "--no-progress", stdout=StringIO())
    assert ended.value.code == 1
    found = Counter(
        (row.check_name, row.table_code, int(row.partida_id.rpartition("/")[2]))
        # On a slow machine the auditor's own jobs may be late, which is no matter of a partida.
        for row in Finding.objects.exclude(partida_id="")
    )
    assert found == FOUND
    day = date.fromisoformat(demo.day)
    said = of_checks("pt", Stretch(day, day))
    for check in ("leave_is_on_record", "limits_are_approved"):  # n.º 5, and 14 with 15
        assert (said[check].found, said[check].undecided) == (0, 0), check
        assert said[check].lawful, check
    two_cases_are_worked(day)
    a_guest_is_forgotten(day)


def two_cases_are_worked(day: date) -> None:
    """One to its end, by all who have a part in it; of the other the answer is overdue."""
    from audit.case_state import overdue, with_case
    from audit.demo.worked_cases import CHECK, SOON, WAITING, WORKED, work_cases
    from audit.models import CaseNote, CaseStep, Finding
    from casino import clock

    assert not work_cases(day - timedelta(days=1))  # what is not reconciled yet
    for _ in range(2):  # told once, however often the job comes
        assert work_cases(day)
    rows = {row.table_code: row for row in with_case(Finding.objects.filter(check_name=CHECK))}
    assert rows[WORKED].case_state == "settled"
    assert rows[WORKED].case_paid == rows[WORKED].owed_cents > 0
    asked = CaseStep.objects.get(finding=rows[WAITING].key)
    assert rows[WAITING].recorded_at < asked.occurred_at < rows[WAITING].case_due
    soon = clock.now() + SOON
    assert [*overdue(with_case(Finding.objects.all()), soon)] == [rows[WAITING]]
    assert CaseStep.objects.count() == 7
    assert CaseNote.objects.count() == 1


def a_guest_is_forgotten(day: date) -> None:
    """On request, by two persons; who looked before is in the log."""
    from audit.demo.erased_complaint import SLIP, forget_guest
    from casino.models import Complaint, Erasure, PrivateLook, PrivateValue

    for _ in range(2):
        forget_guest(day)
    complaint = Complaint.objects.get(complaint=SLIP)
    kept = PrivateValue.objects.filter(entry=complaint.pk).values_list("field", "salt")
    assert [field for field, salt in kept if salt is None] == ["contact"]
    assert Erasure.objects.get().staff == cast.MANAGER.number
    assert set(PrivateLook.objects.values_list("entry", "field")) == {
        (complaint.pk, "contact"),
        (complaint.pk, "text"),
    }


def test_who_may_log_in_stands_in_a_file_only_its_owner_reads(demo: Demo) -> None:
    from casino.models import Account

    assert stat.S_IMODE(demo.logins.stat().st_mode) == 0o600
    lines = demo.logins.read_text("utf-8").splitlines()
    listed = [re.fullmatch(r"(\w+): (\S+) / (\S{15,})(  \(PIN \d{6}\))?", line) for line in lines]
    assert [each and each[1] for each in listed] == [
        "fiscal_de_banca",
        "fiscal_chefe",
        "chefia_da_sala",
        "inspetor",
        "auditor",
        "administrador",
    ]
    assert [bool(each and each[4]) for each in listed] == [False, True, True, False, False, False]
    for each in listed[1:3]:
        assert each is not None
        account = Account.objects.get(staff=each[2])
        assert account.check_password(each[3])
        assert not account.is_superuser


def test_its_card_readers_are_kept_as_machines(demo: Demo) -> None:
    from casino.models import ApiClient

    kept = ApiClient.objects.values_list("number", "tables").order_by("number")
    assert dict(kept) == {one.number: [table] for table, one in cast.DEVICES.items()}


def test_a_login_shows_the_office_it_holds_now(demo: Demo) -> None:
    from casino import clock
    from casino.queries import offices_at

    for member in cast.LOGINS:
        assert offices_at(member.number, clock.now()) == {member.office}


@pytest.mark.check
def test_a_second_run_changes_nothing(demo: Demo, fresh_db: str) -> None:
    from casino.models import Account

    before = heads(), set(Account.objects.values_list("staff", "password"))
    file = demo.logins.read_bytes()
    assert run(demo.logins)
    assert run(None)
    assert (heads(), set(Account.objects.values_list("staff", "password"))) == before
    assert demo.logins.read_bytes() == file


@pytest.mark.check
def test_lost_logins_are_made_anew(demo: Demo, fresh_db: str, tmp_path: Path) -> None:
    before = heads()
    empty = tmp_path / "logins"
    empty.touch(0o600)
    run(empty)
    assert heads() == before
    assert len(empty.read_text("utf-8").splitlines()) == len(cast.LOGINS)
    assert empty.read_bytes() != demo.logins.read_bytes()


def test_somebodys_book_is_left_alone(fresh_db: str, tmp_path: Path) -> None:
    from casino.events.staff import StaffRegistered
    from casino.models import Account
    from casino.recording import Actor, Source, record
    from tests.factories.records import EVENING

    record(
        StaffRegistered(staff="S-9"),
        key=uuid4(),
        by=Actor("S-1", "administrador", "admin"),
        occurred_at=EVENING - timedelta(days=400),
        source=Source(),
    )
    before = heads()
    with pytest.raises(CommandError):
        run(tmp_path / "logins")
    assert heads() == before
    assert not Account.objects.exists()
    assert not (tmp_path / "logins").exists()


@pytest.mark.check
def test_an_interrupted_demo_leaves_nothing_behind(
    fresh_db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from casino.demo import load_demo

    def interrupted(_pin: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(load_demo, "made_logins", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load_demo.load(logins_wanted=lambda: False)
    assert not any(heads().values())
