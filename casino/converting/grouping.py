"""Which rows make one round.

Rows of a round stand together in the file; nothing is kept once a round is complete.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from casino.converting import csv_cells
from casino.converting.csv_rows import CellError, Row
from casino.converting.mapping import Column, Mapping
from casino.events.phrases import Phrase

# Rows kept of one round: far above any table's hands, and a bound for a wrong mapping.
MAX_ROWS: Final = 200


class Problem(NamedTuple):
    """Why a row, or its whole round, cannot be converted.

    `column` is None where it is no single cell. Words of ours in `found`, `asked` are a `Phrase`.
    """

    row: int
    column: Column | None
    found: str
    asked: str


@dataclass(slots=True)
class Group:
    """The rows of one round as they came, and what already speaks against converting them."""

    rows: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    seen: int = 0
    complete: bool = True

    def add(self, row: Row) -> None:
        """Take in a row; beyond the bound only its number is counted."""
        self.seen += 1
        if row.fault is not None:
            self.problems.append(Problem(row.number, *row.fault.args))
        if self.seen <= MAX_ROWS:
            self.rows.append(row)
        elif self.seen == MAX_ROWS + 1:
            found = Phrase("one more row of the same round")
            asked = Phrase("at most {most} rows in a round", most=MAX_ROWS)
            self.problems.append(Problem(row.number, None, found, asked))


def groups_of(rows: Iterator[Row], mapping: Mapping) -> Iterator[Group]:
    """The rounds of a file, in its order; rows the mapping says to skip are left out."""
    grouping = mapping.grouping
    cut = _Cut(mapping)
    group = Group()
    for row in rows:
        if row.fault is None and mapping.kinds is not None:
            if row.cell(mapping.kinds.column) in mapping.kinds.skip:
                continue
        if group.rows and cut.begins(row, group):
            yield _closed(group, grouping.rows)
            group = cut.next_group()
        group.add(row)
        cut.look(row, group)
    if group.rows:
        yield _closed(group, grouping.rows)


class _Cut:
    """Decides before each row whether it begins a new round.

    An unreadable row cannot tell: it is counted to the round it follows and, where a new round
    begins right after it, may have been that round's first, so that one is not converted either.
    """

    def __init__(self, mapping: Mapping) -> None:
        self.grouping = mapping.grouping
        self.last: str | int | None = None
        self.unread: Row | None = None
        self.carried: list[Problem] = []
        self.keys: set[str] = set()

    def begins(self, row: Row, group: Group) -> bool:
        """Whether this row belongs to another round than the rows before it."""
        if self.grouping.by == "count":
            assert self.grouping.rows is not None
            return group.seen >= self.grouping.rows
        if self.last is None:
            self.last = self._mark(group.rows[-1])
        unread, before = self.unread, self.last
        mark = self._mark(row)
        self.unread = row if mark is None else None
        if mark is None:
            return False
        self.last = mark
        if before is None:
            # Only unreadable rows so far: whether this one goes with them is not known either.
            return False
        begins = mark != before if self.grouping.by == "key" else _restarts(mark, before)
        if begins:
            self._begin(row, unread, mark, before)
        return begins

    def look(self, row: Row, group: Group) -> None:
        """Speak against a row whose running number is none."""
        if self.grouping.by == "restart" and row.fault is None and self._mark(row) is None:
            column = self.grouping.column
            assert column is not None
            found = csv_cells.quoted(row.cell(column))
            group.problems.append(Problem(row.number, column, found, Phrase("a whole number")))

    def next_group(self) -> Group:
        """An empty group, with what already speaks against it."""
        problems, self.carried = self.carried, []
        return Group(problems=problems)

    def _begin(self, row: Row, unread: Row | None, mark: str | int, before: str | int) -> None:
        column = self.grouping.column
        if unread is not None:
            found = Phrase("row {row} before it, which could not be read", row=unread.number)
            self.carried.append(Problem(row.number, None, found, Phrase("all rows of the round")))
        if self.grouping.by == "key":
            self.keys.add(str(before))
            if mark in self.keys:
                asked = Phrase("the rows of a round together")
                self.carried.append(Problem(row.number, column, csv_cells.quoted(str(mark)), asked))

    def _mark(self, row: Row) -> str | int | None:
        if row.fault is not None:
            return None
        column = self.grouping.column
        assert column is not None
        found = row.cell(column)
        if self.grouping.by == "key":
            return found
        try:
            return csv_cells.whole(found, column)
        except CellError:
            return None


def _restarts(mark: str | int, before: str | int) -> bool:
    return isinstance(mark, int) and isinstance(before, int) and mark <= before


def _closed(group: Group, lines: int | None) -> Group:
    group.complete = lines is None or group.seen == lines
    return group
