"""Two who look at the floor at one moment, each with a connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest
from django.db import connection

from audit.models import Finding
from audit.runs.current_findings import standing
from audit.watch.floor import watch_floor
from audit.watch.floor_deadlines import allowed, watch_deadlines
from casino import clock
from casino.events.incidents import IncidentReported
from tests.factories.tonight import MINUTE, Table, at, record_events

pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.share]
LOOKERS = 4


def test_two_looks_at_the_deadlines_raise_once(
    connect_as: Callable[..., psycopg.Connection],
) -> None:
    values = {"category": "conduct", "reason": "quarrel", "people": ()}
    record_events(IncidentReported(incident="I-1", **values), 60)
    end = clock.now() + allowed("incident")
    other = connect_as("app")
    other.execute("SELECT pg_advisory_xact_lock(hashtextextended('house.floor', 0))")
    with at(end):
        assert watch_deadlines(end) == 0
        other.rollback()
        assert watch_deadlines(end) == 1
        assert watch_deadlines(end) == 0


def test_looks_at_one_moment_raise_each_finding_once() -> None:
    for code in ("BJ-01", "BJ-02", "BJ-03"):
        table = Table(code)
        table.prepared("burnt", "warning")
        table.played()
    together = Barrier(LOOKERS)
    end = clock.now() + 3 * MINUTE

    def look(_: int) -> int:
        try:
            together.wait()
            return watch_floor(end)
        finally:
            connection.close()

    with at(end), ThreadPoolExecutor(LOOKERS) as lookers:
        raised = list(lookers.map(look, range(LOOKERS)))
    assert sum(raised) == Finding.objects.count() == standing().count() == 6
