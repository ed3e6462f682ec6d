"""Several at the same pool at the same moment: nothing is lost, nothing is counted or paid twice.

Law: PT art. 41, 50.
"""

import pytest

from casino.recording import Receipt
from jackpot import queries
from jackpot.models import Contribution, JackpotPayment, JackpotWin
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.running_meter import Pool
from jackpot.seal_meter import seal
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    START_CENTS,
    TOP,
    approve,
    increment,
    opened,
    paid,
    ref,
    staked,
    start,
    won,
)
from tests.factories.records import recorded
from tests.gate import size
from tests.jackpot.together import at_once

TABLES = ("BJ-06", "BJ-07", "BJ-08", "BJ-09")
ROUNDS = size(6, 6, 100)  # a thousand, by processes: test_machine_at_once
pytestmark = pytest.mark.usefixtures("fresh_db")


def test_article_50_four_hands_at_the_till_pay_once() -> None:
    event = paid(recorded(won(("J5", 5, ACE_JACK))), "J5", 5, ACE_JACK, 5_000)
    answers = at_once(*[lambda: recorded(event)] * 4)
    assert sum(isinstance(answer, Receipt) for answer in answers) == 1
    assert sorted(type(answer).__name__ for answer in answers) == [*["PaidAlready"] * 3, "Receipt"]
    assert JackpotPayment.objects.count() == 1


@pytest.mark.parametrize("marking", ["manual", "automatic"])
def test_article_50_two_hits_among_chips_and_seals_pay_the_pot_once(marking: str) -> None:
    approve(marking=marking)
    start()
    for table in ("BJ-06", "BJ-07"):
        opened(table)
    for place in range(1, 6):

        def lay(table: str, place: int = place) -> Receipt:
            if marking == "automatic":
                return recorded(staked((1, "J1", 1), (2, "J2", 1), table=table, place=place))
            return recorded(increment((1, "J1", 1), (2, "J2", 1), table=table, chip_cents=250))

        def hit(table: str, place: int = place) -> Receipt:
            return recorded(won(("J1", 1, TOP), table=table, shoe=1, number=place))

        hits = {"BJ-06", "BJ-07"} if place == 3 else set()
        acts = [
            *(lambda table=table: lay(table) for table in ("BJ-06", "BJ-07", "BJ-06")),
            *(lambda table=table: hit(table) for table in sorted(hits)),
            lambda: seal(POOL),
        ]
        if marking == "automatic":
            acts.pop(2)  # the same round again
        answers = at_once(*acts)
        assert not [answer for answer in answers if isinstance(answer, Exception)]
    now, again = queries.pool_now(POOL), queries.replayed(POOL)
    assert again.misfits == now.pool.misfits == []
    assert now.meter.running == again.meter.running
    chips = Contribution.objects.count()
    assert chips == (30 if marking == "manual" else 20)
    assert now.meter.pool == START_CENTS * MICROCENTS + chips * 250 * 25_000
    # Both rounds won the top prize; the first took the pot, the other what came in between.
    taken = [came_to.paid_cents for came_to in again.payouts.values()]
    assert sum(taken) * MICROCENTS == now.meter.held
    assert max(taken) >= START_CENTS
    assert min(taken) < 40


def test_article_50_round_after_round_the_pot_is_paid_once_and_nothing_is_lost() -> None:
    """Two hits and four increments at the same moment, again and again; each hit is then paid."""
    approve()
    start()
    for table in TABLES:
        opened(table)
    put_in, laid = START_CENTS, 0
    for place in range(1, ROUNDS + 1):
        answers = at_once(
            *(lambda table=table, place=place: hit_at(table, place) for table in TABLES[:2]),
            *(lambda table=table: chips_at(table) for table in TABLES),
        )
        assert not [answer for answer in answers if isinstance(answer, Exception)]
        laid += 8
        hits = sorted(
            (one for one in answers if one.stream == "jackpot/JP-1"), key=lambda one: one.n
        )
        for hit in hits:
            came_to = queries.payout_of(POOL, hit.n)
            assert came_to is not None
            win = JackpotWin.objects.get(pk=hit.entry_id)
            recorded(paid(hit, "J1", 1, TOP, came_to.paid_cents, table=win.table_code))
        start(reason="after_full_payout", hit=ref(hits[0]))
        put_in += START_CENTS
        if place % 5 == 0:
            seal(POOL)
    now, again = queries.pool_now(POOL), queries.replayed(POOL)
    assert again.misfits == now.pool.misfits == []
    assert (now.meter.held, now.meter.running) == (0, again.meter.running)
    given = sum(JackpotPayment.objects.values_list("paid_cents", flat=True))
    assert now.meter.running == (put_in - given) * MICROCENTS + laid * 250 * 25_000
    # Of the two of a round one took the pot; the other what came in between, a few cents at most.
    assert sum(cents >= START_CENTS for cents in cents_of(again)) == ROUNDS
    assert all(cents >= START_CENTS or cents < 100 for cents in cents_of(again))


def hit_at(table: str, place: int) -> Receipt:
    """The top combination, in a round of its own."""
    return recorded(won(("J1", 1, TOP), table=table, shoe=1, number=place))


def chips_at(table: str) -> Receipt:
    """Two chips of the set amount."""
    return recorded(increment((1, "J1", 1), (2, "J2", 1), table=table, chip_cents=250))


def cents_of(pool: Pool) -> list[int]:
    """What each win came to."""
    return [came_to.paid_cents for came_to in pool.payouts.values()]
