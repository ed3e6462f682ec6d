"""What the list of what waits asks of the book on a floor in full swing."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.admin.house_time import gaming_day_now
from casino.sala import todo
from tests.bench import floor_book
from tests.bench.floor_book import Size
from tests.gate import size

pytestmark = [pytest.mark.django_db, pytest.mark.check]
TABLES = size(4, 12, 30)
QUERIES = 22  # however many tables there are


def test_a_full_floor_is_listed_in_few_questions() -> None:
    house = Size(1, TABLES, 6)
    floor_book.tell(floor_book.founding(house, clock.now()))
    last_night = gaming_day_now() - timedelta(days=1)
    for table in house.codes:
        floor_book.tell(floor_book.evening_of(table, 6, last_night))
        floor_book.tell(floor_book.evening_of(table, 6, None))
    todo.kept.clear()
    with CaptureQueriesContext(connection) as asked:
        found = todo.everything(clock.now())
    assert found
    assert len(asked) <= QUERIES
    with CaptureQueriesContext(connection) as asked:
        todo.everything(clock.now(), patience=timedelta(seconds=5))
    assert len(asked) == 0
