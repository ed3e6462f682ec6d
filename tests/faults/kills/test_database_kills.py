"""kill -9 of PostgreSQL under several writers: what was acknowledged is there, once, as it was.

The writers are processes with their own lists of receipts on disk (writing.py). Each kill falls at
a random moment while all of them write; seed, victims and time are printed, so a failure can be
seen again. Three kinds of kill take turns: the server with all its processes, its first process
alone (the others have to notice), one writer's own process (the server mends itself).
"""

import random
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from casino.local import roles
from casino.local.cluster import Cluster
from tests.faults.kills.stack import Stack
from tests.faults.kills.striking import LATEST, SEED, WRITERS, all_go_on, named, strike
from tests.faults.kills.whole_book import (
    chains_must_be_whole,
    must_all_stand,
    projections_must_agree,
    receipts,
    recorded_of,
    tree_must_be_whole,
)
from tests.gate import size


@pytest.fixture
def writers(book: Cluster, tmp_path: Path) -> Generator[Stack]:
    """The writers and the sequencer, at work."""
    environment = roles.without_addresses() | roles.addresses(book)
    with Stack(tmp_path, environment) as services:
        services.start("sequencer", "manage.py", "sequencer")
        for number in WRITERS:
            services.start(
                named(number), "-m", "tests.faults.kills.writing", str(number), str(tmp_path)
            )
        yield services


def bring_back(cluster: Cluster, stack: Stack, hit: int) -> float:
    """Start what the launcher would start again; the seconds until the server answers."""
    began = time.monotonic()
    stack.kill("sequencer")  # with its connection gone, it ends
    if cluster.process is None:
        cluster.start()
    else:
        gone = Path(f"/proc/{hit}")  # until its parent has noticed, others are still let in
        stack.wait("the server to mend itself", lambda: not gone.exists() and cluster.answers())
    took = time.monotonic() - began
    stack.start("sequencer", "manage.py", "sequencer")
    return took


@pytest.mark.check
def test_what_was_acknowledged_survives(
    book: Cluster, writers: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(SEED)
    all_go_on(writers)
    kinds = ("all processes", "first process", "one backend")
    for kill in range(size(1, 2, 20)):
        delay = rng.uniform(0, LATEST)
        time.sleep(delay)
        how = kinds[kill % len(kinds)]
        had = sum(map(len, receipts(writers.folder, WRITERS)))
        hit = strike(book, how, rng)
        back = bring_back(book, writers, hit[0])
        again = all_go_on(writers)
        with capsys.disabled():
            sys.stdout.write(
                f"\nkilled {how} {hit[0]} and {len(hit) - 1} more at {time.strftime('%H:%M:%S')},"
                f" {delay:.3f} s after all wrote; {had} receipts by then; answered after"
                f" {back:.2f} s, all wrote again {again:.2f} s later (seed {SEED}, kill {kill})\n"
            )
        must_all_stand(book, receipts(writers.folder, WRITERS))
    for number in WRITERS:
        assert writers.stop(named(number)) == 0, writers.said()
    writers.kill("sequencer")
    kept = receipts(writers.folder, WRITERS)
    with capsys.disabled():
        sys.stdout.write(f"{recorded_of(kept)} (seed {SEED})\n")
    must_all_stand(book, kept)
    chains_must_be_whole(book, sum(map(len, kept)))
    tree_must_be_whole(book)
    projections_must_agree()
