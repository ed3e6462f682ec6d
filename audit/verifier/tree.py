"""The RFC 6962 tree, seen from its right edge: every root in one pass over the leaves.

PUBLIC, also for the online twin:

    edge = CompactRange()
    edge.extend(leaves)                    # any number of leaf hashes, in order
    edge.size, edge.root()                 # the root of no leaves is SHA-256 of nothing
    kept = edge.state()                    # {"size": int, "peaks": [hex, ...]}: JSON
    edge = CompactRange.from_state(kept)   # ValueError for what state() never gave
    leaf_hash(entry), node_hash(left, right), root_at(size, read), climb(leaf, index, size, path)
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, Final, Self

TILE: Final = 256
_sha: Final = hashlib.sha256


def leaf_hash(entry: bytes) -> bytes:
    """The hash of an entry as a leaf."""
    return _sha(b"\x00" + entry).digest()


def leaves_of(entries: Iterable[bytes]) -> list[bytes]:
    """The same of many."""
    sha = _sha
    return [sha(b"\x00" + entry).digest() for entry in entries]


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees that stand side by side."""
    return _sha(b"\x01" + left + right).digest()


def rows_of(hashes: Sequence[bytes]) -> list[Sequence[bytes]]:
    """The perfect subtrees over up to 256 hashes, row above row; what has no pair is left out."""
    rows, sha = [hashes], _sha
    while len(hashes) > 1:
        each = iter(hashes)
        pairs = map(b"".join, zip(repeat(b"\x01"), each, each))
        hashes = [node.digest() for node in map(sha, pairs)]
        rows.append(hashes)
    return rows


def peaks_of(levels: Sequence[Sequence[bytes]], count: int) -> list[bytes]:
    """The largest perfect subtrees over the first `count` hashes of such rows, left to right."""
    heights = range(count.bit_length() - 1, -1, -1)
    return [levels[height][(count >> height) - 1] for height in heights if count >> height & 1]


def fold(peaks: Sequence[bytes]) -> bytes:
    """The root above perfect subtrees, largest first."""
    if not peaks:
        return _sha(b"").digest()
    root = peaks[-1]
    for peak in peaks[-2::-1]:
        root = node_hash(peak, root)
    return root


def root_at(size: int, read: Callable[[int, int, int], Sequence[bytes]]) -> bytes:
    """The root of the first `size` leaves; `read(level, n, count)` gives a tile's first hashes."""
    peaks: list[bytes] = []
    for level in range((size.bit_length() - 1) // 8, -1, -1):
        if count := size >> 8 * level & 255:
            peaks += peaks_of(rows_of(read(level, size >> 8 * level + 8, count)), count)
    return fold(peaks)


def climb(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """The root an inclusion proof leads to (RFC 9162, 2.1.3.2).

    Raises: ValueError, where index, size and the proof's length do not belong together.
    """
    if not 0 <= index < size:
        raise ValueError("the index lies outside the tree")
    at, last, root = index, size - 1, leaf
    for hash_ in path:
        if last == 0:
            raise ValueError("the proof is too long")
        if at & 1 or at == last:
            root = node_hash(hash_, root)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            root = node_hash(root, hash_)
        at, last = at >> 1, last >> 1
    if last:
        raise ValueError("the proof is too short")
    return root


class CompactRange:
    """A tree of which only the perfect subtrees at its right edge are kept."""

    def __init__(self) -> None:
        self.size = 0
        self.peaks: list[bytes] = []  # largest first

    def push(self, root: bytes, height: int) -> None:
        """Add a perfect subtree of 2^height leaves; the size is a multiple of that."""
        before = self.size >> height
        self.size += 1 << height
        while before & 1:
            root, before = node_hash(self.peaks.pop(), root), before >> 1
        self.peaks.append(root)

    def extend(self, leaves: Sequence[bytes]) -> None:
        """Add leaves, by whole tiles where they lie so."""
        done = 0
        while done < len(leaves):
            block = leaves[done : done + TILE - self.size % TILE]
            if len(block) == TILE:
                self.push(rows_of(block)[-1][0], 8)
            else:
                for leaf in block:
                    self.push(leaf, 0)
            done += len(block)

    def root(self) -> bytes:
        """The root of all leaves added so far."""
        return fold(self.peaks)

    def state(self) -> dict[str, object]:
        """Everything this knows, as JSON."""
        return {"peaks": [peak.hex() for peak in self.peaks], "size": self.size}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """The range `state()` told of. Raises: ValueError."""
        made = cls()
        made.size, made.peaks = int(state["size"]), [bytes.fromhex(each) for each in state["peaks"]]
        if made.size < 0 or made.size.bit_count() != len(made.peaks):
            raise ValueError("size and peaks do not belong together")
        return made
