"""A combination: what it asks of the first cards a player was dealt, and whether they make it.

A combination of n cards looks at the first n cards that count and at no others, in any order among
themselves. It knows nothing of totals, decisions or the bank: whatever became of the main stake,
the same cards make the same combination.

Law: PT art. 42, 43, 46.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, combinations_with_replacement, permutations, product
from typing import Final, Literal

from casino.cards import UNKNOWN_SUIT, UNKNOWN_TEN, Card

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
RED: Final = "DH"
TENS: Final = "TJQK"
PACK: Final[tuple[Card, ...]] = tuple(rank + suit for rank in RANKS for suit in SUITS)

RanksTogether = Literal["any", "same", "sequence"]
SuitsTogether = Literal["any", "same", "colour"]

# Ranks in a row as bits: the ace stands below the 2 and above the king, and joins no two ends.
_ROW: Final = RANKS + "A"
_BIT: Final = {rank: 1 << RANKS.index(rank) for rank in RANKS}


@cache
def _rows(cards: int) -> tuple[int, ...]:
    """Every run of so many ranks, as bits."""
    starts = range(len(_ROW) - cards + 1)
    return tuple(sum(_BIT[rank] for rank in _ROW[start : start + cards]) for start in starts)


@dataclass(frozen=True, slots=True)
class Combination:
    """What a combination asks, by its code.

    `places` holds for each card it looks at the cards that may lie there, the order left free;
    `ranks` and `suits` what all of them together have to be. ``"colour"`` is all red or all black.
    """

    code: str
    places: tuple[frozenset[Card], ...]
    ranks: RanksTogether = "any"
    suits: SuitsTogether = "any"
    alike: bool = field(init=False)  # whether the same cards may lie in every place

    def __post_init__(self) -> None:
        object.__setattr__(self, "alike", len(set(self.places)) == 1)

    @property
    def cards(self) -> int:
        """How many cards it looks at."""
        return len(self.places)

    def fits(self, cards: Sequence[Card]) -> bool:
        """Whether known cards may be among those that make it; all of them: whether they do."""
        rank, suit = cards[0][0], cards[0][1]
        red = suit in RED
        for card in cards:
            if self.ranks == "same" and card[0] != rank:
                return False
            if self.suits == "same" and card[1] != suit:
                return False
            if self.suits == "colour" and (card[1] in RED) is not red:
                return False
        if self.ranks == "sequence" and not self._in_a_row(cards):
            return False
        return self._find_places(cards)

    def _in_a_row(self, cards: Sequence[Card]) -> bool:
        met = 0
        for card in cards:
            bit = _BIT[card[0]]
            if met & bit:
                return False
            met |= bit
        return any(met & ~row == 0 for row in _rows(len(self.places)))

    def _find_places(self, cards: Sequence[Card]) -> bool:
        places = self.places
        if len(cards) > len(places):
            return False
        if self.alike:
            return places[0].issuperset(cards)
        return any(
            all(card in place for card, place in zip(cards, order, strict=True))
            for order in permutations(places, len(cards))
        )

    def made_by(self, counted: Sequence[Card]) -> bool | None:
        """Whether the first of these cards make it; None where an unknown card decides.

        `counted` are the cards that count, in the order they came, none missing: a combination of
        more cards than came is not made. Law: PT art. 42, 46.
        """
        first = counted[: len(self.places)]
        if len(first) < len(self.places):
            return False
        made: bool | None = None
        for known in meanings(first):
            fits = self.fits(known)
            if made is not None and fits is not made:
                return None
            made = fits
        return made


def meanings(cards: Sequence[Card]) -> Iterator[Sequence[Card]]:
    """The cards that ``"7?"`` and ``"X?"`` may have been, all ways, the order left free."""
    unknown = Counter(card for card in cards if UNKNOWN_SUIT in card or UNKNOWN_TEN in card)
    if not unknown:
        yield cards
        return
    known = [card for card in cards if card not in unknown]
    ways = [combinations_with_replacement(_may_be(card), times) for card, times in unknown.items()]
    for chosen in product(*ways):
        yield [*known, *chain.from_iterable(chosen)]


def _may_be(card: Card) -> list[Card]:
    ranks = TENS if card[0] == UNKNOWN_TEN else card[0]
    suits = SUITS if card[1] == UNKNOWN_SUIT else card[1]
    return [rank + suit for rank in ranks for suit in suits]
