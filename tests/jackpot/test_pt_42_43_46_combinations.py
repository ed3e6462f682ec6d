"""PT art. 42, 43, 46: which cards count, and which line of the approved table they win."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.events import Malformed
from jackpot.progressive.combinations import PACK
from jackpot.progressive.counted import HandCards, counted_cards
from jackpot.progressive.prizes import Match, PrizeLine, PrizeList
from tests.factories.prize_tables import (
    ACES,
    ACES_BY_COLOUR,
    ALL,
    SHOWN,
    cards,
    counted,
    line,
    prizes,
)


def hands(*texts: str) -> list[HandCards]:
    """``hands("8S 3D", "8D TH<1")``: the second was split off hand 1."""
    split = [text.partition("<") for text in texts]
    return [
        HandCards(number, cards(text), int(parent) if parent else None)
        for number, (text, _, parent) in enumerate(split, 1)
    ]


# Article 42: the first two, three or four cards, split pairs included (seed 002 n.º 42).


@pytest.mark.parametrize(("most", "those"), [(2, "9C 4D"), (3, "9C 4D 2H"), (4, "9C 4D 2H 3S")])
def test_article_42_the_first_cards_count_and_no_later_one(most: int, those: str) -> None:
    assert counted_cards(hands("9C 4D 2H 3S AC"), most) == (cards(those),)


def test_article_42_who_asked_for_no_more_has_fewer_cards() -> None:
    assert counted_cards(hands("AC KD"), 4) == (("AC", "KD"),)
    assert counted_cards([], 3) == ((),)


def test_article_42_the_cards_of_a_split_pair_count_together_as_they_were_dealt() -> None:
    # The example of the round record: 8-8 is split, then 3, T (doubled), then T on the other hand.
    split = hands("8S 3D TC", "8D TH<1")
    dealt = cards("8S 8D 3D TC TH")
    assert counted_cards(split, 2, dealt) == (("8S", "8D"),)
    assert counted_cards(split, 3, dealt) == (("8S", "8D", "3D"),)
    assert counted_cards(split, 4, dealt) == (("8S", "8D", "3D", "TC"),)


def test_article_42_without_the_order_every_order_is_possible() -> None:
    split = hands("8S 3D TC", "8D TH<1")
    assert counted_cards(split, 2) == (("8S", "8D"),)  # a pair is always dealt before it is split
    assert set(counted_cards(split, 3)) == {("8S", "8D", "3D"), ("8S", "8D", "TH")}
    assert set(counted_cards(split, 4)) == {
        ("8S", "8D", "3D", "TC"),
        ("8S", "8D", "3D", "TH"),
        ("8S", "8D", "TH", "3D"),
    }


def test_article_42_a_pair_split_twice_had_its_splits_in_either_order() -> None:
    # Both 8D and 8C were split off 8S; which came first is not recorded, but 5D came after both.
    again = hands("8S 5D", "8D TH<1", "8C 6D<1")
    assert set(counted_cards(again, 3)) == {
        ("8S", "8D", "8C"),
        ("8S", "8D", "TH"),
        ("8S", "8C", "8D"),
        ("8S", "8C", "6D"),
    }
    assert not any("5D" in order[:3] for order in counted_cards(again, 4))


@given(st.randoms(use_true_random=False), st.integers(2, 4))
def test_article_42_what_was_really_dealt_is_among_the_possible(chance: Any, most: int) -> None:
    lying: list[list[str]] = [[chance.choice(PACK)]]
    parents: list[int | None] = [None]
    dealt = list(lying[0])
    for _ in range(chance.randrange(1, 7)):
        card = chance.choice(PACK)
        hand = chance.choice(range(len(lying)))
        dealt.append(card)
        lying[hand].append(card)
        if len(lying[hand]) == 2 and chance.random() < 0.6:
            lying.append([lying[hand].pop()])
            parents.append(hand + 1)
    listed = [
        HandCards(number, tuple(cards), parent)
        for number, (cards, parent) in enumerate(zip(lying, parents, strict=True), 1)
    ]
    assert tuple(dealt[:most]) in counted_cards(listed, most)
    assert counted_cards(listed, most, dealt) == (tuple(dealt[:most]),)


def test_article_42_each_reading_counts_other_cards() -> None:
    split = hands("8S 3D TC", "8D TH<1")
    dealt = cards("8S 8D 3D TC TH")
    by_box = counted_cards(split, 2, dealt, "box_in_dealing_order")
    by_hand = counted_cards(split, 2, dealt, "first_hand")
    assert (by_box, by_hand) == ((("8S", "8D"),), (("8S", "3D"),))
    pairs = prizes(2, ("pair", ALL))
    assert pairs.matched(by_box, SHOWN) == Match("pair")
    assert pairs.matched(by_hand, SHOWN) == Match(None)


def test_article_42_across_split_hands_the_order_decides_or_nothing_does() -> None:
    aces = hands("AS AD", "AH 5C<1")
    assert ACES.matched(counted_cards(aces, 4, cards("AS AH AD 5C")), SHOWN) == Match("three_aces")
    assert ACES.matched(counted_cards(aces, 4, cards("AS AH 5C AD")), SHOWN) == Match("two_aces")
    unordered = ACES.matched(counted_cards(aces, 4), SHOWN)
    assert unordered == Match(None, False, ("three_aces", "two_aces"))
    # Four aces on two hands are four aces in any order.
    whole = hands("AS AD", "AH AC<1")
    assert ACES.matched(counted_cards(whole, 4), SHOWN) == Match("four_aces")


def test_article_42_more_cards_than_count_are_never_asked() -> None:
    with pytest.raises(Malformed, match=r"lines\[0\]\.code: found 4 cards; asked are at most 3$"):
        prizes(3, ("four_aces", ALL))
    assert prizes(4, ("four_aces", ALL)).top == ("four_aces",)


# Article 43: the approved table and no other.


@pytest.mark.parametrize(
    ("dealt", "won"),
    [
        ("AH AH AH AH", "four_aces_same_suit"),
        ("AH AH AH AD", "four_aces"),  # 10 % of 61 284.61 is more than the 2 500 of three suited
        ("AH AH AH 5D", "three_aces_same_suit"),
        ("AH AH AD AH", "four_aces"),
        ("AH AD AH 5D", "three_aces"),
        ("AH AH 5D AH", "two_aces_same_suit"),  # one after the other from the first card
        ("AH AD 5D", "two_aces"),
        ("AH AD", "two_aces"),
        ("5D AH AH AH", None),
        ("AH", None),
        ("", None),
    ],
)
def test_article_43_the_line_the_approved_table_names(dealt: str, won: str | None) -> None:
    assert ACES.matched(counted(dealt), SHOWN) == Match(won)


def test_article_43_the_best_line_or_the_first_as_the_terms_say() -> None:
    # Three suited aces and a fourth of the other colour: 2 500 or 1 500.
    dealt = counted("AH AH AH AS")
    assert ACES_BY_COLOUR.matched(dealt, SHOWN) == Match("three_aces_same_suit")
    four_first = prizes(4, ("four_aces", 150_000), ("three_aces_same_suit", 250_000))
    assert four_first.matched(dealt, SHOWN) == Match("three_aces_same_suit")
    by_order = PrizeList(4, four_first.lines, "first")
    assert by_order.matched(dealt, SHOWN) == Match("four_aces")


def test_article_43_which_is_the_best_may_hang_on_the_meter() -> None:
    dealt = counted("AH AH AH AD")
    # 10 % of 25 000.00 is what three suited aces are paid: of two alike the first named is won.
    assert ACES.matched(dealt, 2_500_000 * 10**6) == Match("four_aces")
    assert ACES.matched(dealt, 2_500_000 * 10**6 - 1) == Match("three_aces_same_suit")


def test_article_43_the_top_combination_is_the_highest_however_poor_the_meter() -> None:
    assert ACES.matched(counted("AH AH AH AH"), 1_000 * 10**6) == Match("four_aces_same_suit")


def test_article_43_two_lines_of_one_hand_are_never_both_won() -> None:
    assert ACES.matched(counted("AH AH AH AH"), SHOWN).code == "four_aces_same_suit"


@pytest.mark.parametrize(
    ("lines", "path"),
    [
        ((), "$.lines"),
        ((PrizeLine("royal"),), "$.lines[0].code"),
        ((line("pair", ALL), line("pair", 5)), "$.lines[1].code"),
        ((PrizeLine("pair"),), "$.lines[0]"),
        ((PrizeLine("pair", 5, 5),), "$.lines[0]"),
        ((PrizeLine("pair", 0),), "$.lines[0].share_millionths"),
        ((PrizeLine("pair", 1_000_001),), "$.lines[0].share_millionths"),
        ((PrizeLine("pair", fixed_cents=0),), "$.lines[0].fixed_cents"),
        ((PrizeLine("pair", fixed_cents=True),), "$.lines[0].fixed_cents"),
    ],
)
def test_article_43_a_table_that_says_nothing_clear_is_refused(
    lines: tuple[PrizeLine, ...], path: str
) -> None:
    with pytest.raises(Malformed) as refused:
        PrizeList(2, lines)
    assert refused.value.path == path


def test_article_43_a_prize_in_shares_and_in_cents() -> None:
    assert line("pair", "10 %").due_cents(SHOWN) == 612_846  # 612 846.1
    assert line("pair", 500).due_cents(SHOWN) == 500
    assert line("pair", ALL).due_cents(SHOWN + 999_999) == 6_128_461  # the fraction stays


# Article 46: by those cards alone.


@given(st.lists(st.sampled_from(PACK), min_size=4, max_size=7))
def test_article_46_what_comes_after_the_counted_cards_changes_nothing(dealt: list[str]) -> None:
    hand = [HandCards(1, tuple(dealt))]
    for most in (2, 3, 4):
        assert counted_cards(hand, most) == (tuple(dealt[:most]),)


@given(st.lists(st.sampled_from(("AS", "AH", "AD", "5C")), min_size=4, max_size=4))
def test_article_46_within_a_line_the_order_changes_nothing(dealt: list[str]) -> None:
    four = prizes(4, ("four_aces_same_colour", ALL), ("four_aces", "10 %"))
    won = {four.matched((order,), SHOWN) for order in permutations(dealt)}
    assert len(won) == 1


def test_article_46_an_unknown_card_leaves_it_open_only_where_it_matters() -> None:
    assert ACES.matched(counted("A? AS 5D"), SHOWN) == Match(
        None, False, ("two_aces_same_suit", "two_aces")
    )
    assert ACES.matched(counted("A? 5? AS"), SHOWN) == Match(None)
    assert prizes(2, ("two_aces", ALL)).matched(counted("A? A?"), SHOWN) == Match("two_aces")
    assert ACES.matched((), SHOWN) == Match(None, False)
