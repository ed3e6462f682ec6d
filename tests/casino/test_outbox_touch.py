"""A look at a partida is asked for in the record's own transaction, and never comes too early."""

from collections.abc import Callable

import psycopg
import pytest

from tests.factories.records import PARTIDA, burnt, recorded

Connect = Callable[..., psycopg.Connection]
pytestmark = pytest.mark.usefixtures("fresh_db")

CLAIM = "SELECT key FROM outbox_claim(now() + interval '1 hour', 100, interval '1 hour')"
DONE = "SELECT outbox_done(%s)"
TOUCH = "SELECT outbox_touch('partida-touched', %s, '{}', now())"


def claimed(poller: psycopg.Connection) -> list[str]:
    return [key for (key,) in poller.execute(CLAIM) if key.startswith("partida-touched")]


def test_many_records_of_a_minute_are_one_look(connect_as: Connect) -> None:
    for _ in range(3):
        recorded(burnt())
    keys = claimed(connect_as("app", autocommit=True))
    assert 1 <= len(keys) <= 2  # the minute may have passed in between
    assert all(PARTIDA in key for key in keys)


def test_a_record_that_commits_after_the_look_has_another(connect_as: Connect) -> None:
    poller, slow = connect_as("app", autocommit=True), connect_as("app")
    poller.execute(TOUCH, ["partida-touched/x"])
    slow.execute(TOUCH, ["partida-touched/x"])  # decided before the look, committed after it
    assert claimed(poller) == []  # nobody looks while it is under way
    slow.commit()
    assert claimed(poller) == ["partida-touched/x"]
    poller.execute(DONE, ["partida-touched/x"])
    assert claimed(poller) == []
    poller.execute(TOUCH, ["partida-touched/x"])
    assert claimed(poller) == ["partida-touched/x"]
