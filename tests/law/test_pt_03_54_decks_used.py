"""PT art. 3, 8, 53 and 54: the decks that are shuffled and loaded are those of the game."""

from typing import Any

import pytest

from casino.events.deck_life import DeckWithdrawn
from casino.events.shoes import DeckPasses
from tests.factories.games import DECKS, Game, evening, shuffler_evening
from tests.law.asking import BREACH, LAWFUL, NOT_ASKED, UNDECIDED
from tests.law.casebook import upholds_case
from tests.law.floor_asking import cited, said, the_finding

LOADED, SHUFFLED = "loaded_decks_are_the_games", "shoe_is_shuffled"
SEVENTH = (*DECKS, "D-7")
EXCHANGED = ("D-7", *DECKS[1:])


def loaded(decks: tuple[str, ...] = DECKS, **known: Any) -> Game:
    """A shuffler loaded with these decks, all of them shown and shuffled."""
    game = Game("shuffler")
    for deck in decks:
        if deck not in DECKS:
            game.show(deck, "19:31")
    game.witness(game.load(decks=decks, **known))
    return game


@upholds_case(LOADED, "lawful")
@pytest.mark.parametrize("cards", [None, 312])
def test_article_3_all_decks_of_the_game_are_loaded(cards: int | None) -> None:
    assert said(LOADED, loaded(cards=cards)) == LAWFUL
    assert said(LOADED, shuffler_evening()) == LAWFUL
    assert said(LOADED, evening()) == NOT_ASKED


@upholds_case(LOADED, "unlawful")
@pytest.mark.parametrize(
    ("decks", "observed"),
    [
        (DECKS[1:], {"left_out": ["D-1"]}),
        (SEVENTH, {"decks_beside": ["D-7"]}),
        (EXCHANGED, {"left_out": ["D-1"], "decks_beside": ["D-7"]}),
        (DECKS[:4], {"left_out": ["D-5", "D-6"]}),
    ],
)
def test_article_3_another_set_than_the_games_is_found(
    decks: tuple[str, ...], observed: dict[str, Any]
) -> None:
    game = loaded(decks)
    found = the_finding(LOADED, game)
    assert (found.article, found.severity, found.where) == ("3", "breach", {"load": 1})
    assert (found.observed, found.expected) == (observed, {name: [] for name in observed})
    assert cited(game) == ["3 loaded_decks_are_the_games"]


@upholds_case(LOADED, "unlawful")
@pytest.mark.parametrize("cards", [300, 311, 313, 364])
def test_article_3_a_set_with_another_number_of_cards_is_found(cards: int) -> None:
    found = the_finding(LOADED, loaded(cards=cards))
    assert (found.observed, found.expected) == ({"cards": cards}, {"cards": 312})


@upholds_case(LOADED, "boundary")
@pytest.mark.parametrize(("at", "answer"), [("19:45", LAWFUL), ("19:45:01", BREACH)])
def test_article_3_another_deck_stands_for_one_withdrawn_by_then(at: str, answer: str) -> None:
    game = loaded(EXCHANGED)
    game.record(DeckWithdrawn, at, deck="D-1", reason="damaged")
    assert said(LOADED, game) == answer


@upholds_case(LOADED, "boundary")
def test_article_3_for_one_deck_withdrawn_one_comes_and_not_two() -> None:
    two = loaded(("D-7", "D-8", *DECKS[1:]))
    two.record(DeckWithdrawn, "19:40", deck="D-1", reason="damaged")
    assert the_finding(LOADED, two).observed == {"decks_beside": ["D-7", "D-8"]}
    none = loaded(DECKS[1:])
    none.record(DeckWithdrawn, "19:40", deck="D-1", reason="damaged")
    assert the_finding(LOADED, none).observed == {"left_out": ["D-1"]}


def test_article_3_without_the_opening_nobody_knows_the_games_decks() -> None:
    game = Game("shuffler", opened=False)
    game.load()
    assert said(LOADED, game) == UNDECIDED


# A shoe


def shuffled(decks: tuple[str, ...], **known: Any) -> Game:
    """A second shoe of these decks."""
    game = evening(shoes=1, closed=False)
    for deck in decks:
        if deck not in DECKS:
            game.show(deck, "20:50")
    passes = tuple(DeckPasses(deck=deck, passes=3) for deck in decks)
    game.prepare(2, "21:00", shuffle={"decks": passes, **known})
    game.round(2, 1, "21:10")
    return game


@upholds_case(SHUFFLED, "unlawful")
def test_article_8_a_deck_shuffled_in_that_is_not_of_the_game_is_found() -> None:
    found = the_finding(SHUFFLED, shuffled(SEVENTH))
    assert (found.article, found.where) == ("8", {"shoe": 2})
    assert (found.observed, found.expected) == ({"decks_beside": ["D-7"]}, {"decks_beside": []})


@upholds_case(SHUFFLED, "unlawful")
@pytest.mark.parametrize("cards", [300, 311, 313])
def test_article_8_a_shuffle_of_other_than_all_the_cards_is_found(cards: int) -> None:
    found = the_finding(SHUFFLED, shuffled(DECKS, cards=cards))
    assert (found.observed, found.expected) == ({"cards": cards}, {"cards": 312})


@upholds_case(SHUFFLED, "boundary")
@pytest.mark.parametrize(("at", "answer"), [("21:00", LAWFUL), ("21:00:01", BREACH)])
def test_article_8_a_deck_that_stands_for_one_withdrawn_is_of_the_game(
    at: str, answer: str
) -> None:
    game = shuffled(EXCHANGED, cards=312)
    game.record(DeckWithdrawn, at, deck="D-1", reason="damaged")
    assert said(SHUFFLED, game) == answer


@upholds_case(SHUFFLED, "boundary")
@pytest.mark.parametrize(("at", "answer"), [("21:00", LAWFUL), ("21:00:01", BREACH)])
def test_article_8_a_seventh_deck_stands_for_none_that_is_withdrawn_later(
    at: str, answer: str
) -> None:
    game = shuffled(SEVENTH)
    game.record(DeckWithdrawn, at, deck="D-1", reason="damaged")
    assert said(SHUFFLED, game) == answer  # used when withdrawn: article 5's matter


def test_article_8_a_withdrawn_deck_that_is_shuffled_was_not_left_out() -> None:
    game = shuffled(DECKS)
    game.record(DeckWithdrawn, "20:59", deck="D-1", reason="damaged")
    game.record(DeckWithdrawn, "20:59", deck="D-7", reason="damaged")
    assert said(SHUFFLED, game) == LAWFUL  # that it was used all the same is article 5's matter
