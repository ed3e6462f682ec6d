"""Whether what a pool was played by is lawful: choice, place, terms, cards that count, start.

Every finding names the terms and what was first played by them, so that each partida has its own.

Law: PT art. 38, 39, 40, 42, 44, 50.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from casino.facts.partidas import PartidaOpened
from casino.facts.tables import TableRegistered
from casino.regulation.dossier import Told
from casino.regulation.finding import LAWFUL, UNDECIDED, Breach, Check, Result
from casino.regulation.floor_evening import evidence_of
from casino.regulation.jackpot_law import (
    APPROVED,
    CONFIRMED,
    COUNTED,
    HOW_MARKED,
    IN_FORCE,
    NOT_BACK,
    OPTION,
    PLACE,
    PROPOSED,
    START,
    TOP,
)
from casino.regulation.lacking import about
from jackpot.facts import TermsApproved
from jackpot.progressive.terms import (
    counted_cards_are_lawful,
    option_is_communicated,
    start_is_high_enough,
    table_has_a_top_combination,
    terms_are_approved,
    terms_do_not_reach_back,
    terms_were_proposed,
)
from jackpot.rules.told import PoolEvening, as_terms, entries_of, terms_of

TOLD_AT_MOST = 20  # entries a finding names


def with_evidence(result: Result, *entries: Told[Any] | None, **where: int | str) -> Result:
    """A result whose breaches name what shows them."""
    if result is None or isinstance(result, str):
        return about(result, next((told for told in entries if told is not None), None))
    return [
        replace(breach, evidence=evidence_of(*entries), where=breach.where | where)
        for breach in (result if isinstance(result, list) else [result])
    ]


def conditions(pool: PoolEvening) -> Iterator[tuple[Check, Result]]:
    """What each check says of the terms a partida was played by."""
    played = entries_of(pool.rounds)
    if not played and not pool.wins:
        return
    place = place_is_marked(pool.table, pool.opened)
    yield PLACE, with_evidence(place, pool.table, pool.opened, jackpot=pool.jackpot)
    bearing = [*played, *(win.told for win in pool.wins)]
    bare = [told for told in bearing if pool.in_force(told) is None]
    alone = [told for told in bare if pool.unconfirmed(told) is not None]
    yield IN_FORCE, _in_force(pool, [told for told in bare if told not in alone])
    yield CONFIRMED, _confirmed(pool, alone)
    yield IN_FORCE, _is_named(pool, bearing)
    day = pool.dossier.gaming_day
    for told, first in pool.used:
        terms = terms_of(told)
        here = {"jackpot": pool.jackpot, "terms": told.fact.terms}

        def said(result: Result, told: Any = told, first: Any = first, here: Any = here) -> Result:
            return with_evidence(result, told, first, **here)

        yield IN_FORCE, said(_at_the_table(pool, told))
        marked = _how_marked(pool, told)
        yield HOW_MARKED, with_evidence(marked, pool.table, told, first, **here)
        yield OPTION, said(option_is_communicated(terms, day))
        yield APPROVED, said(terms_are_approved(terms, day))
        yield PROPOSED, said(terms_were_proposed(terms))
        yield NOT_BACK, _does_not_reach_back(pool, told, bearing)
        yield TOP, said(table_has_a_top_combination(terms.prizes))
        if pool.rules.states("jackpot.cards_counted"):
            lawful = pool.rules["jackpot.cards_counted"]
            yield COUNTED, said(counted_cards_are_lawful(terms, lawful))
    if pool.rules.states("jackpot.start_times"):
        yield from ((START, result) for result in _starts(pool, played))


def place_is_marked(table: Told[TableRegistered] | None, first: Told[Any] | None) -> Result:
    """A table with a progressive prize has a place for its chip; `first` shows that it has one.

    Law: PT art. 39.
    """
    if table is None or table.fact.jackpot_place is None:
        return UNDECIDED
    if table.fact.jackpot_place:
        return LAWFUL
    return with_evidence(Breach({}, {"places": 0}, {"at_least": 1}), table, first)


def _confirmed(pool: PoolEvening, alone: list[Told[Any]]) -> Result:
    """One finding for all that was staked, or won, under terms one person told."""
    if not alone:
        return LAWFUL
    terms = pool.unconfirmed(alone[0])
    breach = Breach({"jackpot": pool.jackpot}, {"persons": 1, "times": len(alone)}, {"at_least": 2})
    return with_evidence(breach, terms, *alone[:TOLD_AT_MOST])


def _in_force(pool: PoolEvening, bare: list[Told[Any]]) -> Result:
    """One finding for all that was staked, or won, without terms. Law: PT art. 38, 40."""
    if not bare:
        return LAWFUL
    breach = Breach({"jackpot": pool.jackpot}, {"terms": 0, "times": len(bare)}, {"at_least": 1})
    return with_evidence(breach, *bare[:TOLD_AT_MOST])


def _is_named(pool: PoolEvening, bearing: list[Told[Any]]) -> Result:
    """The partida was opened with the pool its chips and wins are told of. Law: PT art. 40."""
    named = None if pool.opened is None else pool.opened.fact.jackpots
    if named is None or pool.jackpot in named:
        return None if named is None else LAWFUL
    breach = Breach({}, {"pools": len(named), "jackpot": pool.jackpot}, {"one_of": list(named)})
    return with_evidence(breach, pool.opened, *bearing[:TOLD_AT_MOST], jackpot=pool.jackpot)


def _does_not_reach_back(
    pool: PoolEvening, terms: Told[TermsApproved], bearing: list[Told[Any]]
) -> Result:
    """Nothing was played by the terms before they were recorded. Law: PT art. 40.

    An evening may be written down the day after: then its opening was recorded after them, and when
    they were told only their author says.
    """
    here = {"jackpot": pool.jackpot, "terms": terms.fact.terms}
    by_them = [told for told in bearing if pool.in_force(told) is terms]
    said = terms_do_not_reach_back(terms_of(terms))
    opened = pool.dossier.of(PartidaOpened)
    if said != LAWFUL or (opened and opened[0].recorded_at > terms.recorded_at):
        return with_evidence(said, terms, by_them[0], **here)
    before = [told for told in by_them if told.occurred_at < terms.recorded_at]
    if not before:
        return LAWFUL
    said = terms_do_not_reach_back(as_terms(terms.fact, terms.recorded_at))
    return with_evidence(said, terms, *before[:TOLD_AT_MOST], **here)


def _at_the_table(pool: PoolEvening, terms: Told[Any]) -> Result:
    """Terms that name tables hold at no other. Law: PT art. 40."""
    tables = terms.fact.tables
    here = pool.dossier.table
    if tables is None or here in tables:
        return LAWFUL
    return Breach({}, {"table": here}, {"one_of": list(tables)})


def _how_marked(pool: PoolEvening, terms: Told[Any]) -> Result:
    """The table is marked as its terms say. Law: PT art. 41."""
    told = None if pool.table is None else pool.table.fact.jackpot_marking
    if told is None:
        return UNDECIDED
    if told == terms.fact.marking:
        return LAWFUL
    # "none" is a word for combinations too.
    registered = "no_marking" if told == "none" else told
    return Breach({}, {"marking": registered}, {"marking": terms.fact.marking})


def _starts(pool: PoolEvening, played: list[Told[Any]]) -> Iterator[Result]:
    """Every start the partida was played on, each by the stake in force when it first was."""
    times = pool.rules["jackpot.start_times"]
    under_terms = [told for told in played if pool.in_force(told) is not None]
    for first, started in pool.played_on(under_terms or played):
        terms = pool.in_force(first)
        if started is None or terms is None:
            yield UNDECIDED
            continue
        result = start_is_high_enough(started.fact.start_cents, terms.fact.stake_cents, times)
        yield with_evidence(result, started, terms, first, jackpot=pool.jackpot)
