"""What would hold under another rulebook, beside what stands: no finding of the record.

Such a run raises and supersedes nothing. What it finds is kept with the run alone, operational, and
compared when it ends: what would appear, what would vanish, what would be said otherwise.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from audit.models import Finding as FindingRow
from audit.models import ids_of
from audit.reconcile import house_checks, keys
from casino.regulation.finding import Finding
from casino.tlog.canonical import canonical

Change = Literal["appear", "vanish", "change", "same"]
CHANGES: Final[tuple[Change, ...]] = ("appear", "vanish", "change", "same")
SHOWN: Final = 500  # differences kept of one run; the others are counted


def as_found(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Findings as a part keeps them; the house's own checks are asked under no law."""
    return [
        {
            "article": one.article,
            "check": one.check,
            "evidence": sorted(set(one.evidence)),
            "expected": keys.flat(one.expected),
            "observed": keys.flat(one.observed),
            "owed_cents": one.owed_cents,
            "owed_to": one.owed_to or "",
            "partida": one.partida,
            "severity": one.severity,
            "where": keys.flat(one.where),
        }
        for one in findings
        if one.rulebook != house_checks.RULEBOOK
    ]


def as_standing(rows: Iterable[FindingRow]) -> list[dict[str, Any]]:
    """Findings of the book in the same form."""
    told = list(rows)
    rests_on = ids_of(told)
    return [
        {
            "article": row.article,
            "check": row.check_name,
            "evidence": sorted(rests_on[row.pk]),
            "expected": row.expected,
            "observed": row.observed,
            "owed_cents": row.owed_cents,
            "owed_to": row.owed_to,
            "partida": row.partida_id,
            "severity": row.severity,
            "where": row.where,
        }
        for row in told
    ]


def compared(
    found: Iterable[Mapping[str, Any]], standing: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """The one beside the other: counts, sums in cents by whom they are owed to, differences.

    The same cause is one check at one place on the same entries, whatever the article is.
    """
    now = {_cause(one): one for one in standing}
    then = {_cause(one): one for one in found}
    counts = dict.fromkeys(CHANGES, 0)
    differences: list[dict[str, Any]] = []
    for cause in [*then, *(each for each in now if each not in then)]:
        how = _change(then.get(cause), now.get(cause))
        counts[how] += 1
        if how != "same" and len(differences) < SHOWN:
            differences.append({"change": how, "now": now.get(cause), "then": then.get(cause)})
    return {
        "counts": counts,
        "differences": differences,
        "owed_now": _owed(now.values()),
        "owed_then": _owed(then.values()),
    }


def _cause(one: Mapping[str, Any]) -> bytes:
    return canonical({name: one[name] for name in ("check", "evidence", "partida", "where")})


def _change(then: Mapping[str, Any] | None, now: Mapping[str, Any] | None) -> Change:
    if then is None or now is None:
        return "appear" if now is None else "vanish"
    alike = all(then[name] == now[name] for name in ("observed", "expected", "owed_cents"))
    return "same" if alike else "change"


def _owed(findings: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    sums = {"player": 0, "house": 0}
    for one in findings:
        if one["owed_to"]:
            sums[one["owed_to"]] += one["owed_cents"]
    return sums
