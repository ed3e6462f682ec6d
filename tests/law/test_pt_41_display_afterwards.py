"""PT art. 41: what an increment says the display showed afterwards, compared with the meter.

``chips(n, shows)`` is an increment of n chips that says what the display showed then.
"""

import json
from datetime import datetime, timedelta
from typing import NamedTuple

import pytest

from audit.pools.carrying import left, taken_up
from jackpot.progressive.meter import Contributed
from jackpot.rules.whole import WholePool
from tests.factories.meter_stories import (
    ALLOWED,
    DISPLAY,
    EVENING,
    PAIR,
    START,
    Make,
    adjusted,
    paid,
    read,
    start,
    won,
)
from tests.factories.meter_stories import chips as laid
from tests.law.casebook import upholds_case

LATER = timedelta(hours=1)


class Increment(NamedTuple):
    """An increment: its chips, what it says the display showed, how long before it was recorded."""

    chips: int
    shows: int | None
    looked: float


def chips(n: int, shows: int | None = None, *, looked: float = 0) -> Increment:
    return Increment(n, shows, looked)


At = tuple[float, Make | Increment]  # seconds after eight, and what was recorded then


def hand_in(pool: WholePool, name: str, at: datetime, found: Make | Increment) -> None:
    if not isinstance(found, Increment):
        pool.take(found(name), at=at, allowed=ALLOWED)
        return
    event = Contributed(entry=name, stake_cents=250, rate_millionths=25_000, chips=found.chips)
    pool.take(event, at=at, allowed=ALLOWED)
    if found.shows is not None:
        looked = at - timedelta(seconds=found.looked)
        pool.showed(name, found.shows, looked=looked, at=at, allowed=ALLOWED)


def timed(*story: At, stopped_after: int = 0, cut: float | None = None) -> WholePool:
    """A story, read up to the moment it was cut, if any."""
    pool = WholePool("JP-1")
    for place, (seconds, found) in enumerate(story, start=1):
        hand_in(pool, f"e{place}", EVENING + timedelta(seconds=seconds), found)
        if place == stopped_after:
            pool = taken_up("JP-1", json.loads(json.dumps(left(pool))))
    pool.ended(None if cut is None else EVENING + timedelta(seconds=cut))
    return pool


def found(*story: At, cut: float | None = None) -> list[tuple[str, str]]:
    return [(one.check.name, one.breach.evidence[-1]) for one in timed(*story, cut=cut).said]


@upholds_case(DISPLAY, "lawful")
def test_article_41_an_increment_that_says_what_the_book_makes_is_lawful() -> None:
    story = (
        (0, start()),
        (100, chips(3, START + 18)),
        (200, chips(1)),
        (300, chips(4, START + 50)),
    )
    assert found(*story) == []
    assert DISPLAY in timed(*story).asked
    assert DISPLAY not in timed((0, start()), (100, chips(3))).asked


@upholds_case(DISPLAY, "lawful")
def test_article_41_another_tables_chips_may_be_shown_before_or_after_their_entry() -> None:
    shown_already = ((0, start()), (100, chips(3, START + 31)), (130, chips(2)))
    assert found(*shown_already) == []
    not_shown_yet = ((0, start()), (100, chips(2)), (130, chips(3, START + 18)))
    assert found(*not_shown_yet) == []


@upholds_case(DISPLAY, "unlawful")
@pytest.mark.parametrize("shows", [START + 17, START, START - 100])
def test_article_41_an_increment_after_which_the_display_shows_less_is_found(shows: int) -> None:
    story = ((0, start()), (100, chips(3)), (200, chips(3, shows + 19)))
    said = timed(*story).said
    assert [(one.check.name, one.breach.evidence) for one in said] == [(DISPLAY, ("e3",))]
    assert said[0].breach.observed == {"display_cents": shows + 19}
    assert said[0].breach.expected == {"display_cents": START + 37}


@upholds_case(DISPLAY, "unlawful")
def test_article_41_an_increment_after_which_the_display_shows_more_than_there_is_is_found() -> (
    None
):
    assert found((0, start()), (100, chips(3, START + 10_000))) == [(DISPLAY, "e2")]


@upholds_case(DISPLAY, "boundary")
def test_article_41_what_a_display_lacks_is_excused_for_a_minute_before_the_look() -> None:
    increment: tuple[At, ...] = ((0, start()), (100, chips(2)))
    assert found(*increment, (160, chips(3, START + 18))) == []
    assert found(*increment, (161, chips(3, START + 18))) == [(DISPLAY, "e3")]
    # Who looked half a minute before he told it could not see more.
    assert found(*increment, (190, chips(3, START + 18, looked=30))) == []
    assert found(*increment, (191, chips(3, START + 18, looked=30))) == [(DISPLAY, "e3")]


@upholds_case(DISPLAY, "boundary")
def test_article_41_an_increment_told_more_than_a_minute_late_says_nothing_of_the_display() -> None:
    assert found((0, start()), (200, chips(3, START - 5, looked=60))) == [(DISPLAY, "e2")]
    assert found((0, start()), (200, chips(3, START - 5, looked=61))) == []


@upholds_case(DISPLAY, "boundary")
def test_article_41_around_a_win_or_an_adjustment_an_increment_says_nothing_of_the_display() -> (
    None
):
    not_lowered = chips(3, START + 18)  # 50 euros of it are won
    assert found((0, start()), (100, won(PAIR)), (160, not_lowered)) == []
    assert found((0, start()), (100, won(PAIR)), (161, not_lowered)) == [(DISPLAY, "e3")]
    lowered = chips(3, START + 18 - 5_000)
    assert found((0, start()), (100, lowered), (130, won(PAIR))) == [(DISPLAY, "e2")]
    raised = chips(3, START + 18 + 700)
    assert found((0, start()), (100, raised), (130, adjusted(700_000_000))) == []
    assert found((0, start()), (100, raised), (401, adjusted(700_000_000))) == [(DISPLAY, "e2")]
    # To be paid lowers no display: that was done when it was won.
    paid_out = ((0, start()), (100, won(PAIR)), (200, paid("e2", "J1/1", 5_000)))
    assert found(*paid_out, (210, chips(3, START - 5_000 + 18))) == []
    assert found(*paid_out, (210, chips(3, START - 5_000 + 17))) == [(DISPLAY, "e4")]


def test_article_41_a_display_that_stays_wrong_is_told_once_whatever_is_under_way() -> None:
    wrong = ((0, start()), (100, chips(1)), (200, chips(1, START + 6)), (300, chips(1, START + 12)))
    assert found(*wrong) == [(DISPLAY, "e3")]  # a chip short, by six cents or by seven
    linked = ((370, chips(2)), (380, chips(1, START + 18)), (500, chips(4, START + 56)))
    assert found(*wrong, *linked) == [(DISPLAY, "e3")]
    assert found(*wrong, *linked, (600, chips(4, START + 75))) == [
        (DISPLAY, "e3"),
        (DISPLAY, "e8"),  # another chip short
    ]


def test_article_41_what_a_corrected_increment_said_of_the_display_is_held_against_nobody() -> None:
    story: tuple[At, ...] = ((0, start()), (100, chips(3, START - 400)))
    pool = timed(*story)
    assert [one.check.name for one in pool.said] == [DISPLAY]
    pool.unsaid("e2")
    assert pool.said == []
    borne_out = timed(*story, (200, chips(4, START - 375)))
    borne_out.unsaid("e2")  # another one saw the same
    assert [one.breach.evidence for one in borne_out.said] == [("e2",)]


# A story that was cut: chips may be under way there.


@upholds_case(DISPLAY, "boundary")
@pytest.mark.parametrize("shown", [read(START + 6), chips(3, START + 25)])
def test_article_41_a_reading_waits_until_the_chips_it_may_show_have_to_be_told(
    shown: Make | Increment,
) -> None:
    story: tuple[At, ...] = ((0, start()), (100, shown))
    assert found(*story, cut=101) == []
    assert found(*story, cut=100 + 300) == []
    assert found(*story, cut=100 + 301) == [(DISPLAY, "e2")]
    assert found(*story, (399, laid()), cut=100 + 301) == []
    assert found(*story) == [(DISPLAY, "e2")]  # nothing more is to come


def test_article_41_a_reading_that_no_chips_can_explain_waits_for_none() -> None:
    assert found((0, start()), (100, read(START - 1)), cut=101) == [(DISPLAY, "e2")]
    # Chips just told may not be shown yet, others already.
    increment: tuple[At, ...] = ((0, start()), (90, chips(3)), (100, read(START + 5)))
    assert found(*increment, cut=101) == []
    assert found(*increment, cut=401) == [(DISPLAY, "e3")]


def test_article_41_what_waits_is_no_misfit_yet() -> None:
    story: tuple[At, ...] = ((0, start()), (100, read(START + 6)))
    assert (timed(*story, cut=101).misfits, timed(*story, cut=401).misfits) == (0, 1)


@pytest.mark.parametrize("after", range(1, 9))
def test_a_story_left_anywhere_comes_to_the_same(after: int) -> None:
    story: tuple[At, ...] = (
        *((0, start()), (100, chips(3, START + 18)), (200, chips(2, START + 12)), (260, won(PAIR))),
        *((270, chips(2, 0)), (400, chips(1, START - 5_000 + 50)), (700, chips(2, START - 5_000))),
        (710, chips(1, START - 5_000 + 6)),
    )
    once, twice = timed(*story, cut=720), timed(*story, stopped_after=after, cut=720)
    assert [(one.check.name, one.breach.evidence[-1]) for one in once.said] == [
        (DISPLAY, "e3"),
        (DISPLAY, "e7"),
    ]
    assert (once.said, once.misfits, once.asked) == (twice.said, twice.misfits, twice.asked)
    assert once.display_off == twice.display_off
