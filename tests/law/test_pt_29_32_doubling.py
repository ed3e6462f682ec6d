"""PT art. 29 to 32: stakes doubled, by the holder and by those who staked with him."""

import pytest

from casino.events.round.round_played import RoundPlayed, Wager
from tests.factories.rounds import UNKNOWN, a_round, box, hand, main
from tests.law.asking import (
    BREACH,
    HOUSE,
    LAWFUL,
    NOT_ASKED,
    UNDECIDED,
    cited,
    owed,
    said,
    the_finding,
    verdict,
)
from tests.law.casebook import upholds_case

TOTALS, TWICE, ONE = "double_on_nine_to_eleven", "double_is_twice", "double_one_card"
OTHERS, AFTER_SPLIT = "complementary_double", "double_after_split"
FIXED = "fixed_ace_stays_one"
BUST_BANK = "TH 6C KD"


def doubled(cards: str, *wagers: Wager, does: str = "double", bank: str = BUST_BANK) -> RoundPlayed:
    stakes = wagers or (main(2000, 4000, first=1000),)
    return a_round(box(1, cards, *stakes, does=does), bank=bank)


# 29: which hands


@upholds_case(TOTALS, "lawful")
@pytest.mark.parametrize("cards", ["6S 4D KC", "7S 3D 2C", "5S 5D 9C"])
def test_article_29_a_player_doubles_on_ten(cards: str) -> None:
    assert cited(doubled(cards)) == []


@upholds_case(TOTALS, "boundary")
@pytest.mark.parametrize("cards", ["5S 4D KC", "6S 5D KC", "AS 8D KC", "AS 9D KC", "9S AD KC"])
def test_article_29_on_nine_on_eleven_and_with_an_ace_counted_as_one(cards: str) -> None:
    assert cited(doubled(cards)) == []


@upholds_case(TOTALS, "unlawful")
@pytest.mark.parametrize("cards", ["5S 3D KC", "7S 5D 9C", "AS 7D 2C", "AS AD 9C", "TS 2D 9C"])
def test_article_29_on_nothing_else(cards: str) -> None:
    found = the_finding(TOTALS, doubled(cards))
    assert (found.article, found.where) == ("29", {"box": 1, "hand": 1})
    assert found.observed["first_two"] == cards.split()[:2]
    assert found.expected == {"totals": [9, 10, 11]}
    assert found.readings == ("double-two-cards", "unlawful-stake")


@upholds_case(TOTALS, "unlawful")
@pytest.mark.parametrize(
    ("cards", "does"),
    [("2S 3D 5C KH", "hit double"), ("5S 4D 2C TH", "hit double"), ("6S 5D 9C", "stand double")],
)
def test_article_29_not_after_a_card_and_not_after_standing(cards: str, does: str) -> None:
    assert said(TOTALS, doubled(cards, does=does)) == BREACH


@upholds_case(TOTALS, "unlawful")
def test_article_29_a_doubled_blackjack_is_paid_on_the_first_stake() -> None:
    """The added 1000 goes back; the card drawn on it counts for nothing."""
    played = doubled("AS KD 5C", main(2000, 3500, first=1000), bank="9H 8C")
    assert cited(played) == ["18 no_card_to_a_blackjack", f"29 {TOTALS}"]
    assert owed(played) == (3500, 0, None)
    assert "unlawful-stake" in verdict(played).readings
    tie = doubled("AS KD 5C", main(2000, 2000, first=1000), bank="AH KC")
    assert owed(tie) == (2000, 0, None)


# 29: twice, and one card


@upholds_case(TWICE, "lawful")
@pytest.mark.parametrize("first", [1000, 7000])
def test_article_29_the_stake_becomes_twice_what_it_was(first: int) -> None:
    assert said(TWICE, doubled("6S 4D KC", main(2 * first, 4 * first, first=first))) == LAWFUL


@upholds_case(TWICE, "boundary")
@pytest.mark.parametrize("lies", [1999, 2001])
def test_article_29_a_cent_more_or_less_is_not_twice(lies: int) -> None:
    assert said(TWICE, doubled("6S 4D KC", main(lies, 2 * lies, first=1000))) == BREACH


@upholds_case(TWICE, "unlawful")
@pytest.mark.parametrize("lies", [1000, 1500, 3000])
def test_article_29_no_other_amount(lies: int) -> None:
    found = the_finding(TWICE, doubled("6S 4D KC", main(lies, 2 * lies, first=1000)))
    assert (found.article, found.readings) == ("29", ("unlawful-stake",))
    assert (found.observed, found.expected) == ({"stake_cents": lies}, {"stake_cents": 2000})


def test_article_29_whether_it_is_twice_is_not_decidable_without_the_first_stake() -> None:
    assert said(TWICE, doubled("6S 4D KC", main(2000, 4000, first=UNKNOWN))) == UNDECIDED
    assert said(TWICE, doubled("6S 4D KC", main(2001, 4002, first=UNKNOWN))) == BREACH


@upholds_case(ONE, "lawful")
def test_article_29_a_doubled_hand_gets_one_card() -> None:
    assert said(ONE, doubled("6S 4D KC")) == LAWFUL


@upholds_case(ONE, "boundary")
def test_article_29_even_where_that_leaves_it_low() -> None:
    assert cited(doubled("6S 4D 2C", does="double stand")) == []


@upholds_case(ONE, "unlawful")
@pytest.mark.parametrize(
    ("cards", "does", "drawn"),
    [
        ("6S 4D 2C 9H", "double hit", ["9H"]),
        ("6S 4D 2C 9H", "double double", ["9H"]),
        ("6S 4D 2C 3H 6C", "double hit hit", ["3H", "6C"]),
    ],
)
def test_article_29_and_no_second_one(cards: str, does: str, drawn: list[str]) -> None:
    played = doubled(cards, does=does, bank="TH 7C")
    found = the_finding(ONE, played)
    assert (found.article, found.observed, found.expected) == ("29", {"drawn": drawn}, {"cards": 1})
    assert found.readings == ("void-beyond-right",)
    assert owed(played) == (0, 4000, HOUSE)  # 12 against 17
    assert f"29 {TOTALS}" not in cited(played)  # the first double was on ten, with two cards


# 30: the others


def beside(lies: int, *, does: str = "double", first: int = 1000) -> RoundPlayed:
    """J5 staked 1000 on J1's box, where `lies` now lies; J1 doubled unless said otherwise."""
    own = main(2000, 4000, first=1000) if does == "double" else main(1000, 2000)
    return doubled("6S 4D 9C", own, main(lies, 2 * lies, "J5", first=first), does=does)


@upholds_case(OTHERS, "lawful")
def test_article_30_who_staked_with_the_holder_doubles_with_him() -> None:
    assert said(OTHERS, beside(2000)) == LAWFUL


@upholds_case(OTHERS, "boundary")
def test_article_30_or_leaves_his_stake_as_it_is() -> None:
    assert cited(beside(1000)) == []
    assert owed(beside(1000), owner="J5") == (2000, 0, None)


@upholds_case(OTHERS, "unlawful")
@pytest.mark.parametrize("lies", [1500, 2001, 3000])
def test_article_30_but_adds_no_other_amount(lies: int) -> None:
    found = the_finding(OTHERS, beside(lies))
    assert (found.article, found.where["owner"]) == ("30", "J5")
    assert found.observed == {"stake_cents": lies}
    assert found.expected == {"stakes_cents": [1000, 2000]}
    assert found.readings == ("follow-the-double",)
    assert owed(beside(lies), owner="J5") == (2 * lies, 0, None)  # settled as it lay


@upholds_case(OTHERS, "unlawful")
@pytest.mark.parametrize("does", ["hit", "hit stand"])
def test_article_30_and_does_not_double_alone(does: str) -> None:
    played = beside(2000, does=does)
    assert the_finding(OTHERS, played).expected == {"stakes_cents": [1000]}
    assert cited(played) == [f"30 {OTHERS}"]


def test_article_30_is_not_decidable_without_his_first_stake() -> None:
    assert said(OTHERS, beside(2000, first=UNKNOWN)) == UNDECIDED


# 31: after a split


def split_and_doubled(first: str, second: str = "8D TH", returned: int = 4000) -> RoundPlayed:
    hands = [hand(first, "split double"), hand(second, "", out_of=1)]
    stakes = main(2000, returned, first=1000), main(1000, 2000, hand=2)
    return a_round(box(1, hands, *stakes), bank=BUST_BANK)


@upholds_case(AFTER_SPLIT, "lawful")
@pytest.mark.parametrize("first", ["8S 2D KC", "8S 3D 5C"])
def test_article_31_a_hand_of_a_split_doubles_too(first: str) -> None:
    played = split_and_doubled(first)
    assert [said(AFTER_SPLIT, played), said(TOTALS, played)] == [LAWFUL, NOT_ASKED]
    assert cited(played) == []


@upholds_case(AFTER_SPLIT, "boundary")
@pytest.mark.parametrize(("first", "second"), [("8S AD KC", "8D TH"), ("9S AD KC", "9D TH")])
def test_article_31_with_an_ace_counted_as_one(first: str, second: str) -> None:
    assert cited(split_and_doubled(first, second)) == []


@upholds_case(AFTER_SPLIT, "unlawful")
@pytest.mark.parametrize(
    ("first", "second"), [("8S 4D 9C", "8D TH"), ("TS AD 5C", "TD 9H"), ("2S 2D 9C", "2H TH")]
)
def test_article_31_on_the_same_totals_only(first: str, second: str) -> None:
    found = the_finding(AFTER_SPLIT, split_and_doubled(first, second))
    assert (found.article, found.where) == ("31", {"box": 1, "hand": 1})
    assert found.readings == ("double-two-cards", "unlawful-stake")


@upholds_case(AFTER_SPLIT, "unlawful")
def test_article_31_never_on_a_split_ace() -> None:
    played = split_and_doubled("AS 8D 2C", "AD TH")
    assert cited(played) == ["26 split_aces_one_card", f"31 {AFTER_SPLIT}"]


# 32: the ace that stays one


@upholds_case(FIXED, "lawful")
@pytest.mark.parametrize("cards", ["AS 8D 2C", "8S AD 2C"])
def test_article_32_an_ace_doubled_on_as_one_stays_one(cards: str) -> None:
    """1, 8 and 2 are 11, not 21."""
    played = doubled(cards, main(2000, 0, first=1000), bank="TH 7C")
    assert said(FIXED, played) == LAWFUL
    assert "fixed-ace" in verdict(played).readings
    assert owed(played) == (0, 0, None)


@upholds_case(FIXED, "unlawful")
@pytest.mark.parametrize(
    ("bank", "paid", "due"), [("TH 7C", 4000, 0), ("TH 5C 6D", 2000, 0), ("TH 2C 5D", 4000, 0)]
)
def test_article_32_it_is_not_settled_as_twenty_one(bank: str, paid: int, due: int) -> None:
    played = doubled("AS 8D 2C", main(2000, paid, first=1000), bank=bank)
    found = the_finding(FIXED, played)
    assert (found.article, found.owed_cents, found.owed_to) == ("32", paid - due, HOUSE)
    assert "fixed-ace" in found.readings
    assert cited(played) == [f"32 {FIXED}"]


@upholds_case(FIXED, "unlawful")
def test_article_32_nor_on_a_hand_of_a_split() -> None:
    hands = [hand("8S AD 2C", "split double"), hand("8D TH", out_of=1)]
    stakes = main(2000, 4000, first=1000), main(1000, 2000, hand=2)
    assert cited(a_round(box(1, hands, *stakes), bank="TH 7C")) == [f"32 {FIXED}"]


def test_article_32_is_cited_for_the_sum_that_the_freed_ace_explains_and_for_no_other() -> None:
    """Paid as 21, or left as a tie with 21: 32. Anything else, and by the other reading: 23."""
    result = {"which-article": "result"}
    for bank, paid, article in (
        ("TH 7C", 4000, "32"),
        ("TH 7C", 2000, "23"),
        ("TH 5C 6D", 2000, "32"),
        ("TH 5C 6D", 4000, "23"),
    ):
        played = doubled("AS 8D 2C", main(2000, paid, first=1000), bank=bank)
        assert [one.split()[0] for one in cited(played)] == [article]
        assert cited(played, readings=result) == ["23 farther_from_twenty_one_loses"]


@upholds_case(FIXED, "boundary")
@pytest.mark.parametrize("cards", ["AS 8D AC", "AS 9D AC", "AS 8D KC"])
def test_article_32_an_ace_drawn_afterwards_is_free(cards: str) -> None:
    """20, 21 and 19: nothing here hangs on the ace doubled on."""
    played = doubled(cards, main(2000, 4000, first=1000), bank="TH 8C")
    assert said(FIXED, played) == NOT_ASKED
    assert cited(played) == []


@upholds_case(FIXED, "boundary")
def test_article_32_where_the_ace_changes_nothing_the_result_is_cited() -> None:
    """11 or 21: both beat a bank that went over."""
    played = doubled("AS 8D 2C", main(2000, 2000, first=1000))
    assert cited(played) == ["23 nearer_to_twenty_one_wins"]
