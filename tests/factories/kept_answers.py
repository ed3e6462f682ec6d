"""What a look at the rounds of a game answered and found, kept for a test."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from casino.law.finding import Finding, Undecided


class Kept:
    """What was answered, and what found."""

    def __init__(self) -> None:
        self.outcomes: dict[str, list[str]] = defaultdict(list)
        self.lacks: list[str] = []
        self.findings: list[Finding] = []

    def count(self, rulebook: str, outcomes: Sequence[tuple[str, str]]) -> None:
        for check, outcome in outcomes:
            self.outcomes[check].append(outcome)
            if isinstance(outcome, Undecided):
                self.lacks.append(outcome.missing)

    def keep(self, findings: Iterable[Finding]) -> None:
        self.findings += findings

    def of(self, check: str) -> list[Finding]:
        return [one for one in self.findings if one.check == check]
