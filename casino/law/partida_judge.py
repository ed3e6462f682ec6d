"""One partida before the law: its table and decks, its preparation, its shuffler, its incidents.

The rounds themselves are judged by `round_judge.py` one by one and by `shoe_rounds.py` shoe by
shoe; here is what only the procedures around them show. What the dossier does not decide is not
decidable.

Law: PT art. 2 to 14, 17, 51 to 61.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from casino.events.shoes import CardsSpread
from casino.law.check_registry import plan_of
from casino.law.checks.shuffler.inside_shuffler import lids_of
from casino.law.checks.table.complaints_heard import complaints_of
from casino.law.checks.table.deck_condition import damages_of, exchanges_of
from casino.law.dossier import Dossier, in_time
from casino.law.finding import Check, Finding, Scope, Where
from casino.law.game_decks import decks_on_record
from casino.law.game_incidents import troubles_of
from casino.law.partida_context import PartidaContext
from casino.law.put_back import deferrals_of
from casino.law.raising import Findings
from casino.law.rulebook.lacking import about
from casino.law.rulebook.rulebook import Law, LawInForce


class PartidaJudgement(NamedTuple):
    """Everything the law says of the procedures of one partida.

    `outcomes` are pairs (check, outcome), one for each thing a check looked at.
    """

    findings: tuple[Finding, ...]
    outcomes: list[tuple[str, str]]


class Subject(NamedTuple):
    """What checks look at, one thing at a time: how these are found, and where one of them is."""

    found: Callable[[PartidaContext], Iterable[Any]]
    where: Callable[[PartidaContext, Any], Where]


def _of_spread(_: PartidaContext, spread: Any) -> Where:
    return {} if spread.event.shoe is None else {"shoe": spread.event.shoe}


_SUBJECTS: Final[dict[Scope, Subject]] = {
    "deck": Subject(decks_on_record, lambda game, deck: {"deck": deck}),
    "damage": Subject(damages_of, lambda game, damage: damage.where),
    "replacement": Subject(exchanges_of, lambda game, exchange: exchange.where),
    "shoe_on_record": Subject(lambda game: game.shoes, lambda game, shoe: {"shoe": shoe.number}),
    "spread": Subject(lambda game: sorted(game.dossier.of(CardsSpread), key=in_time), _of_spread),
    "load": Subject(
        lambda game: game.loads, lambda game, load: {"load": game.loads.index(load) + 1}
    ),
    "unload": Subject(
        lambda game: game.unloads, lambda game, unload: {"unload": game.unloads.index(unload) + 1}
    ),
    "lid": Subject(lids_of, lambda game, lid: {"shuffler": lid.event.shuffler}),
    "incident": Subject(troubles_of, lambda game, one: {"incident": one.event.incident}),
    "deferral": Subject(deferrals_of, lambda game, deferral: {}),
    "complaint": Subject(complaints_of, lambda game, one: {"complaint": one.event.complaint}),
}


@lru_cache(maxsize=64)
def _asked(rules: LawInForce, only: frozenset[str] | None) -> dict[Scope, tuple[Check, ...]]:
    """The checks a rulebook asks of a partida, by what they look at."""
    asked: dict[Scope, tuple[Check, ...]] = {}
    scopes: tuple[Scope, ...] = ("partida", *_SUBJECTS)
    for scope in scopes:
        checks = sorted(plan_of(rules).checks[scope], key=lambda check: check.name)
        asked[scope] = tuple(one for one in checks if only is None or one.name in only)
    return asked


def judge_partida(
    dossier: Dossier, law: Law, only: frozenset[str] | None = None
) -> PartidaJudgement:
    """Judge one partida under a rulebook as in force on its gaming day; `only` by these checks.

    Never raises on events the book accepted. Evidence of a finding are ids of entries.
    """
    rules = law.on(dossier.gaming_day)
    game, found = PartidaContext(dossier, rules), findings_of(dossier, rules)
    for scope, checks in _asked(rules, only).items():
        if scope == "partida":
            for check in checks:
                found.take(check, check(game))
        elif checks:
            subject = _SUBJECTS[scope]
            for one in subject.found(game):
                where = subject.where(game, one)
                for check in checks:
                    found.take(check, about(check(game, one), one), where)
    return judgement_of(found)


def findings_of(dossier: Dossier, rules: LawInForce) -> Findings:
    """Where what is found of a partida is written down."""
    return Findings(rules, dossier.gaming_day, dossier.table, dossier.partida)


def judgement_of(reached: Findings) -> PartidaJudgement:
    """Everything that was written down."""
    return PartidaJudgement(tuple(reached.findings), reached.outcomes)
