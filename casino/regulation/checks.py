"""Every check of the house by name, and which of them a rulebook asks on a given day.

The modules list their checks themselves; a rulebook says which it upholds, and under which article.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from casino.regulation import betting, dealing, decisions, options, settlement, shoe, splitting
from casino.regulation.finding import Check
from casino.regulation.law import LawInForce

ALL_CHECKS: Final[dict[str, Check]] = {
    check.name: check
    for room in (betting, dealing, decisions, splitting, options, settlement, shoe)
    for check in room.CHECKS
}


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The checks one rulebook asks, by what they look at."""

    upheld: frozenset[str]
    rounds: tuple[Check, ...]
    boxes: tuple[Check, ...]
    hands: tuple[Check, ...]
    drawn: tuple[Check, ...]
    surrendered: tuple[Check, ...]
    doubled: tuple[Check, ...]
    split: tuple[Check, ...]
    stakes: tuple[Check, ...]
    sides: tuple[Check, ...]


@lru_cache(maxsize=64)
def plan_of(rules: LawInForce) -> Plan:
    """The checks this law in force upholds: those its articles name and whose parameters it
    states.
    """
    asked = [
        check
        for check in ALL_CHECKS.values()
        if rules.article_of(check.name) is not None
        and all(rules.states(name) for name in check.needs)
    ]

    def of(scope: str) -> tuple[Check, ...]:
        return tuple(check for check in asked if check.scope == scope)

    return Plan(
        frozenset(check.name for check in asked),
        of("round"),
        of("box"),
        of("hand"),
        of("drawn"),
        of("surrendered"),
        of("doubled"),
        of("split"),
        of("stake"),
        of("side"),
    )
