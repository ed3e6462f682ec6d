"""One partida before the law: its table and decks, its preparation, its shuffler, its incidents.

The rounds themselves are judged by `judge.py` one by one and by `shoe.py` shoe by shoe; here is
what only the procedures around them show. What the dossier does not decide is not decidable.

Law: PT art. 2 to 14, 17, 51 to 61.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from casino.events.shoes import CardsSpread
from casino.law.check_registry import ALL_CHECKS, plan_of
from casino.law.checks.shuffler.cards_put_back import deferrals_of
from casino.law.checks.shuffler.inside_shuffler import lids_of
from casino.law.checks.shuffler.shuffler_troubles import troubles_of
from casino.law.checks.table.complaints_heard import complaints_of
from casino.law.checks.table.deck_condition import damages_of, exchanges_of
from casino.law.checks.table.decks_exhibited import decks_on_record
from casino.law.dossier import Dossier, in_time
from casino.law.finding import FOUND, Breach, Check, Finding, Result, Scope
from casino.law.partida_context import PartidaContext
from casino.law.raising import raised
from casino.law.rulebook.lacking import about
from casino.law.rulebook.rulebook import Law, LawInForce


class PartidaJudgement(NamedTuple):
    """Everything the law says of the procedures of one partida.

    `outcomes` are pairs (check, outcome), one for each thing a check looked at.
    """

    findings: tuple[Finding, ...]
    outcomes: list[tuple[str, str]]


# What a partida's checks look at, one thing at a time, and how the things are found.
_SUBJECTS: Final[dict[Scope, Callable[[PartidaContext], Iterable[Any]]]] = {
    "deck": decks_on_record,
    "damage": damages_of,
    "replacement": exchanges_of,
    "shoe_on_record": lambda game: game.shoes,
    "spread": lambda game: sorted(game.dossier.of(CardsSpread), key=in_time),
    "load": lambda game: game.loads,
    "unload": lambda game: game.unloads,
    "lid": lids_of,
    "incident": troubles_of,
    "deferral": deferrals_of,
    "complaint": complaints_of,
}


@lru_cache(maxsize=64)
def _asked(rules: LawInForce, only: frozenset[str] | None) -> dict[Scope, tuple[Check, ...]]:
    """The checks a rulebook asks of a partida, by what they look at."""
    names = plan_of(rules).upheld if only is None else plan_of(rules).upheld & only
    upheld = [ALL_CHECKS[name] for name in sorted(names)]
    return {
        scope: tuple(check for check in upheld if check.scope == scope and check.run is not None)
        for scope in ("partida", *_SUBJECTS)
    }


def judge_partida(
    dossier: Dossier, law: Law, only: frozenset[str] | None = None
) -> PartidaJudgement:
    """Judge one partida under a rulebook as in force on its gaming day; `only` by these checks.

    Never raises on events the book accepted. Evidence of a finding are ids of entries.
    """
    rules = law.on(dossier.gaming_day)
    game = PartidaContext(dossier, rules)
    findings: list[Finding] = []
    outcomes: list[tuple[str, str]] = []
    for scope, checks in _asked(rules, only).items():
        find = _SUBJECTS.get(scope)
        subjects = [()] if find is None else [(one,) for one in find(game)] if checks else []
        for subject in subjects:
            for check in checks:
                assert check.run is not None
                result = check.run(game, *subject)
                if subject:
                    result = about(result, subject[0])
                keep(check, result, dossier, rules, findings, outcomes)
    return PartidaJudgement(tuple(findings), outcomes)


def keep(
    check: Check,
    result: Result,
    dossier: Dossier,
    rules: LawInForce,
    findings: list[Finding],
    outcomes: list[tuple[str, str]],
) -> None:
    """Write down what a check said of one thing it looked at: an outcome, or its breaches."""
    if result is None:
        return
    if isinstance(result, str):
        outcomes.append((check.name, result))
        return
    for breach in result if isinstance(result, list) else (result,):
        outcomes.append((check.name, FOUND))
        findings.append(_finding(check, breach, dossier, rules))


def _finding(check: Check, breach: Breach, dossier: Dossier, rules: LawInForce) -> Finding:
    found = raised(
        check,
        breach,
        rules,
        dossier.gaming_day,
        breach.evidence,
        table=dossier.table,
        partida=dossier.partida,
    )
    assert found is not None  # only what a law upholds is asked
    return found
