"""kill -9 of the signer, at each of its steps and at any moment: no checkpoint contradicts another,
and none that anybody saw is forgotten.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import connections

from casino.local import roles
from casino.local.cluster import Cluster
from casino.local.local_places import CHECKOUT
from casino.tlog.note import parse_note
from tests.casino.signer_house import Connect, SignerHouse
from tests.faults.kills.stack import Stack
from tests.gate import size
from tests.servers_django import connections_at, migrate

SEED: Final = int(os.environ.get("KILL_SEED") or random.SystemRandom().randrange(10**6))
# A signer that signs at every look: ten seconds between two would leave nothing to be killed in.
EAGER: Final = (
    "import sys; from casino.signer.signer_places import places;"
    " from casino.signer.signer_loop import run;"
    "run(places(), lambda: False, every=0.02, rest=lambda _: __import__('time').sleep(0.01))"
)


@pytest.fixture
def house(
    fresh_db: str, tmp_path: Path, database_environment: dict[str, str], connect_as: Connect
) -> SignerHouse:
    return SignerHouse(tmp_path, database_environment, connect_as)


@pytest.fixture
def dying(house: SignerHouse) -> Generator[subprocess.Popen[str]]:
    """The signer that dies where it is told to."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.kills.signer_dying"],
        cwd=CHECKOUT,
        env={"PATH": os.environ["PATH"], **house.recorded},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


def died(dying: subprocess.Popen[str], at: int) -> str:
    """Let it look once and die at that step; the step's name, "done" where it had none."""
    assert dying.stdin is not None
    assert dying.stdout is not None
    dying.stdin.write(f"{at}\n")
    dying.stdin.flush()
    return dying.stdout.readline().strip()


def shown(house: SignerHouse) -> str:
    """What everybody sees: always a whole note."""
    note = house.at.checkpoint.read_text()
    parse_note(note)
    return note


def test_killed_at_each_step_the_next_one_goes_on(
    house: SignerHouse, dying: subprocess.Popen[str]
) -> None:
    house.grow(2)
    assert died(dying, 0) == "done"
    names, seen = [], [shown(house)]
    while True:
        house.grow(1)
        name = died(dying, len(names) + 1)
        assert name, "it broke down instead"
        seen.append(shown(house))
        own = house.last().size
        if name == "done":
            break
        names.append(name)
        assert died(dying, 0) == "done"
        assert house.must_agree().size >= own
        seen.append(shown(house))
    assert "put last in its place" in names
    assert names[-1] == "after the row"
    kept = [note for (note,) in house.rows("SELECT note FROM book_checkpoint")]
    assert all(note in kept for note in seen)


# At any moment, with PostgreSQL too


@pytest.fixture
def durable(
    durable_cluster: Cluster, tmp_path: Path, django_db_blocker: Any
) -> Generator[SignerHouse]:
    """A signer's house on a server that keeps what it promises."""
    there = roles.addresses(durable_cluster)
    migrate(there)

    def connect(role: str, **options: Any) -> Any:
        import psycopg

        return psycopg.connect(there[roles.VARIABLES[role]], **options)

    with django_db_blocker.unblock(), connections_at(there):
        yield SignerHouse(tmp_path, there, connect)
        connections.close_all()


@pytest.mark.check
def test_killed_at_any_moment_nothing_is_lost(
    durable: SignerHouse,
    durable_cluster: Cluster,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """While the tree grows; every fifth kill hits PostgreSQL, and the signer ends by itself."""
    rng = random.Random(SEED)
    seen: dict[str, int] = {}
    kills = size(8, 8, 200)
    environment = {"PATH": os.environ["PATH"], **durable.recorded}
    with Stack(tmp_path, environment) as services:
        for kill in range(kills):
            services.start("signer", "-c", EAGER)
            until = time.monotonic() + rng.uniform(0.3, 1.2)
            while time.monotonic() < until:
                durable.grow(rng.randrange(1, 4))
                if durable.at.checkpoint.exists():
                    seen.setdefault(shown(durable), kill)
            if kill % 5 == 4:
                durable_cluster.kill()
                connections.close_all()
                durable_cluster.start()
            services.kill("signer")
            if durable.at.checkpoint.exists():
                seen.setdefault(shown(durable), kill)
        durable.grow(1)
        with durable.connect_as("signer", autocommit=True) as connection:
            from casino.signer.signer_book import Book
            from casino.signer.signing import Signer

            last = Signer(durable.at, Book(connection), every=0).turn()
    kept = {note for (note,) in durable.rows("SELECT note FROM book_checkpoint")}
    with capsys.disabled():
        sys.stdout.write(
            f"\n{kills} kills of the signer (seed {SEED}): {last.size} entries, {len(kept)}"
            f" checkpoints, {len(seen)} of them seen in the public file\n"
        )
    assert set(seen) <= kept, "what was published is not in the book"
    assert durable.must_agree() == last
