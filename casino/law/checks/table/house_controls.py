"""The house's own controls of a game, as a law of their own: no article of a rulebook asks them.

Their findings are raised as all others are, under headings of the house.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from casino.law.check_registry import rules_in
from casino.law.checks.rounds import house_rounds
from casino.law.checks.table import house_people, recorded_afterwards
from casino.law.dossier import Dossier
from casino.law.finding import Check, Rule
from casino.law.partida_context import PartidaContext
from casino.law.partida_judge import PartidaJudgement, findings_of, judgement_of
from casino.law.rulebook import controls
from casino.law.rulebook.rulebook import Law, LawInForce, Values

RULEBOOK: Final = controls.RULEBOOK


class Heading(NamedTuple):
    """What an article of the house is called, and what it asks (English msgids)."""

    heading: str
    summary: str
    checks: tuple[Rule, ...]


ARTICLES: Final[Mapping[str, Heading]] = {
    **{
        part.ARTICLE: Heading(part.HEADING, part.SUMMARY, rules_in(part))
        for part in (house_people, house_rounds, recorded_afterwards)
    },
    # Asked with the law's own checks, whose subjects they share.
    **{name: Heading(one.heading, one.summary, ()) for name, one in controls.CONTROLS.items()},
}
CHECKS: Final = tuple(check for part in ARTICLES.values() for check in part.checks)
BY_NAME: Final[Mapping[str, Rule]] = {check.name: check for check in CHECKS}
ARTICLE_OF: Final[Mapping[str, str]] = {
    check.name: article for article, part in ARTICLES.items() for check in part.checks
}
RULES: Final = LawInForce(RULEBOOK, Values(RULEBOOK, {}, {}), dict(ARTICLE_OF))


def judge_house(dossier: Dossier, law: Law) -> PartidaJudgement:
    """Judge a game by the house's own rules; `law` is that of the game.

    Never raises on events the book accepted. Evidence of a finding are ids of entries.
    """
    game, found = PartidaContext(dossier, law.on(dossier.gaming_day)), findings_of(dossier, RULES)
    for check in CHECKS:
        if isinstance(check, Check):
            found.take(check, check(game))
    return judgement_of(found)
