"""A list as comma-separated values: written row by row, and harmless to open in a spreadsheet."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

Cell = str | int | None
BOM: Final = "\ufeff"  # tells a spreadsheet that this is UTF-8
_BEGINS_A_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_NO_NAME: Final = re.compile(r"[^A-Za-z0-9.]+")
_LONGEST_PART: Final = 40
_AT_ONCE: Final = 200  # rows sent in one piece


class _Echo:
    """What csv.writer writes to: hands each line back."""

    def write(self, line: str) -> str:
        return line


def harmless(cell: Cell) -> Cell:
    """Text a spreadsheet would run is given an apostrophe; numbers stay numbers."""
    if isinstance(cell, str) and cell.startswith(_BEGINS_A_FORMULA):
        return f"'{cell}"
    return cell


def file_named(what: str, *parts: str) -> str:
    """What a file of a list is called, by what it holds: ``findings-2026-11-01-2026-11-30-BJ-02``.

    Of each part only what every file system takes; an empty one is left out.
    """
    safe = (_NO_NAME.sub("-", part).strip("-.")[:_LONGEST_PART] for part in parts)
    return "-".join([what, *filter(None, safe)])


def csv_lines(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """The file in pieces of some rows each: BOM, head, rows; lines end as RFC 4180 asks."""
    writer = csv.writer(_Echo())
    piece = [BOM, writer.writerow(head)]
    for row in rows:
        piece.append(writer.writerow([harmless(cell) for cell in row]))
        if len(piece) >= _AT_ONCE:
            yield "".join(piece)
            piece = []
    yield "".join(piece)
