"""The files of a tree: what they are called, how entries are packed in them."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, count
from operator import add
from typing import Final

from .tree import TILE

MAX_PACKED: Final = TILE * (2 + 65535)
HASH: Final = 32
_tile: Final = re.compile(
    r"tile/(entries|[0-6])/((?:x[0-9]{3}/){0,6}[0-9]{3})(?:\.p/.*)?"
).fullmatch


def tile_path(level: int | str, n: int, width: int) -> str:
    """The name of a tile's file, as c2sp.org/tlog-tiles has it."""
    name = f"{n % 1000:03d}"
    while n := n // 1000:
        name = f"x{n % 1000:03d}/{name}"
    return f"tile/{level}/{name}" + (f".p/{width}" if width < TILE else "")


def is_tile(name: str, size: int) -> bool:
    """Whether a tree of that size has a file of this name."""
    match = _tile(name)
    if match is None:
        return False
    row = size if match[1] == "entries" else size >> 8 * int(match[1])
    n = int(re.sub("[x/]", "", match[2]))
    return n * TILE < row and name == tile_path(match[1], n, min(TILE, row - n * TILE))


def unpack(data: bytes) -> tuple[list[bytes], bool]:
    """A file's whole entries, a tile's and one more at most, and whether they are all of it."""
    entries, end = list[bytes](), 0
    with suppress(IndexError):  # it ends
        for _ in range(TILE + 1):
            start = end + 2
            end = start + (data[end] << 8 | data[end + 1])
            entries.append(data[start:end])
    if end > len(data):  # the last one was cut
        entries.pop()
    return entries, end == len(data)


def places_of(entries: Sequence[bytes], first: int) -> Iterator[int]:
    """Where each of these entries begins in its file."""
    return map(add, accumulate(map(len, entries), initial=first), count(0, 2))


def split(tile: bytes) -> list[bytes]:
    """The hashes of a tile."""
    return [tile[at : at + HASH] for at in range(0, len(tile), HASH)]
