"""The tables of a report as files, and its JSON: what the pages show, for machines to read.

They are made of the report's own JSON, which does not change, and bear no seal; whoever has to
prove them proves the report. Each that is taken is an entry of whoever takes it.
"""

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from django.utils.text import slugify
from django.utils.translation import gettext as _

from audit.models import ReportRequest
from audit.reports.report_cells import NONE
from audit.reports.report_draft import CellRead, ReportDocument, SectionRead
from casino.web.display.csv_answer import Cell, file_named
from casino.web.list_files.list_source import Column, Kind, ListSource

OF: Final = "report"  # its code in the entry that says it was handed out
_KINDS: Final[dict[str, Kind]] = {
    "cents": "cents",
    "at": "moment",
    "day": "day",
    "ratio": "ratio",
    "n": "plain",
}


def tables_of(order: ReportRequest) -> list[tuple[int, str, int]]:
    """Place, heading and number of rows of each table that has any.

    What stands below a heading is named with it: a report has an "Evidence" for each finding.
    """
    named, above = [], ""
    for at, one in enumerate(_document(order)["sections"]):
        above = one["heading"] if one["level"] == 1 else above
        heading = one["heading"] if one["level"] == 1 else f"{above} – {one['heading']}"
        if one["rows"]:
            named.append((at, heading, len(one["rows"])))
    return named


def table_source(order: ReportRequest, place: int) -> ListSource | None:
    """One table of a report as a list; None where it has none of that place."""
    document = _document(order)
    if place >= len(document["sections"]) or not document["sections"][place]["rows"]:
        return None
    section = document["sections"][place]
    exact = [_exact(section, at) for at in range(len(section["columns"]))]
    labels = [column["name"] for column in section["columns"]]
    return ListSource(
        of=OF,
        name=file_named(document["number"], str(place)),
        title=f"{document['number']}: {section['heading']}",
        columns=[
            Column(name, label, _KINDS.get(field, "plain"))
            for name, label, field in zip(_names(labels), labels, exact, strict=True)
        ],
        rows=(
            [_value(cell, field) for cell, field in zip(row["cells"], exact, strict=True)]
            for row in section["rows"]
        ),
        count=len(section["rows"]),
        narrowed={_("Report"): document["title"]},
        first=order.from_day,
        last=order.to_day,
    )


def _document(order: ReportRequest) -> ReportDocument:
    document: ReportDocument = json.loads(bytes(order.document or b'{"sections":[]}'))
    return document


def _names(labels: Sequence[str]) -> list[str]:
    """The columns' names for machines, of the letters of their labels; one that comes again is
    counted.
    """
    plain = [slugify(label).replace("-", "_") or "column" for label in labels]
    counted = [(name, plain[: at + 1].count(name)) for at, name in enumerate(plain)]
    return [f"{name}_{n}" if n > 1 else name for name, n in counted]


def _exact(section: SectionRead, at: int) -> str:
    """Which exact value the cells of a column have, all of them that are not empty; '' for none.

    The number of an entry is no number of its own: its cell names the stream too.
    """
    cells = [row["cells"][at] for row in section["rows"]]
    cells = [cell for cell in cells if cell["text"] != NONE]
    for field in _KINDS:
        if cells and all(field in cell for cell in cells):
            if field == "n" and any(any(map(str.isalpha, cell["text"])) for cell in cells):
                return ""
            return field
    return ""


def _value(cell: CellRead, field: str) -> Cell:
    value = cell.get(field) if field else cell["text"]
    if value is None or cell["text"] == NONE:
        return ""
    if field == "ratio":
        hundredths = round(Fraction(str(value)) * 100)
        return f"{'-' * (hundredths < 0)}{abs(hundredths) // 100}.{abs(hundredths) % 100:02d}"
    return value if isinstance(value, int) else str(value)
