"""Mistakes in how a pool is kept in the database: whoever looks at each act notices them all."""

import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from casino.events import Malformed
from tests.faults.changes import changed
from tests.faults.planting import Bug, bug
from tests.gate import ROOT, drawn
from tests.jackpot.machine_evening import evening
from tests.jackpot.machine_house import House
from tests.jackpot.machine_planting import mistaken
from tests.jackpot.machine_waiting import (
    a_win_waits_for_chips_on_their_way_and_wins_them,
    laid,
    played,
)
from tests.jackpot.pool_machine import PoolMachine

TABLE: Final = Path(__file__).parent / "machine_bugs.toml"
BUGS: Final = [bug(value) for value in tomllib.loads(TABLE.read_text(encoding="utf-8"))["bug"]]
LEAST: Final = 16
MONEY: Final = [one for one in BUGS if one.file != "jackpot/models/locks.py"]
WAITING: Final = [one for one in BUGS if one.file == "jackpot/models/locks.py"]
# A seal that does not add up is refused by its own form.
NOTICED: Final = (AssertionError, pytest.fail.Exception, Malformed)
LONG: Final = settings(
    max_examples=200,
    stateful_step_count=40,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),
)


def called(one: Bug) -> str:
    """What a bug is called."""
    return one.id


def test_there_are_enough_mistakes() -> None:
    assert len(MONEY) >= LEAST
    assert len(WAITING) == 2


@pytest.mark.parametrize("one", BUGS, ids=called)
def test_a_mistake_has_a_place_in_the_program(one: Bug) -> None:
    source = (ROOT / one.file).read_text(encoding="utf-8")
    compile(changed(source, one.name, one.change), one.file, "exec")


def both_evenings(databases: Any, template: str) -> None:
    """Chips recorded by hand, and chips told by the rounds."""
    for marking in ("manual", "automatic"):
        house = House(databases, template)
        try:
            evening(house, marking)
        finally:
            house.close()


@pytest.mark.check
def test_articles_40_to_50_an_evening_told_in_order(
    databases: Any, book_template: str, django_db_setup: None, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock():
        both_evenings(databases, book_template)


@pytest.mark.check
@pytest.mark.parametrize("one", drawn(MONEY, 2), ids=called)
def test_the_evening_notices_a_mistake(
    one: Bug, databases: Any, book_template: str, django_db_setup: None, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock(), mistaken(one), pytest.raises(NOTICED):
        both_evenings(databases, book_template)


@pytest.mark.soak
@pytest.mark.parametrize("one", MONEY[::4], ids=called)
def test_a_life_at_random_notices_a_mistake(
    one: Bug, databases: Any, book_template: str, django_db_setup: None, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock(), mistaken(one), pytest.raises(NOTICED):
        run_state_machine_as_test(lambda: PoolMachine(databases, book_template), settings=LONG)


@pytest.mark.parametrize("one", WAITING, ids=called)
def test_who_does_not_wait_is_noticed(one: Bug, fresh_db: str) -> None:
    marking, lay = (
        ("automatic", played)
        if one.id == "contributions-of-rounds-beside-a-win"
        else ("manual", laid)
    )
    with mistaken(one), pytest.raises(NOTICED):
        a_win_waits_for_chips_on_their_way_and_wins_them(marking, lay)
