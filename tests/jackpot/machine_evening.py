"""An evening of a pool as it might be recorded in order, with all that has ever gone wrong in it.

Every act is followed by the comparison of `machine_house`: what the random life comes upon after
many stories lies here within fifty acts.
"""

from datetime import timedelta
from typing import Any

import pytest

from casino.recording import Refused
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    SEVENS,
    TOP,
    increment,
    opened,
    staked,
    terms_of,
)
from tests.factories.records import EVENING, recorded
from tests.jackpot.machine_house import (
    LATE,
    OTHER,
    TABLES,
    House,
    other_chips,
    otherwise_named,
)

HERE, THERE, ELSEWHERE = TABLES


def evening(house: House, marking: str) -> None:
    """From the first terms to the last payment, two pools and three tables."""
    house.open(marking)
    house.start(OTHER)
    _lay(house, marking, (1, "J1", 4), (2, "J2", 1), table=HERE, at=EVENING)
    house.start()
    house.check()
    _corrections(house, marking)  # of what was recorded before the start
    _chips_and_seals(house, marking)
    _corrections(house, marking)
    _other_terms(house, marking)
    _wins(house, marking)
    house.check()


def _lay(house: House, marking: str, *laid: tuple[int, str, int], table: str, at: Any) -> None:
    """The same chips by both sources: the first is evidence, the other feeds the meter."""
    jackpot = OTHER if table == ELSEWHERE else POOL
    house.place += 1
    events = [
        increment(*laid, table=table, jackpot=jackpot, chip_cents=250),
        staked(*laid, table=table, place=house.place),
    ]
    for event in events[::-1] if marking == "manual" else events:
        house.lay(event, at)
        house.check()


def _chips_and_seals(house: House, marking: str) -> None:
    for table in (HERE, THERE, HERE, ELSEWHERE):
        _lay(house, marking, (1, "J1", 2), (2, "J2", 1), table=table, at=EVENING)
        house.seal()
        house.check()
    opened(HERE, (OTHER,))
    _lay(house, marking, (1, "J1", 1), table=HERE, at=EVENING)
    house.restart()


def _corrections(house: House, marking: str, at: Any = EVENING) -> None:
    for decision, other in (("refused", 5), ("approved", 6), ("approved", 1)):
        original = next(one for one in house.chips if _feeds(one, marking))
        house.chips.remove(original)
        house.correct(original, other_chips(original.event, other, POOL), at)
        house.check()
        house.seal()
        house.decide(house.waiting.pop(), decision)
        house.check()


def _feeds(one: Any, marking: str) -> bool:
    return hasattr(one.event, "jackpot") == (marking == "manual") and one.event.table == HERE


def _other_terms(house: House, marking: str) -> None:
    half = timedelta(minutes=30)
    for since, stake, tables in ((EVENING + half, 500, None), (EVENING, 333, (THERE,))):
        house.place += 1
        event = terms_of(
            terms=f"T-{house.place}",
            valid_from=since,
            stake_cents=stake,
            rate_millionths=10_001,
            marking=marking,
            tables=tables,
        )
        house.propose(event)
        _lay(house, marking, (1, "J1", 1), table=HERE, at=LATE)
        house.confirm(house.proposed.pop(), max(since, EVENING + half / 2))
        house.check()
        for table in (HERE, THERE):
            for at in (EVENING, EVENING + half * 3 / 4, LATE):  # before, under each of both
                _lay(house, marking, (3, "J3", 1), table=table, at=at)
        _corrections(house, marking, LATE)  # of what was recorded before them


def _wins(house: House, marking: str) -> None:
    hits = []
    for winners in (
        (("J5", 5, ACE_JACK),),
        (("J3", 3, SEVENS), ("J2", 2, ACE_JACK), ("J1", 1, TOP), ("J4", 4, TOP)),
        (("J1", 1, TOP),),
    ):
        hits.append(house.won(house.record(house.winning(winners, HERE))))
        house.check()
        for which in range(3):
            with pytest.raises(Refused, match="recorded already"):
                recorded(otherwise_named(hits[-1].event, which))
        _lay(house, marking, (1, "J1", 3), table=THERE, at=LATE)
        house.seal()
        house.check()
    (_, owner, box, cents), *rest = house.unpaid
    house.pay(hits[0], owner, box, cents)
    house.check()
    with pytest.raises(Refused, match="was paid this prize already"):
        house.pay(hits[0], owner, box, cents)
    (hit, owner, box, cents), *_ = rest
    for part in (cents - 1_000, 1_000):  # a little too little, and the rest of it
        house.pay(hit, owner, box, part)
        house.check()
        house.seal()
        house.check()
    house.pay(hit, owner, box, cents, again=True)
    house.check()
    house.withdraw(hits[2])
    house.start()
    house.check()
    for hit, owner, box, cents in house.unpaid:
        house.pay(hit, owner, box, cents)
        house.check()
    _too_much_is_corrected(house, marking)


def _too_much_is_corrected(house: House, marking: str) -> None:
    """Chips that were none, after they were won: the correction lies between other chips."""
    _lay(house, marking, (1, "J1", 6), table=HERE, at=LATE)
    original = [one for one in house.chips if _feeds(one, marking)][-1]
    house.chips.remove(original)
    house.won(house.record(house.winning((("J1", 1, TOP),), HERE)))
    house.correct(original, other_chips(original.event, 1, POOL), LATE)
    before = house.model.running
    house.decide(house.waiting.pop(), "approved")
    house.check()
    assert house.model.running == before  # there is less than it would take
    _lay(house, marking, (1, "J1", 6), table=THERE, at=LATE)
    house.adjust(1, "device_fault")
    house.check()
