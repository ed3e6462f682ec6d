"""A meter beyond what an event can tell: a finding that names the entry, and nothing that stops.

Law: PT art. 41, 50.
"""

import pytest

from casino.events.values import MAX_WHOLE
from jackpot import queries
from jackpot.events import MAX_POOL_CENTS, JackpotAdjusted
from jackpot.progressive.amounts import MICROCENTS
from jackpot.seal_meter import recorded_running, seal
from tests.factories.pools import POOL, START_CENTS, TOP, at_two_tables, increment, won
from tests.factories.pools_in_book import at, raised, replay
from tests.factories.records import MANAGER, recorded

pytestmark = [pytest.mark.django_db, pytest.mark.share]

FULL = MAX_WHOLE - START_CENTS * MICROCENTS  # what brings the meter to all that an event holds


def adjusted(microcents: int) -> JackpotAdjusted:
    """The meter corrected by so much."""
    return JackpotAdjusted(jackpot=POOL, microcents=microcents, reason="device_fault")


@pytest.fixture
def full_pool() -> None:
    at_two_tables()
    recorded(adjusted(FULL), by=MANAGER)


@pytest.mark.usefixtures("full_pool")
def test_all_that_a_fact_holds_is_sealed_won_and_replayed() -> None:
    assert queries.pool_now(POOL).meter.running == MAX_WHOLE
    assert seal(POOL) is not None
    assert (replay().microcents, raised()) == (MAX_WHOLE, [])
    recorded(won(("J2", 2, TOP), running_microcents=MAX_WHOLE))
    assert seal(POOL) is not None
    row = replay()
    assert (row.held_cents, row.problems) == (MAX_POOL_CENTS, 0)


@pytest.mark.usefixtures("full_pool")
def test_one_chip_more_is_a_finding_that_names_it() -> None:
    beyond = recorded(increment((1, "J1", 1), chip_cents=250))
    recorded(increment((2, "J2", 1), chip_cents=250))
    meter = queries.pool_now(POOL).meter
    assert (seal(POOL), recorded_running(meter)) == (None, None)
    row = replay()
    assert (row.microcents, row.difference_microcents) == (MAX_WHOLE, 0)
    assert raised() == [("41", at(beyond))]
    replay()
    assert raised() == [("41", at(beyond))]  # the same finding
    recorded(adjusted(-FULL), by=MANAGER)
    assert seal(POOL) is not None
    replay()
    assert raised() == [("41", at(beyond))]  # it was so


@pytest.mark.usefixtures("full_pool")
def test_a_meter_beyond_all_measure_is_paid_and_told_as_far_as_it_goes() -> None:
    recorded(adjusted(MAX_WHOLE), by=MANAGER)
    hit = recorded(won(("J2", 2, TOP)))
    assert queries.payout_of(POOL, hit.n) is not None
    assert seal(POOL) is None
    row = replay()
    assert (row.microcents < MICROCENTS, row.held_cents) == (True, MAX_POOL_CENTS)
