"""What a run counted: lines, rounds, checks per article, wagers, money handed back wrongly."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from audit.rounds_file.judge_lines import MONEY, PLAY, Judged, Row
from casino.law.finding import FOUND, LAWFUL, UNDECIDED

Summary = dict[str, Any]  # what a run comes to, for programs


@dataclass(frozen=True, slots=True)
class ArticleCount:
    """How often the checks of one article were asked, and with which result."""

    rulebook: str
    article: str
    lawful: int
    findings: int
    undecided: int

    @property
    def checked(self) -> int:
        """How often, with whatever result."""
        return self.lawful + self.findings + self.undecided


@dataclass(slots=True)
class Tally:
    """The counts of one run. Money in cents."""

    lines: int = 0
    blank: int = 0
    refused: int = 0
    rounds: Counter[str] = field(default_factory=Counter)  # by rulebook
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    wagers: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    owed_cents: Counter[str] = field(default_factory=Counter)

    def add(self, judged: Judged) -> None:
        """Add one part."""
        self.lines += judged.lines
        self.blank += judged.blank
        self.refused += len(judged.refused)
        self.rounds.update(parsed.rulebook for parsed in judged.traces)
        self.counts.update(judged.counts)
        self.wagers.update(judged.wagers)
        for row in judged.rows:
            self.add_finding(row)

    def add_outcome(self, rulebook: str, article: str, outcome: str) -> None:
        """Count one check asked across rounds."""
        self.counts[rulebook, article, outcome] += 1

    def add_finding(self, row: Row) -> None:
        """Count a finding and what is owed by it; other rows are left alone."""
        if row["record"] != "finding":
            return
        self.findings[row["list"]] += 1
        if row["owed_to"] is not None:
            self.owed_cents[row["owed_to"]] += row["difference_cents"]

    @property
    def found(self) -> int:
        """All findings, about money and about play."""
        return self.findings[MONEY] + self.findings[PLAY]

    @property
    def undecided(self) -> int:
        """Wagers whose amount the records do not decide."""
        return self.wagers[UNDECIDED]

    def articles(self) -> list[ArticleCount]:
        """The articles that were asked, by rulebook; numbers first, in their order."""
        asked = {(rulebook, article) for rulebook, article, _ in self.counts}
        return [
            ArticleCount(
                rulebook,
                article,
                self.counts[rulebook, article, LAWFUL],
                self.counts[rulebook, article, FOUND],
                self.counts[rulebook, article, UNDECIDED],
            )
            for rulebook, article in sorted(asked, key=_in_order)
        ]


def _in_order(counted: tuple[str, str]) -> tuple[str, bool, int, str]:
    rulebook, article = counted
    number = article.isdecimal()
    return rulebook, not number, int(article) if number else 0, article
