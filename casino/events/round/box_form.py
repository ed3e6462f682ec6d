"""The form of a box: who holds it, its hands, and the wagers on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.events import Malformed
from casino.events.round.field_form import check_code, check_truth, check_whole, check_word
from casino.events.round.hand_form import check_hand, check_hands_together
from casino.events.round.round_words import (
    MAX_CENTS,
    MAX_CHIPS,
    MAX_CHIPS_CENTS,
    MAX_PLACE,
    ON_A_HAND,
    WAGER_KINDS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.events.round.round_played import Box, Wager


def check_boxes(
    boxes: tuple[Box, ...], misdealt_to: Mapping[tuple[int, int], int], voided: bool
) -> None:
    """Every box of a round. `misdealt_to` counts the misdealt cards that ended on (box, hand).

    Raises: Malformed.
    """
    if not boxes:
        raise Malformed("$.boxes", "found no box; asked is at least one")
    numbers = set()
    for index, box in enumerate(boxes):
        at = f"$.boxes[{index}]"
        check_whole(box.number, 1, MAX_PLACE, at, "box")
        if box.number in numbers:
            raise Malformed(
                f"{at}.box", "found box {found} again; asked is each box once", found=box.number
            )
        numbers.add(box.number)
        _check_holder(box, at)
        for place, hand in enumerate(box.hands):
            here = f"{at}.hands[{place}]"
            check_whole(hand.number, 1, MAX_PLACE, here, "hand")
            misdealt_here = misdealt_to.get((box.number, hand.number), 0) if misdealt_to else 0
            check_hand(hand, misdealt_here, voided, here)
        check_hands_together(box, voided, at)
        _check_wagers(box, voided, at)


def _check_holder(box: Box, at: str) -> None:
    check_truth(box.vacant, at, "vacant")
    if box.holder is not None:
        check_code(box.holder, at, "holder")
        if box.vacant:
            raise Malformed(f"{at}.holder", "found a holder; asked is none, the box is vacant")
    elif not box.vacant:
        raise Malformed(f"{at}.holder", "found no holder; asked is one, the box is not vacant")
    if box.decided_by is not None:
        check_code(box.decided_by, at, "decided_by")
    if box.consent is not None:
        check_truth(box.consent, at, "consent")


def _check_wagers(box: Box, voided: bool, at: str) -> None:
    """The wagers of a box: each by itself, then against each other.

    A stake may wait on hand 1 of a box that got no card; in a voided round, on any hand.
    """
    hands = {hand.number for hand in box.hands} or {1}
    taken: dict[tuple[str, str, int | None], Wager] = {}
    marked: dict[str, int] = {}
    for index, wager in enumerate(box.wagers):
        here = f"{at}.wagers[{index}]"
        _check_wager(wager, here)
        if wager.hand is not None and wager.hand not in hands and not voided:
            raise Malformed(
                f"{here}.hand", "found hand {found}; asked is a hand of this box", found=wager.hand
            )
        slot = (wager.owner, "main" if wager.kind == "even_money" else wager.kind, wager.hand)
        if slot in taken:
            _refuse_second(wager, taken[slot], here)
        taken[slot] = wager
        if wager.initial_cents is not None:
            before = marked.setdefault(wager.owner, wager.initial_cents)
            if before != wager.initial_cents:
                raise Malformed(
                    f"{here}.initial_cents",
                    "found {found}; the same owner's other wager on this box says {before}",
                    found=wager.initial_cents,
                    before=before,
                )


def _check_wager(wager: Wager, at: str) -> None:
    check_code(wager.owner, at, "owner")
    check_word(wager.kind, WAGER_KINDS, at, "kind")
    most = MAX_CHIPS_CENTS if wager.kind == "jackpot" else MAX_CENTS
    check_whole(wager.stake_cents, 0, most, at, "stake_cents")
    check_whole(wager.returned_cents, 0, MAX_CENTS, at, "returned_cents")
    _check_there(wager.hand, wager.kind in ON_A_HAND, wager.kind, at, "hand", MAX_PLACE)
    _check_there(wager.chip, wager.kind == "jackpot", wager.kind, at, "chip", MAX_CHIPS)
    if wager.kind == "special" and wager.stake_cents:
        raise Malformed(
            f"{at}.stake_cents",
            "found {found}; asked is 0, the special prize has no stake of its own",
            found=wager.stake_cents,
        )
    if wager.seat is not None:
        check_whole(wager.seat, 1, MAX_PLACE, at, "seat")
    if wager.initial_cents is not None:
        check_whole(wager.initial_cents, 0, MAX_CENTS, at, "initial_cents")
    if wager.at_once is not None:
        check_truth(wager.at_once, at, "at_once")
    _check_insured(wager, at)


def _check_insured(wager: Wager, at: str) -> None:
    """When and where an insurance was laid: of no other wager. `round_form` counts the cards."""
    for name in ("taken_at", "invited", "on_its_place", "spoken"):
        value = getattr(wager, name)
        if value is None:
            continue
        if wager.kind != "insurance":
            raise Malformed(
                f"{at}.{name}", "found one; asked is none, the kind is {kind}", kind=wager.kind
            )
        if name != "taken_at":
            check_truth(value, at, name)


def _check_there(value: object, is_asked: bool, kind: str, at: str, name: str, high: int) -> None:
    """A number that some kinds of wager must have and the others may not."""
    if value is None:
        if is_asked:
            raise Malformed(
                f"{at}.{name}", "found none; asked is one, the kind is {kind}", kind=kind
            )
    elif not is_asked:
        raise Malformed(f"{at}.{name}", "found one; asked is none, the kind is {kind}", kind=kind)
    else:
        check_whole(value, 1, high, at, name)


def _refuse_second(wager: Wager, first_wager: Wager, at: str) -> None:
    if wager.kind == first_wager.kind:
        raise Malformed(
            at,
            "found a second {kind} wager of owner {owner} in this place; asked is one",
            kind=wager.kind,
            owner=wager.owner,
        )
    raise Malformed(
        at,
        "found main and even_money of owner {owner} on one hand; asked is one of the two",
        owner=wager.owner,
    )
