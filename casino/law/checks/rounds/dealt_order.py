"""Whether cards come in an order in which they lay before: a shuffle that was none, or too little.

The next card of a shoe is any of those left, each as likely: that is what a shuffle means. Against
it stands that a stretch of the shoe goes along an earlier order: that of the discards of the shoe
before, hand by hand, of a hand's cards from either end; the maker's, suit by suit; the shoe's own,
once more from its beginning. For each place at which a stretch may begin and each at which it may
lie, the likelihood of the cards seen is divided by that under a shuffle; their sum, weighted, is a
martingale that begins at 1. So the chance that it ever reaches a bound is at most one in the bound
(Ville), whenever one looks.

Behind a hand the stretch may go on with any hand of the same round or of the two around it: hands
are picked up in any order. Between its cards others may lie: almost none (nobody shuffled), as many
(one riffle), three or seven times as many (two, three).

It is a statement about the shuffle and about nobody: a house that shuffles too little is suspected
rightly. Exact: weights are whole numbers in units of 2**-60, rounded down, which only makes a
suspicion rarer. Law: PT art. 8, 53.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from casino.law.checks.rounds.card_frequency import OF_A_DECK, RANKS
from casino.law.checks.rounds.shoe_frequency import MOST
from casino.law.finding import Rule

CARDS_IN_NO_EARLIER_ORDER: Final = Rule(
    "cards_in_no_order_they_lay_in",
    "shoe",
    "The cards of a shoe come in no order in which they lay before.",
    needs=("decks.cards", "card_order.shoes_a_false_alarm"),
    severity="warning",
)

Whose = Literal["previous_shoe", "makers_order", "itself"]
Hands = Sequence[Sequence[Sequence[str]]]  # rounds of hands of cards

_UNITS: Final = 60
ONE: Final = 1 << _UNITS
_PER: Final = 1_024  # probabilities are in parts of this
_OVER: Final = 26  # that a card of the earlier order was passed over
_STAY: Final = 512  # behind the last card of a hand: that the next one in order follows
# Behind a hand: how the weight of a jump is shared among the rounds: this one, those around it.
_JUMPS: Final = ((0, 186), (1, 114), (-1, 114), (2, 36), (-2, 36))
# How likely the next card of a shoe is the next of a stretch: after no riffle, one, two, three.
_CLOSE: Final = (973, 512, 256, 128)


class Run(NamedTuple):
    """A stretch that lay so before: of what, from which card of the shoe (0 the first) to which.

    `backwards` says that it came from its other end, `riffles` after how many passes its cards
    would lie as far from one another as they do.
    """

    whose: Whose
    backwards: bool
    riffles: int
    first: int
    last: int


class Lay:
    """An order in which cards lay: rounds of hands of cards, in the order of the pile.

    `ring` says that after the last comes the first: decks in one order lie one upon another.
    """

    def __init__(
        self, whose: Whose, hands: Hands = (), *, backwards: bool = False, ring: bool = False
    ) -> None:
        self.whose, self.backwards, self.ring = whose, backwards, ring
        self.cards: list[str] = []
        self.at: dict[str, list[int]] = defaultdict(list)  # where a card lies
        self.begins: dict[int, int] = {}  # the round whose hand begins at a place
        self.ends: dict[int, int] = {}
        self.hands_of: Counter[int] = Counter()
        for number, laid in enumerate(reversed(hands) if backwards else hands):
            for hand in reversed(laid) if backwards else laid:
                if hand:
                    self.begins[len(self.cards)] = number
                    self.grow(hand[::-1] if backwards else hand)
                    self.ends[len(self.cards) - 1] = number
                    self.hands_of[number] += 1

    def grow(self, cards: Sequence[str]) -> None:
        """Put cards behind those that lie there."""
        for card in cards:
            self.at[card].append(len(self.cards))
            self.cards.append(card)

    def before(self, place: int, by: int) -> int:
        """The place so many before a place; negative where there is none."""
        return (place - by) % len(self.cards) if self.ring else place - by


SUITS_IN_ORDER: Final = tuple(tuple(rank + suit for rank in RANKS) for suit in "SHDC")


def orders_of(previous: Hands) -> list[Lay]:
    """The orders a shoe is held against: the discards of the `previous` one by round and hand
    (none where nothing of it is known), the maker's, and the shoe's own.
    """
    ways = (False, True)
    lays = [Lay("previous_shoe", previous, backwards=way) for way in ways if previous]
    # Suits follow one another in any order, and so do whole decks.
    lays += [Lay("makers_order", [SUITS_IN_ORDER], backwards=way, ring=True) for way in ways]
    return [*lays, Lay("itself")]


@lru_cache(maxsize=8)
def _kept(close: int) -> tuple[int, ...]:
    """What is left of a weight after so many cards that were none of its stretch's."""
    kept = [ONE]
    while kept[-1]:
        kept.append(kept[-1] * (_PER - close) // _PER)
    return tuple(kept)


class _Way:
    """One earlier order, and how close upon one another its cards are to come.

    Of each place of it: the weight of the stretches whose last card lay there, when that was
    written down, and where in the shoe the heaviest of them began. So of each round's hands' ends.
    A weight loses the same with each card of the shoe: that is reckoned when it is asked for.
    """

    def __init__(self, lay: Lay, riffles: int, share: int) -> None:
        self.lay, self.riffles, self.share = lay, riffles, share
        self.sum = 0
        self._close = _CLOSE[riffles]
        self._kept = _kept(self._close)
        self._weights: dict[int, tuple[int, int, int]] = {}
        self._ends: dict[int, tuple[int, int, int]] = {}

    def follow(self, card: str, number: int, hidden: int, left: int, begins: int) -> None:
        """The card of this number (from 0) of the shoe came, one of `left` alike among `hidden`."""
        places = self.lay.at.get(card, ())
        gained = [(place, *self._gain(place, number, hidden, left, begins)) for place in places]
        self.sum = self.sum * (_PER - self._close) // _PER
        for place, gain, since in gained:
            if gain:
                self.sum += gain
                self._put(self._weights, place, number + 1, gain, since)
                ends = self.lay.ends.get(place)
                if ends is not None:
                    self._put(self._ends, ends, number + 1, gain, since)

    def _gain(
        self, place: int, number: int, hidden: int, left: int, begins: int
    ) -> tuple[int, int]:
        """The weight of stretches whose last card lies at a place now, and where they began."""
        lay, close = self.lay, self._close
        best = weight = begins * hidden // (left * len(lay.cards))
        since = number
        starts = lay.begins.get(place)
        on = _PER - _OVER if starts is None else _STAY
        moves = [
            (self._weights, lay.before(place, 1), on),
            (self._weights, lay.before(place, 2), _OVER),
        ]
        if starts is not None:
            alike = lay.hands_of[starts]
            moves += [(self._ends, starts - ahead, share // alike) for ahead, share in _JUMPS]
        for table, where, share in moves:
            found = table.get(where)
            if found is None:
                continue
            part = self._now(found, number) * share * close * hidden // (_PER * _PER * left)
            weight += part
            if part > best:
                best, since = part, found[2]
        return weight, since

    def _now(self, stretches: tuple[int, int, int], number: int) -> int:
        gone = number - stretches[1]
        return stretches[0] * self._kept[gone] >> _UNITS if gone < len(self._kept) else 0

    def _put(
        self, table: dict[int, tuple[int, int, int]], at: int, number: int, gain: int, since: int
    ) -> None:
        found = table.get(at)
        there = 0 if found is None else self._now(found, number)
        if found is not None and there > gain:
            since = found[2]
        table[at] = there + gain, number, since

    def heaviest(self, number: int) -> tuple[int, int, int]:
        """Of its stretches the heaviest: its weight, its first card and its last in the shoe."""
        found = ((self._now(one, number), one[2], one[1] - 1) for one in self._weights.values())
        return max(found, default=(0, 0, 0))


class OrderWatch:
    """The cards of one shoe, one after another, against earlier orders.

    `decks` is how many whole decks it holds. Once a card came that whole decks do not hold so
    often, nothing more is followed: `whole` says so. So it is at a strength of `MOST`.
    """

    def __init__(self, decks: int, lays: Sequence[Lay]) -> None:
        self.whole = True
        self._own = [lay for lay in lays if lay.whose == "itself"]
        others = [lay for lay in lays if lay.whose != "itself"]
        self._ways = [_Way(lay, 0, ONE // (2 * len(lays))) for lay in lays]
        loose = [(lay, riffles) for lay in others for riffles in range(1, len(_CLOSE))]
        self._ways += [_Way(lay, riffles, ONE // (2 * len(loose))) for lay, riffles in loose]
        self._left = Counter[str]()
        self._decks = decks
        self._hidden = self._all = OF_A_DECK * decks  # the cards whose faces were not seen yet
        self._unused = ONE
        self._dealt = 0

    @property
    def strength(self) -> int:
        """How many times likelier earlier orders make what was seen than a shuffle; rounded
        down.
        """
        return min(self.weight // ONE, MOST)

    @property
    def weight(self) -> int:
        """The same in units of 2**-60, however small."""
        return sum(way.sum for way in self._ways) + self._unused

    def add(self, card: str) -> None:
        """The next card of the shoe."""
        left = self._decks - self._left[card]
        self.whole = self.whole and left > 0
        if not self.whole or self.strength >= MOST:
            return
        # Half of the weight begins with the first card, the rest with any other alike.
        alike = 1 if not self._dealt else self._all
        for way in self._ways:
            if way.lay.cards:
                begins = way.share // (2 * alike)
                self._unused -= begins
                way.follow(card, self._dealt, self._hidden, left, begins)
        for lay in self._own:
            lay.grow((card,))
        self._left[card] += 1
        self._hidden -= 1
        self._dealt += 1

    def run(self) -> Run | None:
        """The heaviest stretch there is now; None where there is none."""
        there = [(way.heaviest(self._dealt), -number) for number, way in enumerate(self._ways)]
        (weight, first, last), number = max(there)
        if not weight:
            return None
        way = self._ways[-number]
        return Run(way.lay.whose, way.lay.backwards, way.riffles, first, last)


__all__ = ["CARDS_IN_NO_EARLIER_ORDER", "ONE", "Lay", "OrderWatch", "Run", "orders_of"]
