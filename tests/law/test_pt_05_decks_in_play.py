"""PT art. 5: which decks a game is played with once one of them has left it."""

import pytest

from casino.events.deck_life import DecksDestroyed, DeckWithdrawn
from casino.events.shoes import CardBurned, CardsShuffled, DeckPasses
from casino.law.game_decks import decks_in_play, decks_wanting, gone_from_the_cards
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.games import DAY, DECKS, Game, evening, shuffler_evening
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED
from tests.law.floor_asking import said

RULES = load_law("pt").on(DAY)
STAY = tuple(deck for deck in DECKS if deck != "D-3")
NOT_AGAIN, SHOWN = "withdrawn_deck_not_used", "decks_exhibited_before_shuffle"


def seen(game: Game) -> PartidaContext:
    return PartidaContext(game.dossier(), RULES)


def without(game: Game, deck: str = "D-3", at: str = "20:36") -> Game:
    game.record(DeckWithdrawn, at, deck=deck, reason="damaged")
    return game


def in_play(game: Game) -> tuple[str, ...]:
    return decks_in_play(seen(game))


def test_the_decks_of_the_opening_while_none_has_gone() -> None:
    game = evening()
    assert (in_play(game), decks_wanting(seen(game))) == (DECKS, 0)
    assert decks_in_play(seen(Game(opened=False))) == ()


def test_a_withdrawn_deck_is_out_and_leaves_a_place() -> None:
    game = without(evening(shoes=1, closed=False))
    assert (in_play(game), decks_wanting(seen(game))) == (STAY, 1)


@pytest.mark.parametrize("elsewhere", ["withdrawn", "destroyed"])
def test_a_deck_that_went_outside_the_game_is_out_too(elsewhere: str) -> None:
    game = evening(shoes=1, closed=False)
    if elsewhere == "withdrawn":
        game.beside(DeckWithdrawn(deck="D-3", reason="worn"), "20:36")
    else:
        game.beside(DecksDestroyed(decks=("D-3", "D-9"), method="cut"), "20:36")
    assert in_play(game) == STAY


def test_the_deck_that_was_shown_comes_in_its_place() -> None:
    game = without(evening(shoes=1, closed=False))
    game.show("D-7", "20:50")
    assert (in_play(game), decks_wanting(seen(game))) == ((*STAY, "D-7"), 0)


def test_no_more_come_in_than_went_out() -> None:
    game = evening(shoes=1, closed=False)
    game.show("D-7", "20:30")
    assert in_play(game) == DECKS
    without(game)
    game.show("D-8", "20:50")
    assert in_play(game) == (*STAY, "D-8")  # the one that was shown last


def test_a_deck_that_came_in_may_go_as_well() -> None:
    game = without(evening(shoes=1, closed=False))
    game.show("D-7", "20:50")
    without(game, "D-7", "20:51")
    assert (in_play(game), decks_wanting(seen(game))) == (STAY, 1)
    game.show("D-8", "20:55")
    assert in_play(game) == (*STAY, "D-8")


def test_a_deck_nobody_showed_is_in_play_once_it_was_shuffled() -> None:
    game = without(evening(shoes=1, closed=False))
    decks = tuple(DeckPasses(deck=deck, passes=3) for deck in (*STAY, "D-7"))
    game.record(CardsShuffled, "21:00", shoe=2, decks=decks, method="by_hand")
    assert in_play(game) == (*STAY, "D-7")


def test_a_shoe_holds_a_withdrawn_deck_until_it_is_shuffled_without_it() -> None:
    game = without(evening(shoes=1, closed=False))
    assert gone_from_the_cards(seen(game)) == ("D-3",)
    game.show("D-7", "20:50")
    game.decks = (*STAY, "D-7")
    game.prepare(2, "21:00")
    assert gone_from_the_cards(seen(game)) == ()


def test_a_shuffler_holds_it_until_it_is_emptied() -> None:
    game = without(shuffler_evening(closed=False))
    assert gone_from_the_cards(seen(game)) == ("D-3",)
    game.unload("20:40", reason="damaged_card")
    assert gone_from_the_cards(seen(game)) == ()


# What the judge makes of it


def test_article_5_a_shoe_shuffled_again_without_it_before_a_card_was_dealt_is_lawful() -> None:
    game = Game()
    game.prepare(1, "20:00")
    without(game, at="20:07")
    game.show("D-7", "20:08")
    game.decks = (*STAY, "D-7")
    game.prepare(1, "20:10")
    game.round(1, 1, "20:20")
    assert said(NOT_AGAIN, game) == LAWFUL


def test_article_5_a_round_of_the_shoe_it_was_shuffled_into_is_a_breach() -> None:
    game = without(evening(shoes=1, closed=False))
    game.round(1, 4, "20:45")
    assert said(NOT_AGAIN, game) == BREACH


@pytest.mark.parametrize(("shown", "outcome"), [("20:36", LAWFUL), ("20:37", BREACH)])
def test_article_5_a_deck_is_not_shown_for_a_game_after_it_was_withdrawn(
    shown: str, outcome: str
) -> None:
    game = without(evening(shoes=1, closed=False))
    game.show("D-3", shown)
    assert said(NOT_AGAIN, game) == outcome


def test_article_5_a_withdrawn_deck_that_is_none_of_the_openings_is_not_shown_either() -> None:
    game = evening(shoes=1, closed=False)
    game.beside(DeckWithdrawn(deck="D-9", reason="worn"), "12:00")
    assert said(NOT_AGAIN, game) == NOT_ASKED
    game.show("D-9", "20:50")
    assert said(NOT_AGAIN, game) == BREACH


def test_article_10_a_shuffle_for_the_next_load_undoes_no_burn() -> None:
    game = Game("shuffler")
    game.witness(game.load())
    game.record(CardBurned, "19:58", shoe=1, cards=1)
    game.unload("20:40", reason="damaged_card")
    passes = tuple(DeckPasses(deck=deck, passes=3) for deck in DECKS)
    game.record(CardsShuffled, "20:50", shoe=2, decks=passes, method="by_hand")
    assert said("shoe_is_burnt", game) == LAWFUL


def test_article_7_a_deck_shown_for_the_next_shoe_is_not_late_for_the_first() -> None:
    game = without(evening(shoes=1, closed=False))
    game.show("D-7", "20:50")
    assert said(SHOWN, game) == LAWFUL
