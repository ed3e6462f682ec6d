"""Where findings go: a stream, or a file that is either whole or not there at all."""

import os
import secrets
import stat
import tempfile
from pathlib import Path
from typing import Protocol

from audit.rounds_file import Unusable
from audit.rounds_file.line_source import Source
from casino.events.phrases import Phrase
from casino.reading.file_trouble import why


class Destination(Protocol):
    """Takes text; `finish` when all of it was given, `abandon` when the run failed.

    Both may be called once.
    """

    def write(self, text: str) -> None:
        """Take some text."""

    def finish(self) -> None:
        """Make it stand."""

    def abandon(self) -> None:
        """Leave nothing behind."""


class Screen(Protocol):
    """What standard output has to offer."""

    def write(self, text: str, /) -> object:
        """Take some text."""

    def flush(self) -> object:
        """Let it go."""


class ToStream:
    """Standard output.

    Raises: Unusable when it takes no more; BrokenPipeError when nobody reads it any longer.
    """

    def __init__(self, stream: Screen) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Pass the text on."""
        try:
            self._stream.write(text)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _cannot_write(Phrase("standard output"), error) from error

    def finish(self) -> None:
        """Make sure that it arrived."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _cannot_write(Phrase("standard output"), error) from error

    def abandon(self) -> None:
        """What was passed on cannot be called back; the summary says that it is not complete."""


class ToFile:
    """A file written beside its place and put there whole.

    What stood there before stands until `finish` and for ever after `abandon`. A link is
    followed; rights of a file that was there are kept. Raises: Unusable.
    """

    def __init__(self, path: str, source: Source) -> None:
        self._path = Path(os.path.realpath(path))
        if source.is_the_file(str(self._path)):
            raise Unusable("{path} is the file being read: name another for the output", path=path)
        mode = _mode_there(self._path)
        self._beside = self._path.with_name(f".{self._path.name[:200]}.{secrets.token_hex(6)}.part")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        try:
            descriptor = os.open(self._beside, flags, 0o666)
            if mode is not None:
                os.fchmod(descriptor, mode)
        except OSError as error:
            raise _cannot_write(path, error) from error
        self._file = open(descriptor, "w", encoding="utf-8", newline="")  # noqa: SIM115

    def write(self, text: str) -> None:
        """Take some text."""
        try:
            self._file.write(text)
        except OSError as error:
            raise _cannot_write(str(self._path), error) from error

    def finish(self) -> None:
        """Bring it to the disk, put it in its place, and bring that to the disk."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            os.replace(self._beside, self._path)
            folder = os.open(self._path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise _cannot_write(str(self._path), error) from error

    def abandon(self) -> None:
        """Take away what was written so far."""
        try:
            self._file.close()
        except OSError:
            pass  # a full disk says so a second time
        finally:
            self._beside.unlink(missing_ok=True)


class Held:
    """Keeps everything on disk, out of sight, until it is known whether it may be shown."""

    def __init__(self, destination: Destination) -> None:
        self._destination = destination
        try:
            self._spool = tempfile.TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115
        except OSError as error:
            raise _cannot_write(tempfile.gettempdir(), error) from error

    def write(self, text: str) -> None:
        """Take some text."""
        try:
            self._spool.write(text)
        except OSError as error:
            raise _cannot_write(tempfile.gettempdir(), error) from error

    def forget(self) -> None:
        """Drop everything taken so far."""
        self._spool.seek(0)
        self._spool.truncate()

    def finish(self) -> None:
        """Show it."""
        try:
            self._spool.seek(0)
            while text := self._spool.read(1 << 16):
                self._destination.write(text)
            self._spool.close()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _cannot_write(tempfile.gettempdir(), error) from error
        self._destination.finish()

    def abandon(self) -> None:
        """Drop it for good."""
        try:
            self._spool.close()
        except OSError:
            pass  # a full disk says so a second time
        finally:
            self._destination.abandon()


def _mode_there(path: Path) -> int | None:
    try:
        status = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise Unusable("{path} is not a file that can be replaced: name a file", path=str(path))
    return stat.S_IMODE(status.st_mode)


def _cannot_write(what: str, error: OSError) -> Unusable:
    return Unusable("{path} cannot be written: {reason}", path=what, reason=why(error))
