"""PT art. 1 and 6: what a blackjack is, and what the cards count."""

import pytest

from tests.factories.rounds import a_round, box, hand, main
from tests.law.asking import BREACH, HOUSE, LAWFUL, NOT_ASKED, cited, owed, said, the_finding
from tests.law.casebook import upholds_case

AS_A_BLACKJACK = "only_a_blackjack_is_paid_as_one"
SOFT_BANK = "bank_ace_is_eleven_at_seventeen"
NEARER = "nearer_to_twenty_one_wins"


@upholds_case(AS_A_BLACKJACK, "lawful")
@pytest.mark.parametrize("cards", ["AS KD", "AH QC", "JS AD", "TD AC", "A? X?"])
def test_article_1_an_ace_with_any_ten_is_paid_as_a_blackjack(cards: str) -> None:
    played = a_round(box(1, cards, main(1000, 2500)), bank="9H 9C")
    assert said(AS_A_BLACKJACK, played) == LAWFUL
    assert owed(played) == (2500, 0, None)


@upholds_case(AS_A_BLACKJACK, "unlawful")
@pytest.mark.parametrize(
    ("cards", "bank", "due"),
    [
        ("8S 6D 7H", "TH 7C", 2000),  # 21 in three cards
        ("TS 5D 6C", "TH 7C", 2000),
        ("KS QD", "TH 7C", 2000),  # 20
        ("AS 9D", "TH 8C", 2000),  # soft 20
        ("KS 9D", "TH 9C", 1000),  # a tie
        ("KS 8D", "TH 9C", 0),  # a loss
    ],
)
def test_article_1_no_other_hand_is_paid_as_a_blackjack(cards: str, bank: str, due: int) -> None:
    played = a_round(box(1, cards, main(1000, 2500)), bank=bank)
    found = the_finding(AS_A_BLACKJACK, played)
    assert found.article == "1"
    assert found.observed == {"cards": cards.split(), "returned_cents": 2500}
    assert found.where == {"box": 1, "hand": 1, "owner": "J1", "kind": "main"}
    assert (found.owed_cents, found.owed_to) == (0, None)  # the money stands under 23 or 24
    assert owed(played) == (due, 2500 - due, HOUSE)


@upholds_case(AS_A_BLACKJACK, "boundary")
@pytest.mark.parametrize("returned", [2000, 2499, 2501])
def test_article_1_three_cards_paid_anything_else_were_not_taken_for_a_blackjack(
    returned: int,
) -> None:
    played = a_round(box(1, "8S 6D 7H", main(1000, returned)))
    assert said(AS_A_BLACKJACK, played) == NOT_ASKED
    assert cited(played) == ([] if returned == 2000 else ["23 nearer_to_twenty_one_wins"])


@upholds_case(AS_A_BLACKJACK, "boundary")
def test_article_1_ace_and_ten_after_a_split_is_a_matter_of_article_20() -> None:
    hands = [hand("TS AD", "split"), hand("TD 9H", out_of=1)]
    played = a_round(box(1, hands, main(1000, 2500), main(1000, 2000, hand=2)), bank="9H 9C")
    assert cited(played) == ["20 split_twenty_one_is_no_blackjack"]


VALUES = [
    # the player, the bank, what 1000 receives
    ("JS QD", "KH TC", 1000),  # all court cards count ten
    ("X? 9D", "KH 9C", 1000),
    ("2S 3D 4H 5C 6D", "TH TC", 1000),  # the others their number
    ("AS 6D TH", "TH 7C", 1000),  # the player's ace as 1
    ("AS 6D", "TH 7C", 1000),  # and as 11
    ("AS AD 9H", "7H 7C 7D", 1000),  # one as 11, the other as 1
    ("AS AD AH AC 7S", "5H 6C TD", 1000),
    ("TS 7D", "AH 6C", 1000),  # the bank's ace is 11 at seventeen
    ("TS 8D", "AH 2C 5D", 1000),  # and at eighteen
    ("TS 9D", "AH 3C TD 5S", 1000),  # and 1 where 11 would pass 21
    ("TS 7D", "AH AC 5S", 1000),  # one ace 11, the other 1
]


@pytest.mark.parametrize(("cards", "bank", "due"), VALUES)
def test_article_6_the_cards_count_what_they_should(cards: str, bank: str, due: int) -> None:
    played = a_round(box(1, cards, main(1000, due)), bank=bank)
    assert owed(played) == (due, 0, None)
    assert cited(played) == []


@upholds_case(SOFT_BANK, "lawful")
@pytest.mark.parametrize("bank", ["AH 6C", "AH 7C", "6H AC", "AH 2C 4D", "AH KC", "AH 3C TD 5S"])
def test_article_6_a_bank_with_ace_and_six_stands(bank: str) -> None:
    assert said(SOFT_BANK, a_round(box(1, "TS 8D", main(1000, 0)), bank=bank)) == LAWFUL


@upholds_case(SOFT_BANK, "unlawful")
@pytest.mark.parametrize(
    ("bank", "drawn"),
    [
        ("AH 6C 4D", ["4D"]),
        ("AH 7C TD", ["TD"]),
        ("6H AC TD", ["TD"]),
        ("AH 2C 4D 3S", ["3S"]),
        ("AH 6C 4D 5S", ["4D", "5S"]),
    ],
)
def test_article_6_a_bank_that_draws_on_soft_seventeen_draws_in_vain(
    bank: str, drawn: list[str]
) -> None:
    played = a_round(box(1, "TS TD", main(1000, 0)), bank=bank)
    found = the_finding(SOFT_BANK, played)
    assert found.article == "6"
    assert found.observed == {"drawn": drawn}
    assert found.expected == {"stands_at": 17}
    assert found.readings == ("void-beyond-right",)
    assert owed(played) == (2000, 2000, "player")
    assert cited(played) == [f"23 {NEARER}", f"6 {SOFT_BANK}"]


@upholds_case(SOFT_BANK, "boundary")
@pytest.mark.parametrize("bank", ["AH 5C 3D", "AH 5C TD 9S", "AH 4C AD 2S"])
def test_article_6_soft_sixteen_draws(bank: str) -> None:
    assert said(SOFT_BANK, a_round(box(1, "TS TD", main(1000, 2000)), bank=bank)) == LAWFUL


@upholds_case(SOFT_BANK, "boundary")
def test_article_6_seventeen_with_an_ace_as_one_is_a_matter_of_article_19() -> None:
    played = a_round(box(1, "TS TD", main(1000, 2000)), bank="TH 6C AD 4S")
    assert said(SOFT_BANK, played) == LAWFUL
    assert said("bank_stands_at_seventeen", played) == BREACH


def test_article_6_is_not_asked_of_a_bank_without_an_ace() -> None:
    assert said(SOFT_BANK, a_round(box(1, "TS 8D", main(1000, 2000)))) == NOT_ASKED
