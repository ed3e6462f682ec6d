"""PT art. 33 and 34: insurance and even money."""

import pytest

from casino.facts.rounds import RoundPlayed
from tests.factories.rounds import (
    UNKNOWN,
    a_round,
    box,
    even_money,
    insurance,
    main,
)
from tests.law.asking import (
    BREACH,
    HOUSE,
    LAWFUL,
    NOT_ASKED,
    PLAYER,
    UNDECIDED,
    cited,
    owed,
    said,
    the_finding,
    verdict,
)
from tests.law.casebook import upholds_case

ACE_ONLY, HALF = "insurance_only_against_ace", "insurance_within_half"
TWO_TO_ONE, LOST = "insurance_pays_two_to_one", "insurance_loses"
EVEN_ONLY, ONE_TO_ONE = "even_money_only_blackjack_against_ace", "even_money_pays_one_to_one"

# 33: insurance


def insured(insures: int, returned: int, bank: str = "AH 7C", stake: int = 1000) -> RoundPlayed:
    """J1 stands on 18 against the bank and insures."""
    lost = main(stake, 0 if bank in ("AH KC", "TH AC") else stake)
    return a_round(box(1, "TS 8D", lost, insurance(insures, returned)), bank=bank)


@upholds_case(ACE_ONLY, "lawful")
@pytest.mark.parametrize("bank", ["AH 7C", "AD KC"])
def test_article_33_insurance_is_taken_against_an_ace(bank: str) -> None:
    assert said(ACE_ONLY, insured(500, 0, bank)) == LAWFUL


@upholds_case(ACE_ONLY, "unlawful")
@pytest.mark.parametrize("bank", ["TH 8C", "9H 9C", "TH AC"])
def test_article_33_against_no_other_card(bank: str) -> None:
    found = the_finding(ACE_ONLY, insured(500, 0, bank))
    assert (found.article, found.observed) == ("33", {"bank_shows": bank[:2]})
    assert found.where == {"box": 1, "owner": "J1", "kind": "insurance"}
    assert found.readings == ("unlawful-stake",)


@upholds_case(ACE_ONLY, "boundary")
def test_article_33_an_insurance_against_a_ten_is_settled_as_it_lay() -> None:
    """The ace lay below: the bet was not open to anybody, and still it won."""
    played = insured(500, 1500, "TH AC")
    assert cited(played) == [f"33 {ACE_ONLY}"]
    assert owed(played, "insurance") == (1500, 0, None)


@upholds_case(HALF, "lawful")
@pytest.mark.parametrize("insures", [1, 400, 499])
def test_article_33_for_up_to_half_the_stake(insures: int) -> None:
    assert cited(insured(insures, 0)) == []


@upholds_case(HALF, "boundary")
@pytest.mark.parametrize(("stake", "insures"), [(1000, 500), (3000, 1500)])
def test_article_33_for_half_the_stake(stake: int, insures: int) -> None:
    assert said(HALF, insured(insures, 0, stake=stake)) == LAWFUL
    assert said(HALF, insured(insures + 1, 0, stake=stake)) == BREACH


@upholds_case(HALF, "boundary")
def test_article_33_half_of_an_odd_stake_takes_the_odd_cent() -> None:
    assert said(HALF, insured(501, 0, stake=1001)) == LAWFUL
    assert "odd-cent" in the_finding(HALF, insured(502, 0, stake=1001)).readings
    assert "odd-cent" not in the_finding(HALF, insured(501, 0)).readings
    house = {"odd-cent": "house"}
    assert "odd-cent" in the_finding(HALF, insured(501, 0, stake=1001), readings=house).readings
    assert said(HALF, insured(502, 0, stake=1001)) == BREACH
    assert said(HALF, insured(501, 0, stake=1001), readings={"odd-cent": "house"}) == BREACH


@upholds_case(HALF, "unlawful")
@pytest.mark.parametrize("insures", [501, 1000, 2000])
def test_article_33_and_no_more(insures: int) -> None:
    found = the_finding(HALF, insured(insures, 0))
    assert (found.article, found.observed) == ("33", {"stake_cents": insures})
    assert found.expected == {"at_most_cents": 500}
    assert found.readings == ("insurance-of-first-stake", "unlawful-stake")


@upholds_case(HALF, "unlawful")
def test_article_33_half_of_ones_own_first_stake() -> None:
    """J5 staked 1000 beside J1's 5000; J9 staked nothing at all."""
    stakes = main(5000, 5000), main(1000, 1000, "J5")
    for owner, most in (("J5", 500), ("J9", 0)):
        played = a_round(box(1, "TS 8D", *stakes, insurance(1000, 0, owner)), bank="AH 7C")
        assert the_finding(HALF, played).expected == {"at_most_cents": most}


def test_article_33_half_of_the_stake_before_it_was_doubled() -> None:
    stake = main(2000, 4000, first=1000)
    played = a_round(box(1, "6S 5D 9C", stake, insurance(1000, 0), does="double"), bank="AH 7C")
    assert the_finding(HALF, played).expected == {"at_most_cents": 500}
    unknown = main(2000, 4000, first=UNKNOWN)
    hidden = a_round(box(1, "6S 5D 9C", unknown, insurance(500, 0), does="double"), bank="AH 7C")
    assert said(HALF, hidden) == UNDECIDED


@upholds_case(HALF, "unlawful")
def test_article_33_insurance_and_even_money_do_not_go_together() -> None:
    wagers = even_money(1000, 2000), insurance(500, 1500)
    played = a_round(box(1, "AS KD", *wagers), bank="AH KC")
    assert cited(played) == [f"33 {HALF}"]
    assert [owed(played, kind)[0] for kind in ("even_money", "insurance")] == [2000, 1500]


def test_article_33_a_blackjack_may_insure() -> None:
    played = a_round(box(1, "AS KD", main(1000, 1000), insurance(500, 1500)), bank="AH KC")
    assert cited(played) == []


@upholds_case(TWO_TO_ONE, "lawful")
@pytest.mark.parametrize(("insures", "due"), [(500, 1500), (1, 3), (250, 750)])
def test_article_33_insurance_wins_two_to_one(insures: int, due: int) -> None:
    played = insured(insures, due, "AH KC")
    assert (owed(played, "insurance"), cited(played)) == ((due, 0, None), [])


@upholds_case(TWO_TO_ONE, "unlawful")
@pytest.mark.parametrize("paid", [1000, 500, 0, 1750])
def test_article_33_no_other_prize(paid: int) -> None:
    played = insured(500, paid, "AH KC")
    owes = abs(1500 - paid), PLAYER if paid < 1500 else HOUSE
    assert owed(played, "insurance") == (1500, *owes)
    assert cited(played) == [f"33 {TWO_TO_ONE}"]


@upholds_case(LOST, "lawful")
def test_article_33_insurance_is_lost_without_a_blackjack() -> None:
    assert owed(insured(500, 0), "insurance") == (0, 0, None)


@upholds_case(LOST, "unlawful")
@pytest.mark.parametrize("paid", [500, 1500])
def test_article_33_and_not_given_back(paid: int) -> None:
    played = insured(500, paid)
    assert owed(played, "insurance") == (0, paid, HOUSE)
    assert cited(played) == [f"33 {LOST}"]


@upholds_case(LOST, "boundary")
@upholds_case(TWO_TO_ONE, "boundary")
def test_article_33_twenty_one_in_three_cards_is_no_blackjack() -> None:
    played = a_round(box(1, "TS 8D", main(1000, 0), insurance(500, 0)), bank="AH 4C 6D")
    assert verdict(played, "insurance").check == LOST
    assert cited(played) == []
    assert verdict(insured(500, 1500, "AH KC"), "insurance").check == TWO_TO_ONE


# 34: even money


def even(
    cards: str = "AS KD", bank: str = "AH 7C", returned: int = 2000, **known: object
) -> RoundPlayed:
    return a_round(box(1, cards, even_money(1000, returned, **known)), bank=bank)


@upholds_case(EVEN_ONLY, "lawful")
@upholds_case(ONE_TO_ONE, "lawful")
@pytest.mark.parametrize("bank", ["AH 7C", "AH KC"])
def test_article_34_a_blackjack_against_an_ace_may_take_one_to_one(bank: str) -> None:
    assert said(EVEN_ONLY, even(bank=bank)) == LAWFUL
    assert owed(even(bank=bank), "even_money") == (2000, 0, None)
    assert cited(even(bank=bank)) == []


@upholds_case(EVEN_ONLY, "unlawful")
@pytest.mark.parametrize(
    ("cards", "bank", "at_once"),
    [
        ("TS QD", "AH 7C", True),  # no blackjack
        ("7S 7D 7C", "AH 7C", True),
        ("AS KD", "TH 7C", True),  # no ace
        ("AS KD", "AH 7C", False),  # taken when the second card was known
    ],
)
def test_article_34_nobody_else_may(cards: str, bank: str, at_once: bool) -> None:
    played = even(cards, bank, at_once=at_once)
    found = the_finding(EVEN_ONLY, played)
    assert (found.article, found.readings) == ("34", ("unlawful-stake",))
    assert found.observed["bank_shows"] == bank[:2]


@upholds_case(EVEN_ONLY, "boundary")
def test_article_34_when_it_was_taken_may_be_unknown() -> None:
    assert said(EVEN_ONLY, even(at_once=None)) == UNDECIDED


@upholds_case(EVEN_ONLY, "boundary")
def test_article_34_a_blackjack_that_did_not_take_it_waits() -> None:
    played = a_round(box(1, "AS KD", main(1000, 2500)), bank="AH 7C")
    assert said(EVEN_ONLY, played) == NOT_ASKED
    assert cited(played) == []


@upholds_case(ONE_TO_ONE, "unlawful")
@pytest.mark.parametrize(
    ("bank", "paid", "to"),
    [
        ("AH 7C", 2500, HOUSE),
        ("AH KC", 1000, PLAYER),
        ("AH KC", 0, PLAYER),
        ("AH 7C", 1000, PLAYER),
    ],
)
def test_article_34_it_pays_one_to_one_whatever_the_bank_has(bank: str, paid: int, to: str) -> None:
    played = even(bank=bank, returned=paid)
    assert owed(played, "even_money") == (2000, abs(2000 - paid), to)
    assert cited(played) == [f"34 {ONE_TO_ONE}"]


@upholds_case(ONE_TO_ONE, "boundary")
def test_article_34_each_owner_chooses_for_himself() -> None:
    wagers = main(1000, 1000), even_money(1000, 2000, "J5")
    assert cited(a_round(box(1, "AS KD", *wagers), bank="AH KC")) == []
