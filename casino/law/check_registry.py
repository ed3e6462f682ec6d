"""Every check of the house by name, and which of them a rulebook asks on a given day.

The modules list their checks themselves; a rulebook says which it upholds, and under which article.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from casino.law import shoe_rounds
from casino.law.checks.rounds import betting, card_frequency, dealing, decisions, options, splitting
from casino.law.checks.shoe import cuts, last_round, out_of_play, shoe_ends, shoe_preparation
from casino.law.checks.shuffler import (
    cards_put_back,
    decks_ordered,
    hands_in_shuffler,
    inside_shuffler,
    load_checks,
    shuffler_troubles,
    unload_checks,
)
from casino.law.checks.table import (
    attested_at_closing,
    complaints_heard,
    deck_condition,
    decks_exhibited,
    in_use_elsewhere,
    inspection_service,
    offices_of_acts,
    one_partida_each,
    table_setup,
)
from casino.law.finding import LAWFUL, Check, Result
from casino.law.rounds import settlement
from casino.law.rulebook import jackpot_law
from casino.law.rulebook.rulebook import LawInForce

ALL_CHECKS: Final[dict[str, Check]] = {
    check.name: check
    for room in (
        *(betting, dealing, decisions, splitting, options, settlement, shoe_rounds),
        *(table_setup, decks_exhibited, deck_condition, cuts, shoe_preparation, last_round),
        *(
            attested_at_closing,
            load_checks,
            shuffler_troubles,
            hands_in_shuffler,
            inside_shuffler,
            unload_checks,
            decks_ordered,
            one_partida_each,
            in_use_elsewhere,
            shoe_ends,
            inspection_service,
        ),
        *(
            offices_of_acts,
            out_of_play,
            cards_put_back,
            complaints_heard,
            jackpot_law,
            card_frequency,
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
