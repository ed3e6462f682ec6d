"""The tree and its entries as files that never change. Source: C2SP tlog-tiles.

A tile holds 256 hashes beside each other: those of leaves at level 0, those of full tiles of the
level below at the levels above. The rightmost of a level is partial until it is full.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from casino.tlog.merkle import HASH
from casino.tlog.proof import HEIGHT, WIDTH, root_of
from casino.tlog.strict import Unreadable

LENGTH: Final = 2  # bytes before each entry in a bundle: its length, big-endian
MOST_ENTRY: Final = 2 ** (8 * LENGTH) - 1  # bytes


def tile_path(level: int | Literal["entries"], n: int, width: int = WIDTH) -> str:
    """Where a tile lies: ``tile/0/x001/234`` when it is full, ``tile/0/x001/234.p/7`` when not."""
    if n < 0 or not 1 <= width <= WIDTH or (isinstance(level, int) and not 0 <= level <= 63):
        raise ValueError(f"no tile {n} of level {level} with {width} hashes")
    digits = str(n)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    *above, last = (digits[at : at + 3] for at in range(0, len(digits), 3))
    folders = "".join(f"x{each}/" for each in above)
    return f"tile/{level}/{folders}{last}" + (f".p/{width}" if width < WIDTH else "")


def full_tiles_between(old_size: int, new_size: int) -> list[tuple[int, int]]:
    """(level, n) of the tiles that became full as the tree grew, lower levels first."""
    filled, level = [], 0
    while new_size >> HEIGHT * (level + 1):
        above = HEIGHT * (level + 1)
        filled += [(level, n) for n in range(old_size >> above, new_size >> above)]
        level += 1
    return filled


def partial_tiles(size: int) -> list[tuple[int, int, int]]:
    """(level, n, width) of the tiles that are not full in a tree of this size, lower levels first.

    A level whose tiles are all full has none.
    """
    levels = range(-(-size.bit_length() // HEIGHT))
    rows = ((level, *divmod(size >> HEIGHT * level, WIDTH)) for level in levels)
    return [(level, n, width) for level, n, width in rows if width]


def tile_bytes(hashes: Iterable[bytes]) -> bytes:
    """A tile as it is kept, from its hashes in their order."""
    return b"".join(hashes)


def hashes_in(tile: bytes) -> list[bytes]:
    """The hashes of a tile. Raises: Unreadable, for what is no tile."""
    if len(tile) % HASH or not HASH <= len(tile) <= WIDTH * HASH:
        raise Unreadable(f"a tile of {len(tile)} bytes")
    return [tile[at : at + HASH] for at in range(0, len(tile), HASH)]


def tile_root(tile: bytes) -> bytes:
    """The hash that stands for a full tile in the level above."""
    return root_of(hashes_in(tile))


def pack_entries(entries: Sequence[bytes]) -> bytes:
    """Entries as one file, each after its length. Raises: ValueError, for one that is too long."""
    if any(len(entry) > MOST_ENTRY for entry in entries):
        raise ValueError(f"an entry of more than {MOST_ENTRY} bytes")
    return b"".join(len(entry).to_bytes(LENGTH, "big") + entry for entry in entries)


def unpack_entries(packed: bytes) -> list[bytes]:
    """The entries of such a file. Raises: Unreadable, for one cut short or with more than 256."""
    entries: list[bytes] = []
    at = 0
    while at < len(packed):
        begin = at + LENGTH
        at = begin + int.from_bytes(packed[at:begin], "big")
        if begin > len(packed) or at > len(packed):
            raise Unreadable("entries: the last one is cut short")
        if len(entries) == WIDTH:
            raise Unreadable(f"entries: more than {WIDTH}")
        entries.append(packed[begin:at])
    return entries
