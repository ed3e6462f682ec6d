"""Runs: opened once, shared, given up when a part kills, out of date when another read more."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection

from audit.models import (
    CaseNumber,
    Finding,
    FindingSupersession,
    PartidaReading,
    Reconciliation,
    ReconciliationResult,
    RunPart,
    RunSheet,
)
from audit.models.audit_jobs import ABANDONED, DONE, FAILED, FINISHED, OPEN
from audit.reconcile import judge_partida, working
from audit.reconcile.concluding import conclude
from audit.reconcile.opening import Asked, open_run
from audit.reconcile.request_run import ask_for, is_late
from audit.reconcile.working import work
from audit.runs import current_findings, house_checks
from audit.runs.code_version import code_version
from audit.runs.current_findings import raise_once, standing
from audit.runs.house_findings import house_finding
from audit.watch.watching import look_around
from casino import clock
from casino.law.finding import Judgement
from casino.models import JobOutbox, JobTry
from casino.tasks import begin
from tests.factories.evenings import (
    DAY,
    an_evening,
    correct,
    opened,
    partida_of,
    played,
    record_all,
    record_events,
)
from tests.factories.findings import rests_on
from tests.jobs_inline import do_jobs

pytestmark = pytest.mark.share

AMOUNT = "nearer_to_twenty_one_wins"
EVENING = date.fromisoformat(DAY)
LONG = 60.0


def amounts() -> Any:
    """The wrong amounts that stand."""
    return standing().filter(check_name=AMOUNT)


def do_all(sheet: RunSheet) -> str:
    """Work on a run until it ends."""
    work(sheet.run, time.monotonic() + LONG)
    return conclude(sheet.run)


def the_day(job: str = "the day") -> RunSheet:
    """A run over the evening of all tables."""
    return open_run(job, Asked(reason="asked", from_day=EVENING, to_day=EVENING))


@pytest.mark.django_db
def test_a_closing_brings_a_run_and_a_late_record_another() -> None:
    receipts = an_evening(rounds=2, wrong=[1])
    do_jobs(topic="partida-closed/1")
    first = Reconciliation.objects.get()
    assert (first.reason, first.partida_id, first.parts) == ("closed", partida_of(), 1)
    assert amounts().count() == 1
    assert not is_late(partida_of())
    correct(receipts[1], played("r1", place=1))
    assert is_late(partida_of())
    in_a_while = receipts[0].recorded_at + timedelta(minutes=3)
    do_jobs(in_a_while, topic="partida-touched")
    assert [run.reason for run in Reconciliation.objects.order_by("n")] == ["closed", "late_record"]
    assert not amounts().exists()
    assert not is_late(partida_of())
    do_jobs(in_a_while)
    assert Reconciliation.objects.count() == 2


@pytest.mark.django_db
def test_an_open_table_is_not_reconciled_by_the_minute() -> None:
    receipts = an_evening(rounds=2, close=False)
    done = do_jobs(receipts[0].recorded_at + timedelta(minutes=3))
    assert [key.partition("/")[0] for key in done] == ["partida-touched"]
    assert not Reconciliation.objects.exists()


@pytest.mark.django_db
def test_what_was_asked_for_follows_the_scope_before() -> None:
    an_evening(rounds=2)
    job = ask_for(Asked(reason="asked", partida=partida_of()))
    do_jobs(topic="reconciliation")
    assert JobOutbox.objects.get(key=job).done_at is not None
    sheet = RunSheet.objects.get(job=job)
    assert sheet.state == FINISHED
    again = open_run("another", Asked(reason="asked", partida=partida_of()))
    do_all(again)
    assert Reconciliation.objects.get(run=again.run).previous == sheet.run


@pytest.mark.django_db
def test_a_run_tells_what_it_read_and_under_which_laws() -> None:
    an_evening("BJ-01", rounds=2)
    an_evening("BJ-02", rounds=3, wrong=[1])
    sheet = the_day()
    assert do_all(sheet) == FINISHED
    began = Reconciliation.objects.get(run=sheet.run)
    assert (began.reason, began.from_day, began.to_day) == ("asked", EVENING, EVENING)
    assert began.code_version == code_version()
    assert {"pt", "es", "house"} <= {law["rulebook"] for law in began.laws}
    result = ReconciliationResult.objects.get(run=sheet.run)
    read = {each["stream"]: each["n"] for each in result.read_up_to}
    assert read == {"table/BJ-01": 4, "table/BJ-02": 5}
    assert (result.entries, result.rounds) == (9, 5)


@pytest.mark.django_db
def test_an_empty_day_is_reconciled_too() -> None:
    sheet = the_day()
    assert do_all(sheet) == FINISHED
    result = ReconciliationResult.objects.get(run=sheet.run)
    assert (result.entries, result.rounds, result.findings) == (0, 0, 0)


@pytest.mark.django_db
def test_a_long_partida_is_judged_in_pieces_and_comes_to_the_same(settings: Any) -> None:
    receipts = an_evening(rounds=30, wrong=[3, 17])
    whole = open_run("whole", Asked(reason="asked", partida=partida_of()))
    do_all(whole)
    settings.ROUNDS_IN_PART = 7
    pieces = open_run("pieces", Asked(reason="asked", partida=partida_of()))
    assert pieces.parts_count == 1 + 5
    assert pieces.rounds_count == 30
    do_all(pieces)
    results = {result.run: result for result in ReconciliationResult.objects.all()}
    assert results[pieces.run].digest == results[whole.run].digest
    assert (results[pieces.run].raised, results[pieces.run].superseded) == (0, 0)
    # And in pieces too, what was cured no longer holds.
    before = set(amounts().values_list("key", flat=True))
    correct(receipts[3], played("r3", place=3))
    cured = open_run("cured", Asked(reason="asked", partida=partida_of()))
    do_all(cured)
    gone = FindingSupersession.objects.get(run=cured.run, finding__in=before)
    assert gone.reason == "corrected"
    assert amounts().get().key in before


@pytest.mark.django_db
def test_who_read_less_leaves_the_findings_of_who_read_more_alone() -> None:
    receipts = an_evening(rounds=3, wrong=[2])
    early = open_run("early", Asked(reason="asked", partida=partida_of()))
    correct(receipts[2], played("r2", place=2))
    late = open_run("late", Asked(reason="late_record", partida=partida_of()))
    do_all(late)
    assert not amounts().exists()
    assert do_all(early) == FINISHED
    assert not amounts().exists(), "raised by a reading that was out of date"
    assert PartidaReading.objects.get().run == late.run
    assert ReconciliationResult.objects.get(run=early.run).raised == 0


@pytest.mark.django_db
def test_a_part_that_kills_is_given_up_and_said() -> None:
    an_evening("BJ-01", rounds=2)
    sheet = open_run("poisoned", Asked(reason="asked", partida=partida_of()))
    for _ in range(working.TRIES):
        assert working._claim(sheet) is not None  # and the worker died
    assert working.next_part(sheet) == "failed"
    assert conclude(sheet.run) == FAILED
    found = standing().get(check_name=house_checks.RUN_COMPLETED)
    assert rests_on(found) == [str(Reconciliation.objects.get(run=sheet.run).entry_id)]
    assert found.observed == {"attempts": 3, "trouble": "worker lost"}
    assert not ReconciliationResult.objects.filter(run=sheet.run).exists()
    # The next run that ends cures it.
    assert do_all(open_run("next", Asked(reason="asked", partida=partida_of()))) == FINISHED
    assert not standing().filter(check_name=house_checks.RUN_COMPLETED).exists()


@pytest.mark.django_db
def test_a_part_that_breaks_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    an_evening(rounds=2, wrong=[1])
    sheet = open_run("breaking", Asked(reason="asked", partida=partida_of()))
    with monkeypatch.context() as broken:
        broken.setattr(working, "compare", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            do_all(sheet)
    part = RunPart.objects.get()
    assert (part.state, part.attempts) == (OPEN, 1)
    assert part.trouble.startswith("ZeroDivisionError")
    assert not Finding.objects.exists()
    assert do_all(sheet) == FINISHED
    assert amounts().count() == 1


@pytest.mark.django_db
def test_a_record_the_program_fails_on_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    receipts = an_evening(rounds=3, wrong=[3])
    judge = judge_partida.judge

    def sometimes(record: Any, law: Any, limits: Any) -> Any:
        return judge(record, law, limits) if record.number != 2 else 1 / 0

    monkeypatch.setattr(judge_partida, "judge", sometimes)
    assert do_all(the_day()) == FINISHED
    found = standing().get(check_name=house_checks.RECORD_JUDGED)
    assert rests_on(found) == [str(receipts[2].entry_id)]
    assert found.observed == {"error": "ZeroDivisionError: division by zero"}
    assert amounts().count() == 1
    monkeypatch.setattr(judge_partida, "judge", judge)
    do_all(the_day("mended"))
    assert not standing().filter(check_name=house_checks.RECORD_JUDGED).exists()


@pytest.mark.django_db
def test_a_job_given_up_is_a_finding_until_its_partida_is_reconciled() -> None:
    receipts = an_evening(rounds=2)
    job = f"partida-closed/1/{receipts[-1].entry_id}"
    while begin(job):
        pass  # and the worker died
    assert JobTry.objects.get().failed_at is not None
    assert look_around(receipts[0].recorded_at) == 1
    found = standing().get(check_name=house_checks.JOB_DONE)
    assert (found.partida_id, found.where) == (partida_of(), {"job": job})
    assert rests_on(found) == [str(receipts[-1].entry_id)]
    assert look_around(receipts[0].recorded_at) == 0
    do_all(the_day())
    assert not standing().filter(check_name=house_checks.JOB_DONE).exists()


@pytest.mark.django_db
def test_another_program_does_not_end_what_one_began(settings: Any) -> None:
    an_evening(rounds=2, wrong=[1])
    sheet = open_run("job", Asked(reason="asked", partida=partida_of()))
    settings.CODE_VERSION = "another"
    code_version.cache_clear()
    try:
        assert work(sheet.run, time.monotonic() + LONG) == 0
        assert open_run("job", Asked(reason="asked", partida=partida_of())).run == sheet.run
        # Nobody goes on with it: after a while it is begun anew.
        RunSheet.objects.update(opened_at=sheet.opened_at - timedelta(minutes=10))
        anew = open_run("job", Asked(reason="asked", partida=partida_of()))
        assert anew.run != sheet.run
        assert RunSheet.objects.get(run=sheet.run).state == ABANDONED
        assert do_all(anew) == FINISHED
        assert amounts().count() == 1
    finally:
        code_version.cache_clear()


@pytest.mark.django_db
def test_a_change_of_law_or_program_is_told(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    an_evening(rounds=3, wrong=[2])
    do_all(the_day("before"))
    found = amounts().get()
    silent = Judgement((), (), [])  # of a judge that finds nothing
    settings.CODE_VERSION = "another"
    code_version.cache_clear()
    monkeypatch.setattr(judge_partida, "judge", lambda *_: silent)
    try:
        do_all(the_day("after"))
    finally:
        code_version.cache_clear()
    assert FindingSupersession.objects.get(finding=found.key).reason == "code_changed"
    digest = current_findings.law_digest
    monkeypatch.undo()
    settings.CODE_VERSION = ""
    do_all(the_day("as before"))
    assert amounts().get().key == found.key
    monkeypatch.setattr(judge_partida, "judge", lambda *_: silent)
    monkeypatch.setattr(current_findings, "law_digest", lambda *of: digest(*of)[::-1])
    do_all(the_day("another law"))
    last = FindingSupersession.objects.filter(finding=found.key).order_by("n").last()
    assert last is not None
    assert last.reason == "law_changed"


@pytest.fixture
def elsewhere(fresh_db: str) -> Iterator[ThreadPoolExecutor]:
    """Threads with database connections of their own."""
    with ThreadPoolExecutor(4) as threads:
        yield threads
        for _ in range(4):
            threads.submit(connection.close)
        list(threads.map(lambda _: (time.sleep(0.05), connection.close()), range(8)))


def test_a_run_is_opened_once_whoever_asks(elsewhere: ThreadPoolExecutor) -> None:
    an_evening(rounds=2)
    sheets = list(elsewhere.map(lambda _: the_day("one job").run, range(8)))
    assert len(set(sheets)) == 1
    assert Reconciliation.objects.count() == 1
    assert RunPart.objects.count() == 1


def test_workers_share_the_parts_of_a_run(elsewhere: ThreadPoolExecutor, settings: Any) -> None:
    settings.ROUNDS_IN_PART = 5
    an_evening("BJ-01", rounds=40, wrong=range(1, 40, 7))
    an_evening("BJ-02", rounds=40, wrong=range(1, 40, 7))
    sheet = the_day()
    states = list(elsewhere.map(lambda _: do_all(sheet), range(4)))
    while OPEN in states:
        states = [conclude(sheet.run)]
    parts = RunPart.objects.filter(run=sheet)
    assert set(parts.values_list("state", "attempts")) == {(DONE, 1)}
    assert ReconciliationResult.objects.filter(run=sheet.run).count() == 1
    result = ReconciliationResult.objects.get(run=sheet.run)
    assert result.raised == result.findings == Finding.objects.count()
    assert amounts().count() == 12


def test_two_runs_at_once_raise_nothing_twice(elsewhere: ThreadPoolExecutor) -> None:
    an_evening(rounds=20, wrong=range(1, 20, 3))
    sheets = [the_day(f"run {number}") for number in range(4)]
    assert set(elsewhere.map(do_all, sheets)) == {FINISHED}
    results = ReconciliationResult.objects.all()
    assert len({result.digest for result in results}) == 1
    assert sum(result.raised for result in results) == Finding.objects.count()
    assert Finding.objects.values("key").distinct().count() == Finding.objects.count()


@pytest.mark.django_db
def test_a_round_of_another_table_is_read_up_to_its_own_number() -> None:
    an_evening("BJ-01", rounds=1)
    sheet = the_day()
    record_all([played("late", place=2, returned=1500)])
    record_events(opened("BJ-02"))
    assert do_all(sheet) == FINISHED
    assert not amounts().exists(), "recorded after the run had opened"
    assert ReconciliationResult.objects.get(run=sheet.run).rounds == 1


def numbered(job: str) -> None:
    """A job that was not done, found and numbered."""
    seen = house_finding("job_done", date(2026, 11, 20), {"job": job}, {"tries": 3})
    assert raise_once(seen, clock.now()) == 1


def test_two_who_number_at_once_give_two_numbers_and_leave_no_gap(
    elsewhere: ThreadPoolExecutor,
) -> None:
    list(elsewhere.map(numbered, [f"job {each}" for each in range(12)]))
    given = CaseNumber.objects.order_by("number").values_list("number", flat=True)
    assert list(given) == list(range(1, 13))
