"""A progressive prize played for by terms nobody set, made known or confirmed, or begun too low.

What is wrong with a prize as a whole is found in every partida in which it was played for.
Law: PT art. 38 to 40, 42, 44, 50.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from casino.events.partidas import Dealing
from casino.simulation.procedures.breaches.breaking import Breach, Place, ProceduralEvening, Spot
from casino.simulation.procedures.breaches.of_tables import registration
from casino.simulation.procedures.procedure_acts import Partida, later
from casino.simulation.procedures.simulated_pools import TIMES, WHOLE, Pool
from casino.tlog.canonical import instant_text

STARTED: Final = "jackpot-started/1"
NINE_TENTHS: Final = 9 * WHOLE // 10
Break = Callable[[ProceduralEvening, Pool, list[Partida]], Iterable[Partida]]


def _of_pool(
    kind: str,
    check: str,
    dealing: Dealing,
    broken: Break,
    *,
    by_name: bool = True,
    due: bool = True,
    winners: tuple[str, ...] = ("low",),
) -> Breach:
    """A breach of a prize as a whole.

    `broken` makes it, given the partidas in which the prize was played for, and gives back those in
    which it shows. `by_name` is whether a finding names the terms, `due` whether anything is due
    for a win all the same: if not, every payment is a breach too.
    """

    def planter(evening: ProceduralEvening, rng: Random) -> Iterable[Spot] | None:
        free = evening.lawful(dealing, rng, kind)
        for pool in evening.pools:
            here = [game for game in evening.partidas if game.pool == pool.code]
            if not here or not all(game in free for game in here):
                continue
            where: Place = {"jackpot": pool.code}
            if by_name:
                where["terms"] = pool.terms.event.final["terms"]
            shown = list(broken(evening, pool, here))
            if shown:
                paid = () if due else _payments(pool, here)
                return [*(Spot(game.name, check, where) for game in shown), *paid]
        return None

    return Breach(kind, check, dealing, planter, frozenset({"pool"}), {"winners": winners})


def _payments(pool: Pool, games: list[Partida]) -> Iterator[Spot]:
    """Every payment, as the prize's whole story shows it."""
    for game in games:
        for act in game.named("jackpot-paid/1"):
            value = act.event.final
            where: Place = {"jackpot": pool.code, "owner": value["owner"], "box": value["box"]}
            yield Spot("", "jackpot_prizes_follow_the_meter", where)


def _terms(**values: Any) -> Break:
    """Its terms say something else, or leave something out."""

    def broken(evening: ProceduralEvening, pool: Pool, here: list[Partida]) -> Iterable[Partida]:
        pool.terms.change(**values)
        return here

    return broken


def _dated(name: str, days: int) -> Break:
    """A date of the terms lies so many days after the evening."""

    def broken(evening: ProceduralEvening, pool: Pool, here: list[Partida]) -> Iterable[Partida]:
        pool.terms.change(**{name: (evening.day + timedelta(days=days)).isoformat()})
        return here

    return broken


def _reaching_back(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    """Put down as if they had been in force ten days before."""
    pool.terms.change(valid_from=instant_text(pool.terms.at - timedelta(days=10)))
    return here


def _emptied(games: list[Partida]) -> bool:
    """Whether somebody won everything: what follows from that is not what is broken here."""
    return any(game.named(STARTED) for game in games)


def _never_confirmed(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    if _emptied(here):
        return []
    pool.drop(pool.confirmed)
    return here


def _confirmed_too_late(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    """When the evening was over."""
    if _emptied(here):
        return []
    pool.confirmed.at = later(max(act.known_at for game in here for act in game.acts), 3)
    return here


def _not_yet_valid(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    """They hold from ten days after the evening on only."""
    if _emptied(here):
        return []
    until = timedelta(days=(evening.day - pool.terms.at.date()).days + 10)
    pool.terms.change(valid_from=instant_text(pool.terms.at + until))
    return here


def _no_place(evening: ProceduralEvening, pool: Pool, here: list[Partida]) -> Iterable[Partida]:
    """One of its tables has neither slot nor spot for the chip."""
    table = here[0].table
    registration(evening, table).change(jackpot_place=False)
    return [game for game in here if game.table == table]


def _registered_otherwise(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    """One of its tables is registered as raising the display by itself."""
    table = here[0].table
    registration(evening, table).change(jackpot_marking="automatic")
    return [game for game in here if game.table == table]


def _begun_too_low(
    evening: ProceduralEvening, pool: Pool, here: list[Partida]
) -> Iterable[Partida]:
    """A cent below ten thousand chips: shown where nobody put a lawful value in since."""
    pool.started.change(start_cents=pool.chip_cents * TIMES - 1)
    again = [act.known_at for game in here for act in game.named(STARTED)]
    return [game for game in here if not any(at < min(_chips(game)) for at in again)]


def _begun_again_too_low(
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


def _no_top(evening: ProceduralEvening, pool: Pool, here: list[Partida]) -> Iterable[Partida]:
    """The highest combination wins nine tenths, and nothing wins the rest."""
    highest, *others = pool.table.prizes
    if _emptied(here):
        return []
    pool.table = replace(pool.table, prizes=(replace(highest, share=NINE_TENTHS), *others))
    pool.terms.change(lines=[prize.line for prize in pool.table.prizes])
    return here


BREACHES: Final = (
    _of_pool(
        "option_not_communicated",
        "jackpot_option_is_communicated",
        "shoe",
        _terms(option_reference=None, communicated_on=None),
    ),
    _of_pool(
        "option_communicated_late",
        "jackpot_option_is_communicated",
        "shuffler",
        _dated("communicated_on", 1),
    ),
    _of_pool(
        "no_place_for_the_chip", "jackpot_place_is_marked", "shuffler", _no_place, by_name=False
    ),
    _of_pool(
        "registered_with_another_marking",
        "jackpot_marking_as_registered",
        "shoe",
        _registered_otherwise,
    ),
    _of_pool(
        "terms_never_confirmed",
        "jackpot_terms_are_confirmed",
        "shoe",
        _never_confirmed,
        by_name=False,
        due=False,
    ),
    _of_pool(
        "terms_confirmed_late",
        "jackpot_terms_are_confirmed",
        "shuffler",
        _confirmed_too_late,
        by_name=False,
        due=False,
    ),
    _of_pool(
        "terms_not_yet_valid", "jackpot_terms_are_in_force", "shoe", _not_yet_valid, by_name=False
    ),
    _of_pool(
        "terms_nobody_set",
        "jackpot_terms_are_approved",
        "shuffler",
        _terms(approval_reference=None, approved_on=None),
    ),
    _of_pool("terms_set_late", "jackpot_terms_are_approved", "shoe", _dated("approved_on", 2)),
    _of_pool(
        "proposed_after_the_decision",
        "jackpot_terms_were_proposed",
        "shuffler",
        _dated("proposed_on", 0),
    ),
    _of_pool("terms_reaching_back", "jackpot_terms_do_not_reach_back", "shoe", _reaching_back),
    _of_pool(
        "five_cards_count", "jackpot_counted_cards_are_lawful", "shuffler", _terms(cards_counted=5)
    ),
    _of_pool(
        "started_too_low", "jackpot_start_is_high_enough", "shoe", _begun_too_low, by_name=False
    ),
    _of_pool(
        "started_again_too_low",
        "jackpot_start_is_high_enough",
        "shuffler",
        _begun_again_too_low,
        by_name=False,
        winners=("top",),
    ),
    _of_pool("no_top_combination", "jackpot_has_a_top_combination", "shuffler", _no_top),
)
