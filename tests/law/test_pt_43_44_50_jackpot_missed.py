"""PT art. 43, 44, 50: wins nobody recorded, starts put in during a game, an order that was not
kept.
"""

import pytest

from casino.law.finding import Breach
from jackpot.events import JackpotStarted
from jackpot.rules.order import in_the_decided_order
from tests.factories.games import Game
from tests.factories.pool_acts import (
    PAIR,
    POOL,
    SEVENS,
    START,
    TOP,
    collected,
    laid,
    played,
    pool_game,
    ref,
    withdrawn,
    won,
)
from tests.factories.rounds import box, hand, main, wager
from tests.law.asking import LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import findings, said, the_finding

UNRECORDED = "jackpot_winning_cards_are_told"
START_CHECK = "jackpot_start_is_high_enough"
ORDER = "jackpot_wins_in_the_decided_order"


def over(game: Game) -> Game:
    """The same, closed: until then a win may still be recorded."""
    game.close()
    return game


def dealt(cards: str, **terms: object) -> Game:
    """A round with a chip on box 1 and these cards, of which nobody recorded a win."""
    game = pool_game(**terms)
    laid(game, cards=cards)
    return over(game)


# Winning cards nobody recorded.


@upholds_case(UNRECORDED, "lawful")
def test_article_43_cards_that_win_nothing_and_wins_that_were_told_are_lawful() -> None:
    assert said(UNRECORDED, dealt("TS 8D")) == LAWFUL
    game = pool_game()
    won(game, f"1 J1 {PAIR}", of=laid(game, cards="8S 8S"))
    assert said(UNRECORDED, over(game)) == LAWFUL


@upholds_case(UNRECORDED, "unlawful")
@pytest.mark.parametrize(
    ("cards", "code", "owed"),
    [("8S 8S", PAIR, 5_000), ("7S 7D 7H", SEVENS, 0), ("AS AS AS AS", TOP, 0)],
)
def test_article_43_winning_cards_nobody_told_of_are_found(
    cards: str, code: str, owed: int
) -> None:
    found = the_finding(UNRECORDED, dealt(cards))
    assert (found.article, found.where["owner"], found.where["box"]) == ("43", "J1", 1)
    assert (found.observed, found.expected) == ({"combination": "none"}, {"combination": code})
    # A share is one of a meter nobody recorded.
    assert (found.owed_cents, found.owed_to) == (owed, "player" if owed else None)


@upholds_case(UNRECORDED, "unlawful")
def test_article_43_a_win_withdrawn_or_told_of_somebody_else_is_none() -> None:
    game = pool_game()
    withdrawn(game, won(game, f"1 J1 {PAIR}", of=laid(game, cards="8S 8S")))
    assert the_finding(UNRECORDED, over(game)).where["owner"] == "J1"
    game = pool_game()
    recorded = laid(game, "1 J1 1, 2 J2 1", cards="8S 8S")
    won(game, f"1 J1 {PAIR}", of=recorded)
    assert the_finding(UNRECORDED, over(game)).where["owner"] == "J2"
    game = pool_game()
    won(game, f"1 J1 {PAIR}", of=laid(game, cards="8S 8S"))
    laid(game, cards="8S 8S", at="20:30")
    assert len(findings(UNRECORDED, over(game))) == 1  # the second round's


@upholds_case(UNRECORDED, "boundary")
def test_article_43_only_the_cards_that_count_decide_and_only_where_a_chip_lay() -> None:
    assert said(UNRECORDED, dealt("TS 2C 8S 8S")) == LAWFUL
    assert said(UNRECORDED, dealt("2S 2C 7S 7D 7H")) == LAWFUL  # a fifth card does not count
    game = pool_game()
    recorded = game.round(1, 1, boxes=(box(1, "8S 8S", main(1000, 2000, "J1")),))
    collected(game, "2 J2 1", round=recorded.event.round)
    assert said(UNRECORDED, over(game)) == UNDECIDED  # nobody recorded the cards of box 2


def test_article_43_until_the_game_is_closed_a_win_may_still_be_told() -> None:
    game = pool_game()
    laid(game, cards="8S 8S")
    assert said(UNRECORDED, game) == NOT_ASKED


def test_article_43_cards_that_were_not_all_told_are_not_decided() -> None:
    assert said(UNRECORDED, dealt("8S 8?")) == UNDECIDED
    game = pool_game()
    laid(game, cards="8S 8S")
    won(game, f"1 J1 {PAIR}")  # of a round nobody named
    assert said(UNRECORDED, over(game)) == UNDECIDED


def test_article_42_a_combination_across_split_hands_hangs_on_its_reading() -> None:
    game = pool_game()
    hands = [hand("7S 7D", "split stand"), hand("7H 2C", "stand", out_of=1)]
    chip = wager("jackpot", 250, 0, "J1", chip=1)
    place = box(1, hands, main(1000, 0, "J1", 1), main(1000, 0, "J1", 2), chip)
    recorded = game.round(1, 1, boxes=(place,), dealt="1 7S, bank TH, 1 7H, bank 7C, 1 7D, 1/2 2C")
    collected(game, round=recorded.event.round)
    found = the_finding(UNRECORDED, over(game))
    assert (found.expected, found.readings) == ({"combination": SEVENS}, ("jackpot-cards",))


# A starting value put in during the game.


def restarted(cents: int, *, chips_after: bool = True) -> Game:
    """A full payout in the middle of a game, and what the house put in then."""
    game = pool_game()
    hit = won(game, f"1 J1 {TOP}", of=laid(game, cards="AS AS AS AS"))
    event = JackpotStarted(
        jackpot=POOL, start_cents=cents, reason="after_full_payout", hit=ref(hit)
    )
    game.beside(event, "20:30")
    if chips_after:
        laid(game, at="20:40")
    return game


@upholds_case(START_CHECK, "unlawful")
@pytest.mark.parametrize("cents", [0, START - 1])
def test_article_44_too_low_a_start_after_a_full_payout_is_found(cents: int) -> None:
    found = the_finding(START_CHECK, restarted(cents))
    assert (found.article, found.observed) == ("44", {"start_cents": cents})
    assert found.expected == {"at_least_cents": START}


@upholds_case(START_CHECK, "boundary")
def test_article_44_a_start_of_exactly_the_least_and_one_nobody_played_on_are_lawful() -> None:
    assert said(START_CHECK, restarted(START)) == LAWFUL
    assert said(START_CHECK, restarted(0, chips_after=False)) == LAWFUL


# Wins at once, at linked tables.


def ordered(*orders: int | None) -> list[object]:
    """What is said of wins with these places, in the order of the book."""
    game = pool_game()
    events = [
        won(game, f"1 J1 {PAIR}", of=played(game, at=f"20:{10 + place}"), order=order)
        for place, order in enumerate(orders)
    ]
    return [
        one.observed | one.expected if isinstance(one, Breach) else one
        for one in in_the_decided_order(events)
    ]


@upholds_case(ORDER, "lawful")
def test_article_50_wins_in_the_order_the_house_decided_are_lawful() -> None:
    assert ordered(1, 2, 3) == [LAWFUL] * 3
    assert ordered(None, None) == [None, None]


@upholds_case(ORDER, "unlawful")
@pytest.mark.parametrize(
    ("orders", "wrong"), [((2, 1), 0), ((1, 3, 2), 1), ((1, None, 2), 2), ((3,), 0)]
)
def test_article_50_wins_in_another_order_than_decided_are_found(
    orders: tuple[int | None, ...], wrong: int
) -> None:
    result = ordered(*orders)[wrong]
    assert isinstance(result, dict)
    assert result["place_decided"] == orders[wrong]
    assert result["place_in_book"] != orders[wrong]


@upholds_case(ORDER, "boundary")
def test_article_50_each_time_the_counting_begins_anew() -> None:
    assert ordered(1, 2, 1, 2) == [LAWFUL] * 4
    assert ordered(1, 2, None, 1) == [LAWFUL, LAWFUL, None, LAWFUL]
