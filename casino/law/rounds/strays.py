"""Cards that came out of the shoe against a player's will, and where the law sends them.

Law: PT art. 18, 19 (reading misdealt-to-standing-bank).
"""

from typing import TYPE_CHECKING

from casino.events.round.round_played import Misdealt, Place, RoundPlayed
from casino.law.rounds.bank_total import bank_stands

if TYPE_CHECKING:
    from casino.law.rounds.play import HandPlay, RoundPlay


def given_to_standing_bank(record: RoundPlayed, p: dict[str, object]) -> str | None:
    """The unseen misdealt card a standing bank receives, under the reading that gives it one.

    Law: PT art. 18, 19 (reading misdealt-to-standing-bank).
    """
    if not record.misdealt or p.get("misdealt.standing_bank") != "bank":
        return None
    unseen = (card.card for card in record.misdealt if card.fate == "bank" and card.seen is False)
    return next(unseen, None)


def misdirected(play: "RoundPlay", card: Misdealt) -> bool | None:
    """Whether a card drawn against a player's will went where the law does not send it.

    None where the record, or the rulebook, does not tell. Law: PT art. 18 (reading
    misdealt-to-standing-bank).
    """
    if not isinstance(card.at, Place):
        return False
    if card.seen is None or "misdealt_card_placed" not in play.upheld:
        return None
    lawful = lawful_fate(play, card)
    if lawful == ("discard", None) and card.fate == "bank" and not card.seen:
        return False  # the bank was given a card it may not have: that is asked under art. 19
    if (card.fate, card.to) != lawful:
        return True
    return card.fate == "bank" and not _is_banks_next(play, card)


def lawful_fate(play: "RoundPlay", card: Misdealt) -> tuple[str, Place | None]:
    """Where the law sends a misdealt card: the next hand that asks, else the bank, else discarded.

    A seen card is always discarded. Law: PT art. 18, 19.
    """
    assert isinstance(card.at, Place)
    if card.seen:
        return "discard", None
    requests = _requests_after(play, card)
    if requests:
        hand, index = requests[0]
        # It is the very card of that request; anywhere else it went to another one.
        given = hand.hand.cards[index : index + 1] == (card.card,)
        return "hand", hand.place if given else None
    bank = play.record.bank.cards
    stands = bank_stands(bank[:2], play.p) or not play.must_draw
    if stands and play.p.get("misdealt.standing_bank", "discard") == "discard":
        return "discard", None
    return "bank", None


def _earlier_strays(play: "RoundPlay", card: Misdealt, fate: str) -> list[Misdealt]:
    strays = play.record.misdealt
    before = strays[: next(place for place, one in enumerate(strays) if one is card)]
    return [one for one in before if one.fate == fate and isinstance(one.at, Place)]


def _requests_after(play: "RoundPlay", card: Misdealt) -> list[tuple["HandPlay", int]]:
    """The cards asked for after a misdealt one, in dealing order, that no other answered."""
    assert isinstance(card.at, Place)
    at = (card.at.box, card.at.hand)
    requests = [
        (hand, index)
        for hand in play.hands
        if (hand.box.number, hand.number) > at
        and (hand.box.number != at[0] or play.p.get("misdealt.next") != "another_box")
        for index in range(2, 2 + hand.draws)
    ]
    for stray in _earlier_strays(play, card, "hand"):
        answered = next(
            (
                request
                for request in requests
                if request[0].place == stray.to
                and request[0].hand.cards[request[1] : request[1] + 1] == (stray.card,)
            ),
            None,
        )
        if answered is not None:
            requests.remove(answered)
    return requests


def _is_banks_next(play: "RoundPlay", card: Misdealt) -> bool:
    """Whether the bank took the misdealt card as the next of its own."""
    place = 2 + len(_earlier_strays(play, card, "bank"))
    return play.record.bank.cards[place : place + 1] == (card.card,)
