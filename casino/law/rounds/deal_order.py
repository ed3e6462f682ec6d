"""The dealing order without the cards that disturb it: those voided, discarded or gone astray.

Law: PT art. 17, 18, 19.
"""

from collections.abc import Iterator
from typing import Final

from casino.events.round.round_played import Dealt, Place
from casino.law.rounds.play import RoundPlay
from casino.law.rounds.taken_out import dealt_to_the_bank

TO_BANK: Final = 10**6  # the bank as a place: after every box


def spot_of(card: Dealt) -> int:
    """A place as one number that rises in dealing order: box and hand, the bank last."""
    to = card.to
    return TO_BANK if isinstance(to, str) else to.box * 100 + to.hand


def without_strays(play: RoundPlay, dealt: tuple[Dealt, ...]) -> list[Dealt]:
    """The cards as asked for: no discards, and none that came out wrongly.

    Of the voided bank cards only those drawn before their turn are left in.
    """
    cards = _without_voided(play, [card for card in dealt if card.to != "discard"])
    for misdealt in play.record.misdealt:
        to = misdealt.to
        if to is not None:
            _take_out(cards, misdealt.card, to.box * 100 + to.hand)
        elif misdealt.at != "bank" and misdealt.fate == "bank":
            _take_out(cards, misdealt.card, TO_BANK)
    return cards


def _without_voided(play: RoundPlay, cards: list[Dealt]) -> list[Dealt]:
    """Of cards alike, one that counted and one voided, the order of the bank's hand tells which.

    Where it leaves a choice, a card dealt came early and one drawn late. A misdealt card in that
    hand may have come at any time: then the last goes.
    """
    bank, dealt = play.record.bank, dealt_to_the_bank(play)
    came = [place for place, card in enumerate(cards) if card.to == "bank"]
    early, late = iter(came), reversed(came)
    counted = [_next_of(cards, early, card) for card in bank.cards[:dealt]]
    counted += [_next_of(cards, late, card) for card in reversed(bank.cards[dealt:])]
    if None not in counted and len(set(counted)) == len(counted):
        stay = _drawn_early(play)
        return [
            card
            for at, card in enumerate(cards)
            if card.to != "bank" or at in counted or card.card in stay
        ]
    for voided in bank.voided:
        _take_out(cards, voided.card, TO_BANK)
    return cards


def _drawn_early(play: RoundPlay) -> set[str]:
    """The voided cards that a bank which might still draw took before every player was asked."""
    return {
        one.card
        for one in play.taken_out
        if set(one.places.values()) == {None} and all(came.early for came in one.wrong)
    }


def _next_of(cards: list[Dealt], places: Iterator[int], card: str) -> int | None:
    """The next of these places at which such a card came."""
    return next((place for place in places if cards[place].card == card), None)


def _take_out(cards: list[Dealt], card: str, where: int) -> None:
    """Remove one card, of several alike the last."""
    alike = [place for place, one in enumerate(cards) if one.card == card and spot_of(one) == where]
    if alike:
        del cards[alike[-1]]


def cards_of_the_deal(play: RoundPlay) -> int | None:
    """How many cards had left the shoe when the first two of every hand and the bank's lay.

    None where cards went wrong and nobody recorded the order. Law: PT art. 17, 36.
    """
    dealt = play.record.dealt
    if dealt is None:
        if play.record.misdealt or play.record.bank.voided or play.short:
            return None
        return 2 * sum(bool(box.hands) for box in play.boxes) + dealt_to_the_bank(play)
    seen: dict[int, int] = {}
    for index, card in enumerate(dealt):
        if isinstance(card.to, Place):
            seen[card.to.box] = seen.get(card.to.box, 0) + 1
            if seen[card.to.box] > 2:
                return index
    return len(dealt)
