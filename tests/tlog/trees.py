"""Trees for the tests of proofs and tiles: leaves that anybody can make again, and their tiles."""

from hashlib import sha256

from casino.tlog.merkle import leaf_hash, node_hash
from casino.tlog.proof import WIDTH, TileTree

HASH = 32


def leaves(size: int) -> list[bytes]:
    """The hashes of the entries "0", "1", "2", ..."""
    return [leaf_hash(b"%d" % index) for index in range(size)]


class Tiles:
    """The tiles of a tree, every node made by pairing the row below; asked for, and counted."""

    def __init__(self, leaves: list[bytes]) -> None:
        self.asked: list[tuple[int, int, int]] = []
        self.size = len(leaves)
        self.rows = [leaves]
        while len(self.rows[-1]) >= WIDTH:
            row = self.rows[-1]
            for _ in range(8):
                row = [node_hash(*row[at : at + 2]) for at in range(0, len(row) - 1, 2)]
            self.rows.append(row)

    def read(self, level: int, n: int, width: int) -> bytes:
        """A tile that the tree has: full, or as wide as the row goes."""
        self.asked.append((level, n, width))
        row = self.rows[level][n * WIDTH : (n + 1) * WIDTH]
        assert len(row) == width > 0
        return b"".join(row)

    def tree(self) -> TileTree:
        """The tree over these tiles."""
        return TileTree(self.size, self.read)


__all__ = ["HASH", "Tiles", "leaves", "literal_root"]


def literal_root(leaves: list[bytes]) -> bytes:
    """RFC 6962, 2.1, word for word: split at the largest power of two smaller than the size."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(literal_root(leaves[:split]), literal_root(leaves[split:]))
