"""PT art. 1 and 6: what a blackjack is, and what the cards count."""

import pytest

from casino.events.round.round_played import RoundPlayed
from tests.factories.rounds import a_round, box, hand, insurance, main
from tests.law.asking import (
    BREACH,
    HOUSE,
    LAWFUL,
    NOT_ASKED,
    cited,
    findings,
    judged,
    owed,
    said,
    the_finding,
)
from tests.law.casebook import upholds_case

AS_A_BLACKJACK = "only_a_blackjack_is_paid_as_one"
ACE = "bank_ace_counts_as_stated"
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
    assert found.expected == {"cards": "ace and ten", "returned_cents": due}
    assert (found.owed_cents, found.owed_to) == (2500 - due, HOUSE)
    assert owed(played) == (due, 2500 - due, HOUSE)
    assert cited(played) == [f"1 {AS_A_BLACKJACK}"]  # one breach, one finding
    assert len(cited(played, readings={"which-article": "result"})) == 2


@upholds_case(AS_A_BLACKJACK, "boundary")
@pytest.mark.parametrize("stake", [500, 750])
def test_article_1_what_an_insurance_won_is_no_prize_of_a_blackjack(stake: int) -> None:
    """1500 is the insurance of 500 with its prize, or the prize of 750, left with the stake."""
    wagers = main(1000, 2500), insurance(stake, 0)
    played = a_round(box(1, "TS 8D", *wagers), bank="AH KC")
    assert said(AS_A_BLACKJACK, played) == NOT_ASKED
    assert "1 " + AS_A_BLACKJACK not in cited(played)
    lost = a_round(box(1, "TS 8D", *wagers), bank="AH 6C")
    assert said(AS_A_BLACKJACK, lost) == BREACH


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
def test_article_19_a_bank_with_ace_and_six_stands(bank: str) -> None:
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
        ("AH 8C 4D", ["4D"]),
    ],
)
def test_article_19_a_bank_that_draws_on_soft_seventeen_draws_in_vain(
    bank: str, drawn: list[str]
) -> None:
    played = a_round(box(1, "TS TD", main(1000, 0)), bank=bank)
    found = the_finding(SOFT_BANK, played)
    assert found.article == "19"
    assert found.observed == {"drawn": drawn}
    assert found.expected == {"stands_at": 17}
    assert found.readings == ("void-beyond-right",)
    assert owed(played) == (2000, 2000, "player")
    assert cited(played) == [f"19 {SOFT_BANK}", f"23 {NEARER}"]


@upholds_case(SOFT_BANK, "boundary")
@pytest.mark.parametrize("bank", ["AH 5C 3D", "AH 5C TD 9S", "AH 4C AD 2S"])
def test_article_19_soft_sixteen_draws(bank: str) -> None:
    assert said(SOFT_BANK, a_round(box(1, "TS TD", main(1000, 2000)), bank=bank)) == LAWFUL


@upholds_case(SOFT_BANK, "boundary")
def test_article_19_seventeen_with_an_ace_as_one_was_no_matter_of_the_ace() -> None:
    played = a_round(box(1, "TS TD", main(1000, 2000)), bank="TH 6C AD 4S")
    assert said(SOFT_BANK, played) == LAWFUL
    assert said("bank_stands_at_seventeen", played) == BREACH


def test_article_19_the_ace_is_not_asked_of_a_bank_without_one() -> None:
    assert said(SOFT_BANK, a_round(box(1, "TS 8D", main(1000, 2000)))) == NOT_ASKED


def test_article_19_a_blackjack_of_the_bank_that_draws_is_found_there_too() -> None:
    played = a_round(box(1, "TS TD", main(1000, 0)), bank="AH KC 4D")
    assert cited(played) == [f"19 {SOFT_BANK}"]


# 6: the bank's ace, as the stakes were settled against it


def against(bank: str, *hands: tuple[str, int]) -> RoundPlayed:
    """Boxes of 1000 each, and what each got back."""
    boxes = [box(at, cards, main(1000, paid)) for at, (cards, paid) in enumerate(hands, 1)]
    return a_round(*boxes, bank=bank)


@upholds_case(ACE, "lawful")
@pytest.mark.parametrize("bank", ["AH 6C", "2S 2D 2H 3C AD", "AH 3C TD 5S"])
def test_article_6_stakes_settled_as_the_bank_ace_counts(bank: str) -> None:
    won = 0 if bank.startswith("2S") else 2000 if bank == "AH 6C" else 0
    played = against(bank, ("TS 8D", won), ("TC 8H", won))
    assert (said(ACE, played), cited(played)) == (LAWFUL, [])


@upholds_case(ACE, "unlawful")
@pytest.mark.parametrize(
    ("bank", "hands"),
    [
        ("2S 2D 2H 3C AD", (("TS 8D", 2000), ("TC 9H", 2000))),  # 20, counted 10
        ("AH 7C", (("TS 8D", 2000), ("TC 7H", 2000), ("TH TD", 2000))),  # 18, counted 8
        ("AH 3C 8D 7S", (("TS 8D", 2000), ("TC 7H", 2000))),  # 19, counted 29
    ],
)
def test_article_6_several_stakes_settled_by_the_ace_at_its_other_value(
    bank: str, hands: tuple[tuple[str, int], ...]
) -> None:
    played = against(bank, *hands)
    wrong = {one.article for one in judged(played).findings}
    assert (said(ACE, played), wrong) == (BREACH, {"6"})
    assert len(findings(ACE, played)) == 2
    assert all(one.owed_to == HOUSE for one in findings(ACE, played))
    by_result = cited(played, readings={"which-article": "result"})
    assert len(by_result) == 2
    assert not [one for one in by_result if one.startswith("6 ")]


@upholds_case(ACE, "boundary")
def test_article_6_one_wrong_amount_alone_may_be_any_mistake() -> None:
    assert cited(against("AH 7C", ("TS 7D", 2000))) == ["23 farther_from_twenty_one_loses"]
    right = against("AH 7C", ("TS 7D", 2000), ("TC 6H", 2000), ("TH 5S", 0))
    assert cited(right) == ["23 farther_from_twenty_one_loses"] * 2  # one was not settled so
