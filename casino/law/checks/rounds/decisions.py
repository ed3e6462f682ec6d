"""What a player may decide on his hand: to stand, to ask, to give up.

Law: PT art. 1, 18, 22, 36.
"""

from casino.cards import VALUE, hard_total
from casino.events.round.round_played import Wager
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.questions import breach, equal
from casino.law.rounds.deal_order import cards_of_the_deal
from casino.law.rounds.play import HandPlay, RoundPlay, at


def beyond_right(hand: HandPlay, check: str, expected: dict[str, object]) -> Verdict:
    """The breach of a card that `check` forbade this hand, else lawful."""
    cards = [hand.hand.cards[index] for index, forbidden in hand.beyond if forbidden == check]
    if not cards:
        return None if hand.beyond else LAWFUL
    return breach({"drawn": cards}, expected, readings="void-beyond-right")


@upholds(
    "hand", "A player stands only on more than eleven points.", needs=("stand.above", "stand.total")
)
def stand_above_eleven(play: RoundPlay, hand: HandPlay) -> Verdict:
    """With eleven or less another card is asked. Law: PT art. 18 (reading best-total)."""
    if hand.natural or hand.bust or hand.surrendered or hand.doubled or hand.split_ace:
        return None
    if hand.place in play.short:
        return None  # it was not given the card it had to have: that is asked in 17 and 26
    total = hard_total(hand.counted) if play.p["stand.total"] == "lowest" else hand.total
    least = play.p["stand.above"]
    if total > least:
        return LAWFUL
    return breach({"stood_on": total}, {"above": least}, readings="best-total")


@upholds("drawn", "No card is given to a hand that has twenty-one.", needs="hit.until")
def no_card_at_twenty_one(play: RoundPlay, hand: HandPlay) -> Verdict:
    """Asking ends at 21. Law: PT art. 18."""
    return beyond_right(hand, "no_card_at_twenty_one", {"hits_until": play.p["hit.until"]})


@upholds("hand", "No card is given to a blackjack.", needs="blackjack.pays")
def no_card_to_a_blackjack(play: RoundPlay, hand: HandPlay) -> Verdict:
    """Only those without blackjack may ask. Law: PT art. 18."""
    if not hand.natural and not hand.beyond:
        return None
    return beyond_right(hand, "no_card_to_a_blackjack", {"cards": 2})


@upholds("drawn", "No card is given to a hand that stands.")
def no_card_after_standing(play: RoundPlay, hand: HandPlay) -> Verdict:
    """Who stands asks no more cards. Law: PT art. 18."""
    return (
        beyond_right(hand, "no_card_after_standing", {"after_standing": 0}) if hand.stood else None
    )


@upholds("drawn", "No card is given to a hand over twenty-one.", needs="target.points")
def no_card_after_bust(play: RoundPlay, hand: HandPlay) -> Verdict:
    """A hand over 21 is collected at once. Law: PT art. 22."""
    return (
        beyond_right(hand, "no_card_after_bust", {"at_most": play.p["target.points"]})
        if hand.bust
        else None
    )


@upholds("drawn", "No card is given to a surrendered hand.", needs="surrender.loses")
def no_card_after_surrender(play: RoundPlay, hand: HandPlay) -> Verdict:
    """A surrender is final. Law: PT art. 36."""
    return (
        beyond_right(hand, "no_card_after_surrender", {"after_surrender": 0})
        if hand.surrendered
        else None
    )


@upholds(
    "surrendered",
    "Nobody surrenders against an ace.",
    needs=("surrender.loses", "surrender.against_ace"),
)
def surrender_not_against_ace(play: RoundPlay, hand: HandPlay) -> Verdict:
    """Surrender is open unless the bank shows an ace. Law: PT art. 36."""
    shown = play.bank.open
    if play.p["surrender.against_ace"] == "allowed":
        return None
    if shown is None:
        return UNDECIDED
    if VALUE[shown] != 1:
        return LAWFUL
    return breach({"bank_shows": shown}, {"bank_shows": "no ace"}, readings="unknown-outcome")


@upholds(
    "surrendered", "Surrender comes right after the first two cards.", needs="surrender.after_split"
)
def surrender_after_two_cards(play: RoundPlay, hand: HandPlay) -> Verdict:
    """Before any card is asked and not after a split.

    Law: PT art. 36 (readings surrender-moment, surrender-before-any-card).
    """
    if hand.surrender_first:
        return _before_any_card(play, hand)
    observed = {"actions": list(hand.hand.actions), "split": "yes" if hand.split else "no"}
    return breach(observed, {"actions": ["surrender"]}, readings="surrender-moment")


def _before_any_card(play: RoundPlay, hand: HandPlay) -> Verdict:
    """Whether no hand had got an additional card when this one was given up.

    Whoever is asked in turn, before all who drew, was; else only the record can tell when.
    """
    if play.p.get("surrender.before") != "any_card":
        return LAWFUL
    drew = [other for other in play.hands if other.draws or other.split]
    count = hand.hand.surrendered_at
    if count is None:
        earlier = (other for other in drew if other.box.number < hand.box.number)
        return UNDECIDED if next(earlier, None) is not None else LAWFUL
    opening = cards_of_the_deal(play)
    if opening is None:
        return UNDECIDED if drew else LAWFUL
    if count <= opening or not drew:
        return LAWFUL
    return breach(
        {"cards_dealt": count}, {"at_most": opening}, readings="surrender-before-any-card"
    )


def settled_at_once(hand: HandPlay, wager: Wager) -> Verdict:
    """Whether a wager that waits for nobody was settled before the bank played."""
    return equal("at_once", wager.at_once, True, where=at(hand.box, wager))


@upholds("stake", "A stake that went over twenty-one is collected at once.")
def bust_collected_at_once(play: RoundPlay, hand: HandPlay, wager: Wager) -> Verdict:
    """The dealer does not wait for the bank. Law: PT art. 22."""
    return settled_at_once(hand, wager) if hand.bust else None


@upholds(
    "stake", "A blackjack the bank cannot equal is paid at once.", needs="blackjack.paid_at_once"
)
def blackjack_paid_at_once(play: RoundPlay, hand: HandPlay, wager: Wager) -> Verdict:
    """Against an open card that is neither ace nor ten. Law: PT art. 21."""
    if not hand.natural or play.bank.may_make_blackjack:
        return None
    return settled_at_once(hand, wager)


@upholds("stake", "A blackjack is paid only once the bank has played.", needs="blackjack.pays")
def blackjack_waits_for_the_bank(play: RoundPlay, hand: HandPlay, wager: Wager) -> Verdict:
    """Where a book pays no blackjack early, its owner waits for the bank's hand.

    Law: the Portuguese casino's summary, the Spanish and Brazilian-language books.
    """
    if not hand.natural or wager.kind != "main":
        return None
    return equal("at_once", wager.at_once, False)
