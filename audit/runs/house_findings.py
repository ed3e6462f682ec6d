"""Findings by their keys; those of the house's own checks."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from audit.models import refs_of
from audit.runs import house_checks
from audit.runs.keys import finding_key
from casino.law.finding import Finding
from casino.queries import table_of


def by_key(findings: Iterable[Finding]) -> dict[str, Finding]:
    """Findings by their keys, each once."""
    kept = list(findings)
    named = refs_of(entry for finding in kept for entry in finding.evidence)
    return {finding_key(finding, named): finding for finding in kept}


def house_finding(
    check: str,
    day: date,
    where: Mapping[str, Any],
    observed: Mapping[str, object],
    *,
    partida: str = "",
    table: str | None = None,
    evidence: Sequence[str] = (),
    expected: Mapping[str, object] | None = None,
) -> Finding:
    """A finding of the house's own checks; of no game without `partida`, whose the table is."""
    return Finding(
        rulebook=house_checks.RULEBOOK,
        article=house_checks.article_of(check),
        check=check,
        severity=house_checks.severity_of(check),
        gaming_day=day,
        table=table_of(partida) if table is None else table,
        partida=partida,
        evidence=tuple(evidence),
        where=dict(where),
        observed=dict(observed),
        expected=dict(expected or {}),
        owed_cents=0,
        owed_to=None,
        readings=(),
    )
