"""A list as a spreadsheet (XLSX): amounts, dates and numbers as such, and where it comes from.

Written row by row into files of its own, in constant memory. Nothing in it is ever run: what begins
like a formula or an address is text. Moments are those of the house's clock, for a spreadsheet
knows no offset; CSV and JSON have it.
"""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Final, Self

import xlsxwriter
from django.utils.translation import gettext as _

from casino.house_day import house_zone
from casino.tlog.canonical import instant_text
from casino.web.display.cells import CODED
from casino.web.display.csv_answer import Cell
from casino.web.list_files.list_source import Column, Header, Kind
from casino.web.words.field_words import word

# Columns of lists that hold coded words, beside those of projections.
_CODES: Final = CODED | {"owed_to", "severity", "standing", "state"}
_FORMATS: Final[dict[Kind, str]] = {
    "cents": '#,##0.00 "€"',
    "moment": "dd/mm/yyyy hh:mm:ss",
    "day": "dd/mm/yyyy",
    "ratio": "0.00",
}
_WIDTHS: Final[dict[Kind, int]] = {"cents": 14, "moment": 19, "day": 12, "ratio": 12}
_NARROWEST: Final = 8
_WIDEST: Final = 60  # characters; longer texts are cut by the next cell, not lost
_LONGEST_TEXT: Final = 32_767  # of a cell; the rest stands in CSV and JSON
_CUT: Final = " […]"
_MOST_EXACT: Final = 10**15  # a spreadsheet keeps fifteen digits
_A4: Final = 9


class SheetFile:
    """A spreadsheet being written at `path`; its pieces lie beside it until it is closed."""

    def __init__(self, path: Path, title: str, columns: Sequence[Column]) -> None:
        self._columns = columns
        self._book = xlsxwriter.Workbook(
            str(path),
            {
                "constant_memory": True,
                "tmpdir": str(path.parent),
                "strings_to_formulas": False,
                "strings_to_urls": False,
                "strings_to_numbers": False,
            },
        )
        self._formats = {
            kind: self._book.add_format({"num_format": form}) for kind, form in _FORMATS.items()
        }
        self._bold = self._book.add_format({"bold": True, "bottom": 1})
        self._wrapped = self._book.add_format({"text_wrap": True, "valign": "top"})
        self._sheet = self._book.add_worksheet(_("List"))
        self._widths = [max(len(column.label) + 3, _NARROWEST) for column in columns]
        self._row = 0
        self._zone = house_zone()
        self._words: dict[tuple[str, str], str] = {}
        self._of_column = [self._formats.get(column.kind) for column in columns]
        for place, column in enumerate(columns):
            self._sheet.write_string(0, place, column.label, self._bold)
        self._page(self._sheet, title)
        self._sheet.freeze_panes(1, 1)
        self._sheet.repeat_rows(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        """Let go of its pieces, where it was not closed."""
        for sheet in self._book.worksheets():
            if sheet.row_data_fh is not None and not sheet.row_data_fh.closed:
                sheet.row_data_fh.close()

    def row(self, cells: Sequence[Cell]) -> None:
        """Write the next row."""
        self._row += 1
        for place, cell in enumerate(cells):
            if cell is None or cell == "":
                continue
            if isinstance(cell, int):
                self._whole(place, cell)
            else:
                self._text(place, cell)

    def _whole(self, place: int, number: int) -> None:
        """A whole number, an amount in euros, yes or no."""
        sheet, row = self._sheet, self._row
        if isinstance(number, bool):
            sheet.write_boolean(row, place, number)
        elif abs(number) >= _MOST_EXACT:
            sheet.write_string(row, place, str(number))
        elif self._columns[place].kind == "cents":
            sheet.write_number(row, place, Decimal(number).scaleb(-2), self._of_column[place])
        else:
            sheet.write_number(row, place, number)

    def _text(self, place: int, text: str) -> None:
        """A text, or what it stands for: a moment, a day, a ratio, a coded word."""
        column, row, form = self._columns[place], self._row, self._of_column[place]
        if column.kind == "moment":
            at = datetime.fromisoformat(text).astimezone(self._zone).replace(tzinfo=None)
            self._sheet.write_datetime(row, place, at, form)
        elif column.kind == "day":
            self._sheet.write_datetime(row, place, date.fromisoformat(text), form)
        elif column.kind == "ratio":
            self._sheet.write_number(row, place, Decimal(text), form)
        else:
            shown = self._shown(column.name, text) if column.name in _CODES else text
            if len(shown) > _LONGEST_TEXT:
                shown = shown[: _LONGEST_TEXT - len(_CUT)] + _CUT
            if len(shown) >= self._widths[place]:
                self._widths[place] = len(shown) + 1
            self._sheet.write_string(row, place, shown)

    def _shown(self, name: str, code: str) -> str:
        """What people call a coded word; asked once of each."""
        known = self._words.get((name, code))
        if known is None:
            known = self._words[name, code] = word(code, name)
        return known

    def close(self, header: Header, digest: str) -> None:
        """Write where it comes from, and the file. Raises: OSError, where it has no room."""
        for place, column in enumerate(self._columns):
            width = max(_WIDTHS.get(column.kind, 0), self._widths[place])
            self._sheet.set_column(place, place, min(width, _WIDEST))
        self._sheet.autofilter(0, 0, max(self._row, 1), len(self._columns) - 1)
        integrity = self._book.add_worksheet(_("Integrity"))
        self._page(integrity, header.source.title)
        integrity.set_column(0, 0, 34)
        integrity.set_column(1, 1, 90)
        for row, (name, value) in enumerate(self._said(header, digest)):
            integrity.write_string(row, 0, name, self._bold if not row else None)
            if isinstance(value, int):
                integrity.write_number(row, 1, value, self._wrapped)
            else:
                integrity.write_string(row, 1, value[:_LONGEST_TEXT], self._wrapped)
        try:
            self._book.close()
        except xlsxwriter.exceptions.FileCreateError as error:
            raise OSError(str(error)) from error

    def _said(self, header: Header, digest: str) -> list[tuple[str, str | int]]:
        """The lines of the second sheet."""
        source, newest = header.source, header.checkpoint
        narrowed = [(_("Filter: %(name)s") % {"name": n}, v) for n, v in source.narrowed.items()]
        days = ""
        if source.first is not None and source.last is not None:
            days = f"{source.first.isoformat()} – {source.last.isoformat()}"
        offices = ", ".join(word(office, "office") for office in header.offices)
        return [
            (source.title, ""),
            *(narrowed or [(_("Filters"), _("none: the whole list"))]),
            *([(_("Gaming days"), days)] if days else []),
            (_("Address"), header.address),
            (_("Taken out by"), f"{header.asked_by} ({offices})"),
            (_("Taken out at (UTC)"), instant_text(header.made_at)),
            (_("Rows"), self._row),
            (_("SHA-256 of the rows as JSON"), digest),
            (_("Newest checkpoint: name"), newest.origin if newest else _("none yet")),
            (_("Newest checkpoint: entries"), newest.size if newest else ""),
            (_("Newest checkpoint: root"), newest.root.hex() if newest else ""),
            (
                _("How to read it"),
                _(
                    "Moments are those of the house's clock. The list as JSON has the same SHA-256"
                    " as long as its rows are the same. This file carries no seal, and whoever has"
                    " it can change it: hold it against its manifest, or against the book."
                ),
            ),
        ]

    @staticmethod
    def _page(sheet: xlsxwriter.worksheet.Worksheet, title: str) -> None:
        """On paper: landscape, as wide as one page, numbered."""
        sheet.set_landscape()
        sheet.set_paper(_A4)
        sheet.fit_to_pages(1, 0)
        safe = title.replace("&", "&&")[:100]
        numbers = _("Page %(page)s of %(pages)s") % {"page": "&P", "pages": "&N"}
        sheet.set_footer(f"&L{safe}&R{numbers}")
