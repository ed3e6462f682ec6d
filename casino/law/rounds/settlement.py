"""What each wager was due: own stake and prize together, in cents.

The order is a dealer's: what ends a hand early, then blackjack, then who went over, then the
comparison.

Law: PT art. 1, 20-25, 28, 30, 32-36.
"""

from fractions import Fraction
from typing import Any, Final, NamedTuple

from casino.cards import VALUE, best_total, hard_total
from casino.events.round.round_played import Wager
from casino.law.finding import Rule
from casino.law.rounds.bank_total import bank_stands
from casino.law.rounds.play import HandPlay, RoundPlay, first_stake
from casino.law.rounds.readings_used import of_the_cards, of_the_comparison, of_the_owner
from casino.law.rounds.shifted import dealt_its_own, drew_its_own

NOTHING: Final = Fraction(0)


class Due(NamedTuple):
    """The amount due, the rule that fixes it, the readings it hangs on; None is not decidable."""

    cents: int | None
    check: str | None
    readings: tuple[str, ...] = ()
    why: str | None = None


def undecided(why: str, check: str | None = None, readings: tuple[str, ...] = ()) -> Due:
    """A wager whose amount this record does not decide."""
    return Due(None, check, readings, why)


def share(stake_cents: int, ratio: Fraction, p: dict[str, object]) -> tuple[int, bool]:
    """`ratio` of the stake in whole cents, and whether reading odd-cent gave a cent left over.

    Units: cents. Law: PT art. 21, 33, 36.
    """
    cents, rest = divmod(stake_cents * ratio.numerator, ratio.denominator)
    return (cents + 1 if rest and p["money.odd_cent"] == "player" else cents), bool(rest)


def won(
    stake_cents: int,
    ratio: Fraction,
    p: dict[str, object],
    check: str,
    readings: tuple[str, ...] = (),
) -> Due:
    """Stake and prize of a winner. Law: PT art. 25."""
    prize, odd = share(stake_cents, ratio, p)
    return Due(stake_cents + prize, check, (*readings, "odd-cent") if odd else readings)


def due_for(play: RoundPlay, hand: HandPlay, wager: Wager) -> Due:
    """What a stake lying on `hand` was due. Law: PT art. 20-24, 28, 30, 32, 34, 36."""
    missing = unstated_option(play, hand, wager)
    if missing is not None:
        return undecided(f"not_stated:{missing}")
    due = _due_by_the_cards(play, hand, wager)
    others = of_the_owner(play, hand, wager)
    if not others:
        return due
    return due._replace(readings=tuple(dict.fromkeys((*due.readings, *others))))


def _due_by_the_cards(play: RoundPlay, hand: HandPlay, wager: Wager) -> Due:
    if play.shifted and not dealt_its_own(play, hand):
        return undecided(unknown_because(play), _rule_of(hand, wager), ("unknown-outcome",))
    if hand.surrendered and not _surrender_void(play, hand):
        return _surrendered(play, hand, wager)
    if hand.place in play.short and play.p["outcome.after_breach"] != "as_it_lay":
        return undecided("hand_left_with_one_card", _rule_of(hand, wager), ("unknown-outcome",))
    if hand.surrendered and not hand.bust and not hand.natural and _bank_unfinished(play):
        return undecided("bank_stopped_below", "surrender_loses_half", ("unknown-outcome",))
    if hand.natural:
        return _natural(play, hand, wager)
    if hand.bust:
        if not drew_its_own(play, hand):
            return undecided(unknown_because(play), "bust_loses", ("unknown-outcome",))
        if _returned_late(play, hand) and play.bank.natural and _outcome_known(play, hand):
            return _against_bank_blackjack(play, hand, wager, ())
        return Due(0, "bust_loses", of_the_cards(hand))
    if not _outcome_known(play, hand):
        return undecided(unknown_because(play), "nearer_to_twenty_one_wins", ("unknown-outcome",))
    if len(play.bank.cards) < 2:
        return undecided("bank_cards_missing")
    readings = of_the_comparison(play, hand)
    if play.bank.natural:
        return _against_bank_blackjack(play, hand, wager, readings)
    return _compare(hand.total, play.bank.total, wager, readings, play.p)


def _rule_of(hand: HandPlay, wager: Wager) -> str:
    """The rule that would fix the amount, were the cards known to be the hand's own."""
    if hand.surrendered:
        return "surrender_loses_half"
    if wager.kind == "even_money":
        return "even_money_pays_one_to_one"
    if hand.natural:
        return "blackjack_paid_three_to_two"
    return "bust_loses" if hand.bust else "nearer_to_twenty_one_wins"


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


def against_forbidden_ace(play: RoundPlay) -> bool:
    """Whether the bank shows an ace against which nobody may surrender. Law: PT art. 36."""
    shown = play.bank.open
    ace = shown is not None and VALUE[shown] == 1
    return ace and play.p["surrender.against_ace"] == "forbidden"


def _surrender_void(play: RoundPlay, hand: HandPlay) -> bool:
    """Whether a surrender that was not open changes nothing: no card could have helped or hurt.

    Law: PT art. 36 (reading unknown-outcome: results no card could change are settled).
    """
    if hand.surrender_first and not against_forbidden_ace(play):
        return False
    at_end = hand.natural or hand.bust or hand.doubled or hand.total == play.p["target.points"]
    return at_end or (play.bank.natural and play.p["bank.second_card"] == "face_down")


def _bank_unfinished(play: RoundPlay) -> bool:
    """Whether the bank rested below its total, and would have drawn for a hand left in play.

    Law: PT art. 19, 36 (reading unknown-outcome).
    """
    if play.p["outcome.after_breach"] == "as_it_lay" or play.bank.natural:
        return False
    return not bank_stands(play.bank.cards, play.p)


def _surrendered(play: RoundPlay, hand: HandPlay, wager: Wager) -> Due:
    """Half comes back, unless surrender was not open to this hand. Law: PT art. 36."""
    p, check = play.p, "surrender_loses_half"
    moment = ("surrender-moment",) if hand.split else ()
    if p["outcome.after_breach"] != "as_it_lay":
        if not hand.surrender_first or against_forbidden_ace(play):
            return undecided("unlawful_surrender", check, ("unknown-outcome", *moment))
        if play.bank.open is None and p["surrender.against_ace"] == "forbidden":
            return undecided("open_card_unknown", check, moment)
    looked = p["bank.peeks"] and p["peek.surrender"] == "lost"
    if looked and second_card_shifted(play):
        return undecided(unknown_because(play), check, ("no-peek", "unknown-outcome"))
    if looked and play.bank.natural:
        return Due(0, "farther_from_twenty_one_loses", ("no-peek",))
    back, odd = share(wager.stake_cents, 1 - p["surrender.loses"], p)
    readings = (*(("no-peek",) if play.bank.natural else ()), *moment)
    return Due(back, check, (*readings, "odd-cent") if odd else readings)


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
        if second_card_shifted(play):
            return undecided(
                unknown_because(play), "blackjack_paid_three_to_two", ("unknown-outcome",)
            )
        if len(bank.cards) < 2:
            return undecided("bank_cards_missing")
        if bank.natural:
            tied = won(stake, p.get("tie.pays", NOTHING), p, "blackjack_tie_is_null", readings)
            return tied._replace(cents=(tied.cents or 0) + added)
    if not blackjack_beats_other_21(play):
        if not _outcome_known(play, hand):
            return undecided(
                unknown_because(play), "blackjack_paid_three_to_two", ("unknown-outcome",)
            )
        if bank.total == p["target.points"]:
            return Due(stake + added, "equal_is_null", (*readings, "blackjack-against-21"))
    due = won(stake, p["blackjack.pays"], p, "blackjack_paid_three_to_two", readings)
    return due._replace(cents=(due.cents or 0) + added)


def _at_stake_later(hand: HandPlay) -> bool:
    """Whether some of what lies on the hand was staked after the second cards."""
    return hand.doubled or hand.hand.split_from is not None


def _returned_late(play: RoundPlay, hand: HandPlay) -> bool:
    """Whether such a stake goes back where the bank looked and had a blackjack: it was over before,
    whatever the hand drew afterwards.
    """
    looked = play.p["bank.peeks"] and play.p["peek.late_stakes"] == "returned"
    return bool(looked) and _at_stake_later(hand)


def _against_bank_blackjack(
    play: RoundPlay, hand: HandPlay, wager: Wager, readings: tuple[str, ...]
) -> Due:
    """Any other hand loses to it, doubles and splits whole unless the bank peeks.

    Law: PT art. 20, 23.
    """
    if _returned_late(play, hand):
        began = 0 if hand.hand.split_from is not None else first_stake(wager, hand)
        if began is None:
            return undecided("first_stake_unknown", "farther_from_twenty_one_loses", ("no-peek",))
        added = max(wager.stake_cents - began, 0)
        return Due(added, "farther_from_twenty_one_loses", (*readings, "no-peek"))
    if hand.total == play.p["target.points"] and not blackjack_beats_other_21(play):
        return Due(wager.stake_cents, "equal_is_null", (*readings, "blackjack-against-21"))
    if _at_stake_later(hand):
        readings = (*readings, "no-peek")
    return Due(0, "farther_from_twenty_one_loses", readings)


def _compare(
    total: int, bank: int, wager: Wager, readings: tuple[str, ...], p: dict[str, Any]
) -> Due:
    """Nearer to 21 wins one to one, farther loses, equal is null: the stake goes back.

    Law: PT art. 23, 24 (a push, empate).
    """
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


def settled_by_a_miscounted_ace(play: RoundPlay) -> bool:
    """Whether all stakes were settled against the bank's ace at its other value, several wrongly.

    One wrong amount alone may be any mistake; two and no right one against them are the ace.
    Law: PT art. 6 a) (reading which-article).
    """
    bank = play.bank
    if not bank.ace or bank.natural or len(bank.cards) < 2:
        return False
    low = hard_total(bank.cards)
    otherwise = low if bank.total != low else low + 10
    wrong = 0
    for hand in play.hands:
        if hand.natural or hand.bust or hand.surrendered:
            continue
        for wager in hand.wagers:
            paid_as = _compare(hand.total, otherwise, wager, (), play.p)
            if wager.returned_cents != paid_as.cents:
                return False
            wrong += paid_as.cents != _compare(hand.total, bank.total, wager, (), play.p).cents
    return wrong > 1


def _outcome_known(play: RoundPlay, hand: HandPlay) -> bool:
    """Whether a breach that shifted the cards leaves this hand's result standing.

    Law: PT art. 17, 18, 19 (reading unknown-outcome).
    """
    if play.p["outcome.after_breach"] == "as_it_lay":
        return True
    if play.bank.stopped_below or play.turned_kept or play.face_up_astray:
        return False
    if play.cut_from is not None:
        return False
    if not play.misdirected:
        return True
    bank_stands = play.p["bank.second_card"] == "face_down" and len(play.record.bank.cards) == 2
    return bank_stands and (drew_its_own(play, hand) or play.bank.natural)


def second_card_shifted(play: RoundPlay) -> bool:
    """Whether the bank's second card would have been another one, had the breach not happened."""
    if play.p["outcome.after_breach"] == "as_it_lay":
        return False
    if play.turned_kept or play.face_up_astray:
        return True
    if play.cut_from is not None and play.cut_from < 2:
        return True
    return bool(play.misdirected and play.p["bank.second_card"] == "after_players")


def unknown_because(play: RoundPlay) -> str:
    """Which breach left open what cards would have come: a code of `WagerVerdict.why`."""
    if play.face_up_astray and "face_up_card_out_of_play" in play.upheld:
        return "face_up_card_kept"
    if play.face_up_astray:
        return "face_up_card_thrown_away"
    if play.turned_kept:
        return "turned_card_kept"
    if play.short:
        return "hand_left_with_one_card"
    if play.cut_from is not None:
        return "bank_card_taken_out"
    if play.bank.stopped_below:
        return "bank_stopped_below"
    return "misdealt_card_misdirected"


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
    ("split_twenty_one_is_no_blackjack", "Ace and ten after a split are 21, not a blackjack.", ()),
    ("bust_loses", "A hand over 21 loses at once.", ("target.points",)),
    (
        "nearer_to_twenty_one_wins",
        "A hand nearer to 21 than the bank wins its stake.",
        ("win.pays",),
    ),
    ("farther_from_twenty_one_loses", "A hand farther from 21 than the bank loses its stake.", ()),
    ("equal_is_null", "Equal totals neither win nor lose.", ("tie.pays",)),
    ("winner_keeps_stake", "A winner receives both stake and prize.", ()),
    (
        "bank_ace_counts_as_stated",
        "Stakes are settled against the bank's ace at eleven where that makes seventeen to"
        " twenty-one, else at one.",
        ("ace.values",),
    ),
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
        "only_stated_prizes_are_paid",
        "No prize is paid but those the rules state.",
        ("win.pays",),
    ),
    (
        "voided_round_returns_stakes",
        "A round voided at the separator gives every stake back.",
        ("separator.may_void_round",),
    ),
)

RULES: Final = tuple(Rule(name, "money", statement, needs) for name, statement, needs in _MONEY)
