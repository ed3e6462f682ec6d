"""Every rule of the house by name, and which of them a rulebook asks on a given day.

The modules themselves are read; a rulebook says which rules it upholds, and under which article.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Final, get_args

from casino.law import shoe_rounds
from casino.law.checks.rounds import (
    betting,
    card_frequency,
    dealing,
    dealt_order,
    decisions,
    hidden_cards,
    options,
    shoe_frequency,
    splitting,
)
from casino.law.checks.shoe import (
    cuts,
    last_round,
    out_of_play,
    shoe_devices,
    shoe_ends,
    shoe_preparation,
    two_cuts,
)
from casino.law.checks.shuffler import (
    cards_put_back,
    decks_ordered,
    hands_in_shuffler,
    inside_shuffler,
    load_checks,
    shuffler_devices,
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
    money_at_table,
    offices_of_acts,
    one_partida_each,
    stake_devices,
    table_setup,
)
from casino.law.finding import LAWFUL, Check, Rule, Scope, Verdict
from casino.law.rounds import settlement
from casino.law.rulebook import jackpot_law
from casino.law.rulebook.rulebook import LawInForce


def rules_in(module: ModuleType) -> tuple[Rule, ...]:
    """The rules, checks among them, that a module declares, in its order."""
    return tuple(value for value in vars(module).values() if isinstance(value, Rule))


_OF_ROUNDS: Final = (betting, dealing, decisions, splitting, options)
_OF_GAMES: Final = (
    *(table_setup, decks_exhibited, deck_condition, cuts, shoe_preparation, last_round),
    *(attested_at_closing, load_checks, shuffler_troubles, hands_in_shuffler, inside_shuffler),
    *(unload_checks, decks_ordered, one_partida_each, in_use_elsewhere, shoe_ends),
    *(inspection_service, offices_of_acts, out_of_play, cards_put_back, complaints_heard),
    *(shuffler_devices, shoe_devices, stake_devices, two_cuts),
    money_at_table,
)
_OF_CARDS: Final = (card_frequency, shoe_frequency, dealt_order, hidden_cards)
_ACROSS: Final = (shoe_rounds, *_OF_CARDS, jackpot_law)

ALL_CHECKS: Final[dict[str, Rule]] = {
    rule.name: rule
    for rules in (settlement.RULES, *map(rules_in, (*_OF_ROUNDS, *_OF_GAMES, *_ACROSS)))
    for rule in rules
}

# What a check looks at where a single round shows it.
OF_A_ROUND: Final = {
    *("round", "misdealt", "taken_out", "vacant", "box", "hand", "drawn", "surrendered"),
    *("doubled", "split", "stake", "side", "money"),
}

# A check as rounds are asked it: its question, and the outcome written down when the law was kept.
Asked = tuple[Callable[..., Verdict], tuple[str, str]]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What one rulebook asks: the names it upholds, and its checks by what they look at."""

    upheld: frozenset[str]
    checks: Mapping[Scope, tuple[Check, ...]]
    asked: Mapping[Scope, tuple[Asked, ...]]


@lru_cache(maxsize=64)
def plan_of(rules: LawInForce) -> Plan:
    """The checks this law in force upholds.

    Those are the checks its articles name, if it states their parameters and none of them says no.
    """
    upheld = [
        rule
        for rule in ALL_CHECKS.values()
        if rules.article_of(rule.name) is not None
        and all(rules.states(name) and rules[name] is not False for name in rule.needs)
    ]
    checks = {
        scope: tuple(one for one in upheld if isinstance(one, Check) and one.scope == scope)
        for scope in get_args(Scope)
    }
    asked = {
        scope: tuple((one if one.only else one.run, (one.name, LAWFUL)) for one in those)
        for scope, those in checks.items()
    }
    return Plan(frozenset(rule.name for rule in upheld), checks, asked)
