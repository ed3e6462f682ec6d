"""The entries of a bundle held against its tree: of the whole book in one pass, or of a part."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count, islice, takewhile
from typing import Any, BinaryIO, Final

from .bundle import MANIFEST, Batches, Bundle
from .crew import Crew, Tile
from .tiles import HASH, MAX_PACKED, is_tile, places_of, split, tile_path, unpack
from .tree import TILE, CompactRange, fold, leaves_of, peaks_of, root_at, rows_of

Peaks = Callable[[int], list[bytes]]
MAX_SHOWN: Final = 4096  # records in a file of a part
MAX_FILES: Final = 1_000_000
MAX_KEPT: Final = 256  # tiles
_shown: Final = re.compile(r"shown/[0-9]{6}").fullmatch
MAX_MISSED: Final = 65_536  # files; a size that asks for more than these is made up


class Held(Bundle):
    """A bundle with the tiles of a tree, each of which is held against the one above it."""

    def __init__(self, *listed: Any) -> None:
        super().__init__(*listed)
        self.kept: dict[tuple[int, int], list[bytes]] = {}
        self.bad: set[tuple[int, int]] = set()

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
            with suppress(LookupError):  # what is not there says nothing against it
                if self._row(level + 1, n // TILE)[n % TILE] != rows_of(row)[8][0]:
                    self.folder.report_once("tile-altered", name)
                    self.bad.add((level, n))
        if len(self.kept) >= MAX_KEPT:
            self.kept.clear()
        self.kept[level, n] = row
        return row


class Full(Held):
    """The whole book: every entry is hashed, every root worked out again, every tile compared."""

    def follow(self) -> None:
        """One pass over all entries."""
        self.edge, self.upper = CompactRange(), list[list[bytes]]()
        self.lost, missed = False, 0  # `lost`: nobody can tell the hashes left of here
        self.reached = 0  # tiles
        sizes = sorted({*self.sizes, *self.older})
        with Crew(self.folder, self.size, sizes, self.processes) as crew:
            for n in range(-(-self.size // TILE)):
                if self.lost and not n % TILE:
                    self._find_edge(n)
                tile = crew.tile(n)
                if tile and self.checker.knows({*tile.read[0][9]}):
                    self._pass_on(n, tile)
                else:
                    entries, whole = self._entries(n)
                    self._check(n, entries) if whole else self._pass_over(n, entries)
                    missed += not entries
                self.reached = n + 1
                self.progress(min(n * TILE + TILE, self.size), self.size)
                if missed > MAX_MISSED:
                    self.lost = True
                    break
        for level, row in enumerate(self.upper, 1):
            if row and not self.lost:
                self._compare(level, self.size >> 8 * level + 8, row)

    def _check(self, n: int, entries: list[bytes]) -> None:
        """A tile's entries."""
        self.hand, leaves = entries, leaves_of(entries)
        rows, start, end = rows_of(leaves), n * TILE, n * TILE + len(entries)
        self._compare(0, n, leaves)
        marks = self.marks(end, partial(self._root_at, lambda size: peaks_of(rows, size - start)))
        self.feed(range(start, end), entries, leaves, places_of(entries, n << 32), marks)
        self.shown += len(entries)
        if len(rows) > 8:
            self._grow(rows[8][0], end)

    def _pass_over(self, n: int, entries: list[bytes]) -> None:
        """A tile of which only some entries are here: its hashes are those that the tree has."""
        start, end, row = n * TILE, min(n * TILE + TILE, self.size), list[bytes]()
        with suppress(LookupError):
            row = row if self.lost else self._row(0, n)
        rows = rows_of(row)
        known = partial(self._root_at, lambda size: peaks_of(rows, size - start))
        marks = self.marks(end, known if row else lambda *_: None)
        if entries:
            indices = range(start, start + len(entries))
            self.feed(indices, entries, leaves_of(entries), places_of(entries, n << 32), marks)
        else:
            self.checker.due.extend(marks)
        self.shown += len(entries)
        self.miss(n + 1 << 32)
        self.private.gaps.append(range(start + len(entries), end))
        if end - start == TILE and not self.lost:
            try:
                sound = row and (0, n) not in self.bad
                self._grow(rows[8][0] if sound else self._row(1, n >> 8)[n & 255], end)
            except LookupError:
                self.lost = True

    def _find_edge(self, n: int) -> None:
        """The tree's right edge after n tiles, from what is stored above them."""
        self.edge, self.upper = CompactRange(), []
        with suppress(LookupError):
            for level in range(6, 0, -1):
                count, row = n >> 8 * level - 8 & 255, list[bytes]()
                if count:
                    row = self._row(level, n >> 8 * level)[:count]
                self.upper.insert(0, [*row])
                self.edge.peaks += peaks_of(rows_of(row), count)
            self.edge.size, self.lost = n * TILE, False

    def _pass_on(self, n: int, tile: Tile) -> None:
        """The same of a tile that another process read, and found as it must be."""
        start, width = n * TILE, min(TILE, self.size - n * TILE)
        self.folder.asked.update(tile_path(level, n, width) for level in ("entries", 0))
        root_at = partial(self._root_at, tile.peaks.__getitem__)
        self.checker.due.extend(self.marks(start + width, root_at))
        self.pools.gathered = tile.pool_entries
        indices = range(start, start + width)
        if not self.checker.feed_read(indices, tile.read, [tile.leaves], tile.places):
            raise AssertionError(n)  # it was asked before whether it knows these entries' ends
        self.shown += width
        if tile.top:
            self._grow(tile.top, start + width)

    def explains(self, name: str) -> bool:
        """Whether it is one of the tree's tiles, or of its entries."""
        return is_tile(name, self.size)

    def batches(self) -> Batches:
        """A tile's entries at a time, as far as they are there."""
        for n in range(self.reached):
            entries, _ = self._entries(n)
            if entries:
                start = n * TILE
                yield range(start, start + len(entries)), entries, places_of(entries, n << 32)

    def _entries(self, n: int) -> tuple[list[bytes], bool]:
        """A tile's entries, and whether they are all that the file must hold."""
        width = min(TILE, self.size - n * TILE)
        name = tile_path("entries", n, width)
        data = self.folder.read(name, MAX_PACKED)
        entries, whole = unpack(data or b"")
        whole = whole and len(entries) == width
        if data is not None and not whole:
            stored = split(self.folder.piece(tile_path(0, n, width), 0, HASH * width))
            pairs = zip(leaves_of(entries), stored)  # noqa: B905 - one of them is shorter
            same = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
            self.folder.report_once("file-form", name, index=n * TILE + same)
        return entries[:width], whole

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
        return fold([*self.edge.peaks, *peaks(size)]) if not self.lost else None

    def _grow(self, root: bytes, size: int) -> None:
        """A tile of leaves is full, and with it perhaps the one above."""
        if self.lost:
            return
        self.edge.push(root, 8)
        for level in count(1):
            if len(self.upper) < level:
                self.upper.append([])
            row = self.upper[level - 1]
            row.append(root)
            if len(row) < TILE:
                return
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
        elif not level and not self.lost:
            truth = bytes.fromhex(self.manifest["root"])
            each_root = (
                fold([*self.edge.peaks, *peaks_of(rows_of(each), len(each))])
                for each in (hashes, theirs)
            )
            ours_fit, theirs_fit = (root == truth for root in each_root)
        if not theirs_fit:
            self.folder.report_once("tile-altered", name)
        if not ours_fit and not level:
            for at, (one, other) in enumerate(zip(hashes, theirs, strict=True)):
                if one != other:
                    self.altered(n * TILE + at, self.hand[at], tile_path("entries", n, len(hashes)))


class Part(Held):
    """Some entries: each must have its place in the tree that was signed."""

    whole = False

    def follow(self) -> None:
        """The tree from its top down, and then the entries that are shown."""
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
            self.feed(indices, entries, leaves, at, marks)
            self.shown += len(entries)
            self.progress(self.shown, self.manifest["entries"])
        self.marks(self.size, self._root_at)
        table = self.manifest["scope"].get("table")
        if table and self.checker.streams.keys() - {f"table/{table}"}:
            self.report("scope-wrong", file=MANIFEST)

    def explains(self, name: str) -> bool:
        """Whether it is a tile of hashes, or some of the entries that are shown."""
        number = int(name[6:]) if _shown(name) else self.manifest["entries"]
        hashes = is_tile(name, self.size) and "entries" not in name
        return hashes or number < self.manifest["entries"]

    def batches(self) -> Batches:
        """Some entries at a time, up to the first file that is damaged."""
        absent, entries = 0, self.manifest["entries"]
        self.last, self.read, self.gap = self.manifest["scope"].get("from", 0) - 1, 0, False
        for number in range(min(MAX_FILES, entries)):
            if self.read >= entries or absent >= MAX_MISSED:
                return
            # How many files there are nobody says: those before one that is here, and at least one.
            name = f"shown/{number:06d}"
            if (file := self.folder.open(name, needed=not self.cut)) is None:
                absent, self.cut = absent + 1, True
                continue
            if absent:
                for one in range(number - absent, number):
                    self.folder.report_once("file-missing", f"shown/{one:06d}")
                self.miss(number << 32)
                self.gap, absent = True, 0
            before = self.read
            with file:
                records = self._records(file, number << 32)
                while some := list(islice(records, TILE)):
                    indices, places = [each[0] for each in some], [each[2] for each in some]
                    yield indices, [each[1] for each in some], places
            if self.damaged or not 0 < self.read - before <= MAX_SHOWN:
                self.folder.report_once("file-form", name)
                self.cut = True
                return

    def entry_at(self, place: int) -> bytes:
        """An entry that was read before, by its place."""
        piece = self.folder.piece(f"shown/{place >> 32:06d}", place & 0xFFFFFFFF, 65537)
        return piece[2 : 2 + int.from_bytes(piece[:2], "big")]

    def index_at(self, place: int) -> int:
        """The index of such an entry."""
        name = f"shown/{place >> 32:06d}"
        return int.from_bytes(self.folder.piece(name, (place & 0xFFFFFFFF) - 8, 8), "big")

    def _records(self, file: BinaryIO, place: int) -> Iterator[tuple[int, bytes, int]]:
        """Index, entry and place of each that a file shows, as far as it is not `damaged`."""
        scope, self.damaged = self.manifest["scope"], True
        free, end = scope["kind"] == "table", scope.get("to", self.size)
        while head := file.read(10):
            index, length = int.from_bytes(head[:8], "big"), int.from_bytes(head[8:], "big")
            entry = file.read(length)
            follows = index == self.last + 1 or (self.last < index and (free or self.gap))
            if len(entry) + len(head) != length + 10 or not follows or index >= end:
                return
            if self.gap:
                self.private.gaps.append(range(self.last + 1, index))
            self.last, self.gap, self.read = index, False, self.read + 1
            yield index, entry, place + 8
            place += 10 + length
        self.damaged = False

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
            if (self._root_at(self.size) or b"").hex() not in ("", self.manifest["root"]):
                widths = ((level, self.size >> 8 * level) for level in range(7))
                edge = [tile_path(L, w // TILE, w % TILE) for L, w in widths if w % TILE]
                self.report("edge-wrong", file=", ".join(edge))
