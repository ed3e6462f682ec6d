"""kill -9 of writers, sequencer, signer and PostgreSQL under load: the sealed book stays whole.

Four writers with receipts on disk (writing.py), the sequencer and the signer at work on a durable
server; one of them, or the server, is killed at a random moment, half of the time just as it
works, and started again as the launcher would. Seed, process number and time are printed. Meanwhile
somebody outside keeps every checkpoint he sees. In the end the inspector's own program is given a
copy of the book with all receipts and all those checkpoints, and the book verifies itself.
"""

import itertools
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from casino.local import roles
from casino.local.cluster import Cluster
from casino.tlog.checkpoint import parse_checkpoint
from casino.tlog.note import parse_note
from tests.faults.kills.stack import Stack
from tests.faults.kills.striking import LATEST, SEED, WRITERS, all_go_on, named, strike
from tests.faults.kills.whole_book import (
    chains_must_be_whole,
    checkpoints_must_be_prefixes,
    must_all_stand,
    ran,
    receipts,
    recorded_of,
    the_inspector_must_agree,
    tree_must_be_whole,
)
from tests.gate import size

pytestmark = pytest.mark.check
VICTIMS: Final = ("writer", "sequencer", "signer", "PostgreSQL")
AT_WORK: Final = 0.02  # seconds after somebody was seen at work, at most
PATIENCE: Final = 5.0  # seconds to wait for him to be
SOME: Final = 50  # kills between two looks at the whole book
SEQUENCING: Final = "SELECT 1 FROM pg_stat_activity WHERE usename = 'sequencer' AND state <> 'idle'"


class House(Stack):
    """The services around one book, and where they keep their things."""

    def __init__(self, folder: Path, cluster: Cluster) -> None:
        environment = roles.without_addresses() | roles.addresses(cluster)
        self.public = folder / "public"
        environment |= {
            "SIGNER_HOME": str(folder / "signer"),
            "BOOK_PUBLIC": str(self.public),
            "LOG_ORIGIN": "book.example/sala/1",
        }
        super().__init__(folder, environment)
        self.seen: list[str] = []

    def begin(self, name: str) -> int:
        """Start a service, or start it again; its process number."""
        commands = {
            "sequencer": ("manage.py", "sequencer"),
            "signer": ("-m", "casino.signer", "run"),
        }
        number = name.rpartition("-")[2]
        writer = ("-m", "tests.faults.kills.writing", number, str(self.folder))
        return self.start(name, *commands.get(name, writer)).pid

    def published(self) -> int:
        """How many entries the published checkpoint signs; whoever looks keeps it."""
        file = self.public / "checkpoint"
        if not file.exists():
            return 0
        note = file.read_text("utf-8")
        if note not in self.seen:
            self.seen.append(note)
        return parse_checkpoint(parse_note(note).text).size

    def all_go_on(self) -> float:
        """Wait until every writer has new receipts and a new checkpoint stands; the seconds."""
        took = all_go_on(self)
        before = self.published()
        return took + self.wait("a new checkpoint", lambda: self.published() > before)


@pytest.fixture
def house(book: Cluster, tmp_path: Path) -> Generator[House]:
    """Everything at work."""
    with House(tmp_path, book) as services:
        ran("-m", "casino.signer", "init", environment=services.environment)
        for name in ("sequencer", "signer", *map(named, WRITERS)):
            services.begin(name)
        yield services


def order_of(rng: random.Random, kills: int) -> Iterator[str]:
    """Whom to kill: all in turn, each time in another order."""
    turns = (rng.sample(VICTIMS, len(VICTIMS)) for _ in itertools.count())
    return itertools.islice(itertools.chain.from_iterable(turns), kills)


def caught(look: Callable[[], object]) -> bool:
    """Wait until something is seen to change; whether it did."""
    until, before = time.monotonic() + PATIENCE, look()
    while look() == before:
        if time.monotonic() > until:
            return False
    return True


def wait_for_work(house: House, cluster: Cluster, victim: str, rng: random.Random) -> str:
    """A random moment; half of the time one at which the victim is seen at work. What it was."""
    delay = rng.uniform(0, LATEST)
    time.sleep(delay)
    if rng.random() < 0.5:
        return f"{delay:.3f} s after all went on"
    if victim == "signer":
        last = house.folder / "signer" / "last"
        seen = caught(lambda: last.stat().st_mtime_ns)
    elif victim == "sequencer":
        with cluster.connect() as connection:
            seen = caught(lambda: connection.execute(SEQUENCING).fetchone())
    else:
        kept = house.folder / f"intents-{WRITERS[0]}.jsonl"
        seen = caught(lambda: kept.stat().st_size)
    time.sleep(rng.uniform(0, AT_WORK))
    return "at work" if seen else "not seen at work"


def killed(house: House, cluster: Cluster, victim: str, rng: random.Random) -> str:
    """Kill, and start again what was killed and what ended by that. Whom it hit."""
    if victim == "PostgreSQL":
        how = rng.choice(("all processes", "first process", "one backend"))
        hit = strike(cluster, how, rng)
        for name in ("sequencer", "signer"):  # with their connections gone, they end
            house.kill(name)
        if cluster.process is None:
            cluster.start()
        else:
            gone = Path(f"/proc/{hit[0]}")
            house.wait("the server to mend itself", lambda: not gone.exists() and answers(cluster))
        for name in ("sequencer", "signer"):
            house.begin(name)
        return f"PostgreSQL, {how}, {hit[0]} and {len(hit) - 1} more"
    name = named(rng.choice(list(WRITERS))) if victim == "writer" else victim
    pid = house.kill(name)
    house.begin(name)
    return f"{name}, {pid}"


def answers(cluster: Cluster) -> bool:
    """Whether the server lets the application in, which it does last."""
    try:
        psycopg.connect(roles.addresses(cluster)["DATABASE_URL"]).close()
    except psycopg.OperationalError:
        return False
    return True


def test_the_sealed_book_survives(
    book: Cluster, house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(SEED)
    stood: set[str] = set()
    how_often: Counter[str] = Counter()
    house.all_go_on()
    for kill, victim in enumerate(order_of(rng, size(4, 4, 200))):
        when = wait_for_work(house, book, victim, rng)
        how_often[f"{victim}, {'at work' if when == 'at work' else 'at random'}"] += 1
        moment = time.strftime("%H:%M:%S")
        hit = killed(house, book, victim, rng)
        back = house.all_go_on()
        say(
            capsys,
            f"killed {hit} at {moment}, {when}; all went on {back:.2f} s after it was there"
            f" again (seed {SEED}, kill {kill})",
        )
        must_all_stand(book, receipts(house.folder, WRITERS), stood)
        if kill % SOME == SOME - 1:
            checkpoints_must_be_prefixes(book, house.public, house.seen)
    kept = all_ended(house, book)
    say(capsys, f"{recorded_of(kept)}; killed: {dict(sorted(how_often.items()))} (seed {SEED})")
    must_all_stand(book, kept)
    chains_must_be_whole(book, sum(map(len, kept)))
    checkpoints = checkpoints_must_be_prefixes(book, house.public, house.seen)
    said = the_inspector_must_agree(house.folder, house.public, kept, house.seen, house.environment)
    say(
        capsys,
        f"{checkpoints} checkpoints, {len(house.seen)} of them seen from outside; the"
        f" verifier: {said['sentence']} {said['counts']}",
    )
    for name in ("signer", "sequencer"):
        assert house.stop(name) == 0, house.said()
    tree_must_be_whole(book)


def all_ended(house: House, cluster: Cluster) -> list[dict[str, dict[str, Any]]]:
    """The writers end as they are asked to; then all they wrote is sealed. Their receipts."""
    for number in WRITERS:
        assert house.stop(named(number)) == 0, house.said()
    kept = receipts(house.folder, WRITERS)
    every = sum(map(len, kept))
    house.wait("the last checkpoint", lambda: house.published() == every)
    return kept


def say(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """Print at once, whatever pytest keeps to itself."""
    with capsys.disabled():
        sys.stdout.write(f"\n{text}")
        sys.stdout.flush()
