"""A procedural evening before the whole law, without a book: as the reconciliation asks it.

What each partida's dossier holds is chosen here by hand, as docs/events.md says which events bear
on which partida; `casino.queries` chooses it once more from the book.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID

from audit.museum.replayed_pools import said_of
from audit.reconcile.across_rounds import look_across
from audit.reconcile.cards_seen import look_at_cards
from audit.reconcile.shoes_seen import look_at_shoes
from casino.events.deck_life import DeckWithdrawn
from casino.events.floor_life import PartidaReopened
from casino.events.incidents import IncidentReported
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.tables import LimitsSet
from casino.events.witnessing import Witnessed
from casino.extensions import event_kinds
from casino.law.dossier import AnyRecorded, Dossier, RecordedEvent, Signed
from casino.law.finding import Finding
from casino.law.game_law import Game
from casino.law.partida_judge import judge_partida
from casino.law.round_judge import judge
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import law_of_file
from casino.simulation.procedures import ProceduralEvening
from casino.simulation.procedures.simulated_book import Entry, entries_of
from jackpot.rules import judge_jackpot

PT = law_of_file("pt")
LATER = timedelta(days=20)  # every deadline is over


class Found(NamedTuple):
    """What was found, as a label tells it."""

    partida: str
    article: str
    check: str
    where: tuple[tuple[str, int | str], ...]
    round: str | None


@dataclass
class Kept:
    """Keeps findings; counts of answers are nobody's matter here."""

    findings: list[Finding] = field(default_factory=list)

    def count(
        self, rulebook: str, outcomes: Sequence[tuple[str, str]], value: object = None
    ) -> None:
        """Forget them."""

    def keep(self, findings: Sequence[Finding]) -> None:
        """Keep them."""
        self.findings += findings


def recorded_by(entry: Entry, day: date) -> AnyRecorded:
    """An entry as a check sees it."""
    return RecordedEvent(
        entry_id=str(UUID(hex=entry.leaf[:32])),
        stream=entry.stream,
        n=entry.n,
        leaf=entry.leaf,
        occurred_at=entry.occurred_at,
        recorded_at=entry.recorded_at,
        gaming_day=day,
        by=Signed(entry.by.staff, entry.by.office, entry.by.door),
        event=entry.event,
    )


def recorded_in(evening: ProceduralEvening) -> list[AnyRecorded]:
    """Everything told of an evening, as a check sees it."""
    return [recorded_by(entry, evening.day) for entry in entries_of(evening.acts, event_kinds())]


def dossiers(written: Sequence[AnyRecorded]) -> list[Dossier]:
    """The dossier of each partida, twenty days later."""
    pools = [one for one in written if one.stream.startswith("jackpot/")]
    of: defaultdict[str | None, list[AnyRecorded]] = defaultdict(list)
    for one in written:
        if not one.stream.startswith("jackpot/"):
            of[getattr(one.event, "partida", None)].append(one)
    house = of.pop(None)
    inside = [one for entries in of.values() for one in entries]
    return [_dossier(str(name), entries, house, inside, pools) for name, entries in of.items()]


def _dossier(
    name: str,
    mine: list[AnyRecorded],
    house: list[AnyRecorded],
    inside: list[AnyRecorded],
    pools: list[AnyRecorded],
) -> Dossier:
    table = name.partition("/")[0]
    (opened,) = [one.event for one in mine if isinstance(one.event, PartidaOpened)][:1]
    witnesses = {one.event.staff for one in mine if isinstance(one.event, Witnessed)}
    words = [
        one
        for one in inside
        if isinstance(one.event, Witnessed)
        and one.event.staff in witnesses
        and one.event.partida != name
    ]
    leaves = {one.event.witnessed.leaf for one in words}
    decks = {each.deck for each in opened.decks}
    beside = _games_beside(inside, name, opened)
    return Dossier(
        partida=name,
        table=table,
        gaming_day=mine[0].gaming_day,
        as_of=mine[-1].occurred_at + LATER,
        entries=tuple(mine),
        house=tuple(one for one in house if one.stream == "house"),
        around=tuple(
            one
            for one in (*house, *_elsewhere(inside, name, beside), *_of_pools(pools, name, opened))
            if one.stream == f"table/{table}"
            or getattr(one.event, "shuffler", "") == opened.shuffler
            or getattr(one.event, "deck", None) in decks
            or one in beside
            or one.stream.startswith("jackpot/")
        ),
        elsewhere=tuple(
            sorted(
                [*words, *(one for one in inside if one.leaf in leaves)],
                key=lambda one: (one.stream, one.n),
            )
        ),
    )


def _of_pools(pools: list[AnyRecorded], name: str, opened: PartidaOpened) -> list[AnyRecorded]:
    """What the progressive prizes it is played for tell of it, and of themselves as a whole."""
    streams = {f"jackpot/{code}" for code in opened.jackpots or ()}
    return [
        one
        for one in pools
        if one.stream in streams and getattr(one.event, "partida", None) in (None, name)
    ]


def _elsewhere(
    inside: list[AnyRecorded], name: str, beside: list[AnyRecorded]
) -> list[AnyRecorded]:
    """What other partidas tell of this one's decks and machine, and when they began and ended."""
    kinds = {"deck-withdrawn/1", "shuffler-found-empty/1"}
    events = [one for one in inside if one.event.partida != name and one.event.kind in kinds]
    return events + beside


def _games_beside(inside: list[AnyRecorded], name: str, opened: PartidaOpened) -> list[AnyRecorded]:
    """Begin and end of the other games of its table, and of a machine or a deck it tells of."""
    mine = [one.event for one in inside if one.event.partida == name]
    decks = {each.deck for each in opened.decks}
    decks |= {event.deck for event in mine if isinstance(event, DeckWithdrawn)}
    machines = {event.shuffler for event in mine if isinstance(event, IncidentReported)}
    machines = {opened.shuffler, *machines} - {None}
    games = {
        one.event.partida
        for one in inside
        if isinstance(one.event, PartidaOpened)
        and one.event.partida != name
        and (
            one.event.table == opened.table
            or one.event.shuffler in machines
            or decks & {each.deck for each in one.event.decks}
        )
    }
    kinds = (PartidaOpened, PartidaClosed, PartidaReopened)
    return [one for one in inside if one.event.partida in games and isinstance(one.event, kinds)]


def found_in(evening: ProceduralEvening, law: Law = PT) -> list[Found]:
    """Everything found in all partidas of an evening and in its prizes' stories, sorted."""
    events = recorded_in(evening)
    found = [found for dossier in dossiers(events) for found in found_of(dossier, law)]
    for pool in evening.pools:
        for check, breach in said_of(pool.code, events):
            article = law.on(evening.day).article_of(check.name)
            where = tuple(sorted(breach.where.items()))
            found.append(Found("", article or "", check.name, where, None))
    return sorted(found, key=str)


def found_of(dossier: Dossier, law: Law) -> list[Found]:
    """Everything found in one partida."""
    return [_found(finding, played) for finding, played in findings_of(dossier, law)]


def findings_of(dossier: Dossier, law: Law) -> list[tuple[Finding, str | None]]:
    """The same, as the checks say it; the round with what one round alone shows."""
    kept = Kept()
    kept.keep(judge_partida(dossier, law).findings)
    kept.keep(judge_jackpot(dossier, law).findings)
    rounds = dossier.of(RoundPlayed)
    (opened,) = dossier.of(PartidaOpened)
    if opened.event.dealing == "shoe":
        look_across(rounds, [law] * len(rounds), kept)
    look_at_cards(dossier, rounds, [law] * len(rounds), kept)
    look_at_shoes(dossier, rounds, [law] * len(rounds), kept)
    found: list[tuple[Finding, str | None]] = [(one, None) for one in kept.findings]
    game = Game(opened, dossier.anywhere(LimitsSet))
    for recorded in rounds:
        judged = judge(
            recorded.event,
            law,
            game.limits(recorded.event, recorded.occurred_at, recorded.recorded_at),
        )
        found += [(one, recorded.event.round) for one in judged.findings]
    return found


def _found(finding: Finding, played: str | None) -> Found:
    where = () if played else tuple(sorted(finding.where.items()))
    return Found(finding.partida, finding.article, finding.check, where, played)
