"""A game, and what another table tells of itself beside it."""

from dataclasses import replace
from datetime import timedelta

from casino.events.partidas import PartidaClosed
from tests.factories.games import DAY, Game

OTHERS = tuple(f"D-{number}" for number in range(11, 17))


def beside(
    opened: str = "18:00",
    closed: str | None = None,
    *,
    decks: tuple[str, ...] = OTHERS,
    table: str = "BJ-02",
    dealing: str = "shoe",
    number: int = 2,
    yesterday: bool = False,
) -> Game:
    """A game opened at 19:00, and what another tells of itself."""
    game = Game(dealing)
    other = Game(dealing, table=table, opened=False, decks=decks)
    other.partida = f"{table}/{DAY.isoformat()}/{number}"
    other.open(opened, shown=None)
    if closed is not None:
        other.record(PartidaClosed, closed, rounds=0)
    events = other.entries
    if yesterday:
        events = [replace(one, gaming_day=DAY - timedelta(days=1)) for one in events]
    game.around += events
    return game
