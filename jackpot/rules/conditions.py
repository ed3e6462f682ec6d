"""Whether what a pool was played by is lawful: choice, place, terms, cards that count, start.

Every finding names the terms and what was first played by them, so that each partida has its own.

Law: PT art. 38, 39, 40, 42, 44, 50.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from casino.events.partidas import PartidaOpened
from casino.events.tables import TableRegistered
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Rule, Verdict, breach, evidence_of
from casino.law.rulebook.jackpot_law import (
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
from casino.law.rulebook.lacking import about
from jackpot.events import TermsApproved
from jackpot.progressive.terms import (
    counted_cards_are_lawful,
    option_is_communicated,
    start_is_high_enough,
    table_has_a_top_combination,
    terms_are_approved,
    terms_do_not_reach_back,
    terms_were_proposed,
)
from jackpot.rules.pool_evening import PoolEvening, as_terms, entries_of, terms_of

CITED_AT_MOST = 20  # entries a finding names


def with_evidence(
    result: Verdict, *entries: RecordedEvent[Any] | None, **where: int | str
) -> Verdict:
    """A result whose breaches name what shows them."""
    if result is None or isinstance(result, str):
        return about(result, next((recorded for recorded in entries if recorded is not None), None))
    return [
        replace(breach, evidence=evidence_of(*entries), where=breach.where | where)
        for breach in (result if isinstance(result, list) else [result])
    ]


def conditions(pool: PoolEvening) -> Iterator[tuple[Rule, Verdict]]:
    """What each check says of the terms a partida was played by."""
    played = entries_of(pool.rounds)
    if not played and not pool.wins:
        return
    place = place_is_marked(pool.table, pool.opened)
    yield PLACE, with_evidence(place, pool.table, pool.opened, jackpot=pool.jackpot)
    bearing = [*played, *(win.recorded for win in pool.wins)]
    bare = [recorded for recorded in bearing if pool.in_force(recorded) is None]
    alone = [recorded for recorded in bare if pool.unconfirmed(recorded) is not None]
    yield IN_FORCE, _in_force(pool, [recorded for recorded in bare if recorded not in alone])
    yield CONFIRMED, _confirmed(pool, alone)
    yield IN_FORCE, _is_named(pool, bearing)
    day = pool.dossier.gaming_day
    for recorded, first in pool.used:
        terms = terms_of(recorded)
        here = {"jackpot": pool.jackpot, "terms": recorded.event.terms}

        def said(
            result: Verdict, value: Any = recorded, first: Any = first, here: Any = here
        ) -> Verdict:
            return with_evidence(result, value, first, **here)

        yield IN_FORCE, said(_at_the_table(pool, recorded))
        marked = _how_marked(pool, recorded)
        yield HOW_MARKED, with_evidence(marked, pool.table, recorded, first, **here)
        yield OPTION, said(option_is_communicated(terms, day))
        yield APPROVED, said(terms_are_approved(terms, day))
        yield PROPOSED, said(terms_were_proposed(terms))
        yield NOT_BACK, _does_not_reach_back(pool, recorded, bearing)
        yield TOP, said(table_has_a_top_combination(terms.prizes))
        if pool.rules.states("jackpot.cards_counted"):
            lawful = pool.rules["jackpot.cards_counted"]
            yield COUNTED, said(counted_cards_are_lawful(terms, lawful))
    if pool.rules.states("jackpot.start_times"):
        yield from ((START, result) for result in _starts(pool, played))


def place_is_marked(
    table: RecordedEvent[TableRegistered] | None, first_recorded: RecordedEvent[Any] | None
) -> Verdict:
    """A table with a progressive prize has a place for its chip; `first_recorded` shows that it has
    one.

    Law: PT art. 39.
    """
    if table is None or table.event.jackpot_place is None:
        return UNDECIDED
    if table.event.jackpot_place:
        return LAWFUL
    return with_evidence(breach({"places": 0}, {"at_least": 1}), table, first_recorded)


def _confirmed(pool: PoolEvening, alone: list[RecordedEvent[Any]]) -> Verdict:
    """One finding for all that was staked, or won, under terms one person told."""
    if not alone:
        return LAWFUL
    terms = pool.unconfirmed(alone[0])
    found = breach(
        {"persons": 1, "times": len(alone)}, {"at_least": 2}, where={"jackpot": pool.jackpot}
    )
    return with_evidence(found, terms, *alone[:CITED_AT_MOST])


def _in_force(pool: PoolEvening, bare: list[RecordedEvent[Any]]) -> Verdict:
    """One finding for all that was staked, or won, without terms. Law: PT art. 38, 40."""
    if not bare:
        return LAWFUL
    found = breach(
        {"terms": 0, "times": len(bare)}, {"at_least": 1}, where={"jackpot": pool.jackpot}
    )
    return with_evidence(found, *bare[:CITED_AT_MOST])


def _is_named(pool: PoolEvening, bearing: list[RecordedEvent[Any]]) -> Verdict:
    """The partida was opened with the pool its chips and wins are recorded of. Law: PT art. 40."""
    named = None if pool.opened is None else pool.opened.event.jackpots
    if named is None or pool.jackpot in named:
        return None if named is None else LAWFUL
    found = breach({"pools": len(named), "jackpot": pool.jackpot}, {"one_of": list(named)})
    return with_evidence(found, pool.opened, *bearing[:CITED_AT_MOST], jackpot=pool.jackpot)


def _does_not_reach_back(
    pool: PoolEvening, terms: RecordedEvent[TermsApproved], bearing: list[RecordedEvent[Any]]
) -> Verdict:
    """Nothing was played by the terms before they were recorded. Law: PT art. 40.

    An evening may be written down the day after: then its opening was recorded after them, and when
    they were recorded only their author says.
    """
    here = {"jackpot": pool.jackpot, "terms": terms.event.terms}
    by_them = [recorded for recorded in bearing if pool.in_force(recorded) is terms]
    said = terms_do_not_reach_back(terms_of(terms))
    opened = pool.dossier.of(PartidaOpened)
    if said != LAWFUL or (opened and opened[0].recorded_at > terms.recorded_at):
        return with_evidence(said, terms, by_them[0], **here)
    before = [recorded for recorded in by_them if recorded.occurred_at < terms.recorded_at]
    if not before:
        return LAWFUL
    said = terms_do_not_reach_back(as_terms(terms.event, terms.recorded_at))
    return with_evidence(said, terms, *before[:CITED_AT_MOST], **here)


def _at_the_table(pool: PoolEvening, terms: RecordedEvent[Any]) -> Verdict:
    """Terms that name tables hold at no other. Law: PT art. 40."""
    tables = terms.event.tables
    here = pool.dossier.table
    if tables is None or here in tables:
        return LAWFUL
    return breach({"table": here}, {"one_of": list(tables)})


def _how_marked(pool: PoolEvening, terms: RecordedEvent[Any]) -> Verdict:
    """The table is marked as its terms say. Law: PT art. 41."""
    found = None if pool.table is None else pool.table.event.jackpot_marking
    if found is None:
        return UNDECIDED
    if found == terms.event.marking:
        return LAWFUL
    # "none" is a word for combinations too.
    registered = "no_marking" if found == "none" else found
    return breach({"marking": registered}, {"marking": terms.event.marking})


def _starts(pool: PoolEvening, played: list[RecordedEvent[Any]]) -> Iterator[Verdict]:
    """Every start the partida was played on, each by the stake in force when it first was."""
    times = pool.rules["jackpot.start_times"]
    under_terms = [recorded for recorded in played if pool.in_force(recorded) is not None]
    for first, started in pool.played_on(under_terms or played):
        terms = pool.in_force(first)
        if started is None or terms is None:
            yield UNDECIDED
            continue
        result = start_is_high_enough(started.event.start_cents, terms.event.stake_cents, times)
        yield with_evidence(result, started, terms, first, jackpot=pool.jackpot)
