"""Every entry gets one place in the tree, each stream in its own order, whatever commits when."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import OperationalError, connections, transaction

from casino import sequencer
from casino.recording import record_many
from casino.tlog.merkle import Frontier
from tests.casino.leaves import places, tree
from tests.factories.records import burnt, recorded, submission
from tests.gate import size

Connect = Callable[..., psycopg.Connection]
pytestmark = pytest.mark.usefixtures("fresh_db")


@pytest.fixture
def book(connect_as: Connect, fresh_db: str) -> psycopg.Connection:
    return connect_as("reader", autocommit=True)


def must_be_whole(book: psycopg.Connection, entries: int) -> None:
    """Contiguous places, every stream in order, nothing waiting, the root that follows."""
    given = places(book)
    assert [idx for idx, *_ in given] == list(range(entries))
    reached: dict[str, int] = {}
    expected = Frontier()
    for _, stream, n, leaf in given:
        assert n == reached.get(stream, 0) + 1
        reached[stream] = n
        expected.append(leaf)
    assert tree(book) == (entries, expected.root())
    assert book.execute("SELECT count(*) FROM book_pending").fetchone() == (0,)


def test_entries_get_their_places_in_the_order_of_their_streams(book: psycopg.Connection) -> None:
    record_many([submission(burnt(table=f"BJ-0{n % 3}")) for n in range(20)])
    assert sequencer.integrate(limit=7) == 7
    recorded(burnt(table="BJ-02"))
    assert sequencer.integrate() == 14
    assert sequencer.integrate() == 0
    must_be_whole(book, 21)


def test_an_entry_that_commits_late_is_not_overlooked(
    book: psycopg.Connection, connect_as: Connect
) -> None:
    slow = connect_as("app")
    slow.execute(
        "SELECT * FROM ledger_append('house', 'admin', 'chefia_da_sala', 'S-1',"
        " ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()], ARRAY['staff-registered/1'],"
        " ARRAY['{\"staff\":\"S-2\"}'], ARRAY[now()], ARRAY[current_date], ARRAY[''], ARRAY[''],"
        " ARRAY[0])"
    )
    recorded(burnt())
    assert sequencer.integrate() == 1
    slow.commit()
    assert sequencer.integrate() == 1
    must_be_whole(book, 2)


def test_what_was_rolled_back_leaves_no_place(
    book: psycopg.Connection, connect_as: Connect
) -> None:
    recorded(burnt())
    with pytest.raises(ZeroDivisionError):
        _record_and_fail()
    recorded(burnt(2))
    sequencer.integrate()
    must_be_whole(book, 2)


def _record_and_fail() -> None:
    with transaction.atomic():
        recorded(burnt(5))
        raise ZeroDivisionError


def test_a_second_sequencer_steps_back(book: psycopg.Connection, connect_as: Connect) -> None:
    recorded(burnt())
    other = connect_as("sequencer")
    other.execute("SELECT pg_advisory_xact_lock(%s)", [sequencer.LOCK])
    assert sequencer.integrate() is None
    other.rollback()
    assert sequencer.integrate() == 1


@contextmanager
def loops(count: int) -> Iterator[None]:
    """So many sequencers, working until the block ends. Raises: what one of them raised."""
    working = threading.Event()
    working.set()

    def work() -> None:
        try:
            sequencer.run(lambda: not working.is_set(), rest=lambda _: time.sleep(0.01))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        at_work = [pool.submit(work) for _ in range(count)]
        try:
            yield
        finally:
            working.clear()
        for each in at_work:
            each.result()


class Trouble(Exception):
    """Whatever makes a writer give up what it began."""


def write(seed: int, turns: int) -> list[UUID]:
    """Record with every accident a transaction may have; the keys of what was committed."""
    chance = random.Random(seed)
    kept: list[UUID] = []
    try:
        for _ in range(turns):
            began: list[UUID] = []
            try:
                with transaction.atomic():
                    _write_one(chance, began)
            except Trouble:
                continue
            kept += began
    finally:
        connections.close_all()
    return kept


def _write_one(chance: random.Random, began: list[UUID]) -> None:
    # Tables in the order of their names, as every writer takes them.
    for table in sorted(chance.sample(["BJ-01", "BJ-02", "BJ-03", "BJ-04"], chance.randint(1, 2))):
        key = uuid4()
        recorded(burnt(table=table), key=key)
        began.append(key)
        if chance.random() < 0.3:
            lost = uuid4()
            try:
                with transaction.atomic():
                    recorded(burnt(2, table=table), key=lost)
                    if chance.random() < 0.7:
                        raise Trouble
                began.append(lost)
            except Trouble:
                pass
    time.sleep(chance.choice((0, 0, 0.001, 0.02)))
    if chance.random() < 0.3:
        raise Trouble


@pytest.mark.check
def test_two_sequencers_beside_32_writers_with_every_accident_lose_nothing(
    book: psycopg.Connection,
) -> None:
    turns = size(4, 4, 200)
    with loops(2), ThreadPoolExecutor(32) as pool:
        kept = list(pool.map(lambda seed: write(seed, turns), range(32)))
    sequencer.integrate()
    keys = sorted(key for each in kept for key in each)
    assert len(keys) > 32 * turns // 2
    assert [key for (key,) in book.execute("SELECT key FROM book_entry ORDER BY key")] == keys
    must_be_whole(book, len(keys))


@pytest.mark.check
def test_every_record_gets_into_the_tree_at_fifty_a_second(
    book: psycopg.Connection,
) -> None:
    count = size(100, 100, 6000)
    with loops(2):
        began = time.monotonic()
        for number in range(count):
            time.sleep(max(0.0, began + number / 50 - time.monotonic()))
            recorded(burnt(table=f"BJ-0{number % 9}"))
        until = time.monotonic() + 300
        while book.execute("SELECT FROM book_pending LIMIT 1").rowcount:
            assert time.monotonic() < until
            time.sleep(0.05)
    delays = book.execute(
        "SELECT extract(epoch FROM (SELECT min(made_at) FROM book_tree t WHERE t.size > l.idx)"
        " - e.recorded_at)::float8 AS delay"
        " FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id ORDER BY delay"
    ).fetchall()
    assert len(delays) == count
    print(f"in the tree after {delays[count * 99 // 100][0]:.2f} s, 99 in 100")  # noqa: T201


def test_a_full_batch_is_followed_at_once_by_a_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    waiting = [100_000]

    def integrate(limit: int) -> int | None:
        asked.append(limit)
        if len(asked) == 7:
            return None  # another sequencer is at work
        done = min(limit, waiting[0])
        waiting[0] -= done
        return done

    rests: list[int] = []
    monkeypatch.setattr(sequencer, "integrate", integrate)
    sequencer.run(lambda: len(asked) == 8, rest=lambda _: rests.append(len(asked)))
    assert asked == [10_000, 20_000, 40_000, 40_000, 10_000, 10_000, 10_000, 10_000]
    assert rests == [4, 5, 6, 7, 8]


def test_a_lost_connection_ends_the_loop_with_its_error(
    book: psycopg.Connection, connect_as: Connect
) -> None:
    rested = threading.Event()

    def work() -> None:
        try:
            sequencer.run(lambda: False, rest=lambda _: rested.set())
        finally:
            connections.close_all()

    recorded(burnt())
    with ThreadPoolExecutor(1) as pool:
        loop = pool.submit(work)
        assert rested.wait(300)
        connect_as("postgres", autocommit=True).execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE usename = 'sequencer' AND datname = current_database()"
        )
        with pytest.raises(OperationalError):
            loop.result(300)
    recorded(burnt())
    assert sequencer.integrate() == 1  # whoever starts it again goes on where it was
    must_be_whole(book, 2)


def test_a_failure_half_way_leaves_everything_waiting(
    book: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_many([submission(burnt()) for _ in range(5)])
    with monkeypatch.context() as broken:
        broken.setattr(Frontier, "to_bytes", lambda self: None)
        with pytest.raises(Exception, match="null value"):
            sequencer.integrate()
    assert book.execute("SELECT count(*) FROM book_pending").fetchone() == (5,)
    assert sequencer.integrate() == 5
    must_be_whole(book, 5)
