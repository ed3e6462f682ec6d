"""Proofs over the tree of RFC 6962: that a leaf is in it, that a smaller tree is its beginning.

A proof is a path of at most 64 hashes. Whoever makes one needs only tiles (see tiles.py), never the
entries; whoever checks one needs nothing but the path and the two roots.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final

from casino.tlog.merkle import HASH, node_hash
from casino.tlog.strict import MOST_WHOLE

LONGEST: Final = 64  # hashes of a path; a tree of 2^63 leaves needs 63
HEIGHT: Final = 8  # a tile is a perfect subtree of this height
WIDTH: Final = 1 << HEIGHT  # hashes of a full tile
KEPT: Final = 64  # tiles kept while proofs are made: half a megabyte

Read = Callable[[int, int, int], bytes]


class ProofRefused(ValueError):
    """A proof that proves nothing, or cannot be made. The sentence says why."""


def root_of(hashes: Iterable[bytes]) -> bytes:
    """The root over leaves given as their hashes. Source: RFC 6962, 2.1, also for no leaf."""
    row = list(hashes)
    if not row:
        return sha256(b"").digest()
    while len(row) > 1:
        # The last of an odd row moves up as it is: so the left side is always perfect.
        odd = row[-1:] if len(row) & 1 else []
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row) - 1, 2)] + odd
    return row[0]


class TileTree:
    """A tree of `size` leaves, read from its tiles.

    `read(level, n, width)` gives the `width` hashes of a tile as bytes; it is asked for full tiles
    and, at the right edge, for the partial ones of this size. Whether the tiles are true is for the
    caller to say: a proof made of others does not lead to the signed root.

    Raises: ProofRefused, for what is not in the tree and for a tile of another width.
    """

    def __init__(self, size: int, read: Read) -> None:
        if not 0 <= size <= MOST_WHOLE:
            raise ProofRefused(f"no tree has {size} leaves")
        self.size = size
        self._read = read
        self._tiles: dict[tuple[int, int], bytes] = {}

    def root(self) -> bytes:
        """The root of the whole tree."""
        return self.root_at(self.size)

    def root_at(self, size: int) -> bytes:
        """The root of the tree that the first `size` leaves make."""
        if not 0 <= size <= self.size:
            raise ProofRefused(f"a tree of {self.size} leaves does not begin with {size}")
        return self._over(0, size) if size else root_of(())

    def leaf(self, index: int) -> bytes:
        """The hash of leaf `index`, counted from 0."""
        self._must_hold(index)
        return self._perfect(0, index)

    def inclusion(self, index: int) -> list[bytes]:
        """The path from leaf `index` to the root, leaf's sibling first. Source: RFC 6962, 2.1.1."""
        self._must_hold(index)
        low, high, path = 0, self.size, []
        while high - low > 1:
            split = _split(low, high)
            if index < split:
                path.append(self._over(split, high))
                high = split
            else:
                path.append(self._over(low, split))
                low = split
        return path[::-1]

    def consistency(self, old: int) -> list[bytes]:
        """The path that leads from the root at `old` to the root. Source: RFC 6962, 2.1.2."""
        if not 1 <= old <= self.size:
            raise ProofRefused(f"no proof leads from {old} leaves to {self.size}")
        low, high, path = 0, self.size, []
        while old != high:
            split = _split(low, high)
            if old <= split:
                path.append(self._over(split, high))
                high = split
            else:
                path.append(self._over(low, split))
                low = split
        # The old root itself is known to whoever asks.
        if low:
            path.append(self._over(low, high))
        return path[::-1]

    def _must_hold(self, index: int) -> None:
        if not 0 <= index < self.size:
            raise ProofRefused(f"a tree of {self.size} leaves has no leaf {index}")

    def _over(self, low: int, high: int) -> bytes:
        """The root over leaves `low` to `high`, cut into perfect ones as RFC 6962 cuts."""
        perfect = []
        while low < high:
            height = (high - low).bit_length() - 1
            perfect.append(self._perfect(height, low >> height))
            low += 1 << height
        root = perfect.pop()
        while perfect:
            root = node_hash(perfect.pop(), root)
        return root

    def _perfect(self, height: int, index: int) -> bytes:
        """The root of the `index`-th perfect subtree of a height."""
        level, above = divmod(height, HEIGHT)
        first = index << above
        tile = self._tile(level, first >> HEIGHT)
        at = (first % WIDTH) * HASH
        found = tile[at : at + (HASH << above)]
        return root_of(found[at : at + HASH] for at in range(0, len(found), HASH))

    def _tile(self, level: int, n: int) -> bytes:
        found = self._tiles.get((level, n))
        if found is None:
            width = min(WIDTH, (self.size >> HEIGHT * level) - n * WIDTH)
            found = bytes(self._read(level, n, width))
            if len(found) != width * HASH:
                raise ProofRefused(f"tile {n} of level {level} has not {width} hashes")
            if len(self._tiles) >= KEPT:
                self._tiles.pop(next(iter(self._tiles)))
            self._tiles[level, n] = found
        return found


def _split(low: int, high: int) -> int:
    """Where RFC 6962 cuts the leaves from `low` to `high`, at least two, in two."""
    return low + (1 << (high - low - 1).bit_length() - 1)


def verify_inclusion(
    leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes
) -> None:
    """Follow the path from a leaf's hash to the root. Source: RFC 9162, 2.1.3.2.

    Raises: ProofRefused.
    """
    if not 0 <= index < size <= MOST_WHOLE:
        raise ProofRefused(f"a tree of {size} leaves has no leaf {index}")
    _must_be_hashes([leaf], "the leaf")
    _must_be_hashes(path, "the path")
    at, last, found = index, size - 1, leaf
    for step in path:
        if not last:
            raise ProofRefused("the path is too long")
        if at & 1 or at == last:
            found = node_hash(step, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, step)
        at, last = at >> 1, last >> 1
    if last:
        raise ProofRefused("the path is too short")
    if found != root:
        raise ProofRefused(f"the path from leaf {index} does not lead to the root of {size} leaves")


def verify_consistency(
    old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]
) -> None:
    """Follow the path to both roots: the old tree is the new one's beginning.

    Source: RFC 9162, 2.1.4.2. Raises: ProofRefused, also for an empty old tree, of which nothing
    can be shown.
    """
    if not 1 <= old <= new <= MOST_WHOLE:
        raise ProofRefused(f"no proof leads from {old} leaves to {new}")
    if old == new:
        if path:
            raise ProofRefused("a tree is its own beginning without a path")
        if old_root != new_root:
            raise ProofRefused(f"two roots for one size, {old}")
        return
    _must_be_hashes([old_root], "the old root")
    _must_be_hashes(path, "the path")
    if not path:
        raise ProofRefused("the path is too short")
    # A perfect old tree is one node of the new one: the path leaves it out.
    first, *steps = [old_root, *path] if not old & (old - 1) else path
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    was = found = first
    for step in steps:
        if not last:
            raise ProofRefused("the path is too long")
        if at & 1 or at == last:
            was, found = node_hash(step, was), node_hash(step, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, step)
        at, last = at >> 1, last >> 1
    if last:
        raise ProofRefused("the path is too short")
    if was != old_root:
        raise ProofRefused(f"the path does not lead to the old root, of {old} leaves")
    if found != new_root:
        raise ProofRefused(f"the tree of {old} leaves is not how that of {new} begins")


def _must_be_hashes(hashes: Sequence[bytes], what: str) -> None:
    if len(hashes) > LONGEST:
        raise ProofRefused(f"{what}: more than {LONGEST} hashes")
    if any(len(each) != HASH for each in hashes):
        raise ProofRefused(f"{what}: a hash has {HASH} bytes")
