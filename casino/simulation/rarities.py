"""What seldom happens and breaks nothing: misdealt cards put where they belong, bank cards voided.

Law: PT art. 17 (turned bank card), 18 (misdealt card), 19 (extra bank card).
"""

from random import Random

from casino.events.round.round_played import Misdealt, Place, VoidedCard
from casino.simulation.draft import BANK, DISCARD, Draft
from casino.simulation.faults.of_dealing import askers, last_stander
from casino.simulation.planting import bank_points, last_act
from casino.simulation.settling import in_play

OFTEN = 0.06  # of all rounds have one tried on them
AGAIN = 0.15  # of the bank's voided cards are followed by another


def befall(draft: Draft, rng: Random) -> None:
    """Let something rare and lawful happen to the round, if it has room for it."""
    luck = rng.random()
    if luck < 0.3:
        _turned(draft, rng)
    elif luck < 0.5:
        _extra(draft, rng)
    elif luck < 0.8:
        _unseen(draft, rng)
    else:
        _seen(draft, rng)


def _turned(draft: Draft, rng: Random) -> None:
    """The bank's second card was turned: it is void and another one drawn. Law: PT art. 17.

    The other one is the bank's second card as the first was; it may be turned in its turn. Or the
    bank goes on to draw one too many.
    """
    _turn_second(draft)
    luck = rng.random()
    if luck < AGAIN:
        _turn_second(draft)
    elif luck < 2 * AGAIN:
        _draw_too_many(draft)


def _turn_second(draft: Draft) -> None:
    card = draft.source.deal()
    draft.voided.append(VoidedCard(card, "turned"))
    draft.dealt.insert(draft.opening - 1, (card, BANK, 0))
    draft.opening += 1


def _extra(draft: Draft, rng: Random) -> None:
    """A card drawn by a bank that stands was taken out again, seldom two. Law: PT art. 19."""
    _draw_too_many(draft)
    if rng.random() < AGAIN:
        _draw_too_many(draft)


def _draw_too_many(draft: Draft) -> None:
    if in_play(draft) != "nobody" and bank_points(draft) >= 17:
        draft.voided.append(VoidedCard(draft.draw(BANK, 0), "extra"))


def _unseen(draft: Draft, rng: Random) -> None:
    """A card nobody asked for, unseen: the next who asks has it, else the bank if it draws.

    A bank that may not draw leaves it to the discard. Law: PT art. 18, 19.
    """
    found = askers(draft)
    if found and rng.random() < 0.5:
        box, hand, to_box, to_hand = rng.choice(found)
        at, to = Place(box.number, hand.number), Place(to_box.number, to_hand.number)
        draft.misdealt.append(Misdealt(to_hand.cards[2], at, "hand", False, to))
        return
    last = last_stander(draft)
    if last is None or in_play(draft) != "somebody":
        return
    at = Place(last[0].number, last[1].number)
    if len(draft.bank) > 2:
        draft.misdealt.append(Misdealt(draft.bank[2], at, "bank", False))
    elif bank_points(draft) >= 17:
        card = draft.draw(DISCARD, 0)
        draft.misdealt.append(Misdealt(card, at, "discard", False))


def _seen(draft: Draft, rng: Random) -> None:
    """A card nobody asked for, seen: void. Law: PT art. 18."""
    found = [(box, hand) for box, hand in draft.hands() if last_act(hand) == "stand"]
    if found:
        box, hand = rng.choice(found)
        card = draft.source.deal()
        draft.dealt.insert(draft.turn_end(box.number, hand.number), (card, DISCARD, 0))
        draft.misdealt.append(Misdealt(card, Place(box.number, hand.number), "discard", True))
