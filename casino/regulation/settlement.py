"""What each wager was due: own stake and prize together, in cents.

The order is a dealer's: the options that end a hand early, then blackjack, then who went over,
then the comparison.

Law: PT art. 1, 20-25, 28, 30, 32-36.
"""

from fractions import Fraction
from typing import Any, Final, NamedTuple

from casino.cards import VALUE, best_total
from casino.facts.rounds import Wager
from casino.regulation.finding import Check
from casino.regulation.play import HandPlay, RoundPlay, first_stake

NOTHING: Final = Fraction(0)


class Due(NamedTuple):
    """The amount due, the rule that fixes it and the readings it hangs on; `cents` None where not
    decidable (`why`).
    """

    cents: int | None
    check: str | None
    readings: tuple[str, ...] = ()
    why: str | None = None


def undecided(why: str, check: str | None = None, readings: tuple[str, ...] = ()) -> Due:
    """A wager whose amount this record does not decide."""
    return Due(None, check, readings, why)


def share(stake_cents: int, ratio: Fraction, p: dict[str, Any]) -> tuple[int, bool]:
    """`ratio` of the stake in whole cents, and whether a cent was left over for reading odd-
    cent to give.

    Units: cents. Law: PT art. 21, 33, 36.
    """
    cents, rest = divmod(stake_cents * ratio.numerator, ratio.denominator)
    return (cents + 1 if rest and p["money.odd_cent"] == "player" else cents), bool(rest)


def won(
    stake_cents: int, ratio: Fraction, p: dict[str, Any], check: str, readings: tuple[str, ...] = ()
) -> Due:
    """Stake and prize of a winner. Law: PT art. 25."""
    prize, odd = share(stake_cents, ratio, p)
    return Due(stake_cents + prize, check, (*readings, "odd-cent") if odd else readings)


def due_for(play: RoundPlay, hand: HandPlay, wager: Wager) -> Due:
    """What a stake lying on `hand` was due. Law: PT art. 20-24, 28, 30, 32, 34, 36."""
    p = play.p
    missing = unstated_option(play, hand, wager)
    if missing is not None:
        return undecided(f"not_stated:{missing}")
    if hand.surrendered and not _surrender_void(play, hand):
        return _surrendered(play, hand, wager)
    if hand.natural:
        return _natural(play, hand, wager)
    if hand.bust:
        if (play.misdirected or play.face_up_kept) and not _outcome_known(play, hand):
            return undecided(_unknown_because(play), "bust_loses", ("unknown-outcome",))
        return Due(0, "bust_loses", _void_reading(hand))
    if not _outcome_known(play, hand):
        return undecided(_unknown_because(play), "nearer_to_twenty_one_wins", ("unknown-outcome",))
    if len(play.bank.cards) < 2:
        return undecided("bank_cards_missing")
    readings = _readings_of(play, hand)
    if play.bank.natural:
        return _against_bank_blackjack(play, hand, wager, readings)
    return _compare(hand.total, play.bank.total, wager, readings, p)


def unstated_option(play: RoundPlay, hand: HandPlay, wager: Wager) -> str | None:
    """The parameter of an option that was used but that this rulebook does not state."""
    stated = play.p
    if hand.surrendered:
        for name in ("surrender.loses", "surrender.after_split"):
            if name not in stated:
                return name
    if wager.kind == "even_money" and "even_money.pays" not in stated:
        return "even_money.pays"
    if hand.doubled:
        if "double.totals" not in stated:
            return "double.totals"
        if hand.split and not stated.get("double.after_split"):
            return "double.after_split"
    if hand.split and not stated.get("split.resplit"):
        splits = hand.hand.actions.count("split") + (hand.hand.split_from is not None)
        if splits > 1:
            return "split.resplit"
    return None


def _surrender_void(play: RoundPlay, hand: HandPlay) -> bool:
    """Whether a surrender that was not open changes nothing: no card could have helped or hurt.

    Law: PT art. 36 (reading unknown-outcome: results no card could change are settled).
    """
    against_ace = play.bank.open is not None and VALUE[play.bank.open] == 1
    if hand.surrender_first and not against_ace:
        return False
    if hand.split and play.p["surrender.after_split"] == "allowed" and not against_ace:
        return False
    at_end = hand.natural or hand.bust or hand.doubled or hand.total == play.p["target.points"]
    return at_end or (play.bank.natural and play.p["bank.second_card"] == "face_down")


def _surrendered(play: RoundPlay, hand: HandPlay, wager: Wager) -> Due:
    """Half comes back, unless surrender was not open to this hand. Law: PT art. 36."""
    p = play.p
    after_split = hand.split and p["surrender.after_split"] == "forbidden"
    against_ace = play.bank.open is None or VALUE[play.bank.open] == 1
    late = not hand.surrender_first and (after_split or not hand.split)
    if (against_ace or late) and p["outcome.after_breach"] == "not_decidable":
        return undecided("unlawful_surrender", "surrender_loses_half", ("unknown-outcome",))
    if p["bank.peeks"] and play.bank.natural:
        return Due(0, "farther_from_twenty_one_loses", ("no-peek",))
    lost = p["surrender.loses"]
    back, odd = share(wager.stake_cents, 1 - lost, p)
    readings = ("no-peek",) if play.bank.natural else ()
    return Due(back, "surrender_loses_half", (*readings, "odd-cent") if odd else readings)


def blackjack_beats_other_21(play: RoundPlay) -> bool:
    """Whether a blackjack is more than any other 21 in this rulebook. Law: PT art. 20.

    A book that leaves the choice states it; where none is stated, the article upheld decides: a
    special rule a rulebook does not have leaves the general one, equal totals.
    """
    upheld = "blackjack_beats_twenty_one" in play.upheld
    return bool(play.p.get("blackjack.beats_twenty_one", upheld))


def _natural(play: RoundPlay, hand: HandPlay, wager: Wager) -> Due:
    """A blackjack: 3:2, null against the bank's, 1:1 where even money was taken.

    Law: PT art. 21, 34.
    """
    p, bank = play.p, play.bank
    against_ace = bank.open is not None and VALUE[bank.open] == 1
    if wager.kind == "even_money" and against_ace:
        return won(wager.stake_cents, p["even_money.pays"], p, "even_money_pays_one_to_one")
    readings: tuple[str, ...] = ()
    stake, added = wager.stake_cents, 0
    if hand.doubled:
        began = first_stake(wager, hand)
        if began is None:
            return undecided(
                "first_stake_unknown", "blackjack_paid_three_to_two", ("unlawful-stake",)
            )
        stake = min(began, wager.stake_cents)  # what was taken back earns nothing either
        added, readings = wager.stake_cents - stake, ("unlawful-stake",)
    if bank.may_make_blackjack:
        if _shifted_second_card(play):
            return undecided(
                _unknown_because(play), "blackjack_paid_three_to_two", ("unknown-outcome",)
            )
        if len(bank.cards) < 2:
            return undecided("bank_cards_missing")
        if bank.natural:
            tied = won(stake, p.get("tie.pays", NOTHING), p, "blackjack_tie_is_null", readings)
            return tied._replace(cents=(tied.cents or 0) + added)
    if not blackjack_beats_other_21(play):
        if not _outcome_known(play, hand):
            return undecided(
                _unknown_because(play), "blackjack_paid_three_to_two", ("unknown-outcome",)
            )
        if bank.total == p["target.points"]:
            return Due(stake + added, "equal_is_null", (*readings, "blackjack-against-21"))
    due = won(stake, p["blackjack.pays"], p, "blackjack_paid_three_to_two", readings)
    return due._replace(cents=(due.cents or 0) + added)


def _against_bank_blackjack(
    play: RoundPlay, hand: HandPlay, wager: Wager, readings: tuple[str, ...]
) -> Due:
    """Any other hand loses to it, doubles and splits whole unless the bank peeks.

    Law: PT art. 20, 23.
    """
    at_stake_later = hand.doubled or hand.hand.split_from is not None
    if play.p["bank.peeks"] and at_stake_later:
        began = 0 if hand.hand.split_from is not None else first_stake(wager, hand)
        if began is None:
            return undecided("first_stake_unknown", "farther_from_twenty_one_loses", ("no-peek",))
        added = max(wager.stake_cents - began, 0)
        return Due(added, "farther_from_twenty_one_loses", (*readings, "no-peek"))
    if hand.total == play.p["target.points"] and not blackjack_beats_other_21(play):
        return Due(wager.stake_cents, "equal_is_null", (*readings, "blackjack-against-21"))
    if at_stake_later:
        readings = (*readings, "no-peek")
    return Due(0, "farther_from_twenty_one_loses", readings)


def _compare(
    total: int, bank: int, wager: Wager, readings: tuple[str, ...], p: dict[str, Any]
) -> Due:
    """Nearer to 21 wins one to one, farther loses, equal is null. Law: PT art. 23, 24."""
    target = p["target.points"]
    stake = wager.stake_cents
    if bank > target:
        readings = (*readings, "bank-bust")
        if p["bank.bust"] == "nearer_wins":
            bank = target - (bank - target)  # the same distance on the other side
        else:
            return won(stake, p["win.pays"], p, "nearer_to_twenty_one_wins", readings)
    if total > bank:
        return won(stake, p["win.pays"], p, "nearer_to_twenty_one_wins", readings)
    if total == bank:
        return won(stake, p.get("tie.pays", NOTHING), p, "equal_is_null", readings)
    return Due(0, "farther_from_twenty_one_loses", readings)


def insurance_due(play: RoundPlay, wager: Wager) -> Due:
    """Two to one on the bank's blackjack, else lost. Law: PT art. 33."""
    p = play.p
    if "insurance.pays" not in p:
        return undecided("not_stated:insurance.pays")
    if _shifted_second_card(play):
        return undecided(_unknown_because(play), "insurance_pays_two_to_one", ("unknown-outcome",))
    if len(play.bank.cards) < 2:
        return undecided("bank_cards_missing")
    if play.bank.natural:
        return won(wager.stake_cents, p["insurance.pays"], p, "insurance_pays_two_to_one")
    return Due(0, "insurance_loses")


def special_prize(play: RoundPlay, hand: HandPlay) -> bool | None:
    """Whether the hand's first three cards are a suited 6-7-8 or three sevens; None where a
    suit is not known.

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


def settled_otherwise_with_free_ace(
    play: RoundPlay, hand: HandPlay, wager: Wager, due: Due
) -> bool:
    """Whether counting the doubled-on ace freely explains the wrong amount that was paid.

    Law: PT art. 32.
    """
    if play.bank.natural or len(play.bank.cards) < 2:
        return False
    free = _compare(best_total(hand.counted), play.bank.total, wager, (), play.p)
    return free.cents != due.cents and free.cents == wager.returned_cents


def _outcome_known(play: RoundPlay, hand: HandPlay) -> bool:
    """Whether a breach that shifted the cards leaves this hand's result standing.

    Law: PT art. 17, 18, 19 (reading unknown-outcome).
    """
    if play.p["outcome.after_breach"] == "as_it_lay":
        return True
    if play.bank.stopped_below or play.turned_kept or play.face_up_kept:
        return False
    if not play.misdirected:
        return True
    untouched = not hand.draws and not hand.split and hand.place not in play.misdirected
    place = (hand.place.box, hand.place.hand)
    before = all(place < (at.box, at.hand) for at in play.misdirected)
    if hand.bust:
        return before
    bank_stands = play.p["bank.second_card"] == "face_down" and len(play.facts.bank.cards) == 2
    return bank_stands and (before or untouched or play.bank.natural)


def _shifted_second_card(play: RoundPlay) -> bool:
    """Whether the bank's second card would have been another one, had the breach not happened."""
    if play.p["outcome.after_breach"] == "as_it_lay":
        return False
    if play.turned_kept or play.face_up_kept or not play.misdirected:
        return play.turned_kept or play.face_up_kept
    return bool(play.p["bank.second_card"] == "after_players")


def _unknown_because(play: RoundPlay) -> str:
    if play.face_up_kept:
        return "face_up_card_kept"
    if play.turned_kept:
        return "turned_card_kept"
    if play.bank.stopped_below:
        return "bank_stopped_below"
    return "misdealt_card_misdirected"


def _void_reading(hand: HandPlay) -> tuple[str, ...]:
    return ("void-beyond-right",) if hand.beyond else ()


def _readings_of(play: RoundPlay, hand: HandPlay) -> tuple[str, ...]:
    """The adopted readings that bear on how this hand's cards are counted."""
    readings = _void_reading(hand)
    if play.bank.beyond and "void-beyond-right" not in readings:
        readings = (*readings, "void-beyond-right")
    if hand.doubled and "double.fixed_ace" in play.p and hand.fixed_ace:
        readings = (*readings, "fixed-ace")
    return readings


_MONEY: Final = (
    (
        "blackjack_paid_three_to_two",
        "A blackjack wins one and a half times its stake.",
        ("blackjack.pays",),
    ),
    (
        "blackjack_tie_is_null",
        "A blackjack against the bank's blackjack neither wins nor loses.",
        (),
    ),
    ("blackjack_beats_twenty_one", "A blackjack beats any other 21.", ()),
    (
        "split_twenty_one_is_no_blackjack",
        "Ace and ten after a split are 21, not a blackjack.",
        (),
    ),
    ("bust_loses", "A hand over 21 loses at once.", ("target.points",)),
    (
        "nearer_to_twenty_one_wins",
        "A hand nearer to 21 than the bank wins its stake.",
        ("win.pays",),
    ),
    ("farther_from_twenty_one_loses", "A hand farther from 21 than the bank loses its stake.", ()),
    ("equal_is_null", "Equal totals neither win nor lose.", ("tie.pays",)),
    ("winner_keeps_stake", "A winner receives both stake and prize.", ()),
    ("fixed_ace_stays_one", "An ace doubled on as 1 counts 1 to the end.", ("double.fixed_ace",)),
    (
        "insurance_pays_two_to_one",
        "Insurance wins two to one when the bank has a blackjack.",
        ("insurance.pays",),
    ),
    ("insurance_loses", "Insurance is lost when the bank has no blackjack.", ("insurance.pays",)),
    ("even_money_pays_one_to_one", "Even money pays a blackjack one to one.", ("even_money.pays",)),
    ("surrender_loses_half", "A surrendered hand loses half its stake.", ("surrender.loses",)),
    (
        "special_prize_only_when_due",
        "The special prize is paid for a suited 6-7-8 or three sevens, at its rate.",
        ("special.pays", "special.cards"),
    ),
    (
        "voided_round_returns_stakes",
        "A round voided at the separator gives every stake back.",
        ("separator.may_void_round",),
    ),
)

CHECKS: Final = tuple(Check(name, "money", statement, needs) for name, statement, needs in _MONEY)
