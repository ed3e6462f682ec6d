"""The rows of a CSV file, one at a time and each of bounded size.

What is no row of text says so instead of failing. A row's number is that of its first line in the
file, so that an editor or a spreadsheet finds it.
"""

import csv
import io
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple

from casino.converting.mapping import WHOLE_FILE, Column, Dialect, Mapping, MappingError
from casino.converting.sheet_rows import MAGIC, NoWorkbook, Workbook
from casino.events.phrases import Phrase

MAX_LINE: Final = 65_536  # characters; a row of a hundred columns has about one thousandth of it
_UNREADABLE: Final = "\ufffd"  # what a decoder puts in the place of bytes it cannot read


class CellError(ValueError):
    """A cell that cannot be read: what was found, what is asked; `column` None for a whole row."""

    def __init__(self, column: Column | None, found: str, asked: str) -> None:
        super().__init__(column, found, asked)
        self.column = column
        self.found = found
        self.asked = asked


class Row(NamedTuple):
    """One row: its number, its cells, where each header name stands, and what is wrong with it."""

    number: int
    cells: tuple[str, ...]
    header: dict[str, int]
    fault: CellError | None = None
    stands_for: dict[str, Column] | None = None

    def cell(self, column: Column) -> str:
        """The text of a column without blanks at its ends."""
        column = self.column(column) or column
        return self.cells[column - 1 if isinstance(column, int) else self.header[column]]

    def column(self, named: Column | None) -> Column | None:
        """The column of the file that the mapping's name stands for in this hand."""
        if self.stands_for is None or named is None:
            return named
        return self.stands_for.get(str(named), named)

    def hands(self, mapping: Mapping) -> "list[Row]":
        """One row for each hand it tells: itself, or those of `hands` whose columns hold anything.

        Each reads its own columns where the mapping names what stands for them.
        """
        if not mapping.grouping.hands:
            return [self]
        each = (self._replace(stands_for=columns) for columns in mapping.grouping.hands)
        return [one for one in each if any(one.cell(name) for name in one.stands_for or ())]


class _TooLong(csv.Error):
    """A line of more than MAX_LINE characters."""


class _Lines:
    """The lines of a text for csv.reader.

    One that is too long raises and the next call goes on after it.
    """

    def __init__(self, text: io.TextIOWrapper) -> None:
        self.text = text
        self.read = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = self.text.readline(MAX_LINE + 1)
        if not line:
            raise StopIteration
        self.read += 1
        if len(line) <= MAX_LINE:
            return line
        while line and not line.endswith(("\n", "\r")):
            line = self.text.readline(MAX_LINE + 1)
        raise _TooLong


def rows_of(stream: BinaryIO, mapping: Mapping) -> Iterator[Row]:
    """Every row of a CSV, or of a workbook, that is not empty, the header left out.

    Raises: MappingError, where the mapping names columns this file does not have, or no workbook
    can be read.
    """
    dialect = mapping.dialect
    if stream.seekable():
        begins = stream.read(len(MAGIC))
        stream.seek(-len(begins), io.SEEK_CUR)
        if begins == MAGIC:
            yield from _placed(_of_workbook(stream, mapping), mapping)
            return
    # An unreadable byte must cost its own row only: it is replaced here, the row refused below.
    encoding = "utf-8-sig" if dialect.encoding == "utf-8" else dialect.encoding
    text = io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="")
    try:
        yield from _placed(_of_text(_Lines(text), dialect), mapping)
    finally:
        text.detach()


class _Read(NamedTuple):
    """A row as it was read, before it is held against the header.

    `in_cells` are the faults of single cells by their place: of a column nobody reads, none.
    """

    number: int
    cells: tuple[str, ...]
    fault: CellError | None = None
    in_cells: dict[int, CellError] | None = None


def _of_text(lines: _Lines, dialect: Dialect) -> Iterator[_Read]:
    reader = csv.reader(
        lines,
        delimiter=dialect.delimiter,
        quotechar=dialect.quote,
        quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        strict=True,
    )
    while True:
        number = lines.read + 1
        try:
            yield _Read(number, tuple(cell.strip() for cell in next(reader)))
        except StopIteration:
            return
        except csv.Error as error:
            yield _Read(number, (), _no_csv(error))


def _of_workbook(stream: BinaryIO, mapping: Mapping) -> Iterator[_Read]:
    """The rows of the one sheet, or of the one that is named. Numbers get the mapping's decimal
    sign, as if the sheet had been saved as text.

    Raises: MappingError.
    """
    try:
        book = Workbook(stream)
        sheet = mapping.dialect.sheet or book.sheets[0]
        if sheet not in book.sheets or (len(book.sheets) > 1 and mapping.dialect.sheet is None):
            asked = Phrase('one sheet, or its name as `sheet` in [csv]: "{name}"', name=sheet)
            found = Phrase("the sheets {names}", names=", ".join(book.sheets[:20]))
            raise MappingError("XLSX", WHOLE_FILE, found, asked)
        width = 0
        for row in book.rows(sheet):
            in_cells = {
                place: CellError(place, cell.fault, Phrase("a value as it is to be read"))
                for place, cell in enumerate(row.cells, 1)
                if cell.fault
            }
            cells = [
                cell.text.replace(".", mapping.money.decimal) if cell.number else cell.text.strip()
                for cell in row.cells
            ]
            # A sheet leaves out what is empty at the end of a row, and may keep empty cells there.
            while cells and not cells[-1] and len(cells) > width:
                cells.pop()
            width = width or mapping.dialect.columns or len(cells)
            yield _Read(row.number, (*cells, *[""] * (width - len(cells))), None, in_cells)
    except NoWorkbook as error:
        raise MappingError("XLSX", WHOLE_FILE, error.found, error.asked) from error


def _placed(rows_read: Iterator[_Read], mapping: Mapping) -> Iterator[Row]:
    """The rows held against the header and the mapping."""
    dialect = mapping.dialect
    header: dict[str, int] = {}
    width = dialect.columns
    started = not dialect.header
    for number, cells, whole, in_cells in rows_read:
        fault = whole or _in_used(in_cells, mapping, header)
        if fault is not None:
            yield Row(number, (), header, fault)
            continue
        if not any(cells):
            continue
        if not started:
            header = _header(cells, mapping)
            width = len(cells) if width is None else width
            _fits(mapping, header, width)
            started = True
            continue
        if width is None:
            width = len(cells)
        if not header:
            _fits(mapping, header, width)
        yield Row(number, cells, header, _fault(cells, width, dialect))


def _in_used(
    faults: dict[int, CellError] | None, mapping: Mapping, header: dict[str, int]
) -> CellError | None:
    """The first fault of a cell in a column that the mapping uses."""
    if not faults:
        return None
    used = {
        column if isinstance(column, int) else header.get(column, -1) + 1
        for _, column in mapping.named
    }
    return next((fault for place, fault in sorted(faults.items()) if place in used), None)


def _header(cells: tuple[str, ...], mapping: Mapping) -> dict[str, int]:
    twice = sorted({name for name in cells if name and cells.count(name) > 1})
    wanted = {column for _, column in mapping.named}
    for name in twice:
        if name in wanted:
            found = Phrase("{name} twice", name=repr(name))
            raise MappingError("CSV", "header", found, Phrase("each name it uses once"))
    return {name: place for place, name in enumerate(cells) if name}


def _fits(mapping: Mapping, header: dict[str, int], width: int) -> None:
    """Every column the mapping names must be there before any row is read."""
    for key, column in mapping.named:
        if isinstance(column, int) and column > width:
            asked = Phrase("a column from 1 to {width}", width=width)
            raise MappingError(mapping.file, key, Phrase("column {column}", column=column), asked)
        if isinstance(column, str) and column not in header:
            asked = Phrase("one of {there}", there=", ".join(sorted(header)))
            if not header:
                asked = Phrase("a number: `header = false` leaves no names")
            found = Phrase("column {column}", column=repr(column))
            raise MappingError(mapping.file, key, found, asked)


def _fault(cells: tuple[str, ...], width: int, dialect: Dialect) -> CellError | None:
    """Why a row as a whole cannot be read."""
    for place, cell in enumerate(cells, 1):
        if _UNREADABLE in cell:
            asked = Phrase("text in {encoding}", encoding=dialect.encoding)
            return CellError(place, Phrase("bytes of another encoding"), asked)
        if any(sign < " " for sign in cell):
            return CellError(place, Phrase("control characters"), Phrase("text on one line"))
    if len(cells) != width:
        found = Phrase("{count} columns", count=len(cells))
        return CellError(None, found, Phrase("{count} columns", count=width))
    return None


def _no_csv(error: csv.Error) -> CellError:
    found = Phrase("no CSV: {error}", error=str(error))  # what the csv module says, as it says it
    if isinstance(error, _TooLong):
        found = Phrase("a line of more than {most} characters", most=MAX_LINE)
    return CellError(None, found, Phrase("a row of CSV text"))
