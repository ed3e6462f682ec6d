"""What the random life of a pool has brought to light, told in order and checked at each act.

Law: PT art. 40, 41, 44, 50.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from jackpot import queries
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    SEVENS,
    START_CENTS,
    TOP,
    increment,
    opened,
    staked,
)
from tests.factories.records import EVENING
from tests.jackpot.machine_house import OTHER, TABLES, House, other_chips

pytestmark = pytest.mark.share

HERE, THERE = TABLES[:2]
THE_POT = ("J1", 1, TOP)
SMALL = ("J2", 2, ACE_JACK)


@pytest.fixture
def house(
    databases: Any, book_template: str, django_db_setup: None, django_db_blocker: Any
) -> Iterator[House]:
    """Two pools with terms; chips are collected by hand."""
    with django_db_blocker.unblock():
        house = House(databases, book_template)
        house.open("manual")
        yield house
        house.close()


def wins(house: House, *winners: tuple[str, int, str], table: str = HERE) -> Any:
    """A round of this table has won."""
    return house.won(house.record(house.winning(winners, table)))


@pytest.mark.parametrize("sealed", [False, True])
def test_article_50_nothing_is_paid_for_a_win_before_the_start(house: House, sealed: bool) -> None:
    hit = wins(house, SMALL)
    house.start()
    if sealed:
        house.seal()
    house.pay(hit, "J2", 2, 5_000)
    house.check()
    assert house.model.running == START_CENTS


@pytest.mark.parametrize("sealed", [False, True])
def test_article_50_who_was_paid_too_much_is_not_paid_once_more(house: House, sealed: bool) -> None:
    house.start()
    hit = wins(house, SMALL)
    house.pay(hit, "J2", 2, 6_000)  # more than is held for the win: the meter gives none of it
    house.check()
    if sealed:
        house.seal()
    house.pay(hit, "J2", 2, 5_000, again=True)
    house.check()
    assert house.model.held == 5_000


@pytest.mark.parametrize("sealed", [False, True])
def test_article_44_a_pot_that_is_back_is_not_put_in_again(house: House, sealed: bool) -> None:
    house.start()
    house.withdraw(wins(house, THE_POT))
    if sealed:
        house.seal()
    house.start()
    house.check()
    assert house.model.running == START_CENTS


@pytest.mark.parametrize("sealed", [False, True])
def test_article_44_an_empty_meter_is_started_again_whichever_win_is_withdrawn(
    house: House, sealed: bool
) -> None:
    house.start()
    wins(house, THE_POT)
    nothing = wins(house, THE_POT, table=THERE)
    if sealed:
        house.seal()
    house.withdraw(nothing)
    house.start()
    house.check()
    assert house.model.running == START_CENTS


def test_article_44_a_pot_handed_out_and_then_withdrawn_is_put_in_again(house: House) -> None:
    house.start()
    hit = wins(house, THE_POT)
    house.pay(hit, "J1", 1, START_CENTS)
    house.withdraw(hit)
    house.check()
    house.start()
    house.check()
    assert house.model.running == START_CENTS


def test_article_41_a_correction_lies_between_the_chips_before_and_after_it(house: House) -> None:
    house.start()
    house.lay(increment((1, "J1", 6), table=HERE), EVENING)
    wins(house, THE_POT)
    chips = house.chips[0]
    house.correct(chips, other_chips(chips.event, 1, POOL), EVENING)
    house.decide(house.waiting[0], "approved")  # there is less on the meter than it would take
    house.check()
    house.lay(increment((1, "J1", 6), table=HERE), EVENING)
    house.check()


@pytest.mark.parametrize("first", [(), (POOL,), (OTHER,)])
def test_article_41_a_partida_feeds_the_pool_it_was_opened_with(
    databases: Any, book_template: str, django_db_setup: None, django_db_blocker: Any, first: Any
) -> None:
    with django_db_blocker.unblock():
        house = House(databases, book_template)
        house.open("automatic", (first, (POOL,), (OTHER,)))
        for jackpot in house.models:
            house.start(jackpot)
        for pools in ((POOL,), (OTHER,)):
            opened(HERE, pools)
        house.lay(staked((1, "J1", 1), table=HERE), EVENING)
        house.check()
        fed = [queries.displayed(jackpot) - START_CENTS for jackpot in house.models]
        assert fed == [6 * (first == (POOL,)), 6 * (first == (OTHER,))]
        house.close()


def test_article_50_a_share_is_paid_out_of_what_was_there_whatever_is_paid_first(
    house: House,
) -> None:
    house.start()
    hit = wins(house, ("J3", 3, SEVENS), SMALL, THE_POT, ("J4", 4, TOP))
    for owner, box, cents in reversed(house.model.prizes[hit.receipt.n]):
        house.pay(hit, owner, box, cents)
        house.check()
    assert house.model.held == 0
