"""Entries that were read once, kept in this process: an entry of the book never changes.

For whoever asks about the same games all evening, a few of the newest entries at a time. What does
not count (corrected, not yet approved) is asked of the book each time; that can change.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from datetime import datetime
from threading import Lock
from typing import Any, Final, Generic, NamedTuple, TypeVar
from uuid import UUID

from django.db import connections

from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import Dossier, RecordedEvent
from casino.queries import ENTRIES, decode_entry, dossier_of, stream_of

# Thirty tables to the end of a long evening, at some six kilobytes an entry.
KEPT: Final = 25_000
Made = TypeVar("Made")
# By their ids as text: a page looks up thousands, and Python computes a UUID's hash each time.
_kept: OrderedDict[str, RecordedEvent[Event]] = OrderedDict()
_lock: Final = Lock()
_IDS: Final = "SELECT e.id::text FROM book_entry e JOIN book_stream s ON s.id = e.stream_id "
Values = Sequence[Any] | Mapping[str, Any]


def read_kept(where: str, values: Values, using: str = "default") -> list[RecordedEvent[Event]]:
    """The entries a condition names, in its order; bytes are read of new ones alone."""
    with connections[using].cursor() as cursor:
        cursor.execute(_IDS + where, values)
        asked = [row[0] for row in cursor.fetchall()]
    found = _entries(asked, using)
    return [found[one] for one in asked]


def entries(entry_ids: Collection[UUID], using: str = "default") -> dict[UUID, RecordedEvent[Any]]:
    """These entries by their ids; one the book does not have is left out."""
    asked = {str(one): one for one in entry_ids}
    return {asked[one]: entry for one, entry in _entries(asked, using).items()}


def _entries(entry_ids: Collection[str], using: str) -> dict[str, RecordedEvent[Event]]:
    found: dict[str, RecordedEvent[Event]] = {}
    with _lock:
        for one in entry_ids:
            if one in _kept:
                found[one] = _kept[one]
                _kept.move_to_end(one)
    new = [one for one in entry_ids if one not in found]
    if new:
        with connections[using].cursor() as cursor:
            cursor.execute(ENTRIES + " WHERE e.id = ANY(%s::uuid[])", [new])
            read = {one.entry_id: one for one in map(decode_entry, cursor.fetchall())}
        found |= read
        with _lock:
            _kept.update(read)
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
    return found


class Known(NamedTuple):
    """How far a game was read: the entry of its table's stream seen last, and those of the game."""

    n: int
    last: str
    entries: tuple[RecordedEvent[Event], ...]


GAMES: Final = 200
_games: OrderedDict[str, Known] = OrderedDict()
# Two ranges of the index, before the rounds and after them: a game has hundreds of those.
_OF_GAMES: Final = """
SELECT e.partida_id, e.n, e.id::text, e.partida_id, e.kind
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
WHERE e.partida_id = ANY(%s) AND (e.kind < %s OR e.kind > %s)
    AND s.name = 'table/' || split_part(e.partida_id, '/', 1)
ORDER BY e.n
"""
# A stream is numbered under a lock: whoever saw a number saw every one before it.
_SINCE: Final = """
SELECT asked.partida, added.n, added.id::text, added.partida_id, added.kind
FROM unnest(%s::text[], %s::text[], %s::bigint[]) AS asked (partida, stream, since), LATERAL (
    SELECT e.n, e.id, e.partida_id, e.kind FROM book_entry e
    WHERE e.stream_id = (SELECT id FROM book_stream WHERE name = asked.stream) AND e.n >= since
    ORDER BY e.n LIMIT 100000) AS added
ORDER BY added.n
"""


def of_games(partidas: Collection[str]) -> dict[str, tuple[RecordedEvent[Event], ...]]:
    """The entries of each game in its table's stream but for the rounds, in their order.

    Of a game that was read before only what its table recorded since is asked for; and all of it,
    where what was seen last is not there any more: another book was put in this one's place.
    """
    with _lock:
        before = {one: _games[one] for one in partidas if one in _games}
    seen: dict[str, tuple[int, str]] = {}
    with connections["default"].cursor() as cursor:
        if before:
            numbers = [known.n for known in before.values()]
            cursor.execute(_SINCE, [list(before), [stream_of(one) for one in before], numbers])
            rows = cursor.fetchall()
            there = {(partida, n, entry) for partida, n, entry, _, _ in rows}
            gone = {one for one, (n, last, _) in before.items() if (one, n, last) not in there}
            rows = [row for row in rows if row[0] not in gone and row[1] > before[row[0]].n]
            seen = {one: known[:2] for one, known in before.items() if one not in gone}
        else:
            rows, gone = [], set()
        new = [one for one in partidas if one not in before or one in gone]
        if new:
            cursor.execute(_OF_GAMES, [new, RoundPlayed.kind, RoundPlayed.kind])
            rows += cursor.fetchall()
    found = {one: () if one in new else before[one].entries for one in partidas}
    ids: dict[str, list[str]] = {}
    for partida, n, entry, of, kind in rows:
        seen[partida] = (n, entry)
        if of == partida and kind != RoundPlayed.kind:
            ids.setdefault(partida, []).append(entry)
    events = _entries([entry for of in ids.values() for entry in of], "default") if ids else {}
    for partida, added in ids.items():
        found[partida] = (*found[partida], *(events[entry] for entry in added))
    with _lock:
        for partida, (n, last) in seen.items():
            _games[partida] = Known(n, last, found[partida])
            _games.move_to_end(partida)
        while len(_games) > GAMES:
            _games.popitem(last=False)
    return found


class Last(Generic[Made]):
    """What was made last of the entries of a game, by a name for it: made again only of others.

    `of` is all that it is made of. It is compared, and entries kept here are the same objects.
    """

    def __init__(self) -> None:
        self._made: dict[Hashable, tuple[object, Made]] = {}

    def made(self, name: Hashable, of: object, make: Callable[[], Made]) -> Made:
        """As it was made, where it was made of the same; else made now."""
        before = self._made.get(name)
        if before is not None and before[0] == of:
            return before[1]
        if len(self._made) >= 2 * GAMES:
            self._made.clear()
        made = make()
        self._made[name] = of, made
        return made


def dossier_kept(
    partida: str,
    *,
    as_of: datetime | None = None,
    and_recorded: Collection[RecordedEvent[Event]] = (),
) -> Dossier:
    """As `casino.queries.dossier_of`: everything the book tells of a partida, as it stands."""
    return dossier_of(partida, as_of=as_of, and_recorded=and_recorded, read=read_kept)
