"""Errors in the play of a hand: splits, doubles, surrenders, cards beyond the right.

Law: PT art. 18, 22, 26 to 31, 36.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

from casino.cards import VALUE, best_total, hard_total
from casino.simulation import payouts
from casino.simulation.draft import Betting, Dealing, Draft
from casino.simulation.planting import (
    Kind,
    Mark,
    Planter,
    at_wager,
    bank_again,
    bank_natural,
    bank_points,
    cut_short,
    last_act,
    on_hand,
    pick,
    stood,
    void_card,
)
from casino.simulation.settling import award_special, settle, undo_bank


def _stood_low(draft: Draft, rng: Random) -> Mark | None:
    """Let stand with 11 or less."""
    found = [
        (box, hand)
        for box, hand in draft.hands()
        if hand.actions[:1] == ["hit"] and best_total(hand.cards[:2]) <= 11 and not hand.of_aces
    ]
    chosen = pick(found, rng)
    if chosen is None:
        return None
    box, hand = chosen
    cut_short(draft, box, hand, 2)
    hand.actions[:] = ["stand"]
    bank_again(draft, rng)
    return on_hand(box, hand)


def _card_to(applies: Callable[[Betting, Dealing], bool]) -> Planter:
    """A planter that gives one more card, which counts for nothing, to such a hand."""

    def plant(draft: Draft, rng: Random) -> Mark | None:
        chosen = pick([(b, h) for b, h in draft.hands() if applies(b, h)], rng)
        return void_card(draft, *chosen) if chosen else None

    return plant


def _at_twenty_one(box: Betting, hand: Dealing) -> bool:
    in_play = hand.result in ("nearer", "equal", "farther")
    return hand.points == 21 and in_play and not hand.of_aces and "double" not in hand.actions


def _plain_natural(box: Betting, hand: Dealing) -> bool:
    """A blackjack on which nobody took even money or insurance."""
    natural = hand.result in ("natural", "natural_null")
    return natural and all(w.kind == "main" for w in box.wagers)


def _bust(box: Betting, hand: Dealing) -> bool:
    return hand.result == "over" and last_act(hand) == "hit"


def _split_ace(box: Betting, hand: Dealing) -> bool:
    return hand.of_aces and VALUE[hand.cards[1]] not in (1, 10)


def _doubled(box: Betting, hand: Dealing) -> bool:
    return last_act(hand) == "double" and hand.points < 21


def _card_after_standing(draft: Draft, rng: Random) -> Mark | None:
    """A card after the player stood; only one that would change nothing if it counted."""
    found = [(b, h) for b, h in draft.hands() if last_act(h) == "stand" and b.wagers]
    chosen = pick(found, rng)
    if chosen is None:
        return None
    box, hand = chosen
    card = draft.source.deal()
    counted = payouts.result_of(
        best_total([*hand.cards, card]), False, bank_points(draft), bank_natural(draft)
    )
    if counted != hand.result:
        draft.source.give_back([card])
        return None
    hand.counted = len(hand.cards)
    hand.actions.append("hit")
    draft.lay_late(box, hand, card)
    return on_hand(box, hand)


def _unequal(draft: Draft, again: bool) -> list[tuple[Betting, Dealing]]:
    """Hands of two cards of different value that stood; `again` those of a split."""
    return [
        (box, hand)
        for box, hand in stood(draft)
        if hand.split == again
        and VALUE[hand.cards[0]] != VALUE[hand.cards[1]]
        and len(box.hands) < 6
        and box.mains(hand.number)
        and len(box.mains(hand.number)) == len({w.owner for w in box.wagers})
    ]


def _split_unequal(draft: Draft, rng: Random, again: bool) -> Mark | None:
    """Two cards of different value split; both hands then played and paid as they lie."""
    chosen = pick(_unequal(draft, again), rng)
    if chosen is None:
        return None
    box, hand = chosen
    undo_bank(draft)
    hand.actions[-1:] = ["split"]
    new = Dealing(len(box.hands) + 1, [hand.cards.pop(1)], parent=hand.number, split=True)
    hand.split = True
    box.hands.append(new)
    leader = box.main(box.leader, hand.number)
    assert leader is not None
    box.wagers.append(
        type(leader)(leader.owner, leader.seat, "main", new.number, leader.initial, leader.initial)
    )
    for half in (hand, new):
        draft.draw_late(box, half)
        while best_total(half.cards) <= 13:
            half.actions.append("hit")
            draft.draw_late(box, half)
        if best_total(half.cards) <= 20:
            half.actions.append("stand")
        award_special(box, half, rng)
    bank_again(draft, rng)
    return on_hand(box, hand)


def _split_stake_differs(draft: Draft, rng: Random, leader: bool) -> Mark | None:
    """The stake on the second hand is not the first one's equal; one plain split on a held box."""
    found = [
        (box, wager)
        for box in draft.boxes
        if len(box.hands) == 2 and box.holder is not None and "double" not in box.hands[1].actions
        for wager in box.mains(2)
        if (wager.owner == box.holder) == leader
    ]
    if not found:
        return None
    box, wager = found[int(rng.random() * len(found))]
    minimum = draft.limits.minimum_cents
    step = 3 * minimum if wager.initial == minimum else minimum
    wager.stake += -step if wager.stake > step and rng.random() < 0.5 else step
    settle(draft)
    return at_wager(box, wager)


def _on_the_second_hand(draft: Draft, rng: Random) -> Mark | None:
    """A stake that did not follow the split was laid on the second hand; both came out alike."""
    for box in draft.boxes:
        if len(box.hands) != 2 or box.hands[0].result != box.hands[1].result:
            continue
        if box.holder is None:
            continue
        for wager in box.mains(1):
            alone = box.main(wager.owner, 2) is None and wager.stake == wager.initial
            if wager.owner != box.leader and alone and len(box.of(wager.owner)) == 1:
                wager.hand = 2
                settle(draft)
                return at_wager(box, wager)
    return None


def _double_wrong_total(draft: Draft, rng: Random, again: bool) -> Mark | None:
    """A double on other totals than 9, 10, 11; it was dealt and is settled as it lay."""
    found = [
        (box, hand)
        for box, hand in stood(draft)
        if hand.split == again
        and hard_total(hand.cards) >= 12
        and box.main(box.leader, hand.number)
    ]
    chosen = pick(found, rng)
    if chosen is None:
        return None
    box, hand = chosen
    undo_bank(draft)
    hand.actions[-1:] = ["double"]
    stake = box.main(box.leader, hand.number)
    assert stake is not None
    stake.stake = 2 * stake.initial
    draft.draw_late(box, hand)
    award_special(box, hand, rng)
    bank_again(draft, rng)
    return on_hand(box, hand)


def _not_twice(draft: Draft, rng: Random, leader: bool) -> Mark | None:
    """On a doubled hand lies not twice the first stake but half as much again, or three times."""
    found = [
        (box, wager)
        for box, hand in draft.hands()
        if "double" in hand.actions and not hand.split and box.holder is not None
        for wager in box.mains(hand.number)
        if wager.stake == 2 * wager.initial and (wager.owner == box.leader) == leader
    ]
    if not found:
        return None
    box, wager = found[int(rng.random() * len(found))]
    wager.stake = wager.initial * 3 // (2 if rng.random() < 0.5 else 1)
    settle(draft)
    return at_wager(box, wager)


def _double_on_blackjack(draft: Draft, rng: Random) -> Mark | None:
    """The added stake comes back, the blackjack is paid on the first."""
    found = [(b, h) for b, h in draft.hands() if _plain_natural(b, h) and b.holder is not None]
    chosen = pick(found, rng)
    if chosen is None:
        return None
    box, hand = chosen
    hand.actions.append("double")
    hand.counted = 2
    draft.draw_late(box, hand)
    stake = box.main(box.leader, hand.number)
    assert stake is not None
    stake.stake = 2 * stake.initial
    settle(draft)
    return on_hand(box, hand)


def _complementary_doubled_alone(draft: Draft, rng: Random) -> Mark | None:
    """An owner of a complementary stake doubled where the holder did not."""
    found = [
        (box, wager)
        for box in draft.boxes
        if box.holder is not None and len(box.hands) == 1
        for wager in box.mains(1)
        if wager.owner != box.holder and box.hands[0].result in ("nearer", "farther", "equal")
        if "double" not in box.hands[0].actions and all(w.kind != "special" for w in box.wagers)
    ]
    if not found:
        return None
    box, wager = found[int(rng.random() * len(found))]
    wager.stake = 2 * wager.initial
    settle(draft)
    return at_wager(box, wager)


def _surrender(draft: Draft, rng: Random, against_an_ace: bool) -> Mark | None:
    """Let off for half against an ace, or after a card with which a player stood."""
    if draft.bank_opens_ace() != against_an_ace:
        return None
    if against_an_ace:
        found = [(b, h) for b, h in stood(draft) if not h.split and b.mains(1)]
    else:
        hands = [(b, h) for b, h in draft.hands() if not h.split]
        found = [(b, h) for b, h in hands if h.actions == ["hit", "stand"]]
    chosen = pick(found, rng)
    if chosen is None:
        return None
    box, hand = chosen
    undo_bank(draft)
    hand.actions[-1:] = ["surrender"]
    bank_again(draft, rng)
    return on_hand(box, hand)


KINDS: Final = (
    Kind("stood_on_eleven_or_less", "18", _stood_low),
    Kind("card_at_twenty_one", "18", _card_to(_at_twenty_one)),
    Kind("card_to_a_blackjack", "18", _card_to(_plain_natural)),
    Kind("card_after_standing", "18", _card_after_standing),
    Kind(
        "card_after_bust",
        "22",
        _card_to(_bust),
    ),
    Kind("unequal_cards_split", "26", partial(_split_unequal, again=False)),
    Kind("split_stakes_differ", "26", partial(_split_stake_differs, leader=True)),
    Kind(
        "second_card_on_a_split_ace",
        "26",
        _card_to(_split_ace),
    ),
    Kind("unequal_cards_resplit", "27", partial(_split_unequal, again=True)),
    Kind("followed_with_another_stake", "28", partial(_split_stake_differs, leader=False)),
    Kind("stake_laid_on_the_second_hand", "28", _on_the_second_hand),
    Kind("double_on_other_total", "29", partial(_double_wrong_total, again=False)),
    Kind("double_not_twice", "29", partial(_not_twice, leader=True)),
    Kind(
        "second_card_after_a_double",
        "29",
        _card_to(_doubled),
    ),
    Kind("double_on_a_blackjack", "29", _double_on_blackjack),
    Kind("complementary_doubled_alone", "30", _complementary_doubled_alone),
    Kind("complementary_double_not_twice", "30", partial(_not_twice, leader=False)),
    Kind("double_after_split_on_other_total", "31", partial(_double_wrong_total, again=True)),
    Kind("surrender_against_an_ace", "36", partial(_surrender, against_an_ace=True)),
    Kind("surrender_after_a_card", "36", partial(_surrender, against_an_ace=False)),
    Kind("card_after_surrender", "36", _card_to(lambda box, hand: last_act(hand) == "surrender")),
)
