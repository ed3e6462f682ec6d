"""Who waits at a pool: one acts, and another one acts meanwhile."""

import time
from collections.abc import Callable
from threading import Thread
from typing import Any

from django.db import connection, transaction

from jackpot import queries
from tests.factories.pools import (
    POOL,
    START_CENTS,
    TOP,
    approve,
    increment,
    opened,
    staked,
    start,
    won,
)
from tests.factories.records import recorded

HERE, THERE = "BJ-06", "BJ-07"
# In this database: other tests wait in their own on the same server.
WAITING = """SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
PATIENCE = 300  # seconds


def begun(marking: str) -> None:
    """A pool played for at two tables; one chip was laid, so that everything has been met once."""
    approve(marking=marking)
    start()
    for table in (HERE, THERE):
        opened(table)
    played(THERE) if marking == "automatic" else laid(THERE)


class Beside:
    """Something another one does meanwhile."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self.answers: list[Any] = []
        self.thread = Thread(target=self._act, args=(act,))
        self.thread.start()

    def _act(self, act: Callable[[], Any]) -> None:
        try:
            self.answers.append(act())
        finally:
            connection.close()

    def answer(self) -> Any:
        """What came of it."""
        self.thread.join(PATIENCE)
        (answer,) = self.answers
        return answer

    def waits(self) -> bool:
        """Whether it stands before a lock: true at once, false when it is done."""
        until = time.monotonic() + PATIENCE
        while self.thread.is_alive() and time.monotonic() < until:
            with connection.cursor() as cursor:
                cursor.execute(WAITING)
                if cursor.fetchone() != (0,):
                    return True
            time.sleep(0.005)
        return False


def laid(table: str = HERE) -> Any:
    """A chip collected by hand."""
    return recorded(increment((1, "J1", 1), table=table, chip_cents=250))


def played(table: str = HERE) -> Any:
    """A chip told by a round."""
    return recorded(staked((1, "J1", 1), table=table))


def wins() -> Any:
    """The top prize at the other table."""
    return recorded(won(("J2", 2, TOP), table=THERE, shoe=1, number=1))


def a_win_waits_for_chips_on_their_way_and_wins_them(marking: str, lay: Callable[[], Any]) -> None:
    """The winner gets the chip that is being laid: a win beside it waits for its end."""
    begun(marking)
    with transaction.atomic():
        lay()
        other = Beside(wins)
        assert other.waits()
    came_to = queries.payout_of(POOL, other.answer().n)
    assert came_to is not None
    assert came_to.paid_cents == START_CENTS + 12
