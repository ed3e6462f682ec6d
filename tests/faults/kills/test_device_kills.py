"""kill -9 of web workers and of PostgreSQL while machines post rounds, and a broker that is away:
what was acknowledged is in the book, once, and nothing else is.

The machines are those of `simulate_devices`: lines break, messages come twice. Each kill falls at a
random moment; seed and victims are printed, so a failure can be seen again.
"""

import os
import random
import signal
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from django.db import connection

from casino.local import roles
from casino.local.cluster import Cluster
from casino.simulation.devices.playing import Plan
from tests.faults.kills.devices_playing import DAY, TROUBLE, Playing
from tests.faults.kills.stack import Stack
from tests.faults.kills.striking import SEED, strike
from tests.faults.kills.whole_book import (
    chains_must_be_whole,
    projections_must_agree,
    tree_must_be_whole,
)
from tests.gate import size

pytestmark = pytest.mark.check
PLAN = Plan(seed=SEED, day=DAY, rounds=20_000, batch=3, rate=45, trouble=TROUBLE)
LATEST = 0.4  # seconds after the machines were seen going on


@pytest.fixture
def web(fresh_db: str, database_environment: dict[str, str], tmp_path: Path) -> Generator[Playing]:
    """Machines at work at a web server of two processes."""
    with Stack(tmp_path, database_environment) as stack:
        playing = Playing(stack, PLAN)
        try:
            yield playing
        finally:
            playing.close()
            connection.close()


@pytest.fixture
def lasting(book: Cluster, tmp_path: Path) -> Generator[Playing]:
    """The same over a server that keeps what it promises, and may be killed."""
    environment = roles.without_addresses() | roles.addresses(book)
    with Stack(tmp_path, environment) as stack:
        playing = Playing(stack, PLAN)
        try:
            yield playing
        finally:
            playing.close()


def shown(playing: Playing, capsys: pytest.CaptureFixture[str], kills: int, what: str) -> None:
    """How much was acknowledged meanwhile, on the screen."""
    answers = dict(sorted(playing.ended().answers.items()))
    with capsys.disabled():
        sys.stdout.write(
            f"\n{kills} kills of {what}, {playing.acknowledged} rounds acknowledged,"
            f" answers {answers} (seed {SEED})\n"
        )


def test_web_workers_are_killed(web: Playing, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(SEED)
    kills = size(2, 100, 300)
    for _ in range(kills):
        web.goes_on(by=6)
        time.sleep(rng.uniform(0, LATEST))
        # The elder of the two: the other may still be beginning, and have nothing in hand.
        web.stack.wait("two workers", lambda: len(web.stack.children("web")) == 2)
        os.kill(min(web.stack.children("web")), signal.SIGKILL)
    web.goes_on(by=24)
    tally = web.ended()
    shown(web, capsys, kills, "web workers")
    assert tally.answers[0] > 0, "no kill fell into a message"
    assert not tally.answers[500]
    web.must_all_stand(tally)


def test_the_database_is_killed(
    lasting: Playing, book: Cluster, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(SEED)
    kinds = ("all processes", "first process", "one backend")
    kills = size(1, 20, 60)
    for kill in range(kills):
        lasting.goes_on(by=6)
        time.sleep(rng.uniform(0, LATEST))
        hit = strike(book, kinds[kill % len(kinds)], rng)
        lasting.stack.kill("sequencer")  # with its connection gone, it ends
        if book.process is None:
            book.start()
        else:
            gone = Path(f"/proc/{hit[0]}")  # until its parent has noticed, others are still let in
            lasting.stack.wait(
                "the server to mend itself", lambda gone=gone: not gone.exists() and book.answers()
            )
        lasting.stack.start("sequencer", "manage.py", "sequencer")
    lasting.goes_on(by=24)
    tally = lasting.ended()
    shown(lasting, capsys, kills, "PostgreSQL")
    assert tally.answers[0] + tally.answers[503] + tally.answers[409] > 0
    assert not tally.answers[500]
    connection.close()
    lasting.must_all_stand(tally)
    chains_must_be_whole(book, len(tally.entries) + lasting.before)
    tree_must_be_whole(book)
    projections_must_agree()
