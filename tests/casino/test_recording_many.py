"""Many writers at once: one entry a key, no gap, no fork."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from typing import Any, Final
from uuid import UUID, uuid4

import pytest
from django.db import connections

from casino.models import BookEntry, Burn
from casino.recording import Busy, record_many
from casino.simulation import evening
from tests.factories.records import HEAD, burnt, corrects, loaded, recorded, submission
from tests.factories.second_persons import confirmation
from tests.gate import size
from tests.servers import Connect

pytestmark = pytest.mark.usefixtures("fresh_db")
TURNS: Final = size(6, 12, 60)  # of each writer, one to three records each


def test_sixteen_writers_of_one_key_make_one_entry() -> None:
    key = uuid4()

    def once(_: int) -> UUID:
        try:
            return recorded(burnt(), key=key).entry_id
        finally:
            connections.close_all()

    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(once, range(16)))) == 1
    assert BookEntry.objects.count() == Burn.objects.count() == 1


def at_once(what: Callable[[int], Any], writers: int = 8) -> list[Any]:
    """What many writers, each on a connection of his own, get for the same."""

    def one(writer: int) -> Any:
        try:
            return what(writer)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(writers) as pool:
        return list(pool.map(one, range(writers)))


def test_writers_of_one_correction_all_get_its_receipt() -> None:
    named = corrects(recorded(burnt(0)))
    key = uuid4()
    assert at_once(lambda _: recorded(burnt(1), key=key, supersedes=named).n) == [2] * 8


def test_writers_of_one_confirmation_all_get_its_receipt() -> None:
    recorded_once = confirmation(recorded(loaded()))
    key = uuid4()
    assert at_once(lambda _: recorded(recorded_once, key=key, by=HEAD).n) == [2] * 8


def test_the_first_rounds_of_a_month_do_not_get_in_each_others_way() -> None:
    (round_played, _), *_ = evening(5, 2, 1, 0.0, date(2026, 11, 12))

    def first_of_a_month(writer: int) -> int:
        table = f"BJ-{writer:02}"
        named = f"{table}/2031-0{1 + writer % 3}-12/1"
        played = replace(round_played, round=str(uuid4()), table=table, partida=named)
        batch = [submission(burnt(table=table)) for _ in range(100)]
        return record_many([*batch, submission(played)])[-1].n

    assert at_once(first_of_a_month) == [101] * 8


@pytest.mark.check
def test_whoever_waits_too_long_is_told_so(connect_as: Connect) -> None:
    other = connect_as("app")
    other.execute("SELECT ledger_lock('table/BJ-06')")
    with pytest.raises(Busy):
        recorded(burnt())
    other.rollback()
    assert recorded(burnt()).n == 1


def test_writers_of_many_streams_leave_no_gap_and_no_fork(
    connect_as: Connect,
) -> None:
    def some(writer: int) -> None:
        try:
            for turn in range(TURNS):
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
    assert checked.fetchone() == (8 * 2 * TURNS, True, True)
