"""Which gaming day is due when, and which never was reconciled."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from audit.models import Finding, FindingSupersession, Reconciliation
from audit.reconcile.opening import Asked
from audit.reconcile.request_run import ask_for, ask_to_judge, is_late
from audit.reconcile.runs_due import days_due, days_never_reconciled, job_of
from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.runs.house_days import PATIENCE, REST, day_ends_at, first_day
from audit.watch.watching import look_around
from casino import clock
from casino.models import JobOutbox
from casino.tasks import done
from tests.factories.evenings import DAY, an_evening, correct, partida_of, played
from tests.jobs_inline import do_jobs

pytestmark = pytest.mark.share

A_DAY = timedelta(days=1)
A_MINUTE = timedelta(minutes=1)


@pytest.mark.usefixtures("from_eight")
@pytest.mark.parametrize(
    ("day", "ends"),
    [
        (date(2026, 11, 20), datetime(2026, 11, 21, 8, tzinfo=UTC)),
        (date(2026, 7, 1), datetime(2026, 7, 2, 7, tzinfo=UTC)),
        # The nights on which the clocks change: the day ends at eight by the clock on the wall.
        (date(2026, 3, 28), datetime(2026, 3, 29, 7, tzinfo=UTC)),
        (date(2026, 10, 24), datetime(2026, 10, 25, 8, tzinfo=UTC)),
        (date(2026, 12, 31), datetime(2027, 1, 1, 8, tzinfo=UTC)),
        (date(2028, 2, 28), datetime(2028, 2, 29, 8, tzinfo=UTC)),
    ],
)
def test_a_day_ends_when_the_houses_next_begins(day: date, ends: datetime) -> None:
    assert day_ends_at(day) == ends


@pytest.fixture
def live_at(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Move the clock to a moment."""
    file = tmp_path / "clock"
    monkeypatch.setenv("CLOCK_FILE", str(file))

    def move(moment: datetime) -> datetime:
        file.write_text("0", "ascii")
        file.write_text(str(int((moment - clock.now()).total_seconds()) + 1), "ascii")
        return clock.now()

    return move


@pytest.fixture
def begun(db: None) -> date:
    """A book that was begun today; the gaming day of its first entry."""
    an_evening(rounds=1)
    first = first_day()
    assert first is not None
    return first


@pytest.mark.django_db
def test_an_empty_book_owes_nothing() -> None:
    far = clock.now() + 100 * A_DAY
    assert (days_due(far), days_never_reconciled(far)) == ([], [])
    assert look_around(far) == 0


def test_a_day_is_due_an_hour_after_its_end(begun: date) -> None:
    due = day_ends_at(begun) + REST
    assert days_due(due - A_MINUTE) == []
    assert days_due(due) == [begun]
    assert days_due(due + A_DAY) == [begun, begun + A_DAY]
    assert days_never_reconciled(due + PATIENCE - A_MINUTE) == []
    assert days_never_reconciled(due + PATIENCE) == [begun]


def test_an_evening_imported_from_the_past_is_nobodys_neglect(begun: date) -> None:
    an_evening("BJ-09", "2020-02-29", rounds=1)
    assert days_never_reconciled(day_ends_at(begun)) == []


def test_beat_decides_on_a_day_once_however_often_it_looks(begun: date, live_at: Any) -> None:
    now = live_at(day_ends_at(begun) + REST)
    for _ in range(3):
        look_around(now)
    own = JobOutbox.objects.filter(topic="reconciliation", key__startswith="gaming-day/")
    assert own.count() == 1
    do_jobs(topic="reconciliation")
    run = Reconciliation.objects.get(reason="nightly", from_day=begun)
    assert (run.from_day, run.to_day) == (begun, begun)
    assert days_due(now) == []
    assert days_never_reconciled(now + PATIENCE) == []


def test_a_run_that_began_before_the_days_end_is_not_the_days(begun: date, live_at: Any) -> None:
    live_at(day_ends_at(begun) - A_MINUTE)
    ask_for(Asked(reason="asked", from_day=begun, to_day=begun))
    do_jobs(topic="reconciliation")
    assert Reconciliation.objects.filter(from_day=begun).count() == 1
    assert days_due(day_ends_at(begun) + REST) == [begun]


def test_what_would_hold_under_another_law_is_not_the_days_run(begun: date, live_at: Any) -> None:
    now = live_at(day_ends_at(begun) + REST)
    ask_for(Asked(reason="asked", from_day=begun, to_day=begun, rulebook="es"))
    do_jobs(topic="reconciliation")
    assert days_due(now) == [begun]


def test_what_some_tables_came_to_is_not_the_days_run(begun: date, live_at: Any) -> None:
    now = live_at(day_ends_at(begun) + REST)
    some = Asked(reason="asked", from_day=begun, to_day=begun, tables=("BJ-01",))
    ask_for(some)
    do_jobs(topic="reconciliation")
    assert Reconciliation.objects.get(from_day=begun).tables == ["BJ-01"]
    assert days_due(now) == [begun]
    ask_for(some)
    assert ask_to_judge([begun], "whole") == [begun]  # what is under way is not that day's run
    do_jobs(topic="reconciliation")
    whole = Reconciliation.objects.get(from_day=begun, tables__isnull=True)
    assert (whole.previous, days_due(now)) == (None, [])


def test_a_day_that_never_ran_is_said_once_and_cured_by_its_run(begun: date, live_at: Any) -> None:
    late = live_at(day_ends_at(begun) + REST + PATIENCE + A_DAY)
    assert days_never_reconciled(late) == [begun, begun + A_DAY]
    assert look_around(late) == 2
    assert look_around(late) == 0
    found = standing().filter(check_name=house_checks.DAY_RECONCILED).order_by("gaming_day")
    assert [row.gaming_day for row in found] == [begun, begun + A_DAY]
    assert {row.article for row in found} == {house_checks.ARTICLE}
    # What was decided on and is forgotten again still is not done: it is not cured.
    done(job_of(begun + A_DAY))
    do_jobs(topic="reconciliation")
    assert [row.gaming_day for row in found.all()] == [begun + A_DAY]
    assert FindingSupersession.objects.count() == 1
    assert Finding.objects.filter(check_name=house_checks.DAY_RECONCILED).count() == 2
    assert days_never_reconciled(late) == [begun + A_DAY]


def test_a_late_record_its_own_job_did_not_see_is_seen_by_the_next_look(begun: date) -> None:
    receipts = an_evening("BJ-02", rounds=1, wrong=[1])
    now = receipts[0].recorded_at + 3 * A_MINUTE
    do_jobs(now)
    correct(receipts[1], played("r1", table="BJ-02", place=1))
    for row in JobOutbox.objects.filter(topic="partida-touched"):
        done(row.key)  # it asked a moment too early
    partida = partida_of("BJ-02", DAY)
    assert is_late(partida)
    look_around(now)
    look_around(now)
    do_jobs(now + A_MINUTE, topic="reconciliation")
    assert not is_late(partida)
    assert Reconciliation.objects.filter(reason="late_record").count() == 1
