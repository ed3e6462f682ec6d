"""Errors of the dealer's hands: wrong cards, wrong order, misdealt cards, the bank's own draw.

Law: PT art. 3, 17 to 19, 22, 26.
"""

from functools import partial
from random import Random
from typing import Final

from casino.cards import VALUE, best_total, hard_total
from casino.events.round.round_played import Misdealt, Place
from casino.simulation.card_source import Shoe
from casino.simulation.draft import BANK, DISCARD, Betting, Dealing, Draft
from casino.simulation.planting import Kind, Mark, bank_natural, bank_played, bank_points, last_act
from casino.simulation.settling import in_play, paid_at_once, settle

MOST_DECKS: Final = 6


def _seventh_copy(draft: Draft, rng: Random) -> Mark | None:
    """One card more often than six decks hold it.

    In a six-deck shoe a bank card becomes one whose six copies all lie on the discard already; with
    a shuffler seven ten-valued cards of one round become the same card. No value changes.
    """
    if not isinstance(draft.source, Shoe):
        return _seven_in_a_round(draft, rng)
    if draft.source.decks < MOST_DECKS or draft.source.tampered:
        return None
    unseen = set(draft.source.left())
    for at, card in enumerate(draft.bank):
        for rank in "TJQK" if VALUE[card] == 10 else card[0]:
            for suit in "CDHS":
                copy = rank + suit
                if copy == card or copy in unseen:
                    continue
                entry = draft.dealt.index((card, BANK, 0))
                draft.dealt[entry] = (copy, BANK, 0)
                draft.bank[at] = copy
                draft.source.tampered = True
                return Mark()
    return None


def _seven_in_a_round(draft: Draft, rng: Random) -> Mark | None:
    tens = [card for card, _, _ in draft.dealt if VALUE[card] == 10]
    if len(tens) <= MOST_DECKS:
        return None
    copy = rng.choice(tens)
    for _, hand in draft.hands():
        hand.cards[:] = [copy if VALUE[card] == 10 else card for card in hand.cards]
    draft.bank[:] = [copy if VALUE[card] == 10 else card for card in draft.bank]
    draft.dealt = [(copy if VALUE[c] == 10 else c, box, hand) for c, box, hand in draft.dealt]
    return Mark()


def _cards_to_an_unstaked_box(draft: Draft, rng: Random) -> Mark | None:
    """Somebody sits there and staked nothing, and gets two cards all the same."""
    if not bank_played(draft):
        return None
    played = {box.number for box in draft.boxes}
    free = [seat for seat in range(1, draft.boxes[-1].number) if seat not in played]
    cards = [draft.source.deal(), draft.source.deal()]
    if not free or not 12 <= best_total(cards) <= 20:
        draft.source.give_back(cards)
        return None
    number = rng.choice(free)
    before = sum(1 for at in played if at < number)
    rank = len(draft.boxes) + 1
    draft.dealt.insert(before, (cards[0], number, 1))
    draft.dealt.insert(rank + 1 + before, (cards[1], number, 1))
    draft.opening += 2
    hand = Dealing(1, cards, ["stand"])
    name = f"J{900 + number}"
    draft.boxes.insert(before, Betting(number, name, name, [hand], []))
    draft.seats = sorted({*draft.seats, number})
    return Mark(number, 1)


def _one_card_only(draft: Draft, rng: Random, split: bool) -> Mark | None:
    """A box whose player stood on two cards, or a hand of a split, got only the first of them."""
    found = [
        (box, hand)
        for box, hand in draft.hands()
        if len(hand.cards) == 2
        and (
            hand.split and "split" not in hand.actions
            if split
            else len(box.hands) == 1 and hand.actions == ["stand"]
        )
    ]
    if not found:
        return None
    box, hand = rng.choice(found)
    draft.take_back(box.number, hand.number, hand.cards[1:])
    del hand.cards[1:]
    draft.opening -= not split
    settle(draft)
    return Mark(box.number, hand.number)


def _boxes_out_of_order(draft: Draft, rng: Random) -> Mark | None:
    """Two boxes got their first or second card in the wrong order."""
    count = len(draft.boxes)
    if count < 2:
        return None
    at = rng.randrange(count - 1) + rng.choice((0, count + 1))
    draft.dealt[at], draft.dealt[at + 1] = draft.dealt[at + 1], draft.dealt[at]
    return Mark(draft.dealt[at][1])


def _asked_out_of_order(draft: Draft, rng: Random) -> Mark | None:
    """Of two boxes that each drew one card the one behind drew first."""
    drawn = range(draft.opening, len(draft.dealt) - 1)
    found = [at for at in drawn if 0 < draft.dealt[at][1] < draft.dealt[at + 1][1]]
    if not found:
        return None
    at = rng.choice(found)
    draft.dealt[at], draft.dealt[at + 1] = draft.dealt[at + 1], draft.dealt[at]
    return Mark(draft.dealt[at + 1][1])


def _turned_card_kept(draft: Draft, rng: Random) -> Mark | None:
    draft.misdealt.append(Misdealt(draft.bank[1], "bank", "bank", True))
    draft.bank_open = (1, 2)
    return Mark()


def askers(draft: Draft) -> list[tuple[Betting, Dealing, Betting, Dealing]]:
    """Hands that stood, each with the next hand that asked: nobody drew a card between the two.

    Only where the next one asked with a plain hit, so that there is no doubt who asks next.
    """
    found = []
    standing: tuple[Betting, Dealing] | None = None
    for box, hand in draft.hands():
        if standing and not hand.split and hand.actions[:1] == ["hit"]:
            if standing[0] is not box:
                found.append((*standing, box, hand))
        if last_act(hand) == "stand":
            standing = (box, hand)
        elif hand.split or len(hand.cards) > 2:
            standing = None
    return found


def last_stander(draft: Draft) -> tuple[Betting, Dealing] | None:
    """The last hand that stood, when nobody after it took a card."""
    found = None
    for box, hand in draft.hands():
        if last_act(hand) == "stand":
            found = (box, hand)
        elif hand.split or len(hand.cards) > 2:
            found = None
    return found


def _seen_card_given(draft: Draft, rng: Random) -> Mark | None:
    """A card drawn against the player's will had been seen and was not voided, but given on."""
    found = askers(draft)
    if not found:
        return None
    box, hand, to_box, to_hand = rng.choice(found)
    at, to = Place(box.number, hand.number), Place(to_box.number, to_hand.number)
    draft.misdealt.append(Misdealt(to_hand.cards[2], at, "hand", True, to))
    return Mark(box.number, hand.number)


def _unseen_card_discarded(draft: Draft, rng: Random) -> Mark | None:
    """An unseen one went to the discard although another player asked for a card."""
    found = askers(draft)
    if not found:
        return None
    box, hand, _, _ = rng.choice(found)
    card = draft.source.deal()
    draft.dealt.insert(draft.turn_end(box.number, hand.number), (card, DISCARD, 0))
    draft.misdealt.append(Misdealt(card, Place(box.number, hand.number), "discard", False))
    return Mark(box.number, hand.number)


def _misdealt_to_standing_bank(draft: Draft, rng: Random) -> Mark | None:
    """A bank of 17 or more was given the misdealt card, and counted it; nobody's result changed."""
    found = last_stander(draft)
    if found is None or len(draft.bank) > 2 or bank_points(draft) < 17 or not bank_played(draft):
        return None
    if bank_natural(draft):
        return None
    before = [hand.result for _, hand in draft.hands()]
    card = draft.draw(BANK, 0)
    draft.bank.append(card)
    settle(draft)
    if before != [hand.result for _, hand in draft.hands()]:
        draft.take_back(BANK, 0, [draft.bank.pop()])
        settle(draft)
        return None
    place = Place(found[0].number, found[1].number)
    draft.misdealt.append(Misdealt(card, place, "bank", False))
    return Mark(place.box, place.hand)


def _bank_stopped_short(draft: Draft, rng: Random) -> Mark | None:
    """The bank left its last card undrawn."""
    if len(draft.bank) < 3 or in_play(draft) != "somebody":
        return None
    draft.take_back(BANK, 0, draft.bank[-1:])
    del draft.bank[-1:]
    settle(draft)
    return Mark()


def _extra_bank_card(draft: Draft, rng: Random, soft: bool) -> Mark | None:
    """A card drawn at 17 or more and left among the bank's; paid as if it were not there."""
    points = bank_points(draft)
    if not 17 <= points <= 20 or in_play(draft) != "somebody":
        return None
    if soft != (hard_total(draft.bank) != points):
        return None
    draft.bank_counted = len(draft.bank)
    draft.bank.append(draft.draw(BANK, 0))
    return Mark()


def _bank_drew_for_nobody(draft: Draft, rng: Random) -> Mark | None:
    """Everybody had lost or given up, and the bank drew all the same."""
    if in_play(draft) != "nobody" or bank_points(draft) > 16 or paid_at_once(draft):
        return None
    draft.bank_counted = 2
    while best_total(draft.bank) <= 16:
        draft.bank.append(draft.draw(BANK, 0))
    return Mark()


KINDS: Final = (
    Kind("seventh_copy_of_a_card", "3", _seventh_copy),
    Kind("cards_to_an_unstaked_box", "17", _cards_to_an_unstaked_box),
    Kind("boxes_out_of_order", "17", _boxes_out_of_order),
    Kind("second_card_left_out", "17", partial(_one_card_only, split=False)),
    Kind("split_hand_left_with_one_card", "26", partial(_one_card_only, split=True)),
    Kind("asked_out_of_order", "18", _asked_out_of_order),
    Kind("turned_bank_card_kept", "17", _turned_card_kept),
    Kind("seen_misdealt_card_given_on", "18", _seen_card_given),
    Kind("unseen_misdealt_card_discarded", "18", _unseen_card_discarded),
    Kind("misdealt_card_to_standing_bank", "19", _misdealt_to_standing_bank),
    Kind("bank_stopped_short", "19", _bank_stopped_short),
    Kind("bank_ace_counted_one", "19", partial(_extra_bank_card, soft=True)),
    Kind("bank_drew_beyond_seventeen", "19", partial(_extra_bank_card, soft=False)),
    Kind("bank_drew_for_nobody", "22", _bank_drew_for_nobody),
)
