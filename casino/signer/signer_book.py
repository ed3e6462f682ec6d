"""What the signer reads of the book's database, and the rows it writes. As role `signer`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

import psycopg
from psycopg.conninfo import make_conninfo

from casino.signer.signer_places import Places

LOCK: Final = 0x4C69_7672_73  # one number, known to every signer of this database
BATCH: Final = 10_000

# One statement: all of it is seen at one moment.
_LOOK: Final = """
SELECT t.size, t.root, (SELECT root FROM book_tree WHERE size = %(own)s),
       c.size, c.note, (SELECT note FROM book_checkpoint WHERE size = %(own)s)
FROM (SELECT) AS one
LEFT JOIN (SELECT size, root FROM book_tree ORDER BY size DESC LIMIT 1) t ON true
LEFT JOIN (SELECT size, note FROM book_checkpoint ORDER BY size DESC LIMIT 1) c ON true
"""
_LEAVES: Final = """
SELECT l.idx, e.leaf_hash FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id
WHERE l.idx >= %s AND l.idx < %s ORDER BY l.idx
"""
_ANY_OF_KIND: Final = """
SELECT EXISTS (
    SELECT FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id
    WHERE l.idx >= %s AND l.idx < %s AND split_part(e.kind, '/', 1) = ANY(%s))
"""
_SEQUENCED: Final = """
SELECT l.idx, e.n, e.entry, e.leaf_hash FROM book_entry e
JOIN book_stream s ON s.id = e.stream_id JOIN book_leaf l ON l.entry_id = e.id
WHERE s.name = 'house' AND e.kind = %s AND l.idx < %s ORDER BY l.idx
"""
# What was asked longer ago is asked anew.
_SEALS_ASKED: Final = """
SELECT asked.entry_id, e.entry, e.leaf_hash FROM casino_document_seal asked
JOIN book_leaf l ON l.entry_id = asked.entry_id JOIN book_entry e ON e.id = asked.entry_id
WHERE asked.recorded_at > clock_timestamp() - interval '2 days' AND l.idx < %s AND NOT EXISTS (
    SELECT FROM casino_document_signature given WHERE given.entry_id = asked.entry_id)
ORDER BY l.idx LIMIT 20
"""
_UNSIGNED: Final = """
SELECT min(made_at), clock_timestamp() FROM book_tree
WHERE size > coalesce((SELECT max(size) FROM book_checkpoint), 0)
"""


_ANSWER: Final = (
    "INSERT INTO casino_document_signature (entry_id, signature, refusal) VALUES (%s, %s, %s)"
    " ON CONFLICT DO NOTHING"
)


@dataclass(frozen=True, slots=True)
class Found:
    """What the database says: the tree's size and root (0 and b'' for none), the root it had at our
    own last size, the newest checkpoint, and the one of our own last size.
    """

    size: int
    root: bytes
    root_at_own: bytes | None
    signed_size: int
    signed_note: str
    note_at_own: str | None


@dataclass(frozen=True, slots=True)
class SequencedEntry:
    """An entry of the house's stream that has its place in the tree; `entry` are its bytes."""

    index: int
    n: int
    entry: bytes
    leaf: bytes


class Book:
    """The book's database as the signer sees it. Every statement stands for itself."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection

    def look(self, own: int) -> Found:
        """The tree and the checkpoints as they are now, beside our own last size."""
        row = self._one(_LOOK, {"own": own})
        size, root, at_own, signed_size, signed_note, note_at_own = row
        return Found(
            size or 0,
            bytes(root or b""),
            None if at_own is None else bytes(at_own),
            signed_size or 0,
            signed_note or "",
            note_at_own,
        )

    def leaves(self, first: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Index and hash of the leaves from `first` to before `end`, as far as there are any."""
        for start in range(first, end, BATCH):
            with self.connection.cursor(binary=True) as cursor:
                cursor.execute(_LEAVES, (start, min(start + BATCH, end)))
                yield from ((idx, bytes(leaf)) for idx, leaf in cursor.fetchall())

    def has_any(self, first: int, end: int, kinds: tuple[str, ...]) -> bool:
        """Whether one of these leaves is an entry of such a kind, of whatever version."""
        return bool(self._one(_ANY_OF_KIND, (first, end, list(kinds)))[0])

    def sequenced(self, kind: str, size: int) -> list[SequencedEntry]:
        """The house's entries of a kind that stand in a tree of that size.

        Only those whose bytes give the leaf they have in the tree.
        """
        rows = self.connection.execute(_SEQUENCED, (kind, size)).fetchall()
        listed = [SequencedEntry(idx, n, bytes(entry), bytes(leaf)) for idx, n, entry, leaf in rows]
        return [one for one in listed if sha256(b"\0" + one.entry).digest() == one.leaf]

    def add_checkpoint(self, size: int, root: bytes, note: str) -> None:
        """Keep a checkpoint among the book's."""
        self.connection.execute(
            "INSERT INTO book_checkpoint (size, root, note) VALUES (%s, %s, %s)",
            (size, root, note),
        )

    def checkpoints(self, most: int) -> list[tuple[int, str, datetime]]:
        """Size, note and moment of the newest checkpoints, the newest first."""
        asked = "SELECT size, note, signed_at FROM book_checkpoint ORDER BY size DESC LIMIT %s"
        return list(self.connection.execute(asked, (most,)).fetchall())

    def checkpoint(self, size: int) -> tuple[str, datetime] | None:
        """Note and moment of the checkpoint of exactly this size."""
        asked = "SELECT note, signed_at FROM book_checkpoint WHERE size = %s"
        found = self.connection.execute(asked, (size,)).fetchone()
        return (found[0], found[1]) if found else None

    def now(self) -> datetime:
        """What the database's clock says."""
        moment: datetime = self._one("SELECT clock_timestamp()", ())[0]
        return moment

    def add_cosignature(self, size: int, line: str, at: datetime) -> None:
        """Keep a witness's line; one that is there already is left."""
        self.connection.execute(
            "INSERT INTO book_cosignature (size, line, cosigned_at) VALUES (%s, %s, %s)"
            " ON CONFLICT DO NOTHING",
            (size, line, at),
        )

    def cosignatures(self, size: int) -> list[str]:
        """The witnesses' lines under a checkpoint."""
        asked = "SELECT line FROM book_cosignature WHERE size = %s ORDER BY cosigned_at, line"
        return [line for (line,) in self.connection.execute(asked, (size,)).fetchall()]

    def seals_asked(self, size: int) -> list[tuple[UUID, bytes, bytes]]:
        """Seals that are asked for in a tree of that size and have no answer: the entry's row, its
        bytes, its leaf.
        """
        rows = self.connection.execute(_SEALS_ASKED, (size,)).fetchall()
        return [(entry_id, bytes(entry), bytes(leaf)) for entry_id, entry, leaf in rows]

    def add_seal(self, entry_id: UUID, signature: bytes) -> None:
        """Answer one with its signature; one that is answered is left."""
        self.connection.execute(_ANSWER, (entry_id, signature, ""))

    def refuse_seal(self, entry_id: UUID, why: str) -> None:
        """Answer one with why it is not signed."""
        self.connection.execute(_ANSWER, (entry_id, None, why))

    def unsigned_for(self) -> float:
        """Seconds since the tree first grew beyond the newest checkpoint; 0 where it did not."""
        since, now = self._one(_UNSIGNED, ())
        return 0.0 if since is None else float((now - since).total_seconds())

    def try_lock(self) -> bool:
        """Take this database's place of its one signer; it is ours until the connection ends."""
        return bool(self._one("SELECT pg_try_advisory_lock(%s)", (LOCK,))[0])

    def unlock(self) -> None:
        """Give the place back."""
        self._one("SELECT pg_advisory_unlock(%s)", (LOCK,))

    def _one(self, statement: str, values: Any) -> tuple[Any, ...]:
        row = self.connection.execute(statement.encode(), values).fetchone()
        assert row is not None
        return tuple(row)


@contextmanager
def opened(places: Places) -> Iterator[Book]:
    """The database, for as long as it is needed. Raises: psycopg.OperationalError."""
    address = make_conninfo(places.database, password=places.password)
    with psycopg.connect(
        address, autocommit=True, connect_timeout=10, application_name="signer"
    ) as connection:
        yield Book(connection)
