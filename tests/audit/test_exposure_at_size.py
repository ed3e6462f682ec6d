"""Rounds in doubt in a book of months: what lies outside the trail is not read, and a trail through
all of it takes bounded memory.

Rows and memory are held to a limit; seconds are printed (`make soak`: a year and more).
"""

import time
import tracemalloc
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from audit.exposure.exposure_rows import rows_of
from audit.exposure.read_rounds import Trail, defect_at, trail_of
from audit.pages.findings.exposure_page import SUMMED
from casino.models import Supersession
from casino.web.display.csv_answer import csv_lines
from tests.factories.evenings import record_events
from tests.factories.exposed_evenings import at, deal, open_table
from tests.factories.findings import client_of, people
from tests.factories.rounds_at_size import Months, fill
from tests.factories.usual_events import whole
from tests.gate import size

ASK: Final = "/audit/exposure/"
MOST_MEMORY = 24  # MB, whatever the number of rounds
ROUNDS = 60  # of that evening
ROWS_READ: Final = """
SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint
FROM pg_stat_user_tables WHERE relname ~ '^(casino_round|book_entry)'
"""


@pytest.fixture
def filled(
    fresh_db: str, connect_as: Callable[..., psycopg.Connection]
) -> Callable[[int, int, int], Months]:
    """Fill the book with so many days, tables and rounds of each."""

    def fill_with(days: int, tables: int, per: int) -> Months:
        months = Months(days, tables, per)
        people()
        fill(connect_as("postgres", autocommit=True), months)
        return months

    return fill_with


def rows_read() -> int:
    """How many rows of rounds and of the book this connection had read until now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(ROWS_READ)
        read: int = cursor.fetchone()[0]
    return read


def written(trail: Trail) -> int:
    """How many lines the file has."""
    return sum(piece.count("\r\n") for piece in csv_lines(("head",), rows_of(trail)))


def test_what_lies_outside_the_trail_is_not_read(
    filled: Callable[[int, int, int], Months],
) -> None:
    months = filled(size(5, 5, 125), size(10, 10, 40), size(20, 40, 200))
    open_table()
    deal(*range(1, ROUNDS + 1))
    one_evening(months)
    since_the_last_proof(months)


def one_evening(months: Months) -> None:
    """A deck of one table, years of rounds beside it."""
    client_of("inspetor").get(ASK)
    before, began = rows_read(), time.perf_counter()
    answer = client_of("inspetor").get(ASK, {"deck": "D-3", "at": "2025-11-20T23:00"})
    page, read = time.perf_counter() - began, rows_read() - before
    assert answer.context["figures"]["certain"]["rounds"] == ROUNDS
    began = time.perf_counter()
    lines = written(trail_of(defect_at("D-3", at("23:00"))))
    file = time.perf_counter() - began
    print(  # noqa: T201
        f"{ROUNDS} of {months.rounds} rounds: page {page:.2f} s, file {file:.2f} s,"
        f" {read} rows read"
    )
    assert lines == 1 + 1 + 2 * ROUNDS  # head, proof, two boxes a round
    assert read <= 12 * ROUNDS


def since_the_last_proof(months: Months) -> None:
    """A deck that every table has, looked through in the last evening but one."""
    yesterday = timezone.now().replace(hour=15, minute=30) - timedelta(days=1)
    shown = record_events(whole({}, "D-1", "store"), yesterday)
    day = months.tables * months.per
    before, began = rows_read(), time.perf_counter()
    trail = trail_of(defect_at("D-1", timezone.now()))
    found = sum(1 for _ in trail.rounds())
    took, read = time.perf_counter() - began, rows_read() - before
    print(f"{found} of {months.rounds} rounds: {took:.2f} s, {read} rows read")  # noqa: T201
    assert trail.spans[0].proof is not None
    assert trail.spans[0].proof.recorded.entry_id == str(shown.entry_id)
    assert 0.9 * day <= found <= 2 * day
    assert read <= 12 * day + 20 * months.tables


@pytest.mark.check
def test_a_trail_of_months_is_streamed(
    filled: Callable[[int, int, int], Months],
) -> None:
    months = filled(size(5, 5, 50), 10, size(20, 40, 200))
    defect = defect_at("D-1", timezone.now())
    began = time.process_time()
    trail = trail_of(defect)
    found = time.process_time() - began
    lines = written(trail)
    took = time.process_time() - began
    counting = months.rounds - Supersession.objects.count()  # of each pair one does not count
    assert lines >= 3 * counting  # three boxes a round

    inspector = client_of("inspetor")
    began = time.perf_counter()
    answer = inspector.get(ASK, {"deck": "D-1", "at": "2099-01-01T00:00"})
    page = time.perf_counter() - began
    assert answer.status_code == 200
    if months.rounds <= SUMMED:
        assert answer.context["figures"]["certain"]["rounds"] == counting
    else:
        assert answer.context["too_many"]["rounds"] == months.rounds

    tracemalloc.start()
    for number, _ in enumerate(csv_lines(("head",), rows_of(trail_of(defect)))):
        if number > 300:  # traced it takes ten times as long, and holds no more
            break
    most = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    print(  # noqa: T201
        f"{months.rounds} rounds in {len(trail.games)} partidas, processor time: trail"
        f" {found:.1f} s, file {took:.1f} s; page {page:.1f} s, {most:.0f} MB"
    )
    assert most <= MOST_MEMORY
