"""What the bets beside a hand were due: insurance and the special prize, in cents.

Law: PT art. 33, 35.
"""

from casino.cards import VALUE
from casino.events.round.round_played import Box, Wager
from casino.law.rounds.play import HandPlay, RoundPlay
from casino.law.rounds.settlement import (
    Due,
    second_card_shifted,
    share,
    undecided,
    unknown_because,
    won,
)
from casino.law.rounds.shifted import drew_its_own


def insurance_due(play: RoundPlay, wager: Wager) -> Due:
    """Two to one on the bank's blackjack, else lost. Law: PT art. 33."""
    p = play.p
    if "insurance.pays" not in p:
        return undecided("not_stated:insurance.pays")
    if second_card_shifted(play):
        return undecided(unknown_because(play), "insurance_pays_two_to_one", ("unknown-outcome",))
    if len(play.bank.cards) < 2:
        return undecided("bank_cards_missing")
    if play.bank.natural:
        return won(wager.stake_cents, p["insurance.pays"], p, "insurance_pays_two_to_one")
    return Due(0, "insurance_loses")


def special_prize(play: RoundPlay, hand: HandPlay) -> bool | None:
    """Whether the first three cards are a suited 6-7-8 or three sevens; None if a suit is unknown.

    Law: PT art. 35 (reading special-prize).
    """
    cards = hand.counted[:3]
    if len(cards) < 3 or (play.p["special.cards"] == "exactly_three" and len(hand.hand.cards) > 3):
        return False
    if VALUE[cards[0]] + VALUE[cards[1]] + VALUE[cards[2]] != 21:
        return False  # both combinations make 21 without an ace counted high
    ranks = sorted(card[0] for card in cards)
    if ranks == ["7", "7", "7"]:
        return True
    if ranks != ["6", "7", "8"]:
        return False
    suits = {card[1] for card in cards}
    known = suits - {"?"}
    if len(known) > 1:
        return False
    return None if "?" in suits else True


def special_due(play: RoundPlay, box: Box, wager: Wager) -> Due:
    """Three times the hand's own stake for the one who decides on it.

    Nothing in a book that states all it pays, and this not. Of the others on the box the text is
    silent. Law: PT art. 35 (reading special-prize); the other books' odds.
    """
    if "special.pays" not in play.p:
        if "only_stated_prizes_are_paid" in play.upheld:
            return Due(0, "only_stated_prizes_are_paid")
        return undecided("not_stated:special.pays")
    hand = next((h for h in play.hands if h.box is box and h.number == wager.hand), None)
    if hand is None:
        return undecided("no_cards_dealt")
    has, readings = special_prize(play, hand), ("special-prize",)
    if not drew_its_own(play, hand):
        name = "special_prize_paid" if has else "special_prize_only_when_due"
        return undecided(unknown_because(play), name, (*readings, "unknown-outcome"))
    name = "special_prize_paid" if has else "special_prize_only_when_due"
    if has is None:
        return undecided("suit_unknown", name, readings)
    staked = next((other for other in hand.wagers if other.owner == wager.owner), None)
    if not has or staked is None:
        return Due(0, name, readings)
    if play.going_back is not None:
        if play.going_back.by(box, staked) is not None:
            return Due(0, "special_prize_only_when_due", (*readings, "unlawful-stake"))
        doubt = play.going_back.doubt(box, staked)
        if doubt is not None:
            return undecided(doubt, name, (*readings, "unlawful-stake"))
    principal = play.principal[box.number]
    if principal is None:
        return undecided("decider_unknown", name, readings)
    if principal != wager.owner:
        return undecided("special_prize_of_others", name, readings)
    prize, _ = share(staked.stake_cents, play.p["special.pays"], play.p)
    return Due(prize, name, readings)
