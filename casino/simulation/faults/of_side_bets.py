"""Errors about insurance, even money and the special prize.

Law: PT art. 33 to 35.
"""

from functools import partial
from random import Random
from typing import Final

from casino.cards import VALUE, Card, best_total
from casino.simulation import payouts
from casino.simulation.draft import Betting, Dealing, Draft, Wagered
from casino.simulation.planting import (
    Kind,
    Mark,
    at_wager,
    bank_again,
    bank_natural,
    cut_short,
    give_bank_natural,
    pick,
    stood,
)
from casino.simulation.settling import award_special, settle, undo_bank


def _insurance_without_an_ace(draft: Draft, rng: Random) -> Mark | None:
    if draft.bank_opens_ace():
        return None
    found = [(b, w) for b in draft.boxes for w in b.mains(1) if b.holder == w.owner]
    if not found:
        return None
    box, main = rng.choice(found)
    return _insure(draft, box, main)


def _insurance_beside_even_money(draft: Draft, rng: Random) -> Mark | None:
    for box in draft.boxes:
        for wager in box.wagers:
            if wager.kind == "even_money":
                return _insure(draft, box, wager)
    return None


def _insure(draft: Draft, box: Betting, main: Wagered) -> Mark:
    """An insurance of half the first stake that should not be there, settled as it lay."""
    half = main.initial // 2
    added = Wagered(main.owner, main.seat, "insurance", None, half, main.initial)
    box.wagers.append(added)
    settle(draft)
    return at_wager(box, added)


def _insured(draft: Draft, rng: Random, how: str) -> Mark | None:
    """An insurance against an ace that was laid too soon, unasked or beside its place."""
    found = [(b, w) for b in draft.boxes for w in b.wagers if w.kind == "insurance"]
    if not found or not draft.bank_opens_ace():
        return None
    box, wager = rng.choice(found)
    setattr(wager, how, True)
    return at_wager(box, wager)


def _insurance_back(draft: Draft, rng: Random, times: int, natural: bool) -> Mark | None:
    """So many times the insurance handed back, when the bank has a blackjack or has not."""
    if not draft.bank_opens_ace():
        return None
    found = [(b, w) for b in draft.boxes for w in b.wagers if w.kind == "insurance"]
    if not found or (natural and not give_bank_natural(draft, rng)):
        return None
    if bank_natural(draft) != natural:
        return None
    box, wager = rng.choice(found)
    due, wager.returned = wager.returned, times * wager.stake
    return at_wager(box, wager, wager.returned - due)


def _even_money_without_an_ace(draft: Draft, rng: Random) -> Mark | None:
    """A blackjack was let off for 1:1 although the bank shows no ace."""
    if draft.bank_opens_ace():
        return None
    found = [
        (box, hand)
        for box, hand in draft.hands()
        if hand.result in ("natural", "natural_null") and box.mains(1)
    ]
    return _take_even_money(draft, pick(found, rng), rng)


def _even_money_without_a_blackjack(draft: Draft, rng: Random) -> Mark | None:
    """A hand that is no blackjack took 1:1 against an ace."""
    if not draft.bank_opens_ace():
        return None
    found = [(b, h) for b, h in stood(draft) if not h.split and b.mains(1)]
    return _take_even_money(draft, pick(found, rng), rng)


def _take_even_money(
    draft: Draft, chosen: tuple[Betting, Dealing] | None, rng: Random
) -> Mark | None:
    if chosen is None:
        return None
    box, hand = chosen
    main = rng.choice(box.mains(hand.number))
    if any(w.kind == "insurance" for w in box.of(main.owner)):
        return None
    undo_bank(draft)
    main.kind = "even_money"
    bank_again(draft, rng)
    return at_wager(box, main)


def _even_money_back(draft: Draft, rng: Random, numerator: int) -> Mark | None:
    """So many halves of the stake handed back for even money; somebody takes it if nobody has."""
    if not draft.bank_opens_ace():
        return None
    naturals = [(b, h) for b, h in draft.hands() if h.result in ("natural", "natural_null")]
    _take_even_money(draft, pick([(b, h) for b, h in naturals if b.mains(1)], rng), rng)
    found = [(b, w) for b in draft.boxes for w in b.wagers if w.kind == "even_money"]
    if not found:
        return None
    box, wager = rng.choice(found)
    due, wager.returned = wager.returned, payouts.share(wager.stake, numerator, 2)
    return at_wager(box, wager, wager.returned - due)


def _wanted(cards: list[Card]) -> frozenset[Card]:
    """The third cards with which these two earn the special prize."""
    return frozenset(
        rank + suit
        for rank in "678"
        for suit in "CDHS"
        if payouts.earns_special([*cards, rank + suit])
    )


def _earn(draft: Draft, rng: Random) -> tuple[Betting, Wagered] | None:
    """A special prize of one who decides: the round's own, or one dealt now."""
    for box in draft.boxes:
        for wager in box.wagers:
            if wager.kind == "special" and wager.owner == box.leader:
                return box, wager
    for box, hand in draft.hands():
        if hand.split or hand.actions[:1] != ["hit"] or not box.mains(1):
            continue
        wanted = _wanted(hand.cards[:2])
        if wanted and not wanted.isdisjoint(draft.source.left()):
            return _deal_special(draft, box, hand, wanted, rng)
    return None


def _deal_special(
    draft: Draft, box: Betting, hand: Dealing, wanted: frozenset[Card], rng: Random
) -> tuple[Betting, Wagered] | None:
    """Let the third card be one that earns the prize; the bank then draws anew."""
    cut_short(draft, box, hand, 2)
    card = draft.source.deal()
    third = card if card in wanted else draft.source.exchange(card, wanted) or card
    draft.lay_late(box, hand, third)
    hand.actions[:] = ["hit"] if best_total(hand.cards) >= 21 else ["hit", "stand"]
    award_special(box, hand, rng)
    bank_again(draft, rng)
    for wager in box.wagers:
        if wager.kind == "special" and wager.owner == box.leader:
            return box, wager
    return None


def _special_not_paid(draft: Draft, rng: Random) -> Mark | None:
    earned = _earn(draft, rng)
    if earned is None:
        return None
    box, wager = earned
    box.wagers = [w for w in box.wagers if w is not wager]
    return at_wager(box, wager, -wager.returned)


def _special_underpaid(draft: Draft, rng: Random) -> Mark | None:
    """Twice the stake instead of three times."""
    earned = _earn(draft, rng)
    if earned is None:
        return None
    box, wager = earned
    short = wager.returned // payouts.SPECIAL_TIMES
    wager.returned -= short
    return at_wager(box, wager, -short)


def _special_without_right(draft: Draft, rng: Random) -> Mark | None:
    """Paid for a 21 in three cards, or for 6-7-8 of several suits."""
    found = [
        (box, hand)
        for box, hand in draft.hands()
        if len(hand.cards) == 3
        and sum(VALUE[card] for card in hand.cards) == 21
        and not payouts.earns_special(hand.cards)
        and "double" not in hand.actions
        and box.main(box.leader, hand.number)
    ]
    chosen = pick(found, rng)
    if chosen is None:
        return None
    box, hand = chosen
    main = box.main(box.leader, hand.number)
    assert main is not None
    prize = payouts.special_prize(main.stake)
    wager = Wagered(main.owner, main.seat, "special", hand.number, 0, main.initial, prize, True)
    box.wagers.append(wager)
    return at_wager(box, wager, prize)


KINDS: Final = (
    Kind("insurance_without_an_ace", "33", _insurance_without_an_ace),
    Kind("insurance_beside_even_money", "33", _insurance_beside_even_money),
    Kind("insurance_before_the_second_cards", "33", partial(_insured, how="too_soon")),
    Kind("insurance_nobody_invited_to", "33", partial(_insured, how="unasked")),
    Kind("insurance_beside_its_place", "33", partial(_insured, how="beside")),
    Kind("insurance_paid_even", "33", partial(_insurance_back, times=2, natural=True)),
    Kind("insurance_not_paid", "33", partial(_insurance_back, times=0, natural=True)),
    Kind("insurance_paid_three_to_one", "33", partial(_insurance_back, times=4, natural=True)),
    Kind("lost_insurance_given_back", "33", partial(_insurance_back, times=1, natural=False)),
    Kind("lost_insurance_paid", "33", partial(_insurance_back, times=3, natural=False)),
    Kind("even_money_without_an_ace", "34", _even_money_without_an_ace),
    Kind("even_money_without_a_blackjack", "34", _even_money_without_a_blackjack),
    Kind("even_money_paid_three_to_two", "34", partial(_even_money_back, numerator=5)),
    Kind("even_money_not_paid", "34", partial(_even_money_back, numerator=2)),
    Kind("special_prize_not_paid", "35", _special_not_paid),
    Kind("special_prize_underpaid", "35", _special_underpaid),
    Kind("special_prize_without_right", "35", _special_without_right),
)
