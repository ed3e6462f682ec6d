"""Whether what a pool was played by is lawful: choice, place, terms, cards that count, start.

Every finding names the terms and what was first played by them, so that each partida has its own.

Law: PT art. 38, 39, 40, 42, 44, 50.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from casino.events.event import Event
from casino.events.partidas import PartidaOpened
from casino.events.tables import TableRegistered
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Rule, Verdict
from casino.law.questions import at_least, breach, breaches_in, equal, evidence_of, one_of
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
    verdict: Verdict, *entries: RecordedEvent[Event] | None, **where: int | str
) -> Verdict:
    """An answer with what shows it: its breaches name the entries, and where they are."""
    if verdict is None or isinstance(verdict, str):
        return about(
            verdict, next((recorded for recorded in entries if recorded is not None), None)
        )
    return [
        replace(one, evidence=evidence_of(*entries), where=one.where | where)
        for one in breaches_in(verdict)
    ]


def conditions(pool: PoolEvening) -> Iterator[tuple[Rule, Verdict]]:
    """What each check says of the terms a partida was played by."""
    played = entries_of(pool.rounds)
    if not played and not pool.wins:
        return
    yield PLACE, with_evidence(place_is_marked(pool.table, pool.opened), pool.table, pool.opened)
    bearing = [*played, *(win.recorded for win in pool.wins)]
    bare = [recorded for recorded in bearing if pool.in_force(recorded) is None]
    alone = [recorded for recorded in bare if pool.unconfirmed(recorded) is not None]
    yield IN_FORCE, _in_force([recorded for recorded in bare if recorded not in alone])
    yield CONFIRMED, _confirmed(pool, alone)
    yield IN_FORCE, _is_named(pool, bearing)
    day, stated = pool.dossier.gaming_day, pool.rules.states
    for recorded, first in pool.used:
        terms, where = terms_of(recorded), {"jackpot": pool.jackpot, "terms": recorded.event.terms}
        shown_by = (recorded, first)
        yield IN_FORCE, with_evidence(_at_the_table(pool, recorded), *shown_by, **where)
        yield HOW_MARKED, with_evidence(_how_marked(pool, recorded), pool.table, *shown_by, **where)
        yield OPTION, with_evidence(option_is_communicated(terms, day), *shown_by, **where)
        yield APPROVED, with_evidence(terms_are_approved(terms, day), *shown_by, **where)
        yield PROPOSED, with_evidence(terms_were_proposed(terms), *shown_by, **where)
        yield NOT_BACK, _does_not_reach_back(pool, recorded, bearing)
        yield TOP, with_evidence(table_has_a_top_combination(terms.prizes), *shown_by, **where)
        if stated("jackpot.cards_counted"):
            counted = counted_cards_are_lawful(terms, pool.rules["jackpot.cards_counted"])
            yield COUNTED, with_evidence(counted, *shown_by, **where)
    if stated("jackpot.start_times"):
        yield from ((START, verdict) for verdict in _starts(pool, played))


def place_is_marked(
    table: RecordedEvent[TableRegistered] | None, first_recorded: RecordedEvent[Event] | None
) -> Verdict:
    """A table with a progressive prize has a place for its chip; `first_recorded` shows that it has
    one.

    Law: PT art. 39.
    """
    if table is None or table.event.jackpot_place is None:
        return UNDECIDED
    return at_least("places", int(table.event.jackpot_place), 1, table, first_recorded)


def _confirmed(pool: PoolEvening, alone: list[RecordedEvent[Event]]) -> Verdict:
    """One finding for all that was staked, or won, under terms one person told."""
    if not alone:
        return LAWFUL
    observed, shown_by = {"persons": 1, "times": len(alone)}, alone[:CITED_AT_MOST]
    return breach(observed, {"at_least": 2}, pool.unconfirmed(alone[0]), *shown_by)


def _in_force(bare: list[RecordedEvent[Event]]) -> Verdict:
    """One finding for all that was staked, or won, without terms. Law: PT art. 38, 40."""
    if not bare:
        return LAWFUL
    return breach({"terms": 0, "times": len(bare)}, {"at_least": 1}, *bare[:CITED_AT_MOST])


def _is_named(pool: PoolEvening, bearing: list[RecordedEvent[Event]]) -> Verdict:
    """The partida was opened with the pool its chips and wins are recorded of. Law: PT art. 40."""
    named = None if pool.opened is None else pool.opened.event.jackpots
    if named is None or pool.jackpot in named:
        return None if named is None else LAWFUL
    observed = {"pools": len(named), "jackpot": pool.jackpot}
    return breach(observed, {"one_of": list(named)}, pool.opened, *bearing[:CITED_AT_MOST])


def _does_not_reach_back(
    pool: PoolEvening, terms: RecordedEvent[TermsApproved], bearing: list[RecordedEvent[Event]]
) -> Verdict:
    """Nothing was played by the terms before they were recorded. Law: PT art. 40.

    An evening may be written down the day after: then its opening was recorded after them, and when
    they were recorded only their author says.
    """
    where = {"jackpot": pool.jackpot, "terms": terms.event.terms}
    by_them = [recorded for recorded in bearing if pool.in_force(recorded) is terms]
    said = terms_do_not_reach_back(terms_of(terms))
    opened = pool.dossier.of(PartidaOpened)
    if said != LAWFUL or (opened and opened[0].recorded_at > terms.recorded_at):
        return with_evidence(said, terms, by_them[0], **where)
    before = [recorded for recorded in by_them if recorded.occurred_at < terms.recorded_at]
    if not before:
        return LAWFUL
    said = terms_do_not_reach_back(as_terms(terms.event, terms.recorded_at))
    return with_evidence(said, terms, *before[:CITED_AT_MOST], **where)


def _at_the_table(pool: PoolEvening, terms: RecordedEvent[Any]) -> Verdict:
    """Terms that name tables hold at no other. Law: PT art. 40."""
    tables, here = terms.event.tables, pool.dossier.table
    return LAWFUL if tables is None else one_of("table", here, tables)


def _how_marked(pool: PoolEvening, terms: RecordedEvent[Any]) -> Verdict:
    """The table is marked as its terms say. Law: PT art. 41."""
    found = None if pool.table is None else pool.table.event.jackpot_marking
    # "none" is a word for combinations too.
    return equal("marking", "no_marking" if found == "none" else found, terms.event.marking)


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
        yield with_evidence(result, started, terms, first)
