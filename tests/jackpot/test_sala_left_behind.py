"""The page of a win that was reckoned from what another left, and that other was none. Art. 50."""

import pytest
from django.test import Client

from casino import clock
from casino.recording import Receipt
from jackpot.events import JackpotAdjusted
from tests.factories.people import somebody, write
from tests.factories.pools import ACE_JACK, POOL, TOP, ref, start
from tests.jackpot.sala_pools import MANAGER, a_pool, a_win, hit_at, tap
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
WORDS = "withdraw this one too and record it anew"


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


def withdraw(hit: Receipt) -> None:
    """It was none."""
    event = JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit))
    write(event, by=MANAGER, at=clock.now())


def says_so(client: Client, hit: Receipt) -> bool:
    """Whether the win's page says that it has to be told anew."""
    return WORDS in client.get(hit_at(hit.n)).content.decode()


def test_article_50_who_got_what_a_win_left_that_was_none_is_told_anew(pit: Client) -> None:
    a_pool()
    first, second = a_win((2, TOP)), a_win((5, TOP))
    assert not says_so(pit, second)
    withdraw(first)
    page = pit.get(hit_at(second.n)).content.decode()
    assert f"Entry {first.n}, which held the money" in page
    assert not says_so(pit, first)
    withdraw(second)
    assert not says_so(pit, second)
    assert not says_so(pit, a_win((5, TOP)))


def test_article_50_what_took_nothing_from_it_is_no_matter(pit: Client) -> None:
    a_pool()
    first, fixed = a_win((2, TOP)), a_win((5, ACE_JACK))
    withdraw(first)
    assert says_so(pit, fixed)  # there was nothing left to pay it from
    paid, other = a_win((2, ACE_JACK)), a_win((4, ACE_JACK))
    tap(pit, hit_at(paid.n))
    withdraw(paid)
    assert not says_so(pit, other)


def test_article_50_after_a_new_start_a_win_is_behind_nobody(pit: Client) -> None:
    a_pool()
    first = a_win((2, TOP))
    start(reason="after_full_payout")
    second = a_win((5, TOP))
    withdraw(first)
    assert not says_so(pit, second)
