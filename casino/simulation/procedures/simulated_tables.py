"""The simulated tables the rounds come from, with a clock that can rest."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from random import Random
from typing import Final

from casino.cards import Card
from casino.events.round.round_played import RoundPlayed
from casino.simulation.card_source import Shoe, Shuffler
from casino.simulation.deal_round import play_round
from casino.simulation.draft import Betting, Draft
from casino.simulation.fault_labels import Label
from casino.simulation.faults.every_fault import AFTER_THE_LAST, Mischief
from casino.simulation.planting import Kind, Mark
from casino.simulation.round_record import RestingClock
from casino.simulation.simulated_evening import Table

STACKED: Final = 32  # small cards that were taken out of a stacked set, tens put in for them


class OneError(Mischief):
    """One kind of error, made once, as soon as a round has room for it."""

    def __init__(self, kind: Kind | None) -> None:
        self.waiting = [kind] if kind is not None else []

    def plant(self, draft: Draft, rng: Random) -> tuple[Kind, Mark] | None:
        """Make it; after that none is left to be made."""
        done = super().plant(draft, rng)
        if done is not None:
            self.waiting.clear()
        return done


@dataclass(slots=True, eq=False)
class Stacked(Draft):
    """A round in which some boxes get the cards somebody wanted for them first."""

    wanted: dict[int, list[Card]] = field(default_factory=dict)

    def draw(self, box: int, hand: int) -> Card:
        """The next card, or the one that is wanted there."""
        cards = self.wanted.get(box)
        if cards:
            card = cards.pop(0)
            if self.source.take(card):
                self.dealt.append((card, box, hand))
                return card
            cards.clear()
        return Draft.draw(self, box, hand)


class SeatedTable(Table):
    """One table of a partida; `seats` are those taken when the last shoe was made ready.

    `hoped` are the first cards of so many players of the next round that has them; `draft` is the
    round as it was dealt.

    `off` moves the warning card of a shoe by so many cards; `error` is a kind of round error that
    is made once, `after_the_last` whether a round is played after a shoe's last, `waiting` whether
    the last round's cards could not be put back. `unshuffled` shoes are dealt from the discards of
    the one before as they were picked up, whatever is recorded of a shuffle. Where `reads`, the
    first guest who holds a box knows the card that comes to it first, and stakes by it; `reader` is
    his name. The cards `gone` are in no shoe.
    """

    def __init__(
        self, place: int, seed: int, first: datetime, day: date, error: Kind | None = None
    ) -> None:
        self.seats: list[int] = []
        self.hoped: list[list[Card]] = []
        self.draft: Draft | None = None
        self.off: dict[int, int] = {}
        self.unshuffled: frozenset[int] = frozenset()
        self.discards: list[RoundPlayed] = []
        self.reads, self.reader = False, ""
        self.gone: Sequence[Card] = ()
        self.waiting = False
        self.laid_out = False
        self.after_the_last = error is not None and error.name == AFTER_THE_LAST
        self.error = OneError(None if self.after_the_last else error)
        super().__init__(place, seed, 0, day, self.error)
        self.resting = RestingClock(first)
        self.clock = self.resting

    def _next_shoe(self) -> None:
        super()._next_shoe()
        self.seats = sorted(self.floor.seated)
        self.laid_out = False
        assert isinstance(self.source, Shoe)
        assert self.shoe is not None
        self.source.warning += self.off.pop(self.shoe, 0)
        self.without(self.gone)
        if self.shoe in self.unshuffled:
            self.source.lay_again(picked_up(self.discards))
        self.discards = []

    def without(self, missing_cards: Sequence[Card]) -> None:
        """From this shoe on these cards are missing."""
        assert isinstance(self.source, Shoe)
        self.gone = missing_cards
        for card in missing_cards:
            self.source.take_out(card)

    def displace(self, shoe: int, cards: int) -> None:
        """Let the warning card of a shoe come out so many cards later, before 0 earlier."""
        if shoe == self.shoe and isinstance(self.source, Shoe):
            self.source.warning += cards
        else:
            self.off[shoe] = cards

    def _deal(self, most: int) -> Draft:
        if not self.waiting and isinstance(self.source, Shuffler):
            self.source.reinsert()
        # Where the last round's cards wait, this one is dealt from those that are inside.
        self.waiting = False
        floor = self.floor
        boxes = floor.boxes(most)
        if self.reads:
            self._stakes_by_the_card(boxes)
        draft = Draft(boxes, floor.limits, self.source, sorted(floor.seated))
        held = [box.number for box in draft.boxes if box.holder is not None]
        if self.hoped and len(held) >= len(self.hoped):
            hands = dict(zip(held, (list(cards) for cards in self.hoped), strict=False))
            draft = Stacked(draft.boxes, draft.limits, self.source, draft.seats, wanted=hands)
        play_round(draft, floor.styles, self.rng)
        self.draft = draft
        return draft

    def _stakes_by_the_card(self, boxes: Sequence[Betting]) -> None:
        """The reader stakes ten times the minimum before an ace or a ten, else the minimum."""
        assert isinstance(self.source, Shoe)
        held = [box.holder for box in boxes if box.holder is not None]
        self.reader = self.reader or next(iter(held), "")
        minimum = self.floor.limits.minimum_cents
        for place, box in enumerate(boxes):
            if box.holder == self.reader and len(box.wagers) == 1 and self.source.room() > place:
                card = self.source.cards[self.source.at + place]
                stake = 10 * minimum if card[0] in "ATJQK" else minimum
                box.wagers[0].stake = box.wagers[0].initial = stake

    def play(self) -> tuple[RoundPlayed, Label | None]:
        """The next round, with the error that is to be made where it has room for it."""
        wicked = bool(self.error.waiting)
        if self.warned:
            wicked = self.after_the_last and not self.laid_out
        record, label = self.next_round(1.0 if wicked else 0.0)
        if label is not None and self.after_the_last:
            self.after_the_last = False
        return record, label

    def next_round(self, error_rate: float) -> tuple[RoundPlayed, Label | None]:
        """Play one round; with that probability plant an error in it. Its cards are discarded."""
        record, label = super().next_round(error_rate)
        self.discards.append(record)
        return record, label

    def lay_out(self) -> None:
        """The cards were laid out on the table: the next round is another shoe's."""
        self.warned = self.laid_out = True

    def stack(self) -> None:
        """Take small cards out of the shuffler and put tens in."""
        assert isinstance(self.source, Shuffler)
        cards = self.source.cards
        small = [at for at, card in enumerate(cards) if card[0] in "23456"][:STACKED]
        tens = [rank + suit for rank in "TJQK" for suit in "CDHS"]
        for turn, at in enumerate(small):
            cards[at] = tens[turn % len(tens)]


def picked_up(discards: Sequence[RoundPlayed]) -> list[Card]:
    """The discards of these rounds as they lie: the hands from the bank's on, one upon another."""
    cards: list[Card] = []
    for record in discards:
        cards += record.bank.cards
        for box in reversed(record.boxes):
            for hand in box.hands:
                cards += hand.cards
    return cards
