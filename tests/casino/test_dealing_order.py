"""The dealing order against the cards that lie: one order in each place, splits told as they go."""

import pytest

from casino.events import Malformed
from casino.events.round.round_played import Box, RoundPlayed
from tests.factories.rounds import a_round, box, hand, main, misdealt

TWO_HANDS = (hand("8S TC", "split stand"), hand("8D 3H", "stand", out_of=1))
FIRST_FOUR = "1 8S, bank TH, 1 8D, bank 7C"


def pair(*hands: object) -> Box:
    """Box 1 with its hands and a stake on each."""
    stakes = [main(1000, 0, hand=number) for number in range(1, len(hands) + 1)]
    return box(1, hands, *stakes)  # type: ignore[arg-type]


def recorded(dealt: str, *boxes: Box, **known: object) -> RoundPlayed:
    """A round with that dealing order; box 1 stands on 18 unless other boxes are given."""
    return a_round(*boxes or (box(1, "TS 8D", main(1000, 2000)),), dealt=dealt, **known)  # type: ignore[arg-type]


def refusal(dealt: str, *boxes: Box, **known: object) -> Malformed:
    with pytest.raises(Malformed) as caught:
        recorded(dealt, *boxes, **known)
    return caught.value


def test_a_place_that_lies_as_it_was_dealt_is_read() -> None:
    assert recorded("1 TS, bank TH, 1 8D, bank 7C").dealt is not None
    # The order between the places is the law's matter: the bank first, and all at once.
    assert recorded("bank TH, bank 7C, 1 TS, 1 8D").dealt is not None


@pytest.mark.parametrize("dealt", ["1 8D, bank TH, 1 TS, bank 7C", "1 TS, bank 7C, 1 8D, bank TH"])
def test_a_hand_or_a_bank_in_another_order_contradicts_itself(dealt: str) -> None:
    error = refusal(dealt)
    assert error.path == "$.dealt"
    assert "the order differs" in error.reason


def test_a_refusal_names_the_place_and_both_orders() -> None:
    assert refusal("1 TS, bank 7C, 1 8D, bank TH").reason == (
        "at the bank the order differs: dealt [7C TH], lying there [TH 7C];"
        " asked is one order, but for cards voided, misdealt or split off"
    )


def test_each_split_moves_the_second_card_away() -> None:
    assert recorded(f"{FIRST_FOUR}, 1 TC, 1/2 3H", pair(*TWO_HANDS)).dealt is not None
    again = (
        hand("8S TC", "split split stand"),
        hand("8D 3H", "stand", out_of=1),
        hand("8C 2H", "stand", out_of=1),
    )
    assert recorded(f"{FIRST_FOUR}, 1 8C, 1 TC, 1/2 3H, 1/3 2H", pair(*again)).dealt is not None
    below = (
        hand("8S TC", "split stand"),
        hand("8D 3H", "split stand", out_of=1),
        hand("8C 2H", "stand", out_of=2),
    )
    assert recorded(f"{FIRST_FOUR}, 1 TC, 1/2 8C, 1/2 3H, 1/3 2H", pair(*below)).dealt is not None


@pytest.mark.parametrize(
    "dealt",
    [
        "1 8D, bank TH, 1 8S, bank 7C, 1 TC, 1/2 3H",  # the first card moved
        "1 8S, bank TH, 1 TC, bank 7C, 1 8D, 1/2 3H",  # one that came after the split moved
    ],
)
def test_a_split_that_moved_another_card_contradicts_itself(dealt: str) -> None:
    error = refusal(dealt, pair(*TWO_HANDS))
    assert error.path == "$.dealt"
    assert "each split moving the second card away" in error.reason


def test_after_a_hit_any_card_but_the_order_may_tell_which_one_moved() -> None:
    """Unlawful, and so recorded: nobody knows which of three cards a dealer parts from a hand."""
    late = (hand("8S 5C TC", "hit split stand"), hand("8D 3H", "stand", out_of=1))
    assert recorded(f"{FIRST_FOUR}, 1 5C, 1 TC, 1/2 3H", pair(*late)).dealt is not None
    third = "1 8S, bank TH, 1 5C, bank 7C, 1 8D, 1 TC, 1/2 3H"
    assert recorded(third, pair(*late)).dealt is not None
    assert refusal(f"{FIRST_FOUR}, 1 TC, 1 5C, 1/2 3H", pair(*late)).path == "$.dealt"


def test_a_hand_gets_no_card_before_the_one_it_began_with() -> None:
    early = "1 8S, bank TH, 1/2 3H, 1 8D, bank 7C, 1 TC"
    error = refusal(early, pair(*TWO_HANDS))
    assert error.path == "$.dealt[2]"
    assert "box 1 hand 2 before 8D" in error.reason
    # Two equal cards: the one that stayed is not the one the other hand began with.
    equal = (hand("8S TC", "split stand"), hand("8S 3H", "stand", out_of=1))
    at_once = "1 8S, bank TH, 1 8S, 1/2 3H, bank 7C, 1 TC"
    assert recorded(at_once, pair(*equal)).dealt is not None
    error = refusal("1 8S, bank TH, 1/2 3H, 1 8S, bank 7C, 1 TC", pair(*equal))
    assert error.path == "$.dealt[2]"


def test_a_misdealt_card_may_have_left_the_shoe_at_any_time() -> None:
    asked = box(1, "TS 2D 5C", main(1000, 0), does="hit stand")
    astray = [misdealt("5C", "shoe", "hand", to=(1, 1), seen=False)]
    early = "1 5C, 1 TS, bank TH, 1 2D, bank 7C"
    assert recorded(early, asked, misdealt=astray).dealt is not None
    assert refusal(early, asked).path == "$.dealt"
    # The others are held to their order all the same, and so is a turned card the bank kept.
    turned = "1 2D, 1 TS, bank TH, 1 5C, bank 7C"
    assert refusal(turned, asked, misdealt=astray).path == "$.dealt"
    kept = [misdealt("7C", "bank", "bank", seen=True)]
    swapped = "1 TS, bank 7C, 1 8D, bank TH"
    assert refusal(swapped, misdealt=kept).path == "$.dealt"
    to_bank = [misdealt("7C", "shoe", "bank", seen=True)]
    assert recorded(swapped, misdealt=to_bank).dealt is not None


def test_a_voided_card_lies_in_no_order() -> None:
    for dealt in ("1 TS, bank TH, 1 8D, bank 5C, bank 7C", "1 TS, bank TH, 1 8D, bank 7C, bank 5C"):
        assert recorded(dealt, voided="5C turned").dealt is not None
    swapped = "1 TS, bank 7C, 1 8D, bank 5C, bank TH"
    assert refusal(swapped, voided="5C turned").path == "$.dealt"


def test_a_voided_round_may_stop_anywhere_but_keeps_its_order() -> None:
    stopped = pair(hand("8S TC", "split"), hand("8D", "", out_of=1))
    known = {"bank": "TH", "interrupted": "incident"}
    assert recorded("1 8S, bank TH, 1 8D, 1 TC", stopped, **known).dealt is not None
    assert refusal("1 TC, bank TH, 1 8D, 1 8S", stopped, **known).path == "$.dealt"


def test_equal_cards_have_no_order() -> None:
    same = box(1, "7S 7S 7S", main(1000, 0), does="hit")
    assert recorded("1 7S, bank TH, 1 7S, bank 7C, 1 7S", same).dealt is not None


def test_a_voided_bank_card_was_dealt_to_the_bank() -> None:
    error = refusal("1 TS, bank TH, 1 8D, discard 5C, bank 7C", voided="5C turned")
    assert (error.path, error.reason) == (
        "$.dealt[3].to",
        "found discard for 5C, a voided card of the bank; asked is bank, where it came to",
    )


def test_a_refusal_of_a_word_says_that_box_and_hand_may_stand_there() -> None:
    error = refusal("1 TS, bank TH, 1 8D, banc 7C")
    assert (error.path, error.reason) == (
        "$.dealt[3].to",
        'found "banc"; asked is one of bank, discard, or an object with box and hand',
    )


def test_a_card_that_lay_open_and_was_split_off_is_told_where_it_lies() -> None:
    """`to` names the hand it ended on, `dealt` the one it came from."""
    open_in_the_shoe = misdealt("8D", "shoe", "hand", to=(1, 2))
    dealt = f"{FIRST_FOUR}, 1 TC, 1/2 3H"
    assert recorded(dealt, pair(*TWO_HANDS), misdealt=[open_in_the_shoe]).dealt is not None
