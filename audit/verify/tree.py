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
Add = Callable[..., None]  # takes a code of `words`, and where and what it is said of


class BadInput(Exception):
    """What was handed over cannot be judged: a code of `words`, and where."""


class Folder:
    """A folder and its files: plain ones only, no links. Says itself what is wrong with one."""

    def __init__(self, path: str, add: Add) -> None:
        self.path, self.add = path, add

    def read(self, name: str, least: int = 0, most: int = MOST) -> bytes:
        """A file's bytes, of which there are so many. Raises: BadInput, where it is not there."""
        place = self.path
        try:
            for step in name.split("/"):
                place = os.path.join(place, step)
                if stat.S_IFMT(os.lstat(place).st_mode) not in (stat.S_IFDIR, stat.S_IFREG):
                    raise OSError("a link, or no file at all")
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


def root_of(hashes: Sequence[bytes]) -> bytes:
    """The root above hashes that stand side by side (RFC 6962, 2.1)."""
    if len(hashes) == 1:
        return hashes[0]
    half = 1 << (len(hashes) - 1).bit_length() - 1  # the greatest power of two below their number
    return node_hash(root_of(hashes[:half]), root_of(hashes[half:]))


def tile_path(level: int | str, n: int, width: int) -> str:
    """The name of a tile's file; level "entries": of the file with the entries themselves."""
    name = f"{n % 1000:03d}"
    while n := n // 1000:
        name = f"x{n % 1000:03d}/{name}"
    return f"tile/{level}/{name}" + (f".p/{width}" if width < TILE else "")


def read_entries(folder: Folder, size: int) -> list[bytes]:
    """All entries: each after its length in two bytes, 256 in a file. Raises: BadInput."""
    entries = list[bytes]()
    for n in range(-(-size // TILE)):
        width, at, found = min(TILE, size - n * TILE), 0, list[bytes]()
        data = folder.read(name := tile_path("entries", n, width), most=TILE * 65537)
        while at < len(data) and len(found) <= width:
            end = at + 2 + int.from_bytes(data[at : at + 2], "big")
            found.append(data[at + 2 : end])
            at = end
        if len(found) != width or at != len(data):
            whole = len(found) - (at > len(data))
            folder.add("file-form", file=name, index=n * TILE + min(whole, width))
        if at > len(data) or not found:
            raise BadInput("cut", name)
        entries += [*found, *[b""] * width][:width]
    return entries


class Tree:
    """The tree over entries: `rows` are the hashes of each level, made of the entries alone."""

    def __init__(self, entries: Sequence[bytes]) -> None:
        self.rows = [[leaf_hash(entry) for entry in entries]]
        while below := self.rows[-1]:
            whole = range(0, len(below) - TILE + 1, TILE)
            self.rows.append([root_of(below[at : at + TILE]) for at in whole])

    def root_at(self, size: int) -> bytes:
        """The root of the first so many entries.

        What fills no whole tile of its level counts above as one hash, after those of whole tiles.
        """
        root = list[bytes]()
        for row in self.rows:
            rest = row[size // TILE * TILE : size] + root
            root, size = [root_of(rest)] if rest else [], size // TILE
        return root[0] if root else hashlib.sha256(b"").digest()

    def compare(self, folder: Folder, root: bytes) -> None:
        """The tiles that came with the entries, under the root that was signed.

        Where the entries make that root, they are the signed ones, and a tile that says otherwise
        is wrong. Where they do not, a tile that fits the one above it says which of them is not.
        """
        sound = self.root_at(len(self.rows[0])) == root
        for level, row in enumerate(self.rows):
            for n, start in enumerate(range(0, len(row), TILE)):
                ours = row[start : start + TILE]
                name = tile_path(level, n, len(ours))
                data = folder.read(name, HASH * len(ours), HASH * len(ours))
                theirs = [data[at : at + HASH] for at in range(0, len(data), HASH)]
                if theirs == ours or (level and not sound):
                    continue
                if sound or len(theirs) != len(ours) or not self._fits(folder, theirs, n):
                    folder.add("tile-altered", file=name)
                else:
                    for at in range(len(ours)):
                        if theirs[at] != ours[at]:
                            folder.add("entry-altered", index=start + at)

    def _fits(self, folder: Folder, tile: list[bytes], n: int) -> bool:
        """Whether a tile of entries' hashes is what the tile above it says; the last has none."""
        if len(tile) < TILE:
            return True
        above = tile_path(1, n // TILE, min(TILE, len(self.rows[1]) - n // TILE * TILE))
        return folder.read(above)[n % TILE * HASH :][:HASH] == root_of(tile)
