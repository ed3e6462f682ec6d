"""The catalogue of combinations, worked by hand. Article 43."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.events import Malformed
from jackpot.progressive.catalogue import CATALOGUE, combination
from jackpot.progressive.combinations import PACK
from tests.factories.prize_tables import cards

# What makes it, what nearly does. An ace stands at both ends of a sequence and joins none.
WORKED = {
    "one_ace": ("AS", "KS"),
    "two_aces": ("AS AD", "AS KS"),
    "two_aces_same_colour": ("AS AC", "AS AD"),
    "two_aces_same_suit": ("AS AS", "AS AC"),
    "three_aces": ("AS AD AC", "AS AD KC"),
    "three_aces_same_colour": ("AH AD AD", "AH AD AC"),
    "three_aces_same_suit": ("AH AH AH", "AH AH AD"),
    "four_aces": ("AS AD AC AH", "AS AD AC 4H"),
    "four_aces_same_colour": ("AH AD AD AH", "AH AD AD AS"),
    "four_aces_same_suit": ("AH AH AH AH", "AH AH AH AD"),
    "one_seven": ("7D", "8D"),
    "two_sevens": ("7D 7S", "7D 6D"),
    "two_sevens_same_colour": ("7D 7H", "7D 7S"),
    "two_sevens_same_suit": ("7D 7D", "7D 7H"),
    "three_sevens": ("7D 7S 7H", "7D 7S 8H"),
    "three_sevens_same_colour": ("7D 7H 7D", "7D 7H 7S"),
    "three_sevens_same_suit": ("7D 7D 7D", "7D 7D 7H"),
    "pair": ("KS KD", "KS QS"),  # of one rank: a king and a queen are no pair here
    "pair_same_colour": ("KS KC", "KS KD"),
    "pair_same_suit": ("KS KS", "KS KC"),
    "three_of_a_kind": ("5S 5D 5C", "5S 5D 6C"),
    "three_of_a_kind_same_colour": ("5S 5C 5C", "5S 5C 5D"),
    "three_of_a_kind_same_suit": ("5S 5S 5S", "5S 5S 5C"),
    "four_of_a_kind": ("5S 5D 5C 5H", "5S 5D 5C 6H"),
    "four_of_a_kind_same_colour": ("5H 5D 5D 5H", "5H 5D 5D 5S"),
    "four_of_a_kind_same_suit": ("5H 5H 5H 5H", "5H 5H 5H 5D"),
    "sequence_of_two_same_suit": ("KD AD", "KD AH"),
    "sequence_of_three": ("QD KS AH", "KD AS 2H"),
    "sequence_of_three_same_colour": ("2D AD 3H", "2D AD 3S"),
    "sequence_of_three_same_suit": ("9C TC 8C", "9C TC QC"),
    "sequence_of_four": ("4D 6S 5H 7H", "4D 6S 5H 5D"),
    "sequence_of_four_same_colour": ("AD 2H 3D 4D", "AD 2H 3D 5D"),
    "sequence_of_four_same_suit": ("JS QS KS AS", "QS KS AS 2S"),
    "six_seven_eight": ("8D 6S 7H", "8D 6S 6H"),
    "six_seven_eight_same_colour": ("8D 6D 7H", "8D 6D 7S"),
    "six_seven_eight_same_suit": ("8D 6D 7D", "8D 6D 7H"),
    "blackjack": ("KS AD", "KS QD"),
    "blackjack_same_colour": ("KS AC", "KS AD"),
    "blackjack_same_suit": ("TS AS", "TS AC"),
    "king_and_queen_same_suit": ("QS KS", "QS KC"),
    "two_cards_same_colour": ("QS 2C", "QS 2D"),
    "two_cards_same_suit": ("QS 2S", "QS 2C"),
    "three_cards_same_colour": ("QS 2C 9S", "QS 2C 9D"),
    "three_cards_same_suit": ("QS 2S 9S", "QS 2S 9C"),
    "four_cards_same_colour": ("QH 2D 9D 9H", "QH 2D 9D 9S"),
    "four_cards_same_suit": ("QH 2H 9H 9H", "QH 2H 9H 9D"),
    "AS-JS": ("JS AS", "JC AS"),  # the black jack and its ace
    "QH-QH": ("QH QH", "QH QD"),  # two queens of hearts
    "7-7-7": ("7S 7D 7D", "7S 7D 8D"),
    "AS-J": ("JD AS", "JS AD"),
    "K": ("KD", "QD"),
}


def test_every_code_of_the_catalogue_is_worked_out_by_hand() -> None:
    assert list(CATALOGUE) == [code for code in WORKED if code.islower()]


@pytest.mark.parametrize("code", WORKED)
def test_article_43_what_makes_a_combination_and_what_nearly_does(code: str) -> None:
    asked = combination(code)
    makes, nearly = (cards(text) for text in WORKED[code])
    assert asked.cards == len(makes) == len(nearly)
    for order in permutations(makes):  # in any order among themselves
        assert asked.made_by(order) is True, order
    for order in permutations(nearly):
        assert asked.made_by(order) is False, order


@pytest.mark.parametrize("code", [code for code in WORKED if combination(code).cards < 4])
def test_article_42_a_combination_looks_at_the_first_cards_alone(code: str) -> None:
    asked = combination(code)
    makes, nearly = (cards(text) for text in WORKED[code])
    assert asked.made_by((*makes, "2C")) is True
    assert asked.made_by((*nearly, *makes)) is False
    assert asked.made_by(makes[:-1]) is False


@pytest.mark.parametrize(
    "code",
    [
        "",
        "royal_flush",
        "PAIR",
        "pair ",
        "AS JS",
        "AS-",
        "-AS",
        "XS-AS",
        "A?-AS",
        "1-2",
        "A-A-A-A-A",
    ],
)
def test_article_43_an_unknown_code_is_refused_and_told_what_there_is(code: str) -> None:
    with pytest.raises(Malformed) as refused:
        combination(code, "$.lines[3].code")
    assert refused.value.path == "$.lines[3].code"
    assert "one_ace, two_aces" in str(refused.value)


@pytest.mark.parametrize(("code", "right"), [("JS-AS", "AS-JS"), ("7-6-8", "6-7-8")])
def test_article_43_a_combination_of_named_cards_has_one_name(code: str, right: str) -> None:
    with pytest.raises(Malformed, match=f"asked is {right}$"):
        combination(code)
    assert combination(right).code == right


@pytest.mark.parametrize(
    ("code", "unknown", "made"),
    [
        ("pair", "7? 7?", True),  # whatever the suits
        ("pair", "7? 8?", False),
        ("pair_same_suit", "7? 7S", None),
        ("pair_same_suit", "7? 8?", False),
        ("pair", "X? KS", None),  # a card that counted ten may be a king
        ("pair", "X? 9S", False),
        ("blackjack", "X? A?", True),
        ("blackjack_same_colour", "X? AS", None),
        ("blackjack_same_colour", "XC AS", True),
        ("sequence_of_three", "X? 2? 3?", False),
        ("sequence_of_three", "X? X? X?", None),
        ("three_cards_same_suit", "2S 3D X?", False),
        ("QH-QH", "X? QH", None),
        ("two_aces", "AS A? X?", True),  # the third card is none of its business
    ],
)
def test_a_card_nobody_knows_decides_nothing(code: str, unknown: str, made: bool | None) -> None:
    assert combination(code).made_by(cards(unknown)) is made


@given(st.sampled_from(sorted(CATALOGUE)), st.lists(st.sampled_from(PACK), min_size=4, max_size=4))
def test_telling_less_never_turns_one_answer_into_the_other(code: str, dealt: list[str]) -> None:
    asked = combination(code)
    known = asked.made_by(dealt)
    veiled = [("X" if card[0] in "TJQK" else card[0]) + "?" for card in dealt]
    assert asked.made_by(veiled) in (known, None)


@given(st.sampled_from(sorted(CATALOGUE)), st.lists(st.sampled_from(PACK), min_size=1, max_size=4))
def test_cards_that_make_it_fitted_all_the_way(code: str, dealt: list[str]) -> None:
    # What the reckoning of chances relies on to give a draw up.
    asked = combination(code)
    if asked.made_by(dealt):
        assert all(asked.fits(dealt[:n]) for n in range(1, asked.cards + 1))
