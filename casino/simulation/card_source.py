"""Where the cards come from: a shoe dealt to its warning card, or a continuous shuffler.

Law: PT art. 3 (decks), 9 (warning card), 10 (burnt card), 52, 59 (continuous shuffler).
"""

from collections.abc import Container, Iterable
from random import Random
from typing import Final, Protocol

from casino.cards import Card

ONE_DECK: Final[tuple[Card, ...]] = tuple(
    rank + suit for suit in "CDHS" for rank in "A23456789TJQK"
)
FROM_END: Final = 50
SPREAD: Final = 3  # how far off a dealer's hand puts the warning card, well inside the tolerance
BURNT: Final = 1


class OutOfCards(Exception):
    """The shoe ended in the middle of a round."""


class Source(Protocol):
    """What a round needs of the cards."""

    decks: int

    def deal(self) -> Card:
        """The next card. Raises: OutOfCards."""

    def give_back(self, cards: Iterable[Card]) -> None:
        """Cards of this round that were not dealt after all."""

    def exchange(self, card: Card, wanted: Container[Card]) -> Card | None:
        """A wanted card from those still inside for one of this round, or None."""

    def take(self, card: Card) -> bool:
        """Deal that very card, where one is still inside; whether it was."""

    def left(self) -> list[Card]:
        """The cards nobody has seen, burnt one included."""

    def room(self) -> int:
        """How many cards can still be dealt."""


class _Pile:
    """Cards in a list, those before `at` dealt."""

    def __init__(self, decks: int, rng: Random) -> None:
        self.decks = decks
        self.cards = list(ONE_DECK * decks)
        self.at = 0
        self.rng = rng

    def give_back(self, cards: Iterable[Card]) -> None:
        for card in cards:
            self.at -= 1
            self._lay(card, self.at)

    def exchange(self, card: Card, wanted: Container[Card]) -> Card | None:
        for place in range(self.at, len(self.cards)):
            if self.cards[place] in wanted:
                found = self.cards[place]
                self._lay(card, place)
                return found
        return None

    def take(self, card: Card) -> bool:
        for place in range(self.at, len(self.cards)):
            if self.cards[place] == card:
                self.cards[place] = self.cards[self.at]
                self.cards[self.at] = card
                self.at += 1
                return True
        return False

    def _lay(self, card: Card, place: int) -> None:
        """Lay a card that was dealt at `place`; what lay there takes its place among the dealt.

        So the pile keeps its cards, however often faults change what a round shows.
        """
        if card in self.cards[: self.at]:
            self.cards[self.cards.index(card, 0, self.at)] = self.cards[place]
        self.cards[place] = card

    def left(self) -> list[Card]:
        return self.cards[self.at :]

    def room(self) -> int:
        return len(self.cards) - self.at


class Shoe(_Pile):
    """One shoe: shuffled, one card burnt, the warning card near the fiftieth from the end.

    With one single player at the table the warning card goes to the middle. Law: PT art. 9, 10.
    """

    def __init__(self, decks: int, rng: Random, *, alone: bool) -> None:
        super().__init__(decks, rng)
        rng.shuffle(self.cards)
        place = len(self.cards) // 2 if alone else len(self.cards) - FROM_END
        self.warning = place + rng.randint(-SPREAD, SPREAD)
        self.burnt = self.cards[0]
        self.tampered = False  # whether a card of it was already told as another
        self.at = BURNT

    def take_out(self, card: Card) -> None:
        """One such card is missing, wherever it would have lain."""
        self.cards.reverse()
        self.cards.remove(card)
        self.cards.reverse()

    def lay_again(self, pile: Iterable[Card]) -> None:
        """Nobody shuffled: behind the burnt card these come in their order, as far as they are
        there.
        """
        rest = self.cards[self.at :]
        laid = []
        for card in pile:
            if card in rest:
                rest.remove(card)
                laid.append(card)
        self.cards[self.at :] = [*laid, *rest]

    def deal(self) -> Card:
        try:
            card = self.cards[self.at]
        except IndexError:
            raise OutOfCards from None
        self.at += 1
        return card

    def left(self) -> list[Card]:
        return [self.burnt, *self.cards[self.at :]]

    def warning_in(self, dealt: int) -> int | None:
        """How many of this round's `dealt` cards had left the shoe before the warning card came.

        None when it did not come in this round. Call it when the round is over.
        """
        before = self.warning - (self.at - dealt)
        return before if 0 <= before < dealt else None


class Shuffler(_Pile):
    """A continuous shuffler: every round is dealt from all the cards. Law: PT art. 52, 59."""

    def deal(self) -> Card:
        cards, at = self.cards, self.at
        if at == len(cards):
            raise OutOfCards
        other = at + int(self.rng.random() * (len(cards) - at))
        card = cards[other]
        cards[other] = cards[at]
        cards[at] = card
        self.at = at + 1
        return card

    def reinsert(self) -> None:
        """The round's cards go back in; its faults may have changed what lay where."""
        self.at = 0
