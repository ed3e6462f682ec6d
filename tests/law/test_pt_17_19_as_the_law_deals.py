"""PT art. 17 to 19: what is due where a card went wrongly and the order of the cards is recorded.

Reading unknown-outcome: the cards are dealt again as the law deals them; decisions hold while the
hand is the same, and where they would have been others nothing is said.
"""

from typing import Any

import pytest

from casino.events.round.round_played import RoundPlayed
from casino.law.rulebook.rulebook_file import load_law
from casino.law.wording.explain import explain, undetermined
from tests.factories.rounds import (
    a_round,
    box,
    even_money,
    hand,
    insurance,
    main,
    misdealt,
    special,
)
from tests.law.asking import HOUSE, PLAYER, cited, judged, owed, the_finding, verdict

UNKNOWN = {"unknown-outcome": "not_decidable"}
AS_IT_LAY = {"unknown-outcome": "as_it_lay"}
DRAWN, DEALT = "bank_keeps_the_cards_it_draws", "bank_keeps_the_cards_dealt_it"


def dues(played: RoundPlayed, **asked: Any) -> list[int | None]:
    """What each wager was due, hands first."""
    return [one.due_cents for one in judged(played, **asked).wagers]


# A card taken from the bank


def test_a_ten_taken_off_a_six_is_the_banks_and_takes_it_over() -> None:
    """The case of an inspector: 3, 3, 10 and king are 26; 19 was given its stake back alone."""
    played = a_round(
        box(1, "TS 9D", main(1000, 1000)),
        bank="3S 3C KH 3H",
        voided="TC extra",
        dealt="1 TS, bank 3S, 1 9D, bank 3C, bank TC, bank KH, bank 3H",
    )
    assert owed(played) == (2000, 1000, PLAYER)
    assert cited(played) == [f"19 {DRAWN}", "23 nearer_to_twenty_one_wins"]
    assert verdict(played).readings == ("bank-bust", "unknown-outcome")
    assert (dues(played, readings=UNKNOWN), dues(played, readings=AS_IT_LAY)) == ([None], [1000])


def test_the_last_card_taken_off_and_no_other_drawn() -> None:
    played = a_round(
        box(1, "TS 8D", main(1000, 2000)),
        bank="TH 6D",
        voided="5C extra",
        dealt="1 TS, bank TH, 1 8D, bank 6D, bank 5C",
    )
    assert owed(played) == (0, 2000, HOUSE)


def test_where_the_recorded_cards_do_not_reach_seventeen_nothing_is_said() -> None:
    """Two, three and four are nine; what the bank would have drawn to them is not there."""
    played = a_round(
        box(1, "TS 8D", main(1000, 2000)),
        bank="2H 3D",
        voided="4C extra",
        dealt="1 TS, bank 2H, 1 8D, bank 3D, bank 4C",
    )
    assert (dues(played), verdict(played).why) == ([None], "cards_known_no_further")


def test_a_second_card_taken_off_with_nobody_asking_after_it() -> None:
    """Ace and king are the bank's: a blackjack."""
    played = a_round(
        box(1, "TS 8D", main(1000, 0), insurance(500, 0)),
        bank="AH 9C",
        voided="KC extra",
        dealt="1 TS, bank AH, 1 8D, bank KC, bank 9C",
    )
    assert dues(played) == [0, 1500]
    assert verdict(played, "insurance").owed_to == PLAYER


@pytest.mark.parametrize("drawn", ["4H", "9H"])
def test_who_asked_after_it_would_have_got_another_card(drawn: str) -> None:
    """15 and the three are 18: whether he stands nobody knows."""
    played = a_round(
        box(1, f"TS 5D {drawn}", main(1000, 0)),
        bank="TH 3C 8D",
        voided="9S extra",
        dealt=f"1 TS, bank TH, 1 5D, bank 9S, bank 3C, 1 {drawn}, bank 8D",
    )
    assert dues(played) == [None]


@pytest.mark.parametrize(
    ("next_card", "due"),
    [("9C", 0), ("6C", 2000)],  # 24: over, with nothing left to decide; 21: the same
)
def test_a_card_that_leaves_nothing_to_decide_is_known(next_card: str, due: int) -> None:
    """The ten put away was the bank's second, which makes 19; he had 15 and asked."""
    played = a_round(
        box(1, "TS 5D 4H", main(1000, due)),
        bank=f"9H {next_card} 6S",
        voided="TC extra",
        dealt=f"1 TS, bank 9H, 1 5D, bank TC, bank {next_card}, 1 4H, bank 6S",
    )
    assert dues(played) == [due]


def test_a_doubled_hand_has_its_one_card_whatever_it_is() -> None:
    played = a_round(
        box(1, "6S 5D 4H", main(2000, 0, first=1000), does="double"),
        bank="9H KC",
        voided="8C extra",
        dealt="1 6S, bank 9H, 1 5D, bank 8C, bank KC, 1 4H",
    )
    assert dues(played) == [4000]  # eleven and the king, against 17


def test_what_others_did_after_somebody_who_would_have_decided_otherwise_is_unknown() -> None:
    played = a_round(
        box(1, "TS 5D 4H", main(1000, 0)),
        box(2, "TD 6D 3S", main(1000, 0)),
        box(3, "TC 9D", main(1000, 0)),
        bank="TH KC",
        voided="7C extra",
        dealt="1 TS, 2 TD, 3 TC, bank TH, 1 5D, 2 6D, 3 9D, bank 7C, bank KC, 1 4H, 2 3S",
    )
    # J1 had 25 with the king, J2 then 20 with the four: whether he stands nobody knows. J3 asked
    # for nothing, and the bank's ten and seven stand.
    assert dues(played) == [0, None, 2000]


def test_a_split_hand_after_it_is_not_dealt_anew() -> None:
    hands = [hand("8S TD", "split stand"), hand("8D TH", out_of=1)]
    played = a_round(
        box(1, hands, main(1000, 0), main(1000, 0, hand=2)),
        bank="TC 9C",
        voided="7C extra",
        dealt="1 8S, bank TC, 1 8D, bank 7C, bank 9C, 1 TD, 1/2 TH",
    )
    assert dues(played) == [None, None]


def test_against_another_open_card_everybody_would_have_decided_otherwise() -> None:
    played = a_round(
        box(1, "TS 8D", main(1000, 0)),
        box(2, "AS KD", even_money(1000, 2000)),
        bank="AH 9C",
        voided="5C extra",
        dealt="1 TS, 2 AS, bank 5C, bank AH, 1 8D, 2 KD, bank 9C",
    )
    assert dues(played) == [None, None]


def test_cards_alike_that_cannot_be_told_apart_leave_it_open() -> None:
    played = a_round(
        box(1, "TS 8D", main(1000, 0)),
        bank="TH 2C 5C",
        voided="5C extra",
        dealt="1 TS, bank TH, 1 8D, bank 2C, bank 5C, bank 5C",
    )
    assert dues(played) == [None]


def test_a_deal_out_of_order_is_not_dealt_anew() -> None:
    played = a_round(
        box(1, "TS 8D", main(1000, 0)),
        box(2, "TC 9D", main(1000, 0)),
        bank="TH 6D TD",
        voided="5C extra",
        dealt="2 TC, 1 TS, bank TH, 1 8D, 2 9D, bank 6D, bank 5C, bank TD",
    )
    assert dues(played) == [None, None]


# A card given to the bank


def turned(bank: str, order: str, *boxes: Any) -> RoundPlayed:
    second = bank.split()[1]
    kept = misdealt(second, "bank", "bank", seen=True)
    return a_round(*boxes, bank=bank, bank_open=(1, 2), misdealt=[kept], dealt=order)


def test_a_turned_second_card_that_was_kept_is_put_away() -> None:
    """7, 5 and 5 are 17, and not 19 with the two that was turned."""
    played = turned(
        "7H 2C 5C 5D",
        "1 TS, bank 7H, 1 8D, bank 2C, bank 5C, bank 5D",
        box(1, "TS 8D", main(1000, 0)),
    )
    assert owed(played) == (2000, 2000, PLAYER)
    assert cited(played) == ["17 second_bank_card_face_down", "23 nearer_to_twenty_one_wins"]


def test_who_stood_is_settled_where_the_card_that_was_next_lets_the_bank_stand() -> None:
    """J2's ten would have been the bank's second; J1 and J3 asked for nothing."""
    played = turned(
        "9H 6C 5D",
        "1 TS, 2 TC, 3 AS, bank 9H, 1 8D, 2 2D, 3 KD, bank 6C, 2 TD, bank 5D",
        box(1, "TS 8D", main(1000, 0)),
        box(2, "TC 2D TD", main(1000, 0)),
        box(3, "AS KD", main(1000, 2500)),
    )
    assert dues(played) == [0, None, 2500]


def test_where_it_does_not_the_rest_is_unknown() -> None:
    played = turned(
        "9H 6C 5D",
        "1 TS, 2 TC, bank 9H, 1 8D, 2 2D, bank 6C, 2 4D, bank 5D",
        box(1, "TS 8D", main(1000, 0)),
        box(2, "TC 2D 4D", main(1000, 0)),
    )
    assert dues(played) == [None, None]


def test_a_seen_misdealt_card_laid_to_the_bank_is_void() -> None:
    """18: void. Six and ten, and the card after it, are 16 and 5: the four was never the bank's."""
    stray = misdealt("4C", (1, 1), "bank", seen=True)
    played = a_round(
        box(1, "TS 9D", main(1000, 2000)),
        bank="6H TD 4C 5D",
        misdealt=[stray],
        dealt="1 TS, bank 6H, 1 9D, bank TD, bank 4C, bank 5D",
    )
    assert the_finding("misdealt_card_placed", played).expected == {"goes_to": "discard"}
    assert owed(played) == (0, 2000, HOUSE)


def test_an_unseen_one_nobody_asked_for_was_the_banks() -> None:
    stray = misdealt("4C", (1, 1), "discard", seen=False)
    played = a_round(
        box(1, "TS 9D", main(1000, 0)),
        bank="6H TD 5D",
        misdealt=[stray],
        dealt="1 TS, bank 6H, 1 9D, bank TD, discard 4C, bank 5D",
    )
    assert owed(played) == (0, 0, None)  # 20 with the four
    lost = a_round(
        box(1, "TS 9D", main(1000, 0)),
        bank="6H TD 5D",
        misdealt=[misdealt("7C", (1, 1), "discard", seen=False)],
        dealt="1 TS, bank 6H, 1 9D, bank TD, discard 7C, bank 5D",
    )
    assert owed(lost) == (2000, 2000, PLAYER)  # 23 with the seven


# A card given to a hand


@pytest.mark.parametrize(
    ("to_bank", "due"),
    [
        ("TD", 0),  # 12 and the ten are 22
        ("9D", 2000),  # 21, and the bank has 18
        ("5D", None),  # 17: whether he stands nobody knows
    ],
)
def test_a_seen_card_given_on_is_void_and_the_next_is_his(to_bank: str, due: int | None) -> None:
    stray = misdealt("7C", (1, 1), "hand", to=(2, 1), seen=True)
    played = a_round(
        box(1, "TS 9D", main(1000, 1000)),
        box(2, "TC 2D 7C", main(1000, 1000)),
        bank=f"8H TH {to_bank}",
        misdealt=[stray],
        dealt=f"1 TS, 2 TC, bank 8H, 1 9D, 2 2D, bank TH, 2 7C, bank {to_bank}",
    )
    assert verdict(played, owner="J2").due_cents == due


def test_a_special_prize_of_cards_that_were_not_ones_own_is_not_due() -> None:
    stray = misdealt("7C", (1, 1), "hand", to=(2, 1), seen=True)
    played = a_round(
        box(1, "TS 9D", main(1000, 1000)),
        box(2, "7S 7D 7C", main(1000, 1000), special(3000)),
        bank="8H TH 9D",
        misdealt=[stray],
        dealt="1 TS, 2 7S, bank 8H, 1 9D, 2 7D, bank TH, 2 7C, bank 9D",
    )
    assert verdict(played, "special").due_cents == 0
    assert verdict(played, owner="J2").due_cents == 0  # 7, 7 and the nine that was next: over


# No amount where the bank still had to draw


@pytest.mark.parametrize(("bank", "due"), [("7H 4C", None), ("TH 7C", 2000), ("AH KC", 0)])
def test_article_36_a_21_given_up_is_in_play_and_the_bank_had_to_draw(
    bank: str, due: int | None
) -> None:
    """With 21 it is no surrender; against a bank that rested too low nothing is known."""
    played = a_round(box(1, "TS 5D 6C", main(1000, 500), does="hit surrender"), bank=bank)
    assert (verdict(played).due_cents, verdict(played).why) == (
        due,
        None if due is not None else "bank_stopped_below",
    )


# What stays open


def test_a_card_on_record_is_not_said_to_be_one_nobody_knows_and_the_open_stakes_are_named() -> (
    None
):
    """The eight is the bank's; what the player would have drawn to his twelve nobody knows."""
    values = {
        "bank": "9H AC",
        "bank_open": (1, 2),
        "misdealt": [misdealt("AC", "bank", "bank", seen=True)],
    }
    drew = box(1, "TS 2D 8C", main(2500, 2500))
    rested = box(2, "AS KD", main(1000, 2500))
    with_order = a_round(
        drew, rested, dealt="1 TS, 2 AS, bank 9H, 1 2D, 2 KD, bank AC, 1 8C", **values
    )
    assert verdict(with_order, owner="J1").why == "cards_known_no_further"
    assert verdict(a_round(drew, rested, **values), owner="J1").why == "turned_card_kept"
    lines = explain(with_order, load_law("pt"))
    left = "What was due for stakes of 25,00 cannot be determined: J1, main stake of 25,00 on"
    [line] = [one for one in lines if left in one]
    assert line.strip().startswith("Breach (n.º 17")
    assert "J2" not in line
    assert not any("nobody knows which would have replaced it" in one for one in lines)
    assert not any("by mistake" in one for one in lines)  # the article asks no reason
    assert undetermined(with_order, load_law("pt")).startswith(left)
    assert undetermined(a_round(rested, bank="TH 7C"), load_law("pt")) == ""
