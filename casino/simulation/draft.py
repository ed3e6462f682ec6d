"""A round while it is being played: the same things as the round record, still changeable."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from casino.cards import VALUE, Card
from casino.events.round.round_played import Action, Limits, Misdealt, VoidedCard, WagerKind
from casino.simulation.card_source import Source
from casino.simulation.payouts import Result

BANK: Final = 0  # the box number under which the bank's cards stand in the dealing order
DISCARD: Final = -1


@dataclass(slots=True, eq=False)
class Wagered:
    """One wager; `initial` is the owner's first stake on the box.

    Of an insurance: whether it was laid before the second cards, unasked, or beside its place.
    """

    owner: str
    seat: int | None
    kind: WagerKind
    hand: int | None
    stake: int
    initial: int
    returned: int = 0
    at_once: bool = False
    too_soon: bool = False
    unasked: bool = False
    beside: bool = False


@dataclass(slots=True, eq=False)
class Dealing:
    """One hand. Only the first `counted` cards count when that is set: the rest are void."""

    number: int
    cards: list[Card]
    actions: list[Action] = field(default_factory=list)
    parent: int | None = None
    split: bool = False
    counted: int | None = None
    points: int = 0
    result: Result = "farther"

    def in_force(self) -> list[Card]:
        """The cards that count."""
        return self.cards if self.counted is None else self.cards[: self.counted]

    @property
    def of_aces(self) -> bool:
        """Whether it came of splitting aces."""
        return self.split and self.cards[0][0] == "A"


@dataclass(slots=True, eq=False)
class Betting:
    """One box. `leader` decides: the holder, or on a vacant box the owner of the largest stake."""

    number: int
    holder: str | None
    leader: str
    hands: list[Dealing]
    wagers: list[Wagered]
    decided_by: str | None = None

    def main(self, owner: str, hand: int) -> Wagered | None:
        """The owner's stake on that hand."""
        for wager in self.wagers:
            if wager.owner == owner and wager.hand == hand and wager.kind == "main":
                return wager
        return None

    def mains(self, hand: int) -> list[Wagered]:
        """All main stakes on that hand."""
        return [w for w in self.wagers if w.kind == "main" and w.hand == hand]

    def of(self, owner: str) -> list[Wagered]:
        """All wagers of that owner."""
        return [w for w in self.wagers if w.owner == owner]

    def owners(self) -> list[str]:
        """Everybody with money on the box, each once, in the order of staking."""
        return list(dict.fromkeys(w.owner for w in self.wagers))

    def first_stakes(self) -> int:
        """What all owners together had marked before the deal."""
        return sum({w.owner: w.initial for w in self.wagers}.values())


@dataclass(slots=True, eq=False)
class Draft:
    """The whole round. `dealt` has (card, box, hand) with BANK and DISCARD in the box's place."""

    boxes: list[Betting]
    limits: Limits
    source: Source
    seats: list[int]
    bank: list[Card] = field(default_factory=list)
    bank_counted: int | None = None
    bank_open: tuple[int, ...] = (1,)
    voided: list[VoidedCard] = field(default_factory=list)
    misdealt: list[Misdealt] = field(default_factory=list)
    dealt: list[tuple[Card, int, int]] = field(default_factory=list)
    opening: int = 0
    late_stakes: bool = False

    @property
    def up(self) -> Card:
        """The bank's open card."""
        return self.bank[0]

    def hands(self) -> Iterator[tuple[Betting, Dealing]]:
        """Every hand in the order of play."""
        for box in self.boxes:
            for hand in box.hands:
                yield box, hand

    def draw(self, box: int, hand: int) -> Card:
        """The next card, laid at that place."""
        card = self.source.deal()
        self.dealt.append((card, box, hand))
        return card

    def draw_late(self, box: Betting, hand: Dealing) -> Card:
        """A card for a hand whose turn is over, entered in the dealing order where it belongs."""
        card = self.source.deal()
        self.lay_late(box, hand, card)
        return card

    def lay_late(self, box: Betting, hand: Dealing, card: Card) -> None:
        """That card, out of the shoe already, for a hand whose turn is over."""
        hand.cards.append(card)
        self.dealt.insert(self.turn_end(box.number, hand.number), (card, box.number, hand.number))

    def turn_end(self, box: int, hand: int) -> int:
        """The index in `dealt` at which that hand's turn was over."""
        here = (box, hand)
        for at in range(len(self.dealt) - 1, self.opening - 1, -1):
            _, at_box, at_hand = self.dealt[at]
            if at_box > 0 and (at_box, at_hand) <= here:
                return at + 1
        return self.opening

    def take_back(self, box: int, hand: int, cards: list[Card]) -> None:
        """Cards of that place which were not dealt after all, last ones first out."""
        for card in reversed(cards):
            at = len(self.dealt) - 1 - self.dealt[::-1].index((card, box, hand))
            del self.dealt[at]
        self.source.give_back(cards)

    def bank_in_force(self) -> list[Card]:
        """The bank's cards that count."""
        return self.bank if self.bank_counted is None else self.bank[: self.bank_counted]

    def bank_opens_ace(self) -> bool:
        """Whether the open card is an ace."""
        return self.bank[0][0] == "A"

    def bank_may_have_natural(self) -> bool:
        """Whether the open card can still become a blackjack."""
        return VALUE[self.bank[0]] in (1, 10)
