"""A procedural evening before the whole law, without a book: as the reconciliation asks it.

What each partida's dossier holds is chosen here by hand, as docs/facts.md says which facts bear on
which partida; `casino.queries` chooses it once more from the book.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from audit.reconcile.across_rounds import look_across
from audit.reconcile.cards_seen import look_at_cards
from casino.facts.partidas import PartidaOpened
from casino.facts.rounds import Limits, RoundPlayed
from casino.facts.witnessing import Witnessed
from casino.regulation.dossier import Dossier, Signed, Told
from casino.regulation.finding import Finding
from casino.regulation.floor import judge_partida
from casino.regulation.judge import judge
from casino.regulation.law import Law, load_law
from casino.simulation.procedures import ProceduralEvening
from casino.simulation.procedures.book import Entry, entries_of
from jackpot.rules import judge_jackpot

PT = load_law("pt")
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

    def count(self, rulebook: str, outcomes: Sequence[tuple[str, str]]) -> None:
        """Forget them."""

    def keep(self, findings: Sequence[Finding]) -> None:
        """Keep them."""
        self.findings += findings


def told_by(entry: Entry, evening: ProceduralEvening) -> Told[Any]:
    """An entry as a check sees it."""
    return Told(
        entry_id=str(UUID(hex=entry.leaf[:32])),
        stream=entry.stream,
        n=entry.n,
        leaf=entry.leaf,
        occurred_at=entry.occurred_at,
        recorded_at=entry.recorded_at,
        gaming_day=evening.day,
        by=Signed(entry.by.staff, entry.by.office, entry.by.door),
        fact=entry.fact,
    )


def dossiers(evening: ProceduralEvening) -> list[Dossier]:
    """The dossier of each partida, twenty days later."""
    told = [told_by(entry, evening) for entry in entries_of(evening.acts)]
    of: defaultdict[str | None, list[Told[Any]]] = defaultdict(list)
    for one in told:
        of[getattr(one.fact, "partida", None)].append(one)
    house = of.pop(None)
    inside = [one for entries in of.values() for one in entries]
    return [_dossier(str(name), entries, house, inside) for name, entries in of.items()]


def _dossier(
    name: str, entries: list[Told[Any]], house: list[Told[Any]], inside: list[Told[Any]]
) -> Dossier:
    table = name.partition("/")[0]
    (opened,) = [one.fact for one in entries if isinstance(one.fact, PartidaOpened)][:1]
    witnesses = {one.fact.staff for one in entries if isinstance(one.fact, Witnessed)}
    words = [
        one
        for one in inside
        if isinstance(one.fact, Witnessed)
        and one.fact.staff in witnesses
        and one.fact.partida != name
    ]
    leaves = {one.fact.witnessed.leaf for one in words}
    return Dossier(
        partida=name,
        table=table,
        gaming_day=entries[0].gaming_day,
        as_of=entries[-1].occurred_at + LATER,
        entries=tuple(entries),
        house=tuple(one for one in house if one.stream == "house"),
        around=tuple(
            one
            for one in (*house, *_elsewhere(inside, name, opened))
            if one.stream == f"table/{table}"
            or getattr(one.fact, "shuffler", "") == opened.shuffler
            or getattr(one.fact, "deck", None) in {each.deck for each in opened.decks}
        ),
        elsewhere=tuple(sorted([*words, *(one for one in inside if one.leaf in leaves)],
                               key=lambda one: (one.stream, one.n))),
    )  # fmt: skip


def _elsewhere(inside: list[Told[Any]], name: str, opened: PartidaOpened) -> list[Told[Any]]:
    """What other partidas tell of this one's decks and machine."""
    kinds = {"deck-withdrawn/1", "shuffler-found-empty/1"}
    return [one for one in inside if one.fact.partida != name and one.fact.kind in kinds]


def found_in(evening: ProceduralEvening, law: Law = PT) -> list[Found]:
    """Everything found in all partidas of an evening, sorted."""
    return sorted(
        (found for dossier in dossiers(evening) for found in found_of(dossier, law)),
        key=str,
    )


def found_of(dossier: Dossier, law: Law) -> list[Found]:
    """Everything found in one partida."""
    kept = Kept()
    kept.keep(judge_partida(dossier, law).findings)
    kept.keep(judge_jackpot(dossier, law).findings)
    rounds = dossier.of(RoundPlayed)
    found = [_found(one, None) for one in kept.findings]
    across = Kept()
    (opened,) = dossier.of(PartidaOpened)
    if opened.fact.dealing == "shoe":
        look_across(rounds, [law] * len(rounds), across)
    look_at_cards(dossier, rounds, [law] * len(rounds), across)
    found += [_found(one, None) for one in across.findings]
    limits = Limits(opened.fact.limits.minimum_cents, opened.fact.limits.maximum_cents)
    for told in rounds:
        record = told.fact if told.fact.limits else replace(told.fact, limits=limits)
        found += [_found(one, told.fact.round) for one in judge(record, law).findings]
    return found


def _found(finding: Finding, played: str | None) -> Found:
    where = () if played else tuple(sorted(finding.where.items()))
    return Found(finding.partida, finding.article, finding.check, where, played)
