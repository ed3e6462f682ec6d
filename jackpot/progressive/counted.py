"""Which cards count for the progressive prize: the first a box received, split pairs included.

The cards of the two hands of a split pair count together, in the order they left the shoe. A record
that does not tell that order leaves several possible; all of them are given, and whoever asks what
they win is answered only where they all win the same.

Law: PT art. 42, 46 (reading jackpot-cards).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from casino.cards import Card

CardsOf = Literal["box_in_dealing_order", "first_hand"]
Counted = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class HandCards:
    """A hand's cards as they lay in the end; `split_from` is the hand it was split off."""

    number: int
    cards: tuple[Card, ...]
    split_from: int | None = None


def counted_cards(
    hands: Sequence[HandCards],
    most: int,
    dealt: Sequence[Card] | None = None,
    reading: CardsOf = "box_in_dealing_order",
) -> Counted:
    """Every sequence of at most `most` cards that may have counted on a box; one, where told.

    `hands` are all hands of the box, `dealt` the cards the box received in the order they left the
    shoe, None where nobody told. Cards that were voided or went astray are not among them. Without
    hands the box received no card, and the one sequence is empty. Law: PT art. 42.
    """
    roots = [hand for hand in hands if hand.split_from is None]
    if not roots:
        return ((),)
    if reading == "first_hand":
        return (roots[0].cards[:most],)
    if dealt is not None:
        return (tuple(dealt[:most]),)
    if len(hands) == 1:
        return (roots[0].cards[:most],)
    found: dict[tuple[Card, ...], None] = {}
    for queues in _queues(hands):
        for order in _dealt_on(queues, {roots[0].number: 0}, roots[0].cards[:1], most):
            found.setdefault(order)
    return tuple(found)


# The cards dealt to each hand after its first, and for each the hand it was split off to, if any.
_Queues = dict[int, tuple[tuple[Card, int | None], ...]]


def _queues(hands: Sequence[HandCards]) -> list[_Queues]:
    """What each hand was dealt after its first card, in order; one for each order of its splits.

    Every card a split moved away had been dealt to the hand it left: its second card at that time.
    """
    ways: list[_Queues] = [{}]
    for hand in hands:
        born = [other for other in hands if other.split_from == hand.number]
        own = tuple((card, None) for card in hand.cards[1:])
        moved = {
            tuple((child.cards[0], child.number) for child in way) for way in permutations(born)
        }
        ways = [{**way, hand.number: (*first, *own)} for way in ways for first in sorted(moved)]
    return ways


def _dealt_on(
    queues: _Queues, taken: dict[int, int], so_far: tuple[Card, ...], most: int
) -> list[tuple[Card, ...]]:
    """Every order in which the queues may have been dealt, up to so many cards.

    `taken` says of each hand there is how many cards of its queue have come.
    """
    nexts = [(hand, queues[hand][at]) for hand, at in taken.items() if at < len(queues[hand])]
    if len(so_far) >= most or not nexts:
        return [so_far[:most]]
    found: list[tuple[Card, ...]] = []
    for hand, (card, born) in nexts:
        then = {**taken, hand: taken[hand] + 1}
        if born is not None:
            then[born] = 0
        found += _dealt_on(queues, then, (*so_far, card), most)
    return found
