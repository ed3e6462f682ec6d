"""PT art. 17 and 26: a place, or a hand of a split, that was left with one card; both bank cards
open. All of it is unlawful and recorded, never refused.
"""

import pytest

from casino.events.round.round_played import RoundPlayed
from casino.reading.round_reader import read_round
from casino.reading.round_writer import round_as_json
from tests.factories.rounds import a_round, box, hand, main, misdealt
from tests.law.asking import (
    BREACH,
    LAWFUL,
    NOT_ASKED,
    cited,
    findings,
    judged,
    owed,
    said,
    the_finding,
    verdict,
)
from tests.law.casebook import upholds_case

TWO, ASKS, FACE_DOWN = (
    "two_cards_to_each_place",
    "split_hand_asks_a_card",
    "second_bank_card_face_down",
)
AS_IT_LAY = {"unknown-outcome": "as_it_lay"}


def second(cards: str, does: str | None = None, dealt: str | None = None) -> RoundPlayed:
    """Three boxes, the second of them with these cards."""
    return a_round(
        box(1, "TS 8D", main(1000, 2000)),
        box(2, cards, main(1000, 0), does=does),
        box(3, "TC 9D", main(1000, 2000)),
        dealt=dealt,
    )


# 17: two cards to each place


@upholds_case(TWO, "lawful")
@pytest.mark.parametrize("cards", ["9S 8C", "9S 3C 7D", "AS KD"])
def test_article_17_two_cards_to_each_place(cards: str) -> None:
    assert said(TWO, second(cards)) == LAWFUL


@upholds_case(TWO, "unlawful")
@pytest.mark.parametrize("does", ["", "stand"])
@pytest.mark.parametrize("card", ["9S", "AS", "TC"])
def test_article_17_a_place_that_got_one_card(card: str, does: str) -> None:
    found = the_finding(TWO, second(card, does))
    assert (found.article, found.where) == ("17", {"box": 2, "hand": 1})
    assert (found.observed, found.expected) == ({"cards": 1}, {"cards": 2})
    assert cited(second(card, does)) == [f"17 {TWO}"]  # and no second finding under 18


@upholds_case(TWO, "boundary")
def test_article_17_a_card_that_came_late_is_the_second_all_the_same() -> None:
    """Two cards lie there: that one came out of turn is a matter of the order."""
    late = "1 TS, 2 9S, 3 TC, bank TH, 1 8D, 3 9D, bank 7C, 2 7C"
    assert cited(second("9S 7C", "stand", late)) == ["17 dealt_in_order"]


def test_article_17_with_the_order_told_it_is_found_once() -> None:
    text = "1 TS, 2 9S, 3 TC, bank TH, 1 8D, 3 9D, bank 7C"
    assert cited(second("9S", "", text)) == [f"17 {TWO}"]


def test_article_17_what_came_after_the_missing_card_is_not_decidable() -> None:
    """Box 1 had both its cards before; the bank's second card would have been another."""
    played = second("9S", "", "1 TS, 2 9S, 3 TC, bank TH, 1 8D, 3 9D, bank 7C")
    assert [(one.due_cents, one.why) for one in judged(played).wagers] == [
        (None, "hand_left_with_one_card")
    ] * 3
    assert [one.due_cents for one in judged(played, readings=AS_IT_LAY).wagers] == [2000, 0, 2000]


def test_article_17_a_blackjack_against_a_card_that_makes_none_was_won_before() -> None:
    played = a_round(
        box(1, "AS KD", main(1000, 2500)),
        box(2, "9S", main(1000, 0)),
        bank="9H 7C TD",
        dealt="1 AS, 2 9S, bank 9H, 1 KD, bank 7C, bank TD",
    )
    assert [one.due_cents for one in judged(played).wagers] == [2500, None]


@pytest.mark.parametrize("book", ["es", "br", "fr"])
def test_where_every_place_gets_two_it_is_found_too(book: str) -> None:
    assert said(TWO, second("9S", ""), book) == BREACH


# 26: each hand of a split asks


def parted(first: str, other: str, does: str = "split stand") -> RoundPlayed:
    stakes = main(1000, 2000), main(1000, 2000, hand=2)
    return a_round(box(1, [hand(first, does), hand(other, out_of=1)], *stakes), bank="TH 6C KD")


@upholds_case(ASKS, "lawful")
@pytest.mark.parametrize(("first", "other"), [("8S TD", "8D 9H"), ("8S TD", "8D 4H 6C")])
def test_article_26_each_hand_of_a_split_asks(first: str, other: str) -> None:
    assert said(ASKS, parted(first, other)) == LAWFUL


@upholds_case(ASKS, "unlawful")
@pytest.mark.parametrize(
    ("first", "other", "does", "at"),
    [
        ("8S", "8D TH", "split stand", 1),
        ("8S", "8D TH", "split", 1),
        ("8S TD", "8D", "split stand", 2),
        ("AS", "AD TH", "split", 1),
    ],
)
def test_article_26_a_hand_left_with_the_card_it_began_with(
    first: str, other: str, does: str, at: int
) -> None:
    found = the_finding(ASKS, parted(first, other, does))
    assert (found.article, found.where) == ("26", {"box": 1, "hand": at})
    assert (found.observed, found.expected) == ({"cards": 1}, {"at_least": 2})
    assert found.readings == ("split-asks-a-card", "unknown-outcome")
    assert cited(parted(first, other, does)) == [f"26 {ASKS}"]
    assert verdict(parted(first, other, does), hand=at).why == "hand_left_with_one_card"


@upholds_case(ASKS, "boundary")
def test_article_26_a_hand_that_was_not_split_is_a_matter_of_17() -> None:
    assert said(ASKS, a_round(box(1, "8S", main(1000, 0)))) == NOT_ASKED
    assert len(findings(ASKS, parted("8S", "8D"))) == 2


def test_article_26_what_was_settled_before_stays_settled() -> None:
    """Box 1 drew before the split; the bank stands on two cards."""
    played = a_round(
        box(1, "TS 5D 3C", main(1000, 2000)),
        box(
            2,
            [hand("8S", "split"), hand("8D TH", out_of=1)],
            main(1000, 0),
            main(1000, 0, hand=2),
        ),
    )
    assert [one.due_cents for one in judged(played).wagers] == [2000, None, None]


# 17: both bank cards open


@upholds_case(FACE_DOWN, "unlawful")
def test_article_17_both_bank_cards_open_are_recorded_and_found() -> None:
    played = a_round(box(1, "TS 8D", main(1000, 2000)), bank_open=(1, 2))
    found = the_finding(FACE_DOWN, played)
    assert (found.observed, found.expected) == ({"open": [1, 2]}, {"open": [1]})
    assert cited(played) == [f"17 {FACE_DOWN}"]
    assert owed(played) == (2000, 0, None)  # that it should have gone only a misdealt card tells


@upholds_case(FACE_DOWN, "boundary")
def test_article_17_neither_open_and_turned_with_the_card_told() -> None:
    hidden = a_round(box(1, "TS 8D", main(1000, 2000)), bank_open=())
    assert the_finding(FACE_DOWN, hidden).observed == {"open": []}
    kept = misdealt("7C", "bank", "bank")
    played = a_round(box(1, "TS 8D", main(1000, 2000)), bank_open=(1, 2), misdealt=[kept])
    assert the_finding(FACE_DOWN, played).observed == {"kept": "7C"}
    assert verdict(played).why == "turned_card_kept"


@pytest.mark.parametrize(
    "played",
    [second("9S", ""), parted("8S", "8D TH"), a_round(box(1, "TS 8D"), bank_open=(1, 2))],
)
def test_what_was_recorded_is_read_again(played: RoundPlayed) -> None:
    assert read_round(round_as_json(played).encode()) == played
