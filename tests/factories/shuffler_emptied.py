"""Shufflers emptied at the closing, and their decks put in order."""

from dataclasses import replace
from typing import Any

from casino.events.decks import DeckInspected
from casino.events.floor_life import PartidaReopened
from casino.events.shoes import CardBurned
from casino.events.shufflers import ShufflerUnloaded
from tests.factories.games import CHEFE, DECKS, Game, moment, shuffler_evening


def emptied(witness: str | None = CHEFE, **values: Any) -> Game:
    """A shuffler game closed at 03:00; `values` are the fields of the unload at 02:40."""
    known = values.pop("known", {})
    game = shuffler_evening(closed=False)
    act = game.unload("02:40", **values)
    if witness:
        game.witness(act, witness, **known)
    for deck in DECKS:
        game.order(deck)
    game.close(packed=False, closing_announced_at=moment("02:30"))
    return game


def reopened(*, announced: str = "03:45", ordered: bool = True) -> Game:
    """Closed at 03:00, opened again at 03:10, loaded, played, emptied at 03:50, closed at 04:00."""
    game = emptied()
    game.record(PartidaReopened, "03:10", reason="mistake")
    game.witness(game.load("03:15"))
    game.record(CardBurned, "03:20", shoe=2, cards=1)
    game.put_back(2, 1, "03:30")
    game.witness(game.unload("03:50"))
    for deck in DECKS if ordered else ():
        game.order(deck, "03:55")
    game.close("04:00", packed=False, closing_announced_at=moment(announced))
    return game


def word_at(at: str) -> Game:
    """His word was recorded at `at`; the unload was at 02:41."""
    game = emptied(None)
    act = next(
        recorded for recorded in game.entries if isinstance(recorded.event, ShufflerUnloaded)
    )
    recorded = game.witness(act, CHEFE, "02:42")
    game.entries[-1] = replace(recorded, recorded_at=moment(at))
    return game


def but(deck: str, **otherwise: Any) -> Game:
    """A closed game in which one deck was ordered otherwise; nobody did without more."""
    game = emptied()
    place = next(n for n, recorded in enumerate(game.entries) if _ordered(recorded, deck))
    if not otherwise:
        del game.entries[place]
    else:
        recorded = game.entries.pop(place)
        game.entries.insert(place, game.order(deck, "02:50", **otherwise))
        game.entries.pop()
        assert recorded.event.deck == deck
    return game


def _ordered(value: Any, deck: str) -> bool:
    event = value.event
    return isinstance(event, DeckInspected) and (event.deck, event.moment) == (deck, "close")


def reported(deck: str | None, category: str = "deck_defect", at: str = "02:52") -> Game:
    """The deck was put in order at 02:50."""
    game = but("D-4", cards=51)
    game.report(at, incident="I-9", category=category, reason="missing", deck=deck)
    return game
