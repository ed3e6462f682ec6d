"""PT art. 41, 45, 47, 48: chips that feed the meter, laid, collected and marked as they should."""

from datetime import timedelta
from typing import Any

import pytest

from casino.events.round.round_played import Times
from tests.factories.games import Game, moment
from tests.factories.pool_acts import collected, laid, played, pool_game
from tests.law.asking import LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, said, the_finding

SOURCES = "jackpot_sources_agree"
MARKERS = "jackpot_markers_are_laid"
MAIN_STAKE = "jackpot_chip_has_a_main_stake"
AMOUNT = "jackpot_chip_is_of_the_set_amount"
BEFORE = "jackpot_chips_precede_the_deal"


def recorded(in_round: str | None, in_increment: str | None, marking: str = "manual") -> Game:
    """The chips of one round as its record and as the increment tell them; None: nobody did."""
    game = pool_game(marking=marking)
    one = None if in_round is None else played(game, in_round)
    if in_increment is not None:
        collected(game, in_increment, round=None if one is None else one.event.round)
    return game


@upholds_case(SOURCES, "lawful")
@upholds_case(MARKERS, "lawful")
@upholds_case(MAIN_STAKE, "lawful")
@upholds_case(AMOUNT, "lawful")
@upholds_case(BEFORE, "lawful")
@pytest.mark.parametrize("check", [SOURCES, MARKERS, MAIN_STAKE, AMOUNT, BEFORE])
def test_articles_41_to_48_chips_as_they_should_be_are_lawful(check: str) -> None:
    game = recorded("1 J1 1, 2 J2 1", "1 J1 1, 2 J2 1")
    assert said(check, game) == LAWFUL


@upholds_case(SOURCES, "unlawful")
@pytest.mark.parametrize(
    ("in_round", "in_increment", "marking"),
    [
        ("1 J1 1, 2 J2 1", "1 J1 1", "manual"),
        ("1 J1 1", "1 J1 1, 2 J2 1", "manual"),
        ("1 J1 1", "1 J1 2", "automatic"),
        ("1 J1 1", "2 J1 1", "automatic"),
        ("1 J1 1", None, "manual"),  # the display did not rise
    ],
)
def test_article_41_two_sources_that_differ_are_found(
    in_round: str, in_increment: str | None, marking: str
) -> None:
    game = recorded(in_round, in_increment, marking)
    found = findings(SOURCES, game)
    assert found
    assert {(one.article, one.severity) for one in found} == {("41", "breach")}


@upholds_case(SOURCES, "boundary")
def test_article_41_one_source_alone_is_not_decided() -> None:
    assert said(SOURCES, recorded(None, "1 J1 1")) == UNDECIDED
    assert said(SOURCES, recorded("1 J1 1", None, "automatic")) == UNDECIDED
    silent = pool_game()  # its rounds tell of cards alone
    collected(silent, round=silent.round(1, 1).event.round)
    assert said(SOURCES, silent) == UNDECIDED
    assert said(SOURCES, recorded("2 J2 1, 1 J1 1", "1 J1 1, 2 J2 1", "automatic")) == LAWFUL


@upholds_case(MARKERS, "unlawful")
@pytest.mark.parametrize("chips", ["1 J1 1", "1 J1 1, 4 J4 1"])
def test_article_41_a_chip_no_marker_stands_for_is_found(chips: str) -> None:
    game = pool_game()
    collected(game, chips, marked=False)
    found = findings(MARKERS, game)
    assert len(found) == len(chips.split(","))
    assert found[0].where == {"box": 1, "owner": "J1", "jackpot": "JP-1"}


@upholds_case(MARKERS, "boundary")
def test_article_41_a_marker_nobody_told_of_is_not_decided_and_none_is_asked_of_a_machine() -> None:
    game = pool_game()
    collected(game, marked=None)
    assert said(MARKERS, game) == UNDECIDED
    machine = pool_game(marking="automatic")
    collected(machine, marked=False)
    assert said(MARKERS, machine) == NOT_ASKED


@upholds_case(MAIN_STAKE, "unlawful")
@pytest.mark.parametrize("mains", [{}, {1: "J9"}, {4: "J9"}])
def test_article_45_a_chip_without_a_main_stake_is_found(mains: dict[int, str]) -> None:
    game = pool_game()
    played(game, "1 J1 1", mains=mains)
    found = the_finding(MAIN_STAKE, game)
    assert (found.article, found.readings) == ("45", ())
    assert found.where == {"owner": "J1", "box": 1, "jackpot": "JP-1"}


@upholds_case(MAIN_STAKE, "boundary")
@pytest.mark.parametrize(("reading", "answer"), [("box", "finding"), ("player", LAWFUL)])
def test_article_45_a_main_stake_on_another_box_hangs_on_the_reading(
    reading: str, answer: str
) -> None:
    game = elsewhere()
    assert said(MAIN_STAKE, game, "pt", {"jackpot-main-stake": reading}) == answer
    assert the_finding(MAIN_STAKE, game).readings == ("jackpot-main-stake",)
    assert said(MAIN_STAKE, recorded(None, "1 J1 1")) == UNDECIDED  # nobody recorded the round


def elsewhere() -> Game:
    """A player whose main stake lies on box 1 and whose chip lies on box 2."""
    game = pool_game()
    played(game, "1 J1 1, 2 J1 1", mains={1: "J1", 2: "J2"})
    return game


@upholds_case(AMOUNT, "unlawful")
@pytest.mark.parametrize("cents", [249, 251, 500])
def test_article_47_a_chip_of_another_amount_is_found(cents: int) -> None:
    by_hand, by_round = pool_game(), pool_game()
    collected(by_hand, chip_cents=cents)
    played(by_round, "1 J1 2", chip_cents=cents)
    for game in (by_hand, by_round):
        found = the_finding(AMOUNT, game)
        assert (found.article, found.observed) == ("47", {"chip_cents": cents})
        assert found.expected == {"chip_cents": 250}


@upholds_case(AMOUNT, "boundary")
def test_article_47_two_chips_are_worth_twice_one_and_an_untold_worth_is_not_decided() -> None:
    game = pool_game()
    played(game, "1 J1 2")
    assert said(AMOUNT, game) == LAWFUL
    unrecorded = pool_game()
    collected(unrecorded, chip_cents=None)
    assert said(AMOUNT, unrecorded) == UNDECIDED


def dealt(closed: float | None, **increment: Any) -> Game:
    """Stakes closed so many seconds after the first card, and an increment."""
    game = pool_game()
    first = moment("20:10")
    times = None
    if closed is not None:
        times = Times(stakes_closed=first + timedelta(seconds=closed), first_card=first)
    one = played(game, times=times)
    if increment:
        collected(game, round=one.event.round, **increment)
    return game


@upholds_case(BEFORE, "unlawful")
@pytest.mark.parametrize(
    ("closed", "increment"),
    [
        (1, {}),
        (1, {"collected_before_deal": True}),  # timed goes before attested
        (None, {"collected_before_deal": False}),
        (-4, {"collected_before_deal": False}),  # the clock tells of the main stakes
        (0, {"collected_before_deal": False}),
        (-4, {"closing_called": False}),
    ],
)
def test_article_48_chips_laid_or_collected_after_the_deal_began_are_found(
    closed: float | None, increment: dict[str, Any]
) -> None:
    assert the_finding(BEFORE, dealt(closed, **increment)).article == "48"


@upholds_case(BEFORE, "boundary")
def test_article_48_of_one_moment_no_order_can_be_said() -> None:
    assert said(BEFORE, dealt(0)) == LAWFUL
    assert said(BEFORE, dealt(-4, collected_before_deal=None)) == LAWFUL
    assert said(BEFORE, dealt(None)) == UNDECIDED
    assert said(BEFORE, dealt(-4, closing_called=None)) == UNDECIDED


def test_each_round_is_judged_by_itself() -> None:
    game = pool_game()
    laid(game)
    laid(game, "1 J1 1", at="20:20", mains={})
    assert len(findings(MAIN_STAKE, game)) == 1
    assert len(findings(SOURCES, game)) == 0
