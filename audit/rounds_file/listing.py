"""The findings written down, one a line: a table for people, JSON Lines or CSV for programs.

The page docs/reconcile-file.md names every field. A listing makes text; where the text goes is the
destination's affair.
"""

import csv
import io
import json
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from audit.rounds_file.file_wording import Wording, one_line
from audit.rounds_file.judge_lines import Row
from audit.rounds_file.summary import summary_text
from audit.rounds_file.tally import Summary
from casino.law.rulebook.rulebook_file import counted_as
from casino.reading.refusal import Refused


class Cites(NamedTuple):
    """What a rulebook is cited by, by its id: what its articles are called, the act it is of."""

    article: Callable[[str], str]
    instrument: Callable[[str], str]

    def of(self, row: Row, wording: Wording) -> Row:
        """A row with its wording and the act it cites."""
        book = row["rulebook"]
        text = wording.cited(self.article(book), row)
        return {**row, "text": text, "instrument": self.instrument(book)}


FORMATS: Final = ("table", "jsonl", "csv")
COLUMNS: Final = (
    "record", "list", "line", "round", "gaming_day", "table", "partida", "box", "hand", "owner",
    "kind", "rulebook", "article", "check", "severity", "observed", "expected",
    "difference_cents", "owed_to", "readings", "evidence", "where", "why", "text",
    "instrument",
)  # fmt: skip


class Listing(Protocol):
    """One format: the text of each thing a run tells."""

    def head(self) -> str:
        """What comes before everything else."""

    def row(self, row: Row) -> str:
        """A finding or an undecided wager."""

    def refused(self, refused: Refused) -> str:
        """A line that was not judged."""

    def summary(self, summary: Summary) -> str:
        """What comes last."""


class JsonLines:
    """One object a line; `record` says what it is."""

    def __init__(self, wording: Wording, cites: Cites) -> None:
        self._wording = wording
        self._cites = cites

    def head(self) -> str:
        """Nothing: every line is an object."""
        return ""

    def row(self, row: Row) -> str:
        """The row and its wording."""
        return _json(self._cites.of(row, self._wording)) + "\n"

    def refused(self, refused: Refused) -> str:
        """Where and why."""
        fields = {"line": refused.line, "path": refused.path, "reason": refused.reason}
        text = self._wording.refusal(refused)
        return _json({"record": "refused", **fields, "text": text}) + "\n"

    def summary(self, summary: Summary) -> str:
        """The whole summary as the last object."""
        return _json({"record": "summary", **summary}) + "\n"


class Csv:
    """RFC 4180, one header line, the same columns for every record; the last one is the summary."""

    def __init__(self, wording: Wording, cites: Cites) -> None:
        self._wording = wording
        self._cites = cites

    def head(self) -> str:
        """The names of the columns."""
        return _csv(list(COLUMNS))

    def row(self, row: Row) -> str:
        """The row; what is a list or an object stands as JSON in its cell."""
        return self._cells(self._cites.of(row, self._wording))

    def refused(self, refused: Refused) -> str:
        """Where, in columns `line` and `where`, and why."""
        return self._cells(
            {
                "record": "refused",
                "line": refused.line,
                "where": refused.path,
                "why": refused.reason,
                "text": self._wording.refusal(refused),
            }
        )

    def summary(self, summary: Summary) -> str:
        """The counts as JSON in `observed`, whether all was judged in `text`."""
        complete = "yes" if summary["complete"] else "no"
        return self._cells(
            {"record": "summary", "observed": summary, "text": f"complete: {complete}"}
        )

    def _cells(self, values: Row) -> str:
        return _csv([_cell(values.get(name)) for name in COLUMNS])


class Table:
    """Columns for a terminal `width` wide; `article` is how wide the longest article is.

    The wording takes what is left, and all it needs where `width` is None.
    """

    NARROW: Final = 100

    def __init__(self, wording: Wording, width: int | None, article: int = 4) -> None:
        self._wording = wording
        self._width = width
        say = wording.say
        self._article = say("art.")
        narrow = width is not None and width < self.NARROW
        # Name, width, whether numbers; the round's last 12 signs tell it from any other,
        # --explain takes them.
        columns = [
            (say("line"), 0 if narrow else 8, True),
            (say("round"), 12, False),
            (say("box"), 5, False),
            (say("owner"), 6, False),
            (self._article, article, False),
            (say("severity"), 6 if narrow else 9, False),
            (say("difference"), 10, True),
            (say("owed to"), 7, False),
        ]
        self._columns = [
            (name, size if narrow else max(size, len(name)), right)
            for name, size, right in columns
            if size
        ]
        self._line_shown = not narrow

    def head(self) -> str:
        """The names of the columns."""
        return self._fitted([name for name, _, _ in self._columns], self._wording.say("finding"))

    def row(self, row: Row) -> str:
        """One line."""
        box = "" if row["box"] is None else str(row["box"])
        hand = "" if row["hand"] is None else f"/{row['hand']}"
        cents = row["difference_cents"]
        severity = row["severity"]
        cells = [
            row["round"][-12:],
            f"{box}{hand}",
            row["owner"] or "",
            row["article"] or "",
            self._wording.severity(counted_as(severity, row["rulebook"])) if severity else "?",
            "" if cents is None else self._wording.money(cents),
            self._wording.owed_to(row["owed_to"]),
        ]
        if self._line_shown:
            cells.insert(0, str(row["line"]))
        return self._fitted(cells, self._wording.text(row))

    def refused(self, refused: Refused) -> str:
        """Nothing: refusals are told apart from the table."""
        return ""

    def summary(self, summary: Summary) -> str:
        """The summary as people read it."""
        return "\n" + summary_text(summary, self._wording)

    def _fitted(self, cells: list[str], text: str) -> str:
        shown = []
        for cell, (name, size, right) in zip(cells, self._columns, strict=True):
            # What a finding cites is never cut: a column out of line is the lesser evil.
            fitted = cell if name == self._article else cut(cell, size)
            shown.append(fitted.rjust(size) if right else fitted.ljust(size))
        line = " ".join([*shown, text])
        return (line if self._width is None else cut(line, self._width)).rstrip() + "\n"


def cut(text: str, width: int) -> str:
    """Text at most `width` wide, with a mark where something is missing."""
    return text if len(text) <= width else text[: width - 1] + "…"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _cell(value: object) -> str | int:
    if value is None:
        return ""
    if isinstance(value, int):
        return value
    return neutral(one_line(value if isinstance(value, str) else _json(value)))


def neutral(text: str) -> str:
    """Text that no spreadsheet takes for a formula: an apostrophe before what could begin one."""
    return "'" + text if text[:1] in _BEGINS_A_FORMULA and text else text


_BEGINS_A_FORMULA: Final = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


def _csv(cells: list[str | int]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue()
