"""Which adopted readings a wager's amount hangs on beside the rule that fixes it.

Law: PT art. 18, 19, 26, 28, 29, 32, 36.
"""

from casino.events.round.round_played import Wager
from casino.law.rounds.play import HandPlay, RoundPlay


def of_the_cards(hand: HandPlay) -> tuple[str, ...]:
    """The reading by which some card of the hand counts for nothing, or counts all the same."""
    return ("void-beyond-right",) if hand.beyond else ()


def of_the_comparison(play: RoundPlay, hand: HandPlay) -> tuple[str, ...]:
    """The readings that bear on how this hand's cards and the bank's are counted."""
    readings = of_the_cards(hand)
    if play.bank.beyond and "void-beyond-right" not in readings:
        readings = (*readings, "void-beyond-right")
    if hand.doubled and "double.fixed_ace" in play.p and hand.fixed_ace:
        readings = (*readings, "fixed-ace")
    return readings


def of_the_owner(play: RoundPlay, hand: HandPlay, wager: Wager) -> tuple[str, ...]:
    """The readings by which another's decision on the box is this owner's.

    Who did not follow a split stays with one hand, and a surrender binds all. Law: PT art. 28, 36.
    """
    principal = play.principal[hand.box.number]
    if wager.owner == principal:
        return ()
    readings: tuple[str, ...] = ()
    if hand.split and "split.non_follower" in play.p and _did_not_follow(play, hand, wager):
        readings = ("first-of-two",)
        if hand.box.vacant:
            readings = (*readings, "vacant-like-complementary")
    if hand.surrendered and "surrender.after_split" in play.p:
        readings = (*readings, "surrender-moment")
    return readings


def _did_not_follow(play: RoundPlay, hand: HandPlay, wager: Wager) -> bool:
    """Whether at some split of this hand the owner's stake lay on one of the two alone."""
    here = hand.hand.split_from, hand.number
    for other in play.hands:
        if other.box is hand.box and (other.number == here[0] or other.hand.split_from == here[1]):
            if all(lying.owner != wager.owner for lying in other.wagers):
                return True
    return False
