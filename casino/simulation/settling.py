"""Paying a draft round by the simulation's table, and who is still in play."""

from random import Random
from typing import Literal

from casino.cards import Card, best_total
from casino.simulation import payouts
from casino.simulation.draft import Betting, Dealing, Draft, Wagered

InPlay = Literal["nobody", "naturals", "somebody"]


def reckon(hand: Dealing, bank_points: int, bank_natural: bool) -> None:
    """Set the hand's points and result."""
    cards = hand.in_force()
    actions = hand.actions
    if "surrender" in actions:
        hand.points, hand.result = payouts.points_of(cards), "given_up"
        return
    natural = payouts.is_natural(cards[:2], split=hand.split) and len(cards) == 2
    hand.points = payouts.points_of(cards, doubled="double" in actions)
    hand.result = payouts.result_of(hand.points, natural, bank_points, bank_natural)


def settle(draft: Draft) -> None:
    """Write into every wager what the table hands back and whether it was settled at once."""
    bank = draft.bank_in_force()
    bank_points = best_total(bank)
    bank_natural = payouts.is_natural(bank, split=False)
    natural_early = not draft.bank_may_have_natural()
    for box in draft.boxes:
        for hand in box.hands:
            reckon(hand, bank_points, bank_natural)
        for wager in box.wagers:
            _pay(box, wager, bank_natural, natural_early)


def _pay(box: Betting, wager: Wagered, bank_natural: bool, natural_early: bool) -> None:
    kind = wager.kind
    if kind == "insurance" or wager.hand is None:
        wager.returned = payouts.insurance_back(wager.stake, bank_natural)
        wager.at_once = False
        return
    hand = box.hands[wager.hand - 1]
    if kind == "main":
        result = hand.result
        wager.returned = main_back(hand, wager)
        wager.at_once = result in ("over", "given_up") or (result == "natural" and natural_early)
        return
    wager.at_once = True
    if kind == "even_money":
        wager.returned = payouts.even_money_back(wager.stake)
    else:
        on_hand = box.main(wager.owner, wager.hand)
        wager.returned = payouts.special_prize(on_hand.stake if on_hand else 0)


def main_back(hand: Dealing, wager: Wagered) -> int:
    """What a main stake gets back; a stake added by doubling a blackjack comes back as it is."""
    if hand.result in ("natural", "natural_null") and "double" in hand.actions:
        added = wager.stake - wager.initial
        return payouts.handed_back(hand.result, wager.initial) + added
    return payouts.handed_back(hand.result, wager.stake)


def in_play(draft: Draft) -> InPlay:
    """Who is left for the bank to play against: nobody, only blackjacks, or somebody else too.

    A hand paid at once is out as one that lost is. Law: PT art. 21, 22, 34.
    """
    left: InPlay = "nobody"
    for box, hand in draft.hands():
        if "surrender" in hand.actions or not box.mains(hand.number):
            continue
        cards = hand.in_force()
        if len(cards) == 2 and payouts.is_natural(cards, split=hand.split):
            if draft.bank_may_have_natural():
                left = "naturals"
        elif payouts.points_of(cards, doubled="double" in hand.actions) <= 21:
            return "somebody"
    return left


def paid_at_once(draft: Draft) -> bool:
    """Whether a blackjack was paid before the bank's turn: then it may draw, or not (22)."""
    return any(
        len(hand.in_force()) == 2
        and payouts.is_natural(hand.in_force(), split=hand.split)
        and "surrender" not in hand.actions
        for _, hand in draft.hands()
    )


def award_special(box: Betting, hand: Dealing, rng: Random) -> None:
    """Add the special prize where the hand's first three cards earn it, and drop it where not.

    The one who decides always gets it; of the others some do. Law: PT art. 35.
    """
    if len(hand.cards) < 3:
        return
    if payouts.earns_special(hand.cards[:3]):
        for main in box.mains(hand.number):
            if main.owner == box.leader or rng.random() < 0.5:
                prize = Wagered(main.owner, main.seat, "special", hand.number, 0, main.initial)
                box.wagers.append(prize)


def play_bank(draft: Draft, rng: Random) -> None:
    """The bank's own draw. Law: PT art. 19, 22; with only blackjacks left either way will do."""
    left = in_play(draft)
    if left == "nobody" or (left == "naturals" and rng.random() < 0.5):
        return
    bank: list[Card] = draft.bank
    while best_total(bank) <= 16:
        bank.append(draft.draw(0, 0))


def undo_bank(draft: Draft) -> None:
    """Put the bank's drawn cards back: the players' hands are about to change. Then `play_bank`."""
    drawn = draft.bank[2:]
    if drawn:
        draft.take_back(0, 0, drawn)
        del draft.bank[2:]
