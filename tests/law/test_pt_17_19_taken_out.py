"""PT art. 17 and 19: bank cards that were taken out of the round, and when they might go."""

import pytest

from casino.events.round.round_played import RoundPlayed
from tests.factories.rounds import a_round, box, even_money, insurance, main, misdealt, special
from tests.law.asking import (
    BREACH,
    LAWFUL,
    NOT_ASKED,
    UNDECIDED,
    cited,
    judged,
    owed,
    said,
    the_finding,
    verdict,
)
from tests.law.casebook import upholds_case

DEALT, DRAWN = "bank_keeps_the_cards_dealt_it", "bank_keeps_the_cards_it_draws"
UNKNOWN_OUTCOME = ("unknown-outcome",)
# What is due by the cards as the law deals them: test_pt_17_19_as_the_law_deals.py.
UNKNOWN = {"unknown-outcome": "not_decidable"}


def taken(bank: str, voided: str, came: str, *beside: object, paid: int = 0) -> RoundPlayed:
    """J1 stood on 18; `came` are the bank's cards in the order they left the shoe.

    Before a stroke are those that came before J1's second card: the first where there is none.
    """
    first, stroke, rest = came.partition(" | ")
    if not stroke:
        first, _, rest = came.partition(" ")
    to_bank = [", ".join(f"bank {card}" for card in cards.split()) for cards in (first, rest)]
    dealt = f"1 TS, {to_bank[0]}, 1 8D, {to_bank[1]}"
    boxes = box(1, "TS 8D", main(1000, paid)), *beside
    return a_round(*boxes, bank=bank, voided=voided, dealt=dealt)  # type: ignore[arg-type]


def unrecorded(bank: str, voided: str, **known: object) -> RoundPlayed:
    """The same where nobody recorded the order."""
    return a_round(box(1, "TS 8D", main(1000, 0)), bank=bank, voided=voided, **known)  # type: ignore[arg-type]


# 17: the two cards dealt to the bank


@upholds_case(DEALT, "lawful")
@pytest.mark.parametrize("why", ["turned", "face_up"])
def test_article_17_a_second_card_that_was_seen_is_replaced(why: str) -> None:
    played = taken("TH 9C", f"5C {why}", "TH 5C 9C")
    assert [said(DEALT, played), said(DRAWN, played)] == [LAWFUL, NOT_ASKED]
    assert (owed(played), cited(played)) == ((0, 0, None), [])


@upholds_case(DEALT, "boundary")
def test_article_17_and_so_is_the_one_that_replaced_it() -> None:
    played = taken("TH 9C", "5C turned, KD turned", "TH 5C KD 9C")
    assert (said(DEALT, played), owed(played), cited(played)) == (LAWFUL, (0, 0, None), [])


@upholds_case(DEALT, "unlawful")
@pytest.mark.parametrize(
    ("voided", "came", "after"),
    [
        ("5C turned", "5C TH | 9C", []),
        ("5C face_up", "5C TH | 9C", []),
        ("5C extra", "5C TH | 9C", []),
        ("5C extra", "TH 5C 9C", ["TH"]),
    ],
    ids=["the first, turned", "the first, open in the shoe", "the first", "the second, too many"],
)
def test_article_17_no_other_card_dealt_to_the_bank_goes(
    voided: str, came: str, after: list[str]
) -> None:
    played = taken("TH 9C", voided, came)
    found = the_finding(DEALT, played)
    assert (found.article, found.readings) == ("17", UNKNOWN_OUTCOME)
    card, why = voided.split()
    assert found.observed == {"taken_out": card, "why": why, "after": after}
    assert found.expected == {"goes_to": "bank"}
    wager_verdict = verdict(played, readings=UNKNOWN)
    assert (wager_verdict.due_cents, wager_verdict.why) == (None, "bank_card_taken_out")
    assert cited(played, readings=UNKNOWN) == [f"17 {DEALT}"]


# 19: the cards the bank draws


@upholds_case(DRAWN, "lawful")
@pytest.mark.parametrize(
    ("bank", "voided", "came"),
    [
        ("TH 9C", "5C extra", "TH 9C 5C"),
        ("TH 9C", "5C turned", "TH 9C 5C"),  # the reason written down decides nothing
        ("TH 2C 9C", "5C extra", "TH 2C 9C 5C"),
        ("TH 9C", "5C extra, 6D extra", "TH 9C 5C 6D"),
        ("AH 6C", "5C extra", "AH 6C 5C"),
    ],
)
def test_article_19_a_card_drawn_by_a_bank_that_stands_is_put_away(
    bank: str, voided: str, came: str
) -> None:
    played = taken(bank, voided, came, paid=2000 if bank == "AH 6C" else 0)
    assert (said(DRAWN, played), cited(played)) == (LAWFUL, [])
    assert verdict(played).due_cents is not None


@upholds_case(DRAWN, "boundary")
@pytest.mark.parametrize(("second", "said_of_it"), [("7C", LAWFUL), ("6C", BREACH)])
def test_article_19_at_seventeen_it_goes_and_at_sixteen_it_is_the_banks(
    second: str, said_of_it: str
) -> None:
    bank = f"TH {second}" if second == "7C" else f"TH {second} AC"
    played = taken(bank, "5C extra", f"TH {second} 5C" + (" AC" if second == "6C" else ""))
    assert said(DRAWN, played) == said_of_it


@upholds_case(DRAWN, "unlawful")
@pytest.mark.parametrize(
    ("bank", "voided", "came", "after"),
    [
        ("TH 6D TC", "5C extra", "TH 6D 5C TC", ["TH", "6D"]),
        ("TH 6D TC", "5C turned", "TH 6D 5C TC", ["TH", "6D"]),
        ("TH 6D TC", "5C face_up", "TH 6D 5C TC", ["TH", "6D"]),
        ("TH 2D 3H 6C", "9C extra", "TH 2D 3H 9C 6C", ["TH", "2D", "3H"]),
    ],
    ids=["one too many", "turned", "open in the shoe", "the fourth"],
)
def test_article_19_a_card_the_bank_had_to_draw_stays(
    bank: str, voided: str, came: str, after: list[str]
) -> None:
    played = taken(bank, voided, came)
    found = the_finding(DRAWN, played)
    assert (found.article, found.observed["after"]) == ("19", after)
    assert found.readings == UNKNOWN_OUTCOME
    wager_verdict = verdict(played, readings=UNKNOWN)
    assert (wager_verdict.outcome, wager_verdict.due_cents, wager_verdict.why) == (
        UNDECIDED,
        None,
        "bank_card_taken_out",
    )
    assert cited(played, readings=UNKNOWN) == [f"19 {DRAWN}"]


@upholds_case(DRAWN, "unlawful")
def test_article_19_put_away_at_sixteen_and_nothing_drawn_instead() -> None:
    played = taken("TH 6D", "5C extra", "TH 6D 5C")
    assert cited(played) == ["19 bank_draws_to_sixteen", f"19 {DRAWN}"]


@upholds_case(DRAWN, "boundary")
def test_article_22_with_nobody_left_no_third_card_was_anybodys() -> None:
    over = box(1, "TS 8D 9C", main(1000, 0))
    order = "1 TS, bank TH, 1 8D, bank 2C, 1 9C, bank 5D"
    played = a_round(over, bank="TH 2C", voided="5D extra", dealt=order)
    assert (said(DRAWN, played), cited(played)) == (LAWFUL, [])
    assert said(DRAWN, a_round(over, bank="TH 2C")) == NOT_ASKED


# What is due where a card went wrongly: every card after it would have been another


def test_article_17_19_a_third_card_leaves_every_players_cards_his_own() -> None:
    """It cannot make a blackjack either; what the bank made of it nobody knows."""
    over, blackjack = box(2, "TS 8C 9C", main(1000, 0)), box(3, "AS KD", main(1000, 2500))
    stood = box(1, "TS 8D", main(1000, 0), insurance(500, 0))
    order = "1 TS, 2 TS, 3 AS, bank AH, 1 8D, 2 8C, 3 KD, bank 5D, 2 9C, bank 5C, bank TC, bank 2C"
    played = a_round(stood, over, blackjack, bank="AH 5D TC 2C", voided="5C extra", dealt=order)
    assert cited(played) == [f"19 {DRAWN}"]
    due = [
        verdict(played, "main", owner, readings=UNKNOWN).due_cents for owner in ("J1", "J2", "J3")
    ]
    assert (due, verdict(played, "insurance").due_cents) == ([None, 0, 2500], 0)


def second_card_gone(*boxes: object, order: str, shows: str = "9H") -> RoundPlayed:
    """The bank's second card, 3C, was put away as one too many, and 9C came in its place."""
    order = f"{order.replace('bank', f'bank {shows}')}, bank 3C, bank 9C"
    cards = [one.cards[2:] for each in boxes for one in each.hands]  # type: ignore[attr-defined]
    order += "".join(f", {at} {card}" for at, drawn in enumerate(cards, 1) for card in drawn)
    return a_round(*boxes, bank=f"{shows} 9C", voided="3C extra", dealt=order)  # type: ignore[arg-type]


def test_article_17_who_drew_after_the_second_card_would_have_drawn_another() -> None:
    """With 3C on the table 9C would have been J1's, and all later cards others'."""
    over = box(1, "6D 9D 8C", main(1000, 0))
    sevens = box(2, "7S 7D 7C", main(1000, 2000), special(3000, at_once=True))
    order = "1 6D, 2 7S, bank, 1 9D, 2 7D"
    played = second_card_gone(over, sevens, order=order)
    assert cited(played, readings=UNKNOWN) == [f"17 {DEALT}"]
    for wager in judged(played, readings=UNKNOWN).wagers:
        assert (wager.due_cents, wager.why) == (None, "bank_card_taken_out")
    unpaid = second_card_gone(over, box(2, "7S 7D 7C", main(1000, 2000)), order=order)
    assert said("special_prize_paid", unpaid) == UNDECIDED
    assert said("special_prize_paid_at_once", played) == UNDECIDED


def test_article_17_who_drew_nothing_after_the_second_card_keeps_what_was_his() -> None:
    """A surrender, and a blackjack against a card that makes none, hang on no second card."""
    given_up = box(1, "TS 6D", main(1000, 500), does="surrender")
    blackjack = box(2, "AS KD", main(1000, 2500, at_once=True))
    order = "1 TS, 2 AS, bank, 1 6D, 2 KD"
    played = second_card_gone(given_up, blackjack, order=order)
    assert [one.due_cents for one in judged(played).wagers] == [500, 2500]
    against_a_ten = second_card_gone(given_up, blackjack, order=order, shows="TH")
    assert [one.due_cents for one in judged(against_a_ten, readings=UNKNOWN).wagers] == [500, None]
    taken_at_once = box(2, "AS KD", even_money(1000, 2000))
    against_an_ace = second_card_gone(
        box(1, "TS 6D", main(1000, 0)), taken_at_once, order=order, shows="AH"
    )
    assert [one.due_cents for one in judged(against_an_ace).wagers] == [None, 2000]


def test_article_17_after_the_first_card_every_second_card_would_have_been_another() -> None:
    boxes = (
        box(1, "TS 6D", main(1000, 500), does="surrender"),
        box(2, "AS KD", even_money(1000, 2000)),
        box(3, "AD QD", main(1000, 2500)),
        box(4, "8S 7D 9D", main(1000, 0)),
        box(5, "7S 7D 7C", main(1000, 2000), special(3000, at_once=True)),
        box(6, "TS 8D", main(1000, 0), insurance(500, 0)),
    )
    first = "1 TS, 2 AS, 3 AD, 4 8S, 5 7S, 6 TS, bank 5C, bank AH"
    second = "1 6D, 2 KD, 3 QD, 4 7D, 5 7D, 6 8D, bank 8C, 4 9D, 5 7C"
    played = a_round(*boxes, bank="AH 8C", voided="5C turned", dealt=f"{first}, {second}")
    verdict = judged(played).wagers
    assert {(one.due_cents, one.why) for one in verdict} == {(None, "bank_card_taken_out")}
    rules = {one.check for one in verdict}
    assert {"surrender_loses_half", "even_money_pays_one_to_one", "bust_loses"} <= rules
    as_it_lay = judged(played, readings={"unknown-outcome": "as_it_lay"}).wagers
    assert None not in {one.due_cents for one in as_it_lay}


def test_article_17_18_cards_that_came_before_it_are_ones_own() -> None:
    """J1 went over before the bank took its card before its turn; J2 asked after that."""
    boxes = box(1, "TS 8D 9C", main(1000, 0)), box(2, "TC 6D 7C", main(1000, 0))
    order = "1 TS, 2 TC, bank 6H, 1 8D, 2 6D, bank 7S, 1 9C, bank KC, 2 7C"
    played = a_round(*boxes, bank="6H 7S", voided="KC extra", dealt=order)
    assert [one.due_cents for one in judged(played).wagers] == [0, None]


# 17 and 18: a card the bank drew before every player was asked


@upholds_case(DRAWN, "boundary")
@pytest.mark.parametrize("why", ["extra", "turned"])
def test_article_17_18_a_card_drawn_before_its_turn_was_not_the_banks(why: str) -> None:
    """The player should have been asked first: that is found, and not that the card went."""
    asked = box(1, "TS 2D 4C", main(1000, 0))
    order = "1 TS, bank 6H, 1 2D, bank 7C, bank KC, 1 4C, bank 5D"
    played = a_round(asked, bank="6H 7C 5D", voided=f"KC {why}", dealt=order)
    assert said(DRAWN, played) == NOT_ASKED
    found = the_finding("players_asked_in_order", played)
    assert found.observed == {"card": 6, "went_to": "1/1"}
    assert found.expected == {"not_before_box": "bank"}
    assert (verdict(played).due_cents, verdict(played).why) == (None, "bank_card_taken_out")
    assert cited(played) == ["18 players_asked_in_order"]


@upholds_case(DRAWN, "boundary")
def test_article_19_a_bank_that_stands_puts_away_what_it_drew_whenever_it_came() -> None:
    asked = box(1, "TS 2D 4C", main(1000, 0))
    order = "1 TS, bank TH, 1 2D, bank 7C, bank KC, 1 4C"
    played = a_round(asked, bank="TH 7C", voided="KC extra", dealt=order)
    assert (said(DRAWN, played), owed(played), cited(played)) == (LAWFUL, (0, 0, None), [])


@upholds_case(DRAWN, "boundary")
def test_article_19_where_cards_alike_came_before_their_turn_and_after_it() -> None:
    asked = box(1, "TS 2D 4C", main(1000, 0))
    order = "1 TS, bank 6H, 1 2D, bank 2C, bank 2C, 1 4C, bank 2C, bank 8D"
    played = a_round(asked, bank="6H 2C 2C 8D", voided="2C extra", dealt=order)
    assert said(DRAWN, played) == UNDECIDED
    assert said(DEALT, played) == UNDECIDED


# Cards alike


@upholds_case(DEALT, "boundary")
def test_article_17_the_card_the_bank_showed_came_before_the_second_cards() -> None:
    """Else it would have shown none when the players got theirs: that tells two sevens apart."""
    played = taken("7H KD", "TH turned, 7H turned", "7H | TH 7H KD", paid=2000)
    assert (said(DEALT, played), owed(played), cited(played)) == (LAWFUL, (2000, 0, None), [])
    twice = taken("7H KD", "7H extra", "7H 7H | KD")
    assert said(DEALT, twice) == BREACH


def test_article_17_19_cards_alike_are_told_apart_by_their_order() -> None:
    assert said(DRAWN, taken("TH 6C 5C", "TH extra", "TH 6C TH 5C")) == BREACH
    assert said(DRAWN, taken("TH 2C 5C", "5C extra", "TH 2C 5C 5C")) == UNDECIDED
    either = taken("TH 5C 5C 5C", "5C extra", "TH 5C 5C 5C 5C")
    assert [said(DEALT, either), said(DRAWN, either)] == [UNDECIDED, UNDECIDED]


# Where nobody recorded the order


@upholds_case(DEALT, "boundary")
@pytest.mark.parametrize(
    ("bank", "voided"),
    [("TH 9C", "5C turned"), ("TH 9C", "5C extra"), ("TH 6D TC", "5C extra")],
)
def test_article_17_19_when_it_came_is_not_decidable_without_the_order(
    bank: str, voided: str
) -> None:
    played = unrecorded(bank, voided)
    assert [said(DEALT, played), said(DRAWN, played)] == [UNDECIDED, UNDECIDED]
    assert (verdict(played).due_cents, verdict(played).why) == (None, "bank_card_taken_out")
    assert cited(played) == []


def test_article_17_19_the_order_of_other_cards_tells_nothing() -> None:
    """A misdealt card may lie in another place than it came in: then the order says nothing."""
    stray = misdealt("2C", (1, 1), "bank", seen=False)
    dealt = "1 TS, bank TH, 1 8D, bank 2C, bank 5C, bank 4D, bank 9C"
    played = unrecorded("TH 4D 2C 9C", "5C extra", misdealt=[stray], dealt=dealt)
    assert [said(DEALT, played), said(DRAWN, played)] == [UNDECIDED, UNDECIDED]


def test_article_17_19_the_other_reading_settles_what_lay_there() -> None:
    as_it_lay = {"unknown-outcome": "as_it_lay"}
    for played in (unrecorded("TH 9C", "5C turned"), taken("TH 9C", "5C turned", "5C TH | 9C")):
        assert owed(played, readings=as_it_lay) == (0, 0, None)


# The other books


@pytest.mark.parametrize("book", ["es", "br"])
def test_where_incidents_are_decided_at_the_table_nothing_is_found(book: str) -> None:
    played = taken("TH 6D TC", "5C extra", "TH 6D 5C TC")
    assert [said(DEALT, played, book), said(DRAWN, played, book)] == [NOT_ASKED, NOT_ASKED]
    assert verdict(played, book=book).why == "bank_card_taken_out"
    stands = a_round(
        box(1, "TS 8D", main(1000, 0)),
        bank="TH 9C",
        voided="5C extra",
        dealt="1 TS, bank TH, 1 8D, bank 9C, bank 5C",
    )
    assert owed(stands, book=book) == (0, 0, None)


@pytest.mark.parametrize(
    ("book", "section"), [("fr", "an-important-trip"), ("pt-summary", "regras/jogo-da-banca")]
)
def test_where_the_bank_has_one_rule_its_card_stays(book: str, section: str) -> None:
    played = taken("TH 6D TC", "5C extra", "TH 6D 5C TC")
    assert the_finding(DRAWN, played, book).article == section


@pytest.mark.parametrize("book", ["es", "br", "fr"])
def test_where_the_second_card_comes_last_turning_it_is_no_mistake(book: str) -> None:
    """It is drawn open, at the bank's turn: to put it away is to put away a card it had to draw."""
    played = taken("TH 9C", "5C turned", "TH 5C 9C")
    assert said(DRAWN, played, book) == (BREACH if book == "fr" else NOT_ASKED)
    assert verdict(played, book=book).why == "bank_card_taken_out"
    gone = a_round(
        box(1, "TS 8D 9C", main(1000, 0)),
        bank="TH",
        voided="5C extra",
        dealt="1 TS, bank TH, 1 8D, 1 9C, bank 5C",
    )
    assert said(DRAWN, gone, book) == (LAWFUL if book == "fr" else NOT_ASKED)


def test_where_no_book_sends_a_card_away_throwing_it_away_decides_nothing() -> None:
    """A card that lay open in the shoe: two books put it out of play, three do not speak of it."""
    found = [misdealt("9C", "shoe", "discard")]
    played = a_round(box(1, "TS 8D", main(1000, 2000)), misdealt=found)
    for book in ("es", "br"):
        assert owed(played, book=book) == (2000, 0, None)
    for book in ("pt", "fr", "pt-summary"):
        assert verdict(played, book=book).why == "face_up_card_thrown_away"
        assert cited(played, book) == (["order-of-play/boxes lone_player_boxes"] * (book == "fr"))


def test_where_a_card_lay_open_in_the_shoe_what_came_before_it_is_settled() -> None:
    """A blackjack made with it was never to be; one dealt before it was."""
    boxes = box(1, "AS KD", main(1000, 2500)), box(2, "AD QD", main(1000, 2500))
    order = "1 AS, 2 AD, bank 9H, 1 KD, 2 QD, bank 8C"
    found = [misdealt("QD", "shoe", "hand", to=(2, 1), seen=True)]
    played = a_round(*boxes, bank="9H 8C", misdealt=found, dealt=order)
    assert [one.due_cents for one in judged(played, "es").wagers] == [2500, None]
    unrecorded = a_round(*boxes, bank="9H 8C", misdealt=found)
    assert [one.why for one in judged(unrecorded, "es").wagers] == ["face_up_card_kept"] * 2
