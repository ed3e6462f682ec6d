"""What the list of what waits asks of the book on a floor in full swing."""

from datetime import timedelta
from time import process_time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.floor.tables import todo_lists
from casino.house_day import gaming_day_now
from tests.bench import floor_book
from tests.bench.floor_book import Size
from tests.factories.people import somebody
from tests.factories.sealed_book import Connect
from tests.gate import size

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("english")]
LIST = "/sala/todo/"
TABLES = size(4, 12, 30)
QUERIES = 21  # however many tables there are
DAYS = size(3, 30, 365)
AROUND = 8  # what a page asks besides: who looks, and what is his


@pytest.mark.django_db
def test_a_full_floor_is_listed_in_few_questions() -> None:
    house = Size(1, TABLES, 6)
    floor_book.record_events(floor_book.founding(house, clock.now()))
    last_night = gaming_day_now() - timedelta(days=1)
    for table in house.codes:
        floor_book.record_events(floor_book.evening_of(table, 6, last_night))
        floor_book.record_events(floor_book.evening_of(table, 6, None))
    todo_lists.kept.clear()
    with CaptureQueriesContext(connection) as asked:
        found = todo_lists.everything(clock.now())
    assert found
    assert len(asked) <= QUERIES
    with CaptureQueriesContext(connection) as asked:
        todo_lists.everything(clock.now(), patience=timedelta(seconds=5))
    assert len(asked) == 0


@pytest.mark.usefixtures("fresh_db")
def test_a_year_of_evenings_is_listed_in_as_few(connect_as: Connect) -> None:
    with connect_as("postgres", autocommit=True) as owner:
        floor_book.fill(owner, Size(DAYS, 8, 6), lambda _: None)
    chefia = somebody("chefia_da_sala")
    chefia.get(LIST)
    todo_lists.kept.clear()
    began = process_time()
    with CaptureQueriesContext(connection) as asked:
        chefia.get(LIST)
    took, queries = process_time() - began, sum(float(one["time"]) for one in asked)
    print(  # noqa: T201
        f"{DAYS} days: {len(todo_lists.kept[''].todos)} things found in {len(asked)} questions,"
        f" {took * 1000:.0f} ms of the processor and {queries * 1000:.0f} ms of the database"
    )
    assert todo_lists.kept[""].todos
    assert len(asked) <= QUERIES + AROUND
