"""What is handed back: the simulation's own table of payments.

Written from the text of the regulation and the readings named in docs/simulation.md, by another
hand than the engine's and without sight of it. All amounts are whole cents with the stake itself
included; where half a cent is left over the player gets the whole one.

Law: PT art. 1, 6, 20 to 25, 32 to 36.
"""

from collections.abc import Sequence
from typing import Final, Literal

from casino.cards import VALUE, Card, best_total, hard_total, is_ace, is_blackjack

Result = Literal["natural", "natural_null", "over", "nearer", "farther", "equal", "given_up"]

# (numerator, denominator) of the stake handed back, and the article that fixes it.
TABLE: Final[dict[Result, tuple[int, int, str]]] = {
    "natural": (5, 2, "21"),  # vez e meia: 3 for 2, and the stake
    "natural_null": (1, 1, "21"),
    "over": (0, 1, "22"),
    "nearer": (2, 1, "23"),
    "farther": (0, 1, "23"),
    "equal": (1, 1, "24"),
    "given_up": (1, 2, "36"),
}

SPECIAL_TIMES: Final = 3
_SPECIAL_RANKS: Final = (6, 7, 8)


def share(cents: int, numerator: int, denominator: int) -> int:
    """That fraction of an amount in whole cents, a broken cent made whole for the player."""
    return -(-cents * numerator // denominator)


def handed_back(result: Result, stake_cents: int) -> int:
    """Everything handed back for a main stake. Law: PT art. 21 to 25, 36."""
    numerator, denominator, _ = TABLE[result]
    return share(stake_cents, numerator, denominator)


def article_of(result: Result) -> str:
    """The article that fixes the amount for a result."""
    return TABLE[result][2]


def doubled_with_ace_as_one(first_two: Sequence[Card]) -> bool:
    """Whether a double on these two counted an ace as 1 to have 9 or 10. Law: PT art. 32."""
    return (is_ace(first_two[0]) or is_ace(first_two[1])) and hard_total(first_two) in (9, 10)


def points_of(cards: Sequence[Card], *, doubled: bool = False) -> int:
    """The points of a player's hand; after a double on A-8 or A-9 that ace stays 1.

    An ace drawn afterwards is free. Law: PT art. 6, 32.
    """
    if doubled and len(cards) > 2 and doubled_with_ace_as_one(cards[:2]):
        points = hard_total(cards)
        drawn_ace = any(is_ace(card) for card in cards[2:])
        return points + 10 if drawn_ace and points <= 11 else points
    return best_total(cards)


def result_of(points: int, natural: bool, bank_points: int, bank_natural: bool) -> Result:
    """How a hand stands against the bank. `natural`: blackjack of an initial bet, not of a split.

    A total over 21 never counts, the bank's included. Law: PT art. 1, 20 to 24.
    """
    if points > 21:
        return "over"
    if natural:
        return "natural_null" if bank_natural else "natural"
    if bank_natural:
        return "farther"
    if bank_points > 21 or points > bank_points:
        return "nearer"
    return "equal" if points == bank_points else "farther"


def insurance_back(stake_cents: int, bank_natural: bool) -> int:
    """Twice the insurance and the insurance itself, or nothing. Law: PT art. 33."""
    return 3 * stake_cents if bank_natural else 0


def even_money_back(stake_cents: int) -> int:
    """The stake and as much again. Law: PT art. 34."""
    return 2 * stake_cents


def special_prize(stake_cents: int) -> int:
    """The special prize for this stake on the hand. Law: PT art. 35."""
    return SPECIAL_TIMES * stake_cents


def earns_special(first_three: Sequence[Card]) -> bool:
    """Whether three cards are 6-7-8 of one suit in any order, or three sevens. Law: PT art. 35."""
    if len(first_three) != 3:
        return False
    a, b, c = first_three
    if VALUE[a] == VALUE[b] == VALUE[c] == 7:
        return True
    if sorted((VALUE[a], VALUE[b], VALUE[c])) != list(_SPECIAL_RANKS):
        return False
    return a[1] == b[1] == c[1] != "?"


def is_natural(cards: Sequence[Card], *, split: bool) -> bool:
    """Whether these are a blackjack: ace and ten-valued card, never after a split.

    Law: PT art. 1, 20.
    """
    return not split and is_blackjack(cards)
