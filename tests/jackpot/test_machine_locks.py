"""Who waits for whom at a pool: chips for nobody, a win for the chips that are on their way.

Law: PT art. 41, 50.
"""

import time
from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest
from django.db import connection, transaction

from casino.facts.corrections import Corrected
from casino.recording import Supersedes
from jackpot import queries
from jackpot.sealing import seal
from tests.factories.pools import (
    POOL,
    START_CENTS,
    TOP,
    approve,
    increment,
    opened,
    ref,
    staked,
    start,
    won,
)
from tests.factories.records import HEAD, told

HERE, THERE = "BJ-06", "BJ-07"
WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
PATIENCE = 300  # seconds
pytestmark = pytest.mark.usefixtures("fresh_db")


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
    return told(increment((1, "J1", 1), table=table, chip_cents=250))


def played(table: str = HERE) -> Any:
    """A chip told by a round."""
    return told(staked((1, "J1", 1), table=table))


def wins() -> Any:
    """The top prize at the other table."""
    return told(won(("J2", 2, TOP), table=THERE, shoe=1, number=1))


@pytest.mark.parametrize(("marking", "lay"), [("manual", laid), ("automatic", played)])
def test_article_50_a_win_waits_for_chips_on_their_way_and_wins_them(
    marking: str, lay: Callable[[], Any]
) -> None:
    begun(marking)
    with transaction.atomic():
        lay()
        other = Beside(wins)
        assert other.waits()
    came_to = queries.payout_of(POOL, other.answer().n)
    assert came_to is not None
    assert came_to.paid_cents == START_CENTS + 12


def test_article_50_a_win_waits_for_a_correction_on_its_way() -> None:
    begun("manual")
    original = laid()
    pending = told(
        increment((1, "J1", 3), table=HERE, chip_cents=250),
        supersedes=Supersedes(original.n, original.leaf, "typing-error"),
    )
    word = Corrected(
        table=HERE, partida=f"{HERE}/2026-11-20/1", pending=ref(pending), original=ref(original),
        decision="approved", reason="agreed",
    )  # fmt: skip
    with transaction.atomic():
        told(word, by=HEAD)
        other = Beside(wins)
        assert other.waits()
    came_to = queries.payout_of(POOL, other.answer().n)
    assert came_to is not None
    assert came_to.paid_cents == START_CENTS + 25


@pytest.mark.parametrize(("marking", "lay"), [("manual", laid), ("automatic", played)])
def test_article_50_chips_wait_for_a_win_on_its_way_and_stay(
    marking: str, lay: Callable[[], Any]
) -> None:
    begun(marking)
    with transaction.atomic():
        hit = wins()
        other = Beside(lay)
        assert other.waits()
    other.answer()
    came_to = queries.payout_of(POOL, hit.n)
    assert came_to is not None
    assert came_to.paid_cents == START_CENTS + 6
    assert queries.displayed(POOL) == 6


def test_article_41_a_seal_waits_for_chips_on_their_way_and_counts_them() -> None:
    begun("manual")
    with transaction.atomic():
        laid()
        other = Beside(lambda: seal(POOL))
        assert other.waits()
    other.answer()
    now = queries.pool_now(POOL)
    assert now.meter.last_seal == now.meter.running
    assert now.displayed_cents == START_CENTS + 12


def test_article_41_chips_wait_for_no_other_chips() -> None:
    begun("manual")
    with transaction.atomic():
        laid(HERE)
        other = Beside(lambda: laid(THERE))
        assert not other.waits()
    other.answer()
    assert queries.displayed(POOL) == START_CENTS + 18
