"""PT art. 40, 44: how high a meter starts, and how high it may run, by its terms."""

import json
from datetime import date

import pytest

from audit.pools.carrying import left, taken_up
from casino.law.rulebook.rulebook_file import load_law
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.meter import Adjusted
from jackpot.rules.bounds import InForce
from jackpot.rules.whole import Said, WholePool
from tests.factories.meter_stories import PAIR, START, TOP, Make, adjusted, chips, paid, start, won
from tests.law.casebook import upholds_case

LIMIT = "jackpot_meter_is_within_its_limit"
HIGH = "jackpot_start_is_high_enough"
RESTART = "jackpot_is_started_when_due"
TIMES = 10_000
By = InForce | None


def by(limit: int | None = None, *, stake: int = 250, times: int | None = TIMES) -> InForce:
    """Terms, told in entry t1."""
    return InForce("t1", stake, limit, times)


def lowered(microcents: int) -> Make:
    """The house lowers a meter that ran beyond its limit."""
    return lambda name: Adjusted(entry=name, microcents=-microcents, reason="limit_reached")


def judged(*story: tuple[Make, By], stopped_after: int = 0) -> WholePool:
    """A story, each event with the terms in force then."""
    pool = WholePool("JP-1")
    for place, (make, terms) in enumerate(story, start=1):
        pool.take(make(f"e{place}"), by=terms)
        if place == stopped_after:
            pool = taken_up("JP-1", json.loads(json.dumps(left(pool))))
    pool.ended()
    return pool


def found(terms: By, *story: Make) -> list[tuple[str, tuple[str, ...]]]:
    """What was found with the same terms throughout, with the entries that show it."""
    said = judged(*((make, terms) for make in story)).said
    return [(one.check.name, one.breach.evidence) for one in said]


def the_one(*story: tuple[Make, By]) -> Said:
    """The one thing found in a story."""
    said = judged(*story).said
    assert len(said) == 1
    return said[0]


def test_the_limit_stands_under_the_article_of_the_terms() -> None:
    assert load_law("pt").on(date(2026, 11, 20)).article_of(LIMIT) == "40"


# The start.


@upholds_case(HIGH, "lawful")
def test_article_44_a_start_of_ten_thousand_stakes_is_lawful_before_anybody_played() -> None:
    assert found(by(), start(TIMES * 250)) == []
    assert HIGH in judged((start(), by())).asked


@upholds_case(HIGH, "unlawful")
@pytest.mark.parametrize("cents", [0, 100, TIMES * 250 - 1])
def test_article_44_too_low_a_start_is_found_though_nobody_played(cents: int) -> None:
    said = the_one((start(cents), by()))
    assert (said.check.name, said.breach.evidence) == (HIGH, ("t1", "e1"))
    assert said.breach.observed == {"start_cents": cents}
    assert said.breach.expected == {"at_least_cents": TIMES * 250}


@upholds_case(HIGH, "unlawful")
def test_article_44_every_start_is_judged() -> None:
    emptied = (start(), won("5 four_aces_same_suit"), paid("e2", "J5/5", START))
    assert found(by(), *emptied, start(START - 1)) == [(HIGH, ("t1", "e4"))]
    again = (won("5 four_aces_same_suit"), paid("e5", "J5/5", START - 1))
    # Nobody played on it, and the next one is high enough.
    assert found(by(), *emptied, start(START - 1), *again, start()) == [(HIGH, ("t1", "e4"))]


@upholds_case(HIGH, "boundary")
def test_article_44_a_start_that_was_played_on_is_its_partidas() -> None:
    assert found(by(), start(START - 1), chips()) == []
    cheaper = by(stake=249)  # by which it is high enough: then no partida tells
    said = the_one((start(START - 1), by()), (chips(), cheaper))
    assert said.breach.expected == {"at_least_cents": START}


@upholds_case(HIGH, "boundary")
def test_article_44_a_start_before_the_first_terms_is_judged_by_those_and_by_no_later_ones() -> (
    None
):
    low = start(START - 1)
    assert judged((low, None), (adjusted(1), None)).said == []
    said = the_one((low, None), (adjusted(1), by()))
    assert said.breach.evidence == ("t1", "e1")
    assert judged((start(), by()), (adjusted(1), by(stake=500))).said == []
    assert found(by(times=None), low) == []  # a rulebook that asks nothing


def test_article_44_a_start_that_did_not_count_is_not_judged() -> None:
    assert found(by(), start(), start(1)) == [(RESTART, ("e2",))]


# The limit.


@upholds_case(LIMIT, "lawful")
def test_article_40_a_meter_within_its_limit_is_lawful() -> None:
    assert found(by(START + 12), start(), chips(2)) == []
    assert LIMIT in judged((start(), by(START))).asked
    assert LIMIT not in judged((start(), by())).asked


@upholds_case(LIMIT, "unlawful")
def test_article_40_a_meter_beyond_its_limit_is_found_once_each_time_it_crosses_it() -> None:
    limit = by(START + 5)
    said = the_one(*((make, limit) for make in (start(), chips(), chips(), chips())))
    assert (said.check.name, said.check.severity) == (LIMIT, "warning")
    assert said.breach.evidence == ("t1", "e2")
    assert said.breach.where == {"jackpot": "JP-1"}
    assert said.breach.observed == {"meter_cents": START + 6}
    assert said.breach.expected == {"at_most_cents": START + 5}
    crossed = (start(), chips(), won(PAIR), chips(801))
    assert found(limit, *crossed) == [(LIMIT, ("t1", "e2")), (LIMIT, ("t1", "e4"))]


@upholds_case(LIMIT, "unlawful")
def test_article_40_a_meter_started_beyond_its_limit_is_found() -> None:
    assert found(by(START - 1), start()) == [(LIMIT, ("t1", "e1"))]


@upholds_case(LIMIT, "boundary")
def test_article_40_at_the_limit_as_the_display_shows_it() -> None:
    assert found(by(START), start(), adjusted(MICROCENTS - 1)) == []
    assert found(by(START), start(), adjusted(MICROCENTS)) == [(LIMIT, ("t1", "e2"))]
    said = the_one((start(), by()), (chips(), by(START)))
    assert said.breach.evidence == ("t1", "e2")


@upholds_case(LIMIT, "boundary")
def test_article_40_a_house_that_lowers_the_meter_for_its_limit_did_what_it_had_to() -> None:
    crossed = (start(), chips(4))
    assert found(by(START), *crossed, lowered(25 * MICROCENTS)) == []
    assert found(by(START), *crossed, lowered(24 * MICROCENTS)) == [(LIMIT, ("t1", "e2"))]
    assert found(by(START), *crossed, adjusted(-25 * MICROCENTS)) == [(LIMIT, ("t1", "e2"))]
    again = found(by(START), *crossed, lowered(25 * MICROCENTS), chips(4))
    assert again == [(LIMIT, ("t1", "e4"))]


@pytest.mark.parametrize("after", range(1, 8))
def test_a_story_left_anywhere_comes_to_the_same(after: int) -> None:
    limit = by(START)
    story: tuple[tuple[Make, By], ...] = (
        *((start(START - 1), None), (adjusted(1), limit), (won(TOP), limit), (start(), limit)),
        *((chips(), limit), (won(PAIR), limit), (chips(900), limit)),
    )
    once, twice = judged(*story), judged(*story, stopped_after=after)
    assert [one.check.name for one in once.said] == [HIGH, LIMIT, LIMIT]
    assert (once.said, once.asked) == (twice.said, twice.asked)
