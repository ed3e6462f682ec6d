"""Errors in paying main stakes: too much, too little, not at all, by another result.

An amount which another article would explain is planted only under that article: a winner handed
back his stake alone was treated as a tie (23), one handed back his prize alone lost the stake (25),
and where an ace fixed by a double was worth just that much as 11, it was freed (32).

Law: PT art. 1, 6, 20 to 25, 32, 36.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from casino.cards import VALUE, best_total, hard_total
from casino.simulation import payouts
from casino.simulation.draft import Betting, Dealing, Draft, Wagered
from casino.simulation.payouts import Result, handed_back
from casino.simulation.planting import (
    Kind,
    Mark,
    Planter,
    at_wager,
    bank_again,
    bank_natural,
    bank_points,
    cut_short,
    give_bank_natural,
    pick,
)

Applies = Callable[[Draft, Dealing], bool]
Amount = Callable[[Wagered, int], int]  # wager and table minimum -> what was wrongly handed back


def _split_21(draft: Draft, hand: Dealing) -> bool:
    return hand.split and hand.points == 21 and len(hand.in_force()) == 2


def _plain(draft: Draft, hand: Dealing) -> bool:
    """No hand whose 21 could be taken for a blackjack or its equal."""
    return hand.points < 21 or hand.result == "over"


def _any(draft: Draft, hand: Dealing) -> bool:
    return True


def _freed_ace_explains(draft: Draft, hand: Dealing, wager: Wagered, paid: int) -> bool:
    """Whether that is what the hand would have got with the ace of its double counted as 11."""
    cards = hand.in_force()
    if "double" not in hand.actions or best_total(cards) == hand.points:
        return False
    freed = payouts.result_of(best_total(cards), False, bank_points(draft), bank_natural(draft))
    return paid == handed_back(freed, wager.stake)


def wrong_amount(result: Result, amount: Amount | int, applies: Applies = _plain) -> Planter:
    """A planter that hands back the wrong amount for a main stake with that result.

    A number is that many times the stake.
    """

    def plant(draft: Draft, rng: Random) -> Mark | None:
        found: list[tuple[Betting, Dealing, Wagered]] = []
        for box, hand in draft.hands():
            if hand.result == result and applies(draft, hand):
                found.extend((box, hand, main) for main in box.mains(hand.number))
        if not found:
            return None
        box, hand, wager = found[int(rng.random() * len(found))]
        due = wager.returned
        if isinstance(amount, int):
            paid = amount * wager.stake
        else:
            paid = amount(wager, draft.limits.minimum_cents)
        if paid == due or _freed_ace_explains(draft, hand, wager, paid):
            return None
        wager.returned = paid
        return at_wager(box, wager, paid - due)

    return plant


def _to_a_natural(
    result: Result, amount: Amount | int, applies: Applies, wanted: Applies | None = None
) -> Planter:
    """The same where the bank has a blackjack; it is dealt one where it could, for such hands."""
    planter, wanted = wrong_amount(result, amount, applies), wanted or applies

    def plant(draft: Draft, rng: Random) -> Mark | None:
        if not any(wanted(draft, hand) and box.mains(hand.number) for box, hand in draft.hands()):
            return None
        return planter(draft, rng) if give_bank_natural(draft, rng) else None

    return plant


def _late(result: Result) -> Planter:
    """A planter that leaves a wager lying which the dealer should have settled at once."""

    def plant(draft: Draft, rng: Random) -> Mark | None:
        for box, hand in draft.hands():
            if hand.result == result:
                mains = [main for main in box.mains(hand.number) if main.at_once]
                if mains:
                    wager = mains[int(rng.random() * len(mains))]
                    wager.at_once = False
                    return at_wager(box, wager)
        return None

    return plant


def _three_to_two(wager: Wagered, minimum: int) -> int:
    return handed_back("natural", wager.stake)


def _prize_only(wager: Wagered, minimum: int) -> int:
    return handed_back("natural", wager.stake) - wager.stake


def _evens_short(wager: Wagered, minimum: int) -> int:
    return 2 * wager.stake - minimum // 4


def _bank_bust(draft: Draft, hand: Dealing) -> bool:
    return _plain(draft, hand) and bank_points(draft) > 21


def _bank_stood(draft: Draft, hand: Dealing) -> bool:
    return _plain(draft, hand) and bank_points(draft) <= 21


def _bank_not_21(draft: Draft, hand: Dealing) -> bool:
    return bank_points(draft) != 21


def _bank_21(draft: Draft, hand: Dealing) -> bool:
    return bank_points(draft) == 21


def _drawn_21(draft: Draft, hand: Dealing) -> bool:
    return hand.points == 21 and len(hand.in_force()) > 2


def _natural(draft: Draft, hand: Dealing) -> bool:
    return hand.result in ("natural", "natural_null")


def _fixed_ace_as_eleven(draft: Draft, rng: Random) -> Mark | None:
    """A-8 doubled as 9 and a 2 drawn are 11; they were settled as 21.

    A hand that stood on A-8 is made one that doubled, if none doubled.
    """
    found = [
        (box, hand)
        for box, hand in draft.hands()
        if hand.actions in (["double"], ["stand"])
        and sorted(VALUE[card] for card in hand.cards[:2]) == [1, 8]
        and len(hand.cards) <= 3
    ]
    chosen = pick(found, rng)
    if chosen is None or bank_natural(draft):
        return None
    box, hand = chosen
    main = box.main(box.leader, hand.number)
    if main is None:
        return None
    cut_short(draft, box, hand, 2)
    card = draft.source.deal()
    two = draft.source.exchange(card, ("2C", "2D", "2H", "2S"))
    draft.lay_late(box, hand, two or card)
    hand.actions[:] = ["double"]
    main.stake = 2 * main.initial
    bank_again(draft, rng)
    free = payouts.result_of(best_total(hand.cards), False, bank_points(draft), False)
    due, main.returned = main.returned, handed_back(free, main.stake)
    if main.returned == due or bank_natural(draft):
        main.returned = due
        return None
    return at_wager(box, main, main.returned - due)


def _bank_ace_settled_as_one(draft: Draft, rng: Random) -> Mark | None:
    """All stakes were settled against the bank's ace as 1, although it counts 11; two suffer."""
    cards, points = draft.bank_in_force(), bank_points(draft)
    low = hard_total(cards)
    if low == points or bank_natural(draft):
        return None
    wrong: list[tuple[Wagered, int]] = []
    for box, hand in draft.hands():
        if hand.result in ("nearer", "farther", "equal"):
            result = payouts.result_of(hand.points, False, low, False)
            if result != hand.result:
                wrong += [(w, handed_back(result, w.stake)) for w in box.mains(hand.number)]
    if len(wrong) < 2:
        return None
    for wager, paid in wrong:
        wager.returned = paid
    return Mark()


KINDS: Final = (
    Kind("bank_ace_settled_as_one", "6", _bank_ace_settled_as_one),
    Kind("drawn_21_paid_as_blackjack", "1", wrong_amount("nearer", _three_to_two, _drawn_21)),
    Kind("split_21_paid_as_blackjack", "20", wrong_amount("nearer", _three_to_two, _split_21)),
    Kind("split_21_tied_with_blackjack", "20", _to_a_natural("farther", 1, _split_21)),
    Kind("drawn_21_tied_with_blackjack", "20", _to_a_natural("farther", 1, _drawn_21)),
    Kind("blackjack_tied_with_21", "20", wrong_amount("natural", 1, _bank_21)),
    Kind("blackjack_paid_even", "21", wrong_amount("natural", 2, _any)),
    Kind("blackjack_paid_two_to_one", "21", wrong_amount("natural", 3, _any)),
    Kind("blackjack_taken", "21", wrong_amount("natural", 0, _any)),
    Kind("blackjack_tie_paid", "21", _to_a_natural("natural_null", _three_to_two, _any, _natural)),
    Kind("blackjack_tie_taken", "21", _to_a_natural("natural_null", 0, _any, _natural)),
    Kind("blackjack_not_paid_at_once", "21", _late("natural")),
    Kind("bust_given_back", "22", wrong_amount("over", 1)),
    Kind("bust_paid", "22", wrong_amount("over", 2)),
    Kind("bust_not_collected_at_once", "22", _late("over")),
    Kind("win_not_paid", "23", wrong_amount("nearer", 1, _bank_stood)),
    Kind("win_underpaid", "23", wrong_amount("nearer", _evens_short)),
    Kind("win_overpaid", "23", wrong_amount("nearer", 3)),
    Kind("win_taken", "23", wrong_amount("nearer", 0, _bank_stood)),
    Kind("bank_bust_not_paid", "23", wrong_amount("nearer", 1, _bank_bust)),
    Kind("loss_given_back", "23", wrong_amount("farther", 1)),
    Kind("loss_paid", "23", wrong_amount("farther", 2)),
    Kind("tie_paid", "24", wrong_amount("equal", 2)),
    Kind("tie_taken", "24", wrong_amount("equal", 0)),
    Kind("stake_kept_from_winner", "25", wrong_amount("natural", _prize_only, _bank_not_21)),
    Kind("fixed_ace_as_eleven", "32", _fixed_ace_as_eleven),
    Kind("surrender_took_all", "36", wrong_amount("given_up", 0)),
    Kind("surrender_took_nothing", "36", wrong_amount("given_up", 1)),
)
