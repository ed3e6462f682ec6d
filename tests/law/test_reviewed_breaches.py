"""The breaches of a review of the rounds (n.º 1 to 37) by their names, and what each is found as.

A row is a round that was found under another article, twice, or refused; its breach is found once,
under the article that was broken, and nothing beside it is, but an amount the breach itself owes.
"""

from typing import Final, NamedTuple

import pytest

from casino.facts.rounds import RoundPlayed
from casino.reading.round_reader import read_round
from casino.reading.round_writer import round_as_json
from tests.factories.rounds import a_round, box, even_money, hand, insurance, main
from tests.law.asking import cited, owed


class Reviewed(NamedTuple):
    """A round as it was told, and everything it is cited for."""

    played: RoundPlayed
    cited: list[str]


def one(cards: object, *wagers: object, bank: str = "TH 7C", **known: object) -> RoundPlayed:
    """A round of one box."""
    return a_round(box(1, cards, *wagers), bank=bank, **known)  # type: ignore[arg-type]


def vacant(*cents: int) -> RoundPlayed:
    """Stakes on a vacant box; the first, which is the largest, decides."""
    wagers = [main(c, 2 * c, f"J{seat}", seat=seat) for seat, c in enumerate(cents, 2)]
    return a_round(box(1, "TS 8D", *wagers, vacant=True, decided_by="J2"))


AS_ONE: Final = "1 only_a_blackjack_is_paid_as_one"
SPLIT_LEFT: Final = [hand("8S", "split stand"), hand("8D TH", out_of=1)]
TWO_STAKES: Final = main(1000, 2000), main(1000, 2000, hand=2)
ASKED_LATE: Final = a_round(
    box(1, "TS 2D 6C", main(1000, 2000)),
    box(2, "TC 2H 7D", main(1000, 2000)),
    dealt="1 TS, 2 TC, bank TH, 1 2D, 2 2H, bank 7C, 2 7D, 1 6C",
)
BANK_FIRST: Final = a_round(
    box(1, "TS 2D 7S", main(1000, 2000)),
    bank="TH 2C 6C",
    dealt="1 TS, bank TH, 1 2D, bank 2C, bank 6C, 1 7S",
)

BREACHES: Final = {
    # One breach, one finding: it carries the amount.
    "01-three-cards-paid-as-blackjack": Reviewed(one("8S 6D 7H", main(1000, 2500)), [AS_ONE]),
    "01-twenty-paid-as-blackjack": Reviewed(one("KS QD", main(1000, 2500)), [AS_ONE]),
    "01-tie-paid-as-blackjack": Reviewed(one("KS 7D", main(1000, 2500)), [AS_ONE]),
    "34-even-money-without-an-ace": Reviewed(
        one("AS KD", even_money(1000, 2000)), ["34 even_money_only_blackjack_against_ace"]
    ),
    # 19 forbids the card; 6 says what the ace counts.
    "06-soft-17-drawn": Reviewed(
        one("TS 8D", main(1000, 2000), bank="AH 6C 4D"), ["19 bank_ace_is_eleven_at_seventeen"]
    ),
    "19-blackjack-drawn-on": Reviewed(
        one("TS 8D", main(1000, 0), bank="AH KC 4D"), ["19 bank_ace_is_eleven_at_seventeen"]
    ),
    # A vacant place is 16 alone.
    "16-vacant-sum": Reviewed(vacant(20000, 11000), ["16 vacant_box_within_maximum"]),
    "16-vacant-above-the-maximum": Reviewed(vacant(31000), ["16 vacant_box_within_maximum"]),
    "16-vacant-not-a-multiple": Reviewed(vacant(1500), ["16 vacant_stake_multiple_of_minimum"]),
    "16-vacant-below-the-minimum": Reviewed(vacant(500), ["16 vacant_stake_multiple_of_minimum"]),
    # Recorded, and found.
    "17-a-box-gets-one-card-only": Reviewed(
        one("9S", main(1000, 0)), ["17 two_cards_to_each_place"]
    ),
    "17-both-bank-cards-open": Reviewed(
        one("TS 8D", main(1000, 2000), bank_open=(1, 2)), ["17 second_bank_card_face_down"]
    ),
    "26-split-hand-left-with-one-card": Reviewed(
        one(SPLIT_LEFT, *TWO_STAKES), ["26 split_hand_asks_a_card"]
    ),
    # The order of asking is 18, not the order of the deal.
    "18-asked-out-of-order": Reviewed(ASKED_LATE, ["18 players_asked_in_order"]),
    "18-bank-draws-before-the-players": Reviewed(BANK_FIRST, ["18 players_asked_in_order"]),
    # A hand given up once another had its third card.
    "36-surrender-after-anothers-card": Reviewed(
        a_round(
            box(1, "TS 2D 9C", main(1000, 2000)),
            box(2, [hand("TC 6D", "surrender", at=7)], main(1000, 500)),
        ),
        ["36 surrender_after_two_cards"],
    ),
}

# What was said to be a breach, and is none, or is another.
LAWFUL: Final = {
    "22-bank-draws-after-a-paid-blackjack": one(
        "AS KD", main(1000, 2500, at_once=True), bank="9H 2C 6D"
    ),
    "33-insurance-won-left-with-nothing-more": one(
        "TS 8D", main(1000, 0), insurance(500, 1500), bank="AH KC"
    ),
}


@pytest.mark.parametrize("name", BREACHES)
def test_a_reviewed_breach_is_found_under_its_article(name: str) -> None:
    played, expected = BREACHES[name]
    assert read_round(round_as_json(played).encode()) == played  # it can be told
    assert cited(played) == expected


@pytest.mark.parametrize("name", LAWFUL)
def test_a_reviewed_lawful_round_is_accused_of_nothing(name: str) -> None:
    assert cited(LAWFUL[name]) == []


def test_the_insurance_that_was_called_a_blackjack() -> None:
    """1500 of an insurance left with the lost stake: 33 is broken by it, and 1 is not."""
    played = one("TS 8D", main(1000, 2500), insurance(500, 0), bank="AH KC")
    assert cited(played) == ["23 farther_from_twenty_one_loses", "33 insurance_pays_two_to_one"]


def test_the_card_taken_off_the_bank_at_six() -> None:
    """BJ-01/191: nothing was said of the amount, though the very cards lay in the record."""
    played = one(
        "TS 9D",
        main(1000, 1000),
        bank="3S 3C KH 3H",
        voided="TC extra",
        dealt="1 TS, bank 3S, 1 9D, bank 3C, bank TC, bank KH, bank 3H",
    )
    assert owed(played) == (2000, 1000, "player")


def test_twenty_one_given_up_while_the_bank_had_to_draw() -> None:
    played = a_round(box(1, "TS 5D 6C", main(1000, 500), does="hit surrender"), bank="7H 4C")
    assert owed(played) == (None, 0, None)
