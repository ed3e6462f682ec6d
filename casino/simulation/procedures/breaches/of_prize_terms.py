"""A progressive prize played for by terms nobody set, made known or confirmed, or begun too low.

What is wrong with a prize as a whole is found in every partida in which it was played for.
Law: PT art. 38 to 40, 42, 44, 50.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Final, NamedTuple

from casino.simulation.procedures.breaches.breaking import Breach, Place, ProceduralEvening, Spot
from casino.simulation.procedures.procedure_acts import Partida, later
from casino.simulation.procedures.simulated_pools import TIMES, WHOLE, Pool
from casino.tlog.canonical import instant_text

STARTED: Final = "jackpot-started/1"
NINE_TENTHS: Final = 9 * WHOLE // 10


class Prize(NamedTuple):
    """A prize of an evening, and the partidas in which it was played for."""

    evening: ProceduralEvening
    pool: Pool
    games: list[Partida]

    @property
    def emptied(self) -> bool:
        """Whether somebody won everything: what follows from that is not what is broken here."""
        return any(game.named(STARTED) for game in self.games)


Break = Callable[[Prize], Iterable[Partida]]


def of_pool(
    broken: Break,
    breach: Breach,
    evening: ProceduralEvening,
    rng: Random,
    *,
    named: bool = False,
    due: bool = True,
) -> Iterable[Spot] | None:
    """A breach of a prize as a whole.

    `broken` makes it, and gives back the partidas in which it shows. `named` is whether a finding
    names the terms, `due` whether anything is due for a win all the same: if not, every payment is
    a breach too.
    """
    for pool, here in evening.lawful_pools(breach, rng):
        where: Place = {"jackpot": pool.code}
        if named:
            where["terms"] = pool.terms.event.final["terms"]
        shown = list(broken(Prize(evening, pool, here)))
        if shown:
            paid = () if due else _payments(pool, here)
            return [*(Spot(game.name, breach.check, where) for game in shown), *paid]
    return None


def _payments(pool: Pool, games: list[Partida]) -> Iterator[Spot]:
    """Every payment, as the prize's whole story shows it."""
    for game in games:
        for act in game.named("jackpot-paid/1"):
            value = act.event.final
            where: Place = {"jackpot": pool.code, "owner": value["owner"], "box": value["box"]}
            yield Spot("", "jackpot_prizes_follow_the_meter", where)


def terms(prize: Prize, *, without: Sequence[str] = (), **values: object) -> Iterable[Partida]:
    """Its terms say something else, or leave something out."""
    prize.pool.terms.change(**values, **dict.fromkeys(without))
    return prize.games


def terms_dated(prize: Prize, *, field: str, days: int) -> Iterable[Partida]:
    """A date of the terms lies so many days after the evening."""
    prize.pool.terms.change(**{field: (prize.evening.day + timedelta(days=days)).isoformat()})
    return prize.games


def terms_reaching_back(prize: Prize) -> Iterable[Partida]:
    """Put down as if they had been in force ten days before."""
    prize.pool.terms.change(valid_from=instant_text(prize.pool.terms.at - timedelta(days=10)))
    return prize.games


def terms_never_confirmed(prize: Prize) -> Iterable[Partida]:
    if prize.emptied:
        return []
    prize.pool.drop(prize.pool.confirmed)
    return prize.games


def terms_confirmed_late(prize: Prize) -> Iterable[Partida]:
    """When the evening was over."""
    if prize.emptied:
        return []
    last = max(act.known_at for game in prize.games for act in game.acts)
    prize.pool.confirmed.at = later(last, 3)
    return prize.games


def terms_not_yet_valid(prize: Prize) -> Iterable[Partida]:
    """They hold from ten days after the evening on only."""
    if prize.emptied:
        return []
    until = timedelta(days=(prize.evening.day - prize.pool.terms.at.date()).days + 10)
    prize.pool.terms.change(valid_from=instant_text(prize.pool.terms.at + until))
    return prize.games


def table_of_the_prize(prize: Prize, **values: object) -> Iterable[Partida]:
    """One of its tables is registered otherwise."""
    table = prize.games[0].table
    prize.evening.registration(table).change(**values)
    return [game for game in prize.games if game.table == table]


def started_too_low(prize: Prize) -> Iterable[Partida]:
    """A cent below ten thousand chips: shown where nobody put a lawful value in since."""
    prize.pool.started.change(start_cents=prize.pool.chip_cents * TIMES - 1)
    again = [act.known_at for game in prize.games for act in game.named(STARTED)]
    return [game for game in prize.games if not any(at < min(_chips(game)) for at in again)]


def started_again_too_low(prize: Prize) -> Iterable[Partida]:
    """The same after everything was won: shown wherever chips are laid afterwards."""
    starts = [act for game in prize.games for act in game.named(STARTED)]
    if len(starts) != 1:
        return []
    starts[0].change(start_cents=prize.pool.chip_cents * TIMES - 1)
    return [game for game in prize.games if max(_chips(game)) > starts[0].known_at]


def _chips(game: Partida) -> list[datetime]:
    """When chips of a partida were recorded."""
    rounds = [
        act.known_at
        for act in game.rounds
        if any(wager.kind == "jackpot" for box in act.event.boxes for wager in box.wagers)
    ]
    return [*rounds, *(act.known_at for act in game.named("jackpot-incremented/1"))]


def no_top_combination(prize: Prize) -> Iterable[Partida]:
    """The highest combination wins nine tenths, and nothing wins the rest."""
    highest, *others = prize.pool.table.prizes
    if prize.emptied:
        return []
    prizes = (replace(highest, share=NINE_TENTHS), *others)
    prize.pool.table = replace(prize.pool.table, prizes=prizes)
    prize.pool.terms.change(lines=[one.line for one in prizes])
    return prize.games
