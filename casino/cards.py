"""The cards on the table: their codes, what they count, and the totals they make.

A card is a two-character code, rank then suit: ``"AS"``, ``"TD"``, ``"7H"``. A source that kept no
suits writes ``?`` for the suit (``"7?"``); one that knows only that a card counted ten writes ``X``
for the rank (``"X?"``).

Law: PT art. 1 (blackjack), 6 (values).
"""

from collections.abc import Sequence
from typing import Final

Card = str

RANKS: Final = "A23456789TJQKX"
SUITS: Final = "CDHS?"
UNKNOWN_SUIT: Final = "?"
UNKNOWN_TEN: Final = "X"
CODES: Final[frozenset[Card]] = frozenset(rank + suit for rank in RANKS for suit in SUITS)

# What each card counts with the ace as 1; the ace's other ten points are added by `best_total`.
VALUE: Final[dict[Card, int]] = {
    rank + suit: 10 if rank in "TJQKX" else 1 if rank == "A" else int(rank)
    for rank in RANKS
    for suit in SUITS
}


def is_ace(card: Card) -> bool:
    """Whether the card is an ace. Law: PT art. 6 a)."""
    return card[0] == "A"


def hard_total(cards: Sequence[Card]) -> int:
    """Points with every ace counted as 1. Law: PT art. 6."""
    return sum([VALUE[card] for card in cards])


def best_total(cards: Sequence[Card]) -> int:
    """Points with one ace counted as 11 where that does not pass 21, else all as 1.

    The same arithmetic serves player and bank: the bank's ace counts 11 exactly where that gives 17
    to 21, and below 17 the bank draws under either count. Law: PT art. 6 a).
    """
    points = 0
    ace = False
    for card in cards:
        value = VALUE[card]
        points += value
        if value == 1:
            ace = True
    return points + 10 if ace and points <= 11 else points


def is_blackjack(cards: Sequence[Card]) -> bool:
    """Whether exactly these two cards are an ace and a card that counts ten. Law: PT art. 1 a)."""
    return (
        len(cards) == 2
        and VALUE[cards[0]] + VALUE[cards[1]] == 11
        and 1 in (VALUE[cards[0]], VALUE[cards[1]])
    )
