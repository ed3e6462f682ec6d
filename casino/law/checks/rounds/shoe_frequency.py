"""Whether the shoes of a game are dealt from whole decks: a card missing, or one too many.

What a shoe has shown is drawn without putting back, so of each card the likelihood of so many among
the cards seen, were one missing or one too many, is divided by that under whole decks; the shoes of
the same decks are multiplied. Under whole decks such a ratio is a martingale that begins at 1, so
the chance that it ever reaches a bound is at most one in the bound (Ville), whenever one looks.
Each of the 104 ways has its share of the false alarms. It does not matter which cards nobody saw
(those burnt, those behind the warning card), as long as nobody chose them by their faces.

A suspicion, never a breach. Exact, and rounded to the side that accuses less, as
`casino.law.checks.rounds.card_frequency` says. Law: PT art. 3, 9.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from casino.cards import UNKNOWN_SUIT, UNKNOWN_TEN
from casino.law.checks.rounds.card_frequency import (
    NEVER,
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
WRONG: Final = (-1, 1)  # cards of one face too few, or too many, in the whole set
WAYS: Final = len(CARDS) * len(WRONG)


class Suspected(NamedTuple):
    """A card that is missing, or is there once too often: `missing` says which.

    It came `times` among `cards` cards of `shoes` shoes; `expected` is rounded to whole cards.
    """

    card: str
    missing: bool
    times: int
    cards: int
    shoes: int
    expected: int


class ShoeWatch:
    """The cards of one game's shoes, dealt from so many decks; says at most once what it suspects.

    `one_in` is how many lawful games may go by for one false alarm.
    """

    def __init__(self, one_in: int, decks: int) -> None:
        self.decks = decks
        self._asked = asked(one_in)
        self._before = {card: [0] * len(WRONG) for card in CARDS}  # of the shoes that are over
        self._times: Counter[str] = Counter()
        self._cards = self._shoes = 0
        self._suspected = False
        self._begin()

    def _begin(self) -> None:
        self._here = {card: (0,) * len(WRONG) for card in CARDS}
        self._sure: Counter[str] = Counter()
        self._doubtful: Counter[str] = Counter()
        self._dealt = 0

    def next_shoe(self) -> None:
        """What is added from now on is of another shoe."""
        for card, here in self._here.items():
            self._before[card] = [a + b for a, b in zip(self._before[card], here, strict=True)]
        self._begin()

    def add(self, cards: Sequence[str]) -> Suspected | None:
        """Count a round of the shoe; what is suspected with it for the first time.

        Rounds come in the order in which they were dealt.
        """
        if self._suspected or not cards or self._dealt + len(cards) > OF_A_DECK * self.decks:
            return None
        self._shoes += not self._dealt
        self._dealt += len(cards)
        self._cards += len(cards)
        for card in cards:
            faces = _faces(card)
            (self._sure if len(faces) == 1 else self._doubtful).update(faces)
        self._times.update(cards)
        found: tuple[int, str, int] | None = None
        for card in CARDS:
            here = _steps(self.decks, self._sure[card], self._doubtful[card], self._dealt)
            self._here[card] = here
            for wrong, before, step in zip(WRONG, self._before[card], here, strict=True):
                over = before + step - self._asked
                if over >= 0 and (found is None or over > found[0]):
                    found = over, card, wrong
        if found is None:
            return None
        self._suspected = True
        _, card, wrong = found
        expected = (2 * self._cards + OF_A_DECK) // (2 * OF_A_DECK)
        return Suspected(card, wrong < 0, self._times[card], self._cards, self._shoes, expected)


def _faces(card: str) -> Sequence[str]:
    """The cards a code may stand for."""
    if card[0] != UNKNOWN_TEN and card[1] != UNKNOWN_SUIT:
        return (card,)
    ranks = TENS if card[0] == UNKNOWN_TEN else card[0]
    suits = SUITS if card[1] == UNKNOWN_SUIT else card[1]
    return [rank + suit for rank in ranks for suit in suits]


@lru_cache(maxsize=100_000)
def _steps(decks: int, times: int, perhaps: int, cards: int) -> tuple[int, ...]:
    """The logarithms of a card that came so often among the cards of a shoe; the least, where
    cards are in doubt.
    """
    may = range(times, times + perhaps + 1)
    return tuple(
        min(log_ratio(decks, OF_A_DECK * decks, wrong, each, cards) for each in may)
        for wrong in WRONG
    )


def asked(one_in: int) -> int:
    """The logarithm at which a way is suspected: each has its share of the false alarms."""
    return log2_down(one_in * WAYS, 1) + 2


def shoes_to_detection(decks: int, cards: int, one_in: int) -> Mapping[bool, int | None]:
    """How many shoes of so many seen cards show one card missing (True), or too many (False).

    On average, rounded up: what is asked over what a shoe adds under the wrong set. None where a
    shoe adds nothing. A card too many is certain by itself once it came too often: here it is what
    the likelihood alone says.
    """
    found = {}
    whole = OF_A_DECK * decks
    for wrong in WRONG:
        group, total = decks + wrong, whole + wrong
        added = weight = 0
        for times in range(max(0, cards - (total - group)), min(group, cards) + 1):
            ways = comb(group, times) * comb(total - group, cards - times)
            step = log_ratio(decks, whole, wrong, times, cards)
            added += ways * (step if step != NEVER else 0)
            weight += ways
        mean = added // weight if weight else 0
        found[wrong < 0] = -(-asked(one_in) // mean) if mean > 0 else None
    return found


__all__ = ["SHOES_AS_WHOLE_DECKS", "UNITS", "ShoeWatch", "Suspected", "asked", "shoes_to_detection"]
