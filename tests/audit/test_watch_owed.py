"""What the house owes, and until when, from the rows alone."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from audit.runs import house_checks
from audit.watch.watch_owed import (
    Owed,
    not_made_known,
    unanswered,
    undecided,
    unheld,
    unidentified,
    unsettled,
)

pytestmark = pytest.mark.share

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def incident(code: str = "I-1", **known: Any) -> Any:
    values = {"incident": code, "occurred_at": NOON, "noticed_at": None}
    return SimpleNamespace(**{"table_code": "", **values, **known})


def hold(code: str = "H-1", **known: Any) -> Any:
    values = {"hold": code, "occurred_at": NOON, "recorded_from": NOON - DAY, "incident": ""}
    values |= {"recorded_until": NOON + DAY}
    values |= {"complaint": "", "handed_over_at": None}
    return SimpleNamespace(**{**values, **known})


def the_one(owed: Any) -> Owed:
    found = list(owed)
    assert len(found) == 1
    assert isinstance(found[0], Owed)
    return found[0]


def test_at_the_very_moment_nothing_is_late_and_a_second_later_it_is() -> None:
    one = the_one(unsettled([incident()], DAY))
    assert not one.is_late(NOON + DAY)
    assert one.is_late(NOON + DAY + timedelta(seconds=1))


@pytest.mark.parametrize("owed", [unsettled, not_made_known])
def test_the_time_of_an_incident_counts_from_when_it_was_noticed(owed: Any) -> None:
    assert the_one(owed([incident()], DAY)).until == NOON + DAY
    noticed = incident(noticed_at=NOON - HOUR)
    assert the_one(owed([noticed], DAY)).until == NOON + DAY - HOUR


@pytest.mark.parametrize("owed", [unsettled, not_made_known])
def test_an_incident_told_twice_is_one_and_two_are_two(owed: Any) -> None:
    last = incident(occurred_at=NOON + HOUR)
    assert the_one(owed([incident(), last], DAY)).row is last
    assert len(list(owed([incident(), incident("I-2")], DAY))) == 2
    assert list(owed([], DAY)) == []


def test_each_duty_has_its_name_and_says_what_was_not_done() -> None:
    one = the_one(unsettled([incident()], DAY))
    assert (one.check, one.observed) == (house_checks.INCIDENT_SETTLED, {"settled": "no"})
    assert one.where == {"incident": "I-1"}
    one = the_one(not_made_known([incident()], DAY))
    assert (one.check, one.observed) == (house_checks.DEFECT_MADE_KNOWN, {"communications": 0})


def test_a_complaint_about_no_game_has_its_days_and_one_about_a_game_its_law() -> None:
    values = {"complaint": "RC-1", "occurred_at": NOON}
    one = the_one(unanswered([SimpleNamespace(**values, partida_id="")], 15 * DAY))
    assert (one.check, one.until) == (house_checks.COMPLAINT_ANSWERED, NOON + 15 * DAY)
    assert list(unanswered([SimpleNamespace(**values, partida_id="BJ-01/2026-11-20/1")], DAY)) == []


def test_recordings_held_once_have_their_days_from_what_they_show() -> None:
    one = the_one(undecided([hold()], (), 30 * DAY))
    assert (one.check, one.until) == (house_checks.FOOTAGE_DECIDED, NOON + 29 * DAY)


def test_recordings_held_again_have_their_days_from_then() -> None:
    again = hold(occurred_at=NOON + 20 * DAY)
    assert the_one(undecided([hold(), again], (), 30 * DAY)).until == NOON + 50 * DAY


@pytest.mark.parametrize("place", [0, 1])
def test_recordings_handed_over_once_are_nobodys_matter(place: int) -> None:
    records = [hold(), hold(occurred_at=NOON + DAY)]
    records[place].handed_over_at = NOON
    assert list(undecided(records, (), 30 * DAY)) == []


@pytest.mark.parametrize("about", ["incident", "complaint"])
def test_recordings_are_held_no_longer_than_their_matter(about: str) -> None:
    value = hold(**{about: "X-1"})
    assert list(undecided([value], {(about, "X-1")}, 30 * DAY)) == []
    assert list(undecided([value], {(about, "X-2")}, 30 * DAY))
    other = {"incident": "complaint", "complaint": "incident"}[about]
    assert list(undecided([value], {(other, "X-1")}, 30 * DAY))


def test_each_hold_is_asked_by_itself() -> None:
    holds = [hold("H-1"), hold("H-2", handed_over_at=NOON), hold("H-3")]
    assert [one.where["hold"] for one in undecided(holds, (), DAY)] == ["H-1", "H-3"]


# Recordings nobody held


@pytest.mark.parametrize(
    ("after", "owed"), [(-1, False), (29, False), (30, False), (30.01, True), (None, True)]
)
def test_recordings_are_held_while_there_are_any(after: float | None, owed: bool) -> None:
    """Law: Lei do Jogo art. 52: thirty days after what they show they are destroyed."""
    holds = [] if after is None else [hold(incident="I-1", occurred_at=NOON + after * DAY)]
    found = list(unheld([incident()], "incident", holds, 30 * DAY))
    assert bool(found) is owed
    if owed:
        (one,) = found
        assert (one.check, one.until) == (house_checks.FOOTAGE_HELD, NOON + 30 * DAY)
        assert (one.where, one.observed) == ({"incident": "I-1"}, {"holds": 0})


@pytest.mark.parametrize(
    ("begins", "ends", "owed"),
    [
        (-300, 300, False),
        (0, 60, False),
        (-60, 0, False),
        (1, 300, True),  # begun after it
        (-300, -31, True),  # over before the minute in which it was
        (-300, -30, False),  # told to the minute: until 12:00 of 12:00:30
        (-90_000, -86_400, True),
    ],
)
def test_recordings_of_another_time_show_nothing_of_it(begins: int, ends: int, owed: bool) -> None:
    seen = NOON + timedelta(seconds=30)
    known = {
        name: seen + timedelta(seconds=after)
        for name, after in (("recorded_from", begins), ("recorded_until", ends))
    }
    held = [hold(incident="I-1", **known)]
    assert bool(list(unheld([incident(noticed_at=seen)], "incident", held, 30 * DAY))) is owed


def test_recordings_of_something_else_are_none_of_this() -> None:
    others = [hold(incident="I-2"), hold(complaint="I-1")]
    assert list(unheld([incident()], "incident", others, DAY))
    assert not list(unheld([incident()], "incident", [*others, hold(incident="I-1")], DAY))


def test_the_days_of_recordings_count_from_what_happened() -> None:
    value = incident(noticed_at=NOON - DAY)
    assert the_one(unheld([value], "incident", (), 30 * DAY)).until == NOON + 29 * DAY
    rows = {"complaint": "RC-1", "occurred_at": NOON, "received_at": NOON - 2 * DAY}
    complaint = SimpleNamespace(**rows)
    one = the_one(unheld([complaint], "complaint", (), 30 * DAY))
    assert (one.until, one.where) == (NOON + 28 * DAY, {"complaint": "RC-1"})


SUM = {"2017-09-17": 200_000}


def payment(cents: int, named: bool = False) -> Any:
    values = {"jackpot": "JP-1", "gaming_day": NOON.date(), "occurred_at": NOON}
    return SimpleNamespace(paid_cents=cents, named=named, **values)


@pytest.mark.parametrize(
    ("cents", "named", "found"),
    [(200_000, False, True), (200_000, True, False), (199_999, False, False), (1, False, False)],
)
def test_the_winner_of_a_large_prize_is_identified(cents: int, named: bool, found: bool) -> None:
    """Law: Lei 83/2017, from 2 000 EUR on; at once."""
    owed = list(unidentified([payment(cents, named)], SUM))
    assert bool(owed) is found
    if found:
        (one,) = owed
        assert (one.check, one.where) == (house_checks.IDENTIFIED, {"jackpot": "JP-1"})
        assert one.observed == {"identified": "no", "paid_cents": cents}
        assert one.expected == {"identified": "yes", "identified_from_cents": 200_000}
        assert one.until == NOON
    assert list(unidentified([payment(cents, named)], {})) == []
