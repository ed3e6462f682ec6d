"""Errors with the bank's voided cards: cards taken out which no article lets go.

The text gives up a bank card twice: its second, turned while it was dealt (17), and one drawn by a
bank that stands (19). Any other card drawn for the bank is the bank's, and taking it out breaks
the article under which it was drawn: 17 for the first and for a second that was not turned, 19
for the third and those after it. The reason written down changes nothing: `turned` belongs to the
second card, and of a card that lay open in the shoe the text says nothing. A second card told as
`face_up` is planted nowhere: that it was seen may be held to be the same as turned.

Every card taken out is of another code than those that counted: the dealing order then leaves no
doubt which card went and when.

Law: PT art. 17, 19.
"""

from random import Random
from typing import Final

from casino.cards import Card
from casino.events.round.round_played import VoidedCard, VoidedWhy
from casino.simulation.draft import BANK, Draft
from casino.simulation.planting import Kind, Mark, Planter
from casino.simulation.settling import in_play, settle


def _another_card(draft: Draft) -> Card | None:
    """The next card, should it be of another code than all the bank's; else it stays inside."""
    card = draft.source.deal()
    if card in draft.bank:
        draft.source.give_back([card])
        return None
    return card


def _first_card_taken_out(draft: Draft, rng: Random) -> Mark | None:
    """The bank's first card, which is to lie open, was put away and another one dealt."""
    card = _another_card(draft)
    if card is None:
        return None
    why: VoidedWhy = "turned" if rng.random() < 0.5 else "face_up"
    draft.voided.append(VoidedCard(card, why))
    draft.dealt.insert(len(draft.boxes), (card, BANK, 0))
    draft.opening += 1
    return Mark()


def _second_card_taken_out(draft: Draft, rng: Random) -> Mark | None:
    """The bank's second card, not turned, was put away as one too many and another one dealt."""
    card = _another_card(draft)
    if card is None:
        return None
    draft.voided.append(VoidedCard(card, "extra"))
    draft.dealt.insert(draft.opening - 1, (card, BANK, 0))
    draft.opening += 1
    return Mark()


def _drawn_card_taken_out(why: VoidedWhy) -> Planter:
    """A planter: a bank that had to draw drew, put that card away, and drew on to its end."""

    def plant(draft: Draft, rng: Random) -> Mark | None:
        drawn = len(draft.bank) - 2
        if drawn < 1 or in_play(draft) != "somebody":
            return None
        card = _another_card(draft)
        if card is None:
            return None
        before = len(draft.dealt) - rng.randint(1, drawn)
        draft.voided.append(VoidedCard(card, why))
        draft.dealt.insert(before, (card, BANK, 0))
        return Mark()

    return plant


def _last_card_taken_out(draft: Draft, rng: Random) -> Mark | None:
    """The card that ended the bank's draw was put away as one too many; it drew no other."""
    if len(draft.bank) < 3 or in_play(draft) != "somebody" or draft.bank[-1] in draft.bank[:-1]:
        return None
    draft.voided.append(VoidedCard(draft.bank.pop(), "extra"))
    settle(draft)
    return Mark()


KINDS: Final = (
    Kind("first_bank_card_taken_out", "17", _first_card_taken_out),
    Kind("second_bank_card_taken_out_as_extra", "17", _second_card_taken_out),
    Kind("last_bank_card_taken_out", "19", _last_card_taken_out),
    Kind("drawn_bank_card_taken_out_as_extra", "19", _drawn_card_taken_out("extra")),
    Kind("drawn_bank_card_taken_out_as_turned", "19", _drawn_card_taken_out("turned")),
    Kind("drawn_bank_card_taken_out_as_face_up", "19", _drawn_card_taken_out("face_up")),
)
