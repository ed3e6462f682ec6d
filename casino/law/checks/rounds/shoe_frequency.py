"""Whether a card is missing from the decks that shoes are dealt from.

What a shoe has shown is drawn without putting back, so of each card the likelihood of so many among
the cards seen, were one missing, is divided by that under whole decks; the shoes of the same decks
are multiplied. Under whole decks such a ratio is a martingale that begins at 1, so the chance that
it ever reaches a bound is at most one in the bound (Ville), whenever one looks. Each of the 52
cards has its share of the false alarms. It does not matter which cards nobody saw (those burnt,
those behind the warning card), as long as nobody chose them by their faces.

A card too many needs no such count: once it came more often than there are decks that is certain,
and `card_within_decks` finds it. A suspicion, never a breach. Exact, and rounded to the side that
accuses less, as `casino.law.checks.rounds.card_frequency` says. Law: PT art. 3, 9.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb, isqrt
from typing import Final, NamedTuple

from casino.cards import UNKNOWN_SUIT, UNKNOWN_TEN
from casino.law.checks.rounds.card_frequency import (
    OF_A_DECK,
    RANKS,
    SUITS,
    TENS,
    UNITS,
    log2_down,
    log_ratio,
)
from casino.law.finding import Rule

SHOES_AS_WHOLE_DECKS: Final = Rule(
    "shoe_cards_as_whole_decks_give_them",
    "shoe",
    "The cards of the shoes come as often as whole decks give them.",
    needs=("decks.cards", "cards_seen.games_a_false_alarm"),
    severity="warning",
)

CARDS: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
MOST: Final = 10**12  # a strength is followed no further


class Suspected(NamedTuple):
    """A card that is probably missing: it came `times` among `cards` cards of `shoes` shoes.

    `expected` is rounded to whole cards.
    """

    card: str
    times: int
    cards: int
    shoes: int
    expected: int


class ShoeWatch:
    """The cards of the shoes that were dealt from the same so many decks, one after another."""

    def __init__(self, decks: int) -> None:
        self.decks = decks
        self._before = dict.fromkeys(CARDS, 0)  # of the shoes that are over
        self._times: Counter[str] = Counter()
        self._cards = self._shoes = 0
        self._heaviest = 0, CARDS[0]
        self._begin()

    def _begin(self) -> None:
        self._here = dict.fromkeys(CARDS, 0)
        self._sure: Counter[str] = Counter()
        self._doubtful: Counter[str] = Counter()
        self._dealt = 0

    def next_shoe(self) -> None:
        """What is added from now on is of another shoe."""
        for card, here in self._here.items():
            self._before[card] += here
        self._begin()

    def add(self, cards: Sequence[str]) -> None:
        """Count a round of the shoe. Rounds come in the order in which they were dealt."""
        if not cards or self._dealt + len(cards) > OF_A_DECK * self.decks:
            return
        self._shoes += not self._dealt
        self._dealt += len(cards)
        self._cards += len(cards)
        for card in cards:
            faces = _faces(card)
            (self._sure if len(faces) == 1 else self._doubtful).update(faces)
        self._times.update(cards)
        for card in CARDS:
            seen = self._sure[card], self._doubtful[card]
            self._here[card] = _step(self.decks, *seen, self._dealt)
        self._heaviest = max((self._before[card] + self._here[card], card) for card in CARDS)

    @property
    def strength(self) -> int:
        """How many times likelier what was seen is with one card missing than with none: by the
        likeliest card, shared among all; rounded down, at most `MOST`.
        """
        return power_of_two(self._heaviest[0] - _SHARED)

    def suspected(self) -> Suspected:
        """The card that is likeliest to be missing."""
        card = self._heaviest[1]
        expected = (2 * self._cards + OF_A_DECK) // (2 * OF_A_DECK)
        return Suspected(card, self._times[card], self._cards, self._shoes, expected)


def _faces(card: str) -> Sequence[str]:
    """The cards a code may stand for."""
    if card[0] != UNKNOWN_TEN and card[1] != UNKNOWN_SUIT:
        return (card,)
    ranks = TENS if card[0] == UNKNOWN_TEN else card[0]
    suits = SUITS if card[1] == UNKNOWN_SUIT else card[1]
    return [rank + suit for rank in ranks for suit in suits]


@lru_cache(maxsize=100_000)
def _step(decks: int, times: int, perhaps: int, cards: int) -> int:
    """The logarithm of a card that came so often among the cards of a shoe; the least, where cards
    are in doubt.
    """
    may = range(times, times + perhaps + 1)
    return min(log_ratio(decks, OF_A_DECK * decks, -1, each, cards) for each in may)


# Each card has its share of the false alarms.
_SHARED: Final = log2_down(len(CARDS), 1) + 2
# The roots of two, one of another, rounded down: 2**(1/2), 2**(1/4) and so on.
_ROOTS: Final = tuple(
    accumulate(range(UNITS - 1), lambda root, _: isqrt(root << 64), initial=isqrt(2 << 128))
)


def power_of_two(logarithm: int) -> int:
    """Two to a logarithm in units of 2**-20, rounded down, at most `MOST`; 0 below 1."""
    whole, part = divmod(logarithm, 1 << UNITS)
    if whole < 0 or whole > MOST.bit_length():
        return 0 if whole < 0 else MOST
    found = 1 << 64
    for place, root in enumerate(_ROOTS, start=1):
        if part >> (UNITS - place) & 1:
            found = found * root >> 64
    return min(found << whole >> 64, MOST)


def shoes_to_detection(decks: int, cards: int, one_in: int) -> tuple[int | None, int | None]:
    """After how many shoes of so many seen cards one card missing is suspected, and one too many.

    On average, rounded up; None where a shoe shows nothing of it. A card missing: what is asked
    over what a shoe adds. A card too many is certain once it came more often than there are decks,
    by `card_within_decks`.
    """
    whole, group = OF_A_DECK * decks, decks - 1
    cards = min(cards, whole - 1)
    added = weight = 0
    for times in range(max(0, cards - (whole - decks)), min(group, cards) + 1):
        ways = comb(group, times) * comb(whole - decks, cards - times)
        added += ways * log_ratio(decks, whole, -1, times, cards)
        weight += ways
    mean = added // weight if weight else 0
    asked = log2_down(one_in, 1) + _SHARED
    of_all = comb(whole + 1, cards)
    with_all = comb(whole - decks, cards - decks - 1) if cards > decks else 0
    return (
        -(-asked // mean) if mean > 0 else None,
        -(-of_all // with_all) if with_all else None,
    )


__all__ = [
    "MOST",
    "SHOES_AS_WHOLE_DECKS",
    "ShoeWatch",
    "Suspected",
    "power_of_two",
    "shoes_to_detection",
]
