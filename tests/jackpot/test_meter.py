"""The meter, event by event, and its replay from entries alone. Articles 40, 41, 44, 50."""

import time
from dataclasses import replace
from typing import Any

import pytest

from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.meter import (
    ADJUSTMENT_REASONS,
    Adjusted,
    Contributed,
    Meter,
    MeterEvent,
    Misfit,
    Paid,
    Read,
    Sealed,
    Started,
    Withdrawn,
    Won,
)
from jackpot.progressive.replay import replay
from tests.gate import size

# A quiet evening, reckoned by hand: 25 000.00 to start, five chips of 2.50 at 2.5 % (6.25 cents
# each), three aces paid 250.00, a fault put right, the cut, two chips more, the whole meter won.
EVENING: tuple[MeterEvent, ...] = (
    Started(entry="e1", start_cents=2_500_000, after_microcents=2_500_000_000_000),
    Contributed(
        entry="e2",
        stake_cents=250,
        rate_millionths=25_000,
        chips=5,
        after_microcents=2_500_031_250_000,
    ),
    Read(entry="e3", display_cents=2_500_031),
    Won(entry="e4", hit="r7", due_cents=25_000, after_microcents=2_475_031_250_000),
    Contributed(
        entry="e5", stake_cents=250, rate_millionths=25_000, after_microcents=2_475_037_500_000
    ),
    Paid(entry="e6", hit="r7", winner="J2/2", cents=25_000, after_microcents=2_475_037_500_000),
    Adjusted(
        entry="e7", microcents=-500_000, reason="device_fault", after_microcents=2_475_037_000_000
    ),
    Sealed(entry="e8", microcents=2_475_037_000_000),
    Contributed(
        entry="e9", stake_cents=250, rate_millionths=25_000, after_microcents=2_475_043_250_000
    ),
    Read(entry="e10", display_cents=2_475_043),
    Won(entry="e11", hit="r9", due_cents=2_475_043, full=True, after_microcents=250_000),
    Started(entry="e12", start_cents=2_500_000, after_microcents=2_500_000_250_000),
    Paid(entry="e13", hit="r9", winner="J5/5", cents=2_475_043, after_microcents=2_500_000_250_000),
)


def happened(*events: MeterEvent) -> Meter:
    """A meter after events that all fit."""
    meter = Meter()
    for event in events:
        assert meter.take(event) is None, event
    return meter


def with_one_more(event: MeterEvent, upto: int = len(EVENING)) -> Misfit | None:
    """What a meter says to an event after the evening's first so many."""
    return happened(*EVENING[:upto]).take(event)


def contributed(entry: str, **known: Any) -> Contributed:
    """One chip of 2.50 at 2.5 %."""
    return Contributed(entry=entry, **{"stake_cents": 250, "rate_millionths": 25_000, **known})


def test_an_evening_reckoned_by_hand() -> None:
    meter = happened(*EVENING)
    assert meter.pool == meter.running == 2_500_000_250_000
    assert (meter.started, meter.contributed) == (5_000_000 * MICROCENTS, 7 * 6_250_000)
    assert (meter.adjusted, meter.paid) == (-500_000, 2_500_043 * MICROCENTS)
    assert meter.displayed_cents == 2_500_000


def test_article_44_the_fraction_of_a_cent_of_a_full_payout_stays_on_the_meter() -> None:
    assert happened(*EVENING[:11]).running == 250_000
    assert happened(*EVENING[:12]).running == 2_500_000 * MICROCENTS + 250_000


def test_article_49_what_is_won_is_held_and_the_next_round_plays_for_the_rest() -> None:
    meter = happened(*EVENING[:4])
    assert (meter.pool - meter.running, meter.held) == (25_000 * MICROCENTS,) * 2
    assert meter.displayed_cents == 2_475_031
    paid = happened(*EVENING[:6])
    assert (paid.held, paid.pool) == (0, paid.running)


def test_article_41_the_display_is_the_last_seal_and_what_came_since() -> None:
    meter = happened(*EVENING[:9])
    assert meter.last_seal == 2_475_037_000_000
    assert meter.since_seal == 6_250_000
    assert meter.displayed_cents == 2_475_043  # .037 and .00625 make .04325
    assert happened(*EVENING[:8]).since_seal == 0


@pytest.mark.parametrize(
    ("event", "upto", "what", "recorded", "expected"),
    [
        (contributed("x"), 0, "before_the_start", None, None),
        (contributed("e2"), 3, "told_twice", None, None),
        (Started(entry="x", start_cents=1), 3, "started_while_running", MICROCENTS, 0),
        (Paid(entry="x", hit="r7", winner="J2/2", cents=1), 6, "paid_twice", 1, 0),
        (Paid(entry="x", hit="r7", winner="J3/3", cents=1), 6, "more_than_was_won", 1, 0),
        (
            Paid(entry="x", hit="r7", winner="J2/2", cents=25_001),
            4,
            "more_than_was_won",
            25_001,
            25_000,
        ),
        (
            Paid(entry="x", hit="r8", winner="J2/2", cents=2_500_032),
            3,
            "beyond_the_meter",
            2_500_032,
            2_500_031,
        ),
        (Won(entry="x", hit="r7", due_cents=1), 4, "hit_told_twice", None, None),
        (
            Won(entry="x", hit="r8", due_cents=2_475_032),
            4,
            "beyond_the_meter",
            2_475_032,
            2_475_031,
        ),
        (contributed("x", chips=-1), 3, "below_zero", -6_250_000, 0),
        (contributed("x", rate_millionths=-1), 3, "below_zero", -250, 0),
        (Started(entry="x", start_cents=-1), 11, "below_zero", -MICROCENTS, 0),
        (Paid(entry="x", hit="r7", winner="J2/2", cents=-1), 4, "below_zero", MICROCENTS, 0),
        (Won(entry="x", hit="r8", due_cents=-1), 4, "below_zero", 0, 0),
        (Adjusted(entry="x", microcents=-1, reason="silence"), 3, "unknown_reason", None, None),
        (
            Adjusted(entry="x", microcents=-2_500_031_250_001, reason="limit_reached"),
            3,
            "beyond_the_meter",
            2_500_031_250_001,
            2_500_031_250_000,
        ),
        (
            Sealed(entry="x", microcents=2_500_031_249_999),
            3,
            "seal_differs",
            2_500_031_249_999,
            2_500_031_250_000,
        ),
        (Read(entry="x", display_cents=2_500_030), 3, "reading_differs", 2_500_030, 2_500_031),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_event_that_does_not_fit_is_named_and_changes_nothing(
    event: MeterEvent, upto: int, what: str, recorded: int | None, expected: int | None
) -> None:
    meter = happened(*EVENING[:upto])
    before = meter.pool, meter.running, meter.displayed_cents, meter.held
    assert meter.take(event) == Misfit(event.entry, what, recorded, expected)
    assert (meter.pool, meter.running, meter.displayed_cents, meter.held) == before


@pytest.mark.parametrize(
    ("event", "upto"),
    [
        (Paid(entry="x", hit="r8", winner="J2/2", cents=2_500_031), 3),  # all whole cents there are
        (Paid(entry="x", hit="r7", winner="J2/2", cents=24_999), 4),  # in two parts
        (Won(entry="x", hit="r8", due_cents=2_475_031), 4),
        (Adjusted(entry="x", microcents=-2_500_031_250_000, reason="limit_reached"), 3),
        (Adjusted(entry="x", microcents=1, reason="counting_error"), 3),
        (Sealed(entry="x", microcents=2_500_031_250_000), 3),
        (Read(entry="x", display_cents=2_500_031), 3),
        (Started(entry="x", start_cents=1), 11),
    ],
)
def test_an_event_that_just_fits_is_taken(event: MeterEvent, upto: int) -> None:
    assert with_one_more(event, upto) is None


@pytest.mark.parametrize("reason", ADJUSTMENT_REASONS)
def test_every_reason_of_the_closed_list_is_taken(reason: str) -> None:
    assert with_one_more(Adjusted(entry="x", microcents=5, reason=reason)) is None


def test_article_50_a_hit_nobody_told_before_is_paid_straight_from_the_meter() -> None:
    meter = happened(
        EVENING[0],
        Paid(entry="a", hit="r1", winner="J1/1", cents=2_500),
        Paid(entry="b", hit="r1", winner="J2/2", cents=2_497_500, full=True),
        Started(entry="c", start_cents=2_500_000),
    )
    assert meter.running == 2_500_000 * MICROCENTS
    late = meter.take(Won(entry="d", hit="r1", due_cents=1))
    assert late == Misfit("d", "hit_told_twice")


def test_article_50_only_a_full_payout_lets_the_meter_start_again() -> None:
    small = happened(EVENING[0], Paid(entry="a", hit="r1", winner="J1/1", cents=2_500_000))
    misfit = small.take(Started(entry="b", start_cents=2_500_000))
    assert misfit is not None
    assert misfit.what == "started_while_running"


# Replay: from entries alone, and the first that does not fit.


POT = 2_500_000
BEGUN = Started(entry="s1", start_cents=POT)
AGAIN = Started(entry="s2", start_cents=POT)


def won(hit: str, cents: int, *, full: bool = False) -> Won:
    """What a round's prizes come to."""
    return Won(entry=f"won {hit}", hit=hit, due_cents=cents, full=full)


def withdrawn(hit: str) -> Withdrawn:
    """Its cards won nothing after all."""
    return Withdrawn(entry=f"withdrawn {hit}", hit=hit)


@pytest.mark.parametrize("before", [True, False])
def test_article_50_nothing_is_paid_for_a_win_there_could_not_be(before: bool) -> None:
    meter = Meter()
    listed = [won("h1", 0), BEGUN] if before else [BEGUN, won("h1", POT + 1)]
    assert sum(meter.take(event) is not None for event in listed) == 1
    misfit = meter.take(Paid(entry="p1", hit="h1", winner="J1/1", cents=1))
    assert misfit == Misfit("p1", "more_than_was_won", 1, 0)
    assert meter.running == meter.pool == POT * MICROCENTS


def test_article_50_whose_payment_did_not_fit_is_not_paid_again() -> None:
    meter = happened(BEGUN, won("h1", 5_000))
    for entry, cents, what in (("p1", 6_000, "more_than_was_won"), ("p2", 5_000, "paid_twice")):
        misfit = meter.take(Paid(entry=entry, hit="h1", winner="J1/1", cents=cents))
        assert misfit is not None
        assert misfit.what == what
    assert (meter.paid, meter.held) == (0, 5_000 * MICROCENTS)


def handed(*cents: int, again: bool = False) -> tuple[Meter, list[str | None]]:
    """A meter of whose 50 euros J1 is owed 30, J2 the rest, and J1 handed so much, one by one.

    What it said of each; `again` is what was said of the last.
    """
    owed = {"J1/1": 3_000, "J2/2": 2_000}
    meter = happened(BEGUN, Won(entry="h1", hit="h1", due_cents=5_000, owed=owed))
    whats = []
    for place, each in enumerate(cents):
        last = again and place == len(cents) - 1
        paid = Paid(entry=f"p{place}", hit="h1", winner="J1/1", cents=each, again=last)
        misfit = meter.take(paid)
        whats.append(None if misfit is None else misfit.what)
    return meter, whats


@pytest.mark.parametrize(
    ("cents", "whats", "held"),
    [
        ((2_000, 1_000), [None, None], 2_000),
        ((2_000, 400, 600), [None, None, None], 2_000),
        ((2_000, 1_001), [None, "paid_twice"], 3_000),  # the other's money
        ((2_000, 1_000, 1), [None, None, "paid_twice"], 2_000),
        ((3_000, 3_000), [None, "paid_twice"], 2_000),
        ((2_999, 0, 1), [None, "paid_twice", None], 2_000),
        ((5_001, 1), ["more_than_was_won", "paid_twice"], 5_000),
    ],
)
def test_article_50_what_is_missing_of_a_prize_is_paid_later_and_no_cent_more(
    cents: tuple[int, ...], whats: list[str | None], held: int
) -> None:
    meter, said = handed(*cents)
    assert (said, meter.held) == (whats, held * MICROCENTS)
    assert meter.paid + meter.held == 5_000 * MICROCENTS


def test_article_50_what_is_said_to_be_a_second_time_is_no_rest_and_takes_none_away() -> None:
    meter, said = handed(2_000, 1_000, again=True)
    assert said == [None, "paid_twice"]
    rest = Paid(entry="rest", hit="h1", winner="J1/1", cents=1_000)
    assert meter.take(rest) is None
    assert meter.held == 2_000 * MICROCENTS


def test_article_44_the_first_full_win_is_the_one_that_emptied_the_meter() -> None:
    both = (BEGUN, won("h1", POT, full=True), won("h2", 0, full=True))
    # The second found nothing: that it was none changes nothing, and the meter waits for its start.
    assert happened(*both, withdrawn("h2"), AGAIN).running == POT * MICROCENTS
    # With the first all of it is back, and there is nothing to put in again.
    misfit = happened(*both, withdrawn("h1")).take(AGAIN)
    assert misfit is not None
    assert misfit.what == "started_while_running"


def test_article_44_a_pot_that_was_handed_out_does_not_come_back_by_a_withdrawal() -> None:
    paid = Paid(entry="p1", hit="h1", winner="J1/1", cents=POT)
    meter = happened(BEGUN, won("h1", POT, full=True), paid, withdrawn("h1"))
    assert meter.running == 0
    assert meter.take(AGAIN) is None
    assert (meter.running, meter.paid) == (POT * MICROCENTS,) * 2


def test_a_meter_goes_on_from_a_seal_as_it_was() -> None:
    paid = Paid(entry="p0", hit="h1", winner="J1/1", cents=2_000)
    meter = happened(BEGUN, won("h1", 5_000), won("h2", POT - 5_000, full=True), paid)
    again = Meter.resumed(
        started=meter.started,
        contributed=meter.contributed,
        adjusted=meter.adjusted,
        paid=meter.paid,
        due=meter.due,
        paid_out=[paid],
        owed=meter.owed,
        emptied_by=meter.emptied_by,
    )
    rest = (
        Paid(entry="p1", hit="h1", winner="J1/1", cents=2_000),
        Paid(entry="p2", hit="h1", winner="J2/2", cents=3_000),
        withdrawn("h2"),
        Paid(entry="p3", hit="h2", winner="J1/1", cents=1),
        AGAIN,
    )
    whats = [None if one is None else one.what for one in map(again.take, rest)]
    assert whats == ["paid_twice", None, None, "more_than_was_won", "started_while_running"]
    assert (again.running, again.held) == ((POT - 5_000) * MICROCENTS, 0)


def test_a_replay_of_the_evening_fits_everywhere() -> None:
    done = replay(EVENING)
    assert (done.misfits, done.first) == ((), None)
    assert done.meter.running == 2_500_000_250_000


@pytest.mark.parametrize("place", range(1, len(EVENING) - 1))
def test_an_entry_left_out_is_seen_where_the_values_part(place: int) -> None:
    left_out = EVENING[place]
    done = replay((*EVENING[:place], *EVENING[place + 1 :]))
    if isinstance(left_out, Read | Sealed):  # these change nothing
        assert done.first is None
    elif isinstance(left_out, Paid):  # what was won is still held
        assert (done.first, done.meter.held) == (None, left_out.cents * MICROCENTS)
    else:
        assert done.first is not None
        assert done.first.entry == EVENING[place + 1].entry


@pytest.mark.parametrize("place", [0, 1, 4, 8])
def test_a_value_changed_afterwards_is_seen_at_its_entry(place: int) -> None:
    event = EVENING[place]
    cheated: MeterEvent = event
    if isinstance(event, Contributed):
        cheated = replace(event, rate_millionths=event.rate_millionths - 1)
    elif isinstance(event, Started):
        cheated = replace(event, start_cents=event.start_cents - 1)
    done = replay((*EVENING[:place], cheated, *EVENING[place + 1 :]))
    assert done.first is not None
    assert (done.first.entry, done.first.what) == (event.entry, "after_differs")
    assert done.first.recorded == event.after_microcents


def test_an_entry_sent_again_counts_once() -> None:
    done = replay((*EVENING[:3], EVENING[1], *EVENING[3:]))
    assert done.misfits == (Misfit("e2", "told_twice"),)
    assert done.meter.running == 2_500_000_250_000


def test_a_long_life_is_replayed_in_moments() -> None:
    number = size(20_000, 20_000, 1_000_000)
    chips = (contributed(f"c{n}") for n in range(number))
    begun = time.process_time()
    done = replay([Started(entry="s", start_cents=2_500_000), *chips])
    assert done.meter.contributed == number * 6_250_000
    assert time.process_time() - begun < number / 10_000  # a tenth of a millisecond each, at worst
