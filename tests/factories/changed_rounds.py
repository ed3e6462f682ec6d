"""For each figure of the law a round that is judged otherwise once the figure has changed.

A row names the figures that change on the day, the round, and what it gives on the eve and on the
day. DIFFERS where the change takes a rule away whose consequence the text does not settle: the
round must then be judged otherwise, in whatever way.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, Final, NamedTuple

from casino.events.round.round_played import RoundPlayed, Times
from tests.factories.round_readings import (
    BUST_BANK,
    OF_OTHER_BOOKS,
    TWO_HANDS,
    Result,
    one_box,
)
from tests.factories.rounds import (
    a_round,
    box,
    even_money,
    hand,
    insurance,
    main,
    misdealt,
    special,
)

DIFFERS: Final = None


class Change(NamedTuple):
    """Figures that change, the round, and its results on the eve and on the day."""

    figures: Mapping[str, Any]
    played: RoundPlayed
    eve: Result
    day: Result | None
    book: str = "pt"


PLAIN: Final = one_box("TS 8D", main(1000, 2000))
LAWFUL_WIN: Final = Result((2000,), [])
BOTH_WIN: Final = Result((2000, 2000), [])
_BLACKJACK: Final = one_box("AS KD", main(1000, 2500), bank="TH 8C")
_DOUBLE: Final = main(2000, 4000, first=1000)
_OVER: Final = "TS 8D 9C"


def split(first: str, second: str, *wagers: Any, bank: str = BUST_BANK) -> RoundPlayed:
    """Two hands of one split: their cards, and after a comma what was done on the first."""
    cards, _, does = first.partition(", ")
    hands = [hand(cards, f"split {does}"), hand(second, "", out_of=1)]
    return one_box(hands, *(wagers or TWO_HANDS), bank=bank)


CHANGES: Final = [
    Change(
        {"target.points": 22},
        one_box("TS 9D 3C", main(1000, 0)),
        Result((0,), []),
        Result((2000,), ["23 nearer_to_twenty_one_wins"]),
    ),
    Change(
        {"boxes.maximum": 6},
        a_round(box(7, "TS 8D", main(1000, 2000))),
        LAWFUL_WIN,
        Result((2000,), ["2 box_exists"]),
    ),
    Change(
        {"decks.allowed": (4,)},
        a_round(*(box(at, "KD KD", main(1000, 2000)) for at in (1, 2)), bank="KD 7C"),
        BOTH_WIN,
        Result((2000, 2000), ["3 card_within_decks"]),
    ),
    Change(
        {"stake.within_limits": False},
        one_box("TS 8D", main(500, 1000)),
        Result((1000,), ["14 stake_at_least_minimum"]),
        Result((1000,), []),
    ),
    Change(
        {"stake.multiple_of_minimum": False},
        one_box("TS 8D", main(1500, 3000)),
        Result((3000,), ["14 stake_multiple_of_minimum"]),
        Result((3000,), []),
    ),
    Change(
        {"others.stake": False},
        one_box("TS 8D", main(20000, 40000), main(11000, 22000, "J5")),
        Result((40000, 22000), ["15 sum_on_box_within_maximum"]),
        DIFFERS,
    ),
    Change(
        {"bank.second_card": "after_players"},
        a_round(
            box(1, "TS 2D 6C", main(1000, 2000)),
            dealt="1 TS, bank TH, 1 2D, bank 7C, 1 6C",
        ),
        LAWFUL_WIN,
        Result((2000,), ["18 players_asked_in_order"]),
    ),
    Change(  # a bank that draws on a soft seventeen had to: with which card nobody knows
        {"bank.soft_seventeen": "draws"},
        one_box("TS 8D", main(1000, 2000), bank="AH 6C"),
        LAWFUL_WIN,
        Result((None,), ["19 bank_draws_to_sixteen"]),
    ),
    Change(  # and one that did draw stands on what it got
        {"bank.soft_seventeen": "draws"},
        one_box("TS 8D", main(1000, 0), bank="AH 6C 2D"),
        Result((2000,), ["19 bank_ace_is_eleven_at_seventeen", "23 nearer_to_twenty_one_wins"]),
        Result((0,), []),
    ),
    Change(
        {"surrender.against_ace": "allowed"},
        one_box("TS 6D", main(1000, 500), does="surrender", bank="AH 7C"),
        Result((None,), ["36 surrender_not_against_ace"]),
        Result((500,), []),
    ),
    Change(  # a bank that looks takes only what lay there when it looked
        {"bank.peeks": True, "peek.late_stakes": "returned"},
        one_box("6S 5D 9C", main(2000, 0, first=1000), does="double", bank="TH AC"),
        Result((0,), []),
        Result((1000,), ["23 farther_from_twenty_one_loses"]),
    ),
    Change(  # unless its terms say otherwise, which then lose a surrendered stake too, or do not
        {"bank.peeks": True, "peek.late_stakes": "lost", "peek.surrender": "lost"},
        a_round(
            box(1, "6S 5D 9C", main(2000, 0, first=1000), does="double"),
            box(2, "TS 6D", main(1000, 500), does="surrender"),
            bank="TH AC",
        ),
        Result((0, 500), []),
        Result((0, 0), ["23 farther_from_twenty_one_loses"]),
    ),
    Change(
        {"stand.above": 12},
        one_box("TS 2D", main(1000, 0)),
        Result((0,), []),
        Result((0,), ["18 stand_above_eleven"]),
    ),
    Change(
        {"hit.until": 20},
        one_box("TS QD AH", main(1000, 2000)),
        LAWFUL_WIN,
        Result((2000,), ["18 no_card_at_twenty_one"]),
    ),
    Change(
        {"bank.draws_to": 17, "bank.stands_at": 18},
        PLAIN,
        LAWFUL_WIN,
        Result((None,), ["19 bank_draws_to_sixteen"]),
    ),
    Change(
        {"split.two_card_21_is_blackjack": True},
        split("TS AD", "TD 9H", main(1000, 2500), main(1000, 2000, hand=2), bank="TH 8C"),
        Result((2000, 2000), ["20 split_twenty_one_is_no_blackjack"]),
        Result((2500, 2000), []),
    ),
    Change(
        {"blackjack.pays": Fraction(6, 5)},
        _BLACKJACK,
        Result((2500,), []),
        Result((2200,), ["21 blackjack_paid_three_to_two"]),
    ),
    Change(
        {"blackjack.paid_at_once": False},
        a_round(
            box(1, "AS KD", main(1000, 2500, at_once=False)),
            box(2, "TS 9D", main(1000, 2000)),
            bank="9H 8C",
        ),
        Result((2500, 2000), ["21 blackjack_paid_at_once"]),
        Result((2500, 2000), []),
    ),
    Change(
        {"bank.rests_when_all_out": False},
        one_box(_OVER, main(1000, 0), bank="TH 2C 7D"),
        Result((0,), ["22 bank_rests_when_all_are_out"]),
        Result((0,), []),
    ),
    Change(
        {"win.pays": Fraction(6, 5)},
        PLAIN,
        LAWFUL_WIN,
        Result((2200,), ["23 nearer_to_twenty_one_wins"]),
    ),
    Change(
        {"tie.pays": Fraction(1, 1)},
        one_box("TS 7D", main(1000, 1000)),
        Result((1000,), []),
        Result((2000,), ["24 equal_is_null"]),
    ),
    Change(
        {"split.stake_equal": False},
        split("8S 4D, stand", "8D 5H", main(1000, 2000), main(500, 1000, hand=2, first=1000)),
        Result((2000, 1000), ["26 split_stakes_equal"]),
        Result((2000, 1000), []),
    ),
    Change(
        {"split.aces_one_card": False},
        split("AS 4D 3C, hit", "AD 5H"),
        Result((2000, 2000), ["26 split_aces_one_card"]),
        Result((2000, 2000), []),
    ),
    Change(
        {"split.resplit": False},
        one_box(
            [hand("8S 4D", "split split"), hand("8D 5H", out_of=1), hand("8C 6S", out_of=1)],
            *TWO_HANDS,
            main(1000, 2000, hand=3),
            bank=BUST_BANK,
        ),
        Result((2000, 2000, 2000), []),
        DIFFERS,
    ),
    Change(
        {"double.totals": (10, 11)},
        one_box("5S 4D TC", _DOUBLE, does="double"),
        Result((4000,), []),
        Result((4000,), ["29 double_on_nine_to_eleven"]),
    ),
    Change(
        {"double.times": 3},
        one_box("6S 4D TC", main(3000, 6000, first=1000), does="double"),
        Result((6000,), ["29 double_is_twice"]),
        Result((6000,), []),
    ),
    Change(
        {"double.cards": 2},
        one_box("6S 4D 2C 9H", _DOUBLE, does="double hit"),
        Result((0,), ["23 farther_from_twenty_one_loses", "29 double_one_card"]),
        Result((4000,), []),
    ),
    Change(
        {"double.after_split": False},
        split("8S 3D TC, double", "8D TH", _DOUBLE, main(1000, 2000, hand=2)),
        Result((4000, 2000), []),
        DIFFERS,
    ),
    Change(
        {"insurance.at_most": Fraction(1, 4)},
        one_box("TS 8D", main(1000, 1000), insurance(500, 0), bank="AH 7C"),
        Result((1000, 0), []),
        Result((1000, 0), ["33 insurance_within_half"]),
    ),
    Change(
        {"insurance.pays": Fraction(1, 1)},
        one_box("TS 8D", main(1000, 0), insurance(500, 1500), bank="AH KC"),
        Result((0, 1500), []),
        Result((0, 1000), ["33 insurance_pays_two_to_one"]),
    ),
    Change(
        {"even_money.pays": Fraction(1, 2)},
        one_box("AS KD", even_money(1000, 2000), bank="AH 7C"),
        LAWFUL_WIN,
        Result((1500,), ["34 even_money_pays_one_to_one"]),
    ),
    Change(
        {"special.pays": Fraction(2, 1)},
        one_box("7S 7D 7H", main(1000, 2000), special(3000)),
        Result((2000, 3000), []),
        Result((2000, 2000), ["35 special_prize_paid"]),
    ),
    Change(
        {"surrender.loses": Fraction(1, 4)},
        one_box("TS 6D", main(1000, 500), does="surrender", bank="9H 8C"),
        Result((500,), []),
        Result((750,), ["36 surrender_loses_half"]),
    ),
    Change(
        {"limits.maximum_over_minimum": 20},
        PLAIN,
        LAWFUL_WIN,
        Result((2000,), ["37 maximum_within_thirty_minimums"]),
    ),
    # what only the other books state
    Change(
        {"others.need_consent": False},
        one_box("TS 8D", main(1000, 2000), main(1000, 2000, "J5"), consent=False),
        Result((2000, 2000), ["jugadores/apuestas-de-otros others_with_consent"]),
        BOTH_WIN,
        "es",
    ),
    Change(
        {"face_up_card.out_of_play": False},
        a_round(
            box(1, "TS 2D 5H", main(1000, 0), does="hit stand"),
            bank="TH 8C",
            misdealt=[misdealt("5H", "shoe", "hand", to=(1, 1))],
        ),
        Result((None,), ["desarrollo/carta-boca-arriba face_up_card_out_of_play"]),
        DIFFERS,
        "es",
    ),
    Change(
        {"separator.may_void_round": False},
        a_round(
            box(1, "TS 8D", main(1000, 1000)),
            interrupted="separator",
            times=Times(first_card=datetime(2026, 11, 20, 22, tzinfo=UTC)),
        ),
        Result((1000,), []),
        DIFFERS,
        "es",
    ),
    Change(
        {"insurance.exactly": Fraction(1, 4)},
        a_round(
            box(1, "TS 8D", main(1000, 1000), insurance(500, 0)),
            box(2, "TS 8D", main(1000, 1000)),
            bank="AH 7C",
        ),
        Result((1000, 1000, 0), []),
        Result((1000, 1000, 0), ["insurance insurance_exactly_half"]),
        "fr",
    ),
    Change(
        {"player.boxes_maximum": 2},
        a_round(*(box(at, "TS 8D", main(1000, 2000), holder="J1") for at in (1, 2, 3))),
        Result((2000, 2000, 2000), []),
        Result((2000, 2000, 2000), ["order-of-play/boxes player_boxes_within_maximum"]),
        "fr",
    ),
    Change(
        {"player.boxes_minimum_alone": 1},
        PLAIN,
        Result((2000,), ["order-of-play/boxes lone_player_boxes"]),
        LAWFUL_WIN,
        "fr",
    ),
    Change(
        {"split.limit": "three_times"},
        OF_OTHER_BOOKS["limit-of-splits"],
        Result((1000,) * 5, ["order-of-play/boxes lone_player_boxes"]),
        Result(
            (1000,) * 5,
            [
                "order-of-play/boxes lone_player_boxes",
                "splitting-pairs splits_within_the_houses_limit",
            ],
        ),
        "fr",
    ),
    Change(
        {"split.played": "dealers_right"},
        OF_OTHER_BOOKS["right-of-the-player"],
        Result((1000, 1000), []),
        Result((1000, 1000), ["sus-posibilidades/pares split_hands_played_right_to_left"]),
        "es",
    ),
]
