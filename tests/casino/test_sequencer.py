"""Every entry gets one place in the tree, each stream in its own order, whatever commits when."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import connections

from casino import sequencer
from casino.recording import record_many
from casino.tlog.merkle import Frontier
from tests.casino.book_tales import burnt, submission, told

Connect = Callable[..., psycopg.Connection]
pytestmark = pytest.mark.usefixtures("fresh_db")


@pytest.fixture
def book(connect_as: Connect, fresh_db: str) -> psycopg.Connection:
    return connect_as("reader", autocommit=True)


def tree(book: psycopg.Connection) -> tuple[int, bytes]:
    found = book.execute("SELECT size, root FROM book_tree ORDER BY size DESC LIMIT 1").fetchone()
    assert found is not None
    return found[0], bytes(found[1])


def places(book: psycopg.Connection) -> list[tuple[int, str, int, bytes]]:
    return [
        (idx, stream, n, bytes(leaf))
        for idx, stream, n, leaf in book.execute(
            "SELECT l.idx, s.name, e.n, e.leaf_hash FROM book_leaf l"
            " JOIN book_entry e ON e.id = l.entry_id JOIN book_stream s ON s.id = e.stream_id"
            " ORDER BY l.idx"
        )
    ]


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
    told(burnt(table="BJ-02"))
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
    told(burnt())
    assert sequencer.integrate() == 1
    slow.commit()
    assert sequencer.integrate() == 1
    must_be_whole(book, 2)


def test_what_was_rolled_back_leaves_no_place(
    book: psycopg.Connection, connect_as: Connect
) -> None:
    told(burnt())
    with pytest.raises(ZeroDivisionError):
        _record_and_fail()
    told(burnt(2))
    sequencer.integrate()
    must_be_whole(book, 2)


def _record_and_fail() -> None:
    from django.db import transaction

    with transaction.atomic():
        told(burnt(5))
        raise ZeroDivisionError


def test_a_second_sequencer_steps_back(book: psycopg.Connection, connect_as: Connect) -> None:
    told(burnt())
    other = connect_as("sequencer")
    other.execute("SELECT pg_advisory_xact_lock(%s)", [sequencer.LOCK])
    assert sequencer.integrate() is None
    other.rollback()
    assert sequencer.integrate() == 1


def test_two_sequencers_beside_eight_writers_lose_nothing(book: psycopg.Connection) -> None:
    writing = threading.Event()
    writing.set()

    def write(writer: int) -> None:
        try:
            for turn in range(10):
                record_many(
                    [submission(burnt(table=f"BJ-0{(writer + turn) % 4}")) for _ in range(3)]
                )
        finally:
            connections.close_all()

    def integrate() -> None:
        try:
            sequencer.run(lambda: not writing.is_set(), rest=lambda _: None)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(10) as pool:
        loops = [pool.submit(integrate) for _ in range(2)]
        list(pool.map(write, range(8)))
        writing.clear()
        for loop in loops:
            loop.result()
    sequencer.integrate()
    must_be_whole(book, 240)


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
