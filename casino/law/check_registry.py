"""Every check of the house by name, and which of them a rulebook asks on a given day.

The modules list their checks themselves; a rulebook says which it upholds, and under which article.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from casino.law import shoe_rounds as shoe
from casino.law.checks.rounds import betting, dealing, decisions, options, splitting
from casino.law.checks.rounds import card_frequency as suspicion
from casino.law.checks.shoe import cuts as floor_cuts
from casino.law.checks.shoe import last_round as floor_last_round
from casino.law.checks.shoe import out_of_play as floor_out_of_play
from casino.law.checks.shoe import shoe_ends as floor_shoe_ends
from casino.law.checks.shoe import shoe_preparation as floor_shoes
from casino.law.checks.shuffler import cards_put_back as floor_put_back
from casino.law.checks.shuffler import decks_ordered as floor_ordering
from casino.law.checks.shuffler import hands_in_shuffler as floor_handled
from casino.law.checks.shuffler import inside_shuffler as floor_machine
from casino.law.checks.shuffler import load_checks as floor_shufflers
from casino.law.checks.shuffler import shuffler_troubles as floor_troubles
from casino.law.checks.shuffler import unload_checks as floor_unloading
from casino.law.checks.table import attested_at_closing as floor_attested
from casino.law.checks.table import complaints_heard as floor_complaints
from casino.law.checks.table import deck_condition as floor_condition
from casino.law.checks.table import decks_exhibited as floor_decks
from casino.law.checks.table import in_use_elsewhere as floor_in_use
from casino.law.checks.table import inspection_service as floor_inspection
from casino.law.checks.table import offices_of_acts as floor_people
from casino.law.checks.table import one_partida_each as floor_one_game
from casino.law.checks.table import table_setup as floor_table
from casino.law.finding import LAWFUL, Check, Result
from casino.law.rounds import settlement
from casino.law.rulebook import jackpot_law
from casino.law.rulebook.rulebook_file import LawInForce

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
