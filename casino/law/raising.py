"""What checks come to: a breach with its law is a finding, and every answer is written down."""

from collections.abc import Sequence
from datetime import date

from casino.law.finding import FOUND, Breach, Finding, Rule, Verdict, Where
from casino.law.questions import breaches_in
from casino.law.rulebook import controls
from casino.law.rulebook.rulebook import LawInForce


def raised(
    rule: Rule,
    breach: Breach,
    rules: LawInForce,
    day: date,
    evidence: Sequence[str],
    *,
    where: Where | None = None,
    table: str = "",
    partida: str = "",
) -> Finding | None:
    """What is found under the article that upholds the rule; None where this law upholds it not.

    `evidence` are ids of entries, or the round; `where` is the place of what was looked at, which
    the breach narrows; a finding of the whole house has no table.
    """
    article = rules.article_of(rule.name)
    if article is None:
        return None
    of_house = controls.is_of_the_house(article)
    severity = breach.severity or rule.severity
    readings = breach.readings
    if rule.name in controls.BY_READING and rules.rulebook != controls.RULEBOOK:
        otherwise = controls.BY_READING[rule.name]
        readings = (*readings, otherwise.reading) if rules.states(otherwise.parameter) else readings
    if severity == "deviation" and not of_house:
        severity = "breach"  # a reading makes it the article's own
    return Finding(
        rulebook=controls.RULEBOOK if of_house else rules.rulebook,
        article=article,
        check=rule.name,
        severity=severity,
        gaming_day=day,
        table=table,
        partida=partida,
        evidence=tuple(evidence),
        where={**(where or {}), **breach.where},
        observed=breach.observed,
        expected=breach.expected,
        owed_cents=breach.owed_cents,
        owed_to=breach.owed_to,
        readings=readings,
    )


class Findings:
    """The findings of one partida, or of one round of it, and every outcome, as they are reached.

    `outcomes` are pairs (check, outcome), one for each thing a check looked at; `evidence` shows
    what a breach by itself names nothing for.
    """

    __slots__ = ("day", "evidence", "findings", "outcomes", "partida", "rules", "table")

    def __init__(
        self,
        rules: LawInForce,
        day: date,
        table: str,
        partida: str,
        evidence: tuple[str, ...] = (),
    ) -> None:
        self.rules = rules
        self.day = day
        self.table = table
        self.partida = partida
        self.evidence = evidence
        self.findings: list[Finding] = []
        self.outcomes: list[tuple[str, str]] = []

    def take(self, rule: Rule, verdict: Verdict, where: Where | None = None) -> None:
        """Write down what a check said of one thing it looked at: an outcome, or its breaches.

        The rule is one the law upholds.
        """
        if verdict is None:
            return
        if isinstance(verdict, str):
            self.outcomes.append((rule.name, verdict))
            return
        for breach in breaches_in(verdict):
            self.outcomes.append((rule.name, FOUND))
            found = raised(
                rule,
                breach,
                self.rules,
                self.day,
                breach.evidence or self.evidence,
                where=where,
                table=self.table,
                partida=self.partida,
            )
            assert found is not None
            self.findings.append(found)
