"""Clients of a benchmark: processes that all write in one way for a while, and what they took."""

import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

LEAD: Final = 0.3  # seconds until all clients have heard what to do


@dataclass(frozen=True)
class Measured:
    """Transactions a second of all clients, and their 50th and 99th percentile in milliseconds."""

    rate: float
    median: float
    p99: float


class Clients:
    """Processes that write when told to: each runs `serve(number, address, pipe)`."""

    def __init__(self, serve: Callable[..., None], address: str, count: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipes: list[Any] = []
        self.processes: list[Any] = []
        self.written = 0  # by the last `write`
        for number in range(count):
            ours, theirs = spawn.Pipe()
            process = spawn.Process(target=serve, args=(number, address, theirs), daemon=True)
            process.start()
            self.pipes.append(ours)
            self.processes.append(process)
        for pipe in self.pipes:
            pipe.recv()  # ready

    def write(self, what: Sequence[Any], seconds: float) -> Measured:
        """All of them do the same, for so long: each is sent `what`, and from when until when."""
        begin = time.monotonic() + LEAD
        for pipe in self.pipes:
            pipe.send((*what, begin, begin + seconds))
        took = sorted(each for pipe in self.pipes for each in pipe.recv())
        self.written = len(took)
        return Measured(
            len(took) / seconds,
            1000 * statistics.median(took),
            1000 * took[int(len(took) * 0.99)],
        )

    def close(self) -> None:
        """End them all."""
        for pipe in self.pipes:
            pipe.send(None)
        for process in self.processes:
            process.join()


def record_ratio(found: Mapping[str, Sequence[Measured]], over: str, under: str, goal: Any) -> None:
    """One way held against another, round by round: the median, and where half of them lie."""
    each = [a.rate / b.rate for a, b in zip(found[over], found[under], strict=True)]
    quarters = statistics.quantiles(each, n=4)
    asked = f", asked at least {goal}" if goal else ""
    say(
        f"{over} / {under}: {statistics.median(each):.2f}"
        f" (half of the rounds {quarters[0]:.2f} to {quarters[2]:.2f}){asked}"
    )


def say(text: str) -> None:
    """Print at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
