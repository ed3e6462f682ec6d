"""What is due, asked of some tables: what it says of them when it is asked of the whole house."""

from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.runs import house_checks
from audit.watch.alerts import Alert, alerts, of_tables
from casino import clock
from casino.events.complaints import ComplaintReceived
from casino.events.incidents import IncidentReported
from casino.events.notices import FootageHeld
from tests.factories.evenings import MANAGER
from tests.factories.tonight import MINUTE, Table, look_at, record_events
from tests.gate import size

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
TABLES: Final = ("BJ-01", "BJ-02", "BJ-03", "BJ-04")


def incident(code: str, table: str, ago: float = 60, **known: Any) -> None:
    values = {"incident": code, "category": "conduct", "reason": "quarrel", "people": (), **known}
    record_events(IncidentReported(table=table, **values), ago)


def complaint(code: str, table: str, ago: float = 60, **known: Any) -> None:
    record_events(ComplaintReceived(table=table, complaint=code, subject="payment", **known), ago)


def held(code: str, table: str | None, ago: float = 60, **known: Any) -> None:
    begin = clock.now() - (ago + 5) * MINUTE
    span = {"recorded_from": begin, "recorded_until": begin + 30 * MINUTE}
    record_events(
        FootageHeld(hold=code, table=table, reason="dispute", **{**span, **known}), ago, MANAGER
    )


def a_house() -> None:
    """Matters at four tables: noticed earlier, recorded twice, recorded again at another table,
    held.
    """
    long_ago = clock.now() - 5 * HOUR
    incident("I-1", "BJ-01")
    incident("I-2", "BJ-02", noticed_at=long_ago)
    incident("I-3", "BJ-01", 180)
    incident("I-3", "BJ-02", 30)  # recorded again: elsewhere, and later
    incident("I-4", "BJ-03", category="deck_defect", deck="D-1")
    incident("I-5", "BJ-02")
    complaint("RC-1", "BJ-01")
    complaint("RC-2", "BJ-03", received_at=long_ago)
    complaint("RC-3", "BJ-02")
    complaint("RC-3", "BJ-03", 20)
    held("H-1", "BJ-01", incident="I-1")
    held("H-2", None, incident="I-5")  # of an incident of BJ-02, at no table
    held("H-3", "BJ-03", 300, complaint="RC-2")
    held("H-3", "BJ-02", 10, complaint="RC-2")  # held again
    held("H-4", "BJ-02", 1)
    held("H-4", "BJ-02", 0, handed_over_at=clock.now())
    machine = Table("BJ-04", "shuffler")
    machine.shuffled()
    machine.loaded()
    machine.unloaded()


def moments() -> list[datetime]:
    """Every half an hour about the ends of the house's deadlines, and some between."""
    now, half = clock.now(), timedelta(minutes=30)
    found = [now + n * DAY for n in (0, 5, 20, 28.5, 33)]
    for end, before in ((1, 15), (15, 7), (27, 12), (30, 12)):
        found += [now + end * DAY - n * half for n in range(before + 1)]
    return found


def as_text(found: list[Alert]) -> list[str]:
    return sorted(repr(one) for one in found)


def test_some_tables_are_told_what_the_whole_house_is_told_of_them() -> None:
    a_house()
    said: set[str] = set()
    for now in moments()[:: size(2, 1, 1)]:
        of_all = alerts(now)
        for tables in (TABLES[:2], TABLES[2:]):
            of_these = [one for one in of_all if one.table in tables]
            assert as_text(alerts(now, tables)) == as_text(of_these), (now, tables)
        said |= {one.check for one in of_all if one.table in TABLES}
    assert said >= {
        "loading_witnessed",
        "unloading_witnessed",
        house_checks.INCIDENT_SETTLED,
        house_checks.DEFECT_MADE_KNOWN,
        house_checks.COMPLAINT_ANSWERED,
        house_checks.FOOTAGE_DECIDED,
        house_checks.FOOTAGE_HELD,
    }


def asked(now: datetime) -> int:
    """How many questions the alerts of a table ask."""
    with CaptureQueriesContext(connection) as captured:
        of_tables(["BJ-01"], now)
    return len(captured)


def test_a_table_at_which_nothing_comes_due_asks_two_questions() -> None:
    table = Table("BJ-01", "shuffler")
    table.shuffled()
    table.witnessed(table.loaded())
    assert asked(clock.now()) == 2
    a_house()
    assert asked(clock.now()) == 2  # an incident of an hour ago is recorded of in 21 hours
    look_at(clock.now() + 3 * MINUTE)
    assert asked(clock.now() + 3 * MINUTE) == 2
