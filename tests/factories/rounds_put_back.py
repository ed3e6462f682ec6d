"""Rounds at a shuffler, put back in time, late or never."""

from casino.events.floor_life import RoundsDeferred
from tests.factories.games import Game


def rounds(
    *put_back: str | None, waiting: str = "", why: str = "shuffler_full", **values: str | None
) -> Game:
    """Rounds at 20:10, 20:20 ..., put back then; ``waiting="1 2"``: those had to wait."""
    game = Game("shuffler")
    game.witness(game.load())
    dealt = [
        game.put_back(1, number, f"20:{10 * number}", inserted=at, **values)
        for number, at in enumerate(put_back, 1)
    ]
    names = tuple(dealt[int(number) - 1].event.round for number in waiting.split())
    if names:
        game.record(RoundsDeferred, "20:13", rounds=names, reason=why)
    return game
