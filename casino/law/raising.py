"""A breach with its law: the finding it is raised as."""

from collections.abc import Sequence
from datetime import date

from casino.law.finding import Breach, Check, Finding
from casino.law.rulebook import controls
from casino.law.rulebook.rulebook import LawInForce


def raised(
    check: Check,
    breach: Breach,
    rules: LawInForce,
    day: date,
    evidence: Sequence[str],
    *,
    table: str = "",
    partida: str = "",
) -> Finding | None:
    """What is found under the article that upholds the check; None where this law upholds it not.

    `evidence` are ids of entries, or the round; a finding of the whole house has no table.
    """
    article = rules.article_of(check.name)
    if article is None:
        return None
    of_house = controls.is_of_the_house(article)
    severity = breach.severity or check.severity
    readings = breach.readings
    if check.name in controls.BY_READING and rules.rulebook != controls.RULEBOOK:
        otherwise = controls.BY_READING[check.name]
        readings = (*readings, otherwise.reading) if rules.states(otherwise.parameter) else readings
    if severity == "deviation" and not of_house:
        severity = "breach"  # a reading makes it the article's own
    return Finding(
        rulebook=controls.RULEBOOK if of_house else rules.rulebook,
        article=article,
        check=check.name,
        severity=severity,
        gaming_day=day,
        table=table,
        partida=partida,
        evidence=tuple(evidence),
        where=breach.where,
        observed=breach.observed,
        expected=breach.expected,
        owed_cents=breach.owed_cents,
        owed_to=breach.owed_to,
        readings=readings,
    )
