"""The house's register: whoever is paid a large prize of a jackpot is identified. Lei 83/2017."""

from datetime import timedelta
from typing import Any

import pytest

from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.watch.alerts import alerts
from audit.watch.floor_deadlines import watch_deadlines
from casino import clock
from tests.factories.findings import rests_on
from tests.factories.pools import ACE_JACK, POOL, at_two_tables, paid, won
from tests.factories.records import EVENING, recorded

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
SUM = 200_000


def payment(cents: int, **known: Any) -> Any:
    """A winner is paid so much."""
    at_two_tables()
    hit = recorded(won(("J5", 5, ACE_JACK)))
    return recorded(paid(hit, "J5", 5, ACE_JACK, cents, **known))


def found() -> list[Any]:
    """What a look finds of winners nobody identified."""
    watch_deadlines(clock.now())
    return list(standing().filter(check_name=house_checks.IDENTIFIED).order_by("n"))


@pytest.mark.parametrize(
    ("cents", "known", "lacks"),
    [
        (SUM, {}, True),
        (SUM, {"name": "Ana Silva"}, True),  # a name is no identification
        (SUM, {"identification": "CC 12345678"}, False),
        (SUM - 1, {}, False),
    ],
)
def test_a_large_prize_is_paid_to_somebody_identified(
    cents: int, known: dict[str, str], lacks: bool
) -> None:
    act = payment(cents, **known)
    rows = found()
    assert len(rows) == int(lacks)
    if lacks:
        (row,) = rows
        assert (row.severity, row.article) == ("warning", house_checks.REGISTER)
        assert (row.where, rests_on(row)) == ({"jackpot": POOL}, [str(act.entry_id)])
        assert row.observed == {"identified": "no", "paid_cents": SUM}
        assert row.expected == {"identified": "yes", "identified_from_cents": SUM}
        assert len(found()) == 1  # once


@pytest.mark.parametrize(
    ("figures", "lacks"),
    [
        ({}, False),
        ({"2026-11-20": SUM}, True),  # the evening's own day
        ({"2026-11-21": SUM}, False),
        ({"2017-09-17": SUM, "2026-11-20": SUM + 1}, False),
        ({"2017-09-17": SUM, "2026-11-21": SUM + 1}, True),
    ],
)
def test_the_sum_of_that_day_counts(figures: dict[str, int], lacks: bool, settings: Any) -> None:
    settings.HOUSE_IDENTIFIES_FROM = figures
    payment(SUM)
    assert len(found()) == int(lacks)


def test_it_is_an_alert_at_its_table() -> None:
    payment(SUM)
    found()
    said = [
        one
        for one in alerts(EVENING + timedelta(hours=1), ["BJ-06"])
        if one.check == house_checks.IDENTIFIED
    ]
    assert [(one.words, one.place) for one in said] == [
        ("A large prize was paid to somebody nobody identified.", "jackpot JP-1")
    ]
    assert [one.link != "" for one in said] == [True]
