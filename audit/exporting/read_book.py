"""The book as it stood at one moment: the entries a copy shows, in the order of their index.

Read as `reader`, tile by tile: writers go on, and memory holds 256 entries at a time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connections, transaction

from audit.exporting.export_refusals import (
    NO_CHECKPOINT,
    NO_SUCH_RANGE,
    NO_SUCH_TABLE,
    ExportRefused,
)
from audit.exporting.scope import Scope
from casino import sealed
from casino.sealed import Sealed
from casino.tlog.proof import WIDTH
from casino.tlog.tiles import MOST_ENTRY

NO_ROW: Final = UUID(int=0)

_BY_INDEX: Final = """
SELECT l.idx, e.id, e.entry FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id
WHERE l.idx >= %s AND l.idx < %s ORDER BY l.idx
"""
_BY_NUMBER: Final = """
SELECT l.idx, e.id, e.entry, e.n FROM book_entry e JOIN book_leaf l ON l.entry_id = e.id
WHERE e.stream_id = %s AND e.n > %s AND l.idx < %s ORDER BY e.n LIMIT %s
"""
_COUNTED: Final = """
SELECT count(*) FROM book_entry e JOIN book_leaf l ON l.entry_id = e.id
WHERE e.stream_id = (SELECT id FROM book_stream WHERE name = %s) AND l.idx < %s
"""
# The first checkpoint a witness signed whose tree holds each of these entries.
_COSIGNED: Final = """
SELECT DISTINCT first.size FROM unnest(%s::bigint[]) AS one (idx) CROSS JOIN LATERAL (
    SELECT min(size) AS size FROM book_cosignature WHERE size > one.idx AND size <= %s) first
WHERE first.size IS NOT NULL
"""


class Shown(NamedTuple):
    """An entry that is shown: its index in the tree, the id of its row, its bytes."""

    idx: int
    row: UUID
    entry: bytes


@contextmanager
def at_one_moment(using: str) -> Iterator[Sealed]:
    """A transaction that sees the book as it is now; the newest checkpoint there is.

    Raises: ExportRefused, before the first.
    """
    with transaction.atomic(using=using):
        with connections[using].cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        newest = sealed.latest(using)
        if newest is None:
            raise ExportRefused(NO_CHECKPOINT)
        yield newest


def counted(scope: Scope, size: int, using: str) -> int:
    """How many entries the scope shows of a tree of that size. Raises: ExportRefused."""
    if scope.full:
        return size
    if scope.kind == "range":
        if not 0 <= scope.first < scope.end <= size:
            raise ExportRefused(NO_SUCH_RANGE, first=scope.first, end=scope.end, size=size)
        return scope.end - scope.first
    with connections[using].cursor() as cursor:
        cursor.execute(_COUNTED, [f"table/{scope.table}", size])
        found: int = cursor.fetchone()[0]
    if not found:
        raise ExportRefused(NO_SUCH_TABLE, table=scope.table)
    return found


def shown(scope: Scope, size: int, using: str) -> Iterator[list[Shown]]:
    """The entries, up to 256 at a time; of a full copy exactly one tile at a time.

    Where the database has no entry for an index, or none a bundle can hold, an empty one stands.
    """
    if scope.kind == "table":
        yield from _of_table(scope.table, size, using)
        return
    first, end = (0, size) if scope.full else (scope.first, scope.end)
    for begin in range(first, end, WIDTH):
        until = min(begin + WIDTH, end)
        with connections[using].cursor() as cursor:
            cursor.execute(_BY_INDEX, [begin, until])
            found = {row[0]: _shown(row) for row in cursor.fetchall()}
        yield [found.get(index) or Shown(index, NO_ROW, b"") for index in range(begin, until)]


def cosigned(indices: list[int], size: int, using: str) -> set[int]:
    """Sizes of the first checkpoints, up to that size, by which a witness covers each entry."""
    with connections[using].cursor() as cursor:
        cursor.execute(_COSIGNED, [indices, size])
        return {found for (found,) in cursor.fetchall()}


def newest_cosigned(size: int, using: str) -> set[int]:
    """The size of the newest checkpoint, up to that size, that a witness signed, if any."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT max(size) FROM book_cosignature WHERE size <= %s", [size])
        return {found for (found,) in cursor.fetchall() if found is not None}


def _of_table(table: str, size: int, using: str) -> Iterator[list[Shown]]:
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT id FROM book_stream WHERE name = %s", [f"table/{table}"])
        stream, last = cursor.fetchone()[0], 0
        while True:
            cursor.execute(_BY_NUMBER, [stream, last, size, WIDTH])
            found = cursor.fetchall()
            if not found:
                return
            yield [_shown(row) for row in found]
            last = found[-1][3]


def _shown(row: tuple[Any, ...]) -> Shown:
    entry = bytes(row[2])
    return Shown(row[0], row[1], entry if len(entry) <= MOST_ENTRY else b"")
