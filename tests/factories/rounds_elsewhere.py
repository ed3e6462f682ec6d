"""A lawful Portuguese round as another rulebook would have had it dealt, where that knows its play.

What the other book does otherwise is looked at here, not asked of the law: the bank's second card
that comes after the players', the ace a double fixes, the half that is insured, how often aces are
split, the boxes of somebody who plays alone, when a blackjack is paid, a prize no other states.
"""

from collections import Counter
from dataclasses import replace
from typing import Final

from casino.cards import VALUE
from casino.events.round.round_played import Box, Dealt, Hand, RoundPlayed

BOOKS: Final = ("pt-summary", "br", "es", "fr")
_BANK_LAST: Final = ("br", "es", "fr")
_HALF: Final = ("pt-summary", "fr")
_WAITS: Final = ("pt-summary", "br", "es")  # a blackjack is paid once the bank has played


def under(book: str, played: RoundPlayed) -> RoundPlayed | None:
    """The round as that book deals it; None where it plays or settles something otherwise."""
    if any(_fixes_an_ace(hand) for box in played.boxes for hand in box.hands):
        return None
    if book in _HALF and any(_insures_less(box) for box in played.boxes):
        return None
    if book == "fr" and _not_in_france(played):
        return None
    if any(wager.kind == "special" for box in played.boxes for wager in box.wagers):
        return None  # a prize no other text states
    if book in _WAITS:
        played = replace(played, boxes=tuple(map(_paid_after_the_bank, played.boxes)))
    if book not in _BANK_LAST:
        return replace(played, rulebook=book)
    boxes = tuple(_insured_by_then(played, box) for box in played.boxes)
    return replace(played, rulebook=book, dealt=_bank_last(played), boxes=boxes)


def _paid_after_the_bank(box: Box) -> Box:
    """Its blackjacks as they are paid where they wait for the bank."""
    wagers = (replace(one, at_once=False) if one.at_once else one for one in box.wagers)
    return replace(box, wagers=tuple(wagers))


def _insured_by_then(played: RoundPlayed, box: Box) -> Box:
    """Its insurances with as many cards fewer out as the bank has not got yet."""
    later = [place for place, card in enumerate(played.dealt or ()) if card.to == "bank"][1:]
    wagers = []
    for wager in box.wagers:
        at = wager.taken_at
        if at is not None and played.dealt is not None:
            at -= sum(place < at for place in later)
        elif at is not None:  # without the order, one card; which were taken out then nobody knows
            at = None if played.bank.voided else at - 1
        wagers.append(replace(wager, taken_at=at))
    return replace(box, wagers=tuple(wagers))


def _fixes_an_ace(hand: Hand) -> bool:
    """Doubled on an ace: in Portugal it stays one, elsewhere it counts as suits the player."""
    return "double" in hand.actions and any(VALUE[card] == 1 for card in hand.cards[:2])


def _insures_less(box: Box) -> bool:
    """Somebody insured another part than half of what he had staked."""
    staked = Counter[str]()
    for wager in box.wagers:
        if wager.kind in ("main", "even_money") and wager.hand == 1:
            staked[wager.owner] += wager.initial_cents or wager.stake_cents
    return any(
        wager.kind == "insurance" and 2 * wager.stake_cents != staked[wager.owner]
        for wager in box.wagers
    )


def _not_in_france(played: RoundPlayed) -> bool:
    """A card taken out of the bank's, aces split again, too many boxes or too few for one."""
    on = {(wager.owner, box.number) for box in played.boxes for wager in box.wagers}
    boxes = Counter(owner for owner, _ in on)
    return (
        bool(played.bank.voided)
        or len(boxes) == 1
        or max(boxes.values()) > 3
        or any(_aces_split_again(box) for box in played.boxes)
    )


def _aces_split_again(box: Box) -> bool:
    return len(box.hands) > 2 and all(VALUE[hand.cards[0]] == 1 for hand in box.hands)


def _bank_last(played: RoundPlayed) -> tuple[Dealt, ...] | None:
    """The order of the cards with the bank's second after all the players'."""
    if played.dealt is None:
        return None
    bank = [place for place, card in enumerate(played.dealt) if card.to == "bank"][1:]
    before = (card for place, card in enumerate(played.dealt) if place not in bank)
    return (*before, *(played.dealt[place] for place in bank))
