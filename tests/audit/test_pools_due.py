"""When every pool is sealed and replayed, by whom, and what is said where nobody did it."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from audit.models import PoolReplay, PoolReplayRun
from audit.pools.replaying import REPLAY
from audit.pools.replays_due import (
    SEAL,
    ask_for_pools,
    ask_for_replay,
    never_sealed,
    record_never_replayed,
    replay_wanted,
)
from audit.pools.report_replay import pool_findings
from audit.runs import house_checks
from audit.runs.house_days import PATIENCE, REST, day_ends_at, first_day
from audit.watch.watching import look_around
from casino import clock
from casino.models import BookEntry, JobOutbox, JobTry
from casino.recording.writing import add_job
from jackpot.models import JackpotSeal
from jackpot.tasks import seal_pool, sealed_key
from tests.factories.pools import POOL, approve
from tests.factories.pools_in_book import chips, raised, replay
from tests.jobs_inline import do_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.share]


def _ended() -> datetime:
    """A moment after the book's first day was over, and its tables closed."""
    day = first_day()
    assert day is not None
    return day_ends_at(day) + REST


@pytest.mark.usefixtures("pool")
def test_after_each_gaming_day_every_pool_is_sealed_and_replayed_once(live_at: Any) -> None:
    chips((1, "J1", 1))
    now = _ended()
    for moment in (now - REST - timedelta(seconds=1), now - REST, now - REST, now, now):
        ask_for_pools(moment)
    jobs = JobOutbox.objects.filter(topic__in=(SEAL, REPLAY)).values_list("key", flat=True)
    day = first_day()
    assert day is not None
    assert sorted(jobs) == [f"jackpot-replay/{POOL}/{day}", f"jackpot-sealing/{POOL}/{day}"]
    live_at(now)
    do_jobs(topic=SEAL)
    do_jobs(topic=REPLAY)
    (sealed,) = JackpotSeal.objects.all()
    assert BookEntry.objects.get(id=sealed.pk).key == sealed_key(POOL, day.isoformat())
    assert PoolReplay.objects.get().why == "nightly"


@pytest.mark.usefixtures("pool")
def test_a_seal_of_a_day_is_told_once_however_often_its_job_is_done() -> None:
    for n in range(3):
        chips((1, f"J{n}", 1))
        add_job(SEAL, f"again/{n}", {"jackpot": POOL, "day": "2026-11-20"})
        seal_pool(job=f"again/{n}", jackpot=POOL, day="2026-11-20")
    assert JackpotSeal.objects.count() == 1


def test_a_pool_that_never_began_is_neither_sealed_nor_missed(live_at: Any) -> None:
    approve()
    now = live_at(_ended())
    ask_for_pools(now)
    do_jobs(topic=SEAL)
    do_jobs(topic=REPLAY)
    assert not JackpotSeal.objects.exists()
    assert PoolReplay.objects.get().microcents == 0
    assert never_sealed(now) == []
    assert record_never_replayed(live_at(now + PATIENCE)) == 0


@pytest.mark.usefixtures("pool")
def test_a_pool_nobody_sealed_or_replayed_is_said(live_at: Any) -> None:
    now = _ended()
    day = first_day()
    assert day is not None
    assert never_sealed(now - timedelta(seconds=1)) == []
    assert never_sealed(now) == [(POOL, day_ends_at(day))]
    assert record_never_replayed(now + PATIENCE - timedelta(seconds=1)) == 0
    assert record_never_replayed(live_at(now + PATIENCE)) == 1
    assert record_never_replayed(live_at(now + PATIENCE + timedelta(days=2))) == 0  # it stands
    (row,) = pool_findings(POOL)
    assert row.check_name == house_checks.POOL_REPLAYED
    replay()
    assert raised() == []


@pytest.mark.usefixtures("pool")
def test_whoever_looks_around_asks_for_it() -> None:
    look_around(_ended())
    assert JobOutbox.objects.filter(topic=SEAL).count() == 1
    assert JobOutbox.objects.filter(topic=REPLAY).count() == 1
    assert clock.now() < _ended()


@pytest.mark.usefixtures("pool")
def test_a_replay_that_was_given_up_has_failed_and_another_can_be_asked_for() -> None:
    given_up = ask_for_replay(POOL)
    row = PoolReplayRun.objects.get(run=given_up)
    JobTry.objects.create(
        key=row.job,
        topic=REPLAY,
        tries=3,
        began_at=clock.now(),
        worker="w",
        trouble="killed",
        failed_at=clock.now(),
    )
    look_around()
    assert PoolReplayRun.objects.get(run=given_up).state == "failed"
    assert replay_wanted(POOL, by="I-0007") != given_up
