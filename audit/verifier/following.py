"""The entries of a bundle held against its tree: of the whole book in one pass, or of a part."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count, islice, takewhile
from typing import Final

from .bundle import MANIFEST, Batch, Batches, Bundle
from .crew import Crew, Tile
from .entries import Numbers
from .tiles import HASH, MAX_PACKED, places_of, split, tile_path, unpack
from .tree import TILE, CompactRange, fold, leaves_of, peaks_of, root_at, rows_of

Peaks = Callable[[int], list[bytes]]
MAX_SHOWN: Final = 4096  # records in a file of a part
MAX_FILES: Final = 1_000_000
MAX_KEPT: Final = 256  # tiles


class Full(Bundle):
    """The whole book: every entry is hashed, every root worked out again, every tile compared."""

    def follow(self) -> None:
        """One pass over all entries."""
        self.edge, self.upper = CompactRange(), list[list[bytes]]()
        sizes = sorted({*self.sizes, *self.older})
        with Crew(self.folder, self.size, sizes, self.processes) as crew:
            for n in range(-(-self.size // TILE)):
                tile = crew.tile(n)
                if tile and self.checker.knows({*tile.read[0][9]}):
                    self._pass_on(n, tile)
                elif batch := self._batch(n):
                    self._check(n, *batch)
                else:
                    break
                self.progress(min(n * TILE + TILE, self.size), self.size)
        for level, row in enumerate(self.upper, 1):
            if row and not self.cut:
                self._compare(level, self.size >> 8 * level + 8, row)

    def _check(self, n: int, indices: Sequence[int], entries: list[bytes], places: Numbers) -> None:
        """A tile's entries, as far as they are there."""
        self.hand, leaves = entries, leaves_of(entries)
        rows, start, end = rows_of(leaves), indices[0], indices[-1] + 1
        if not self.cut:
            self._compare(0, n, leaves)
        marks = self.marks(end, partial(self._root_at, lambda size: peaks_of(rows, size - start)))
        self.checker.feed_all(indices, entries, leaves, places, marks)
        self.shown += len(entries)
        if len(rows) > 8:
            self._grow(rows[8][0], end)

    def _pass_on(self, n: int, tile: Tile) -> None:
        """The same of a tile that another process read, and found as it must be."""
        start, width = n * TILE, min(TILE, self.size - n * TILE)
        levels = ("entries",) if self.cut else ("entries", 0)
        self.folder.asked.update(tile_path(level, n, width) for level in levels)
        root_at = partial(self._root_at, tile.peaks.__getitem__)
        self.checker.due.extend(self.marks(start + width, root_at))
        self.pools.gathered = tile.told
        indices = range(start, start + width)
        if not self.checker.feed_read(indices, tile.read, [tile.leaves], tile.places):
            raise AssertionError(n)  # it was asked before whether it knows these entries' ends
        self.shown += width
        if tile.top:
            self._grow(tile.top, start + width)

    def batches(self) -> Batches:
        """A tile's entries at a time, up to the first file that is missing."""
        for n in range(-(-self.size // TILE)):
            if not (batch := self._batch(n)):
                return
            yield batch

    def _batch(self, n: int) -> Batch | None:
        """A tile's entries; None where there is no file, or none in it."""
        width = min(TILE, self.size - n * TILE)
        name = tile_path("entries", n, width)
        data = self.folder.read(name, MAX_PACKED)
        entries, whole = unpack(data or b"")
        if len(entries) != width or not whole:
            self.cut = True
            if data is None:
                return None
            stored = split(self.folder.piece(tile_path(0, n, width), 0, HASH * width))
            pairs = zip(leaves_of(entries), stored)  # noqa: B905 - one of them is shorter
            same = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
            self.report("file-form", file=name, index=n * TILE + same)
            if not entries:
                return None
        indices = range(n * TILE, n * TILE + min(len(entries), width))
        return indices, entries[:width], places_of(entries, n << 32)

    def entry_at(self, place: int) -> bytes:
        """An entry that was read before, by its place."""
        n, at = place >> 32, place & 0xFFFFFFFF
        piece = self.folder.piece(
            tile_path("entries", n, min(TILE, self.size - n * TILE)), at, 65537
        )
        return piece[2 : 2 + int.from_bytes(piece[:2], "big")]

    def index_at(self, place: int) -> int:
        """The index of such an entry."""
        n, at = place >> 32, place & 0xFFFFFFFF
        name = tile_path("entries", n, min(TILE, self.size - n * TILE))
        return n * TILE + len(unpack(self.folder.piece(name, 0, at))[0])

    def _root_at(self, peaks: Peaks, size: int, _: bool = True) -> bytes | None:
        """The root at a size among the entries in hand."""
        return fold([*self.edge.peaks, *peaks(size)]) if not self.cut else None

    def _grow(self, root: bytes, size: int) -> None:
        """A tile of leaves is full, and with it perhaps the one above."""
        self.edge.push(root, 8)
        for level in count(1):
            if len(self.upper) < level:
                self.upper.append([])
            row = self.upper[level - 1]
            row.append(root)
            if len(row) < TILE:
                return
            if not self.cut:
                self._compare(level, (size >> 8 * level + 8) - 1, row)
            root, self.upper[level - 1] = rows_of(row)[8][0], []

    def _compare(self, level: int, n: int, hashes: Sequence[bytes]) -> None:
        """A tile's file against what it must hold; of leaves, which of the two was altered."""
        name, length = tile_path(level, n, len(hashes)), HASH * len(hashes)
        stored = self.folder.read(name, length, length)
        if stored is None or stored == b"".join(hashes):
            return
        theirs = split(stored)
        truth, ours_fit, theirs_fit = b"", False, False
        if not level and len(hashes) == TILE:
            width = min(TILE, (self.size >> 8) - (n >> 8) * TILE)
            truth = self.folder.piece(tile_path(1, n >> 8, width), HASH * (n & 255), HASH)
            ours_fit, theirs_fit = (rows_of(each)[8][0] == truth for each in (hashes, theirs))
        elif not level:
            truth = bytes.fromhex(self.told["root"])
            each_root = (
                fold([*self.edge.peaks, *peaks_of(rows_of(each), len(each))])
                for each in (hashes, theirs)
            )
            ours_fit, theirs_fit = (root == truth for root in each_root)
        if not theirs_fit:
            self.report("tile-altered", file=name)
        if not ours_fit and not level:
            for at, (one, other) in enumerate(zip(hashes, theirs, strict=True)):
                if one != other:
                    self.altered(n * TILE + at, self.hand[at], tile_path("entries", n, len(hashes)))


class Part(Bundle):
    """Some entries: each must have its place in the tree that was signed."""

    whole = False

    def follow(self) -> None:
        """The tree from its top down, and then the entries that are shown."""
        self.kept: dict[tuple[int, int], list[bytes]] = {}
        self.bad: set[tuple[int, int]] = set()
        self._check_upper()
        for indices, entries, places in self.batches():
            leaves = leaves_of(entries)
            at = list(places)
            for index, entry, leaf, place in zip(indices, entries, leaves, at, strict=True):
                with suppress(LookupError):
                    row = self._row(0, index // TILE)
                    if row[index % TILE] != leaf and (0, index // TILE) not in self.bad:
                        self.altered(index, entry, f"shown/{place >> 32:06d}")
            marks = self.marks(indices[-1] + 1, self._root_at)
            self.checker.feed_all(indices, entries, leaves, at, marks)
            self.shown += len(entries)
            self.progress(self.shown, self.told["entries"])
        self.marks(self.size, self._root_at)
        table = self.told["scope"].get("table")
        if table and self.checker.streams.keys() - {f"table/{table}"}:
            self.report("scope-wrong", file=MANIFEST)

    def batches(self) -> Batches:
        """Some entries at a time, up to the first file that is missing or damaged."""
        records = self._records()
        while some := list(islice(records, TILE)):
            yield [each[0] for each in some], [each[1] for each in some], [each[2] for each in some]

    def entry_at(self, place: int) -> bytes:
        """An entry that was read before, by its place."""
        piece = self.folder.piece(f"shown/{place >> 32:06d}", place & 0xFFFFFFFF, 65537)
        return piece[2 : 2 + int.from_bytes(piece[:2], "big")]

    def index_at(self, place: int) -> int:
        """The index of such an entry."""
        name = f"shown/{place >> 32:06d}"
        return int.from_bytes(self.folder.piece(name, (place & 0xFFFFFFFF) - 8, 8), "big")

    def _records(self) -> Iterator[tuple[int, bytes, int]]:
        scope, shown = self.told["scope"], 0
        last, end = scope.get("from", 0) - 1, scope.get("to", self.size)
        for number in range(MAX_FILES):
            if shown >= self.told["entries"]:
                return
            name, before, at = f"shown/{number:06d}", shown, 0
            if (file := self.folder.open(name)) is None:
                self.cut = True
                return
            with file:
                while head := file.read(10):
                    index, length = int.from_bytes(head[:8], "big"), int.from_bytes(head[8:], "big")
                    entry = file.read(length)
                    follows = index == last + 1 or (last < index < end and scope["kind"] == "table")
                    if len(entry) + len(head) != length + 10 or not follows or index >= end:
                        break
                    yield index, entry, number << 32 | at + 8
                    last, at, shown = index, at + 10 + length, shown + 1
            if head or not 0 < shown - before <= MAX_SHOWN:
                self.report("file-form", file=name)
                self.cut = True
                return

    def _row(self, level: int, n: int, needed: bool = True) -> list[bytes]:
        """A tile's hashes, held against the tile above it. Raises: LookupError, if missing."""
        if (level, n) in self.kept:
            return self.kept[level, n]
        width = min(TILE, (self.size >> 8 * level) - n * TILE)
        name, length = tile_path(level, n, width), HASH * width
        stored = self.folder.read(name, length, length, needed)
        if stored is None:
            raise LookupError(name)
        row = split(stored)
        if width == TILE and (level, n) not in self.bad:
            if self._row(level + 1, n // TILE)[n % TILE] != rows_of(row)[8][0]:
                self.report("tile-altered", file=name)
                self.bad.add((level, n))
        if len(self.kept) >= MAX_KEPT:
            self.kept.clear()
        self.kept[level, n] = row
        return row

    def _root_at(self, size: int, needed: bool = True) -> bytes | None:
        try:
            return root_at(size, lambda level, n, count: self._row(level, n, needed)[:count])
        except LookupError:
            return None

    def _check_upper(self) -> None:
        """Every tile above the leaves, and the right edge, whose tiles none other covers."""
        with suppress(LookupError):
            for level in range(1, 7):
                for n in range(-(-(self.size >> 8 * level) // TILE)):
                    self._row(level, n)
            if (self._root_at(self.size) or b"").hex() not in ("", self.told["root"]):
                widths = ((level, self.size >> 8 * level) for level in range(7))
                edge = [tile_path(L, w // TILE, w % TILE) for L, w in widths if w % TILE]
                self.report("edge-wrong", file=", ".join(edge))
