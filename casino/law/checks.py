"""Every check of the house by name, and which of them a rulebook asks on a given day.

The modules list their checks themselves; a rulebook says which it upholds, and under which article.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from casino.law import (
    betting,
    dealing,
    decisions,
    floor_attested,
    floor_complaints,
    floor_condition,
    floor_cuts,
    floor_decks,
    floor_handled,
    floor_in_use,
    floor_inspection,
    floor_last_round,
    floor_machine,
    floor_one_game,
    floor_ordering,
    floor_out_of_play,
    floor_people,
    floor_put_back,
    floor_shoe_ends,
    floor_shoes,
    floor_shufflers,
    floor_table,
    floor_troubles,
    floor_unloading,
    jackpot_law,
    options,
    settlement,
    shoe,
    splitting,
    suspicion,
)
from casino.law.finding import LAWFUL, Check, Result
from casino.law.law import LawInForce

ALL_CHECKS: Final[dict[str, Check]] = {
    check.name: check
    for room in (
        *(betting, dealing, decisions, splitting, options, settlement, shoe),
        *(floor_table, floor_decks, floor_condition, floor_cuts, floor_shoes, floor_last_round),
        *(
            floor_attested,
            floor_shufflers,
            floor_troubles,
            floor_handled,
            floor_machine,
            floor_unloading,
            floor_ordering,
            floor_one_game,
            floor_in_use,
            floor_shoe_ends,
            floor_inspection,
        ),
        *(
            floor_people,
            floor_out_of_play,
            floor_put_back,
            floor_complaints,
            jackpot_law,
            suspicion,
        ),
    )
    for check in room.CHECKS
}

# A check as the bench asks it: its question, and the outcome written down when the law was kept.
Asked = tuple[Callable[..., Result], tuple[str, str]]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The checks one rulebook asks, by what they look at."""

    upheld: frozenset[str]
    rounds: tuple[Asked, ...]
    misdealt: tuple[Asked, ...]
    taken_out: tuple[Asked, ...]
    vacant: tuple[Asked, ...]
    boxes: tuple[Asked, ...]
    hands: tuple[Asked, ...]
    drawn: tuple[Asked, ...]
    surrendered: tuple[Asked, ...]
    doubled: tuple[Asked, ...]
    split: tuple[Asked, ...]
    stakes: tuple[Asked, ...]
    sides: tuple[Asked, ...]


@lru_cache(maxsize=64)
def plan_of(rules: LawInForce) -> Plan:
    """The checks this law in force upholds.

    Those are the checks its articles name, if it states their parameters and none of them says no.
    """
    asked = [
        check
        for check in ALL_CHECKS.values()
        if rules.article_of(check.name) is not None
        and all(rules.states(name) and rules[name] is not False for name in check.needs)
    ]

    def of(scope: str) -> tuple[Asked, ...]:
        return tuple(
            (check.run, (check.name, LAWFUL))
            for check in asked
            if check.scope == scope and check.run is not None
        )

    return Plan(
        frozenset(check.name for check in asked),
        of("round"),
        of("misdealt"),
        of("taken_out"),
        of("vacant"),
        of("box"),
        of("hand"),
        of("drawn"),
        of("surrendered"),
        of("doubled"),
        of("split"),
        of("stake"),
        of("side"),
    )
