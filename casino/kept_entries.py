"""Entries that were read once, kept in this process: an entry of the book never changes.

For whoever asks about the same games all evening, a few of the newest entries at a time. What does
not count (corrected, not yet approved) is asked of the book each time; that can change.
"""

from collections import OrderedDict
from collections.abc import Collection, Sequence
from datetime import datetime
from threading import Lock
from typing import Any, Final
from uuid import UUID

from django.db import connections

from casino.queries import ENTRIES, dossier_of, told_by
from casino.regulation.dossier import Dossier, Told

# Thirty tables to the end of a long evening, at some six kilobytes an entry.
KEPT: Final = 25_000
_kept: OrderedDict[UUID, Told[Any]] = OrderedDict()
_lock: Final = Lock()
_IDS: Final = "SELECT e.id FROM book_entry e JOIN book_stream s ON s.id = e.stream_id "


def read_kept(where: str, values: Sequence[Any], using: str) -> list[Told[Any]]:
    """The entries a condition names, in its order; bytes are read of new ones alone."""
    with connections[using].cursor() as cursor:
        cursor.execute(_IDS + where, values)
        asked = [row[0] for row in cursor.fetchall()]
    found = entries(asked, using)
    return [found[one] for one in asked]


def entries(asked: Collection[UUID], using: str = "default") -> dict[UUID, Told[Any]]:
    """These entries by their ids; one the book does not have is left out."""
    found: dict[UUID, Told[Any]] = {}
    with _lock:
        for one in asked:
            if one in _kept:
                found[one] = _kept[one]
                _kept.move_to_end(one)
    new = [one for one in asked if one not in found]
    if new:
        with connections[using].cursor() as cursor:
            cursor.execute(ENTRIES + " WHERE e.id = ANY(%s)", [new])
            read = {row[0]: told_by(row) for row in cursor.fetchall()}
        found |= read
        with _lock:
            _kept.update(read)
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
    return found


def dossier_kept(
    partida: str, *, as_of: datetime | None = None, and_told: Collection[Told[Any]] = ()
) -> Dossier:
    """As `casino.queries.dossier_of`: everything the book tells of a partida, as it stands."""
    return dossier_of(partida, as_of=as_of, and_told=and_told, read=read_kept)
