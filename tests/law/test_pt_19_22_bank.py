"""PT art. 19 and 22: when the bank draws, when it stands, when it rests."""

import pytest

from casino.law.round_judge import judge
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.rounds import a_round, box, even_money, insurance, main
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

DRAWS, STANDS = "bank_draws_to_sixteen", "bank_stands_at_seventeen"
RESTS = "bank_rests_when_all_are_out"
SOFT = "bank_ace_is_eleven_at_seventeen"
PT = load_law("pt")
LOSES = box(1, "TS 4D", main(1000, 0))
OVER = box(1, "TS 8D 9C", main(1000, 0))


@upholds_case(DRAWS, "lawful")
@pytest.mark.parametrize("bank", ["TH 2C 5D", "TH 5C 4D", "2H 2C 2D 2S 9H", "TH 8C"])
def test_article_19_the_bank_draws_until_it_has_seventeen(bank: str) -> None:
    assert said(DRAWS, a_round(LOSES, bank=bank)) == LAWFUL


@upholds_case(DRAWS, "boundary")
@pytest.mark.parametrize("bank", ["TH 6C AD", "TH 7C", "AH 6C"])
def test_article_19_sixteen_draws_and_seventeen_stands(bank: str) -> None:
    assert cited(a_round(LOSES, bank=bank)) == []


@upholds_case(DRAWS, "unlawful")
@pytest.mark.parametrize(
    ("bank", "total"), [("TH 6C", 16), ("TH 2C", 12), ("AH 5C", 16), ("TH 2C 3D", 15)]
)
def test_article_19_a_bank_with_sixteen_or_less_does_not_stop(bank: str, total: int) -> None:
    played = a_round(LOSES, bank=bank)
    found = the_finding(DRAWS, played)
    assert found.article == "19"
    assert found.observed == {"bank_total": total, "bank_cards": len(bank.split())}
    assert (found.expected, found.readings) == ({"draws_to": 16}, ("unknown-outcome",))
    wager_verdict = verdict(played)
    assert (wager_verdict.outcome, wager_verdict.due_cents, wager_verdict.why) == (
        UNDECIDED,
        None,
        "bank_stopped_below",
    )


def test_article_19_an_early_stop_does_not_change_who_was_over_or_had_a_blackjack() -> None:
    blackjack = box(2, "AS KD", main(1000, 2500))
    played = a_round(OVER, blackjack, box(3, "TS 9D", main(1000, 2000)), bank="9H 3C")
    due = [verdict(played, owner=owner).due_cents for owner in ("J1", "J2", "J3")]
    assert due == [0, 2500, None]


@upholds_case(DRAWS, "boundary")
@pytest.mark.parametrize("bank", ["TH 2C", "6H 5C"])
def test_article_19_with_nobody_left_the_bank_need_not_draw(bank: str) -> None:
    assert said(DRAWS, a_round(OVER, bank=bank)) == NOT_ASKED


@upholds_case(STANDS, "lawful")
@pytest.mark.parametrize("bank", ["TH 8C", "TH TC", "TH 6C 5D", "TH 6C 9D"])
def test_article_19_the_bank_stands_on_seventeen_or_more(bank: str) -> None:
    assert said(STANDS, a_round(LOSES, bank=bank)) == LAWFUL


@upholds_case(STANDS, "boundary")
def test_article_19_seventeen_itself_stands_and_an_extra_card_taken_out_is_no_breach() -> None:
    assert said(STANDS, a_round(LOSES, bank="TH 7C")) == LAWFUL
    order = "1 TS, bank TH, 1 4D, bank 7C, bank 9D"
    assert cited(a_round(LOSES, bank="TH 7C", voided="9D extra", dealt=order)) == []


@upholds_case(STANDS, "unlawful")
@pytest.mark.parametrize(
    ("bank", "drawn"),
    [
        ("TH 7C 3D", ["3D"]),
        ("TH 8C 9D", ["9D"]),
        ("TH 2C 6D 4S", ["4S"]),
        ("TH TC AD", ["AD"]),
        ("TH 7C 2D 2S", ["2D", "2S"]),
    ],
)
def test_article_19_a_card_too_many_counts_for_nothing(bank: str, drawn: list[str]) -> None:
    played = a_round(LOSES, bank=bank)
    found = the_finding(STANDS, played)
    assert (found.article, found.observed) == ("19", {"drawn": drawn})
    assert (found.expected, found.readings) == ({"stands_at": 17}, ("void-beyond-right",))
    assert owed(played) == (0, 0, None)
    assert "void-beyond-right" in verdict(played).readings


def test_article_19_the_money_follows_the_cards_that_count() -> None:
    """17 and a four: 21 as dealt, 17 by the law; a 20 that lost to it had won."""
    played = a_round(box(1, "TS TD", main(1000, 0)), bank="TH 7C 4D")
    assert owed(played) == (2000, 2000, PLAYER)
    saved = a_round(box(1, "TS 6D", main(1000, 2000)), bank="TH 7C 9D")
    assert owed(saved) == (0, 2000, HOUSE)


def test_article_19_soft_seventeen_is_found_once() -> None:
    assert cited(a_round(LOSES, bank="AH 6C 2D")) == [f"19 {SOFT}"]


# 22: with nobody left


@upholds_case(RESTS, "lawful")
@pytest.mark.parametrize("bank", ["TH 2C", "TH 7C", "6H 5C"])
def test_article_22_with_all_over_the_bank_takes_no_third_card(bank: str) -> None:
    assert said(RESTS, a_round(OVER, bank=bank)) == LAWFUL


GONE = [
    ("all over", [OVER, box(2, "9S 7D TC", main(1000, 0))], "TH 2C 7D"),
    ("given up", [box(1, "TS 6D", main(1000, 500), does="surrender")], "TH 2C 7D"),
    ("insured", [box(1, "TS 8D 9C", main(1000, 0), insurance(500, 0))], "AH 2C 7D"),
]


@upholds_case(RESTS, "unlawful")
@pytest.mark.parametrize(("boxes", "bank"), [row[1:] for row in GONE], ids=[g[0] for g in GONE])
def test_article_22_a_third_card_with_everybody_out(boxes: list[object], bank: str) -> None:
    played = a_round(*boxes, bank=bank)  # type: ignore[arg-type]
    found = the_finding(RESTS, played)
    assert (found.article, found.observed) == ("22", {"drawn": ["7D"]})
    assert found.expected == {"bank_cards": 2}
    assert "paid-out-counts-as-out" not in found.readings
    assert cited(played) == [f"22 {RESTS}"]


PAID_OUT = [
    ([OVER, box(2, "AS KD", main(1000, 2500, at_once=True))], "9H"),
    ([OVER, box(2, "AS KD", even_money(1000, 2000))], "AH"),
]


@upholds_case(RESTS, "boundary")
@pytest.mark.parametrize(("boxes", "shows"), PAID_OUT, ids=["blackjack", "even money"])
@pytest.mark.parametrize(
    ("choice", "drew", "stopped"),
    [("either", [], []), ("out", [f"22 {RESTS}"], []), ("in_play", [], [f"19 {DRAWS}"])],
)
def test_articles_19_and_22_a_hand_that_was_paid_leaves_it_to_the_bank(
    boxes: list[object], shows: str, choice: str, drew: list[str], stopped: list[str]
) -> None:
    """To obey 19 is no breach of 22, which excuses a bank whose players lost or surrendered."""
    law = PT.with_readings({"paid-out-counts-as-out": choice})
    for bank, cites in ((f"{shows} 2C 7D", drew), (f"{shows} 2C", stopped)):
        found = judge(a_round(*boxes, bank=bank), law).findings  # type: ignore[arg-type]
        assert [f"{one.article} {one.check}" for one in found] == cites
        assert all(one.readings[:1] == ("paid-out-counts-as-out",) for one in found)


def test_article_22_an_open_insurance_hangs_on_a_reading_of_its_own() -> None:
    insured = box(1, "TS 8D 9C", main(1000, 0), insurance(500, 0))
    found = the_finding(RESTS, a_round(insured, bank="AH 2C 7D"))
    assert found.readings == ("insurance-settles",)


@upholds_case(RESTS, "boundary")
def test_article_22_one_hand_left_keeps_the_bank_drawing() -> None:
    played = a_round(OVER, box(2, "TS 4D", main(1000, 0)), bank="TH 2C 7D")
    assert [said(RESTS, played), said(DRAWS, played)] == [NOT_ASKED, LAWFUL]


@upholds_case(RESTS, "boundary")
@pytest.mark.parametrize("bank", ["TH 5C", "TH 5C 2D", "AH 5C", "AH 5C TD AS"])
def test_article_22_a_blackjack_that_waits_allows_either(bank: str) -> None:
    waiting = box(2, "AS KD", main(1000, 2500))
    played = a_round(OVER, waiting, bank=bank)
    assert [said(RESTS, played), said(DRAWS, played)] == [NOT_ASKED, NOT_ASKED]
    assert cited(played) == []


def test_article_22_is_not_asked_in_books_that_do_not_say_it() -> None:
    played = a_round(OVER, box(2, "9S 7D TC", main(1000, 0)), bank="TH 2C 7D")
    for book in ("es", "br", "fr", "pt-summary"):
        assert said(RESTS, played, book) == NOT_ASKED
        assert cited(played, book) == []


def test_article_22_a_third_card_on_seventeen_with_all_out_is_found_once() -> None:
    played = a_round(OVER, bank="TH 7C 7D")
    assert [said(STANDS, played), said(RESTS, played)] == [LAWFUL, BREACH]
