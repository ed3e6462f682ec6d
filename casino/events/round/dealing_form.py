"""The form of the bank, of misdealt cards and of the dealing order, held against the hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, NoReturn

from casino.cards import CODES
from casino.events import Malformed
from casino.events.phrases import Phrase
from casino.events.round.field_form import (
    check_rising,
    check_truth,
    check_whole,
    check_word,
    shown,
)
from casino.events.round.hand_form import check_card, check_cards
from casino.events.round.round_words import (
    DEALT_TO,
    FATES,
    MAX_CARDS_IN_HAND,
    MAX_PLACE,
    MISDEALT_AT,
    VOIDED_WHY,
)

if TYPE_CHECKING:
    from casino.cards import Card
    from casino.events.round.round_played import (
        Bank,
        Box,
        Dealt,
        Hand,
        Misdealt,
        Place,
        RoundPlayed,
    )

# Where a card may lie: (box, hand), "bank", "discard".
Spot = tuple[int, int] | str


def misdealt_to_hands(misdealt: tuple[Misdealt, ...]) -> Counter[tuple[int, int]]:
    """The misdealt cards' own form; returns how many of them ended on each (box, hand).

    Raises: Malformed.
    """
    ended: Counter[tuple[int, int]] = Counter()
    for index, card in enumerate(misdealt):
        at = f"$.misdealt[{index}]"
        check_card(card.card, f"{at}.card")
        check_word(card.fate, FATES, at, "fate")
        if card.seen is not None:
            check_truth(card.seen, at, "seen")
        if isinstance(card.at, str):
            _check_word_for_place(card.at, MISDEALT_AT, f"{at}.at")
        else:
            _check_place(card.at, f"{at}.at")
        if card.at == "bank" and card.fate == "discard":
            raise Malformed(
                f"{at}.fate",
                "found a turned bank card that was taken away; asked is to list it in bank.voided",
            )
        if (card.to is not None) != (card.fate == "hand"):
            raise Malformed(
                f"{at}.to",
                "fate is {fate}; asked is `to` exactly when it is hand",
                fate=card.fate,
            )
        if card.to is not None:
            _check_place(card.to, f"{at}.to")
            ended[card.to.box, card.to.hand] += 1
    return ended


def _check_word_for_place(value: str, words: AbstractSet[str], path: str) -> None:
    """A word where box and hand might stand as well."""
    if value not in words:
        raise Malformed(
            path,
            "found {found}; asked is one of {words}, or an object with box and hand",
            found=shown(value),
            words=", ".join(sorted(words)),
        )


def _check_place(place: Place, at: str) -> None:
    check_whole(place.box, 1, MAX_PLACE, at, "box")
    check_whole(place.hand, 1, MAX_PLACE, at, "hand")


def check_bank(bank: Bank) -> None:
    """The bank's cards, those taken out, and those that lay open. Raises: Malformed."""
    check_cards(bank.cards, "$.bank")
    if len(bank.voided) > MAX_CARDS_IN_HAND:
        raise Malformed(
            "$.bank.voided",
            "found {found} cards; asked are at most {most}",
            found=len(bank.voided),
            most=MAX_CARDS_IN_HAND,
        )
    for index, card in enumerate(bank.voided):
        at = f"$.bank.voided[{index}]"
        check_card(card.card, f"{at}.card")
        check_word(card.why, VOIDED_WHY, at, "why")
    if bank.open is None:
        return
    check_rising(bank.open, MAX_PLACE, "$.bank", "open")
    if bank.open and bank.open[-1] > len(bank.cards):
        raise Malformed(
            f"$.bank.open[{len(bank.open) - 1}]",
            "found place {found}; the bank has {count} cards",
            found=bank.open[-1],
            count=len(bank.cards),
        )


def check_misdealt_lie(played: RoundPlayed) -> None:
    """Every misdealt card names hands of this round and lies where it is said to.

    Raises: Malformed.
    """
    lie: dict[Spot, Counter[Card]] = {"bank": Counter(played.bank.cards)}
    for box in played.boxes:
        for hand in box.hands:
            lie[box.number, hand.number] = Counter(hand.cards)
    for index, card in enumerate(played.misdealt):
        at = f"$.misdealt[{index}]"
        if not isinstance(card.at, str) and (card.at.box, card.at.hand) not in lie:
            _refuse_place(card.at, f"{at}.at")
        if card.fate == "discard":
            continue
        spot: Spot = (card.to.box, card.to.hand) if card.to is not None else "bank"
        if card.to is not None and spot not in lie:
            _refuse_place(card.to, f"{at}.to")
        if not lie[spot][card.card]:
            raise Malformed(
                f"{at}.card",
                "found {card}, which is not among the cards of {place}",
                card=card.card,
                place=_named(spot),
            )
        lie[spot][card.card] -= 1  # two misdealt cards of one kind need two such cards there


def _refuse_place(place: Place, path: str) -> NoReturn:
    raise Malformed(
        path,
        "found box {box} hand {hand}; asked is a hand of this round",
        box=place.box,
        hand=place.hand,
    )


def _named(spot: Spot) -> Phrase:
    if isinstance(spot, str):
        return Phrase("the bank") if spot == "bank" else Phrase("the discard corner")
    return Phrase("box {box} hand {hand}", box=spot[0], hand=spot[1])


def check_dealt(played: RoundPlayed, dealt: tuple[Dealt, ...]) -> None:
    """The dealing order tells of exactly the cards that lie on the table, in the order they lie.

    Raises: Malformed.
    """
    values: dict[Spot, list[Card]] = {}
    for index, one in enumerate(dealt):
        card: object = one.card
        if type(card) is not str or card not in CODES:
            check_card(card, f"$.dealt[{index}].card")
        to = one.to
        if isinstance(to, str):
            if to not in DEALT_TO:
                _check_word_for_place(to, DEALT_TO, f"$.dealt[{index}].to")
            spot: Spot = to
        else:
            box: object = to.box
            hand: object = to.hand
            if (
                type(box) is not int
                or type(hand) is not int
                or not (1 <= box <= MAX_PLACE and 1 <= hand <= MAX_PLACE)
            ):
                _check_place(to, f"$.dealt[{index}].to")
            spot = (to.box, to.hand)
        values.setdefault(spot, []).append(one.card)
    lie = _as_dealt(played)
    if values == lie and all(len(box.hands) < 2 for box in played.boxes):
        return  # as nearly always: nothing split, the same cards in the same order
    # The same cards in each place: sorting short lists is far cheaper than counting them.
    if values.keys() == lie.keys() and all(sorted(values[at]) == sorted(lie[at]) for at in lie):
        _check_order(played, dealt)
        return
    _refuse_dealt(played, values, lie)


def _as_dealt(played: RoundPlayed) -> dict[Spot, list[Card]]:
    """The cards each place must have been dealt: a split hand's first card went to its parent."""
    lie: dict[Spot, list[Card]] = {}
    for box in played.boxes:
        for hand in box.hands:
            here = lie.setdefault((box.number, hand.number), [])
            if hand.split_from is None:
                here.extend(hand.cards)
            else:
                here.extend(hand.cards[1:])
                lie.setdefault((box.number, hand.split_from), []).append(hand.cards[0])
    lie["bank"] = [*played.bank.cards, *[card.card for card in played.bank.voided]]
    lie["discard"] = [card.card for card in played.misdealt if card.fate == "discard"]
    return {spot: cards for spot, cards in lie.items() if cards}


def _refuse_dealt(
    played: RoundPlayed, values: dict[Spot, list[Card]], lie: dict[Spot, list[Card]]
) -> NoReturn:
    """Says what differs: a split hand's first card if it is that, else the first place by name."""
    for index, box in enumerate(played.boxes):
        for place, hand in enumerate(box.hands):
            if hand.split_from is None:
                continue
            parent = (box.number, hand.split_from)
            if hand.cards[0] not in values.get(parent, ()):
                raise Malformed(
                    f"$.boxes[{index}].hands[{place}].cards[0]",
                    "found {card}, which was not dealt to {place}, the hand it was split off",
                    card=hand.cards[0],
                    place=_named(parent),
                )
    _refuse_voided_discarded(played, values, lie)
    spots = sorted({*values, *lie}, key=str)
    spot = next(at for at in spots if sorted(values.get(at, ())) != sorted(lie.get(at, ())))
    dealt, lying = Counter(values.get(spot, ())), Counter(lie.get(spot, ()))
    raise Malformed(
        "$.dealt",
        "at {place} the cards differ: lying there but not dealt [{missing}], dealt but not lying"
        " there [{extra}]",
        place=_named(spot),
        missing=" ".join(sorted((lying - dealt).elements())),
        extra=" ".join(sorted((dealt - lying).elements())),
    )


def _refuse_voided_discarded(
    played: RoundPlayed, values: dict[Spot, list[Card]], lie: dict[Spot, list[Card]]
) -> None:
    """A card taken from the bank was dealt to the bank, though it lies with the discards now."""
    discarded = Counter(values.get("discard", ())) - Counter(lie.get("discard", ()))
    missing = Counter(lie.get("bank", ())) - Counter(values.get("bank", ()))
    for voided in played.bank.voided:
        if discarded[voided.card] and missing[voided.card]:
            places = enumerate(played.dealt or ())
            index = max(n for n, one in places if (one.card, one.to) == (voided.card, "discard"))
            raise Malformed(
                f"$.dealt[{index}].to",
                "found discard for {card}, a voided card of the bank; asked is bank, where it"
                " came to",
                card=voided.card,
            )


def _check_order(played: RoundPlayed, dealt: tuple[Dealt, ...]) -> None:
    """Every place lies in the order it was dealt in, and a split hand began with its first card.

    A misdealt card may leave the shoe long before it gets where it ends: where one ended, cards
    like it are not held to any order.
    """
    astray = _astray(played.misdealt)
    came: dict[Spot, list[tuple[int, Card]]] = {}
    for index, one in enumerate(dealt):
        spot: Spot = one.to if isinstance(one.to, str) else (one.to.box, one.to.hand)
        if one.card not in astray.get(spot, ()):
            came.setdefault(spot, []).append((index, one.card))
    _check_lies_as_it_came("bank", played.bank.cards, came, astray)
    for box in played.boxes:
        for hand in box.hands:
            here = (box.number, hand.number)
            own = hand.cards if hand.split_from is None else hand.cards[1:]
            if here in astray or played.voided is not None or not _split_on_two_cards(hand):
                _check_lies_as_it_came(here, own, came, astray)
            else:
                _check_second_moved(here, hand, own, came)
            if hand.split_from is not None:
                _check_began(here, hand, came, _may_have_moved(box, hand.split_from, came, astray))


def _astray(misdealt: tuple[Misdealt, ...]) -> dict[Spot, set[Card]]:
    """The misdealt cards that ended on a place; a turned card the bank kept was in its place."""
    astray: dict[Spot, set[Card]] = {}
    for card in misdealt:
        if card.to is not None:
            astray.setdefault((card.to.box, card.to.hand), set()).add(card.card)
        elif card.fate == "bank" and card.at != "bank":
            astray.setdefault("bank", set()).add(card.card)
    return astray


def _split_on_two_cards(hand: Hand) -> bool:
    """Whether no card was asked for before the last split: then it is known which card moved."""
    asked = [place for place, action in enumerate(hand.actions) if action in ("hit", "double")]
    return not asked or "split" not in hand.actions[asked[0] :]


def _check_lies_as_it_came(
    spot: Spot,
    lie: tuple[Card, ...],
    came: dict[Spot, list[tuple[int, Card]]],
    astray: dict[Spot, set[Card]],
) -> None:
    """What came to a place, less cards voided and split off, is what lies there."""
    lying = [card for card in lie if card not in astray.get(spot, ())]
    cards = [card for _, card in came.get(spot, ())]
    rest = iter(cards)
    if not all(card in rest for card in lying):  # `in` goes on after the card found before
        raise Malformed(
            "$.dealt",
            "at {place} the order differs: dealt [{dealt}], lying there [{lying}]; asked is one"
            " order, but for cards voided, misdealt or split off",
            place=_named(spot),
            dealt=" ".join(cards),
            lying=" ".join(lying),
        )


def _check_second_moved(
    spot: Spot,
    hand: Hand,
    own: tuple[Card, ...],
    came: dict[Spot, list[tuple[int, Card]]],
) -> None:
    """Each split moved the second of two cards: those that came right after the first one."""
    cards = [card for _, card in came.get(spot, ())]
    first = 1 if hand.split_from is None else 0  # that of a split hand came to its parent
    if [*cards[:first], *cards[first + hand.actions.count("split") :]] != [*own]:
        raise Malformed(
            "$.dealt",
            "at {place} the order differs: dealt [{dealt}], lying there [{lying}]; asked is one"
            " order, each split moving the second card away",
            place=_named(spot),
            dealt=" ".join(cards),
            lying=" ".join(own),
        )


def _may_have_moved(
    box: Box,
    number: int,
    came: dict[Spot, list[tuple[int, Card]]],
    astray: dict[Spot, set[Card]],
) -> list[tuple[int, Card]]:
    """The cards of a hand that a split can have moved: all but the first one dealt to the box."""
    here = (box.number, number)
    dealt_first = any(hand.number == number and hand.split_from is None for hand in box.hands)
    stays = 1 if dealt_first and here not in astray else 0
    return came.get(here, [])[stays:]


def _check_began(
    spot: Spot,
    hand: Hand,
    came: dict[Spot, list[tuple[int, Card]]],
    may_have_moved: list[tuple[int, Card]],
) -> None:
    """A hand gets no card of its own before the one it was split off with."""
    first = next((index for index, _ in came.get(spot, ())), None)
    began = next((index for index, card in may_have_moved if card == hand.cards[0]), None)
    if first is not None and began is not None and first < began:
        raise Malformed(
            f"$.dealt[{first}]",
            "found a card for {place} before {card}, with which that hand began; asked is the card"
            " split off first",
            place=_named(spot),
            card=hand.cards[0],
        )


def cards_recorded(played: RoundPlayed) -> int:
    """How many cards left the shoe in this round, by what lies on the table and in the discards."""
    return (
        sum(len(hand.cards) for box in played.boxes for hand in box.hands)
        + len(played.bank.cards)
        + len(played.bank.voided)
        + sum(card.fate == "discard" for card in played.misdealt)
    )
