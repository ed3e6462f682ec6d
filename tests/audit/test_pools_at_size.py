"""A long story is replayed in one go through it, in little memory, and nobody waits for it.

How long it takes is held to a limit in `make soak` alone. Figures: docs/benchmarks/meter.md.
Law: PT art. 41.
"""

import threading
import time
import tracemalloc
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.db import connection

from audit.models import PoolReplay
from audit.pools import replaying
from audit.pools.replaying import REPLAY
from audit.pools.replays_due import ask_for_replay
from casino import clock
from casino.queries import heads
from casino.recording import Submission, record_many
from jackpot import queries
from jackpot.progressive.amounts import MICROCENTS
from jackpot.seal_meter import seal
from tests.factories.pools import POOL, START_CENTS, approve, increment, opened, start
from tests.factories.pools_in_book import chips
from tests.factories.records import EVENING, PIT
from tests.gate import size
from tests.jobs_inline import do_jobs

pytestmark = pytest.mark.share

TABLES = ("BJ-01", "BJ-02", "BJ-03", "BJ-04", "BJ-05", "BJ-06")
CHIP = 250 * 25_000
BATCH = 500
MEGABYTES = 64


def record(number: int) -> None:
    """So many increments of three chips, at six tables in turn."""
    for first in range(0, number, BATCH):
        record_many(
            [
                Submission(
                    increment(
                        *((box, f"J{box}", 1) for box in (1, 2, 5)),
                        table=TABLES[n % len(TABLES)],
                        chip_cents=250,
                    ),
                    uuid4(),
                    PIT,
                    EVENING,
                )
                for n in range(first, min(first + BATCH, number))
            ]
        )


@pytest.fixture
def pool(fresh_db: str) -> None:
    approve()
    start()
    for table in TABLES:
        opened(table)


@pytest.mark.usefixtures("pool")
def test_a_long_story_takes_as_long_as_it_is_and_little_memory(
    capsys: pytest.CaptureFixture[str],
) -> None:
    number = size(1_000, 3_000, 100_000)
    record(number)
    seal(POOL)
    ask_for_replay(POOL)
    began = time.monotonic()
    do_jobs(topic=REPLAY)
    seconds = time.monotonic() - began
    row = PoolReplay.objects.get()
    assert (row.difference_microcents, row.problems) == (0, 0)
    assert row.entries == number + len(TABLES) + 4
    assert row.microcents == START_CENTS * MICROCENTS + 3 * number * CHIP
    tracemalloc.start()
    for _ in queries.story(POOL):
        pass
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{number} entries of chips replayed and compared in {seconds:.1f} s"
            f" ({number / seconds:,.0f}/s), at most {most / 1e6:.1f} MB of Python's memory"
        )
    assert most < MEGABYTES * 1_000_000


@pytest.mark.usefixtures("pool")
def test_the_floor_goes_on_while_a_pool_is_replayed() -> None:
    many = size(300, 1_200, 1_200)
    record(many)
    replay = replaying.Replay(POOL, heads(), clock.now())
    entries: Iterator[object] = replay.story.entries()
    next(entries)  # its cursors are open now, in a transaction
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND database ="
            " (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        assert cursor.fetchone() == (0,)
    waited: list[float] = []

    def on_the_floor() -> None:
        try:
            began = time.monotonic()
            chips((1, "J9", 1))
            seal(POOL)
            waited.append(time.monotonic() - began)
        finally:
            connection.close()

    floor = threading.Thread(target=on_the_floor)
    floor.start()
    floor.join(600)  # were it locked out, it would wait for ever
    assert len(waited) == 1
    # What was recorded meanwhile is not among them.
    assert sum(1 for _ in entries) == many + len(TABLES) + 2
