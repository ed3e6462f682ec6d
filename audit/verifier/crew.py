"""The tiles of a whole book read by several processes, for the one that follows them in order.

A reader passes on only what nothing is wrong with: entries written as they must be, whose hashes
are those of the tile. Of any other tile it says nothing but that, and the first process reads it
itself, as if it were alone. So what is recorded, and in which order, does not hang on how many
read.

    with Crew(folder, size, sizes, processes) as crew:
        crew.tile(n)   # every n once, in order: a Tile; None: read it yourself
"""

import marshal
import os
import signal
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from .entries import MEANT, names_private
from .envelope import REMEMBERED, Read, read_all
from .files import Folder
from .pool_entries import PoolEntry, gather
from .report import BadInput
from .tiles import HASH, MAX_PACKED, places_of, tile_path, unpack
from .tree import TILE, leaves_of, peaks_of, rows_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MOST: Final = 64
LEAST: Final = 50_000  # entries; fewer are read sooner than others could begin to
AMENDS: Final = b'"supersedes":{'
LARGEST: Final = 4 << 20  # bytes of a tile's entries; larger ones are read a part at a time, by one
PIPE: Final = 1 << 20  # bytes that a reader may be ahead; of each, where the system lets it


class Tile(NamedTuple):
    """A tile nothing is wrong with. `peaks`: by each size asked for in it, see `tree.peaks_of`."""

    leaves: bytes  # their hashes, one after the other
    places: "array[int]"
    peaks: dict[int, list[bytes]]
    top: bytes  # its root; b"" of one that is not full
    read: Read
    pool_entries: list[PoolEntry]  # of pools


class Crew:
    """So many readers; none where one process is asked for, or the book is small.

    `sizes` are those at which a root is wanted, ascending. Raises: BadInput, when a reader is lost.
    """

    def __init__(self, folder: Folder, size: int, sizes: Sequence[int], processes: int) -> None:
        self.folder, self.size, self.sizes = folder, size, sizes
        able = processes > 1 and size >= LEAST and hasattr(os, "fork")
        self.count = min(processes, MOST) if able else 0
        self.ends: list[Connection] = []
        self.readers: list[Any] = []

    def __enter__(self) -> Self:
        if self.count:
            # Whoever interrupts it waits until all have begun: none is left behind unknown.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                try:
                    self._begin()
                finally:
                    signal.pthread_sigmask(signal.SIG_SETMASK, before)
            except BaseException:
                self.__exit__()
                raise
        return self

    def _begin(self) -> None:
        from multiprocessing import Pipe, get_context

        for number in range(self.count):
            here, there = Pipe(duplex=False)
            self.ends.append(here)
            started = get_context("fork").Process(
                target=self._work, args=(number, there), daemon=True
            )
            started.start()
            there.close()  # that of a reader who is gone must have no other holder
            self.readers.append(started)

    def __exit__(self, *_: object) -> None:
        for end in self.ends:
            end.close()
        for reader in self.readers:
            reader.terminate()
            reader.join()

    def tile(self, n: int) -> Tile | None:
        """What a reader made of tile n; None where nobody read it, or it was not as it must be."""
        if not self.count:
            return None
        try:
            data = self.ends[n % self.count].recv_bytes()
        except (EOFError, OSError):
            raise BadInput("reader-lost", self.folder.path) from None
        return _unpacked(marshal.loads(data)) if data else None  # noqa: S302 - our own process wrote it

    def _work(self, number: int, there: "Connection") -> None:
        """The life of a reader: every so manieth tile, as long as anybody listens."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process is told, and ends it
        for end in self.ends:
            end.close()
        with suppress(ImportError, AttributeError, OSError):
            from fcntl import F_SETPIPE_SZ, fcntl

            fcntl(there.fileno(), F_SETPIPE_SZ, PIPE)
        texts = list[str]()
        folder = Folder(self.folder.path, lambda code, **_: texts.append(code))
        again: dict[bytes, bytes] = {}
        with suppress(OSError):
            for n in range(number, -(-self.size // TILE), self.count):
                try:
                    data = self._examined(folder, n, again)
                except Exception:
                    data = b""
                there.send_bytes(b"" if texts else data)
                texts.clear()

    def _examined(self, folder: Folder, n: int, again: dict[bytes, bytes]) -> bytes:
        """A tile, packed; b"" where anything is not as it must be."""
        start, width = n * TILE, min(TILE, self.size - n * TILE)
        data = folder.read(tile_path("entries", n, width), MAX_PACKED)
        entries, whole = unpack(data if data and len(data) <= LARGEST else b"")
        if len(entries) != width or not whole:
            return b""
        leaves = leaves_of(entries)
        joined, length = b"".join(leaves), HASH * width
        read = read_all(entries)
        if read is None or folder.read(tile_path(0, n, width), length, length) != joined:
            return b""
        rows = rows_of(leaves)
        first, last = (bisect_right(self.sizes, at) for at in (start, start + width))
        peaks = {size: peaks_of(rows, size - start) for size in self.sizes[first:last]}
        places = array("Q", places_of(entries, n << 32)).tobytes()
        top = rows[8][0] if len(rows) > 8 else b""
        return marshal.dumps((joined, places, peaks, top, gather(read), *_packed(read, again)))


def _packed(read: Read, again: dict[bytes, bytes]) -> tuple[Any, ...]:
    """What following entries asks for; what comes `again` and again is one object, and sent once.

    Of a payload that says nothing of others and commits to nothing, only its table.
    """
    (ats, cps, _, _, kinds, digits, _, texts, prevs, tails), payloads, keys = read
    if len(again) > REMEMBERED:
        again.clear()
    cps, tails = ([*map(again.setdefault, each, each)] for each in (cps, tails))
    tables, kept = [values.get("table") for values in payloads], payloads
    if {*map(type, tables)} <= {str, type(None)}:
        slim = {table: {} if table is None else {"table": table} for table in {*tables}}
        kept = [slim[table] for table in tables]
    shown = [b""] * len(texts)
    if (
        MEANT.isdisjoint(kinds)
        and AMENDS not in b"".join(tails)
        and not names_private(b"".join(texts))
    ):
        kinds = shown
    else:
        shown = [text if names_private(text) else b"" for text in texts]
        whole = [kind in MEANT or AMENDS in tail for kind, tail in zip(kinds, tails, strict=True)]
        pairs = enumerate(kept)
        kept = [payloads[at] if shown[at] or whole[at] else values for at, values in pairs]
    return (ats, cps, kinds, digits, shown, prevs, tails), kept, keys.tobytes()


def _unpacked(value: Any) -> Tile:
    joined, places, peaks, top, of_pools, columns, payloads, keys = value
    ats, cps, kinds, digits, texts, prevs, tails = columns
    read = [ats, cps, (), (), kinds, digits, (), texts, prevs, tails], payloads, array("Q", keys)
    return Tile(joined, array("Q", places), peaks, top, read, of_pools)
