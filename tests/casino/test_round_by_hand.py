"""A round by hand: what was tapped, what the law pays for it, and what of it is recorded.

Law: PT art. 17-25, 33, 61.
"""

from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from casino.events import Malformed
from casino.events.round.round_played import Place, RoundPlayed
from casino.floor.game_view import GameView
from casino.floor.rounds.law_says import LawSays, event_of, law_says
from casino.floor.rounds.round_by_hand import AMOUNTS, OPTIONS, offered
from casino.floor.rounds.round_on_record import put_right, words_of
from casino.floor.rounds.taps import TappedRound, tapped
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook_file import load_law
from tests.casino.rounds_tapped import DEAL, PLAIN
from tests.factories.games import DAY, evening, moment
from tests.factories.rounds import a_round, box, insurance, main

PAID_ONE = "min @1.1 r2000"


def hand(words: str, *, bank_first: int = 2) -> TappedRound:
    """The round these taps tell at a table of seven boxes."""
    return tapped(words.split(), boxes=7, minimum=1000, bank_first=bank_first)


def says(words: str, book: str = "pt", *, bank_first: int = 2) -> LawSays:
    """What a rulebook says of it."""
    law, dossier = load_law(book), evening(closed=False).dossier("22:00")
    view = GameView(PartidaContext(dossier, law.on(DAY)), law, moment("22:00"))
    return law_says(hand(words, bank_first=bank_first), view)


def due(found: LawSays) -> dict[tuple[int, int | None, str], int]:
    return found.due


@pytest.fixture
def in_english() -> Any:
    with translation.override("en"):
        yield


# What was tapped


def test_cards_go_round_the_table_and_a_card_to_two_is_asked_for() -> None:
    found = hand(f"{DEAL} 2C stand")
    first, second = (box.hands[0] for box in found.boxes.values())
    assert (first.cards, first.actions) == (["TH", "9S", "2C"], ["hit"])
    assert (second.cards, second.actions) == (["9D", "8D"], ["stand"])
    assert (found.bank, found.at) == (["6C", "TD"], None)


def test_where_the_bank_waits_for_its_second_card_it_gets_it_after_the_players() -> None:
    assert hand("s1 TH 6C 9S", bank_first=1).at == (1, 1)
    assert hand("s1 TH 6C 9S stand TD", bank_first=1).bank == ["6C", "TD"]


def test_a_split_hand_gets_its_cards_one_hand_after_the_other() -> None:
    found = hand("s1 8S 7H 8D TC split 5H hit KC TD stand").boxes[1]
    assert [one.cards for one in found.hands] == [["8S", "5H", "KC"], ["8D", "TD"]]
    assert [one.split_from for one in found.hands] == [None, 1]


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ("s8", "found box 8; this table has boxes 1 to 7"),
        ("s0", "found box 0; this table has boxes 1 to 7"),
        ("@3.1", "found box 3, hand 1; nobody plays it here"),
        ("s1 TH s1", "found cards on box 1: take them back first"),
        ("s1 TH @1.1 split", "found a split of 1 cards; asked are two"),
        ("s1 void-turned", "found no card of the bank"),
        ("s1 8S 7H 8D TC split =2000", "its stake before that is not said"),
        ("r500", "found the bank; asked is a box: tap it first"),
        ("s1 @1.1 =9999999999999", "found 9999999999999 cents"),
        ("1H", "found 1H; asked is a tap on this page"),
        ("TH " * 401, "found more than 400 taps"),
    ],
)
def test_a_tap_that_cannot_be_is_refused_with_what_is_asked(words: str, refusal: str) -> None:
    with pytest.raises(Malformed, match=refusal):
        hand(words)


@pytest.mark.parametrize("words", ["s1 s3", "s1 s3 @1.1 =2500 @3.1 =1000", "s3 s1 @3.1 =2500"])
def test_the_first_card_is_the_first_boxs_whose_stake_was_said_last(words: str) -> None:
    """PT art. 17."""
    found = hand(f"{words} TH 9D 6C 9S 8D TD")
    assert [found.boxes[n].hands[0].cards for n in (1, 3)] == [["TH", "9S"], ["9D", "8D"]]
    assert found.bank == ["6C", "TD"]


def test_a_box_tapped_for_its_money_is_not_where_the_next_card_goes() -> None:
    found = hand("s1 s3 TH @1.1 =2500 9D 6C @3.1 =1500 9S 8D")
    assert [found.boxes[n].hands[0].cards for n in (1, 3)] == [["TH", "9S"], ["9D", "8D"]]
    assert [found.boxes[n].first for n in (1, 3)] == [2500, 1500]
    explicit = hand("s1 s3 TH @1.1 9D")  # tapped for a card, it is
    assert explicit.boxes[1].hands[0].cards == ["TH", "9D"]


def test_a_hand_over_21_has_another_card_only_where_it_asks() -> None:
    bust = "s1 s3 TH 5D 6C 9S TD TS stand hit 8C @3.1"
    assert hand(f"{bust} 2H").bank == ["6C", "TS", "2H"]
    assert hand(f"{bust} hit 2H").boxes[3].hands[0].cards == ["5D", "TD", "8C", "2H"]


def test_a_newly_tapped_box_is_spoken_of() -> None:
    found = hand("s1 =2500 s3 =1000")
    assert [(box.first, box.said) for box in found.boxes.values()] == [(2500, True), (1000, True)]


def test_all_at_the_minimum_says_every_stake_nobody_said() -> None:
    found = hand("s1 =2500 s3 s5 min s6")
    assert [(box.first, box.said) for box in found.boxes.values()] == [
        (2500, True),
        (1000, True),
        (1000, True),
        (1000, False),
    ]


def test_a_box_is_given_up_before_its_first_card() -> None:
    assert list(hand("s1 s2 s1").boxes) == [2]


def test_a_voided_card_is_nobodys_and_the_next_goes_on_as_before() -> None:
    found = hand(f"s1 TH 6C 9S TD stand void-extra 2H @1.1 void-unasked 3C void-shoe 4D {PAID_ONE}")
    assert found.boxes[1].hands[0].cards == ["TH", "9S"]
    event = event_of(found, _view())
    assert [(one.card, one.why) for one in event.bank.voided] == [("2H", "extra")]
    assert [(one.card, one.at, one.fate) for one in event.misdealt] == [
        ("3C", Place(1, 1), "discard"),
        ("4D", "shoe", "discard"),
    ]
    words = words_of(event)
    assert words is not None
    assert event_of(hand(" ".join(words)), _view()) == event


def test_a_card_nobody_asked_for_was_dealt_to_a_box() -> None:
    with pytest.raises(Malformed, match="found the bank; asked is a box"):
        hand("s1 @b void-unasked 3C")


def test_what_is_on_record_is_told_again_by_the_same_taps() -> None:
    played = a_round(
        box(1, "TS 8D", main(1000, 2000, seat=1), insurance(500, 0)),
        box(3, "5S 6D 9C", main(2000, 4000, first=1000, seat=3), does="double"),
        bank="AH 7C",
    )
    words = words_of(played)
    assert words is not None
    again = event_of(hand(" ".join(words)), _view())
    assert [(one.hands, one.number) for one in again.boxes] == [
        (one.hands, one.number) for one in played.boxes
    ]
    assert [_money(one) for one in again.boxes] == [_money(one) for one in played.boxes]
    assert again.bank.cards == played.bank.cards


@pytest.mark.parametrize(
    "words",
    [
        "s1 8H 9S 8D TD split 3C stand TH stand 2H min @1.1 r2000 @1.2 r2000",
        "s1 8H 9S 8D TD split 8C split 3C double KC TC stand TH stand 5H min"
        " @1.1 r4000 @1.2 r0 @1.3 r0",
        "s1 s3 AH 5S 9S AD 6D TD split KC TC 7H stand 2H min @1.1 r2000 @1.2 r2000 @3.1 r0",
    ],
)
def test_a_split_on_record_is_dealt_hand_by_hand(words: str) -> None:
    """PT art. 31."""
    view = says("s1").game
    event = event_of(hand(words), view)
    again = words_of(event)
    assert again is not None
    assert event_of(hand(" ".join(again)), view) == event


@pytest.mark.parametrize(
    "played",
    [
        a_round(box(1, "TS 8D", main(1000, 2000), main(1000, 2000, "J5"))),
        a_round(box(1, "TS 8D", main(1000, 2000)), interrupted="incident"),
        a_round(box(1, "TS 8D", main(2000, 4000, first=1000))),
    ],
)
def test_what_cannot_be_tapped_is_no_round_of_these_taps(played: RoundPlayed) -> None:
    assert words_of(played) is None


def test_what_is_not_tapped_stays_as_it_was_recorded() -> None:
    """PT art. 33: when the insurance lay there is no tap."""
    insured = insurance(500, 0, taken_at=3, invited=True)
    played = a_round(
        box(2, "TS 8D", main(1000, 2000, at_once=False), insured, decided_by="J2"),
        bank="AH 7C",
        dealer="S-7",
        number=41,
    )
    words = words_of(played)
    assert words is not None
    assert put_right(played, hand(" ".join(words))) == played
    right = put_right(played, hand(" ".join([*words, "@2.1", "r1000"])))
    main_now, insured_now = right.boxes[0].wagers
    assert (main_now.returned_cents, main_now.at_once) == (1000, False)
    assert insured_now == insured or insured_now.taken_at == 3
    assert replace(right, boxes=played.boxes) == played


def _view() -> GameView:
    return says("s1").game


def _money(of: Any) -> list[tuple[str, int, int, int | None]]:
    listed = [(w.kind, w.stake_cents, w.returned_cents) for w in of.wagers]
    return sorted((*one, of.number) for one in listed)


# What the law says


def test_two_plain_hands_and_what_comes_next_at_every_step(in_english: None) -> None:
    """PT art. 19, 23: the bank draws on sixteen; nearer to 21 wins, farther loses."""
    assert says("").next_said() == ("Tap the boxes that are played.", "")
    assert says("s1 TH").next_said()[0] == "Next: a card to the bank."
    assert says(DEAL).next_said()[0] == "Box 1 decides: it has 19."
    assert says(f"{DEAL} stand stand").next_said() == ("The bank has 16: it draws.", "n.º 19")
    found = says(PLAIN)
    assert found.next_said() == ("The bank has 18: it draws no more.", "n.º 19")
    assert due(found) == {(1, 1, "stake"): 2000, (2, 1, "stake"): 0}
    assert [(row.due, row.article) for row in found.rows()] == [
        ("€20.00", "n.º 23"),
        ("€0.00", "n.º 23"),
    ]
    assert found.findings() == []


def test_a_stake_nobody_said_is_the_minimum_and_says_so() -> None:
    assert [row.assumed for row in says(f"s1 s2 @2.1 =1000 {DEAL[6:]}").rows()] == [True, False]
    assert [row.assumed for row in says("s1 @1.1 =2000 AS").rows()] == [False]


def test_a_voided_card_of_the_bank_is_judged_as_on_any_record(in_english: None) -> None:
    found = says("s1 TH 6C 9S TD stand 2H void-extra 5C")
    (row,) = found.rows()
    assert (found.is_over, row.due) == (True, "")
    assert "taken from the bank" in row.said
    assert says("s1 TH 6C 9S TD stand 2H void-extra").next_said()[0].startswith("Next: the card")


def test_where_no_law_asks_another_pay_is_no_breach() -> None:
    deal = "s1 s2 TH 9D 6C 9S 8D stand stand TD 2H @1.1 r1500"
    assert next(says(f"{PLAIN} @1.1 r1500").rows()).tone == "breach"
    assert next(says(deal, "br", bank_first=1).rows()).tone == "deviation"


def test_nothing_is_due_before_no_card_can_change_it() -> None:
    assert due(says(f"{DEAL} stand stand")) == {}
    assert due(says(f"{DEAL} 5C")) == {(1, 1, "stake"): 0}  # over 21: lost at once
    assert due(says(f"{DEAL} hit")) == {}


def test_another_amount_is_said_with_the_difference_and_found(in_english: None) -> None:
    found = says(f"{PLAIN} @1.1 r1500 @2.1 r0")
    first, second = found.rows()
    assert (first.said, first.tone) == ("€5.00 too little", "breach")
    assert (second.said, second.tone) == ("", "kept")
    assert [one.check for one in found.findings()] == ["nearer_to_twenty_one_wins"]


@pytest.mark.parametrize(("stake", "returned"), [(1000, 2500), (1500, 3750), (1501, 3753)])
def test_a_blackjack_is_paid_three_to_two_with_the_odd_cent(stake: int, returned: int) -> None:
    """PT art. 21 (reading odd-cent): the cent left over is the player's or the house's."""
    odd = load_law("pt").on(DAY)["money.odd_cent"]
    less = 1 if stake * 3 % 2 and odd != "player" else 0
    assert due(says(f"s1 ={stake} AS 9C KD 8H"))[1, 1, "stake"] == returned - less


def test_split_aces_have_one_card_each_and_twenty_one_is_no_blackjack() -> None:
    """PT art. 20, 26."""
    found = says("s1 AS 9C AD 8H split KD 5C stand")
    assert due(found) == {(1, 1, "stake"): 2000, (1, 2, "stake"): 0}


@pytest.mark.parametrize(
    ("words", "prize"),
    [
        ("s1 =1000 6H 9C 7H KH hit 8H", 3000),
        ("s1 =1000 7H 9C 7S KH hit 7D", 3000),
        ("s1 =1000 6H 9C 7H KH hit 8S", None),  # of two suits
        ("s1 =1000 6H 9C 7H KH hit 8?", None),  # nobody saw which
    ],
)
def test_a_special_prize_is_due_beside_what_the_hand_wins(
    in_english: None, words: str, prize: int | None
) -> None:
    """PT art. 35."""
    found = says(words)
    assert due(found).get((1, 1, "special")) == prize
    rows = [(row.name, row.due, row.article) for row in found.rows()]
    assert rows[1:] == ([("Box 1: special prize", "€30.00", "n.º 35")] if prize else [])
    assert found.paid_words() == ["@1.1", "r2000", *(["@1.1", "rs3000"] if prize else [])]
    assert found.findings() == []
    kept = says(f"{words} @1.1 r2000 {'rs2000' if prize else ''}")
    assert [one.article for one in kept.findings()] == (["n.º 35"] if prize else [])


def test_a_special_prize_that_is_not_due_is_found(in_english: None) -> None:
    """PT art. 35."""
    found = says("s1 =1000 6H 9C 7H KH hit 8S @1.1 r2000 rs3000")
    assert [(row.due, row.said) for row in found.rows()][1] == ("€0.00", "€30.00 too much")
    assert [one.article for one in found.findings()] == ["n.º 35"]


@pytest.mark.parametrize(("ace_ends", "asked"), [(True, None), (False, (1, 2))])
def test_nobody_is_asked_about_a_split_ace_that_has_its_one_card(
    ace_ends: bool, asked: tuple[int, int] | None
) -> None:
    """PT art. 26."""
    deal = ["s1", "AS", "9C", "AD", "8H", "split", "KD", "5C"]
    found = tapped(deal, boxes=7, minimum=1000, ace_ends=ace_ends)
    assert found.at == asked
    pair = tapped([*deal[:-2], "AC"], boxes=7, minimum=1000, ace_ends=ace_ends)
    assert pair.at == (1, 1)  # it may be split again


@pytest.mark.parametrize("bank", ["TD", "5D"])
def test_a_bank_no_card_of_which_changes_anything_is_not_said_to_stand(
    in_english: None, bank: str
) -> None:
    """PT art. 19, 22 (reading naturals-only)."""
    said = says(f"s1 AS 6C KD {bank}")
    assert said.is_over
    words = "Only blackjacks are left: no card of the bank changes anything."
    assert said.next_said() == (words, "")
    stood = says(f"s1 AS 7C KD {'TD' if bank == 'TD' else 'AD'}")  # 17, 18
    assert stood.next_said()[1] == "n.º 19"


def test_a_bank_that_drew_on_seventeen_is_found(in_english: None) -> None:
    found = says("s1 TH 9C 9S 8H stand 3C")
    assert "bank_stands_at_seventeen" in [one.check for one in found.findings()]


def test_an_insurance_is_half_of_the_stake_and_pays_two_to_one() -> None:
    """PT art. 33."""
    found = says("s1 TH AC 9S KH @1.1 i500 stand")
    assert due(found) == {(1, 1, "stake"): 0, (1, None, "insurance"): 1500}


def test_what_was_paid_as_due_is_told_for_every_stake_nobody_spoke_of() -> None:
    words = says(f"{PLAIN} @2.1 r1000").paid_words()
    assert words == ["@1.1", "r2000"]


@pytest.mark.parametrize(
    ("book", "options"),
    [
        ("pt", "stand hit double split surrender insurance even"),
        ("pt-summary", "stand hit double split insurance"),
        ("es", "stand hit double split insurance"),
        ("fr", "stand hit double split insurance"),
        ("br", "stand hit double split insurance"),
    ],
)
def test_each_rulebook_is_offered_what_it_has(book: str, options: str) -> None:
    figures = load_law(book).on(DAY).values
    assert [name for name, _ in offered(OPTIONS, figures)] == options.split()
    assert ("special" in dict(offered(AMOUNTS, figures))) == ("special.pays" in figures)


@pytest.mark.parametrize("more", ["", " @3.1", " @3.1 r0"])
def test_where_a_blackjack_waits_for_the_bank_its_second_card_is_next(
    in_english: None, more: str
) -> None:
    """BR: the bank has its second card after the players."""
    found = says(f"s1 s3 AS TH TC KD 6D hit 9C{more}", "br", bank_first=1)
    assert found.next_said() == ("Next: a card to the bank.", "")
    assert (found.is_over, found.found.aim) == (False, None)
    whole = says(f"s1 s3 AS TH TC KD 6D hit 9C{more} 7D", "br", bank_first=1)
    assert whole.is_over
    assert due(whole) == {(1, 1, "stake"): 2500, (3, 1, "stake"): 0}
    assert [row.total for row in whole.rows()] == ["blackjack", "25"]


@pytest.mark.parametrize("book", ["pt", "pt-summary", "es", "fr", "br"])
def test_each_rulebook_judges_it(book: str) -> None:
    after = load_law(book).on(DAY)["bank.second_card"] == "after_players"
    deal = "s1 s2 TH 9D 6C 9S 8D stand stand TD 2H" if after else PLAIN
    found = says(deal, book, bank_first=1 if after else 2)
    assert found.is_over
    assert due(found) == {(1, 1, "stake"): 2000, (2, 1, "stake"): 0}


# The screen
