"""PT art. 41, 43, 44, 50: what only a pool's whole story shows.

A story is recorded in a line or two: ``start``, ``chips``, ``won`` and so on make events, named e1,
e2 and so on in their order; a finding names the first that explains it.
"""

import json
from datetime import date

import pytest

from audit.pools.carrying import left, taken_up
from casino.law.check_registry import rules_in
from casino.law.finding import Breach
from casino.law.rulebook import jackpot_law
from casino.law.rulebook.rulebook_file import load_law
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.meter import (
    Sealed,
    Withdrawn,
)
from jackpot.rules.whole import WholePool
from tests.factories.meter_stories import (
    CLAIM,
    DISPLAY,
    PAIR,
    RESTART,
    START,
    TOP,
    Make,
    adjusted,
    chips,
    paid,
    read,
    start,
    won,
)
from tests.law.casebook import upholds_case

METER = "jackpot_meter_is_as_told"
DUE = "jackpot_prizes_follow_the_meter"
CHIP = 250 * 25_000  # what one chip adds, in microcents: 6.25 cents


def seal(microcents: int) -> Make:
    return lambda name: Sealed(entry=name, microcents=microcents)


def withdrawn(hit: str) -> Make:
    return lambda name: Withdrawn(entry=name, hit=hit)


def whole(*story: Make, stopped_after: int = 0) -> WholePool:
    """A story, told to its end; `stopped_after` so many events it was left and gone on with."""
    pool = WholePool("JP-1")
    for place, make in enumerate(story, start=1):
        pool.take(make(f"e{place}"))
        if place == stopped_after:
            pool = taken_up("JP-1", json.loads(json.dumps(left(pool))))
    pool.ended()
    return pool


def found(*story: Make) -> list[tuple[str, str]]:
    """The checks that were not met, each with the entry that explains it."""
    return [(one.check.name, one.breach.evidence[-1]) for one in whole(*story).said]


def the_breach(check: str, *story: Make) -> Breach:
    """The one breach of a story."""
    said = whole(*story).said
    assert [one.check.name for one in said] == [check]
    return said[0].breach


def test_every_check_stands_under_its_article() -> None:
    rules = load_law("pt").on(date(2026, 11, 20))
    named = {check.name: rules.article_of(check.name) for check in rules_in(jackpot_law)}
    assert (named[METER], named[DISPLAY], named[DUE]) == ("41", "41", "43")
    assert (named[RESTART], named[CLAIM]) == ("44", "house.jackpot")


# Seals, and what a win says of the meter.


@upholds_case(METER, "lawful")
@upholds_case(DISPLAY, "lawful")
def test_article_41_seals_and_displays_that_say_what_the_book_makes_are_lawful() -> None:
    value = START * MICROCENTS + 2 * CHIP
    story = (start(), chips(2), seal(value), read(START + 12), won(PAIR, value))
    assert found(*story) == []
    assert {METER, DISPLAY} <= whole(*story).asked


@upholds_case(METER, "unlawful")
@pytest.mark.parametrize("off", [-1, 1, -CHIP, START * MICROCENTS])
def test_article_41_a_seal_that_says_another_value_is_found(off: int) -> None:
    value = START * MICROCENTS + CHIP
    story = (start(), chips(), seal(value + off), chips(), seal(value + CHIP + off))
    assert found(*story) == [(METER, "e3")]  # what follows from it is not recorded again


def test_article_41_a_second_seal_that_is_wrong_by_more_is_found_too() -> None:
    value = START * MICROCENTS
    assert found(start(), seal(value - 5), seal(value - 6)) == [(METER, "e2"), (METER, "e3")]
    assert found(start(), seal(value - 5), seal(value), seal(value - 5)) == [
        (METER, "e2"),
        (METER, "e4"),
    ]


@upholds_case(METER, "unlawful")
def test_article_41_a_win_that_says_another_meter_is_found() -> None:
    breach = the_breach(METER, start(), chips(), won(PAIR, START * MICROCENTS - 1))
    assert breach.evidence == ("e3",)
    assert breach.observed == {"meter_cents": START - 1, "meter_rest_microcents": 999_999}
    assert breach.expected == {"meter_cents": START + 6, "meter_rest_microcents": 250_000}


@upholds_case(METER, "boundary")
def test_article_41_a_win_may_tell_the_whole_cents_that_were_displayed() -> None:
    assert found(start(), chips(), won(PAIR, (START + 6) * MICROCENTS)) == []
    assert found(start(), chips(), won(PAIR, (START + 5) * MICROCENTS)) == [(METER, "e3")]


@upholds_case(METER, "unlawful")
def test_article_41_more_taken_from_a_meter_than_there_is_is_found() -> None:
    assert found(start(), adjusted(-START * MICROCENTS)) == []
    assert found(start(), adjusted(-START * MICROCENTS - 1)) == [(METER, "e2")]


# Displays.


@upholds_case(DISPLAY, "unlawful")
@pytest.mark.parametrize("cents", [START + 5, START - 100, 0])
def test_article_41_a_display_that_fell_is_found(cents: int) -> None:
    breach = the_breach(DISPLAY, start(), chips(), read(cents))
    assert breach.observed == {"display_cents": cents}
    assert breach.expected == {"display_cents": START + 6}


@upholds_case(DISPLAY, "boundary")
def test_article_41_a_display_shows_whole_cents() -> None:
    assert found(start(), chips(), read(START + 6)) == []
    assert found(start(), chips(4), read(START + 25)) == []


def test_article_41_a_display_that_stays_wrong_is_told_once() -> None:
    story = (start(), chips(100), read(START), chips(4), read(START + 25), read(START + 650))
    assert found(*story) == [(DISPLAY, "e3")]
    # Put right, and wrong again by as much.
    assert found(*story, read(START + 25)) == [(DISPLAY, "e3"), (DISPLAY, "e7")]


def test_article_41_a_display_that_follows_a_wrong_seal_is_the_seals_fault() -> None:
    value = START * MICROCENTS
    assert found(start(), seal(value - 500 * MICROCENTS), chips(), read(START - 500 + 6)) == [
        (METER, "e2")
    ]


# Starting values.


@upholds_case(RESTART, "lawful")
def test_article_44_a_meter_started_again_after_a_full_payout_is_lawful() -> None:
    story = (start(), won(TOP), paid("e2", "J5/5", START), start(), chips())
    assert found(*story) == []
    assert RESTART in whole(*story).asked


@upholds_case(RESTART, "unlawful")
def test_article_44_chips_before_a_starting_value_are_found_once() -> None:
    assert found(chips(), chips(), start(), chips()) == [(RESTART, "e1")]


@upholds_case(RESTART, "unlawful")
def test_article_44_chips_after_a_full_payout_and_before_the_new_start_are_found() -> None:
    story = (start(), won(TOP), paid("e2", "J5/5", START), chips(), chips())
    assert the_breach(RESTART, *story).evidence == ("e2", "e3", "e4")
    assert found(*story, start(), chips()) == [(RESTART, "e4")]


@upholds_case(RESTART, "unlawful")
@pytest.mark.parametrize("cents", [START - 1, START + 1, 0])
def test_article_44_a_full_prize_paid_wrongly_makes_a_start_due_all_the_same(cents: int) -> None:
    for count in (None, START * MICROCENTS):  # whoever judges the amount
        story = (start(), won(TOP, count), paid("e2", "J5/5", cents), chips(), chips())
        assert (RESTART, "e4") in found(*story)
        assert RESTART not in [check for check, _ in found(*story[:3], start(), chips())]


@upholds_case(RESTART, "boundary")
def test_article_44_a_start_is_due_when_the_last_winner_was_paid() -> None:
    both = "2 four_aces_same_suit, 5 four_aces_same_suit"
    half = START // 2
    story = (start(), won(both), paid("e2", "J2/2", half - 1), chips(), chips())
    assert found(*story) == []
    assert found(*story, paid("e2", "J5/5", half), chips())[0] == (RESTART, "e7")
    rest = (*story, paid("e2", "J5/5", half), start(), paid("e2", "J2/2", 1), chips())
    assert found(*rest) == []


@upholds_case(RESTART, "unlawful")
def test_article_44_a_pot_that_was_handed_out_is_started_again_though_the_win_was_none() -> None:
    both = "2 four_aces_same_suit, 5 four_aces_same_suit"
    story = (start(), won(both, START * MICROCENTS), paid("e2", "J2/2", START // 2))
    assert found(*story, withdrawn("e2"), chips()) == [(RESTART, "e5")]
    assert found(*story, withdrawn("e2"), start(), chips()) == []


@upholds_case(RESTART, "boundary")
def test_article_44_play_goes_on_while_the_full_prize_is_being_paid() -> None:
    assert found(start(), won(TOP), chips(), paid("e2", "J5/5", START), start(), chips()) == []
    assert found(start(), won(TOP), withdrawn("e2"), chips()) == []


@upholds_case(RESTART, "unlawful")
def test_article_44_a_starting_value_put_on_a_meter_that_runs_is_found() -> None:
    assert found(start(), chips(), start(1)) == [(RESTART, "e3")]
    assert found(start(), won(PAIR), paid("e2", "J1/1", 5_000), start()) == [(RESTART, "e4")]


# Payments against the meter the book makes.


@upholds_case(DUE, "lawful")
@upholds_case(CLAIM, "lawful")
def test_article_43_prizes_out_of_the_meter_are_lawful_whoever_told_it_or_not() -> None:
    story = (start(), chips(), won("1 pair, 2 three_sevens"), paid("e3", "J1/1", 5_000))
    done = (*story, paid("e3", "J2/2", START // 10))
    assert found(*done) == []
    assert {DUE, CLAIM} <= whole(*done).asked


@upholds_case(DUE, "unlawful")
@pytest.mark.parametrize(("cents", "owed", "whom"), [(4_999, 1, "player"), (5_001, 1, "house")])
def test_article_43_a_prize_that_does_not_follow_from_the_meter_is_found(
    cents: int, owed: int, whom: str
) -> None:
    breach = the_breach(DUE, start(), won(PAIR), paid("e2", "J1/1", cents))
    assert (breach.owed_cents, breach.owed_to, breach.evidence) == (owed, whom, ("e2", "e3"))


@upholds_case(DUE, "boundary")
def test_article_43_what_is_not_all_paid_yet_is_no_breach() -> None:
    assert found(start(), won("1 pair, 2 three_sevens"), paid("e2", "J1/1", 4_999)) == []
    assert found(start(), won(PAIR)) == []


def test_article_43_where_the_meter_was_told_rightly_the_partida_is_judged_by_its_own() -> None:
    assert found(start(), won(PAIR, START * MICROCENTS), paid("e2", "J1/1", 4_999)) == []


@upholds_case(DUE, "unlawful")
def test_article_43_a_combination_that_is_not_in_the_table_is_found() -> None:
    assert found(start(), won("1 three_aces")) == [(DUE, "e2")]


@upholds_case(DUE, "unlawful")
def test_article_50_a_second_payment_nobody_calls_so_is_found() -> None:
    story = (start(), won(PAIR), paid("e2", "J1/1", 5_000), paid("e2", "J1/1", 5_000))
    assert the_breach(DUE, *story).evidence == ("e2", "e4")
    called = (*story[:3], paid("e2", "J1/1", 5_000, again=True))
    assert found(*called) == []  # called so, it is its partida's finding


@upholds_case(DUE, "boundary")
def test_article_50_what_was_missing_of_a_prize_is_paid_later() -> None:
    story = (start(), won("1 pair, 2 pair"), paid("e2", "J1/1", 4_000), paid("e2", "J1/1", 1_000))
    assert found(*story, paid("e2", "J2/2", 5_000)) == []
    assert whole(*story).pool.meter.held == 5_000 * MICROCENTS
    more = (*story[:3], paid("e2", "J1/1", 1_001))  # the other's money
    assert found(*more) == [(DUE, "e4")]


@upholds_case(DUE, "unlawful")
@pytest.mark.parametrize("meter", [None, START * MICROCENTS])
@pytest.mark.parametrize("cents", [1, START])
def test_article_43_whatever_is_paid_for_a_win_without_terms_is_found(
    meter: int | None, cents: int
) -> None:
    story = (start(), won(TOP, meter, terms=False), paid("e2", "J5/5", cents))
    breach = the_breach(DUE, *story)
    assert (breach.expected, breach.evidence) == ({"at_most_cents": 0}, ("e2", "e3"))
    assert (breach.owed_cents, breach.owed_to) == (cents, "house")
    assert found(*story[:2], withdrawn("e2"), story[2]) == []  # its partida's


# A win that was none, and the ones recorded while it held the money.


@upholds_case(DUE, "unlawful")
@pytest.mark.parametrize(
    ("second", "due"), [("3 four_aces_same_suit", 6), ("3 three_sevens", 0), ("3 pair", 6)]
)
def test_article_43_a_win_reckoned_from_what_a_withdrawn_one_left_is_found(
    second: str, due: int
) -> None:
    story = (start(), won(TOP), chips(), won(second), withdrawn("e2"))
    breach = the_breach(DUE, *story)
    assert breach.evidence == ("e4", "e2", "e5")
    assert (breach.observed, breach.expected) == (
        {"meter_cents": 6},
        {"meter_cents": START + 6},
    )
    # Paid or not, it is withdrawn too and told anew.
    assert found(*story, paid("e4", "J3/3", due), withdrawn("e4"), won(second)) == []


@upholds_case(DUE, "boundary")
def test_article_43_what_a_withdrawn_win_took_from_nobody_is_no_breach() -> None:
    listed = (start(), won("1 pair"))
    assert found(*listed, won("2 pair"), withdrawn("e2")) == []  # a fixed prize there was
    assert found(*listed, withdrawn("e2"), won(TOP)) == []
    assert found(*listed, won(TOP), withdrawn("e3")) == []  # the later one
    paid_out = (*listed, paid("e2", "J1/1", 5_000), won(TOP), withdrawn("e2"))
    assert found(*paid_out) == []  # nothing came back
    after_a_start = (start(), won(TOP), start(), won(TOP), withdrawn("e2"))
    assert found(*after_a_start) == []


# Claims that contributions cannot explain.


@upholds_case(CLAIM, "unlawful")
def test_so_is_one_when_all_but_its_last_cent_was_put_in() -> None:
    story = (start(2_000), chips(), won(PAIR), paid("e3", "J1/1", 2_007))
    assert (CLAIM, "e4") in found(*story)
    assert (CLAIM, "e4") not in found(*story[:-1], paid("e3", "J1/1", 2_006))


@upholds_case(CLAIM, "unlawful")
def test_a_payment_of_more_than_was_ever_put_in_is_found() -> None:
    story = (start(2_000), chips(), won(PAIR), paid("e3", "J1/1", 430_000_000))
    assert found(*story) == [(CLAIM, "e4"), (DUE, "e4")]  # and 43 says what was due
    breach = whole(*story).said[0].breach
    assert breach.observed == {"claimed_cents": 430_000_000}
    assert breach.expected == {"at_most_cents": 2_006}
    assert breach.evidence == ("e3", "e4")


@upholds_case(METER, "unlawful")
@upholds_case(DISPLAY, "unlawful")
def test_article_41_a_display_or_a_win_of_more_than_was_ever_put_in_is_found_once() -> None:
    claimed = won(PAIR, (START + 7) * MICROCENTS)
    assert found(start(), chips(), claimed) == [(METER, "e3")]
    assert found(start(), chips(), read(START + 7)) == [(DISPLAY, "e3")]
    assert found(start(), chips(), read(START - 7)) == [(DISPLAY, "e3")]


@upholds_case(CLAIM, "boundary")
def test_article_41_all_that_was_put_in_and_no_cent_more() -> None:
    held = (start(), chips(), won(PAIR))  # 50 euros of it are held
    assert found(*held, read(START + 6)) == [(DISPLAY, "e4")]
    assert found(*held, read(START + 7)) == [(DISPLAY, "e4")]
    assert found(*held, paid("e3", "J1/1", 5_000), read(START + 6 - 5_000)) == []
    assert found(*held, paid("e3", "J1/1", 5_000), read(START + 6)) == [(DISPLAY, "e5")]


# A story that is left and gone on with.


@pytest.mark.parametrize("after", range(1, 22))
def test_a_story_left_anywhere_and_gone_on_with_comes_to_the_same(after: int) -> None:
    story = (
        *(start(), chips(3), won(TOP), chips(), paid("e3", "J5/5", START), chips()),
        *(chips(), start(), seal(7), won("1 pair, 2 three_sevens"), paid("e10", "J1/1", 4_000)),
        *(paid("e10", "J2/2", 10), read(3), read(2), seal(8)),
        *(won(TOP), won(TOP), withdrawn("e16"), won(PAIR), paid("e19", "J1/1", 1), chips()),
    )
    once, twice = whole(*story), whole(*story, stopped_after=after)
    assert once.said == twice.said
    assert len(once.said) == 9
    assert once.pool.meter.running == twice.pool.meter.running
    assert (once.misfits, once.asked) == (twice.misfits, twice.asked)


def test_nothing_of_a_story_is_kept() -> None:
    pool = whole(start(), *(chips() for _ in range(100)), *(seal(1) for _ in range(100)))
    assert (pool.pool.meter.entries, pool.pool.misfits) == (set(), [])
    assert ([one.breach.evidence for one in pool.said], pool.misfits) == ([("e102",)], 100)
