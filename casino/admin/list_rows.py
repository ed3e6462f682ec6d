"""A list of the admin as rows of a file: exactly those its page shows, in its order."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import islice
from typing import Final

from django.db.models import BinaryField, DateField, DateTimeField, Field, JSONField, UUIDField

from casino.admin.paging import KeysetChangeList
from casino.models import Supersession
from casino.web.display.csv_answer import Cell, file_named
from casino.web.display.list_filters import DayFilter
from casino.web.entries.entry_standing import SAID, Standings
from casino.web.list_files.column_words import column_word
from casino.web.list_files.list_source import Column, Kind, ListSource, kind_of
from casino.web.words.coded_words import NAMED_WORDS

_AT_ONCE: Final = 2_000  # rows read at once
_Fields = Sequence["Field[object, object]"]
# What every list begins with and ends with; between them stand its own columns. Left out: what an
# entry corrects, which its standing says.
_FIRST: Final = ("occurred_at", "gaming_day", "table_code", "partida_id")
_LAST: Final = ("staff", "office", "recorded_at", "stream", "n", "entry")
_LEFT_OUT: Final = frozenset({"supersedes_leaf", "prev_id"})
_CALLED: Final = {
    "table_code": "table",
    "partida_id": "partida",
    "entry_id": "entry",
    "stream__name": "stream",
}
STANDING: Final = "standing"
NAMED_WORDS.update({(STANDING, code): said for code, (_tone, said) in SAID.items()})


def source_of(
    changelist: KeysetChangeList,
    of: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
) -> ListSource:
    """A list with what narrows it: its filters as its page shows them, and what was searched."""
    shown = changelist.form_filters
    narrowed = {str(spec.title): spec.in_words for spec in shown if spec.values}
    if changelist.query:
        narrowed[column_word("search")] = changelist.query
    asked = {name: value for spec in shown for name, value in spec.values.items()}
    days = next((spec for spec in shown if isinstance(spec, DayFilter)), None)
    return ListSource(
        of=of,
        name=file_named(
            of,
            *(asked.pop(each, "") for each in ("from", "to", "table")),
            *asked.values(),
            changelist.query,
        ),
        title=changelist.title,
        columns=columns,
        rows=rows,
        count=changelist.queryset.count(),
        narrowed=narrowed,
        first=None if days is None else _day(days.first),
        last=None if days is None else _day(days.last),
    )


def _day(asked: str) -> date | None:
    try:
        return date.fromisoformat(asked)
    except ValueError:
        return None


def projection_source(changelist: KeysetChangeList, of: str) -> ListSource:
    """A projection's list: its columns and how each entry stands, codes for machines.

    What the book only commits to (names, notes) is in no column of a projection, and in no file.
    """
    fields = _fields(changelist)
    columns = [
        *(Column(_called(name), str(_label(field)), _kind(name, field)) for name, field in fields),
        Column(STANDING, column_word(STANDING)),
    ]
    return source_of(changelist, of, columns, _rows(changelist, fields))


def _called(name: str) -> str:
    return _CALLED.get(name, name)


def _label(field: "Field[object, object]") -> str:
    if field.name in ("entry", "entry_id", "stream"):
        return column_word(_called(field.attname))
    return str(field.verbose_name)


def _kind(name: str, field: "Field[object, object]") -> Kind:
    if isinstance(field, DateTimeField):
        return "moment"
    return "day" if isinstance(field, DateField) else kind_of(name)


def _fields(changelist: KeysetChangeList) -> list[tuple[str, "Field[object, object]"]]:
    """The columns of its table by the names they are asked by, in the order of the file."""
    found = {
        f"{field.name}__name"
        if field.name == "stream" and field.is_relation
        else field.attname: field
        for field in changelist.lookup_opts.concrete_fields
        if not isinstance(field, BinaryField) and field.name not in _LEFT_OUT
    }
    first = [name for name in _FIRST if name in found]
    last = [name for name in found if _called(name) in _LAST]
    own = [name for name in found if name not in first and name not in last]
    last.sort(key=lambda name: _LAST.index(_called(name)))
    return [(name, found[name]) for name in (*first, *own, *last)]


def _rows(
    changelist: KeysetChangeList, fields: Sequence[tuple[str, "Field[object, object]"]]
) -> Iterator[list[Cell]]:
    names = [name for name, _field in fields]
    written = [(at, form) for at, (_n, field) in enumerate(fields) if (form := _form(field))]
    ordered = changelist.ordered()
    called = [_called(name) for name in names]
    stream, n = called.index("stream"), called.index("n")
    holding = changelist.model_admin.holding
    listed = ordered.values_list(*names).iterator(chunk_size=_AT_ONCE)
    linked: dict[str, frozenset[int]] = {}
    while some := list(islice(listed, _AT_ONCE)):
        places = [(row[stream], row[n]) for row in some]
        for one in {place[0] for place in places} - linked.keys():
            linked[one] = _linked(one)
        standings = Standings(place for place in places if place[1] in linked[place[0]])
        for row, place in zip(some, places, strict=True):
            known = standings.of(*place) if place[1] in linked[place[0]] else "holds"
            cells = [*row, holding(place[1]) if known == "holds" else known]
            for at, form in written:
                if cells[at] is not None:
                    cells[at] = form(cells[at])
            yield cells


def _linked(stream: str) -> frozenset[int]:
    """The entries of a stream that correct or are corrected: only these are looked at one by one,
    for of a million rounds a few thousand are.
    """
    found = Supersession.objects.filter(stream=stream).values_list("n", "original_n")
    return frozenset(n for both in found for n in both)


def _form(field: "Field[object, object]") -> Callable[[object], Cell] | None:
    """How a column's values are written; None for texts, numbers, yes and no."""
    if isinstance(field, DateField):  # a moment is one too
        return _iso
    if isinstance(field, JSONField):
        return _listed
    return str if isinstance(field, UUIDField) or field.is_relation else None


def _iso(value: object) -> str:
    assert isinstance(value, date)
    return value.isoformat()


def _listed(value: object) -> str:
    """A list of codes by its codes; anything else as JSON."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
