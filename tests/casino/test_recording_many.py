"""Many writers at once: one entry a key, no gap, no fork."""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest
from django.db import connections

from casino.models import BookEntry, Burn
from casino.recording import record_many
from tests.casino.book_tales import burnt, submission, told
from tests.casino.test_book_guards import Connect

pytestmark = pytest.mark.usefixtures("fresh_db")


def test_sixteen_writers_of_one_key_make_one_entry() -> None:
    key = uuid4()

    def once(_: int) -> UUID:
        try:
            return told(burnt(), key=key).entry_id
        finally:
            connections.close_all()

    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(once, range(16)))) == 1
    assert BookEntry.objects.count() == Burn.objects.count() == 1


def test_writers_of_many_streams_leave_no_gap_and_no_fork(
    connect_as: Connect,
) -> None:
    def some(writer: int) -> None:
        try:
            for turn in range(12):
                table = f"BJ-0{(writer + turn) % 3}"
                record_many([submission(burnt(table=table)) for _ in range(1 + turn % 3)])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(some, range(8)))
    checked = connect_as("reader").execute(
        "SELECT count(*), bool_and(e.n = 1 OR convert_from(e.entry, 'UTF8')::jsonb ->> 'prev'"
        " = encode(p.leaf_hash, 'hex')), bool_and(e.n = 1 OR p.n IS NOT NULL)"
        " FROM book_entry e LEFT JOIN book_entry p"
        " ON p.stream_id = e.stream_id AND p.n = e.n - 1"
    )
    assert checked.fetchone() == (8 * 24, True, True)
