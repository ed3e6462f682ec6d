"""How sensible players play: a basic strategy with some spread between people."""

from dataclasses import dataclass
from random import Random
from typing import Final

from casino.cards import VALUE, Card, best_total, hard_total
from casino.events.round.round_played import Action


@dataclass(frozen=True, slots=True)
class Style:
    """What a person is like; each a probability."""

    insures: float
    even_money: float
    gives_up: float
    bold: float  # doubles, splits tens
    chases: float  # draws for the special prize
    slips: float  # draws or stands against the book


STYLES: Final = (
    Style(0.10, 0.30, 0.50, 0.05, 0.50, 0.01),
    Style(0.40, 0.60, 0.30, 0.15, 0.80, 0.05),
    Style(0.05, 0.10, 0.80, 0.30, 0.60, 0.02),
    Style(0.60, 0.90, 0.05, 0.50, 0.95, 0.15),
)

# Bank's open card (1 to 10) against which a pair of this value is split.
_SPLIT: Final[dict[int, frozenset[int]]] = {
    1: frozenset(range(1, 11)),
    2: frozenset(range(2, 8)),
    3: frozenset(range(2, 8)),
    4: frozenset({5, 6}),
    5: frozenset(),
    6: frozenset(range(2, 7)),
    7: frozenset(range(2, 8)),
    8: frozenset(range(1, 11)),
    9: frozenset({2, 3, 4, 5, 6, 8, 9}),
    10: frozenset(),
}
_DOUBLE: Final[dict[int, frozenset[int]]] = {
    9: frozenset({3, 4, 5, 6}),
    10: frozenset(range(2, 10)),
    11: frozenset(range(2, 11)),
}
_GIVE_UP: Final = frozenset({(16, 9), (16, 10), (15, 10)})


def may_double(cards: list[Card]) -> bool:
    """Two cards of 9, 10 or 11; A-8 and A-9 count, an ace with a ten does not. Law: PT art. 29."""
    if len(cards) != 2:
        return False
    total = hard_total(cards)
    return total in (9, 10) or (total == 11 and cards[0][0] != "A" and cards[1][0] != "A")


def is_pair(cards: list[Card]) -> bool:
    """Two cards of equal value. Law: PT art. 26."""
    return len(cards) == 2 and VALUE[cards[0]] == VALUE[cards[1]]


def decide(cards: list[Card], up: int, style: Style, rng: Random, *, split: bool) -> Action:
    """What the player does with a hand below 21 that may still draw.

    `up` is the value of the bank's open card (ace 1), `split` whether the hand comes of a split.
    """
    if len(cards) == 2:
        if _chases(cards) and rng.random() < style.chases:
            return "hit"
        early = _first_choice(cards, up, style, rng, split)
        if early is not None:
            return early
    total = best_total(cards)
    draws = _draws(cards, total, up)
    if 12 <= total <= 18 and rng.random() < style.slips:
        draws = not draws
    return "hit" if draws else "stand"


def _first_choice(
    cards: list[Card], up: int, style: Style, rng: Random, split: bool
) -> Action | None:
    """Split, double or surrender, where the first two cards are for it."""
    value = VALUE[cards[0]]
    if value == VALUE[cards[1]]:
        if up in _SPLIT[value] or (value == 10 and rng.random() < 0.1 * style.bold):
            return "split"
    total = hard_total(cards)
    soft = cards[0][0] == "A" or cards[1][0] == "A"
    if total in _DOUBLE and may_double(cards):
        if soft:
            if rng.random() < style.bold:
                return "double"
        elif up in _DOUBLE[total] or rng.random() < 0.05:
            return "double"
    if not split and not soft and (total, up) in _GIVE_UP and rng.random() < style.gives_up:
        return "surrender"
    return None


def _draws(cards: list[Card], total: int, up: int) -> bool:
    """Whether the book says draw."""
    if total <= 11:
        return True
    if hard_total(cards) != total:
        return total <= 17 or (total == 18 and up in (1, 9, 10))
    if total >= 17:
        return False
    return up not in (4, 5, 6) if total == 12 else not 2 <= up <= 6


def _chases(cards: list[Card]) -> bool:
    """Whether a third card could earn the special prize. Law: PT art. 35."""
    first, second = VALUE[cards[0]], VALUE[cards[1]]
    if first == second:
        return first == 7
    return 6 <= first <= 8 and 6 <= second <= 8 and cards[0][1] == cards[1][1]
