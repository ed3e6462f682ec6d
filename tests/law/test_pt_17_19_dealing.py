"""PT art. 17 and 19, and the misdealt card of 18: what the dealer does with the cards."""

import pytest

from casino.events.round.round_played import RoundPlayed
from tests.factories.rounds import a_round, box, hand, insurance, main, misdealt
from tests.law.asking import (
    BREACH,
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

STAKED, ORDER = "cards_only_to_staked_boxes", "dealt_in_order"
ASKED_SO = "players_asked_in_order"
HIDDEN, PLACED = "second_bank_card_face_down", "misdealt_card_placed"
DRAWS, STANDS = "bank_draws_to_sixteen", "bank_stands_at_seventeen"

WINS = box(1, "TS 8D", main(1000, 2000))

# 17: who gets cards


@upholds_case(STAKED, "lawful")
def test_article_17_a_staked_box_gets_cards() -> None:
    assert said(STAKED, a_round(WINS)) == LAWFUL
    stranger = main(1000, 2000, "J5", seat=5)
    assert said(STAKED, a_round(box(3, "TS 8D", stranger, vacant=True))) == LAWFUL


@upholds_case(STAKED, "boundary")
def test_article_17_a_box_without_stake_and_without_cards_is_left_alone() -> None:
    assert said(STAKED, a_round(box(1, ""))) == NOT_ASKED
    assert said(STAKED, a_round(box(1, "", insurance(500, 500)))) == NOT_ASKED


@upholds_case(STAKED, "unlawful")
@pytest.mark.parametrize("number", [2, 7])
def test_article_17_no_cards_without_a_stake(number: int) -> None:
    found = the_finding(STAKED, a_round(WINS, box(number, "TH 9D")))
    assert (found.article, found.where) == ("17", {"box": number})
    assert found.observed == {"hands": 1, "main_stakes": 0}


@upholds_case(STAKED, "unlawful")
def test_article_17_an_insurance_alone_is_no_stake() -> None:
    assert said(STAKED, a_round(box(1, "TH 9D", insurance(500, 0)), bank="AH 7C")) == BREACH


@upholds_case(STAKED, "unlawful")
def test_article_17_no_stake_without_cards() -> None:
    forgotten = box(2, "", main(1000, 1000))
    assert the_finding(STAKED, a_round(WINS, forgotten)).where == {"box": 2}


# 17: the order of the cards


def two_boxes(dealt: str | None, **known: object) -> RoundPlayed:
    boxes = box(2, "2S 3D 9C", main(1000, 0)), box(5, "TS 8D", main(1000, 2000))
    return a_round(*boxes, dealt=dealt, **known)  # type: ignore[arg-type]


IN_ORDER = "2 2S, 5 TS, bank TH, 2 3D, 5 8D, bank 7C, 2 9C"


@upholds_case(ORDER, "lawful")
def test_article_17_each_box_then_the_bank_and_the_same_again() -> None:
    assert said(ORDER, two_boxes(IN_ORDER)) == LAWFUL


@upholds_case(ORDER, "boundary")
@pytest.mark.parametrize(
    ("dealt", "known"),
    [
        (f"discard 4S, {IN_ORDER}", {"misdealt": [misdealt("4S", "shoe", "discard")]}),
        (
            "2 2S, 5 TS, bank TH, 2 3D, 5 8D, bank 4S, bank 7C, 2 9C",
            {"voided": "4S turned"},
        ),
    ],
    ids=["a card found face up", "a turned card replaced"],
)
def test_article_17_cards_out_of_play_do_not_disturb_the_order(
    dealt: str, known: dict[str, object]
) -> None:
    assert said(ORDER, two_boxes(dealt, **known)) == LAWFUL


@upholds_case(ORDER, "boundary")
@pytest.mark.parametrize(
    ("bank", "voided", "to_bank"),
    [
        ("TH 2C 5C", "5C face_up", ("5C, bank 2C", "5C")),
        ("TH 9C", "9C turned", ("9C", "9C")),
        ("TH 5C 5C", "5C turned, 2C turned, 5C extra", ("5C, bank 2C, bank 5C", "5C, bank 5C")),
    ],
    ids=["the second went", "the third went", "both went"],
)
def test_article_17_a_card_taken_out_and_one_like_it_that_counts(
    bank: str, voided: str, to_bank: tuple[str, str]
) -> None:
    asked = box(1, "TS 2D 9C", main(1000, 2000), does="hit")
    second, third = to_bank
    order = f"1 TS, bank TH, 1 2D, bank {second}, 1 9C, bank {third}"
    assert said(ORDER, a_round(asked, bank=bank, voided=voided, dealt=order)) == LAWFUL


@upholds_case(ORDER, "boundary")
def test_article_17_the_hand_that_was_dealt_may_have_any_number() -> None:
    split = hand("8D TH", "stand", out_of=2), hand("8S TC", "split stand")
    pair = box(1, split, main(1000, 0), main(1000, 0, hand=2))
    order = "1/2 8S, bank TH, 1/2 8D, bank 9C, 1/2 TC, 1/1 TH"
    assert said(ORDER, a_round(pair, bank="TH 9C", dealt=order)) == LAWFUL


@upholds_case(ORDER, "unlawful")
@pytest.mark.parametrize(
    ("dealt", "observed", "expected"),
    [
        ("5 TS, 2 2S, bank TH, 2 3D, 5 8D, bank 7C, 2 9C", "5/1", "2/1"),
        ("bank TH, 2 2S, 5 TS, 2 3D, 5 8D, bank 7C, 2 9C", "bank", "2/1"),
        ("2 2S, 2 3D, 5 TS, 5 8D, bank TH, bank 7C, 2 9C", "2/1", "5/1"),
        ("2 2S, 5 TS, bank TH, bank 7C, 2 3D, 5 8D, 2 9C", "bank", "2/1"),
        ("2 2S, 5 TS, bank TH, 2 3D, 5 8D, 2 9C, bank 7C", "2/1", "bank"),
    ],
    ids=["higher box first", "bank first", "two at a time", "bank's second early", "and late"],
)
def test_article_17_no_other_order(dealt: str, observed: str, expected: str) -> None:
    found = the_finding(ORDER, two_boxes(dealt))
    assert found.article == "17"
    assert found.observed["went_to"] == observed
    assert found.expected["goes_to"] == expected


@upholds_case(ASKED_SO, "unlawful")
@pytest.mark.parametrize(
    "dealt",
    [
        "2 2S, 5 TS, bank TH, 2 3D, 5 8D, bank 5C, 5 2H, 2 9C, bank 7C",
        "2 2S, 5 TS, bank TH, 2 3D, 5 8D, bank 5C, 2 9C, bank 7C, 5 2H",
    ],
    ids=["box 5 before box 2", "the bank before box 5"],
)
def test_article_18_boxes_draw_in_rising_order_and_the_bank_last(dealt: str) -> None:
    boxes = box(2, "2S 3D 9C", main(1000, 0)), box(5, "TS 8D 2H", main(1000, 2000))
    played = a_round(*boxes, bank="TH 5C 7C", dealt=dealt)
    assert the_finding(ASKED_SO, played).article == "18"
    assert said(ORDER, played) == LAWFUL


@upholds_case(ASKED_SO, "lawful")
def test_article_18_box_after_box_and_then_the_bank() -> None:
    boxes = box(2, "2S 3D 9C", main(1000, 0)), box(5, "TS 8D 2H", main(1000, 2000))
    dealt = "2 2S, 5 TS, bank TH, 2 3D, 5 8D, bank 5C, 2 9C, 5 2H, bank 7C"
    assert said(ASKED_SO, a_round(*boxes, bank="TH 5C 7C", dealt=dealt)) == LAWFUL


@upholds_case(ASKED_SO, "boundary")
def test_article_18_of_a_deal_out_of_order_the_asking_is_not_asked() -> None:
    early = "5 TS, 2 2S, bank TH, 2 3D, 5 8D, bank 7C, 2 9C"
    assert said(ASKED_SO, two_boxes(early)) == NOT_ASKED
    assert said(ASKED_SO, two_boxes(None)) == UNDECIDED


@upholds_case(ASKED_SO, "boundary")
def test_article_18_the_hands_of_a_split_box_draw_in_turn() -> None:
    hands = [hand("8S 3D TC", "split double"), hand("8D TH", out_of=1)]
    boxes = (
        box(2, hands, main(2000, 4000, first=1000), main(1000, 2000, hand=2)),
        box(5, "TS 8D", main(1000, 2000)),
    )
    dealt = "2 8S, 5 TS, bank TH, 2 8D, 5 8D, bank 7C, 2 3D, 2/2 TH, 2 TC"
    assert said(ASKED_SO, a_round(*boxes, dealt=dealt)) == LAWFUL


def test_article_17_the_order_is_not_decidable_where_nobody_told_it() -> None:
    assert said(ORDER, two_boxes(None)) == UNDECIDED


def test_article_17_the_other_books_deal_the_second_bank_card_after_the_players() -> None:
    after = "2 2S, 5 TS, bank TH, 2 3D, 5 8D, 2 9C, bank 7C"
    for book in ("es", "br", "fr"):
        assert said(ORDER, two_boxes(after), book) == LAWFUL
        assert said(ORDER, two_boxes(IN_ORDER), book) == LAWFUL
        assert said(ASKED_SO, two_boxes(IN_ORDER), book) == BREACH
    assert said(ORDER, two_boxes(after), "pt-summary") == NOT_ASKED


# 17: the bank's second card


@upholds_case(HIDDEN, "lawful")
def test_article_17_the_second_bank_card_lies_face_down() -> None:
    assert said(HIDDEN, a_round(WINS)) == LAWFUL


@upholds_case(HIDDEN, "boundary")
def test_article_17_a_second_card_turned_by_mistake_is_replaced() -> None:
    order = "1 TS, bank TH, 1 8D, bank 9C, bank 7C"
    played = a_round(WINS, voided="9C turned", dealt=order)
    assert said(HIDDEN, played) == LAWFUL
    assert owed(played) == (2000, 0, None)
    assert cited(played) == []


def turned_and_kept(*boxes: object, bank: str = "TH 7C", card: str = "7C") -> RoundPlayed:
    kept = misdealt(card, "bank", "bank", seen=True)
    return a_round(*boxes, bank=bank, bank_open=(1, 2), misdealt=[kept])  # type: ignore[arg-type]


@upholds_case(HIDDEN, "unlawful")
@pytest.mark.parametrize(("bank", "card"), [("TH 7C", "7C"), ("9H AC", "AC")])
def test_article_17_a_turned_card_is_not_kept(bank: str, card: str) -> None:
    played = turned_and_kept(WINS, bank=bank, card=card)
    found = the_finding(HIDDEN, played)
    assert (found.article, found.readings) == ("17", ("unknown-outcome",))
    assert (found.observed, found.expected) == ({"kept": card}, {"goes_to": "discard"})
    assert (verdict(played).outcome, verdict(played).why) == (UNDECIDED, "turned_card_kept")


def test_article_17_hands_no_bank_card_could_change_are_settled_all_the_same() -> None:
    """Not who drew after it: his first card would have been the one that was kept."""
    blackjack = box(1, "AS KD", main(1000, 2000))
    given_up = box(2, "TS 6D", main(1000, 1000), does="surrender")
    over = box(3, "TS 8D 9C", main(1000, 1000))
    played = turned_and_kept(blackjack, given_up, over, bank="9H 8C", card="8C")
    assert owed(played, owner="J1") == (2500, 500, "player")
    assert owed(played, owner="J2") == (500, 500, "house")
    wager_verdict = verdict(played, owner="J3")
    assert (wager_verdict.due_cents, wager_verdict.why) == (None, "turned_card_kept")


@upholds_case(HIDDEN, "unlawful")
@pytest.mark.parametrize("bank_open", [(), (1, 3)])
def test_article_17_the_first_bank_card_and_no_other_lies_open(bank_open: tuple[int, ...]) -> None:
    found = the_finding(HIDDEN, a_round(WINS, bank="TH 2C 5D", bank_open=bank_open))
    assert (found.observed, found.expected) == ({"open": list(bank_open)}, {"open": [1]})


@upholds_case(HIDDEN, "unlawful")
def test_article_17_the_bank_gets_a_second_card() -> None:
    played = a_round(WINS, bank="TH")
    assert the_finding(HIDDEN, played).observed == {"bank_cards": 1}
    assert cited(played) == [f"17 {HIDDEN}"]  # and not 19 as well
    assert verdict(played).due_cents is None


def test_article_17_what_lay_open_may_be_unknown() -> None:
    assert said(HIDDEN, a_round(WINS, bank_open=None)) == UNDECIDED


# 18: a card drawn against a player's will

STOOD = box(1, "TS 8D", main(1000, 0))
ASKED = box(2, "TS 2D 9C", main(1000, 2000), does="hit stand")
WAITED = box(2, "TS 9D", main(1000, 0))


def stray(fate: str, seen: bool | None, *boxes: object, **known: object) -> RoundPlayed:
    """The nine of clubs came out for box 1, which stood."""
    to = known.pop("to", None)
    card = misdealt("9C", (1, 1), fate, seen=seen, to=to)
    return a_round(*boxes, misdealt=[card], **known)  # type: ignore[arg-type]


@upholds_case(PLACED, "lawful")
@pytest.mark.parametrize(
    "played",
    [
        stray("hand", False, STOOD, ASKED, to=(2, 1)),
        stray("bank", False, STOOD, WAITED, bank="6H 5C 9C"),
        stray("discard", True, STOOD, WAITED),
        stray("discard", True, STOOD, box(2, "TS 2D 5H", main(1000, 0), does="hit stand")),
    ],
    ids=["to the next who asks", "to the bank", "seen, away", "seen, away though one asks"],
)
def test_article_18_a_card_nobody_wanted_goes_where_the_law_sends_it(played: RoundPlayed) -> None:
    assert said(PLACED, played) == LAWFUL
    assert verdict(played).due_cents is not None


@upholds_case(PLACED, "boundary")
def test_article_18_a_bank_that_stands_does_not_get_it() -> None:
    played = stray("discard", False, STOOD, WAITED, bank="TH TC")
    assert said(PLACED, played) == LAWFUL
    assert cited(played) == []


@upholds_case(PLACED, "boundary")
def test_article_18_a_standing_bank_that_took_it_breaks_article_19() -> None:
    played = stray("bank", False, STOOD, WAITED, bank="TH TC 9C")
    assert said(PLACED, played) == LAWFUL
    assert cited(played) == [f"19 {STANDS}"]
    assert [one.due_cents for one in (verdict(played), verdict(played, owner="J2"))] == [0, 0]


LATER = box(3, "TS 2D 9C", main(1000, 2000), does="hit stand")
NEXT = box(2, "TS 2D 5H", main(1000, 0), does="hit stand")


@upholds_case(PLACED, "unlawful")
@pytest.mark.parametrize(
    ("played", "went_to", "goes_to"),
    [
        (stray("hand", True, STOOD, ASKED, to=(2, 1)), "hand", "discard"),
        (stray("discard", False, STOOD, NEXT), "discard", "hand"),
        (stray("hand", False, STOOD, NEXT, LATER, to=(3, 1)), "hand", "hand"),
        (stray("bank", False, STOOD, NEXT, bank="6H 5C 9C"), "bank", "hand"),
        (stray("discard", False, STOOD, WAITED, bank="6H 5C TC"), "discard", "bank"),
        (stray("bank", True, STOOD, WAITED, bank="6H 5C 9C"), "bank", "discard"),
    ],
    ids=[
        "seen, yet played",
        "unseen, thrown away",
        "past the next",
        "past a player to the bank",
        "kept from the bank",
        "seen, yet the bank's",
    ],
)
def test_article_18_it_goes_nowhere_else(played: RoundPlayed, went_to: str, goes_to: str) -> None:
    found = the_finding(PLACED, played)
    assert (found.article, found.where) == ("18", {"box": 1, "hand": 1})
    assert (found.observed["went_to"], found.expected["goes_to"]) == (went_to, goes_to)
    assert set(found.readings) == {"misdealt-to-standing-bank", "unknown-outcome"}


def test_article_18_a_misdirected_card_leaves_the_later_hands_undecided() -> None:
    played = stray("discard", False, STOOD, NEXT, bank="TH 6C 2D")
    wager_verdict = verdict(played, owner="J2")
    assert (wager_verdict.outcome, wager_verdict.due_cents, wager_verdict.why) == (
        UNDECIDED,
        None,
        "misdealt_card_misdirected",
    )
    assert "unknown-outcome" in wager_verdict.readings


def test_article_18_whether_it_was_seen_may_be_unknown() -> None:
    assert said(PLACED, stray("hand", None, STOOD, ASKED, to=(2, 1))) == UNDECIDED
    assert said(PLACED, stray("discard", None, STOOD, WAITED)) == UNDECIDED


def test_article_18_is_not_asked_of_a_card_found_in_the_shoe() -> None:
    assert said(PLACED, a_round(WINS, misdealt=[misdealt("9C", "shoe", "discard")])) == NOT_ASKED


def test_article_18_two_stray_cards_go_to_the_next_two_requests() -> None:
    """Box 2 asked once and stood; the second stray waits for box 3, which asked next."""
    strays = [
        misdealt("9C", (1, 1), "hand", to=(2, 1), seen=False),
        misdealt("5H", (1, 1), "hand", to=(3, 1), seen=False),
    ]
    third = box(3, "TS 2D 5H", main(1000, 0), does="hit stand")
    played = a_round(STOOD, ASKED, third, misdealt=strays, bank="TH 9C")
    assert said(PLACED, played) == LAWFUL
    assert cited(played) == []
