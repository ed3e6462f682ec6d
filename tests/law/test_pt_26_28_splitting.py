"""PT art. 26 to 28: pairs parted, parted again, and the stakes of those who follow."""

import pytest

from casino.events.round.round_played import Hand, RoundPlayed, Wager
from tests.factories.rounds import UNKNOWN, a_round, box, hand, main
from tests.law.asking import (
    BREACH,
    LAWFUL,
    NOT_ASKED,
    UNDECIDED,
    cited,
    findings,
    owed,
    said,
    the_finding,
    verdict,
)
from tests.law.casebook import upholds_case

PAIR, EQUAL, ACES = "split_equal_values", "split_stakes_equal", "split_aces_one_card"
AGAIN, FOLLOWS = "resplit_equal_values", "complementary_follows_split"
EVEN = "stakes_before_the_deal"


def parted(first: str, second: str, *wagers: Wager, **known: object) -> RoundPlayed:
    """Two hands that came of one split; both win against a bank over 21 unless told otherwise."""
    stakes = wagers or (main(1000, 2000), main(1000, 2000, hand=2))
    hands = [hand(first, "split " + _asking(first)), hand(second, _asking(second), out_of=1)]
    return a_round(box(1, hands, *stakes), bank="TH 6C KD", **known)  # type: ignore[arg-type]


def _asking(cards: str) -> str:
    return "hit " * (len(cards.split()) - 2)


# 26: the pair


@upholds_case(PAIR, "lawful")
@pytest.mark.parametrize(("first", "second"), [("8S 4D", "8D 5H"), ("2S TD", "2D TC")])
def test_article_26_a_pair_may_be_parted(first: str, second: str) -> None:
    assert cited(parted(first, second)) == []


@upholds_case(PAIR, "boundary")
@pytest.mark.parametrize(
    ("first", "second"),
    [("TS 4D", "KD 5H"), ("QS 4D", "JD 5H"), ("X? 4D", "TD 5H"), ("AS 4D", "AD 5H")],
)
def test_article_26_equal_value_makes_a_pair_whatever_the_rank(first: str, second: str) -> None:
    assert said(PAIR, parted(first, second)) == LAWFUL


@upholds_case(PAIR, "unlawful")
@pytest.mark.parametrize(
    ("first", "second"), [("8S 4D", "9D 5H"), ("TS 4D", "9D 5H"), ("AS 4D", "KD 5H")]
)
def test_article_26_unequal_cards_may_not(first: str, second: str) -> None:
    found = the_finding(PAIR, parted(first, second))
    assert (found.article, found.where) == ("26", {"box": 1, "hand": 1})
    assert found.observed["pair"] == [first[:2], second[:2]]
    assert found.readings == ("pair-by-value",)


@upholds_case(PAIR, "unlawful")
def test_article_26_nor_a_pair_after_a_card_was_asked() -> None:
    hands = [hand("8S 4D 2C", "hit split"), hand("8D 5H", out_of=1)]
    late = a_round(box(1, hands, main(1000, 2000), main(1000, 2000, hand=2)), bank="TH 6C KD")
    assert the_finding(PAIR, late).observed["actions"] == ["hit", "split"]


@upholds_case(PAIR, "unlawful")
@pytest.mark.parametrize("does", ["stand split", "stand split stand", "surrender split"])
def test_article_26_nor_a_pair_after_its_player_had_stood_or_given_up(does: str) -> None:
    hands = [hand("8S 4D", does), hand("8D 5H", out_of=1)]
    late = a_round(box(1, hands, main(1000, 2000), main(1000, 2000, hand=2)), bank="TH 6C KD")
    found = the_finding(PAIR, late)
    assert (found.article, found.observed["actions"]) == ("26", does.split())


def test_article_26_an_unlawful_split_is_settled_as_it_lay() -> None:
    played = parted("8S 4D", "9D 5H", main(1000, 2000), main(1000, 1000, hand=2))
    assert owed(played, hand=1) == (2000, 0, None)
    assert owed(played, hand=2) == (2000, 1000, "player")


# 26: equal stakes


@upholds_case(EQUAL, "lawful")
@pytest.mark.parametrize("stake", [1000, 5000])
def test_article_26_both_hands_carry_the_same_stake(stake: int) -> None:
    stakes = main(stake, 2 * stake), main(stake, 2 * stake, hand=2)
    assert said(EQUAL, parted("8S 4D", "8D 5H", *stakes)) == LAWFUL


@upholds_case(EQUAL, "boundary")
def test_article_26_a_doubled_hand_began_with_the_same_stake() -> None:
    hands = [hand("8S 3D TC", "split double"), hand("8D TH", out_of=1)]
    stakes = main(2000, 4000, first=1000), main(1000, 2000, hand=2)
    assert cited(a_round(box(1, hands, *stakes), bank="TH 6C KD")) == []


@upholds_case(EQUAL, "unlawful")
@pytest.mark.parametrize("second", [500, 999, 1001, 2000])
def test_article_26_no_other_stake(second: int) -> None:
    stakes = main(1000, 2000), main(second, 2 * second, hand=2, first=1000)
    found = the_finding(EQUAL, parted("8S 4D", "8D 5H", *stakes))
    assert (found.article, found.where["hand"]) == ("26", 2)
    assert (found.observed, found.expected) == ({"stake_cents": second}, {"stake_cents": 1000})
    assert found.readings == ("unlawful-stake",)


@upholds_case(EQUAL, "unlawful")
@pytest.mark.parametrize("staked", [1, 2])
def test_article_26_neither_hand_goes_without(staked: int) -> None:
    found = the_finding(EQUAL, parted("8S 4D", "8D 5H", main(1000, 2000, hand=staked)))
    assert (found.article, found.observed) == ("26", {"staked_hand": staked})


def test_article_26_the_stakes_are_not_decidable_where_a_double_hides_them() -> None:
    hands = [hand("8S 3D TC", "split double"), hand("8D TH", out_of=1)]
    stakes = main(2000, 4000, first=UNKNOWN), main(1000, 2000, hand=2, first=UNKNOWN)
    assert said(EQUAL, a_round(box(1, hands, *stakes), bank="TH 6C KD")) == UNDECIDED


# 26: aces


@upholds_case(ACES, "lawful")
def test_article_26_split_aces_get_one_card_each() -> None:
    assert cited(parted("AS 4D", "AD 5H")) == []


@upholds_case(ACES, "boundary")
@pytest.mark.parametrize(("first", "second"), [("TS 4D 2C", "TD AH 9D"), ("8S AD 3C", "8D 5H")])
def test_article_26_an_ace_that_came_later_is_no_split_ace(first: str, second: str) -> None:
    assert said(ACES, parted(first, second)) == NOT_ASKED


@upholds_case(ACES, "unlawful")
@pytest.mark.parametrize(
    ("first", "second", "hands"),
    [("AS 4D 3C", "AD 5H", [1]), ("AS 4D", "AD 5H 2C", [2]), ("AS 4D 3C", "AD 5H 2C 9H", [1, 2])],
)
def test_article_26_a_second_card_on_a_split_ace(first: str, second: str, hands: list[int]) -> None:
    found = findings(ACES, parted(first, second))
    assert [(one.article, one.where["hand"]) for one in found] == [("26", at) for at in hands]
    assert {one.readings for one in found} == {("void-beyond-right",)}


def test_article_26_the_card_too_many_counts_for_nothing() -> None:
    hands = [hand("AS 4D 6C", "split hit"), hand("AD 9H", "", out_of=1)]
    stakes = main(1000, 2000), main(1000, 2000, hand=2)
    played = a_round(box(1, hands, *stakes), bank="TH 8C")
    assert owed(played, hand=1) == (0, 2000, "house")  # 15, not 21


# 27: again


def three(first: str, second: str, third: str, out_of: int = 1, **known: object) -> RoundPlayed:
    """A pair split twice: the third hand came of the first, or of the second."""
    splits = {1: ("split split", ""), 2: ("split", "split")}[out_of]
    hands: list[Hand] = [
        hand(first, splits[0]),
        hand(second, splits[1], out_of=1),
        hand(third, "", out_of=out_of),
    ]
    stakes = [main(1000, 2000, hand=number) for number in (1, 2, 3)]
    return a_round(box(1, hands, *stakes), bank="TH 6C KD", **known)  # type: ignore[arg-type]


@upholds_case(AGAIN, "lawful")
@pytest.mark.parametrize("out_of", [1, 2])
def test_article_27_a_further_pair_may_be_parted_again(out_of: int) -> None:
    played = three("8S 4D", "8D 5H", "8C 6S", out_of)
    assert [said(AGAIN, played), said(PAIR, played)] == [LAWFUL, LAWFUL]
    assert cited(played) == []


@upholds_case(AGAIN, "boundary")
@pytest.mark.parametrize("cards", [("TS 4D", "KD 5H", "JC 6S"), ("AS 4D", "AD 5H", "AC 6S")])
def test_article_27_court_cards_and_aces_too(cards: tuple[str, str, str]) -> None:
    assert cited(three(*cards)) == []


@upholds_case(AGAIN, "unlawful")
@pytest.mark.parametrize(
    ("cards", "out_of", "pair"),
    [
        (("8S 4D", "8D 5H", "3C 6S"), 1, ["8S", "3C"]),
        (("8S 4D", "8D 5H", "9C 6S"), 2, ["8D", "9C"]),
        (("TS 4D", "KD 5H", "AC 6S"), 1, ["TS", "AC"]),
    ],
)
def test_article_27_other_cards_may_not(
    cards: tuple[str, str, str], out_of: int, pair: list[str]
) -> None:
    played = three(*cards, out_of)
    found = the_finding(AGAIN, played)
    assert (found.article, found.observed["pair"]) == ("27", pair)
    assert found.where == {"box": 1, "hand": out_of}
    assert said(PAIR, played) == LAWFUL


@upholds_case(AGAIN, "unlawful")
@pytest.mark.parametrize("between", ["stand", "hit"])
def test_article_27_nor_again_after_it_stood_or_asked_and_the_first_split_stays_lawful(
    between: str,
) -> None:
    first = "8S 4D 2C" if between == "hit" else "8S 4D"
    hands = [
        hand(first, f"split {between} split"),
        hand("8D 5H", out_of=1),
        hand("8C 6S", out_of=1),
    ]
    stakes = [main(1000, 2000, hand=number) for number in (1, 2, 3)]
    played = a_round(box(1, hands, *stakes), bank="TH 6C KD")
    assert said(PAIR, played) == LAWFUL
    assert the_finding(AGAIN, played).observed["pair"] == ["8S", "8C"]


# 28: complementary stakes at a split


def followed(*others: Wager, vacant: bool = False) -> RoundPlayed:
    own = main(1000, 2000, "J1", seat=1), main(1000, 2000, "J1", hand=2, seat=1)
    hands = [hand("8S 4D", "split stand"), hand("8D 5H", out_of=1)]
    return a_round(box(1, hands, *own, *others, vacant=vacant), bank="TH 6C KD")


@upholds_case(FOLLOWS, "lawful")
@pytest.mark.parametrize("stake", [1000, 2000])
def test_article_28_who_follows_adds_an_equal_stake(stake: int) -> None:
    others = main(stake, 2 * stake, "J5"), main(stake, 2 * stake, "J5", hand=2)
    assert said(FOLLOWS, followed(*others)) == LAWFUL


@upholds_case(FOLLOWS, "boundary")
def test_article_28_who_does_not_follow_stays_on_the_first_hand() -> None:
    played = followed(main(1000, 2000, "J5"))
    assert said(FOLLOWS, played) == LAWFUL
    assert cited(played) == []
    assert owed(played, owner="J5") == (2000, 0, None)
    assert [verdict(played, owner=who).readings for who in ("J1", "J5")] == [
        ("bank-bust",),
        ("bank-bust", "first-of-two"),
    ]
    others = main(1000, 2000, "J5"), main(1000, 2000, "J5", hand=2)
    assert "first-of-two" not in verdict(followed(*others), owner="J5").readings
    vacant = verdict(followed(main(1000, 2000, "J5", seat=5), vacant=True), owner="J5")
    assert vacant.readings == ("bank-bust", "first-of-two", "vacant-like-complementary")


@upholds_case(FOLLOWS, "unlawful")
@pytest.mark.parametrize("second", [500, 2000])
def test_article_28_who_follows_does_not_add_another_amount(second: int) -> None:
    others = main(1000, 2000, "J5"), main(second, 2 * second, "J5", hand=2, first=1000)
    found = the_finding(FOLLOWS, followed(*others))
    assert (found.article, found.where["owner"], found.where["hand"]) == ("28", "J5", 2)
    assert (found.observed, found.expected) == ({"stake_cents": second}, {"stake_cents": 1000})


@upholds_case(FOLLOWS, "unlawful")
@pytest.mark.parametrize("vacant", [False, True])
def test_article_28_who_does_not_follow_does_not_move_to_the_second_hand(vacant: bool) -> None:
    moved = main(1000, 2000, "J5", hand=2, seat=5)
    found = the_finding(FOLLOWS, followed(moved, vacant=vacant))
    assert (found.article, found.observed, found.expected) == ("28", {"hand": 2}, {"hand": 1})
    assert found.readings == ("first-of-two",)


def test_article_28_the_stake_that_stayed_goes_with_the_first_hand() -> None:
    """The first hand loses, the second wins: so does only who followed."""
    hands = [hand("8S 7D", "split stand"), hand("8D KH 2C", "hit stand", out_of=1)]
    stakes = main(1000, 0), main(1000, 2000, hand=2), main(1000, 2000, "J5")
    played = a_round(box(1, hands, *stakes), bank="TH 9C")
    assert owed(played, owner="J5") == (0, 2000, "house")
    assert cited(played) == ["23 farther_from_twenty_one_loses"]


def test_article_28_is_not_asked_where_nobody_else_staked() -> None:
    assert said(FOLLOWS, followed()) == NOT_ASKED


def test_article_26_28_followers_are_compared_with_themselves_and_not_with_the_holder() -> None:
    others = main(3000, 6000, "J5"), main(3000, 6000, "J5", hand=2)
    assert cited(followed(*others)) == []


def test_article_26_a_stake_raised_with_the_split_is_found_where_it_lies() -> None:
    stakes = main(2000, 4000, first=1000), main(2000, 4000, hand=2, first=1000)
    assert said(EVEN, parted("8S 4D", "8D 5H", *stakes)) == BREACH
