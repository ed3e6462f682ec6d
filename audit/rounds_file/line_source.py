"""The file of rounds as bytes: opened once, checked to be one, read in parts of whole lines.

Lengths in bytes, lines counted from 1. A line longer than MAX_LINE is never held whole.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from audit.rounds_file import Unusable
from casino.events.phrases import Phrase
from casino.reading.file_trouble import why
from casino.reading.json_lines import MAX_LINE

PART: Final = 256 * 1024
NO_ROUNDS: Final = Phrase("the file is empty: it holds no rounds")
WRITTEN_TO: Final = Phrase("the file was written to while it was being read: reconcile it again")

# What a file is that is not text, by the bytes it begins with.
_WRONG_TYPES: Final = (
    (
        b"\x1f\x8b",
        Phrase("a gzip archive: unpack it first (gunzip -c FILE | ... reconcile_file -)"),
    ),
    (
        b"PK\x03\x04",
        Phrase("a zip archive or a spreadsheet (.xlsx, .ods): export it as JSON Lines or CSV"),
    ),
    (b"PK\x05\x06", Phrase("an empty zip archive")),
    (b"%PDF", Phrase("a PDF document")),
    (
        b"\xd0\xcf\x11\xe0",
        Phrase("an old Office document (.xls, .doc): export it as JSON Lines or CSV"),
    ),
    (b"\xff\xfe\x00\x00", Phrase("text in UTF-32: save it as UTF-8")),
    (b"\x00\x00\xfe\xff", Phrase("text in UTF-32: save it as UTF-8")),
    (b"\xff\xfe", Phrase("text in UTF-16: save it as UTF-8")),
    (b"\xfe\xff", Phrase("text in UTF-16: save it as UTF-8")),
    (b"{\x00", Phrase("text in UTF-16: save it as UTF-8")),
    (b"\x00{", Phrase("text in UTF-16: save it as UTF-8")),
    (b"\x28\xb5\x2f\xfd", Phrase("a zstd archive: unpack it first")),
    (b"\xfd7zXZ\x00", Phrase("an xz archive: unpack it first")),
    (b"BZh", Phrase("a bzip2 archive: unpack it first")),
    (b"7z\xbc\xaf\x27\x1c", Phrase("a 7-Zip archive: unpack it first")),
    (b"SQLite format 3", Phrase("an SQLite database")),
    (b"PAR1", Phrase("a Parquet file")),
    (b"\x89PNG", Phrase("a picture (PNG)")),
    (b"\xff\xd8\xff", Phrase("a picture (JPEG)")),
    (b"\x7fELF", Phrase("a program")),
)


@dataclass(frozen=True, slots=True)
class Part:
    """Some whole lines of the file, the first of them number `first_line`.

    `end` is the number of bytes of the file read when this part ended. `too_long` is the length of
    a line longer than MAX_LINE, which is a part of its own without `data`.
    """

    first_line: int
    data: bytes
    end: int
    too_long: int = 0


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What tells that a file is no longer the one that was opened."""

    device: int
    inode: int
    size: int
    changed_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> "Fingerprint":
        """Read it off what the system says of a file."""
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


class Source:
    """A file of rounds, or standard input.

    Raises: Unusable, when it cannot be opened, is not text in lines, or is not the same at the
    end as at the beginning.
    """

    def __init__(self, path: str | None, stream: BinaryIO | None = None) -> None:
        self.path = path
        self._file = stream if stream is not None else _open(path)
        status = os.fstat(self._file.fileno())
        self._regular = stat.S_ISREG(status.st_mode)
        self._before = Fingerprint.of(status)
        self._read = 0
        self._start = self._file.tell() if self._regular else 0

    @property
    def size(self) -> int | None:
        """How many bytes there are to read; None for a pipe."""
        return self._before.size - self._start if self._regular else None

    def is_the_file(self, path: str) -> bool:
        """Whether a path leads to this very file, by whatever name."""
        try:
            other = os.stat(path)
        except OSError:
            return False
        return (other.st_dev, other.st_ino) == (self._before.device, self._before.inode)

    def close(self) -> None:
        """Let the file go."""
        self._file.close()

    def parts(self) -> Iterator[Part]:
        """The file, part by part, each of whole lines; the last line needs no newline."""
        rest, line = b"", 1
        for block in self._blocks():
            data = rest + block if rest else block
            cut = data.rfind(b"\n") + 1
            if cut:
                yield Part(line, data[:cut], self._read - (len(data) - cut))
                line += data.count(b"\n", 0, cut)
            rest = data[cut:]
            if len(rest) > MAX_LINE:
                length, rest = self._skip_line(len(rest))
                yield Part(line, b"", self._read - len(rest), length)
                line += 1
        if rest:
            yield Part(line, rest, self._read)
        self._check_unchanged()

    def _blocks(self) -> Iterator[bytes]:
        block = self._next()
        if not block:
            raise Unusable.because(NO_ROUNDS)
        _check_type(block)
        while block:
            yield block
            block = self._next()

    def _next(self) -> bytes:
        """The next PART of the file; shorter only at its end, whatever a pipe gives at a time."""
        got: list[bytes] = []
        wanted = PART
        if self.size is not None:
            # Never beyond what was there at the start: a file that grows would have no end.
            wanted = min(PART, self.size - self._read)
        try:
            while wanted:
                block = self._file.read(wanted)
                if not block:
                    break
                got.append(block)
                wanted -= len(block)
        except OSError as error:
            raise Unusable(
                "the file cannot be read further: {reason}", reason=why(error)
            ) from error
        data = b"".join(got)
        self._read += len(data)
        if self._regular and self._read > self._before.size - self._start:
            # At once: a file that grows as fast as it is read has no end.
            raise Unusable.because(WRITTEN_TO)
        return data

    def _skip_line(self, length: int) -> tuple[int, bytes]:
        """Read to the end of a line that is too long; its length, and what was read beyond it."""
        while block := self._next():
            end = block.find(b"\n")
            if end >= 0:
                return length + end, block[end + 1 :]
            length += len(block)
        return length, b""

    def _check_unchanged(self) -> None:
        if not self._regular:
            return
        after = Fingerprint.of(os.fstat(self._file.fileno()))
        if after != self._before or self._read != self._before.size - self._start:
            raise Unusable.because(WRITTEN_TO)
        if self.path is not None and not self.is_the_file(self.path):
            raise Unusable(
                "another file was put in its place while it was being read: reconcile it again"
            )


def _open(path: str | None) -> BinaryIO:
    if path is None:
        raise ValueError("a source is a path or a stream")
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise Unusable("{path} is a folder: name one file", path=path)
    except ValueError as error:  # a NUL in the name
        raise Unusable("{path} is not the name of a file", path=repr(path)) from error
    except OSError as error:
        raise Unusable("{path} cannot be opened: {reason}", path=path, reason=why(error)) from error
    return open(descriptor, "rb", buffering=0)


def _check_type(block: bytes) -> None:
    for magic, kind in _WRONG_TYPES:
        if block.startswith(magic):
            raise Unusable("this is not a file of rounds but {kind}", kind=kind)
    # A NUL is in no JSON text; a single spoilt line further on is refused as a line.
    if b"\x00" in block[:64]:
        raise Unusable("this is not a file of rounds but {kind}", kind=Phrase("binary data"))
