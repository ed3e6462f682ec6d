"""What a list is made of before it becomes a file: columns, rows, how it was narrowed."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, Literal

from django.http import HttpRequest
from django.utils.translation import get_language

from casino import clock, sealed
from casino.access.offices_held import offices_of
from casino.tlog.canonical import MAX_WHOLE, instant_text
from casino.web.display.csv_answer import Cell
from casino.web.list_files.column_words import column_word

FORMAT: Final = "livro-da-sala-list/1"
AS: Final = "as"  # in an address: which form of file
# How a column's cells are written: plain as they are; `cents` whole, `moment` ISO 8601 with its
# offset, `day` ISO 8601, `ratio` a decimal with a point. A spreadsheet makes amounts, dates and
# numbers of them.
Kind = Literal["plain", "cents", "moment", "day", "ratio"]
_BY_ENDING: Final[tuple[tuple[str, Kind], ...]] = (
    ("_cents", "cents"),
    ("_at", "moment"),
    ("_day", "day"),
    ("_cents_now", "cents"),
    ("_cents_then", "cents"),
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name for machines, what people call it, how its cells are written."""

    name: str
    label: str
    kind: Kind = "plain"


def columns_of(names: Sequence[str], **kinds: Kind) -> tuple[Column, ...]:
    """Columns by their names, which say what they hold; `kinds` names those that do not."""
    return tuple(
        Column(name, column_word(name), kinds.get(name) or kind_of(name)) for name in names
    )


def kind_of(name: str) -> Kind:
    """How a column's cells are written, by its name: ``owed_cents``, ``recorded_at``."""
    return next((kind for ending, kind in _BY_ENDING if name.endswith(ending)), "plain")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSource:
    """A list to be taken out. `rows` are read once, as they are written.

    `of` is its code in the entry that says it was handed out, `name` the file's without its ending.
    `narrowed` are the filters as the page shows them, by what they are called; `first` and `last`
    the gaming days asked, where days were.
    """

    of: str
    name: str
    title: str
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]
    count: int
    narrowed: Mapping[str, str] = field(default_factory=dict)
    first: date | None = None
    last: date | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names."""
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself: what was asked, by whom, when, and how far the book was signed.

    `address` is the page's, without the form of the file; `made_at` is aware UTC.
    """

    source: ListSource
    address: str
    asked_by: str
    offices: tuple[str, ...]
    made_at: datetime
    checkpoint: sealed.Sealed | None

    def as_json(self) -> dict[str, object]:
        """The header as canonical bytes take it.

        `filters` are those of the page as it shows them; `count` is how many rows the list had when
        it was asked for; `days` is missing where none were asked, `checkpoint` while nothing was
        signed.
        """
        source, days, newest = self.source, {}, {}
        if source.first is not None and source.last is not None:
            ends = {"first": source.first.isoformat(), "last": source.last.isoformat()}
            days = {"days": ends}
        if self.checkpoint is not None:
            newest = {
                "checkpoint": {
                    "origin": self.checkpoint.origin,
                    "root": self.checkpoint.root.hex(),
                    "size": self.checkpoint.size,
                }
            }
        return {
            "address": composed(self.address),
            "asked_by": self.asked_by,
            "columns": [
                {"kind": one.kind, "label": composed(one.label), "name": one.name}
                for one in source.columns
            ],
            "count": source.count,
            "filters": [
                {"name": composed(name), "value": composed(value)}
                for name, value in source.narrowed.items()
            ],
            "format": FORMAT,
            "language": get_language() or "",
            "list": source.of,
            "made_at": instant_text(self.made_at),
            "offices": list(self.offices),
            "title": composed(source.title),
            **days,
            **newest,
        }


def header_of(request: HttpRequest, source: ListSource) -> Header:
    """The header of a list that is taken out now by whoever asks."""
    kept = request.GET.copy()
    kept.pop(AS, None)
    return Header(
        source=source,
        address=f"{request.path}?{kept.urlencode()}" if kept else request.path,
        asked_by=request.user.get_username(),
        offices=tuple(sorted(offices_of(request))),
        made_at=clock.now(),
        checkpoint=sealed.latest(),
    )


def composed(text: str) -> str:
    """A text as canonical bytes take it: composed, without what no text of the book can hold."""
    return unicodedata.normalize("NFC", text).encode("utf-8", "replace").decode().replace("\0", "")


def in_json(cell: Cell) -> str | int | None:
    """A cell as canonical bytes take it; a number beyond them as the text of its digits."""
    if isinstance(cell, str):
        return cell if cell.isascii() and "\0" not in cell else composed(cell)
    if isinstance(cell, int) and abs(cell) > MAX_WHOLE:
        return str(cell)
    return cell
