"""For each reading of the Portuguese book a round in which its choices part, worked out by hand.

A row gives, for every choice, what each wager is due (in cents, None where not decidable; hands
first, in order, then the bets beside them) and everything the judgement cites.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from casino.events.round.round_played import RoundPlayed
from casino.law.rulebook.rulebook import Law
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
from tests.law.asking import Readings, judged


class Result(NamedTuple):
    """What was due to each wager and what was cited."""

    due: tuple[int | None, ...]
    cited: list[str]


class Parting(NamedTuple):
    """A round and what it gives under each choice of one reading."""

    played: RoundPlayed
    results: Mapping[Any, Result]


def result_of(
    played: RoundPlayed, book: str | Law = "pt", readings: Readings | None = None
) -> Result:
    """What the engine makes of the round, in the same shape."""
    verdict = judged(played, book, readings)
    found = sorted(f"{one.article} {one.check}" for one in verdict.findings)
    return Result(tuple(one.due_cents for one in verdict.wagers), found)


def one_box(cards: Any, *wagers: Any, bank: str = "TH 7C", **known: Any) -> RoundPlayed:
    """A round of a single box."""
    beside = {name: known.pop(name) for name in ("misdealt", "voided", "dealt") if name in known}
    return a_round(box(1, cards, *wagers, **known), bank=bank, **beside)


TWO_HANDS: Final = main(1000, 2000), main(1000, 2000, hand=2)
BUST_BANK: Final = "TH 6C KD"


def _eights(count: int) -> RoundPlayed:
    hands = [hand("8S 9H", "split " * (count - 1) + "stand")]
    hands += [hand("8D 9D", "stand", out_of=1) for _ in range(count - 1)]
    stakes = [main(1000, 1000, hand=at) for at in range(1, count + 1)]
    return one_box(hands, *stakes)


def _parted(*places: int) -> RoundPlayed:
    """Eights parted, the first hand played out first; `places` are those of the hands."""
    hands = hand("8S 9H", "split stand"), hand("8D 9S", "stand", out_of=1)
    lying = [replace(one, from_left=at) for one, at in zip(hands, places, strict=True)]
    order = "1 8S, bank TH, 1 8D, 1 9H, 1/2 9S, bank 7C"
    return one_box(lying, main(1000, 1000), main(1000, 1000, hand=2), dealt=order)


# Readings the regulation does not have: a round in which all their choices part.
OF_OTHER_BOOKS: Final[dict[str, RoundPlayed]] = {
    "limit-of-splits": _eights(5),
    "right-of-the-player": _parted(1, 2),
}


def _aces(count: int) -> RoundPlayed:
    hands = [hand("AS 4D", "split " * (count - 1))]
    hands += [hand(f"A{suit} 4D", "", out_of=1) for suit in "DCHS"[: count - 1]]
    stakes = [main(1000, 2000, hand=at) for at in range(1, count + 1)]
    return one_box(hands, *stakes, bank=BUST_BANK)


def _leading(second: str) -> list[Any]:
    return [hand("8S 4D", "split stand"), hand(f"8D {second}", out_of=1)]


STAKES_OF_A_VACANT_BOX: Final = [
    main(cents, 2 * cents, owner, hand=at, seat=seat)
    for owner, cents, seat in (("J2", 2000, 2), ("J5", 1000, 5))
    for at in (1, 2)
]
FROM_THE_SIDE: Final = misdealt("2D", (1, 1), "bank", seen=False)

PARTINGS: Final[Mapping[str, Parting]] = {
    "bank-bust": Parting(
        one_box("TS 3D", main(1000, 2000), bank="TH 6C 6D"),
        {
            "loses": Result((2000,), []),
            "nearer_wins": Result((0,), ["23 farther_from_twenty_one_loses"]),
        },
    ),
    "best-total": Parting(
        one_box("AS AD", main(1000, 0)),
        {"best": Result((0,), []), "lowest": Result((0,), ["18 stand_above_eleven"])},
    ),
    "void-beyond-right": Parting(
        one_box("6S 4D 2C 9H", main(2000, 0, first=1000), does="double hit"),
        {
            "void": Result((0,), ["29 double_one_card"]),
            "counts": Result((4000,), ["23 nearer_to_twenty_one_wins", "29 double_one_card"]),
        },
    ),
    "unlawful-stake": Parting(
        one_box("TS 8D", main(1000, 2000), insurance(500, 500)),
        {
            "as_it_lay": Result((2000, 0), ["33 insurance_loses", "33 insurance_only_against_ace"]),
            "returned": Result((2000, 500), ["33 insurance_only_against_ace"]),
        },
    ),
    "unknown-outcome": Parting(
        one_box(
            "TS 9D",
            main(1000, 1000),
            bank="3H 3C KD 3S",
            voided="TC extra",
            dealt="1 TS, bank 3H, 1 9D, bank 3C, bank TC, bank KD, bank 3S",
        ),
        {
            "as_the_law_deals": Result(
                (2000,), ["19 bank_keeps_the_cards_it_draws", "23 nearer_to_twenty_one_wins"]
            ),
            "not_decidable": Result((None,), ["19 bank_keeps_the_cards_it_draws"]),
            "as_it_lay": Result((1000,), ["19 bank_keeps_the_cards_it_draws"]),
        },
    ),
    "misdealt-to-standing-bank": Parting(
        one_box("TS 8D", main(1000, 0), bank="TH 7C 2D", misdealt=[FROM_THE_SIDE]),
        {
            "discard": Result(
                (2000,), ["19 bank_stands_at_seventeen", "23 nearer_to_twenty_one_wins"]
            ),
            "bank": Result((0,), []),
        },
    ),
    "no-peek": Parting(
        one_box("6S 5D 9C", main(2000, 0, first=1000), does="double", bank="TH AC"),
        {False: Result((0,), []), True: Result((1000,), ["23 farther_from_twenty_one_loses"])},
    ),
    "naturals-only": Parting(
        one_box("AS KD", main(1000, 2500), bank="KH 5C"),
        {
            "either": Result((2500,), []),
            "must_draw": Result((2500,), ["19 bank_draws_to_sixteen"]),
        },
    ),
    "paid-out-counts-as-out": Parting(
        one_box("AS KD", main(1000, 2500, at_once=True), bank="9H 2C 4D"),
        {
            "either": Result((2500,), []),
            "out": Result((2500,), ["22 bank_rests_when_all_are_out"]),
            "in_play": Result((2500,), ["19 bank_draws_to_sixteen"]),
        },
    ),
    "insurance-settles": Parting(
        one_box("TS 8D 9C", main(1000, 0), insurance(500, 0), bank="AH 4C"),
        {"rests": Result((0, 0), []), "draws": Result((0, 0), ["19 bank_draws_to_sixteen"])},
    ),
    "pair-by-value": Parting(
        one_box(
            [hand("TS 4D", "split stand"), hand("KD 5H", out_of=1)], *TWO_HANDS, bank=BUST_BANK
        ),
        {
            "value": Result((2000, 2000), []),
            "rank": Result((2000, 2000), ["26 split_equal_values"]),
        },
    ),
    "resplit-only-pairs": Parting(
        _aces(4),
        {
            "unlimited": Result((2000,) * 4, []),
            "once": Result((2000,) * 4, ["27 resplit_equal_values"]),
            "never": Result((2000,) * 4, ["27 resplit_equal_values"] * 2),
        },
    ),
    "split-asks-a-card": Parting(
        one_box([hand("8S", "split stand"), hand("8D TH", out_of=1)], *TWO_HANDS, bank=BUST_BANK),
        {
            "one_at_least": Result((None, None), ["26 split_hand_asks_a_card"]),
            "none_needed": Result((2000, 2000), ["18 stand_above_eleven"]),
        },
    ),
    "first-of-two": Parting(
        one_box(_leading("5H"), *TWO_HANDS, main(1000, 2000, "J5", hand=2), bank=BUST_BANK),
        {
            "kept_card": Result((2000,) * 3, ["28 complementary_follows_split"]),
            "any_hand": Result((2000,) * 3, []),
        },
    ),
    "follow-the-double": Parting(
        one_box("6S 4D 9C", main(1000, 2000), main(2000, 4000, "J5", first=1000)),
        {
            "with_holder": Result((2000, 4000), ["30 complementary_double"]),
            "free": Result((2000, 4000), []),
        },
    ),
    "even-money-own-choice": Parting(
        one_box("AS KD", main(1000, 1000), even_money(1000, 2000, "J5"), bank="AH KC"),
        {
            "owner": Result((1000, 2000), []),
            "holder": Result((1000, 2000), ["34 even_money_only_blackjack_against_ace"]),
        },
    ),
    "double-two-cards": Parting(
        one_box(
            [hand("AS 8D 2C", "split double"), hand("AD TH", "", out_of=1)],
            main(2000, 4000, first=1000),
            main(1000, 2000, hand=2),
            bank=BUST_BANK,
        ),
        {
            "forbidden": Result((4000, 2000), ["26 split_aces_one_card", "31 double_after_split"]),
            "allowed": Result((4000, 2000), []),
        },
    ),
    "fixed-ace": Parting(
        one_box("AS 8D AC", main(2000, 4000, first=1000), does="double", bank="TH 8C"),
        {
            "doubled_on": Result((4000,), []),
            "every": Result((0,), ["32 fixed_ace_stays_one"]),
        },
    ),
    "max-before-deal": Parting(
        one_box("6S 5D 9C", main(60000, 120000, first=30000), does="double"),
        {
            "initial": Result((120000,), []),
            "final": Result((120000,), ["14 stake_at_most_maximum"]),
        },
    ),
    "insurance-of-first-stake": Parting(
        one_box(
            "TS 8D",
            main(5000, 5000),
            main(1000, 1000, "J5"),
            insurance(3000, 0, "J5"),
            bank="AH 7C",
        ),
        {
            "owner_first_stake": Result((5000, 1000, 0), ["33 insurance_within_half"]),
            "box_total": Result((5000, 1000, 0), []),
        },
    ),
    "insurance-until": Parting(  # box 1 has its first further card when J2 insures, not its last
        a_round(
            box(1, "TS 2D 3C 4H", main(1000, 2000)),
            box(2, "TC 8D", main(1000, 1000), insurance(500, 0, taken_at=7)),
            bank="AH 7C",
        ),
        {
            "second_card_known": Result((2000, 1000, 0), []),
            "any_card": Result((2000, 1000, 0), ["33 insurance_in_its_moment"]),
        },
    ),
    "special-prize": Parting(
        one_box("7S 7D 7H 5C", main(1000, 2000), special(3000), does="hit hit"),
        {
            "first_three": Result((2000, 3000), ["18 no_card_at_twenty_one"]),
            "exactly_three": Result(
                (2000, 0), ["18 no_card_at_twenty_one", "35 special_prize_only_when_due"]
            ),
        },
    ),
    "surrender-moment": Parting(
        one_box(
            [hand("8S TD", "split stand"), hand("8D 7H", "surrender", out_of=1)],
            main(1000, 2000),
            main(1000, 500, hand=2),
        ),
        {
            "forbidden": Result((2000, None), ["36 surrender_after_two_cards"]),
            "allowed": Result((2000, 500), []),
        },
    ),
    "surrender-before-any-card": Parting(
        a_round(
            box(1, "TS 2D 9C", main(1000, 2000)),
            box(2, [hand("TC 6D", "surrender", at=7)], main(1000, 500)),
        ),
        {
            "any_card": Result((2000, 500), ["36 surrender_after_two_cards"]),
            "own_card": Result((2000, 500), []),
        },
    ),
    "maximum-no-multiple": Parting(
        a_round(box(1, "TS 8D", main(20000, 40000)), limits=(3000, 20000)),
        {
            "forbidden": Result((40000,), ["14 stake_multiple_of_minimum"]),
            "allowed": Result((40000,), []),
        },
    ),
    "others-own-stake": Parting(
        one_box("TS 8D", main(1000, 2000), main(1000, 2000, "J5")),
        {
            "not_needed": Result((2000, 2000), []),
            "needed": Result((2000, 2000), ["15 others_stake_beside_their_own"]),
        },
    ),
    "complete-the-maximum": Parting(
        a_round(box(1, "TS 8D", main(29000, 58000), main(500, 1000, "J5")), limits=(1000, 29500)),
        {
            True: Result((58000, 1000), []),
            False: Result((58000, 1000), ["15 complementary_stake_lawful"]),
        },
    ),
    "vacant-tie": Parting(
        one_box(
            "TS 8D",
            main(1000, 2000, "J2", seat=2),
            main(1000, 2000, "J5", seat=5),
            vacant=True,
            decided_by="J5",
        ),
        {
            "lowest_seat": Result((2000, 2000), ["16 largest_stake_decides_vacant_box"]),
            "any_of_the_equals": Result((2000, 2000), []),
        },
    ),
    "next-who-asks": Parting(
        a_round(
            box(
                1,
                [hand("8S TD", "split stand"), hand("8D 2H 5C", "hit stand", out_of=1)],
                *TWO_HANDS,
            ),
            bank="TH 6C KD",
            misdealt=[misdealt("5C", (1, 1), "hand", to=(1, 2), seen=False)],
        ),
        {
            "any_hand": Result((2000, 2000), []),
            "another_box": Result((None, None), ["18 misdealt_card_placed"]),
        },
    ),
    "vacant-like-complementary": Parting(
        one_box(
            _leading("5H"), *STAKES_OF_A_VACANT_BOX, bank=BUST_BANK, vacant=True, decided_by="J2"
        ),
        {
            "per_owner": Result((4000, 2000, 4000, 2000), []),
            "as_decider": Result((4000, 2000, 4000, 2000), ["28 complementary_follows_split"]),
        },
    ),
    "which-article": Parting(
        one_box("AS KD", main(1000, 1000), bank="TH 5C 6D"),
        {
            "amount_due": Result((2500,), ["20 blackjack_beats_twenty_one"]),
            "result": Result((2500,), ["21 blackjack_paid_three_to_two"]),
        },
    ),
    "odd-cent": Parting(
        one_box("AS KD", main(2001, 5003), bank="TH 8C", vacant=False),
        {
            "player": Result((5003,), ["14 stake_multiple_of_minimum"]),
            "house": Result(
                (5002,), ["14 stake_multiple_of_minimum", "21 blackjack_paid_three_to_two"]
            ),
        },
    ),
}
