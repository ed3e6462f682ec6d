"""Games in which jackpot chips are collected, told apart or with their round."""

from typing import Any

from jackpot.events import JackpotChip, JackpotIncremented
from tests.factories.games import Game
from tests.factories.rounds import box, main, wager

ROUND, OTHER = (f"00000000-0000-4000-8000-00000000010{n}" for n in (1, 2))


def increment(game: Game, chips: str, at: str = "20:10", **known: Any) -> None:
    """``"1 J1 1, 2 J2 1"``: box, owner and number of chips."""
    listed = tuple(
        JackpotChip(box=int(where), owner=owner, n=int(n))
        for where, owner, n in (one.split() for one in chips.split(","))
    )
    game.record(JackpotIncremented, at, jackpot=known.pop("jackpot", "JP-1"), chips=listed, **known)


def collected(*chips: str, **known: Any) -> Game:
    """Each text an increment of its own, all of one round unless said otherwise."""
    game = Game()
    for one in chips:
        increment(game, one, **{"round": ROUND, **known})
    return game


def staked(*chips: tuple[int, str, int]) -> Game:
    """A round whose own record tells the jackpot chips: box, owner, number."""
    game = Game()
    boxes = [
        box(
            place,
            "TS 8D",
            main(1000, 2000),
            *(wager("jackpot", 250 * n, 0, owner, chip=n) for on, owner, n in chips if on == place),
        )
        for place in sorted({on for on, _, _ in chips})
    ]
    game.round(1, 1, boxes=boxes)
    return game
