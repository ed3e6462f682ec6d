"""kill -9 of PostgreSQL under four writers: what was acknowledged is there, once, as it was.

The writers are processes with their own lists of receipts on disk (writing.py). Each kill falls at
a random moment while all four write; seed, victims and time are printed, so a failure can be seen
again. Three kinds of kill take turns: the server with all its processes, its first process alone
(the others have to notice), one writer's own process (the server mends itself).
"""

import contextlib
import hashlib
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator
from io import StringIO
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from django.core.management import call_command

from casino import sequencer
from casino.local import roles
from casino.local.cluster import Cluster
from casino.tlog.merkle import Frontier
from tests.faults.kills.stack import Stack
from tests.servers_django import connections_at, migrate

WRITERS: Final = range(1, 5)
LATEST: Final = 1.5  # seconds after all were seen writing
SEED: Final = int(os.environ.get("KILL_SEED") or random.SystemRandom().randrange(10**6))
BACKENDS: Final = "SELECT pid FROM pg_stat_activity WHERE usename = 'app'"
ENTRIES: Final = """
SELECT s.name, e.n, e.id, e.key, e.entry, e.leaf_hash, s.head_n, s.head_hash
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id ORDER BY s.name, e.n
"""

Receipts = dict[str, dict[str, Any]]


@pytest.fixture
def book(durable_cluster: Cluster, django_db_blocker: Any) -> Generator[Cluster]:
    """A server that keeps what it promises, with an empty book in it; Django is connected to it."""
    there = roles.addresses(durable_cluster)
    migrate(there)
    with django_db_blocker.unblock(), connections_at(there):
        yield durable_cluster


@pytest.fixture
def writers(book: Cluster, tmp_path: Path) -> Generator[Stack]:
    """Four writers and the sequencer, at work."""
    environment = roles.without_addresses() | roles.addresses(book)
    with Stack(tmp_path, environment) as services:
        services.start("sequencer", "manage.py", "sequencer")
        for number in WRITERS:
            services.start(named(number), "-m", "tests.faults.kills.writing",
                           str(number), str(tmp_path))  # fmt: skip
        yield services


def named(writer: int) -> str:
    """What a writer is called."""
    return f"writer-{writer}"


def receipts(folder: Path) -> list[Receipts]:
    """What each writer has on disk by now, by key. A line that is being written does not count."""
    lists: list[Receipts] = []
    for number in WRITERS:
        file = folder / f"receipts-{number}.jsonl"
        whole = file.read_text("ascii").rpartition("\n")[0] if file.exists() else ""
        lines = [json.loads(line) for line in whole.splitlines()]
        lists.append({line["key"]: line for line in lines})
        assert len(lists[-1]) == len(lines)
    return lists


def all_go_on(stack: Stack) -> float:
    """Wait until each writer has new receipts; the seconds it took."""
    before = [len(each) for each in receipts(stack.folder)]

    def all_have_more() -> bool:
        now = [len(each) for each in receipts(stack.folder)]
        return all(have > had for have, had in zip(now, before, strict=True))

    return stack.wait("every writer to go on", all_have_more)


def strike(cluster: Cluster, how: str, rng: random.Random) -> list[int]:
    """kill -9; the process numbers that were hit, the server's first one first."""
    assert cluster.process is not None
    first = cluster.process.pid
    if how == "one backend":
        with cluster.connect() as connection:
            backends = [pid for (pid,) in connection.execute(BACKENDS)]
        victim = rng.choice(backends)
        os.kill(victim, signal.SIGKILL)
        return [victim]
    others = Path(f"/proc/{first}/task/{first}/children").read_text("ascii").split()
    cluster.kill()
    if how == "first process":
        return [first]
    for pid in map(int, others):
        with contextlib.suppress(ProcessLookupError):  # it noticed by itself
            os.kill(pid, signal.SIGKILL)
    return [first, *map(int, others)]


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


def test_what_was_acknowledged_survives(
    book: Cluster, writers: Stack, size: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(SEED)
    all_go_on(writers)
    kinds = ("all processes", "first process", "one backend")
    for kill in range(size(2, 20)):
        delay = rng.uniform(0, LATEST)
        time.sleep(delay)
        how = kinds[kill % len(kinds)]
        had = sum(map(len, receipts(writers.folder)))
        hit = strike(book, how, rng)
        back = bring_back(book, writers, hit[0])
        again = all_go_on(writers)
        with capsys.disabled():
            sys.stdout.write(
                f"\nkilled {how} {hit[0]} and {len(hit) - 1} more at {time.strftime('%H:%M:%S')},"
                f" {delay:.3f} s after all wrote; {had} receipts by then; answered after"
                f" {back:.2f} s, all wrote again {again:.2f} s later (seed {SEED}, kill {kill})\n"
            )
        must_all_stand(book, receipts(writers.folder))
    for number in WRITERS:
        assert writers.stop(named(number)) == 0, writers.said()
    writers.kill("sequencer")
    kept = receipts(writers.folder)
    with capsys.disabled():
        sys.stdout.write(f"{told_of(kept)} (seed {SEED})\n")
    must_all_stand(book, kept)
    chains_must_be_whole(book, sum(map(len, kept)))
    tree_must_be_whole(book)
    shelves_must_agree()


def told_of(kept: list[Receipts]) -> str:
    """How many receipts there are, and how many of them took more than one try."""
    every = [receipt for each in kept for receipt in each.values()]
    again = [receipt for receipt in every if receipt["tries"] > 1]
    there = sum(receipt["repeated"] for receipt in again)
    return f"{len(every)} receipts, {len(again)} sent again, {there} of those were in the book"


def entries(cluster: Cluster) -> Iterator[tuple[Any, ...]]:
    """Every entry of the book, each stream in its order."""
    with cluster.connect(roles.BOOK) as connection:
        yield from connection.execute(ENTRIES).fetchall()


def must_all_stand(cluster: Cluster, kept: list[Receipts]) -> None:
    """Every receipt names an entry that is there, under its key, in its place, with its leaf."""
    there = {
        str(key): {"entry": str(entry_id), "leaf": bytes(leaf).hex(), "stream": stream, "n": n}
        for stream, n, entry_id, key, _, leaf, *_ in entries(cluster)
    }
    for each in kept:
        for key, receipt in each.items():
            promised = {name: receipt[name] for name in ("entry", "leaf", "stream", "n")}
            assert there.get(key) == promised, key


def chains_must_be_whole(cluster: Cluster, acknowledged: int) -> None:
    """As many entries as receipts, each fact once; no gap in the numbers; each follows the last.

    The leaves are hashed here anew, from the bytes.
    """
    reached: dict[str, tuple[int, str | None]] = {}
    heads: dict[str, tuple[int, str]] = {}
    told: Counter[str] = Counter()
    for stream, n, _, key, entry, leaf, head_n, head_hash in entries(cluster):
        before, prev = reached.get(stream, (0, None))
        body = json.loads(entry)
        assert (body["stream"], body["n"], body["prev"]) == (stream, before + 1, prev)
        assert (n, body["key"]) == (before + 1, str(key))
        assert hashlib.sha256(b"\0" + entry).digest() == leaf
        reached[stream] = (n, leaf.hex())
        heads[stream] = (head_n, head_hash.hex())
        told[json.dumps([body["kind"], body["payload"]], sort_keys=True)] += 1
    assert reached == heads
    assert told.total() == acknowledged == len(told)


def tree_must_be_whole(cluster: Cluster) -> None:
    """The sequencer takes in what still waits; then every entry has one place, the root fits."""
    while sequencer.integrate():
        pass
    expected = Frontier()
    reached: dict[int, int] = {}
    with cluster.connect(roles.BOOK) as connection:
        placed = connection.execute(
            "SELECT l.idx, e.stream_id, e.n, e.leaf_hash FROM book_leaf l"
            " JOIN book_entry e ON e.id = l.entry_id ORDER BY l.idx"
        ).fetchall()
        for place, (idx, stream, n, leaf) in enumerate(placed):
            assert (idx, n) == (place, reached.get(stream, 0) + 1)
            reached[stream] = n
            expected.append(bytes(leaf))
        assert one(connection, "SELECT count(*) FROM book_entry") == (expected.size,)
        assert one(connection, "SELECT count(*) FROM book_pending") == (0,)
        last = one(connection, "SELECT size, root FROM book_tree ORDER BY size DESC LIMIT 1")
    assert last == (expected.size, expected.root())


def one(connection: psycopg.Connection, statement: str) -> tuple[Any, ...] | None:
    """The first row of an answer."""
    return connection.execute(statement).fetchone()


def shelves_must_agree() -> None:
    """`rebuild --check` finds nothing; it ends the test where it does."""
    said = StringIO()
    call_command("rebuild", "--check", stdout=said)
    assert " 0 differences" in said.getvalue()
