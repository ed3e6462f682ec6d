"""The tree of a bundle made again in the database: its roots, tiles, checkpoints."""

from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from audit.exporting.bundle_reader import Bundle, cosignatures_in, signed_by_log
from audit.exporting.export_refusals import ExportRefused
from casino.tlog.merkle import Frontier
from casino.tlog.proof import WIDTH
from casino.tlog.tiles import tile_root

NOT_ITS_ROOT: Final = "root at {size}"
OTHER_TREE: Final = _(
    "The database has another tree at {place} than its entries make: it was altered. Restore a"
    " backup once more and put the lost entries back into that."
)

_ROOTS: Final = "SELECT size, root FROM book_tree WHERE size > %s AND size <= %s"
_PUT_ROOT: Final = "INSERT INTO book_tree (size, root, frontier) VALUES (%s, %s, %s)"
_PUT_TILE: Final = """
INSERT INTO book_tile (level, n, hashes) VALUES (%s, %s, %s) ON CONFLICT (level, n) DO NOTHING
"""
_PUT_CHECKPOINT: Final = "INSERT INTO book_checkpoint (size, root, note) VALUES (%s, %s, %s)"
_PUT_LINE: Final = """
INSERT INTO book_cosignature (size, line, cosigned_at)
SELECT size, %s, to_timestamp(%s) FROM book_checkpoint WHERE size = %s
ON CONFLICT (size, line) DO NOTHING
"""


class Growing:
    """A tree that grows with a bundle's leaves; what the database lacks of it is added.

    Raises: ExportRefused, where the leaves do not make what was signed; at the end, where they do
    not make what is there.
    """

    def __init__(self, cursor: Any, bundle: Bundle) -> None:
        self.cursor = cursor
        self.bundle = bundle
        self.tree = Frontier()
        self.altered = ""  # where the database first has another tree
        self.rows: list[list[bytes]] = [[]]  # by level, what the next tile of it begins with

    def take(self, leaves: Sequence[bytes]) -> None:
        """The next leaves, a tile of them or the rest."""
        first, end = self.tree.size, self.tree.size + len(leaves)
        self.cursor.execute(_ROOTS, [first, end])
        there = {size: bytes(root) for size, root in self.cursor.fetchall()}
        for leaf in leaves:
            self.tree.append(leaf)
            self._at(self.tree.size, there)
        self.rows[0] += leaves
        self._fill_tiles(end)

    def _at(self, size: int, there: dict[int, bytes]) -> None:
        """The tree has this size now: what was signed, and what the database has of it."""
        signed = self.bundle.roots.get(size)
        if signed is None and size not in there:
            return
        root = self.tree.root()
        if signed not in (None, root):
            raise self.bundle.damaged(NOT_ITS_ROOT.format(size=size))
        if there.get(size, root) != root:
            self.altered = self.altered or str(size)
        if size not in there:
            self.cursor.execute(_PUT_ROOT, [size, root, self.tree.to_bytes()])

    def _fill_tiles(self, size: int) -> None:
        level = 0
        while level < len(self.rows) and len(self.rows[level]) == WIDTH:
            tile = b"".join(self.rows[level])
            n = (size >> 8 * (level + 1)) - 1
            self.cursor.execute(_PUT_TILE, [level, n, tile])
            if not self.cursor.rowcount:
                self.cursor.execute(
                    "SELECT hashes FROM book_tile WHERE level = %s AND n = %s", [level, n]
                )
                if bytes(self.cursor.fetchone()[0]) != tile:
                    self.altered = self.altered or f"tile/{level}/{n}"
            if level + 1 == len(self.rows):
                self.rows.append([])
            self.rows[level + 1].append(tile_root(tile))
            self.rows[level] = []
            level += 1

    def end(self) -> None:
        """The checkpoints that the database lacks, and the witnesses' lines."""
        if self.altered:
            raise ExportRefused(OTHER_TREE, place=self.altered)
        self.cursor.execute("SELECT coalesce(max(size), 0) FROM book_checkpoint")
        newest = self.cursor.fetchone()[0]
        for size, note in self.bundle.notes():
            if size > newest:
                listed = [size, self.bundle.roots[size], signed_by_log(note)]
                self.cursor.execute(_PUT_CHECKPOINT, listed)
            for line, moment in cosignatures_in(note):
                self.cursor.execute(_PUT_LINE, [line, moment, size])
