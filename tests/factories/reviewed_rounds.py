"""The breaches of n.º 1 to 37 a reading of the law made in rounds (its run F), and their twins.

A row is one breach: its name there, what it is found as (article and check), the round, and a
lawful round that differs from it by the breach alone. Where the reading gives a group ("01-*") the
names are ours, until each second sentence, prohibition and figure of the article is broken once.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Any, Final, NamedTuple

from casino.events.round.round_played import RoundPlayed
from tests.factories.rounds import (
    ON_TIME,
    Box,
    Wager,
    a_round,
    box,
    even_money,
    hand,
    insurance,
    main,
    misdealt,
    special,
)

BUST: Final = "TH 6C KD"


class Row(NamedTuple):
    """A breach of the reading, and its lawful twin.

    `beside` is what is found with it: the amount it made wrong, by the reading which-article.
    """

    name: str
    found: str
    breach: Any
    twin: Any
    beside: tuple[str, ...] = ()


def one(cards: Any, *wagers: Wager, bank: str = "TH 7C", **known: Any) -> RoundPlayed:
    """A round of box 1."""
    does = {"does": known.pop("does")} if "does" in known else {}
    return a_round(box(1, cards, *wagers, **does), bank=bank, **known)


def pays(cards: str, returned: int, bank: str = "TH 7C", **known: Any) -> RoundPlayed:
    """A stake of 1000 for which that much was handed back."""
    at_once = known.pop("at_once", None)
    return one(cards, main(1000, returned, at_once=at_once), bank=bank, **known)


def staked(*cents: int, limits: tuple[int, int] = (1000, 30000), **known: Any) -> RoundPlayed:
    """Stakes of J1, who holds the box, J5 and J6."""
    owners = zip(cents, ("J1", "J5", "J6"), strict=False)
    wagers = [main(each, 2 * each, owner) for each, owner in owners]
    return a_round(box(1, "TS 8D", *wagers, **known), limits=limits)


def vacant(*cents: int, by: str = "J2") -> RoundPlayed:
    """Stakes of J2, J3 ... on a vacant box, each from his own seat."""
    wagers = [main(each, 2 * each, f"J{seat}", seat=seat) for seat, each in enumerate(cents, 2)]
    return a_round(box(1, "TS 8D", *wagers, vacant=True, decided_by=by))


def two(dealt: str, bank: str = "TH 7C", cards: str = "TS 8D") -> RoundPlayed:
    """Boxes 2 and 5 and the order in which their cards came."""
    won = box(5, cards, main(1000, 2000))
    return a_round(box(2, "2S 3D 9C", main(1000, 0)), won, bank=bank, dealt=dealt)


def parted(*hands: str, stakes: Any = (), bank: str = "TH 6C KD", won: int = 2000) -> RoundPlayed:
    """A pair split: ``"8S 4D; split stand"`` is a hand and what was done on it."""
    listed = []
    for place, each in enumerate(hands):
        cards, _, does = each.partition("; ")
        listed.append(hand(cards, does if does or not place else None, out_of=1 if place else None))
    usual = [main(1000, won, hand=place) for place in range(1, len(hands) + 1)]
    return one(listed, *(stakes or usual), bank=bank)


def doubled(cards: str, *wagers: Wager, does: str = "double", bank: str = BUST) -> RoundPlayed:
    """A stake of 1000 doubled against a bank that goes over."""
    return one(cards, *(wagers or [main(2000, 4000, first=1000)]), does=does, bank=bank)


def insured(stake: int, returned: int, bank: str = "AH 7C", main_back: int = 1000) -> RoundPlayed:
    """18 and an insurance."""
    return one("TS 8D", main(1000, main_back), insurance(stake, returned), bank=bank)


def even(cards: str, bank: str = "AH 7C", returned: int = 2000, **known: Any) -> RoundPlayed:
    """Even money taken."""
    return one(cards, even_money(1000, returned, **known), bank=bank)


def given_up(returned: int, bank: str = "9H 8C", cards: str = "TS 6D", **known: Any) -> RoundPlayed:
    """A hand that was given up."""
    return one(cards, main(1000, returned), does=known.pop("does", "surrender"), bank=bank)


def stray(fate: str, seen: bool, *boxes: Box, **known: Any) -> RoundPlayed:
    """The nine of clubs came out for box 1, which stood on 18."""
    card = misdealt("9C", (1, 1), fate, seen=seen, to=known.pop("to", None))
    stood = box(1, "TS 8D", main(1000, 0 if "bank" in known else 2000))
    return a_round(stood, *boxes, misdealt=[card], **known)


def drawn(bank: str, voided: str, order: str, returned: int = 0) -> RoundPlayed:
    """18 against a bank some of whose cards were taken out, in the order they came to it."""
    first, *rest = order.split()
    text = ", ".join(["1 TS", f"bank {first}", "1 8D", *(f"bank {card}" for card in rest)])
    return one("TS 8D", main(1000, returned), bank=bank, voided=voided, dealt=text)


WON: Final = main(1000, 2000)
WIN: Final = one("TS 8D", WON)
BLACKJACK: Final = pays("AS KD", 2500)
LOST: Final = pays("TS 6D", 0)
TIE: Final = pays("TS 7D", 1000)
SHARED: Final = staked(1000, 2000, decided_by="J1")
VACANT: Final = vacant(3000, 2000)
TWO: Final = two("2 2S, 5 TS, bank TH, 2 3D, 5 8D, bank 7C, 2 9C")
ASKED: Final = box(2, "TS 2D 5H", main(1000, 1000), does="hit stand")
GIVEN: Final = box(2, "TS 2D 9C", main(1000, 2000), does="hit stand")
WAITED: Final = box(2, "TS 9D", main(1000, 0))
PAIR: Final = parted("8S 4D; split stand", "8D 5H")
ACES: Final = parted("AS 4D; split", "AD 5H; ")
AGAIN: Final = parted("8S 4D; split split", "8D 5H", "8C 6S; ")
AS_ONE: Final = "1 only_a_blackjack_is_paid_as_one"
STANDS: Final = "19 bank_stands_at_seventeen"
SOFT: Final = "19 bank_ace_is_eleven_at_seventeen"
NEARER: Final = "23 nearer_to_twenty_one_wins"
FARTHER: Final = "23 farther_from_twenty_one_loses"


def others(*wagers: Wager) -> RoundPlayed:
    """The pair of J1 split, and what J5 staked on it."""
    own = main(1000, 2000, "J1"), main(1000, 2000, "J1", hand=2)
    return parted("8S 4D; split stand", "8D 5H", stakes=(*own, *wagers))


def beside(lies: int, does: str = "double") -> RoundPlayed:
    """J5 staked 1000 on J1's box, where so much lies at the end."""
    own = main(2000, 4000, first=1000) if does == "double" else WON
    return doubled("6S 4D 9C", own, main(lies, 2 * lies, "J5", first=1000), does=does)


LATE: Final = replace(ON_TIME, stakes_closed=ON_TIME.first_card + timedelta(seconds=1))

# fmt: off
BREACHES: Final[tuple[Row, ...]] = (
    # 1: a blackjack is an ace with a figure or a ten as the first two cards.
    Row("01-three-cards-paid-as-blackjack", AS_ONE, pays("8S 6D 7H", 2500), pays("8S 6D 7H", 2000)),
    Row("01-twenty-paid-as-blackjack", AS_ONE, pays("KS QD", 2500), pays("KS QD", 2000)),
    Row("01-tie-paid-as-blackjack", AS_ONE, pays("KS 7D", 2500), TIE),
    # 2, 3: seven places, six packs.
    Row("02-an-eighth-place", "2 box_exists", a_round(box(8, "TS 8D", WON)),
        a_round(box(7, "TS 8D", WON))),
    Row("03-a-seventh-of-one-card", "3 card_within_decks",
        a_round(*(box(at, "KD KD", WON) for at in (1, 2, 3)), bank="KD 7C"),
        a_round(*(box(at, "KD KD", WON) for at in (1, 2)), bank="KD 7C")),
    # 6: the bank's ace.
    Row("06-soft-17-drawn", SOFT, one("TS 8D", WON, bank="AH 6C 4D"),
        one("TS 8D", WON, bank="AH 6C")),
    Row("06-several-settled-by-the-ace-as-one", "6 bank_ace_counts_as_stated",
        a_round(box(1, "TS 7D", WON), box(2, "TC 8H", WON), box(3, "TD 9H", WON), bank="AH 7C"),
        a_round(box(1, "TS 7D", main(1000, 0)), box(2, "TC 8H", main(1000, 1000)),
                box(3, "TD 9H", WON), bank="AH 7C"), ("6 bank_ace_counts_as_stated",)),
    # 13: marked before the deal.
    Row("13-stakes-closed-late", "13 stakes_before_the_deal", one("TS 8D", WON, times=LATE), WIN),
    Row("13-raised-after-the-deal", "13 stakes_before_the_deal",
        one("TS 8D", main(3000, 6000, first=1000)), one("TS 8D", main(3000, 6000))),
    # 14: the minimum or a multiple, up to the maximum.
    Row("14-below-the-minimum", "14 stake_at_least_minimum", staked(500), staked(1000)),
    Row("14-not-a-multiple", "14 stake_multiple_of_minimum", staked(1500), staked(2000)),
    Row("14-above-the-maximum", "14 stake_at_most_maximum", staked(31000), staked(30000)),
    # 15: others' stakes.
    Row("15-together-above-the-maximum", "15 sum_on_box_within_maximum",
        staked(20000, 11000, decided_by="J1"), staked(20000, 10000, decided_by="J1")),
    Row("15-below-the-minimum", "15 complementary_stake_lawful",
        staked(1000, 500, decided_by="J1"), staked(1000, 1000, decided_by="J1")),
    Row("15-not-a-multiple", "15 complementary_stake_lawful",
        staked(1000, 1500, decided_by="J1"), SHARED),
    Row("15-another-decides", "15 holder_decides", staked(1000, 2000, decided_by="J5"), SHARED),
    # 16: a vacant place.
    Row("16-vacant-sum", "16 vacant_box_within_maximum", vacant(20000, 11000),
        vacant(20000, 10000)),
    Row("16-vacant-above-the-maximum", "16 vacant_box_within_maximum", vacant(31000),
        vacant(30000)),
    Row("16-vacant-not-a-multiple", "16 vacant_stake_multiple_of_minimum", vacant(1500),
        vacant(1000)),
    Row("16-vacant-below-the-minimum", "16 vacant_stake_multiple_of_minimum", vacant(500),
        vacant(1000)),
    Row("16-smaller-stake-decides", "16 largest_stake_decides_vacant_box",
        vacant(3000, 2000, by="J3"), VACANT),
    Row("16-of-equals-the-higher-place", "16 largest_stake_decides_vacant_box",
        vacant(2000, 2000, by="J3"), vacant(2000, 2000)),
    # 17: the deal.
    Row("17-a-box-gets-one-card-only", "17 two_cards_to_each_place", pays("9S", 0), LOST),
    Row("17-both-bank-cards-open", "17 second_bank_card_face_down",
        one("TS 8D", WON, bank_open=(1, 2)), WIN),
    Row("17-higher-place-first", "17 dealt_in_order",
        two("5 TS, 2 2S, bank TH, 2 3D, 5 8D, bank 7C, 2 9C"), TWO),
    Row("17-bank-second-card-early", "17 dealt_in_order",
        two("2 2S, 5 TS, bank TH, bank 7C, 2 3D, 5 8D, 2 9C"), TWO),
    Row("17-bank-second-card-late", "17 dealt_in_order",
        two("2 2S, 5 TS, bank TH, 2 3D, 5 8D, 2 9C, bank 7C"), TWO),
    Row("17-cards-without-a-stake", "17 cards_only_to_staked_boxes",
        a_round(box(1, "TS 8D", WON), box(2, "TH 9D")), a_round(box(1, "TS 8D", WON), box(2, ""))),
    Row("17-stake-without-cards", "17 cards_only_to_staked_boxes",
        a_round(box(1, "TS 8D", WON), box(2, "", main(1000, 1000))),
        a_round(box(1, "TS 8D", WON), box(2, "TC 8H", WON))),
    Row("17-turned-card-kept", "17 second_bank_card_face_down",
        one("TS 8D", WON, bank_open=(1, 2), misdealt=[misdealt("7C", "bank", "bank", seen=True)]),
        one("TS 8D", WON, voided="9C turned", dealt="1 TS, bank TH, 1 8D, bank 9C, bank 7C")),
    Row("17-first-bank-card-taken-out", "17 bank_keeps_the_cards_dealt_it",
        pays("TS 8D", 0, "TH 9C", voided="5C turned",
             dealt="1 TS, bank 5C, bank TH, 1 8D, bank 9C"),
        drawn("TH 9C", "5C turned", "TH 5C 9C")),
    # 18: asking and standing.
    Row("18-stands-on-eleven", "18 stand_above_eleven", pays("6S 5D", 0, does="stand"),
        pays("6S 6D", 0, does="stand")),
    Row("18-card-at-twenty-one", "18 no_card_at_twenty_one", pays("TS 5D 6C 4H", 2000),
        pays("TS 5D 6C", 2000)),
    Row("18-card-to-a-blackjack", "18 no_card_to_a_blackjack",
        pays("AS KD 5C", 2500, does="hit"), BLACKJACK),
    Row("18-card-after-standing", "18 no_card_after_standing",
        pays("TS 5D 3C", 0, does="stand hit"), pays("TS 5D 3C", 2000, does="hit stand")),
    Row("18-asked-out-of-order", "18 players_asked_in_order",
        two("2 2S, 5 TS, bank TH, 2 3D, 5 8D, bank 7C, 5 2H, 2 9C", cards="TS 8D 2H"),
        two("2 2S, 5 TS, bank TH, 2 3D, 5 8D, bank 7C, 2 9C, 5 2H", cards="TS 8D 2H")),
    Row("18-bank-draws-before-the-players", "18 players_asked_in_order",
        two("2 2S, 5 TS, bank TH, 2 3D, 5 8D, bank 5C, bank 2C, 2 9C", "TH 5C 2C"),
        two("2 2S, 5 TS, bank TH, 2 3D, 5 8D, bank 5C, 2 9C, bank 2C", "TH 5C 2C")),
    Row("18-seen-card-given-on", "18 misdealt_card_placed", stray("hand", True, GIVEN, to=(2, 1)),
        stray("hand", False, GIVEN, to=(2, 1))),
    Row("18-unseen-card-thrown-away", "18 misdealt_card_placed", stray("discard", False, ASKED),
        stray("discard", True, ASKED)),
    Row("18-unseen-card-past-a-player-to-the-bank", "18 misdealt_card_placed",
        stray("bank", False, ASKED, bank="6H 5C 9C"), stray("bank", False, WAITED,
                                                           bank="6H 5C 9C")),
    # 19: the bank.
    Row("19-blackjack-drawn-on", SOFT, pays("TS 8D", 0, "AH KC 4D"), pays("TS 8D", 0, "AH KC")),
    Row("19-stops-at-sixteen", "19 bank_draws_to_sixteen", pays("TS 8D", 2000, "TH 6C"), WIN),
    Row("19-draws-at-seventeen", STANDS, pays("TS 8D", 2000, "TH 7C 3D"), WIN),
    Row("19-drawn-card-taken-out", "19 bank_keeps_the_cards_it_draws",
        drawn("TH 6D TC", "5C extra", "TH 6D 5C TC"), drawn("TH 9D", "5C extra", "TH 9D 5C")),
    # 20, 21: blackjack.
    Row("20-blackjack-tied-with-21", "20 blackjack_beats_twenty_one",
        pays("AS KD", 1000, "TH 5C 6D"), pays("AS KD", 2500, "TH 5C 6D")),
    Row("20-split-21-paid-as-blackjack", "20 split_twenty_one_is_no_blackjack",
        parted("TS AD; split", "TD 9H", stakes=(main(1000, 2500), main(1000, 2000, hand=2))),
        parted("TS AD; split", "TD 9H")),
    Row("21-paid-evens", "21 blackjack_paid_three_to_two", pays("AS KD", 2000), BLACKJACK),
    Row("21-tie-paid", "21 blackjack_tie_is_null", pays("AS KD", 2500, "AH KC"),
        pays("AS KD", 1000, "AH KC")),
    Row("21-not-paid-at-once", "21 blackjack_paid_at_once",
        pays("AS KD", 2500, "9H 8C", at_once=False), pays("AS KD", 2500, "9H 8C", at_once=True)),
    # 22: over twenty-one.
    Row("22-stake-given-back", "22 bust_loses", pays("TS 8D 9C", 1000), pays("TS 8D 9C", 0)),
    Row("22-not-collected-at-once", "22 bust_collected_at_once",
        pays("TS 8D 9C", 0, at_once=False), pays("TS 8D 9C", 0, at_once=True)),
    Row("22-card-after-it", "22 no_card_after_bust", pays("TS 8D 9C 2H", 0), pays("TS 8D 9C", 0)),
    Row("22-bank-draws-for-nobody", "22 bank_rests_when_all_are_out",
        pays("TS 8D 9C", 0, "9H 2C 6D"), pays("AS KD", 2500, "9H 2C 6D", at_once=True)),
    # 23 to 25: won, lost, equal, and the stake.
    Row("23-win-taken", NEARER, pays("TS 8D", 0), WIN),
    Row("23-loss-paid", FARTHER, pays("TS 6D", 2000), LOST),
    Row("24-tie-paid", "24 equal_is_null", pays("TS 7D", 2000), TIE),
    Row("24-tie-taken", "24 equal_is_null", pays("TS 7D", 0), TIE),
    Row("25-blackjack-without-stake", "25 winner_keeps_stake", pays("AS KD", 1500), BLACKJACK),
    Row("25-winner-without-his-whole-stake", "25 winner_keeps_stake", pays("TS 8D", 999), WIN),
    # 26 to 28: pairs.
    Row("26-unequal-cards", "26 split_equal_values", parted("8S 4D; split stand", "9D 5H"), PAIR),
    Row("26-another-stake", "26 split_stakes_equal",
        parted("8S 4D; split stand", "8D 5H", stakes=(WON, main(2000, 4000, hand=2, first=1000))),
        PAIR),
    Row("26-second-card-on-an-ace", "26 split_aces_one_card",
        parted("AS 4D 3C; split hit", "AD 5H; "), ACES),
    Row("26-split-hand-left-with-one-card", "26 split_hand_asks_a_card",
        parted("8S; split stand", "8D TH", bank="TH 7C"),
        parted("8S TC; split stand", "8D TH", bank="TH 7C")),
    Row("27-resplit-of-another-card", "27 resplit_equal_values",
        parted("8S 4D; split split", "8D 5H", "3C TS; "), AGAIN),
    Row("28-another-amount", "28 complementary_follows_split",
        others(main(1000, 2000, "J5"), main(2000, 4000, "J5", hand=2, first=1000)),
        others(main(1000, 2000, "J5"), main(1000, 2000, "J5", hand=2))),
    Row("28-moved-to-the-second-hand", "28 complementary_follows_split",
        others(main(1000, 2000, "J5", hand=2)), others(main(1000, 2000, "J5"))),
    # 29 to 32: doubling.
    Row("29-on-twelve", "29 double_on_nine_to_eleven", doubled("7S 5D 9C"), doubled("6S 5D 9C")),
    Row("29-not-twice", "29 double_is_twice", doubled("6S 4D KC", main(1500, 3000, first=1000)),
        doubled("6S 4D KC")),
    Row("29-a-second-card", "29 double_one_card", doubled("6S 4D 2C 9H", does="double hit"),
        doubled("6S 4D 2C", does="double stand")),
    Row("30-another-amount", "30 complementary_double", beside(1500), beside(2000)),
    Row("30-doubles-alone", "30 complementary_double", beside(2000, "hit"), beside(1000, "hit")),
    Row("31-on-another-total", "31 double_after_split",
        parted("8S 4D 9C; split double", "8D TH",
               stakes=(main(2000, 4000, first=1000), main(1000, 2000, hand=2))),
        parted("8S 3D TC; split double", "8D TH",
               stakes=(main(2000, 4000, first=1000), main(1000, 2000, hand=2)))),
    Row("32-ace-as-eleven", "32 fixed_ace_stays_one",
        doubled("AS 8D 2C", main(2000, 4000, first=1000), bank="TH 7C"),
        doubled("AS 8D 2C", main(2000, 0, first=1000), bank="TH 7C")),
    # 33, 34: insurance and even money.
    Row("33-without-an-ace", "33 insurance_only_against_ace", insured(500, 0, "TH 8C"),
        insured(500, 0, "AH 7C")),
    Row("33-above-half", "33 insurance_within_half", insured(501, 0), insured(500, 0)),
    Row("33-paid-evens", "33 insurance_pays_two_to_one", insured(500, 1000, "AH KC", 0),
        insured(500, 1500, "AH KC", 0)),
    Row("33-lost-and-given-back", "33 insurance_loses", insured(500, 500), insured(500, 0)),
    Row("34-even-money-without-an-ace", "34 even_money_only_blackjack_against_ace",
        even("AS KD", "TH 7C"), even("AS KD")),
    Row("34-without-a-blackjack", "34 even_money_only_blackjack_against_ace", even("TS QD"),
        even("AS KD")),
    Row("34-once-the-second-card-was-known", "34 even_money_only_blackjack_against_ace",
        even("AS KD", at_once=False), even("AS KD")),
    # 35: the special prize.
    Row("35-forgotten", "35 special_prize_paid", pays("7S 7D 7H", 2000),
        one("7S 7D 7H", WON, special(3000))),
    Row("35-paid-after-the-bank", "35 special_prize_paid_at_once",
        one("7S 7D 7H", WON, special(3000, at_once=False)),
        one("7S 7D 7H", WON, special(3000, at_once=True))),
    Row("35-of-two-suits", "35 special_prize_only_when_due",
        one("6S 7D 8S", WON, special(3000)), pays("6S 7D 8S", 2000)),
    # 36, 37: giving up, and the maximum.
    Row("36-against-an-ace", "36 surrender_not_against_ace", given_up(500, "AH 7C"),
        given_up(500, "KH 7C")),
    Row("36-after-his-own-card", "36 surrender_after_two_cards",
        given_up(500, cards="TS 2D 4H", does="hit surrender"), given_up(500)),
    Row("36-surrender-after-anothers-card", "36 surrender_after_two_cards",
        a_round(box(1, "TS 2D 9C", WON), box(2, [hand("TC 6D", "surrender", at=7)],
                                             main(1000, 500))),
        a_round(box(1, "TS 2D 9C", WON), box(2, [hand("TC 6D", "surrender", at=6)],
                                             main(1000, 500)))),
    Row("36-loses-all", "36 surrender_loses_half", given_up(0), given_up(500)),
    Row("36-card-after-it", "36 no_card_after_surrender",
        given_up(500, cards="TS 6D 4H", does="surrender hit"), given_up(500)),
    Row("37-maximum-of-thirty-one-minimums", "37 maximum_within_thirty_minimums",
        staked(1000, limits=(1000, 31000)), staked(1000, limits=(1000, 30000))),
)
# fmt: on
