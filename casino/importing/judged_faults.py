"""What is kept of a file that was judged: its faults by cause, and what would be found, counted."""

from collections.abc import Sequence
from typing import Final, TypedDict

from casino.events.phrases import Phrase, phrase_of_json
from casino.law.finding import Finding
from casino.models import StagedImport, StagedPiece

SHOWN: Final = 5  # first lines of each cause, and first examples of each finding
MOST_KINDS: Final = 200  # tables, days, causes that are told apart


class Fault(TypedDict):
    """Where in a line something is wrong, and why (`phrase_of_json`)."""

    path: str
    reason: object


class CauseFound(Fault):
    """The first fault of a cause, how many there are, and the lines of the first of them."""

    count: int
    lines: list[int]


class FindingsFound(TypedDict):
    """What one check would find: how often, and the first lines with their games."""

    article: str
    check: str
    severity: str
    rulebook: str
    count: int
    examples: list[tuple[int, str]]


def put(staged: StagedImport, what: str, number: int, packed: Sequence[bytes]) -> None:
    """Keep some lines of a file together."""
    StagedPiece.objects.create(
        of=staged, what=what, number=number, content=b"\n".join(packed), count=len(packed)
    )


def count_cause(causes: dict[str, CauseFound], line: int, fault: Fault) -> None:
    """One more line of a cause: the same sentence at the same place, whatever the values in it."""
    reason = phrase_of_json(fault["reason"])
    sentence = reason.template if isinstance(reason, Phrase) else reason
    if isinstance(reason, Phrase) and "asked" in reason.values:  # of a table: tells causes apart
        asked = reason.values["asked"]
        sentence += asked.template if isinstance(asked, Phrase) else ""
    place = "".join(sign for sign in fault["path"] if not sign.isdigit())
    name = f"{place} {sentence}"
    if name not in causes and len(causes) >= MOST_KINDS:
        name = "other"
    cause = causes.setdefault(
        name, {"count": 0, "lines": [], "path": fault["path"], "reason": fault["reason"]}
    )
    cause["count"] += 1
    if len(cause["lines"]) < SHOWN:
        cause["lines"].append(line)


def count_finding(findings: dict[str, FindingsFound], finding: Finding, line: int, of: str) -> None:
    """One more line a check would find something in; `of` is its game, or its sheet."""
    one = findings.setdefault(
        f"{finding.article} {finding.check}",
        {
            "article": finding.article,
            "check": finding.check,
            "severity": finding.severity,
            "rulebook": finding.rulebook,
            "count": 0,
            "examples": [],
        },
    )
    one["count"] += 1
    if len(one["examples"]) < SHOWN:
        one["examples"].append((line, of))
