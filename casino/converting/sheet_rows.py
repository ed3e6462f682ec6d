"""The rows of a workbook (.xlsx): each cell's text as it is stored, nothing computed, all bounded.

A workbook is a ZIP file of XML. Its directory is looked at before anything is unpacked, what is
unpacked is counted, a document type (with the entities it could declare) is refused, and no formula
is trusted: a cell that holds one is at fault. Links, macros and pictures are never opened.

A number is stored as a binary fraction. It is read as a spreadsheet shows it, in at most fifteen
digits; one that needs more is at fault, so that none comes in as another.
"""

import re
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal
from posixpath import basename, normpath
from typing import IO, BinaryIO, Final, NamedTuple
from xml.parsers import expat

from casino.events.phrases import Phrase

MAGIC: Final = b"PK\x03\x04"  # what every such file begins with
MOST_PARTS: Final = 200
MOST_UNPACKED: Final = 64 * 2**20  # bytes of what is read, all together
MOST_RATIO: Final = 200  # times a part may grow when it is unpacked, beyond the first megabyte
MOST_COLUMNS: Final = 1_000
MOST_PLACES: Final = 16_384  # cells of a row, as the program that made it allows
MOST_CELL: Final = 32_767  # characters, as the program that made it allows
MOST_STRINGS: Final = 1_000_000
_PIECE: Final = 64 * 2**10
_REFERENCE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})", re.ASCII)
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?", re.ASCII)
_SHOWN: Final = Context(prec=15, rounding=ROUND_HALF_EVEN)
_DATES: Final = frozenset({14, 15, 16, 17, 22, 27, 30, 36, 50, 57})  # formats that need no naming
_DAY_OR_YEAR: Final = re.compile(r"[dDyY]")
_QUOTED: Final = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')


class NoWorkbook(Exception):
    """A file that is no workbook that can be read: what was found, what is asked."""

    def __init__(self, found: str, asked: str) -> None:
        super().__init__(found, asked)
        self.found = found
        self.asked = asked


class SheetCell(NamedTuple):
    """A cell: its text (a number with a decimal point), whether it is a number, what is wrong."""

    text: str
    number: bool = False
    fault: str = ""


class SheetRow(NamedTuple):
    """A row by its number in the sheet."""

    number: int
    cells: tuple[SheetCell, ...]


EMPTY: Final = SheetCell("")


class Workbook:
    """A workbook that was opened: the names of its sheets, and their rows. Raises: NoWorkbook."""

    def __init__(self, stream: BinaryIO) -> None:
        if not stream.seekable():
            raise NoWorkbook(Phrase("a workbook through a pipe"), Phrase("a file with a name"))
        try:
            self._parts = zipfile.ZipFile(stream)
            self._listed = {part.filename: part for part in _looked_at(self._parts)}
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise _damaged() from error
        self._left = MOST_UNPACKED
        self._targets = self._sheet_parts()
        self._strings: list[str] | None = None
        self._dates: list[bool] = []
        self.merged: list[str] = []  # the cells of the sheet read last that are one ("A2:A4")

    @property
    def sheets(self) -> list[str]:
        """The names of its sheets in their order."""
        return list(self._targets)

    def rows(self, sheet: str) -> Iterator[SheetRow]:
        """The rows of a sheet that hold anything. Raises: NoWorkbook, also on the way."""
        if self._strings is None:
            self._strings = self._shared_strings()
            self._dates = self._date_styles()
        reader = _SheetReader(self._strings, self._dates, self.from_1904)
        for piece in self._pieces(self._targets[sheet]):
            reader.feed(piece)
            yield from reader.take()
        reader.close()
        yield from reader.take()
        self.merged = reader.merged

    # The parts of the archive -------------------------------------------------------------------

    def _pieces(self, name: str) -> Iterator[bytes]:
        part = self._listed.get(name)
        if part is None:
            raise _damaged()
        try:
            with self._parts.open(part) as stream:
                yield from self._counted(stream)
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError) as error:
            raise _damaged() from error

    def _counted(self, stream: IO[bytes]) -> Iterator[bytes]:
        while piece := stream.read(_PIECE):
            self._left -= len(piece)
            if self._left < 0:
                raise _too_much()
            yield piece

    def _parsed(self, name: str, handler: "_Handler") -> None:
        for piece in self._pieces(name):
            handler.feed(piece)
        handler.close()

    def _sheet_parts(self) -> dict[str, str]:
        """The part of each sheet, by its name."""
        book, links = _Elements({"sheet", "workbookPr"}), _Elements({"Relationship"})
        self._parsed("xl/workbook.xml", book)
        self._parsed("xl/_rels/workbook.xml.rels", links)
        targets = {one.get("Id", ""): one for _, one in links.found}
        self.from_1904 = any(
            name == "workbookPr" and one.get("date1904") in ("1", "true")
            for name, one in book.found
        )
        found: dict[str, str] = {}
        for name, one in book.found:
            if name != "sheet":
                continue
            link = targets.get(next((one[key] for key in one if _local(key) == "id"), ""), {})
            if not link.get("Type", "").endswith("/worksheet"):
                continue  # a chart
            target = link.get("Target", "")
            inside = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
            if link.get("TargetMode") == "External" or normpath(inside) not in self._listed:
                raise _damaged()
            if one.get("name", "") in found:
                raise _damaged()
            found[one.get("name", "")] = normpath(inside)
        if not found:
            raise NoWorkbook(Phrase("a workbook without a sheet"), Phrase("one sheet"))
        return found

    def _shared_strings(self) -> list[str]:
        if "xl/sharedStrings.xml" not in self._listed:
            return []
        strings = _Strings()
        self._parsed("xl/sharedStrings.xml", strings)
        return strings.found

    def _date_styles(self) -> list[bool]:
        """Whether each cell style shows a day."""
        if "xl/styles.xml" not in self._listed:
            return []
        styles = _Styles()
        self._parsed("xl/styles.xml", styles)
        return [one in _DATES or _shows_day(styles.formats.get(one, "")) for one in styles.cells]


def _looked_at(parts: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The archive's parts, once nothing in its directory speaks against opening one.

    Raises: NoWorkbook.
    """
    listed = parts.infolist()
    if len(listed) > MOST_PARTS:
        found = Phrase("{count} parts in the file", count=len(listed))
        raise NoWorkbook(found, Phrase("at most {most}", most=MOST_PARTS))
    if len({part.filename for part in listed}) < len(listed):
        raise _damaged()
    for part in listed:
        name = part.filename
        if (
            name.startswith(("/", "\\"))
            or ".." in name.replace("\\", "/").split("/")
            or ":" in name
        ):
            raise NoWorkbook(Phrase("a part that lies outside the file"), _a_workbook())
        if part.flag_bits & 1:
            raise NoWorkbook(Phrase("an encrypted file"), Phrase("one without a password"))
        if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise _damaged()
        if part.file_size > 2**20 and part.file_size > MOST_RATIO * max(part.compress_size, 1):
            raise _too_much()
    if sum(part.file_size for part in listed if basename(part.filename).endswith(".xml")) > (
        MOST_UNPACKED
    ):
        raise _too_much()
    return listed


def _a_workbook() -> Phrase:
    return Phrase("a workbook (.xlsx) as a spreadsheet program writes it")


def _damaged() -> NoWorkbook:
    return NoWorkbook(Phrase("a file that is damaged or no workbook"), _a_workbook())


def _too_much() -> NoWorkbook:
    found = Phrase("a workbook that unpacks to too much")
    return NoWorkbook(found, Phrase("at most {most} MB unpacked", most=MOST_UNPACKED // 2**20))


def _shows_day(form: str) -> bool:
    return bool(_DAY_OR_YEAR.search(_QUOTED.sub("", form)))


def _whole(text: str, otherwise: int) -> int:
    """A number of at most nine digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else otherwise


def _local(name: str) -> str:
    return name.rpartition("}")[2].rpartition(":")[2]


class _Handler:
    """An XML part while it is read. Raises: NoWorkbook, for what no part may hold."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate(namespace_separator="}")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self.text

    def feed(self, piece: bytes) -> None:
        """Read on."""
        self._parse(piece, False)

    def close(self) -> None:
        """That was all."""
        self._parse(b"", True)

    def _parse(self, piece: bytes, last: bool) -> None:
        try:
            self.parser.Parse(piece, last)
        except expat.ExpatError as error:
            raise _damaged() from error

    def _refuse(self, *_: object) -> None:
        raise NoWorkbook(Phrase("a document type, which can declare entities"), _a_workbook())

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self.begin(_local(name), attributes)

    def _end(self, name: str) -> None:
        self.end(_local(name))

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, text: str) -> None:
        """Text between."""


class _Elements(_Handler):
    """All elements of some names, with their attributes."""

    def __init__(self, names: set[str]) -> None:
        super().__init__()
        self.names = names
        self.found: list[tuple[str, dict[str, str]]] = []

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name in self.names:
            self.found.append((name, attributes))
            if len(self.found) > 10 * MOST_PARTS:
                raise _too_much()


class _Strings(_Handler):
    """The texts that cells share; what is written beside one to pronounce it is no part of it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.parts: list[str] = []
        self.length = 0
        self.inside = self.beside = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "si":
            self.parts, self.length = [], 0
        elif name == "rPh":
            self.beside = True
        elif name == "t":
            self.inside = not self.beside

    def text(self, text: str) -> None:
        if self.inside and self.length <= MOST_CELL:
            self.parts.append(text)
            self.length += len(text)

    def end(self, name: str) -> None:
        if name == "t":
            self.inside = False
        elif name == "rPh":
            self.beside = False
        elif name == "si":
            self.found.append("".join(self.parts))
            if len(self.found) > MOST_STRINGS:
                raise _too_much()


class _Styles(_Handler):
    """The number format of each cell style, and what the formats of its own are."""

    def __init__(self) -> None:
        super().__init__()
        self.formats: dict[int, str] = {}
        self.cells: list[int] = []
        self.inside = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        number = _whole(attributes.get("numFmtId", ""), 0)
        if name == "numFmt":
            self.formats[number] = attributes.get("formatCode", "")[:255]
        elif name == "cellXfs":
            self.inside = True
        elif name == "xf" and self.inside:
            self.cells.append(number)

    def end(self, name: str) -> None:
        if name == "cellXfs":
            self.inside = False


class _SheetReader(_Handler):
    """A sheet while it is read: its rows, one at a time."""

    def __init__(self, strings: list[str], dates: list[bool], from_1904: bool) -> None:
        super().__init__()
        self.strings, self.dates, self.from_1904 = strings, dates, from_1904
        self.ready: list[SheetRow] = []
        self.merged: list[str] = []
        self.last = 0
        self.number = 0
        self.cells: list[SheetCell] = []
        self.place, self.kind, self.style = 0, "n", 0
        self.formula = self.taking = self.beside = False
        self.parts: list[str] = []
        self.length = 0

    def take(self) -> list[SheetRow]:
        """The rows that are whole by now."""
        ready, self.ready = self.ready, []
        return ready

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            said = attributes.get("r", "")
            self.number = _whole(said, self.last + 1)
            if not self.last < self.number <= 2**20:
                raise _damaged()  # rows in disorder, or one row twice
            self.last, self.cells, self.place = self.number, [], 0
        elif name == "c":
            self._begin_cell(attributes)
        elif name == "f":
            self.formula = True
        elif name == "rPh":
            self.beside = True
        elif name in ("v", "t"):
            self.taking = not self.beside
        elif name == "mergeCell" and len(self.merged) < MOST_PARTS:
            self.merged.append(attributes.get("ref", "")[:20])

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        place = max(self.place, len(self.cells)) + 1
        named = attributes.get("r")
        if named is not None:
            parts = _REFERENCE.fullmatch(named)
            if parts is None or int(parts[2]) != self.number or _column(parts[1]) < place:
                raise _damaged()
            place = _column(parts[1])
        if place > MOST_PLACES:
            raise _damaged()
        self.place, self.kind = place, attributes.get("t", "n")
        self.style = _whole(attributes.get("s", ""), 0)
        self.formula, self.parts, self.length = False, [], 0

    def text(self, text: str) -> None:
        if self.taking and self.length <= MOST_CELL:
            self.parts.append(text)
            self.length += len(text)

    def end(self, name: str) -> None:
        if name in ("v", "t"):
            self.taking = False
        elif name == "rPh":
            self.beside = False
        elif name == "c":
            self._end_cell()
        elif name == "row" and any(cell != EMPTY for cell in self.cells):
            self.ready.append(SheetRow(self.number, tuple(self.cells)))

    def _end_cell(self) -> None:
        cell = self._cell("".join(self.parts))
        if self.place > MOST_COLUMNS:
            if cell == EMPTY:
                return
            raise NoWorkbook(Phrase("more than {most} columns", most=MOST_COLUMNS), _a_workbook())
        self.cells += [EMPTY] * (self.place - len(self.cells) - 1)
        self.cells.append(cell)

    def _cell(self, found: str) -> SheetCell:
        if self.formula:
            return SheetCell(found, fault=Phrase("a formula"))
        if self.length > MOST_CELL:
            fault = Phrase("a cell of more than {most} characters", most=MOST_CELL)
            return SheetCell("", fault=fault)
        if self.kind == "s":
            place = _whole(found, len(self.strings))
            if place >= len(self.strings):
                raise _damaged()
            return _text_cell(self.strings[place])
        if self.kind in ("inlineStr", "str", "d"):
            return _text_cell(found)
        if self.kind == "e":
            return SheetCell(found, fault=Phrase("an error of the spreadsheet"))
        if self.kind == "b":
            return SheetCell({"1": "TRUE", "0": "FALSE"}.get(found, found))
        if not found:
            return EMPTY
        dated = self.style < len(self.dates) and self.dates[self.style]
        return _day(found, self.from_1904) if dated else _number(found)


def _text_cell(text: str) -> SheetCell:
    if len(text) > MOST_CELL:
        return SheetCell("", fault=Phrase("a cell of more than {most} characters", most=MOST_CELL))
    return SheetCell(text)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


def _number(found: str) -> SheetCell:
    """A number as the sheet shows it: its first fifteen digits, never in powers of ten."""
    if not _NUMBER.fullmatch(found) or len(found) > 40:
        return SheetCell(found[:40], fault=Phrase("a number that is none"))
    exact = Decimal(found)
    if abs(exact.adjusted()) > 20:
        return SheetCell(found, fault=Phrase("a number of too many digits"))
    shown = _SHOWN.plus(exact)
    if exact == exact.to_integral_value() and shown != exact:
        return SheetCell(found, fault=Phrase("a number of too many digits"))
    text = f"{shown.normalize():f}"
    return SheetCell("0" if text == "-0" else text, number=True)


def _day(found: str, from_1904: bool) -> SheetCell:
    """A day as YYYY-MM-DD; a time of day is none. Before March 1900 the count itself is wrong."""
    text = _number(found)
    if text.fault or not text.text.isdigit() or not (from_1904 or int(text.text) >= 61):
        return SheetCell(found[:40], fault=Phrase("a moment, or no day"))
    begun = date(1904, 1, 1) if from_1904 else date(1899, 12, 30)
    try:
        return SheetCell((begun + timedelta(days=int(text.text))).isoformat())
    except OverflowError:
        return SheetCell(found[:40], fault=Phrase("a moment, or no day"))
