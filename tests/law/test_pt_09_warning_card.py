"""PT art. 9: the warning card, where it lies and where it comes out."""

from typing import Any

import pytest

from casino.events.partidas import SpecialCard
from casino.events.shoes import CardBurned, CartaAvisoPlaced
from tests.factories.ends_of_shoes import came_out
from tests.factories.games import DECKS, LEFT_OUT, Game, evening, shuffler_evening
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import said, the_finding

PLACED, AT, NEAR = (
    "warning_card_is_placed",
    "warning_card_at_its_place",
    "warning_card_near_its_place",
)
BURNT = "shoe_is_burnt"
UNLIKE, COMES_OUT = "warning_card_unlike_cut_card", "warning_card_comes_out_where_placed"


def warned(from_end: int, players: int = 3, **known: Any) -> Game:
    """One shoe whose warning card lies so many cards from the end."""
    game = Game()
    game.prepare(1, warning={"cards_from_end": from_end, "players": players, **known})
    game.round(1, 1, "20:10")
    return game


@upholds_case(PLACED, "lawful")
@upholds_case(AT, "lawful")
@upholds_case(NEAR, "lawful")
@upholds_case(UNLIKE, "lawful")
def test_article_9_the_warning_card_lies_fifty_cards_from_the_end() -> None:
    game = warned(50)
    assert {said(check, game) for check in (PLACED, AT, NEAR, UNLIKE)} == {LAWFUL}


@upholds_case(PLACED, "unlawful")
@pytest.mark.parametrize("shoe", [1, 2])
def test_article_9_a_shoe_without_one_is_found(shoe: int) -> None:
    game = evening()
    game.drop(CartaAvisoPlaced, shoe=shoe)
    found = the_finding(PLACED, game)
    assert (found.article, found.where, found.observed) == ("9", {"shoe": shoe}, {"warnings": 0})


@upholds_case(PLACED, "boundary")
def test_article_9_none_with_a_shuffler_and_none_before_play() -> None:
    assert said(PLACED, shuffler_evening()) == NOT_ASKED
    game = Game()
    game.prepare(1, warning=LEFT_OUT, burn=LEFT_OUT)
    assert said(PLACED, game) == NOT_ASKED


def not_begun(shoe: int, **closing: Any) -> Game:
    """A game without rounds on record, closed when its last shoe was shuffled and cut."""
    game = Game()
    for number in range(1, shoe):
        game.prepare(number, f"2{number - 1}:00")
    game.prepare(shoe, f"2{shoe - 1}:00", warning=LEFT_OUT, burn=LEFT_OUT)
    game.close(**closing)
    return game


@upholds_case(PLACED, "unlawful")
@upholds_case(BURNT, "unlawful")
@pytest.mark.parametrize("check", [PLACED, BURNT])
def test_articles_9_and_10_the_rounds_of_a_closing_were_dealt_from_the_only_shoe(
    check: str,
) -> None:
    found = the_finding(check, not_begun(1, rounds=5))
    assert found.where == {"shoe": 1}


@upholds_case(PLACED, "boundary")
@upholds_case(BURNT, "boundary")
@pytest.mark.parametrize("check", [PLACED, BURNT])
def test_articles_9_and_10_a_shoe_that_was_cut_and_not_begun_is_no_breach(check: str) -> None:
    assert said(check, not_begun(1, rounds=0)) == NOT_ASKED
    for closing in ({"rounds": 5}, {}):
        assert said(check, not_begun(2, **closing)) == UNDECIDED
    of_the_first = not_begun(2, rounds=1)
    of_the_first.round(1, 1, "20:10")
    assert said(check, of_the_first) == LAWFUL  # and of its second shoe nothing is asked
    of_any = not_begun(2, rounds=2)
    of_any.round(None, None, "20:10")
    assert said(check, of_any) == UNDECIDED


@upholds_case(PLACED, "boundary")
@upholds_case(BURNT, "boundary")
@pytest.mark.parametrize("check", [PLACED, BURNT])
def test_articles_9_and_10_a_shoe_set_aside_before_the_next_is_no_breach(check: str) -> None:
    game = not_begun(2)
    game.prepare(3, "22:00")
    assert the_finding(check, game).where == {"shoe": 2}  # the next shoe shows play went past it
    game.round(1, 1, "20:10")
    game.round(3, 1, "22:10")
    assert said(check, game) == UNDECIDED  # no round on record is of it
    game.round(2, 1, "21:10")
    assert the_finding(check, game).where == {"shoe": 2}


@upholds_case(AT, "boundary")
@upholds_case(NEAR, "boundary")
@pytest.mark.parametrize(
    ("from_end", "at", "near"),
    [
        (45, LAWFUL, LAWFUL),
        (55, LAWFUL, LAWFUL),
        (44, LAWFUL, BREACH),
        (56, LAWFUL, BREACH),
        (35, LAWFUL, BREACH),
        (65, LAWFUL, BREACH),
        (34, BREACH, NOT_ASKED),
        (66, BREACH, NOT_ASKED),
    ],
)
def test_article_9_five_cards_off_are_near_and_fifteen_are_a_warning(
    from_end: int, at: str, near: str
) -> None:
    assert (said(AT, warned(from_end)), said(NEAR, warned(from_end))) == (at, near)


@upholds_case(AT, "unlawful")
@pytest.mark.parametrize("from_end", [0, 34, 66, 156])
def test_article_9_more_than_fifteen_off_is_a_breach(from_end: int) -> None:
    found = the_finding(AT, warned(from_end))
    assert (found.article, found.severity, found.where) == ("9", "breach", {"shoe": 1})
    assert found.observed == {"cards_from_end": from_end}
    assert found.expected == {"cards_from_end": 50, "tolerance": 15}


@upholds_case(NEAR, "unlawful")
@pytest.mark.parametrize("from_end", [44, 60])
def test_article_9_more_than_five_off_is_a_warning(from_end: int) -> None:
    found = the_finding(NEAR, warned(from_end))
    assert (found.article, found.severity) == ("9", "warning")
    assert found.expected == {"cards_from_end": 50, "tolerance": 5}


@pytest.mark.parametrize(
    ("from_end", "said_of_it"), [(156, LAWFUL), (171, LAWFUL), (172, BREACH), (50, BREACH)]
)
def test_article_9_with_one_player_it_lies_in_the_middle(from_end: int, said_of_it: str) -> None:
    assert said(AT, warned(from_end, players=1)) == said_of_it


def test_article_9_the_middle_is_that_of_the_cards_there_are() -> None:
    four = Game(decks=DECKS[:4])
    four.prepare(1, warning={"cards_from_end": 104, "players": 1})
    assert said(NEAR, four) == LAWFUL
    unrecorded = Game(opened=False)
    unrecorded.prepare(1, warning={"cards_from_end": 104, "players": 1})
    assert said(AT, unrecorded) == UNDECIDED
    unrecorded.change(CartaAvisoPlaced, cards_in_shoe=208)
    assert said(AT, unrecorded) == LAWFUL


def colours(front: str, back: str) -> SpecialCard:
    return SpecialCard(front=front, back=back)


@upholds_case(UNLIKE, "unlawful")
@pytest.mark.parametrize(
    ("card", "shared"), [(("red", "red"), ["red"]), (("yellow", "red"), ["red"])]
)
def test_article_9_a_card_of_the_cut_cards_colour_is_found(
    card: tuple[str, str], shared: list[str]
) -> None:
    found = the_finding(UNLIKE, warned(50, colours=colours(*card)))
    assert (found.article, found.observed, found.expected) == (
        "9",
        {"colours": shared},
        {"colours": []},
    )


@upholds_case(UNLIKE, "boundary")
def test_article_9_a_colour_nobody_told_is_not_decidable() -> None:
    assert said(UNLIKE, warned(50, colours=colours("green", "green"))) == LAWFUL
    for unrecorded in ("cut_card", "carta_aviso"):
        game = Game(**{unrecorded: None})
        game.prepare(1)
        assert said(UNLIKE, game) == UNDECIDED


@upholds_case(COMES_OUT, "lawful")
def test_article_9_the_card_comes_out_where_it_lay() -> None:
    # 104 cards, one burnt, six in the first round, two of the second: 95 behind it.
    assert said(COMES_OUT, came_out(95, 2)) == LAWFUL


@upholds_case(COMES_OUT, "unlawful")
@pytest.mark.parametrize(("from_end", "behind"), [(50, 95), (101, 95)])
def test_article_9_and_is_found_where_it_does_not(from_end: int, behind: int) -> None:
    found = the_finding(COMES_OUT, came_out(from_end, 2))
    assert (found.article, found.severity) == ("9", "warning")
    assert (found.observed, found.expected) == (
        {"cards_from_end": behind},
        {"cards_from_end": from_end, "tolerance": 5},
    )


@upholds_case(COMES_OUT, "boundary")
def test_article_9_it_is_counted_only_where_every_card_before_it_is_told() -> None:
    assert said(COMES_OUT, came_out(100, 2)) == LAWFUL  # five off
    game = came_out(50, 2)
    game.drop(CardBurned)
    assert said(COMES_OUT, game) == UNDECIDED
    gap = came_out(50, 2, rounds=3)
    gap.entries = [t for t in gap.entries if getattr(t.event, "number", None) != 2]
    assert said(COMES_OUT, gap) == UNDECIDED
    assert said(COMES_OUT, warned(50)) == NOT_ASKED
