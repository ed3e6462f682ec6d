"""Beat away for a gaming day: the pages see it at once, the book as soon as anybody looks."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from audit.models import Finding, FindingSupersession, ReconciliationResult
from audit.reconcile.runs_due import days_never_reconciled
from audit.runs import house_checks
from audit.runs.house_days import PATIENCE, REST, day_ends_at, first_day
from casino import clock
from tests.factories.evenings import an_evening
from tests.faults.kills.stack import Stack

pytestmark = pytest.mark.check
BEAT = ("-m", "celery", "-A", "casino.celery", "beat", "--loglevel=WARNING", "--pidfile=")


def set_clock(file: Path, moment: datetime) -> None:
    """Let every process of the test live at that moment from now on."""
    file.write_text("0", "ascii")
    ahead = int((moment - clock.now()).total_seconds())
    beside = file.with_suffix(".new")
    beside.write_text(str(ahead), "ascii")
    beside.replace(file)


def start_beat(stack: Stack) -> None:
    """A beat that looks every second."""
    stack.start("beat", *BEAT, f"--schedule={stack.folder / 'beat'}", BEAT_SECONDS="1")


def ended(day: Any) -> bool:
    """Whether the day's run has ended."""
    return ReconciliationResult.objects.filter(from_day=day, to_day=day).exists()


@pytest.mark.usefixtures("from_eight")  # as the processes reckon
@pytest.mark.parametrize("queue", ["pgmq"], indirect=True)
def test_a_day_nobody_reconciled_is_a_finding(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = stack.folder / "clock"
    file.write_text("0", "ascii")
    monkeypatch.setenv("CLOCK_FILE", str(file))
    stack.environment["CLOCK_FILE"] = str(file)
    for name in ("outbox", "worker"):  # they too must live by that clock
        stack.kill(name)
    stack.start_outbox()
    stack.start_worker()
    an_evening(rounds=2)
    first = first_day()
    assert first is not None
    start_beat(stack)
    set_clock(file, day_ends_at(first) + REST + timedelta(minutes=1))
    stack.wait("the first day's run", lambda: ended(first))
    assert days_never_reconciled(clock.now()) == []

    stack.kill("beat")
    missed = first + timedelta(days=1)
    set_clock(file, day_ends_at(missed) + REST + PATIENCE + timedelta(minutes=1))
    assert days_never_reconciled(clock.now()) == [missed]
    assert not Finding.objects.filter(check_name=house_checks.DAY_RECONCILED).exists()

    start_beat(stack)
    stack.wait("the missed day's run", lambda: ended(missed))
    found = Finding.objects.get(check_name=house_checks.DAY_RECONCILED)
    assert (found.gaming_day, found.article) == (missed, house_checks.ARTICLE)
    cured = FindingSupersession.objects.get(finding=found.key)
    assert cured.run == ReconciliationResult.objects.get(from_day=missed).run
    assert days_never_reconciled(clock.now()) == []
