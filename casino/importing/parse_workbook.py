"""``python -m casino.importing.parse_workbook FILE``: the cells of a workbook, one row a line.

As `parse_file`: a process of its own, bounded, which knows no database and nothing of what the
sheets mean. ``R ROW {"sheet", "cells": [[text, is a number, fault], ...]}``; F, U and E as there.
"""

import json
import sys
from collections.abc import Iterator
from typing import BinaryIO, Final

from casino.converting.sheet_rows import NoWorkbook, SheetCell, SheetRow, Workbook
from casino.events.phrases import Phrase, phrase_as_json
from casino.importing.parse_file import fault_as_json, in_bounds
from casino.reading.refusal import Refused

MOST_ROWS: Final = 5_000  # of all sheets together
MOST_SHEETS: Final = 30
MOST_COLUMNS: Final = 60
MOST_TEXT: Final = 2_000  # characters of a cell
MOST_TEXTS: Final = 4 * 2**20  # of all cells: a file may name one text a hundred thousand times


def cells_of(stream: BinaryIO) -> Iterator[str]:
    """What the module says of a file."""
    rows = length = 0
    try:
        book = Workbook(stream)
        if len(book.sheets) > MOST_SHEETS:
            found = Phrase("{count} sheets", count=len(book.sheets))
            raise NoWorkbook(found, Phrase("at most {most}", most=MOST_SHEETS))
        for sheet in book.sheets:
            for row in book.rows(sheet):
                rows += 1
                if rows > MOST_ROWS:
                    found = Phrase("more than {most} rows", most=MOST_ROWS)
                    raise NoWorkbook(found, Phrase("what a house begins with, in several files"))
                written = _row(sheet, row)
                length += len(written)
                if length > MOST_TEXTS:
                    found = Phrase("more than {most} MB of text", most=MOST_TEXTS // 2**20)
                    raise NoWorkbook(found, Phrase("what a house begins with, in several files"))
                yield f"R {row.number} {written}"
            for area in book.merged:
                reason = Phrase(
                    "found {found}; asked: {asked}",
                    found=Phrase("merged cells"),
                    asked=Phrase("each cell by itself"),
                )
                yield f"F 1 {fault_as_json(Refused(1, f'{sheet}!{area}', reason))}"
    except NoWorkbook as error:
        reason = Phrase("found {found}; asked: {asked}", found=error.found, asked=error.asked)
        yield f"U {json.dumps(phrase_as_json(reason))}"
        return
    yield f"E {rows}"


def _row(sheet: str, read_row: SheetRow) -> str:
    cells = [[*_bounded(cell)] for cell in read_row.cells[:MOST_COLUMNS]]
    if any(cell.text or cell.fault for cell in read_row.cells[MOST_COLUMNS:]):
        fault = Phrase("more than {most} columns", most=MOST_COLUMNS)
        cells.append(["", False, phrase_as_json(fault)])
    return json.dumps({"sheet": sheet, "cells": cells})


def _bounded(cell: SheetCell) -> tuple[str, bool, object]:
    if len(cell.text) > MOST_TEXT:
        fault = Phrase("a cell of more than {most} characters", most=MOST_TEXT)
        return "", False, phrase_as_json(fault)
    return cell.text, cell.number, phrase_as_json(cell.fault) if cell.fault else ""


if __name__ == "__main__":
    in_bounds(sys.argv[1], cells_of)
