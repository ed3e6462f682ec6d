"""A folder that is there whole or not at all: built beside its place, synced, put there."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

from audit.exporting.export_refusals import (
    NO_FOLDER,
    STANDS_THERE,
    UNFINISHED,
    ExportRefused,
    plain_refusals,
)

PRIVATE: Final = 0o700


class Folder:
    """A folder under construction. Left without `finish`, it is removed.

    `digests` are the SHA-256 (hex) of the files written by `digested`, by path. `private`: only its
    owner may enter it. Raises: ExportRefused.
    """

    def __init__(self, place: Path, *, private: bool = False) -> None:
        self.place = place
        self.building = place.with_name(f"{place.name}.part")
        self.digests: dict[str, str] = {}
        self._made: set[Path] = set()
        self._written: list[Path] = []
        if not place.parent.is_dir():
            raise ExportRefused(NO_FOLDER, place=place.parent)
        if os.path.lexists(place):
            raise ExportRefused(STANDS_THERE, place=place)
        with plain_refusals(place):
            try:
                self.building.mkdir(mode=PRIVATE if private else 0o777)
            except FileExistsError:
                raise ExportRefused(UNFINISHED, place=self.building) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.building, ignore_errors=True)
        if isinstance(error, OSError):
            with plain_refusals(self.place):
                raise error

    def write(self, path: str, content: bytes) -> None:
        """Write one file."""
        self._room(path).write_bytes(content)

    @contextmanager
    def digested(self, path: str) -> Iterator["Digested"]:
        """Write one file piece by piece; its digest is kept."""
        with self._room(path).open("wb") as file:
            pieces = Digested(file)
            yield pieces
        self.digests[path] = pieces.digest.hexdigest()

    def _room(self, path: str) -> Path:
        place = self.building / path
        if place.parent not in self._made:
            place.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(place.parent)
        self._written.append(place)
        return place

    def finish(self) -> Path:
        """Sync everything to the disk and give the folder its name."""
        for file in self._written:
            _sync(file)
        for folder, _, _ in os.walk(self.building):
            _sync(Path(folder))
        if os.path.lexists(self.place):  # somebody was quicker
            raise ExportRefused(STANDS_THERE, place=self.place)
        self.building.rename(self.place)
        _sync(self.place.parent)
        return self.place


class Digested:
    """A file that is written piece by piece while its SHA-256 grows."""

    def __init__(self, file: BinaryIO) -> None:
        self.digest = sha256()
        self._file = file

    def write(self, piece: bytes) -> None:
        """Add bytes at its end."""
        self.digest.update(piece)
        self._file.write(piece)


def write_alone(place: Path, content: bytes, *, private: bool) -> None:
    """Write one file, whole or not at all; `private`: only its owner may read it.

    Raises: ExportRefused, where there is one already; OSError.
    """
    building = place.with_name(f".{place.name}.{os.getpid()}.part")
    building.unlink(missing_ok=True)  # of a process of that number, long ago
    mode = 0o600 if private else 0o666
    held = os.open(building, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(held, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if os.path.lexists(place):  # somebody was quicker
            raise ExportRefused(STANDS_THERE, place=place)
        building.rename(place)
    finally:
        building.unlink(missing_ok=True)
    _sync(place.parent)


def _sync(path: Path) -> None:
    held = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(held)
    finally:
        os.close(held)
