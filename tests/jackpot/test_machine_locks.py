"""Who waits for whom at a pool: chips for nobody, a win for the chips that are on their way.

Law: PT art. 41, 50.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from casino.recording import Supersedes
from jackpot import queries
from jackpot.seal_meter import seal
from tests.factories.pools import (
    POOL,
    START_CENTS,
    increment,
)
from tests.factories.records import HEAD, recorded
from tests.factories.usual_events import second_word
from tests.jackpot.machine_waiting import (
    HERE,
    THERE,
    Beside,
    a_win_waits_for_chips_on_their_way_and_wins_them,
    begun,
    laid,
    played,
    wins,
)

pytestmark = pytest.mark.usefixtures("fresh_db")


@pytest.mark.parametrize(("marking", "lay"), [("manual", laid), ("automatic", played)])
def test_article_50_a_win_waits_for_chips_on_their_way_and_wins_them(
    marking: str, lay: Callable[[], Any]
) -> None:
    a_win_waits_for_chips_on_their_way_and_wins_them(marking, lay)


def test_article_50_a_win_waits_for_a_correction_on_its_way() -> None:
    begun("manual")
    original = laid()
    pending = recorded(
        increment((1, "J1", 3), table=HERE, chip_cents=250),
        supersedes=Supersedes(original.n, original.leaf, "typing-error"),
    )
    word = second_word(HERE, pending, original)
    with transaction.atomic():
        recorded(word, by=HEAD)
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
