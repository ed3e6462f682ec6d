"""The form of a hand, and of the hands of one box among themselves: cards, actions, splits."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from casino.cards import CODES
from casino.events import Malformed
from casino.events.round.field_form import check_whole, check_word, shown
from casino.events.round.round_words import ACTIONS, MAX_CARDS_IN_HAND, MAX_PLACE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.events.round.round_played import Box, Hand


def check_card(card: object, path: str) -> None:
    """One card code of the vocabulary. Raises: Malformed."""
    if type(card) is not str or card not in CODES:
        raise Malformed(
            path,
            "found {found}; asked is a card: rank A 2-9 T J Q K or X, suit C D H S or ?",
            found=shown(card),
        )


def check_cards(cards: Sequence[object], at: str) -> None:
    """At most 24 card codes. Raises: Malformed, at the first card that is none."""
    if len(cards) > MAX_CARDS_IN_HAND:
        raise Malformed(
            f"{at}.cards",
            "found {found} cards; asked are at most {most}",
            found=len(cards),
            most=MAX_CARDS_IN_HAND,
        )
    for index, card in enumerate(cards):
        if type(card) is not str or card not in CODES:
            check_card(card, f"{at}.cards[{index}]")


def check_hand(hand: Hand, misdealt_here: int, voided: bool, at: str) -> None:
    """One hand but its number: the cards that were dealt, asked for, doubled on, given by mistake.

    `misdealt_here` is the number of misdealt cards that ended on this hand: such a card stands for
    one the hand asked for, or came on top. A hand that asked for none may have been left with one
    card: that is unlawful, and recorded. A round that was voided may have stopped at any card.
    Raises: Malformed.
    """
    if hand.split_from is not None:
        check_whole(hand.split_from, 1, MAX_PLACE, at, "from")
    check_cards(hand.cards, at)
    if hand.surrendered_at is not None and "surrender" not in hand.actions:
        raise Malformed(
            f"{at}.surrendered_at", "found one; asked is none, nobody surrendered this hand"
        )
    asked = 2
    actions: Sequence[object] = hand.actions
    for index, action in enumerate(actions):
        if type(action) is not str or action not in ACTIONS:
            check_word(action, ACTIONS, f"{at}.actions[{index}]", "")
        if action in ("hit", "double"):
            asked += 1
    count = len(hand.cards)
    least = 1 if voided or asked == 2 else asked
    if not least <= count <= asked + misdealt_here:
        raise Malformed(
            f"{at}.cards",
            "found {found} cards; two dealt, {asked} asked for and {misdealt} misdealt make"
            " {low} to {high}",
            found=count,
            asked=asked - 2,
            misdealt=misdealt_here,
            low=least,
            high=asked + misdealt_here,
        )


def check_hands_together(box: Box, voided: bool, at: str) -> None:
    """The hands of a box: numbered from 1, all split off one first hand, as often as was said.

    Raises: Malformed.
    """
    hands = box.hands
    if not hands:
        return
    parents = {hand.number: hand.split_from for hand in hands}
    for index, hand in enumerate(hands):
        if hand.number > len(hands) or len(parents) < len(hands):
            _refuse_number(box, index, at)
        if hand.split_from is not None:
            _check_parent(hand, parents, f"{at}.hands[{index}].from")
        if hand.from_left is not None:
            _check_place(box, index, f"{at}.hands[{index}]")
    roots = [index for index, hand in enumerate(hands) if hand.split_from is None]
    if len(roots) > 1:
        raise Malformed(
            f"{at}.hands[{roots[1]}]",
            "found a second hand that was split off no other; asked is one such hand in a box",
        )
    if not voided:
        _check_splits(box, at)


def _refuse_number(box: Box, index: int, at: str) -> None:
    number = box.hands[index].number
    if number > len(box.hands) or number in [hand.number for hand in box.hands[:index]]:
        raise Malformed(
            f"{at}.hands[{index}].hand",
            "found hand {found}; asked are the numbers 1 to {most}, each once",
            found=number,
            most=len(box.hands),
        )


def _check_place(box: Box, index: int, at: str) -> None:
    """Where a hand lay among the hands of its box: one place of as many as there are."""
    place = box.hands[index].from_left
    check_whole(place, 1, len(box.hands), at, "from_left")
    if place in [hand.from_left for hand in box.hands[:index]]:
        raise Malformed(
            f"{at}.from_left",
            "found place {found} again; asked is each place once",
            found=place or 0,
        )


def _check_parent(hand: Hand, parents: dict[int, int | None], path: str) -> None:
    """The hand this one was split off exists, and going up ends at a hand that was dealt."""
    seen = {hand.number}
    above = hand.split_from
    while above is not None:
        if above not in parents:
            raise Malformed(
                path, "found hand {found}; asked is another hand of this box", found=above
            )
        if above in seen:
            raise Malformed(
                path, "found hands split off one another in a ring; asked is a first hand"
            )
        seen.add(above)
        above = parents[above]


def _check_splits(box: Box, at: str) -> None:
    born = Counter(hand.split_from for hand in box.hands)
    for index, hand in enumerate(box.hands):
        splits = hand.actions.count("split")
        if splits != born[hand.number]:
            raise Malformed(
                f"{at}.hands[{index}].actions",
                "found {splits} times split; asked are as many as hands come from it: {born}",
                splits=splits,
                born=born[hand.number],
            )
