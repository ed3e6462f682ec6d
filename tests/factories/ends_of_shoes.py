"""Games whose shoe comes to its end: announced, laid out, or at its warning card."""

from typing import Any

from casino.events.shoes import CardsSpread, LastRoundAnnounced
from tests.factories.games import DECKS, Game, cut_by, evening
from tests.factories.rounds import box, main


def last_round(announced: str | None = "20:30:20", out_in: int = 3, **values: Any) -> Game:
    """A shoe whose warning card came out in a round; three were played; then a second shoe."""
    game = Game()
    game.prepare(1, "20:00")
    names = {}
    for number in (1, 2, 3):
        card = 4 if number == out_in else None
        played = game.round(1, number, f"20:{10 * number}", warning_card_at=card)
        names[number] = played.event.round
    if announced:
        usual = {"shoe": 1, "number": 3, "came_out": "during_round", "audible": True}
        game.record(LastRoundAnnounced, announced, **{**usual, **values})
    game.prepare(2, "21:00")
    game.close()
    return game


def announced(**values: Any) -> Game:
    """Three rounds at 20:10, 20:20 and 20:30, none of which tells of the warning card."""
    return last_round("20:20:30", out_in=0, **{"number": 2, **values})


def laid_out(at: str = "20:35", **values: Any) -> Game:
    """Three rounds of a shoe, then its cards laid out, then a second shoe."""
    game = evening(shoes=1, closed=False)
    usual = {"shoe": 1, "reason": "no_players", "face_up": True}
    game.record(CardsSpread, at, **{**usual, **values})
    game.prepare(2, "21:00", cut={**cut_by(1), "after": "interruption"})
    game.round(2, 1, "21:10")
    return game


def came_out(from_end: int, at: int, rounds: int = 2) -> Game:
    """A shoe of two decks; its warning card came out in the last of some rounds of six cards."""
    game = Game(decks=DECKS[:2])
    game.prepare(1, warning={"cards_from_end": from_end, "players": 3})
    boxes = box(1, "TS 8D", main(1000, 2000)), box(2, "TS 8D", main(1000, 2000))
    for number in range(1, rounds + 1):
        last = number == rounds
        known = {"warning_card_at": at} if last else {}
        game.round(1, number, f"20:{9 + number}", boxes=boxes, **known)
    return game
