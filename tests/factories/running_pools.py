"""Chips laid for a pool, and what it runs at."""

from typing import Any

from casino.recording import Receipt
from jackpot import queries
from jackpot.progressive.amounts import MICROCENTS
from tests.factories.pools import POOL, START_CENTS, increment
from tests.factories.records import recorded

START = START_CENTS * MICROCENTS
CHIP = 250 * 25_000  # what one chip adds, in microcents


def running(jackpot: str = POOL) -> int:
    """What the next round plays for; by the projections and by the entries alike, and nothing
    amiss.
    """
    now = queries.pool_now(jackpot)
    again = queries.replayed(jackpot)
    assert now.meter.running == again.meter.running
    assert now.meter.held == again.meter.held
    assert (now.pool.misfits, again.misfits) == ([], [])
    return now.meter.running


def chips(*laid: tuple[int, str, int], table: str = "BJ-06", **known: Any) -> Receipt:
    """Chips collected by hand, of the set amount."""
    return recorded(increment(*laid, table=table, chip_cents=250, **known))
