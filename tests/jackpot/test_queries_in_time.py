"""Which terms chips and wins have, and what a correction is worth: as of when they were recorded.

Law: PT art. 40, 44.
"""

from datetime import timedelta
from typing import Any

import pytest

from casino.recording import Receipt, Supersedes
from jackpot import queries
from jackpot.progressive.amounts import MICROCENTS
from jackpot.seal_meter import seal
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    approve,
    at_two_tables,
    increment,
    opened,
    start,
    terms_of,
    won,
)
from tests.factories.records import EVENING, HEAD, recorded
from tests.factories.running_pools import CHIP, START, chips, running
from tests.factories.usual_events import second_word

pytestmark = pytest.mark.django_db

HALF = timedelta(minutes=30)


@pytest.fixture
def pool() -> None:
    at_two_tables()


def correct(receipt: Receipt, *laid: tuple[int, str, int], at: Any = EVENING) -> Receipt:
    """Other chips were laid; a second person agrees. Of no set amount: worth what the terms say."""
    correction = recorded(
        increment(*laid),
        occurred_at=at,
        supersedes=Supersedes(receipt.n, receipt.leaf, "typing-error"),
    )
    word = second_word("BJ-06", correction, receipt)
    recorded(word, by=HEAD)
    return correction


@pytest.mark.usefixtures("pool")
def test_article_40_terms_hold_from_their_second_persons_word() -> None:
    approve(terms="T-2", valid_from=EVENING, at=EVENING + HALF, rate_millionths=1_000_000)
    recorded(increment((1, "J1", 1)), occurred_at=EVENING + HALF - timedelta(microseconds=1))
    assert running() == START + CHIP
    recorded(increment((1, "J1", 1)), occurred_at=EVENING + HALF)
    assert running() == START + CHIP + 250 * 1_000_000


@pytest.mark.usefixtures("pool")
def test_article_40_a_win_told_late_keeps_the_table_it_was_played_by() -> None:
    lines = terms_of().lines
    approve(terms="T-2", valid_from=EVENING, at=EVENING + HALF, lines=lines[:2])
    hit = recorded(won(("J5", 5, ACE_JACK)))  # played before the second person's word
    assert queries.payout_of(POOL, hit.n).paid_cents == 5_000  # type: ignore[union-attr]
    assert running() == START - 5_000 * MICROCENTS
    later = recorded(won(("J5", 5, ACE_JACK)), occurred_at=EVENING + HALF)
    assert queries.payout_of(POOL, later.n).paid_cents == 0  # type: ignore[union-attr]


@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize("sealed", [False, True])
def test_article_40_a_correction_has_the_terms_of_what_it_corrects(sealed: bool) -> None:
    late = EVENING + HALF
    receipt = recorded(increment((1, "J1", 5)), occurred_at=late)
    approve(terms="T-2", valid_from=EVENING, stake_cents=500, rate_millionths=1_000_000)
    if sealed:
        seal(POOL)
    moved = correct(receipt, (2, "J1", 5), at=late)  # another box, as many chips
    assert running() == START + 5 * CHIP
    again = correct(moved, (2, "J1", 2), at=late)
    assert running() == START + 2 * CHIP
    correct(again, (2, "J1", 5), at=late)
    assert running() == START + 5 * CHIP


def test_article_44_chips_told_before_the_start_count_for_nothing_when_corrected() -> None:
    approve()
    opened()
    receipt = recorded(increment((1, "J1", 5)))
    start()
    seal(POOL)
    lowered = correct(receipt, (1, "J1", 1))
    correct(lowered, (1, "J1", 60))
    for meter in (queries.pool_now(POOL).meter, queries.replayed(POOL).meter):
        assert (meter.running, meter.adjusted) == (START, 0)
    chips((1, "J1", 1))
    assert queries.pool_now(POOL).meter.running == START + CHIP
