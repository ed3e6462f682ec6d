"""What the inspectorate keeps, in one SQLite file: checkpoints, mirrored entries, what is wrong.

Each step is one transaction that is on the disk when it ends: whoever is killed goes on from there.
"""

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple, cast

from audit.inspectorate.second_judgement import Compared
from casino.tlog.merkle import HASH
from casino.tlog.proof import WIDTH, TileTree, root_of
from casino.tlog.strict import MOST_WHOLE
from casino.tlog.tiles import tile_bytes, tile_root, unpack_entries

FILE: Final = "mirror.sqlite"
BUSY: Final = 30.0  # seconds
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS cosigned (
    origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL, note TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS checkpoint (
    origin TEXT, size INTEGER, root BLOB, note TEXT NOT NULL, source TEXT NOT NULL,
    seen_at TEXT NOT NULL, compared INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (origin, size, root));
CREATE TABLE IF NOT EXISTS bundle (
    origin TEXT, n INTEGER, width INTEGER NOT NULL, hashes BLOB NOT NULL, top BLOB NOT NULL,
    entries BLOB NOT NULL, PRIMARY KEY (origin, n));
CREATE TABLE IF NOT EXISTS trouble (
    origin TEXT, code TEXT, details TEXT, first TEXT NOT NULL, second TEXT NOT NULL,
    seen_at TEXT NOT NULL, PRIMARY KEY (origin, code, details));
CREATE TABLE IF NOT EXISTS comparison (
    origin TEXT PRIMARY KEY, result TEXT NOT NULL, made_at TEXT NOT NULL);
"""


class Seen(NamedTuple):
    """A checkpoint that bears a casino's signature, and who showed it."""

    size: int
    root: bytes
    note: str
    source: str


class Trouble(NamedTuple):
    """Something that is not as it has to be: a code of `inspectorate_words`, what is said with it,
    and the one or two signed notes that show it.
    """

    code: str
    details: dict[str, object]
    first: str
    second: str
    seen_at: str


class Store:
    """The file, for one thread. To be closed."""

    def __init__(self, home: Path) -> None:
        self.db = sqlite3.connect(home / FILE, timeout=BUSY, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = FULL")
        self.db.executescript(_TABLES)

    def close(self) -> None:
        """Let the file go."""
        self.db.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction, in which nobody else writes."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    # -- Checkpoints -------------------------------------------------------------------------------

    def see(self, origin: str, seen: Seen) -> None:
        """Keep a checkpoint."""
        self.db.execute(
            "INSERT OR IGNORE INTO checkpoint (origin, size, root, note, source, seen_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (origin, *seen, _now()),
        )

    def rivals(self, origin: str, seen: Seen) -> list[Seen]:
        """Checkpoints of the same size with another root."""
        return self._seen("size = ? AND root <> ?", origin, seen.size, seen.root)

    def newest(self, origin: str, most: int = MOST_WHOLE, other_than: bytes = b"") -> Seen | None:
        """The largest checkpoint that was seen, of at most a size and with another root."""
        which = "size <= ? AND root <> ? ORDER BY size DESC LIMIT 1"
        return next(iter(self._seen(which, origin, most, other_than)), None)

    def to_compare(self, origin: str, size: int) -> list[Seen]:
        """The checkpoints up to a size nobody held against the mirrored entries yet."""
        return self._seen("size <= ? AND NOT compared ORDER BY size LIMIT 1000", origin, size)

    def compared(self, origin: str, seen: Seen) -> None:
        """It was held against the mirrored entries."""
        self.db.execute(
            "UPDATE checkpoint SET compared = 1 WHERE origin = ? AND size = ? AND root = ?",
            (origin, seen.size, seen.root),
        )

    def count(self, origin: str) -> int:
        """How many checkpoints are kept."""
        asked = "SELECT count(*) FROM checkpoint WHERE origin = ?"
        return int(self.db.execute(asked, (origin,)).fetchone()[0])

    def _seen(self, which: str, origin: str, *values: object) -> list[Seen]:
        asked = "SELECT size, root, note, source FROM checkpoint WHERE origin = ? AND "
        return [Seen(*row) for row in self.db.execute(asked + which, (origin, *values))]

    def cosigned(self, origin: str) -> Seen | None:
        """The checkpoint that was cosigned last, with our line."""
        asked = "SELECT size, root, note, '' FROM cosigned WHERE origin = ?"
        row = self.db.execute(asked, (origin,)).fetchone()
        return Seen(*row) if row else None

    def cosign(self, origin: str, size: int, root: bytes, note: str) -> None:
        """Keep what is cosigned last."""
        asked = "INSERT OR REPLACE INTO cosigned (origin, size, root, note) VALUES (?, ?, ?, ?)"
        self.db.execute(asked, (origin, size, root, note))

    # -- Entries -----------------------------------------------------------------------------------

    def held(self, origin: str) -> int:
        """How many entries are mirrored, from the first on."""
        asked = "SELECT n, width FROM bundle WHERE origin = ? ORDER BY n DESC LIMIT 1"
        row = self.db.execute(asked, (origin,)).fetchone()
        return row[0] * WIDTH + row[1] if row else 0

    def put_bundle(self, origin: str, n: int, leaves: list[bytes], packed: bytes) -> None:
        """Keep the entries of a tile; in the place of fewer of the same tile."""
        values = (origin, n, len(leaves), tile_bytes(leaves), root_of(leaves), packed)
        self.db.execute("INSERT OR REPLACE INTO bundle VALUES (?, ?, ?, ?, ?, ?)", values)

    def entries(
        self, origin: str, first: int = 0, wanted: Collection[int] | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """The mirrored entries from an index on, or of those the wanted ones alone, each with its
        index, in order; a tile in memory at a time.
        """
        tiles: Collection[int] = range(first // WIDTH, -(-self.held(origin) // WIDTH))
        if wanted is not None:
            tiles = sorted({index // WIDTH for index in wanted if index >= first})
        for n in tiles:
            asked = "SELECT entries FROM bundle WHERE origin = ? AND n = ?"
            (packed,) = self.db.execute(asked, (origin, n)).fetchone()
            for index, entry in enumerate(unpack_entries(packed), start=n * WIDTH):
                if index >= first and (wanted is None or index in wanted):
                    yield index, entry

    def tree(self, origin: str) -> TileTree:
        """The tree of the mirrored entries."""
        tops = "SELECT top FROM bundle WHERE origin = ? AND n >= ? AND n < ? ORDER BY n"
        one = "SELECT hashes FROM bundle WHERE origin = ? AND n = ?"

        def read(level: int, n: int, width: int) -> bytes:
            if level == 0:
                return bytes(self.db.execute(one, (origin, n)).fetchone()[0])[: width * HASH]
            first = n * WIDTH
            if level == 1:
                rows = self.db.execute(tops, (origin, first, first + width))
                return b"".join(top for (top,) in rows)
            below = range(first, first + width)
            return b"".join(tile_root(read(level - 1, each, WIDTH)) for each in below)

        return TileTree(self.held(origin), read)

    # -- What is wrong, and what was compared ------------------------------------------------------

    def note_trouble(
        self, origin: str, code: str, details: Mapping[str, object], *notes: str
    ) -> None:
        """Keep something that is wrong, once."""
        first, second = (*notes, "", "")[:2]
        text = json.dumps(details, sort_keys=True)
        self.db.execute(
            "INSERT OR IGNORE INTO trouble VALUES (?, ?, ?, ?, ?, ?)",
            (origin, code, text, first, second, _now()),
        )

    def troubles(self, origin: str) -> list[Trouble]:
        """What is wrong, the oldest first."""
        asked = "SELECT code, details, first, second, seen_at FROM trouble WHERE origin = ?"
        rows = self.db.execute(f"{asked} ORDER BY seen_at, code", (origin,))
        return [Trouble(code, json.loads(text), *rest) for code, text, *rest in rows]

    def put_comparison(self, origin: str, result: Compared) -> None:
        """Keep what the last comparison of findings came to."""
        asked = "INSERT OR REPLACE INTO comparison VALUES (?, ?, ?)"
        self.db.execute(asked, (origin, json.dumps(result), _now()))

    def comparison(self, origin: str) -> tuple[Compared, str] | None:
        """What the last comparison came to, and when it was made."""
        asked = "SELECT result, made_at FROM comparison WHERE origin = ?"
        row = self.db.execute(asked, (origin,)).fetchone()
        return (cast("Compared", json.loads(row[0])), row[1]) if row else None


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
