"""Games at tables registered, opened and marked otherwise than usual."""

from typing import Any

from casino.events.partidas import PartidaOpened, SpecialCard
from casino.events.tables import StakeLimits, TableRegistered
from tests.factories.games import Game, evening
from tests.factories.rounds import box, main


def table(**values: Any) -> Game:
    game = evening()
    game.outside(TableRegistered, **values)
    return game


def played_on(*boxes: int, marked: int = 6) -> Game:
    game = table(boxes=marked)
    game.round(1, 4, "20:40", boxes=tuple(box(n, "TS 8D", main(1000, 2000)) for n in boxes))
    return game


def cards(cut: str, warning: str, **values: Any) -> Game:
    """``cards("red red", "yellow green")``: the faces of the cut card and of the warning card."""
    faces = [SpecialCard(front=one.split()[0], back=one.split()[1]) for one in (cut, warning)]
    game = Game(cut_card=faces[0], carta_aviso=faces[1], **values)
    game.prepare(1)
    return game


def opened_with(minimum: int, maximum: int) -> Game:
    game = evening()
    limits = StakeLimits(minimum_cents=minimum, maximum_cents=maximum)
    game.change(PartidaOpened, limits=limits)
    return game


def with_decks(count: int) -> Game:
    game = Game(decks=tuple(f"D-{n}" for n in range(1, count + 1)))
    game.prepare(1)
    game.round(1, 1, "20:10")
    return game
