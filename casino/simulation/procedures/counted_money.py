"""The money of a simulated game: chips brought, counted between and at the closing, and its drop.

Written when all its rounds are: what was sold is what its rounds and its counts leave for it, so
that the chips at the closing are those of the game. A wish, `gone`, is what of them is not there.
"""

from collections.abc import Sequence
from typing import Final

from casino.events.floor_life import ChipsCounted, CountedWhen, DropCounted
from casino.events.partidas import ChipCount
from casino.simulation.procedures.procedure_acts import MINUTE, SECOND, Act, Partida

SOLD: Final = 50_000  # at the least, cents
CHIPS_FOR_PRIZES: Final = "jackpot"  # the kind of wager whose chips go to their pool
UNCOUNTED: Final = "uncounted"  # a wish: nobody counted the drop


def count_money(game: Partida) -> None:
    """Count what a game has come to; what was written of it before is written anew."""
    written = [*game.of(DropCounted), *_counted(game, "interim"), *_counted(game, "fill")]
    game.drop(*written)
    opening, closing, rounds = _counted(game, "opening"), _counted(game, "closing"), game.rounds
    if not opening or not closing or len(rounds) < 2:
        return
    began, half = _worth(opening[-1]), rounds[: len(rounds) // 2]
    gone: int = game.wishes.get("gone", 0)
    left = began + _kept(rounds) - gone - _worth(closing[-1])
    brought = 0
    if left < SOLD:
        dearest = max(value for value, _ in game.house.chips)
        brought = -((left - SOLD) // dearest) * dearest
        _count(game, half[0], "fill", brought)
    drop = left + brought
    there = began + brought + _kept(half)
    least = min(value for value, _ in game.house.chips)
    sold = drop // 2 // least * least + there % least
    _count(game, half[-1], "interim", there - sold)
    if game.wishes.get(UNCOUNTED):
        return
    for at, cash in ((half[-1].at + SECOND, sold), (game.ends + MINUTE, drop - sold)):
        game.record(
            game.ends + 20 * MINUTE,
            DropCounted,
            cash_cents=cash,
            taken_at=at,
            counted_by=game.chefe.staff,
            second=game.pit.staff,
        )


def _counted(game: Partida, moment: CountedWhen) -> list[Act]:
    return game.of(ChipsCounted, moment=moment)


def _worth(act: Act) -> int:
    return sum(one.value_cents * one.count for one in act.event.counts)


def _kept(acts: Sequence[Act]) -> int:
    """What the table kept of these rounds, cents."""
    return sum(
        wager.stake_cents - wager.returned_cents
        for act in acts
        for box in act.event.boxes
        for wager in box.wagers
        if wager.kind != CHIPS_FOR_PRIZES
    )


def _count(game: Partida, act: Act, moment: CountedWhen, cents: int) -> None:
    """The chips, counted by two after a round: as many of each value as a float has, at most."""
    counts, left = list[ChipCount](), cents
    for value, most in sorted(game.house.chips, reverse=True):
        smallest = value == min(each for each, _ in game.house.chips)
        many = left // value if smallest or moment == "fill" else min(most, left // value)
        counts.append(ChipCount(value_cents=value, count=many))
        left -= many * value
    game.record(
        act.at + SECOND,
        ChipsCounted,
        moment=moment,
        counts=tuple(counts),
        pagador=act.event.dealer or _counted(game, "opening")[-1].event.pagador,
        second=game.pit.staff,
    )
