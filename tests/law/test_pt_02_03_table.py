"""PT art. 2 and 3: the boxes on the cloth, and how often one card can come."""

import pytest

from casino.events.round.round_played import Box
from tests.factories.rounds import a_round, box, main, misdealt
from tests.law.asking import LAWFUL, NOT_ASKED, findings, said, the_finding
from tests.law.casebook import upholds_case

BOX, DECKS = "box_exists", "card_within_decks"


@upholds_case(BOX, "lawful")
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_article_2_a_table_has_six_boxes(number: int) -> None:
    assert said(BOX, a_round(box(number, "TS 8D", main(1000, 2000)))) == LAWFUL


@upholds_case(BOX, "boundary")
def test_article_2_or_seven() -> None:
    assert said(BOX, a_round(box(7, "TS 8D", main(1000, 2000)))) == LAWFUL


@upholds_case(BOX, "unlawful")
@pytest.mark.parametrize("number", [8, 9, 99])
def test_article_2_no_table_has_an_eighth_box(number: int) -> None:
    played = a_round(box(1, "TS 8D", main(1000, 2000)), box(number, "TH 8D", main(1000, 2000)))
    found = the_finding(BOX, played)
    assert (found.article, found.where) == ("2", {"box": number})
    assert (found.observed, found.expected) == ({"box": number}, {"at_most": 7})


def test_article_2_every_box_too_many_is_found() -> None:
    boxes = [box(number, "TS 8D", main(1000, 2000)) for number in (7, 8, 9)]
    assert [found.where["box"] for found in findings(BOX, a_round(*boxes))] == [8, 9]


def test_article_2_is_not_asked_where_the_book_says_nothing_of_boxes() -> None:
    played = a_round(box(9, "TS 8D", main(1000, 2000)))
    assert said(BOX, played, "pt-summary") == NOT_ASKED


def boxes_with(*cards: str) -> list[Box]:
    """Two of these cards to a box, and three fives where they run out."""
    pairs = [cards[at : at + 2] for at in range(0, len(cards), 2)]
    return [
        box(place, " ".join(pair) if len(pair) == 2 else f"{pair[0]} 5H", main(1000, 0))
        for place, pair in enumerate(pairs, 1)
    ]


@upholds_case(DECKS, "lawful")
@pytest.mark.parametrize("times", [1, 4, 5])
def test_article_3_one_card_comes_as_often_as_there_are_decks(times: int) -> None:
    assert said(DECKS, a_round(*boxes_with(*["KD"] * times), bank="TH 7C")) == LAWFUL


@upholds_case(DECKS, "boundary")
def test_article_3_six_kings_of_diamonds_are_the_most() -> None:
    assert said(DECKS, a_round(*boxes_with(*["KD"] * 5), bank="KD 7C")) == LAWFUL


@upholds_case(DECKS, "unlawful")
@pytest.mark.parametrize(
    "known",
    [
        {"bank": "TH 7C", "more": 7},
        {"bank": "KD KD", "more": 5},
        {"bank": "TH 7C", "more": 6, "voided": "KD turned"},
        {"bank": "TH 8C", "more": 5, "voided": "KD turned, KD extra"},
        {"bank": "TH 7C", "more": 6, "misdealt": [misdealt("KD", (1, 1), "discard", seen=True)]},
    ],
    ids=["hands", "bank", "turned", "extra", "misdealt"],
)
def test_article_3_a_seventh_king_of_diamonds_is_one_too_many(known: dict[str, object]) -> None:
    boxes = boxes_with(*["KD"] * known.pop("more"))  # type: ignore[operator]
    found = the_finding(DECKS, a_round(*boxes, **known))  # type: ignore[arg-type]
    assert found.article == "3"
    assert found.observed == {"card": "KD", "times": 7}
    assert found.expected == {"at_most": 6}


@upholds_case(DECKS, "boundary")
@pytest.mark.parametrize("card", ["K?", "7?", "X?"])
def test_article_3_cards_of_unknown_suit_may_be_of_any_suit(card: str) -> None:
    assert said(DECKS, a_round(*boxes_with(*[card] * 12))) == LAWFUL


def test_article_3_each_card_too_many_is_found() -> None:
    boxes = boxes_with(*["KD"] * 7, *["2S"] * 7)
    found = findings(DECKS, a_round(*boxes))
    assert [one.observed["card"] for one in found] == ["2S", "KD"]


def test_article_3_a_misdealt_card_that_was_played_is_counted_once() -> None:
    stray = misdealt("KD", (1, 1), "hand", to=(2, 1), seen=False)
    boxes = [
        box(1, "KD KD", main(1000, 2000)),
        box(2, "2S 3D KD 5C", main(1000, 2000), does="hit hit stand"),
        box(3, "KD KD", main(1000, 2000)),
    ]
    assert said(DECKS, a_round(*boxes, bank="KD 7C", misdealt=[stray])) == LAWFUL
