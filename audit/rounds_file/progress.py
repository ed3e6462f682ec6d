"""How far a run is, on a terminal: share done, rate, and the time that is left."""

import time
from collections.abc import Callable
from typing import Final, TextIO

from audit.rounds_file.summary import grouped

EVERY: Final = 0.2  # seconds between two drawings
WIDTH: Final = 20


class Progress:
    """One line that is drawn over itself; nothing at all where nobody watches.

    `total` is in bytes, None for a pipe: then there is neither share nor time left.
    """

    def __init__(
        self, stream: TextIO | None, total: int | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream
        self._total = total
        self._clock = clock
        self._began = self._drawn = clock()
        self._length = 0

    def reached(self, done: int, lines: int) -> None:
        """So many bytes and lines are judged."""
        if self._stream is None:
            return
        now = self._clock()
        if now - self._drawn < EVERY:
            return
        self._drawn = now
        self._draw(self._line(done, lines, max(now - self._began, EVERY)))

    def clear(self) -> None:
        """Take the line away: something else is written now."""
        if self._stream is not None and self._length:
            self._draw("")

    def _line(self, done: int, lines: int, seconds: float) -> str:
        rate = f"{grouped(lines)} | {grouped(int(lines / seconds))}/s"
        if not self._total:
            return f"{grouped(done // 1_000_000)} MB | {rate}"
        share = min(done / self._total, 1)
        bar = ("#" * int(share * WIDTH)).ljust(WIDTH, ".")
        left = int(seconds * (self._total - done) / done) if done else 0
        return f"[{bar}] {int(share * 100):3d} % | {rate} | ETA {left // 60}:{left % 60:02d}"

    def _draw(self, line: str) -> None:
        assert self._stream is not None
        try:
            self._stream.write("\r" + line.ljust(self._length) + ("" if line else "\r"))
            self._stream.flush()
        except OSError:
            self._stream = None  # nobody watches any longer
        self._length = len(line)
