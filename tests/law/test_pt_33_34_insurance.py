"""PT art. 33 and 34: insurance and even money."""

from typing import Any

import pytest

from casino.events import Malformed
from casino.events.round.round_played import RoundPlayed
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
MOMENT, INVITED, PLACE = (
    "insurance_in_its_moment", "insurance_on_invitation", "insurance_on_its_place",
)  # fmt: skip
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


# 33: on the dealer's invitation, once the second cards lie, on the marked place


def laid(at: int | None = 6, bank: str = "AH 5C 3D", **known: Any) -> RoundPlayed:
    """J1 draws two cards, J2 insures when `at` cards were out; with the deal's six there are 9."""
    return a_round(
        box(1, "TS 2D 3C 4H", main(1000, 1000)),
        box(2, "TC 9D", main(1000, 1000), insurance(500, 0, taken_at=at)),
        bank=bank,
        **known,
    )


@upholds_case(MOMENT, "lawful")
@pytest.mark.parametrize("at", [6, 7])
def test_article_33_once_the_second_cards_lie(at: int) -> None:
    assert said(MOMENT, laid(at)) == LAWFUL


@upholds_case(MOMENT, "unlawful")
@pytest.mark.parametrize("at", [0, 4, 5])
def test_article_33_not_before_them(at: int) -> None:
    found = the_finding(MOMENT, laid(at))
    assert (found.article, found.severity) == ("33", "breach")
    assert found.where == {"box": 2, "owner": "J2", "kind": "insurance"}
    assert (found.observed, found.expected) == ({"cards_dealt": at}, {"at_least": 6})
    assert found.readings == ("unlawful-stake",)
    assert owed(laid(at), "insurance") == (0, 0, None)  # found, and settled as it lay


@upholds_case(MOMENT, "unlawful")
def test_article_33_nor_once_the_bank_has_drawn() -> None:
    found = the_finding(MOMENT, laid(9))
    assert (found.observed, found.expected) == ({"cards_dealt": 9}, {"at_most": 8})
    assert found.readings == ("unlawful-stake", "insurance-until")
    returned = {"unlawful-stake": "returned"}
    assert owed(laid(9), "insurance", readings=returned) == (500, 500, PLAYER)


@upholds_case(MOMENT, "boundary")
def test_article_33_when_it_was_laid_only_the_record_tells() -> None:
    """With the players' last card out the bank's second may lie open: the count does not say."""
    for at in (None, 8):
        assert said(MOMENT, laid(at)) == UNDECIDED
    nobody_drew = a_round(
        box(1, "TS 8D", main(1000, 1000), insurance(500, 0, taken_at=4)), bank="AH 7C"
    )
    assert said(MOMENT, nobody_drew) == LAWFUL


@upholds_case(MOMENT, "boundary")
def test_article_33_the_order_of_the_cards_says_when_the_deal_ended() -> None:
    """A second bank card that was turned and replaced belongs to the deal."""
    dealt = "1 TS, 2 TC, bank AH, 1 2D, 2 9D, bank QS, bank 5C, 1 3C, 1 4H, bank 3D"
    values = {"voided": "QS turned", "dealt": dealt}
    for at, outcome in ((6, BREACH), (7, LAWFUL), (8, LAWFUL), (9, UNDECIDED), (10, BREACH)):
        assert said(MOMENT, laid(at, **values)) == outcome, at
    nobody_drew = a_round(
        box(1, "TS 8D", main(1000, 0), insurance(500, 0, taken_at=5)),
        bank="AH 5C 4D",
        dealt="1 TS, bank AH, 1 8D, bank 5C, bank 4D",
    )
    assert said(MOMENT, nobody_drew) == BREACH
    assert said(MOMENT, laid(6, voided="QS turned")) == UNDECIDED


@pytest.mark.parametrize(
    ("at", "outcome"), [(5, LAWFUL), (6, BREACH), (4, BREACH), (None, UNDECIDED)]
)
def test_where_the_first_player_must_not_have_spoken(at: int | None, outcome: str) -> None:
    """The books of Brazil and Spain: five cards are the deal, the bank having one."""
    for book in ("br", "es"):
        assert said(MOMENT, laid(at), book) == outcome


@pytest.mark.parametrize(("check", "field"), [(INVITED, "invited"), (PLACE, "on_its_place")])
@upholds_case(INVITED, "lawful")
@upholds_case(PLACE, "lawful")
@upholds_case(INVITED, "boundary")
@upholds_case(PLACE, "boundary")
@upholds_case(INVITED, "unlawful")
@upholds_case(PLACE, "unlawful")
def test_article_33_invited_to_and_on_its_place(check: str, field: str) -> None:
    def given(value: bool | None) -> RoundPlayed:
        return insured_as(**{field: value})

    assert [said(check, given(value)) for value in (True, None)] == [LAWFUL, UNDECIDED]
    found = the_finding(check, given(False))
    assert (found.article, found.readings) == ("33", ())
    assert found.where == {"box": 1, "owner": "J1", "kind": "insurance"}
    assert (found.observed, found.expected) == ({field: "no"}, {field: "yes"})
    assert owed(given(False), "insurance") == (0, 0, None)


def test_where_the_banks_second_card_comes_last_one_taken_out_is_not_of_the_deal() -> None:
    dealt = "1 TS, bank AH, 1 8D, bank QS, bank 7C"
    for at, outcome in ((2, BREACH), (3, LAWFUL), (4, BREACH)):
        played = a_round(
            box(1, "TS 8D", main(1000, 1000), insurance(500, 0, taken_at=at, spoken=False)),
            bank="AH 7C",
            voided="QS turned",
            dealt=dealt,
        )
        assert said(MOMENT, played, "es") == outcome


def insured_as(**known: Any) -> RoundPlayed:
    """J1 stands on 18 and insures for half."""
    return a_round(box(1, "TS 8D", main(1000, 1000), insurance(500, 0, **known)), bank="AH 7C")


def test_only_an_insurance_tells_how_it_was_laid() -> None:
    for field, value in (("taken_at", 4), ("invited", True), ("on_its_place", False)):
        with pytest.raises(Malformed, match=field):
            a_round(box(1, "TS 8D", main(1000, 1000, **{field: value})))
    with pytest.raises(Malformed, match="taken_at"):
        insured_as(taken_at=5)  # four cards were dealt in all


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
