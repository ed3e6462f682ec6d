"""Eight clients at one pool: two hits and four increments at once, a thousand times over.

Law: PT art. 41, 50.
"""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from casino.recording import Receipt
from jackpot import queries
from jackpot.models import Contribution, JackpotPayment
from jackpot.progressive.amounts import MICROCENTS
from tests.factories.pools import POOL, START_CENTS, approve, opened, start
from tests.gate import size
from tests.jackpot.machine_clients import Act, Clients, Wrong

CLIENTS = 8
ROUNDS = size(4, 12, 1_000)
TABLES = ("BJ-06", "BJ-07", "BJ-08", "BJ-09")
CHIP_CENTS, RATE = 250, 25_000


@pytest.fixture
def clients(fresh_db: str, database_environment: dict[str, str]) -> Iterator[Clients]:
    """Eight processes at a pool that has begun."""
    approve()
    start()
    for table in TABLES:
        opened(table)
    crew = Clients(CLIENTS, database_environment | {"DJANGO_SETTINGS_MODULE": "casino.settings"})
    yield crew
    crew.close()


@pytest.mark.check
def test_article_50_two_hits_and_four_increments_at_once_pay_the_full_pot_once(
    clients: Clients,
) -> None:
    rng = random.Random(50)
    laid, pots = 0, []
    for place in range(1, ROUNDS + 1):
        hits = [(table, receipt) for table, receipt in played(clients, place, rng) if receipt]
        laid += 4
        hits.sort(key=lambda one: one[1].n)
        came_to = [queries.payout_of(POOL, receipt.n) for _, receipt in hits]
        cents = [0 if payout is None else payout.paid_cents for payout in came_to]
        pots.append(cents)
        laid += paid_by_two_each(clients, hits, cents)
        (begun,) = clients.at_once([("put in",)])
        assert isinstance(begun, Receipt), begun
        if place % 50 == 0:
            check(laid, pots)
    check(laid, pots)
    # One of the two took the pot, the other what four increments at most had put in between.
    between = 4 * 5 * CHIP_CENTS * RATE // MICROCENTS + 1
    assert all(first >= START_CENTS and 0 <= second <= between for first, second in pots)


def played(clients: Clients, place: int, rng: random.Random) -> list[tuple[str, Any]]:
    """Two tables win, all four lay chips, somebody seals and somebody looks: each by his own hand.

    The tables and receipts of the wins.
    """
    acts: list[Act] = [("hit", table, place) for table in TABLES[:2]]
    acts += [("chips", table, CHIP_CENTS) for table in TABLES]
    acts += [("seal",), ("display",)]
    rng.shuffle(acts)
    answers = clients.at_once(acts)
    assert [one for one in answers if isinstance(one, Wrong) or one is None] == []
    both = zip(acts, answers, strict=True)
    return [(act[1], answer) for act, answer in both if act[0] == "hit"]


def paid_by_two_each(clients: Clients, hits: list[tuple[str, Any]], cents: list[int]) -> int:
    """Each win is paid by two at the same moment, while chips are laid: one of the two is refused.

    How many increments there were.
    """
    acts: list[Act] = []
    for (table, receipt), due in zip(hits, cents, strict=True):
        acts += [("pay", receipt, table, due)] * 2
    acts += [("chips", table, CHIP_CENTS) for table in TABLES]
    *both, _, _, _, _ = answers = clients.at_once(acts)
    for one, other in list(pairwise(both))[::2]:
        (refused,) = [each for each in (one, other) if isinstance(each, Wrong)]
        assert str(refused).startswith("PaidAlready"), refused
    assert [one for one in answers[4:] if isinstance(one, Wrong)] == []
    return 4


def check(increments: int, pots: list[list[int]]) -> None:
    """Nothing is lost and nothing made."""
    now, again = queries.pool_now(POOL), queries.replayed(POOL)
    assert again.misfits == now.pool.misfits == []
    assert (now.meter.held, now.meter.running) == (0, again.meter.running)
    assert Contribution.objects.count() == 5 * increments
    given = list(JackpotPayment.objects.values_list("paid_cents", flat=True))
    assert sorted(given) == sorted(cents for both in pots for cents in both)
    put_in = START_CENTS * (len(pots) + 1)
    contributed = 5 * increments * CHIP_CENTS * RATE
    assert now.meter.running == (put_in - sum(given)) * MICROCENTS + contributed
