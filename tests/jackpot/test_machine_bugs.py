"""Mistakes in how a pool is kept in the database: whoever looks at each act notices them all."""

import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from casino.facts import Malformed
from tests.faults.test_planted_bugs import Bug, planted
from tests.gate import ROOT, SOAK
from tests.jackpot import test_machine_locks as locks
from tests.jackpot.machine_evening import evening
from tests.jackpot.machine_house import House
from tests.jackpot.machine_planting import mistaken
from tests.jackpot.test_machine import PoolMachine

BUGS: Final[list[Bug]] = tomllib.loads(
    (Path(__file__).parent / "machine_bugs.toml").read_text(encoding="utf-8")
)["bug"]
MONEY: Final = [bug for bug in BUGS if bug["file"] != "jackpot/models/locks.py"]
WAITING: Final = [bug for bug in BUGS if bug["file"] == "jackpot/models/locks.py"]
# A seal that does not add up is refused by its own form.
NOTICED: Final = (AssertionError, pytest.fail.Exception, Malformed)
LONG: Final = settings(
    max_examples=200,
    stateful_step_count=40,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),
)


def named(bug: Bug) -> str:
    """What a bug is called."""
    return str(bug["id"])


@pytest.mark.parametrize("bug", BUGS, ids=named)
def test_a_mistake_stands_where_it_can_be_planted(bug: Bug) -> None:
    source = (ROOT / bug["file"]).read_text(encoding="utf-8")
    assert set(bug) == {"id", "file", "before", "after", "breaks"}
    compile(planted(source, bug), bug["file"], "exec")


def both_evenings(databases: Any, template: str) -> None:
    """Chips told by hand, and chips told by the rounds."""
    for marking in ("manual", "automatic"):
        house = House(databases, template)
        try:
            evening(house, marking)
        finally:
            house.close()


def test_articles_40_to_50_an_evening_told_in_order(
    databases: Any, book_template: str, django_db_setup: None, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock():
        both_evenings(databases, book_template)


@pytest.mark.parametrize("bug", MONEY if SOAK else MONEY[::3], ids=named)
def test_the_evening_notices_a_mistake(
    bug: Bug, databases: Any, book_template: str, django_db_setup: None, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock(), mistaken(bug), pytest.raises(NOTICED):
        both_evenings(databases, book_template)


@pytest.mark.soak
@pytest.mark.parametrize("bug", MONEY[::4], ids=named)
def test_a_life_at_random_notices_a_mistake(
    bug: Bug, databases: Any, book_template: str, django_db_setup: None, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock(), mistaken(bug), pytest.raises(NOTICED):
        run_state_machine_as_test(lambda: PoolMachine(databases, book_template), settings=LONG)


@pytest.mark.parametrize("bug", WAITING, ids=named)
def test_who_does_not_wait_is_noticed(bug: Bug, fresh_db: str) -> None:
    marking, lay = (
        ("automatic", locks.played) if "WHAT" in bug["before"] else ("manual", locks.laid)
    )
    with mistaken(bug), pytest.raises(NOTICED):
        locks.test_article_50_a_win_waits_for_chips_on_their_way_and_wins_them(marking, lay)
