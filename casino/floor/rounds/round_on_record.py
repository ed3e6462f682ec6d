"""A round that is on record as the taps that make it, and put right by other taps. Pure."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from casino.events import Malformed
from casino.events.round.round_played import Box, Hand, Place, RoundPlayed, Wager
from casino.floor.rounds.taps import (
    BANK,
    DEALT,
    DRAWS,
    VOIDED,
    TappedRound,
    bank_of,
    boxes_of,
    tapped,
)


def words_of(played: RoundPlayed) -> list[str] | None:
    """The taps that make a round that is on record; None where no taps stand for it.

    That is one that was voided, with a card that a hand or the bank kept, with stakes of others, of
    vacant boxes, of a jackpot, or changed after the deal. Of a split the record need not tell when
    its cards came: these taps deal them hand by hand.
    """
    if played.voided or any(_has_no_taps(box) for box in played.boxes):
        return None
    try:
        words = list(_words_of(played))
        most = max(box.number for box in played.boxes)
        made = put_right(played, tapped(words, boxes=most, minimum=0))
    except Malformed:
        return None
    return words if made == played else None


def _has_no_taps(box: Box) -> bool:
    main = next((one for one in box.wagers if one.kind in ("main", "even_money")), None)
    if box.vacant or main is None or any(one.owner != box.holder for one in box.wagers):
        return True
    changed = main.initial_cents not in (None, main.stake_cents)
    return changed and not any("double" in hand.actions for hand in box.hands)


def _words_of(played: RoundPlayed) -> Iterator[str]:
    for box in played.boxes:
        yield f"s{box.number}"
        yield from _words_of_cards(box)
    yield BANK
    for card in played.bank.cards:
        yield from (BANK, card)
    reasons = {why: word for word, why in VOIDED.items()}
    for voided in played.bank.voided:
        yield from (reasons[voided.why], voided.card)
    for one in played.misdealt:
        if isinstance(one.at, Place):
            yield from (f"@{one.at.box}.{one.at.hand}", "void-unasked", one.card)
        else:
            yield from ("void-shoe", one.card)
    for box in played.boxes:
        yield from _words_of_money(box)


def _words_of_cards(box: Box) -> Iterator[str]:
    """Its stake before the deal, its splits as its hands are numbered, each hand to its end."""
    main = next(one for one in box.wagers if one.kind in ("main", "even_money"))
    first = main.stake_cents if main.initial_cents is None else main.initial_cents
    yield from (f"@{box.number}.1", f"={first}")
    cards = {hand.number: iter(hand.cards) for hand in box.hands}
    actions = {hand.number: iter(hand.actions) for hand in box.hands}
    lie = {hand.number: 0 if hand.split_from is None else 1 for hand in box.hands}
    for hand in box.hands:
        at, split = f"@{box.number}.{hand.split_from}", hand.split_from
        if split is None:
            continue
        if not lie[split]:
            yield from (at, next(cards[split], ""))
        yield from (at, next(cards[hand.number], ""), at, next(actions[split], ""))
        lie[split] = 1
    for hand in box.hands:
        at = f"@{box.number}.{hand.number}"
        for card in islice(cards[hand.number], DEALT - lie[hand.number]):
            yield from (at, card)
        for action in actions[hand.number]:
            yield from (at, action)
            if action in DRAWS:
                yield from (at, next(cards[hand.number], ""))


def _words_of_money(box: Box) -> Iterator[str]:
    for wager in box.wagers:
        yield f"@{box.number}.{wager.hand or 1}"
        if wager.kind == "even_money":
            yield "even"
        if wager.kind == "insurance":
            yield from (f"i{wager.stake_cents}", f"ri{wager.returned_cents}")
        elif wager.kind == "special":
            yield f"rs{wager.returned_cents}"
        else:
            yield from (f"={wager.stake_cents}", f"r{wager.returned_cents}")


def put_right(played: RoundPlayed, tapped_round: TappedRound) -> RoundPlayed:
    """A round that is on record with the boxes, cards and money that were tapped; whatever cannot
    be tapped is what it was. Raises: Malformed.
    """
    before = {box.number: box for box in played.boxes}
    astray = {(one.card, one.at, one.fate): one for one in played.misdealt}
    bank, misdealt = bank_of(tapped_round), tapped_round.misdealt
    return replace(
        played,
        boxes=tuple(_put_right(before.get(box.number), box) for box in boxes_of(tapped_round)),
        bank=replace(played.bank, cards=bank.cards, voided=bank.voided),
        misdealt=tuple(astray.get((one.card, one.at, one.fate), one) for one in misdealt),
    )


def _put_right(box_there: Box | None, box: Box) -> Box:
    if box_there is None:
        return box
    hands = {hand.number: hand for hand in box_there.hands}
    there = {(one.kind, one.hand): one for one in box_there.wagers}
    tapped_now = {(one.kind, one.hand): one for one in box.wagers}
    order = [at for at in there if at in tapped_now] + [at for at in tapped_now if at not in there]
    owner = box_there.holder or box.holder or ""
    return replace(
        box_there,
        hands=tuple(_hand_put_right(hands.get(hand.number, hand), hand) for hand in box.hands),
        wagers=tuple(_wager_put_right(there.get(at), tapped_now[at], owner) for at in order),
    )


def _hand_put_right(hand_there: Hand, hand: Hand) -> Hand:
    return replace(hand_there, cards=hand.cards, actions=hand.actions, split_from=hand.split_from)


def _wager_put_right(wager_there: Wager | None, wager: Wager, owner: str) -> Wager:
    if wager_there is None:
        return replace(wager, owner=owner)
    first = None if wager_there.initial_cents is None else wager.initial_cents
    stake, back = wager.stake_cents, wager.returned_cents
    return replace(wager_there, stake_cents=stake, returned_cents=back, initial_cents=first)
