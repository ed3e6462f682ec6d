"""PT art. 41, 44: what a pool's story shows while chips are under way, and how long they may be."""

from datetime import date

import pytest

from casino.law.rulebook.rulebook_file import load_law
from jackpot.rules.law_readings import NO_GRACE, graces
from tests.factories.meter_stories import (
    ALLOWED,
    DISPLAY,
    RESTART,
    START,
    TOP,
    chips,
    found_in,
    paid,
    read,
    start,
    timed,
    won,
)
from tests.law.casebook import upholds_case

EMPTIED = ((0, start()), (10, won(TOP)), (60, paid("e2", "J5/5", START)))


def test_the_times_are_the_laws_own_and_a_book_without_them_allows_none() -> None:
    minutes = [int(each.total_seconds() // 60) for each in ALLOWED]
    assert minutes == [15, 5, 1]
    assert graces(load_law("es").on(date(2026, 11, 20))) == NO_GRACE


@upholds_case(RESTART, "boundary")
def test_article_44_a_round_under_way_at_another_table_is_no_breach_for_a_quarter_of_an_hour() -> (
    None
):
    assert found_in(*EMPTIED, (61, chips()), (150, start()), (160, chips())) == []
    assert found_in(*EMPTIED, (61, chips()), (60 + 900, chips()), (961, start())) == []
    assert found_in(*EMPTIED, (61, chips()), (60 + 901, chips())) == [(RESTART, "e5")]


def test_article_44_the_choices_of_started_again_part() -> None:
    """One chip a minute after the payment that emptied the meter."""
    law, story = load_law("pt"), (*EMPTIED, (120, chips()))
    assert law.readings["started-again"].choice == 15
    for choice, found in ((15, []), (0, [RESTART])):
        allowed = graces(law.with_readings({"started-again": choice}).on(date(2026, 11, 20)))
        said = timed(*story, allowed=allowed).said
        assert [one.check.name for one in said] == found
        assert all(one.breach.readings == ("started-again",) for one in said)


@upholds_case(RESTART, "unlawful")
def test_article_44_chips_long_after_a_full_payout_are_found_once_each_time_it_is_emptied() -> None:
    late = (*EMPTIED, (1_000, chips()), (1_001, chips()), (1_002, start()))
    assert found_in(*late) == [(RESTART, "e4")]
    again = ((1_010, won(TOP)), (1_020, paid("e7", "J5/5", START + 12)), (1_030, chips()))
    assert found_in(*late, *again, (1_920, chips())) == [(RESTART, "e4")]
    assert found_in(*late, *again, (1_921, chips())) == [(RESTART, "e4"), (RESTART, "e10")]


@upholds_case(DISPLAY, "lawful")
def test_article_41_a_display_that_shows_chips_before_their_entry_is_lawful() -> None:
    shown = ((0, start()), (100, read(START + 18)), (160, chips(3)))
    assert found_in(*shown) == []
    assert DISPLAY in timed(*shown).asked
    # Another table's chips, dealt later, were recorded first.
    assert found_in((0, start()), (100, read(START + 18)), (130, chips(2)), (160, chips(3))) == []


@upholds_case(DISPLAY, "lawful")
def test_article_41_a_display_that_does_not_show_the_chips_just_told_is_lawful() -> None:
    assert found_in((0, start()), (100, chips(3)), (130, read(START))) == []
    both = ((0, start()), (100, chips(3)), (110, chips(2)), (130, read(START + 12)))
    assert found_in(*both) == []  # the three are not shown yet, the two are


@upholds_case(DISPLAY, "boundary")
def test_article_41_chips_under_way_explain_five_minutes_ahead_and_one_behind() -> None:
    shown = ((0, start()), (200, read(START + 6)))
    assert found_in(*shown, (500, chips())) == []
    assert found_in(*shown, (501, chips())) == [(DISPLAY, "e2")]
    listed = ((0, start()), (100, chips(3)))
    assert found_in(*listed, (160, read(START))) == []
    assert found_in(*listed, (161, read(START))) == [(DISPLAY, "e3")]


@upholds_case(DISPLAY, "unlawful")
def test_article_41_what_no_chips_explain_is_found() -> None:
    listed = ((0, start()), (100, chips(3)), (110, read(START + 5)), (150, chips(3)))
    assert found_in(*listed) == [(DISPLAY, "e3")]
    assert found_in((0, start()), (100, read(START - 6)), (160, chips(3))) == [(DISPLAY, "e2")]
    assert found_in((0, start()), (100, read(START + 19)), (160, chips(3))) == [(DISPLAY, "e2")]
    assert found_in((0, start()), (100, read(START - 1))) == [(DISPLAY, "e2")]


def test_article_41_readings_are_judged_in_their_order_once_nothing_more_is_to_come() -> None:
    story = ((0, start()), (100, read(START - 100)), (110, read(START)), (120, read(START - 100)))
    # Put right in between, and wrong again by as much.
    assert found_in(*story) == [(DISPLAY, "e2"), (DISPLAY, "e4")]
    assert timed(*story).misfits == 2
    assert timed((0, start()), (100, read(START + 18)), (160, chips(3))).misfits == 0


@pytest.mark.parametrize("after", range(1, 9))
def test_a_story_left_while_something_is_under_way_comes_to_the_same(after: int) -> None:
    story = (
        *((0, start()), (90, chips(3)), (100, read(START)), (110, read(START + 37))),
        *((200, chips(3)), (300, won(TOP)), (310, paid("e6", "J5/5", START + 37))),
        *((400, chips()), (1_300, chips()), (1_310, read(3))),
    )
    once, twice = timed(*story), timed(*story, stopped_after=after)
    assert [(one.check.name, one.breach.evidence[-1]) for one in once.said] == [
        (RESTART, "e9"),
        (DISPLAY, "e10"),
    ]
    assert (once.said, once.misfits, once.asked) == (twice.said, twice.misfits, twice.asked)
