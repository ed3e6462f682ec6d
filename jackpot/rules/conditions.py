"""Whether what a pool was played by is lawful: choice, place, terms, cards that count, start.

Every finding names the terms and what was first played by them, so that each partida has its own.

Law: PT art. 38, 39, 40, 42, 44, 50.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from casino.regulation.dossier import Told
from casino.regulation.finding import LAWFUL, UNDECIDED, Breach, Check, Result
from casino.regulation.floor_evening import evidence_of
from casino.regulation.jackpot_law import (
    APPROVED,
    COUNTED,
    IN_FORCE,
    NOT_BACK,
    OPTION,
    PLACE,
    START,
    TOP,
)
from jackpot.progressive.terms import (
    counted_cards_are_lawful,
    option_is_communicated,
    start_is_high_enough,
    table_has_a_top_combination,
    terms_are_approved,
    terms_do_not_reach_back,
)
from jackpot.rules.told import PoolEvening, entries_of, terms_of

TOLD_AT_MOST = 20  # entries a finding names


def with_evidence(result: Result, *entries: Told[Any] | None, **where: int | str) -> Result:
    """A result whose breaches name what shows them."""
    if result is None or isinstance(result, str):
        return result
    return [
        replace(breach, evidence=evidence_of(*entries), where=breach.where | where)
        for breach in (result if isinstance(result, list) else [result])
    ]


def conditions(pool: PoolEvening) -> Iterator[tuple[Check, Result]]:
    """What each check says of the terms a partida was played by."""
    played = entries_of(pool.rounds)
    if not played and not pool.wins:
        return
    yield PLACE, _place(pool)
    yield IN_FORCE, _in_force(pool, played)
    day = pool.dossier.gaming_day
    for told, first in pool.used:
        terms = terms_of(told)
        here = {"jackpot": pool.jackpot, "terms": told.fact.terms}

        def said(result: Result, told: Any = told, first: Any = first, here: Any = here) -> Result:
            return with_evidence(result, told, first, **here)

        yield OPTION, said(option_is_communicated(terms, day))
        yield APPROVED, said(terms_are_approved(terms, day))
        yield NOT_BACK, said(terms_do_not_reach_back(terms))
        yield TOP, said(table_has_a_top_combination(terms.prizes))
        if pool.rules.states("jackpot.cards_counted"):
            lawful = pool.rules["jackpot.cards_counted"]
            yield COUNTED, said(counted_cards_are_lawful(terms, lawful))
    if pool.rules.states("jackpot.start_times"):
        yield START, _start(pool, played)


def _place(pool: PoolEvening) -> Result:
    table = pool.table
    if table is None or table.fact.jackpot_place is None:
        return UNDECIDED
    if table.fact.jackpot_place:
        return LAWFUL
    breach = Breach({"jackpot": pool.jackpot}, {"places": 0}, {"at_least": 1})
    return with_evidence(breach, table, pool.opened)


def _in_force(pool: PoolEvening, played: list[Told[Any]]) -> Result:
    """One finding for all that was staked without terms. Law: PT art. 38, 40."""
    bare = [told for told in played if pool.in_force(told) is None]
    if not bare:
        return LAWFUL if played else None
    breach = Breach({"jackpot": pool.jackpot}, {"terms": 0, "times": len(bare)}, {"at_least": 1})
    return with_evidence(breach, *bare[:TOLD_AT_MOST])


def _start(pool: PoolEvening, played: list[Told[Any]]) -> Result:
    """The start the partida was played on, by the stake in force then."""
    started = pool.started
    if started is None or not played:
        return UNDECIDED if played else None
    terms = pool.in_force(played[0])
    if terms is None:
        return UNDECIDED
    times = pool.rules["jackpot.start_times"]
    result = start_is_high_enough(started.fact.start_cents, terms.fact.stake_cents, times)
    return with_evidence(result, started, terms, played[0], jackpot=pool.jackpot)
