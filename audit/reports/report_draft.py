"""A report as it is put together: sections of texts, pairs and tables, and the entries it cites.

Pure: of what was read it makes a JSON value, which `casino.tlog.canonical` writes as bytes. Those
bytes are the report. Figures are cells (`report_cells.py`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NotRequired, TypedDict

FORMAT: Final = "livro-da-sala-report/1"

Cell = dict[str, object]


class EntryNamed(TypedDict):
    """An entry, by the name of its stream and its number there."""

    stream: str
    n: int
    leaf: NotRequired[str]


class CellRead(TypedDict):
    """A cell as it is read again: its text, and what is exact."""

    text: str
    n: NotRequired[int]
    cents: NotRequired[int]
    at: NotRequired[str]
    day: NotRequired[str]
    ratio: NotRequired[str]


class ColumnRead(TypedDict):
    """A column as it is read again."""

    name: str
    width: int
    align: str


class RowRead(TypedDict):
    """A row as it is read again."""

    cells: list[CellRead]
    entry: NotRequired[EntryNamed]


class SectionRead(TypedDict):
    """A section as it is read again."""

    columns: list[ColumnRead]
    heading: str
    level: int
    pairs: list[object]
    rows: list[RowRead]
    texts: list[str]


class SizeRead(TypedDict):
    """How many entries a checkpoint is of."""

    n: int
    text: str


class CheckpointRead(TypedDict):
    """The checkpoint of a report as it is read again; `root` in hex."""

    origin: str
    root: str
    size: SizeRead


class SealRead(TypedDict):
    """Which seal a report was to get."""

    certificate: str
    certificate_sha256: str
    level: str


class IssuedRead(TypedDict):
    """When a report was issued, by whom."""

    at: str
    by: str


class ReportDocument(TypedDict):
    """A report's JSON as it is read again: what of it the house itself asks."""

    format: str
    number: str
    report: str
    request: str
    title: str
    checkpoint: CheckpointRead
    entries: list[EntryNamed]
    issued: IssuedRead
    sections: list[SectionRead]
    seal: SealRead


class EntryProof(TypedDict):
    """An entry and its proof, a .tlog-proof."""

    entry: EntryNamed
    proof: str


Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; `width` is its share of the line, 0 as wide as what stands in it."""

    name: str
    width: int = 0
    align: Align = "left"

    def as_json(self) -> dict[str, object]:
        """As the report's JSON has it."""
        return {"align": self.align, "name": self.name, "width": self.width}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table; `entry` is the entry it shows, by stream and number."""

    cells: Sequence[Cell]
    entry: tuple[str, int] | None = None

    def as_json(self) -> dict[str, object]:
        """As the report's JSON has it."""
        value: dict[str, object] = {"cells": list(self.cells)}
        if self.entry is not None:
            value["entry"] = {"n": self.entry[1], "stream": self.entry[0]}
        return value


@dataclass(slots=True)
class Draft:
    """A report that is being read: `cited` are the entries it rests on, by stream and number;
    `letter` what a letter has besides (`letters.py`), {} for a report; `reaudit` what another makes
    a comparison again from (`readers/read_reaudit.py`).
    """

    title: str = ""
    sections: list[dict[str, object]] = field(default_factory=list)
    cited: set[tuple[str, int]] = field(default_factory=set)
    rulebooks: set[str] = field(default_factory=set)
    letter: dict[str, object] = field(default_factory=dict)
    reaudit: dict[str, object] = field(default_factory=dict)

    def cite(self, entries: Iterable[tuple[str, int]]) -> None:
        """Entries the report rests on that no row of it shows."""
        self.cited.update(entries)

    def section(
        self,
        heading: str,
        *,
        level: int = 1,
        texts: Sequence[str] = (),
        pairs: Sequence[tuple[str, Cell]] = (),
        columns: Sequence[Column] = (),
        rows: Iterable[Row] = (),
        empty: str = "",
    ) -> None:
        """One section. `empty` is what stands in the place of a table without rows."""
        listed = list(rows)
        self.cited.update(row.entry for row in listed if row.entry is not None)
        for row in listed:
            assert len(row.cells) == len(columns), heading
        self.sections.append(
            {
                "columns": [each.as_json() for each in columns],
                "empty": empty,
                "heading": heading,
                "level": level,
                "pairs": [{"name": name, "value": value} for name, value in pairs],
                "rows": [row.as_json() for row in listed],
                "texts": list(texts),
            }
        )


def number_text(year: int, number: int) -> str:
    """A report's number as it is cited: ``REL-2026-000001``."""
    return f"REL-{year}-{number:06d}"
