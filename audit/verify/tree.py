"""The files of a copy, and the tree of hashes over its entries (RFC 6962, c2sp.org/tlog-tiles).

A tile is a file with up to 256 hashes of one level: those of entries at level 0, and above that
each the root of a whole tile of the level below.
"""

import hashlib
import os
import stat
from collections.abc import Callable, Sequence

TILE, HASH = 256, 32
MOST = 1 << 30  # bytes that any file is read of


class BadInput(Exception):
    """What was handed over cannot be judged: a code of `words`, and where."""


class Folder:
    """A folder and its files: plain ones only, no links. Says itself what is wrong with one."""

    def __init__(self, path: str, add: Callable[..., None]) -> None:
        self.path, self.add = path, add

    def read(self, name: str, least: int = 0, most: int = MOST) -> bytes:
        """A file's bytes, of which there are so many. Raises: BadInput, where it is not there."""
        steps = name.split("/")
        try:
            for depth in range(1, len(steps)):
                if not stat.S_ISDIR(os.lstat(os.path.join(self.path, *steps[:depth])).st_mode):
                    raise OSError("no folder")
            place = os.path.join(self.path, *steps)
            if not stat.S_ISREG(os.lstat(place).st_mode):
                raise OSError("no plain file")
            with open(place, "rb") as file:
                data = file.read(most + 1)
        except FileNotFoundError:
            raise BadInput("file-missing", name) from None
        except OSError:
            raise BadInput("file-odd", name) from None
        if not least <= len(data) <= most:
            self.add("file-length", file=name)
        return data


def leaf_hash(entry: bytes) -> bytes:
    """The hash of an entry."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two parts of the tree that stand side by side."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def tile_root(hashes: Sequence[bytes]) -> bytes:
    """The root above 256 hashes."""
    while len(hashes) > 1:
        pairs = range(0, len(hashes), 2)
        hashes = [node_hash(hashes[at], hashes[at + 1]) for at in pairs]
    return hashes[0]


def tile_path(level: int | str, n: int, width: int) -> str:
    """The name of a tile's file; level "entries": of the file with the entries themselves."""
    name = f"{n % 1000:03d}"
    while n := n // 1000:
        name = f"x{n % 1000:03d}/{name}"
    return f"tile/{level}/{name}" + (f".p/{width}" if width < TILE else "")


def read_entries(folder: Folder, size: int) -> list[bytes]:
    """All entries: each after its length in two bytes, 256 in a file."""
    entries = list[bytes]()
    for n in range(-(-size // TILE)):
        width, at, found = min(TILE, size - n * TILE), 0, list[bytes]()
        name = tile_path("entries", n, width)
        data = folder.read(name, most=TILE * 65537)
        while at < len(data) and len(found) <= width:
            end = at + 2 + int.from_bytes(data[at : at + 2], "big")
            found.append(data[at + 2 : end])
            at = end
        if len(found) != width or at != len(data):
            folder.add("file-form", file=name, index=n * TILE + min(len(found), width))
        entries += [*found, *[b""] * width][:width]
    return entries


class Tree:
    """The tree over entries: `rows` are the hashes of each level, made of the entries alone."""

    def __init__(self, entries: Sequence[bytes]) -> None:
        self.rows = [[leaf_hash(entry) for entry in entries]]
        while below := self.rows[-1]:
            whole = range(0, len(below) - TILE + 1, TILE)
            self.rows.append([tile_root(below[at : at + TILE]) for at in whole])

    def root_at(self, size: int) -> bytes:
        """The root of the first so many entries."""
        return self._over(0, size) if size else hashlib.sha256(b"").digest()

    def _over(self, start: int, end: int) -> bytes:
        """The hash over the entries from start to end (RFC 6962, 2.1)."""
        width = end - start
        for level, row in enumerate(self.rows):
            if width == TILE**level:
                return row[start // width]
        half = 1 << (width - 1).bit_length() - 1
        return node_hash(self._over(start, start + half), self._over(start + half, end))

    def compare(self, folder: Folder, root: bytes) -> None:
        """The tiles that came with the entries, under the root that was signed.

        Where the entries make that root, they are the signed ones, and a tile that says otherwise
        is wrong. Where they do not, a tile that fits the one above it says which of them is not.
        """
        sound = self.root_at(len(self.rows[0])) == root
        for level, row in enumerate(self.rows):
            for start in range(0, len(row), TILE):
                ours = row[start : start + TILE]
                length = HASH * len(ours)
                name = tile_path(level, start // TILE, len(ours))
                data = folder.read(name, length, length)
                theirs = [data[at : at + HASH] for at in range(0, len(data), HASH)]
                if theirs == ours or (level and not sound):
                    continue
                if sound or len(theirs) != len(ours) or not self._fits(folder, theirs, start):
                    folder.add("tile-altered", file=name)
                else:
                    for at in range(len(ours)):
                        if theirs[at] != ours[at]:
                            folder.add("entry-altered", index=start + at)

    def _fits(self, folder: Folder, tile: list[bytes], start: int) -> bool:
        """Whether a tile of entries' hashes is what the tile above it says; the last has none."""
        n = start // TILE
        if len(tile) < TILE:
            return True
        above = tile_path(1, n // TILE, min(TILE, len(self.rows[1]) - n // TILE * TILE))
        return folder.read(above)[n % TILE * HASH :][:HASH] == tile_root(tile)
