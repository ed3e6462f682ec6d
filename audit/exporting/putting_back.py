"""Lost entries put back from a bundle: same bytes, same ids, same places in the tree.

Done as `owner`, in one transaction that holds the whole book. The trigger that would refuse entries
stamped in the past is off meanwhile and always on again at its end; whatever goes wrong, nothing
was done. An entry that only waited for its place gets the one it had in the bundle.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from django.db import connections, transaction
from django.utils.translation import gettext_lazy as _

from audit.exporting.bundle_reader import Bundle
from audit.exporting.export_refusals import ExportRefused
from audit.exporting.file_columns import Row, row_of
from audit.exporting.growing import Growing
from audit.exporting.private_back import put_openings
from audit.exporting.read_book import NO_ROW, Shown
from casino.guards import missing_guards
from casino.ids import uuid7
from casino.sequencer import LOCK
from casino.tlog.merkle import leaf_hash

OWNER: Final = "owner"
NAMED: Final = 20  # conflicts told one by one

CONFLICT: Final = _(
    "{count} entries of the database stand where the bundle has others; nothing was changed:\n"
    "{named}\n"
    "They were recorded after the backup was restored, or altered. Restore the backup once more,"
    " put the lost entries back before anybody records anything, and record these anew."
)
UNGUARDED: Final = _("The book would be left without its guards; nothing was changed: {missing}")

# In the order in which writers take them, so that nobody waits for us while we wait for him.
_HOLD: Final = """
LOCK TABLE book_stream, book_entry, book_pending, book_leaf, book_tree, book_tile,
    book_checkpoint, book_cosignature IN ACCESS EXCLUSIVE MODE
"""
_PLACED: Final = """
SELECT l.idx, e.leaf_hash, s.name, e.n FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id
JOIN book_stream s ON s.id = e.stream_id WHERE l.idx >= %s AND l.idx < %s
"""
_LIKE_THESE: Final = """
SELECT s.name, e.n, e.id, e.key, e.leaf_hash, l.idx
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
LEFT JOIN book_leaf l ON l.entry_id = e.id
WHERE (s.name, e.n) IN (SELECT * FROM unnest(%s::text[], %s::bigint[]))
    OR e.key = ANY(%s::uuid[]) OR e.id = ANY(%s::uuid[])
"""
_PUT_ENTRIES: Final = """
COPY book_entry (id, stream_id, n, key, kind, gaming_day, table_code, partida_id, occurred_at,
                 recorded_at, entry) FROM STDIN
"""
_HEADS: Final = """
UPDATE book_stream s SET head_n = e.n, head_hash = e.leaf_hash
FROM (SELECT DISTINCT ON (stream_id) stream_id, n, leaf_hash FROM book_entry
      WHERE stream_id = ANY(%s) ORDER BY stream_id, n DESC) e
WHERE e.stream_id = s.id AND s.head_n < e.n
"""


@dataclass(slots=True)
class PutBack:
    """How many entries, places alone (of entries that waited) and private values were put back,
    and of which kinds the entries are.
    """

    entries: int = 0
    places: int = 0
    private: int = 0
    kinds: set[str] = field(default_factory=set)

    @property
    def nothing(self) -> bool:
        """Whether everything was there already."""
        return not self.entries and not self.places


def put_back(bundle: Bundle, progress: Callable[[int, int], None]) -> PutBack:
    """Put every entry of a bundle that the database lacks where it was. Raises: ExportRefused."""
    with transaction.atomic(using=OWNER), connections[OWNER].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        cursor.execute(_HOLD)
        cursor.execute("ALTER TABLE book_entry DISABLE TRIGGER book_entry_stamp")
        putting = _Putting(cursor, bundle)
        for some in bundle.entries():
            putting.take(some)
            progress(some[-1].idx + 1, bundle.size)
        putting.end()
        cursor.execute("ALTER TABLE book_entry ENABLE ALWAYS TRIGGER book_entry_stamp")
        missing = missing_guards(connections[OWNER])
        if missing:
            raise ExportRefused(UNGUARDED, missing=" ".join(missing))
    return putting.done


class _Putting:
    """The way through a bundle, a tile's entries at a time."""

    def __init__(self, cursor: Any, bundle: Bundle) -> None:
        self.cursor = cursor
        self.bundle = bundle
        self.done = PutBack()
        self.grown = Growing(cursor, bundle)
        self.conflicts: list[str] = []
        self.count = 0
        self.touched: set[int] = set()
        cursor.execute("SELECT name, id FROM book_stream")
        self.streams: dict[str, int] = dict(cursor.fetchall())

    def take(self, some: Sequence[Shown]) -> None:
        """Compare these with what is there, and put back what is not."""
        leaves = [leaf_hash(each.entry) for each in some]
        self.grown.take(leaves)
        self.cursor.execute(_PLACED, [some[0].idx, some[-1].idx + 1])
        placed = {idx: (bytes(leaf), stream, n) for idx, leaf, stream, n in self.cursor.fetchall()}
        lost = []
        for each, leaf in zip(some, leaves, strict=True):
            there = placed.get(each.idx)
            if there is None:
                lost.append((each, leaf))
            elif there[0] != leaf:
                self._conflict(f"{each.idx}: {there[1]}/{there[2]}")
        if lost:
            self._put(lost)

    def end(self) -> None:
        """The tree, the checkpoints and the streams' heads. Raises: ExportRefused."""
        if self.count:
            more = self.count - len(self.conflicts)
            named = "\n".join(self.conflicts) + (f"\n(+ {more})" if more else "")
            raise ExportRefused(CONFLICT, count=self.count, named=named)
        self.grown.end()
        self.cursor.execute(_HEADS, [list(self.touched)])
        if not self.done.nothing:
            self.done.private = put_openings(self.cursor, self.bundle)

    def _conflict(self, named: str) -> None:
        self.count += 1
        if len(self.conflicts) < NAMED:
            self.conflicts.append(named)

    def _put(self, lost: Sequence[tuple[Shown, bytes]]) -> None:
        rows = [self._row(each) for each, _leaf in lost]
        known = self._known(rows, [each.row for each, _leaf in lost])
        entries, places = [], []
        for (each, leaf), row in zip(lost, rows, strict=True):
            twins = known(row, each.row)
            if not twins:
                self.done.kinds.add(row.kind)
                row_id = each.row if each.row != NO_ROW else uuid7()
                entries.append((row_id, self._stream(row.stream), *row[1:]))
                places.append((each.idx, row_id))
            elif len(twins) == 1 and _same(twins[0], row, leaf):
                places.append((each.idx, twins[0][2]))
            else:
                for stream, n, *_rest in twins:
                    self._conflict(f"{each.idx}: {stream}/{n}")
        if self.count:
            return  # nothing of this will stand
        with self.cursor.copy(_PUT_ENTRIES) as copy:
            for entry in entries:
                copy.write_row(entry)
        with self.cursor.copy("COPY book_leaf (idx, entry_id) FROM STDIN") as copy:
            for place in places:
                copy.write_row(place)
        ids = [row_id for _idx, row_id in places]
        self.cursor.execute("DELETE FROM book_pending WHERE entry_id = ANY(%s)", [ids])
        self.done.entries += len(entries)
        self.done.places += len(places) - len(entries)
        self.touched |= {entry[1] for entry in entries}

    def _row(self, each: Shown) -> Row:
        try:
            return row_of(each.entry)
        except (ValueError, LookupError, TypeError) as error:
            raise self.bundle.damaged(f"{each.idx}: {type(error).__name__} {error}") from error

    def _stream(self, name: str) -> int:
        if name not in self.streams:
            self.cursor.execute("INSERT INTO book_stream (name) VALUES (%s) RETURNING id", [name])
            self.streams[name] = self.cursor.fetchone()[0]
        return self.streams[name]

    def _known(
        self, rows: Sequence[Row], ids: Sequence[UUID]
    ) -> Callable[[Row, UUID], list[tuple[Any, ...]]]:
        """What the database has under the same stream and number, key or id as one of these."""
        self.cursor.execute(
            _LIKE_THESE,
            [
                [row.stream for row in rows],
                [row.n for row in rows],
                [row.key for row in rows],
                list(ids),
            ],
        )
        found: dict[object, list[tuple[object, ...]]] = {}
        for twin in self.cursor.fetchall():
            for name in ((twin[0], twin[1]), ("key", twin[3]), ("id", twin[2])):
                found.setdefault(name, []).append(twin)

        def like(row: Row, row_id: UUID) -> list[tuple[object, ...]]:
            names = ((row.stream, row.n), ("key", row.key), ("id", row_id))
            twins = {twin[2]: twin for name in names for twin in found.get(name, ())}
            return list(twins.values())

        return like


def _same(twin: tuple[Any, ...], row: Row, leaf: bytes) -> bool:
    """Whether it is the very same entry, and still waits for its place."""
    stream, n, _id, key, found, idx = twin
    return (stream, n, key, bytes(found)) == (row.stream, row.n, row.key, leaf) and idx is None
