"""Clients of one pool, each a process with a connection of its own, that act when they are told to.

Each act of `ACTS` is answered with what came of it, or with the class and the words of the refusal
or the error: nothing is hidden.
"""

import multiprocessing
import os
import time
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection as Pipe
from typing import Any, Final

Act = tuple[Any, ...]  # its name, then what it is given
TOGETHER: Final = 0.004  # seconds until everybody has heard


class Wrong(Exception):
    """A client was refused, or broke."""


class Clients:
    """So many processes."""

    def __init__(self, count: int, environment: Mapping[str, str]) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipes: list[Any] = []
        self.processes: list[Any] = []
        for _ in range(count):
            ours, theirs = spawn.Pipe()
            process = spawn.Process(target=serve, args=(dict(environment), theirs), daemon=True)
            process.start()
            self.pipes.append(ours)
            self.processes.append(process)
        for pipe in self.pipes:
            assert pipe.recv() == "ready"

    def at_once(self, acts: Sequence[Act]) -> list[Any]:
        """What each act answers, one by each client; all begin at the same moment."""
        begin = time.monotonic() + TOGETHER
        listed = self.pipes[: len(acts)]
        for pipe, act in zip(listed, acts, strict=True):
            pipe.send((begin, act))
        return [pipe.recv() for pipe in listed]

    def close(self) -> None:
        """End them all."""
        for pipe in self.pipes:
            pipe.send(None)
        for process in self.processes:
            process.join(300)


def hit(table: str, place: int) -> Any:
    """A round of this table won the top prize, one player on one box."""
    from tests.factories.pools import TOP, won
    from tests.factories.records import recorded

    return recorded(won(("J1", 1, TOP), table=table, shoe=1, number=place))


def chips(table: str, cents: int) -> Any:
    """A round with five chips, collected by hand."""
    from tests.factories.pools import increment
    from tests.factories.records import recorded

    laid = ((box, f"J{box}", 1) for box in range(1, 6))
    return recorded(increment(*laid, table=table, chip_cents=cents))


def pay(receipt: Any, table: str, cents: int) -> Any:
    """The winner of a hit is paid."""
    from tests.factories.pools import TOP, paid
    from tests.factories.records import recorded

    return recorded(paid(receipt, "J1", 1, TOP, cents, table=table))


def put_in() -> Any:
    """The starting value."""
    from tests.factories.pools import start

    return start(reason="after_full_payout")


def seal() -> Any:
    """The meter is sealed."""
    from jackpot.seal_meter import seal
    from tests.factories.pools import POOL

    return seal(POOL)


def display() -> int:
    """What a display has to show."""
    from jackpot import queries
    from tests.factories.pools import POOL

    return queries.displayed(POOL)


ACTS: Final[dict[str, Callable[..., Any]]] = {
    "hit": hit,
    "chips": chips,
    "pay": pay,
    "put in": put_in,
    "seal": seal,
    "display": display,
}


def serve(environment: Mapping[str, str], connection: Pipe) -> None:
    """Say so once ready; then act whenever told to. `None` ends it."""
    os.environ.update(environment)
    import django

    django.setup()
    display()  # whatever is made at the first time is made
    connection.send("ready")
    while (task := connection.recv()) is not None:
        begin, (act, *given) = task
        time.sleep(max(0.0, begin - time.monotonic()))
        try:
            connection.send(ACTS[act](*given))
        except Exception as error:  # whatever it was, the test tells of it
            connection.send(Wrong(f"{type(error).__name__}: {error}"))
