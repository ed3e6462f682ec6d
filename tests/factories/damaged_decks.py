"""A game in which a card is seen to be torn, and what is done about its deck."""

from typing import Any

from casino.events.deck_life import CardReplaced, DeckWithdrawn
from tests.factories.games import CHEFE, Game, evening, moment, shuffler_evening


def damaged(at: str = "20:35", dealing: str = "shoe", **values: Any) -> Game:
    """A card of D-2 is seen to be torn, between the third round and the next shoe."""
    game = evening(shoes=1, closed=False) if dealing == "shoe" else shuffler_evening(closed=False)
    usual = {"category": "damaged_card", "reason": "torn", "deck": "D-2"}
    usual |= {"damaged_cards": ("8S",), "noticed_at": moment(at)}
    game.report(at, **{**usual, **values})
    return game


def withdrawn(game: Game, at: str = "20:36", **values: Any) -> Game:
    game.record(DeckWithdrawn, at, **{"deck": "D-2", "reason": "damaged", **values})
    return game


def exchanged(game: Game, at: str = "20:36", **values: Any) -> Game:
    usual = {"deck": "D-2", "card": "8S", "reason": "damaged", "from_deck": "R-1"}
    usual |= {"replaced_by": CHEFE, "replaced_by_office": "fiscal_chefe", "incident": "I-1"}
    game.record(CardReplaced, at, **{**usual, **values})
    return game


NEW_SET = ("D-1", "D-7", "D-3", "D-4", "D-5", "D-6")


def next_shoe(game: Game, decks: tuple[str, ...] = NEW_SET) -> Game:
    """A deck came in the place of D-2, and the second shoe is dealt."""
    game.show("D-7", "20:50")
    game.decks = decks
    game.prepare(2, "21:00")
    game.round(2, 1, "21:10")
    game.close()
    return game
