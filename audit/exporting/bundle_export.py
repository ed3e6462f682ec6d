"""Bundles: a folder from which the book, or part of it, is verified without the house."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID, uuid4

from audit.events import ExportMade
from audit.exporting import read_book
from audit.exporting.export_refusals import NO_POLICY, STANDS_THERE, ExportRefused, plain_refusals
from audit.exporting.folder import Folder, write_alone
from audit.exporting.private_files import OPENINGS, Openings, json_of
from audit.exporting.scope import Scope
from casino import clock, sealed
from casino.access.private_looks import kept_of, put_look
from casino.events.event import Event
from casino.models import BookEntry
from casino.recording import Actor, Source, record
from casino.sealed import Sealed, Tiles
from casino.tlog.proof import WIDTH
from casino.tlog.tiles import full_tiles_between, pack_entries, partial_tiles, tile_path

FORMAT: Final = "livro-da-sala-bundle/1"
SHOWN: Final = 4096  # entries of a file of a scoped bundle, at most
LARGE: Final = 8_000_000  # bytes after which a file of a scoped bundle ends
COSIGNED: Final = 1000  # checkpoints a scoped bundle holds for their witnesses alone, at most
TILES: Final = 64  # read at once: half a megabyte
# The checkpoint an entry names; what is no entry names none.
_named: Final = re.compile(
    rb'\{"at":"[^"]{1,40}","cp":\{"root":"[0-9a-f]{64}","size":(\d{1,15})\}'
).match

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Made:
    """A copy that was made: where, and under which signed tree."""

    place: Path
    entries: int
    size: int
    root: bytes


def export_bundle(
    place: Path,
    scope: Scope,
    by: Actor,
    *,
    openings: bool = False,
    asked_by: str = "",
    progress: Progress = lambda done, total: None,
    sizes: Collection[int] = (),
    said: Callable[[Event, Actor], None] | None = None,
    using: str = "reader",
) -> Made:
    """Write a bundle, and into the book that it was made. Raises: ExportRefused, Refused.

    It shows the book up to the newest checkpoint, as it stood when this was called; that it was
    made comes after. `progress` is told how many entries of how many are written. A part brings
    what the roots of `sizes` are worked out of. `said` takes what is to be recorded, for whoever
    records it with more.
    """
    policy = sealed.policy_text()
    if not policy:
        raise ExportRefused(NO_POLICY)
    with Folder(place, private=openings) as folder:
        with read_book.at_one_moment(using) as newest:
            entries = read_book.counted(scope, newest.size, using)
            size, root = newest.size, newest.root
            event = scope.event(entries, size, root, openings=openings, asked_by=asked_by)
            (said or record_export)(event, by)
            if openings:
                put_look(asked_by or by.staff, "export_bundle", ExportMade.kind, [OPENINGS])
            writing = _Writing(folder, scope, newest, using)
            writing.named |= {each for each in sizes if 0 < each <= size}
            writing.entries(openings, lambda done: progress(done, entries))
            writing.checkpoints()
            writing.tiles()
        with folder.digested("policy") as file:
            file.write(policy.encode())
        folder.write("bundle.json", writing.manifest(entries))
        return Made(folder.finish(), entries, newest.size, newest.root)


def export_record(
    place: Path, entry_id: UUID, by: Actor, *, openings: bool = False, asked_by: str = ""
) -> Made:
    """Write the proof of one record, and into the book that it was made.

    Raises: ExportRefused, NotSealed, Refused.
    """
    text = sealed.record_proof(entry_id, openings=openings)
    index = sealed.index_of(entry_id)
    assert index is not None
    proving = sealed.proving(index)
    assert proving is not None
    scope = Scope("record", first=index, end=index + 1)
    if os.path.lexists(place):
        raise ExportRefused(STANDS_THERE, place=place)
    with plain_refusals(place):
        size, root = proving.size, proving.root
        record_export(scope.event(1, size, root, openings=openings, asked_by=asked_by), by)
        if openings:
            entry = BookEntry.objects.get(pk=entry_id)
            put_look(asked_by or by.staff, "export_bundle", entry.kind, kept_of(entry), entry_id)
        write_alone(place, text.encode(), private=openings)
    return Made(place, 1, proving.size, proving.root)


def record_export(event: Event, by: Actor) -> None:
    """Write into the book that a copy leaves the house. Raises: Refused."""
    record(event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source("job"))


def sizes_named(some: Iterable[read_book.Shown]) -> set[int]:
    """The sizes of the checkpoints that entries name."""
    return {int(found[1]) for each in some if (found := _named(each.entry))}


def edge_tile(size: int) -> set[int]:
    """The tile of level 0 without which nobody could work out the root of a tree of that size."""
    return {size // WIDTH} if size % WIDTH else set()


class _Writing:
    """The files of one bundle, as they are written."""

    def __init__(self, folder: Folder, scope: Scope, newest: Sealed, using: str) -> None:
        self.folder = folder
        self.scope = scope
        self.newest = newest
        self.using = using
        self.named: set[int] = set()  # sizes of the checkpoints that shown entries name
        self.cosigned: set[int] = set()  # the first that a witness signed over each shown entry
        self.needed: set[int] = set()  # tiles of level 0 that hold a shown entry

    def entries(self, openings: bool, progress: Callable[[int], None]) -> None:
        """The entries that are shown, the ids of their rows and, if wanted, what they commit to."""
        with ExitStack() as stack:
            ids = stack.enter_context(self.folder.digested("ids"))
            private = None
            if openings:
                lines = stack.enter_context(self.folder.digested(OPENINGS))
                private = Openings(self.folder, lines, "default")
            packed = Full(self.folder) if self.scope.full else Scoped(self.folder)
            done = 0
            for some in read_book.shown(self.scope, self.newest.size, self.using):
                packed.take(some)
                ids.write(b"".join(each.row.bytes for each in some))
                if private is not None:
                    private.take(some)
                if not self.scope.full:
                    self.needed |= {each.idx // WIDTH for each in some}
                    self.named |= sizes_named(some)
                    self._find_cosigned([each.idx for each in some])
                done += len(some)
                progress(done)
            packed.end()
            if private is not None:
                private.write_files()

    def checkpoints(self) -> None:
        """All of them; or those that shown entries name, the first that a witness signed over each,
        the newest he signed, and the newest, which stands alone too.
        """
        size = self.newest.size
        if self.scope.full:
            chosen: Iterator[Sealed] = sealed.all_checkpoints(self.using, up_to=size)
        else:
            witnessed = self.cosigned | read_book.newest_cosigned(size, self.using)
            chosen = self._chosen(sorted({*self.named, *witnessed, size}))
        with self.folder.digested("checkpoints.jsonl") as file:
            for each in chosen:
                file.write(json_of(each.note) + b"\n")
        self.folder.write("checkpoint", self.newest.note.encode())

    def _find_cosigned(self, indices: list[int]) -> None:
        if len(self.cosigned) < COSIGNED:
            found = read_book.cosigned(indices, self.newest.size, self.using)
            self.cosigned |= set(sorted(found)[: COSIGNED - len(self.cosigned)])

    def _chosen(self, sizes: list[int]) -> Iterator[Sealed]:
        for begin in range(0, len(sizes), sealed.CHECKPOINTS):
            found = sealed.at_sizes(sizes[begin : begin + sealed.CHECKPOINTS], self.using)
            for each in found:
                self.needed |= edge_tile(each.size)
                yield each

    def tiles(self) -> None:
        """The tree's tiles: all, or of the lowest level only those that are needed."""
        read = Tiles(self.using)
        wanted = full_tiles_between(0, self.newest.size)
        if not self.scope.full:
            wanted = [(level, n) for level, n in wanted if level or n in self.needed]
        for begin in range(0, len(wanted), TILES):
            for level, n, tile in _stored(read, wanted[begin : begin + TILES]):
                self.folder.write(tile_path(level, n), tile)
        for level, n, width in partial_tiles(self.newest.size):
            self.folder.write(tile_path(level, n, width), read(level, n, width))

    def manifest(self, count: int) -> bytes:
        """What the bundle says of itself, written as an entry is (but names hold dots, too)."""
        return json_of(
            {
                "digests": self.folder.digests,
                "entries": count,
                "format": FORMAT,
                "origin": self.newest.origin,
                "root": self.newest.root.hex(),
                "scope": self.scope.as_dict(),
                "size": self.newest.size,
            }
        )


def _stored(tiles: Tiles, wanted: list[tuple[int, int]]) -> Iterator[tuple[int, int, bytes]]:
    """These full tiles, in few questions; one that is not kept is made from what lies below."""
    kept: dict[tuple[int, int], bytes] = {}
    for level in {level for level, _ in wanted}:
        numbers = [n for of_level, n in wanted if of_level == level]
        found = tiles.stored(level, numbers)
        kept |= {(level, n): tile for n, tile in found.items()}
    for level, n in wanted:
        yield level, n, kept.get((level, n)) or tiles(level, n, WIDTH)


class Full:
    """Entries in files of 256, numbered like the tiles of their leaves."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def take(self, some: list[read_book.Shown]) -> None:
        """One tile's entries."""
        path = tile_path("entries", some[0].idx // WIDTH, len(some))
        self._folder.write(path, pack_entries([each.entry for each in some]))

    def end(self) -> None:
        """Nothing is left to be written."""


class Scoped:
    """Entries with their index, some thousands in a file."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._files = 0
        self._waiting: list[bytes] = []
        self._bytes = 0

    def take(self, some: list[read_book.Shown]) -> None:
        """Some more entries."""
        for each in some:
            data = each.idx.to_bytes(8, "big") + pack_entries([each.entry])
            self._waiting.append(data)
            self._bytes += len(data)
            if len(self._waiting) >= SHOWN or self._bytes >= LARGE:
                self.end()

    def end(self) -> None:
        """Write what waits."""
        if self._waiting:
            self._folder.write(f"shown/{self._files:06d}", b"".join(self._waiting))
            self._files += 1
            self._waiting, self._bytes = [], 0
