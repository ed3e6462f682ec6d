"""The workbook a house's first day is filled into: a sheet a thing, its headings, what is asked."""

import io
from typing import IO, Final

import xlsxwriter
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from casino.importing.first_day import sheets
from casino.importing.sheet_columns import COMMENT, Column

_VALIDATED: Final = 2_000  # rows
_FIRST: Final = 3  # the row below heading, explanation and example, counted from 0


def template() -> bytes:
    """The workbook, in the language of whoever asks."""
    made = io.BytesIO()
    write_template(made)
    return made.getvalue()


def write_template(to: IO[bytes]) -> None:
    """Headings, a row that explains them and an example; both begin with # and are not read."""
    portuguese = (get_language() or "").startswith("pt")
    book = xlsxwriter.Workbook(to, {"in_memory": True})
    bold = book.add_format({"bold": True, "bottom": 1})
    quiet = book.add_format({"italic": True, "font_color": "#555555", "text_wrap": True})
    example = book.add_format({"italic": True, "font_color": "#555555"})
    forms = {
        kind: book.add_format({"num_format": form})
        for kind, form in {"euros": "0.00", "whole": "0", "day": "yyyy-mm-dd"}.items()
    }
    forms |= dict.fromkeys(("from", "until"), forms["day"])
    text = book.add_format({"num_format": "@"})  # so that no zero in front is lost
    for sheet in sheets():
        page = book.add_worksheet(sheet.pt if portuguese else sheet.en)
        page.freeze_panes(1, 1)
        for place, column in enumerate(sheet.columns):
            heading = column.pt if portuguese else column.en
            page.set_column(place, place, max(14, len(heading) + 3), forms.get(column.kind, text))
            page.write_string(0, place, heading, bold)
            before = f"{COMMENT} " if place == 0 else ""
            page.write_string(1, place, before + asked_of(column), quiet)
            page.write_string(2, place, before + column.example, example)
            if column.words:
                listed = {"validate": "list", "source": list(column.words)}
                page.data_validation(_FIRST, place, _VALIDATED, place, listed)
    book.close()


def asked_of(column: Column) -> str:
    """What a cell of it holds, in words."""
    kinds = {
        "text": _("text"),
        "private": _("text"),
        "codes": _("codes, with commas between them"),
        "whole": _("a whole number"),
        "euros": _("euros, two decimals at most"),
        "percent": _("a percentage, as text: 2,5 %"),
        "day": _("a day"),
        "from": _("a day"),
        "until": _("a day, the last"),
        "choice": _("one of: %(words)s") % {"words": ", ".join(column.words)},
        "truth": _("sim or não"),
    }
    said = [kinds[column.kind], _("required") if column.required else _("may stay blank")]
    return "; ".join(said) + (f". {_(column.help)}" if column.help else "")
