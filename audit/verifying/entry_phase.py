"""Entries against their leaves, leaves against tiles and every root the tree ever had, in one pass.

What an entry says of itself and of others is asked by the verifier's own `EntryChecker`. Here it is
held against what only the database has: the columns beside the bytes, places, tiles, roots.
"""

from array import array
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import repeat
from typing import Any, Final

from audit.verifier.entries import EntryChecker
from audit.verifier.tree import TILE, CompactRange, fold, leaf_hash, peaks_of, rows_of
from audit.verifying import private_phase
from audit.verifying.phase import Phase, Row, fetch
from audit.verifying.sealed_columns import body_of, unlike

BATCH: Final = 16 * TILE  # leaves of one step
# Checkpoints an entry may name: it names the newest there was, and has its place a moment later.
MARKS: Final = 20_000
STEP: Final = timedelta(seconds=1)  # what the clock may fall without a word
NO_LEAF: Final = bytes(32)

_ENTRIES: Final = """
SELECT l.idx, e.id, coalesce(s.name, ''), e.n, e.key, e.kind, e.gaming_day, e.table_code,
       e.partida_id, e.occurred_at, e.recorded_at, e.entry, e.leaf_hash
FROM book_leaf l LEFT JOIN book_entry e ON e.id = l.entry_id
LEFT JOIN book_stream s ON s.id = e.stream_id
WHERE l.idx >= %s AND l.idx < %s ORDER BY l.idx
"""
_TILES: Final = "SELECT n, hashes FROM book_tile WHERE level = %s AND n >= %s AND n < %s"
_TILES_THERE: Final = "SELECT level, max(n) + 1 FROM book_tile GROUP BY level"
_ROOTS: Final = """
SELECT size, root, frontier, made_at FROM book_tree WHERE size > %s AND size <= %s ORDER BY size
"""
_CHECKPOINTS: Final = """
SELECT c.size, c.root, t.root, (SELECT extract(epoch FROM min(w.cosigned_at))::bigint
                                FROM book_cosignature w WHERE w.size = c.size)
FROM book_checkpoint c LEFT JOIN book_tree t ON t.size = c.size
WHERE c.size > %s AND c.size <= %s ORDER BY c.size
"""
_SEEN_NEXT: Final = """
SELECT extract(epoch FROM min(cosigned_at))::bigint FROM book_cosignature
WHERE size = (SELECT size FROM book_cosignature WHERE size > %s ORDER BY size LIMIT 1)
"""
_EARLIER: Final = """
SELECT e.entry FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
WHERE s.name = %s AND e.n = %s
"""


class Entries(Phase):
    """The pass over the leaves, a batch at a step."""

    name = "entries"

    def begin(self, kept: Mapping[str, Any] | None) -> None:
        """Begin, or go on where an earlier part stopped."""
        if kept is None:
            self.at, self.tree, self.upper = 0, CompactRange(), list[list[bytes]]()
            self.made_at: datetime | None = None
            self.good, self.astray = 0, False  # the last size whose root was right; recorded since
            self.checker = EntryChecker(self.report, self._earlier)
            self.checker.not_after = self._seen_after(0)
        else:
            self.at, self.tree = kept["at"], CompactRange.from_state(kept["tree"])
            self.upper = [_cut(bytes.fromhex(row)) for row in kept["upper"]]
            self.good, self.astray = kept["good"], kept["astray"]
            self.made_at = kept["made_at"] and datetime.fromisoformat(kept["made_at"])
            self.checker = EntryChecker.from_state(kept["checker"], self.report, self._earlier)
        self.there = dict(fetch(self.using, _TILES_THERE))

    def state(self) -> dict[str, Any]:
        """What the next part has to know."""
        checker = self.checker.state()
        sizes, newest, roots = checker["marks"]
        checker["marks"] = [sizes[-MARKS:], newest[-MARKS:], roots[-64 * MARKS :]]
        upper = [b"".join(row).hex() for row in self.upper]
        return {
            "at": self.at,
            "astray": self.astray,
            "checker": checker,
            "good": self.good,
            "made_at": None if self.made_at is None else self.made_at.isoformat(),
            "tree": self.tree.state(),
            "upper": upper,
        }

    def step(self) -> bool:
        """One batch; whether it was the last."""
        last = min(self.at + BATCH, self.verification.size)
        if self.at < last:
            rows = self._rows(last)
            # What has no bytes cannot be read; its place was recorded already.
            leaves = [leaf_hash(row.entry) if row else NO_LEAF for row in rows]
            self._columns(rows, leaves)
            self._follow(rows, leaves, last)
            self._grow(rows, leaves, last)
            private_phase.check(self, [row for row in rows if row])
            self.verification.done += last - self.at
            self.verification.entries += sum(row is not None for row in rows)
            self.at = last
        if self.at < self.verification.size:
            return False
        self.checker.end_evidence(whole=True)
        so_far = self.verification
        so_far.heads, so_far.keys_named = self.checker.heads(), self.checker.keys_named
        so_far.epochs, so_far.ids_recorded = self.checker.epochs, self.checker.row_digests
        so_far.root = self.tree.root().hex() if self.at else ""
        return True

    def _rows(self, last: int) -> list[Row | None]:
        """The entries in their places; None where there is none."""
        found = {
            row[0]: Row(*row) if row[1] is not None else None
            for row in fetch(self.using, _ENTRIES, self.at, last)
        }
        for index in range(self.at, last):
            if index not in found:
                self.report("place-missing", index=index)
            elif found[index] is None:
                self.report("entry-missing", index=index)
        return [found.get(index) for index in range(self.at, last)]

    def _columns(self, rows: Sequence[Row | None], leaves: Sequence[bytes]) -> None:
        for row, leaf in zip(rows, leaves, strict=True):
            if row is None:
                continue
            if row.leaf != leaf:
                self.report("leaf-hash", **row.place)
            row.body = body_of(row.entry)
            for column in unlike(row) if row.body is not None else ():
                self.report("column", **row.place, column=column)

    def _follow(self, rows: Sequence[Row | None], leaves: Sequence[bytes], last: int) -> None:
        """Let the checker follow the streams, and know the checkpoints on the way."""
        found = fetch(self.using, _CHECKPOINTS, self.at, last)
        for size, signed, root, _ in found:
            if root is None or bytes(signed) != bytes(root):
                self.report("checkpoint-root", size=size)
        marks, seen = [], self._seen_after(last)
        for size, signed, _, cosigned in reversed(found):
            marks.append((size, bytes(signed), seen))
            seen = min((each for each in (seen, cosigned) if each is not None), default=None)
        there = [(at, row, leaf) for at, (row, leaf) in enumerate(zip(rows, leaves, strict=True))]
        fed = [(self.at + at, row.entry, leaf) for at, row, leaf in there if row is not None]
        self.checker.feed_all(
            [index for index, _, _ in fed],
            [entry for _, entry, _ in fed],
            [leaf for _, _, leaf in fed],
            repeat(0),
            reversed(marks),
        )
        for stream in self.checker.streams.values():
            stream.places = array("Q")  # `_earlier` asks the database

    def _grow(self, rows: Sequence[Row | None], leaves: Sequence[bytes], last: int) -> None:
        """Tile by tile: the hashes that were kept, and the roots the tree had on the way."""
        tiles = self._tiles(0, self.at // TILE, last // TILE)
        roots = fetch(self.using, _ROOTS, self.at, last)
        self._clock(roots)
        for base in range(self.at, last, TILE):
            at = base - self.at
            block, number = leaves[at : at + TILE], base // TILE
            above = rows_of(block)
            within = [each for each in roots if base < each[0] <= base + TILE]
            after = self._roots(base, above, within)
            if len(block) < TILE:
                self.tree.extend(block)
                return
            self.tree.push(above[-1][0], 8)
            self.tree.peaks = after or self.tree.peaks
            kept, top = tiles.get(number), above[-1][0]
            if kept is None and number < self.there.get(0, 0):
                self.report("tile-missing", level=0, tile=number)
            elif kept is not None and kept != b"".join(block):
                top = rows_of(_cut(kept))[-1][0]
                self._tile_differs(number, block, kept, rows[at : at + TILE])
            self._raise(1, top)

    def _clock(self, roots: Sequence[tuple[Any, ...]]) -> None:
        """A tree is made after the smaller one."""
        for size, _, _, made_at in roots:
            if self.made_at is not None and made_at < self.made_at - STEP:
                self.report("clock-fell-in-tree", size=size)
            self.made_at = made_at

    def _tile_differs(
        self, number: int, block: Sequence[bytes], tile: bytes, rows: Sequence[Row | None]
    ) -> None:
        for row, leaf, kept in zip(rows, block, _cut(tile), strict=True):
            if leaf != kept and row is not None:
                self.report("tile-leaf", **row.place, tile=number)

    def _roots(
        self, base: int, above: list[Sequence[bytes]], found: Sequence[tuple[Any, ...]]
    ) -> list[bytes] | None:
        """The roots of the sizes within a block; of those that are not the tree's, the first.

        What went wrong was recorded then: the subtrees that were kept stand in for those that came
        out, so that the roots from there on say something again. Gives those after the block.
        """
        for size, root, frontier, _ in found:
            kept, whole = _cut(bytes(frontier)), size == base + TILE
            sound = fold(kept) == bytes(root) and len(kept) == size.bit_count()
            if not sound:
                self.report("root-subtrees", size=size)
            if not self._fits(base, size, above, bytes(root)):
                if not self.astray:
                    self.report("root-differs", size=size, since=self.good)
                self.astray = True
                if sound and whole:
                    return kept
                if sound:
                    self.tree.peaks = kept[: (base >> 8).bit_count()]
                    self._fits(base, size, above, bytes(root))
        return None

    def _fits(self, base: int, size: int, above: list[Sequence[bytes]], root: bytes) -> bool:
        """Whether this is the root of the first `size` leaves; what comes after begins anew."""
        grown = CompactRange()
        grown.size, grown.peaks = base, list(self.tree.peaks)
        if size == base + TILE:
            grown.push(above[-1][0], 8)
        else:
            grown.peaks += peaks_of(above, size - base)
        fits = fold(grown.peaks) == root
        if fits:
            self.good, self.astray = size, False
        return fits

    def _raise(self, level: int, root: bytes) -> None:
        """A tile of the level below is full; what it hashes to stands in the one above."""
        while len(self.upper) < level:
            self.upper.append([])
        row = self.upper[level - 1]
        row.append(root)
        if len(row) < TILE:
            return
        number = (self.tree.size >> 8 * (level + 1)) - 1
        kept = self._tiles(level, number, number + 1).get(number)
        if kept is None and number < self.there.get(level, 0):
            self.report("tile-missing", level=level, tile=number)
        elif kept is not None and kept != b"".join(row):
            self.report("tile-differs", level=level, tile=number)
        self.upper[level - 1] = []
        self._raise(level + 1, rows_of(row if kept is None else _cut(kept))[-1][0])

    def _tiles(self, level: int, first: int, last: int) -> dict[int, bytes]:
        found = fetch(self.using, _TILES, level, first, last)
        return {number: bytes(hashes) for number, hashes in found}

    def _seen_after(self, size: int) -> int | None:
        """When a witness first saw a tree of more than `size` entries, in POSIX seconds."""
        ((seen,),) = fetch(self.using, _SEEN_NEXT, size)
        return None if seen is None else int(seen)

    def _earlier(self, stream: str, n: int) -> bytes | None:
        for (entry,) in fetch(self.using, _EARLIER, stream, n):
            return bytes(entry)
        return None


def _cut(hashes: bytes) -> list[bytes]:
    return [hashes[at : at + 32] for at in range(0, len(hashes), 32)]
