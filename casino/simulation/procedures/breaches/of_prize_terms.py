"""A progressive prize played for by terms nobody set, made known or confirmed, or begun too low.

What is wrong with a prize as a whole is found in every partida in which it was played for.
Law: PT art. 38 to 40, 42, 44, 50.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from casino.simulation.procedures.breaches.breaking import Breach, Place, ProceduralEvening, Spot
from casino.simulation.procedures.procedure_acts import Partida, later
from casino.simulation.procedures.simulated_pools import TIMES, WHOLE, Pool
from casino.tlog.canonical import instant_text

STARTED: Final = "jackpot-started/1"
NINE_TENTHS: Final = 9 * WHOLE // 10
Break = Callable[[ProceduralEvening, Pool, list[Partida]], Iterable[Partida]]


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

    `broken` makes it, given the partidas in which the prize was played for, and gives back those in
    which it shows. `named` is whether a finding names the terms, `due` whether anything is due for
    a win all the same: if not, every payment is a breach too.
    """
    for pool, here in evening.lawful_pools(breach, rng):
        where: Place = {"jackpot": pool.code}
        if named:
            where["terms"] = pool.terms.event.final["terms"]
        shown = list(broken(evening, pool, here))
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


def terms(
    evening: ProceduralEvening,
    pool: Pool,
    here: list[Partida],
    *,
    without: Sequence[str] = (),
    **values: Any,
) -> Iterable[Partida]:
    """Its terms say something else, or leave something out."""
    pool.terms.change(**values, **dict.fromkeys(without))
    return here


def terms_dated(
    evening: ProceduralEvening, pool: Pool, here: list[Partida], *, field: str, days: int
) -> Iterable[Partida]:
    """A date of the terms lies so many days after the evening."""
    pool.terms.change(**{field: (evening.day + timedelta(days=days)).isoformat()})
    return here


def terms_reaching_back(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    """Put down as if they had been in force ten days before."""
    pool.terms.change(valid_from=instant_text(pool.terms.at - timedelta(days=10)))
    return here


def _emptied(games: list[Partida]) -> bool:
    """Whether somebody won everything: what follows from that is not what is broken here."""
    return any(game.named(STARTED) for game in games)


def terms_never_confirmed(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    if _emptied(here):
        return []
    pool.drop(pool.confirmed)
    return here


def terms_confirmed_late(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    """When the evening was over."""
    if _emptied(here):
        return []
    pool.confirmed.at = later(max(act.known_at for game in here for act in game.acts), 3)
    return here


def terms_not_yet_valid(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    """They hold from ten days after the evening on only."""
    if _emptied(here):
        return []
    until = timedelta(days=(evening.day - pool.terms.at.date()).days + 10)
    pool.terms.change(valid_from=instant_text(pool.terms.at + until))
    return here


def table_of_the_prize(
    evening: ProceduralEvening, pool: Pool, here: list[Partida], **values: Any
) -> Iterable[Partida]:
    """One of its tables is registered otherwise."""
    table = here[0].table
    evening.registration(table).change(**values)
    return [game for game in here if game.table == table]


def started_too_low(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    """A cent below ten thousand chips: shown where nobody put a lawful value in since."""
    pool.started.change(start_cents=pool.chip_cents * TIMES - 1)
    again = [act.known_at for game in here for act in game.named(STARTED)]
    return [game for game in here if not any(at < min(_chips(game)) for at in again)]


def started_again_too_low(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    """The same after everything was won: shown wherever chips are laid afterwards."""
    starts = [act for game in here for act in game.named(STARTED)]
    if len(starts) != 1:
        return []
    starts[0].change(start_cents=pool.chip_cents * TIMES - 1)
    return [game for game in here if max(_chips(game)) > starts[0].known_at]


def _chips(game: Partida) -> list[datetime]:
    """When chips of a partida were recorded."""
    rounds = [
        act.known_at
        for act in game.rounds
        if any(wager.kind == "jackpot" for box in act.event.boxes for wager in box.wagers)
    ]
    return [*rounds, *(act.known_at for act in game.named("jackpot-incremented/1"))]


def no_top_combination(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    """The highest combination wins nine tenths, and nothing wins the rest."""
    highest, *others = pool.table.prizes
    if _emptied(here):
        return []
    pool.table = replace(pool.table, prizes=(replace(highest, share=NINE_TENTHS), *others))
    pool.terms.change(lines=[prize.line for prize in pool.table.prizes])
    return here
