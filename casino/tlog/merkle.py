"""The tree of RFC 6962: hashes of leaves and nodes, and a root that grows.

Only what the sequencer needs: a frontier (the hashes of the perfect subtrees that make up the
tree) grows by one leaf in constant time on average and gives the root at any moment.
"""

from hashlib import sha256
from typing import Final, Self

HASH: Final = 32  # bytes of a SHA-256


def leaf_hash(entry: bytes) -> bytes:
    """The hash of an entry as a leaf. Source: RFC 6962, 2.1."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of the node above two others. Source: RFC 6962, 2.1."""
    return sha256(b"\x01" + left + right).digest()


class Frontier:
    """A tree that only grows, known by the roots of its perfect subtrees, largest first.

    `size` is the number of leaves; there is one subtree for each bit set in it.
    """

    __slots__ = ("_subtrees", "size")

    def __init__(self, size: int = 0, subtrees: tuple[bytes, ...] = ()) -> None:
        if size < 0 or size.bit_count() != len(subtrees):
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} perfect subtrees")
        if any(len(subtree) != HASH for subtree in subtrees):
            raise ValueError(f"a subtree's root has {HASH} bytes")
        self.size = size
        self._subtrees = list(subtrees)

    def append(self, leaf: bytes) -> None:
        """Add a leaf, given as its hash."""
        size, top = self.size, leaf
        while size & 1:
            top = node_hash(self._subtrees.pop(), top)
            size >>= 1
        self._subtrees.append(top)
        self.size += 1

    def root(self) -> bytes:
        """The root of the tree as it is. Source: RFC 6962, 2.1, also for the empty tree."""
        if not self._subtrees:
            return sha256(b"").digest()
        *left, root = self._subtrees
        for subtree in reversed(left):
            root = node_hash(subtree, root)
        return root

    def to_bytes(self) -> bytes:
        """The subtrees' roots, one after the other: with the size, all there is to know."""
        return b"".join(self._subtrees)

    @classmethod
    def from_bytes(cls, size: int, frontier: bytes) -> Self:
        """The tree that was kept. Raises: ValueError, when size and bytes do not agree."""
        if len(frontier) % HASH:
            raise ValueError(f"a frontier is made of roots of {HASH} bytes")
        return cls(size, tuple(frontier[at : at + HASH] for at in range(0, len(frontier), HASH)))
