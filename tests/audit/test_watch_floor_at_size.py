"""A look at a full room asks no more for more rounds, and one at an empty room next to nothing.

Its processor time is printed; questions are held to a limit.
"""

import time
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.events.round.round_played import Times
from casino.recording import Source, Submission, record_many
from tests.factories.evenings import PIT, played
from tests.factories.tonight import MINUTE, Table, look_at
from tests.gate import size

pytestmark = [pytest.mark.django_db, pytest.mark.share]
TABLES: Final = 40
# Queries of a look where no game is open: its deadlines, its register (duty, a number recorded
# again).
OF_THE_HOUSE: Final = 30
QUERIES: Final = 20  # a game may ask; it does not ask more for having more rounds


def filled(code: str, dealing: Any, rounds: int) -> Table:
    """A table in order with so many rounds, four a shoe as `an_evening` has them."""
    table = Table(code, dealing)
    if dealing == "shuffler":
        table.shuffled()
        table.witnessed(table.loaded())
        table.burnt(ago=34)
    begun = clock.now() - 33 * MINUTE
    step = timedelta(minutes=30) / max(rounds, 1)
    listed = []
    for number in range(rounds):
        first = begun + number * step
        times = Times(stakes_closed=first, first_card=first, inserted=first + step / 2)
        one = played(f"r{number}", table=code, day=table.day, place=number + 1, times=times)
        listed.append(Submission(one, UUID(one.round), PIT, first, Source()))
    if dealing == "shoe" and rounds:
        table.prepared()
        listed = [replace(one, event=replace(one.event, times=None)) for one in listed]
    for start in range(0, rounds, 200):
        record_many(listed[start : start + 200])
    return table


def took(moment: Any) -> tuple[float, int, int]:
    """Seconds of its own processor time, queries and findings of one look."""
    begun = time.process_time()
    with CaptureQueriesContext(connection) as asked:
        raised = look_at(moment)
    return time.process_time() - begun, len(asked), raised


@pytest.mark.check
def test_a_look_at_forty_tables_is_quick() -> None:
    rounds = size(1_000, 3_000, 28_000) // TABLES
    empty, asked, _ = took(clock.now())
    assert asked <= OF_THE_HOUSE
    for number in range(TABLES):
        filled(f"BJ-{number:02d}", "shuffler" if number % 2 else "shoe", rounds)
    moment = clock.now() + 3 * MINUTE
    seconds, asked, raised = took(moment)
    again, asked_again, raised_again = took(moment)
    text = f"{TABLES} tables, {TABLES * rounds} rounds: {seconds:.2f} s, {asked} queries"
    print(f"{text}; again {again:.2f} s; nothing open {empty * 1000:.0f} ms")  # noqa: T201
    assert raised == raised_again == 0
    assert asked_again <= QUERIES * TABLES
