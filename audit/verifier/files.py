"""The files of a bundle: by names known beforehand, only plain files, never too much of one.

A link, a pipe or a device is no file of a bundle. Of what lies in a folder only SHA-256 digests are
ever used as names.
"""

import os
import re
import stat
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import BinaryIO, Final

_is_digest: Final = re.compile(r"[0-9a-f]{64}").fullmatch
_NO_LINKS: Final = hasattr(os, "O_NOFOLLOW")  # opening refuses one by itself
_FLAGS: Final = sum(
    getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
)


class Folder:
    """A folder and those files in it that are asked for. Says itself what is wrong with one."""

    def __init__(self, path: str, report: Callable[..., None]) -> None:
        self.path, self.report = path, report
        self.asked: set[str] = set()
        self.reported: set[tuple[str, str]] = set()
        self._rooms: set[str] = set()

    def report_once(self, code: str, name: str, **details: object) -> None:
        """Report what is wrong with a file, once."""
        if (code, name) not in self.reported:
            self.reported.add((code, name))
            self.report(code, file=name, **details)

    def open(self, name: str, needed: bool = True) -> BinaryIO | None:
        """A plain file; None, and a report, where there is none."""
        self.asked.add(name)
        place = f"{self.path}/{name}"
        try:
            self._enter(name.rpartition("/")[0])
            if not _NO_LINKS and not stat.S_ISREG(os.lstat(place).st_mode):
                raise OSError("no file")
            file = os.open(place, os.O_RDONLY | _FLAGS)
            if stat.S_ISREG(os.fstat(file).st_mode):
                return os.fdopen(file, "rb")
            os.close(file)
        except FileNotFoundError:
            if needed:
                self.report_once("file-missing", name)
            return None
        except OSError:
            pass
        self.report_once("file-odd", name)
        return None

    def _enter(self, room: str) -> None:
        """See that all that leads to a file are folders. Raises: OSError."""
        if room and room not in self._rooms:
            self._enter(room.rpartition("/")[0])
            if not stat.S_ISDIR(os.lstat(f"{self.path}/{room}").st_mode):
                raise OSError("no folder")
            self._rooms.add(room)

    def read(self, name: str, most: int, least: int = 0, needed: bool = True) -> bytes | None:
        """All of a file that has so many bytes; None, and a report, where it has not."""
        if (file := self.open(name, needed)) is None:
            return None
        with file:
            size = os.fstat(file.fileno()).st_size
            if least <= size <= most and len(data := file.read(size)) == size:
                return data
        self.report_once("file-length", name)
        return None

    def piece(self, name: str, start: int, length: int) -> bytes:
        """Some bytes of a file that was read before."""
        if (file := self.open(name)) is None:
            return b""
        with file:
            file.seek(start)
            return file.read(length)

    def lines(self, name: str, most: int) -> Iterator[bytes]:
        """Lines without their ends. One that is too long, or has no end, is b"" and the last."""
        if (file := self.open(name)) is not None:
            with file:
                while line := file.readline(most + 1):
                    yield line[:-1] if line.endswith(b"\n") else b""
                    if not line.endswith(b"\n"):
                        return

    def digest(self, name: str, needed: bool = True) -> tuple[str, int] | None:
        """A file's SHA-256 and length, however long it is."""
        if (file := self.open(name, needed)) is None:
            return None
        found, length = sha256(), 0
        with file:
            while piece := file.read(1 << 20):
                found.update(piece)
                length += len(piece)
        return found.hexdigest(), length

    def names(self, room: str) -> Iterator[str]:
        """What lies in a folder and is called like a digest; the folder may be missing."""
        try:
            self._enter(room)
            found = os.scandir(os.path.join(self.path, room))
        except OSError:
            return
        with found:
            for each in found:
                if _is_digest(each.name):
                    yield each.name

    def strangers(self, explained: Callable[[str], bool]) -> Iterator[str]:
        """Files nobody asked for, whose names say nothing and are not `explained` either."""
        rooms = [""]
        while rooms:
            room = rooms.pop()
            try:
                found = sorted(os.scandir(os.path.join(self.path, room)), key=lambda one: one.name)
            except OSError:  # what cannot be looked into holds nothing that was asked for
                yield room
                continue
            for each in found:
                name = f"{room}{each.name}"
                if each.is_dir(follow_symlinks=False):
                    rooms.append(f"{name}/")
                elif name not in self.asked and not explained(name):
                    yield name
