"""Everything recorded of one thing, in the order in which it happened, a page at a time.

A page starts where the last one ended, and is gathered kind by kind: of each kind an index gives
the next few entries, and the earliest of all of them make the page. That costs the same whether a
table has a hundred entries or millions, and whichever kinds are asked.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

from django.db import connection

from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import RecordedEvent
from casino.queries import decode_entry

Thing = Literal["partida", "table", "deck", "shuffler", "person"]
Way = Literal["after", "before"]
SIZE: Final = 50
ROUND: Final = RoundPlayed.kind
_MARKS: Final = {"after": (">", "ASC"), "before": ("<", "DESC")}

# What is filled in are marks of comparison and pieces of ours; names and moments travel apart.
_BY_KIND: Final = """
SELECT of_kind.at, of_kind.id FROM unnest(%(kinds)s::text[]) AS asked(kind), LATERAL ({inner}
    AND (NOT %(bounded)s OR ({at}, {id}) {past} (%(at)s::timestamptz, %(id)s::uuid))
    ORDER BY {at} {order}, {id} {order} LIMIT %(many)s) AS of_kind
"""
_IN_BOOK: Final = """
SELECT e.occurred_at AS at, e.id AS id FROM book_entry e
WHERE e.{column} = %(name)s AND e.kind = asked.kind
"""
_NAMED: Final = """
SELECT e.occurred_at AS at, e.entry_id AS id FROM casino_naming e
WHERE e.thing = %(thing)s AND e.code = %(name)s AND e.kind = asked.kind
    AND (asked.kind = ANY(%(whole)s) OR e.staff = %(me)s OR e.partida_id = ANY(%(own)s::text[]))
"""
_DEALT: Final = """
SELECT e.occurred_at AS at, e.entry_id AS id FROM casino_round e
WHERE e.dealer = %(name)s AND e.dealer <> '' AND asked.kind = %(round)s
    AND (asked.kind = ANY(%(whole)s) OR e.partida_id = ANY(%(own)s::text[]))
"""
_ENTRIES: Final = """
WITH place AS ({places})
SELECT e.id, s.name, e.n, e.kind, e.leaf_hash, e.gaming_day, e.occurred_at, e.recorded_at, e.entry
FROM place JOIN book_entry e ON e.id = place.id JOIN book_stream s ON s.id = e.stream_id
ORDER BY e.occurred_at {order}, e.id {order}
"""
_ALTERED: Final = (ValueError, LookupError, TypeError)


class Place(NamedTuple):
    """Where a page starts or ends: an entry by its moment and its id."""

    at: datetime
    id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What somebody may read: kinds as a whole, kinds of his own partidas or by himself."""

    whole: Collection[str]
    own: Collection[str]
    partidas: Collection[str]
    me: str


@dataclass(frozen=True, slots=True)
class Row:
    """An entry of a timeline. `recorded` is None where its bytes no longer say."""

    place: Place
    stream: str
    n: int
    kind: str
    recorded_at: datetime
    recorded: RecordedEvent[Event] | None


@dataclass(frozen=True, slots=True)
class Page:
    """The entries of a page, the earliest first; whether there are others before and after."""

    rows: tuple[Row, ...]
    earlier: bool
    later: bool


def read(
    thing: Thing,
    name: str,
    reader: Reader,
    *,
    kinds: Collection[str] = (),
    start: Place | None = None,
    way: Way = "after",
    size: int = SIZE,
) -> Page:
    """A page of a thing's entries after (or before) a place; from the first (the last) for None.

    `kinds` are those asked for, all that may be read where none are named.
    """
    asked = [kind for kind in (*reader.whole, *reader.own) if not kinds or kind in kinds]
    if thing == "table":  # of a table one's own is one's own partidas, each with its own timeline
        asked = [kind for kind in asked if kind in reader.whole]
    rows = _rows(thing, name, reader, asked, start, way, size + 1)
    more, rows = len(rows) > size, rows[:size]
    if way == "before":
        rows.reverse()
    return Page(
        rows=tuple(rows),
        earlier=more if way == "before" else start is not None,
        later=more if way == "after" else start is not None,
    )


def _rows(
    thing: Thing,
    name: str,
    reader: Reader,
    kinds: Collection[str],
    start: Place | None,
    way: Way,
    many: int,
) -> list[Row]:
    past, order = _MARKS[way]
    pieces = [_piece(_inner(thing), past, order)]
    if thing == "person" and ROUND in kinds:
        pieces.append(_piece(_DEALT, past, order, "e.entry_id"))
    values: Mapping[str, Any] = {
        "thing": thing,
        "name": name,
        "kinds": list(kinds),
        "whole": list(reader.whole),
        "own": list(reader.partidas),
        "me": reader.me,
        "round": ROUND,
        "bounded": start is not None,
        "at": start.at if start is not None else None,
        "id": start.id if start is not None else None,
        "many": many,
    }
    places = " UNION ".join(pieces) + f" ORDER BY 1 {order}, 2 {order} LIMIT %(many)s"
    with connection.cursor() as cursor:
        cursor.execute(_ENTRIES.format(places=places, order=order), values)
        return [row_of(found) for found in cursor.fetchall()]


def _inner(thing: Thing) -> str:
    if thing in ("table", "partida"):
        return _IN_BOOK.format(column="table_code" if thing == "table" else "partida_id")
    return _NAMED


def _piece(inner: str, past: str, order: str, key: str = "") -> str:
    key = key or ("e.entry_id" if inner is _NAMED else "e.id")
    return _BY_KIND.format(inner=inner, at="e.occurred_at", id=key, past=past, order=order)


def row_of(found: tuple[Any, ...]) -> Row:
    """An entry as `casino.queries.ENTRIES` reads it, readable or not."""
    entry_id, stream, n, kind, _, _, occurred_at, recorded_at, _ = found
    try:
        recorded: RecordedEvent[Event] | None = decode_entry(found)
    except _ALTERED:
        recorded = None
    return Row(Place(occurred_at, entry_id), stream, n, kind, recorded_at, recorded)
