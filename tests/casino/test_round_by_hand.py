"""A round by hand: what was tapped, what the law pays for it, and what of it is recorded.

Law: PT art. 17-25, 33, 61.
"""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from casino.events import Malformed
from casino.events.complaints import ComplaintReceived
from casino.events.round.round_played import Place, RoundPlayed
from casino.floor.game_view import GameView
from casino.floor.rounds.law_says import LawSays, event_of, law_says
from casino.floor.rounds.round_by_hand import AMOUNTS, OPTIONS, offered
from casino.floor.rounds.taps import TappedRound, tapped, words_of
from casino.house_day import house_zone
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry, Complaint
from casino.reading.round_reader import read_round
from casino.web.entries.entry_page import url_of
from tests.casino.rounds_tapped import DEAL, PAID, PLAIN, page
from tests.casino.sala_forms import address, checks_warned, errors_on, form_on, over_it, send
from tests.factories.floor import (
    PIT,
    SHOE_TABLE,
    ago,
    game,
    house,
    opened,
    opening,
    prepared,
)
from tests.factories.games import DAY, evening, moment
from tests.factories.people import appoint, somebody, write
from tests.factories.recorded import entries, events_of
from tests.factories.rounds import a_round, box, insurance, main
from tests.stages import recorded_once

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
    assert words_of(event) is None  # its own page tells of them


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


def test_a_stake_of_another_is_no_round_of_these_taps() -> None:
    with_another = a_round(box(1, "TS 8D", main(1000, 2000), main(1000, 2000, "J5")))
    assert words_of(with_another) is None


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


@recorded_once
def pit() -> Client:
    house()
    appoint(PIT.staff, "fiscal_de_banca")
    opened()
    prepared()
    return somebody("fiscal_de_banca")


def rounds() -> list[RoundPlayed]:
    return events_of("round-played/1")


@pytest.mark.django_db
@pytest.mark.usefixtures("english")
class TestScreen:
    """Looked at by GET, recorded by POST."""

    def test_looking_keeps_nothing_and_says_what_the_law_pays(self, pit: Client) -> None:
        before = entries()
        text = pit.get(page(f"{PLAIN} @1.1 r1500", see="1")).content.decode()
        assert entries() == before
        for said in ("Only looked at", "€5.00 too little", "n.º 23", "Step by step"):
            assert said in text

    def test_a_lawful_round_is_recorded_as_it_was_tapped(self, pit: Client) -> None:
        answer = send(pit, page(PAID))
        assert answer.status_code == 303, checks_warned(answer)
        (event,) = rounds()
        assert [one.hands[0].cards for one in event.boxes] == [("TH", "9S"), ("9D", "8D")]
        assert [one.wagers[0].returned_cents for one in event.boxes] == [2000, 0]
        assert (event.rulebook, event.shoe, event.device) == ("pt", 1, None)

    def test_it_stands_among_the_last_records_of_its_table(self, pit: Client) -> None:
        send(pit, page(PAID))
        line = pit.get(address("table", SHOE_TABLE)).context["lately"][0]
        assert line.what == "Round, boxes 1, 2: €20.00 staked, €20.00 handed back"
        assert pit.get(line.url).status_code == 200

    def test_whoever_changes_person_comes_back_to_what_was_tapped(self, pit: Client) -> None:
        url = page("s1 TH")
        change = re.search(r'change-person" href="([^"]+)"', pit.get(url).content.decode())
        assert change
        assert parse_qs(urlsplit(change[1]).query)["onward"] == [url]

    def test_what_was_recorded_is_put_right_on_its_own_page(self, pit: Client) -> None:
        """The floor's form of corrections asks for single values, which a round has not."""
        send(pit, page(PAID))
        pk = BookEntry.objects.get(kind="round-played/1").pk
        answer = pit.get(reverse("sala:correct", args=[pk]))
        assert answer["Location"] == url_of("round-played/1", pk)
        record = pit.get(answer["Location"])
        assert record.status_code == 200
        assert record.context["correct_url"]
        assert "Recorded by hand" in record.content.decode()

    def test_only_what_can_be_said_of_the_hand_is_offered(self, pit: Client) -> None:
        def offers(words: str) -> list[str]:
            return [name for name, _ in pit.get(page(words)).context["options"]]

        assert offers("s1 TH") == []  # a card is to come
        assert " ".join(offers("s1 TH 6C 9S TD")) == "stand hit double split surrender insurance"
        assert "even" in offers("s1 TH AC AS 8D @1.1")
        assert offers(f"{PLAIN} @1.1") == []

    def test_another_pay_is_warned_of_and_recorded_all_the_same(self, pit: Client) -> None:
        url = page(f"{PLAIN} min @1.1 r1500 @2.1 r0")
        answer = send(pit, url)
        assert "nearer_to_twenty_one_wins" in checks_warned(answer)
        assert rounds() == []
        assert answer.context["reasons"] == []  # the record of a round has no place for one
        assert b"despite-all" not in answer.content
        assert pit.post(url, form_on(answer)).status_code == 303
        assert rounds()[0].boxes[0].wagers[0].returned_cents == 1500

    @pytest.mark.parametrize(
        ("words", "missing"),
        [
            ("s1 min TH", "the bank's first card is missing"),
            ("s1 min TH 6C 9S", "the bank's second card is missing"),
            ("s1 s3 min TH 5C 6C 9S", "a card to box 3 is missing"),
            (f"{DEAL} min", "box 1 has not decided yet"),
            (f"{DEAL} min stand", "box 2 has not decided yet"),
            (f"{DEAL} min stand stand", "the bank has 16 and draws"),
            (f"{PLAIN} min", "handed back to box 1 is not said: tap the box and type it"),
            (f"{PLAIN} min @1.1 r2000", "handed back to box 2 is not said"),
            (f"{PLAIN} min void-extra", "the card that went to the discards is not tapped"),
            ("s1 min TH 6C 9S TD stand 2H void-extra 5C", "box 1 is due cannot be said of these"),
        ],
    )
    def test_what_is_missing_is_said_first(self, pit: Client, words: str, missing: str) -> None:
        """Of a round that goes on, too, and by no button that is not there."""
        refused = errors_on(send(pit, page(words)))["taps"]
        assert missing in refused
        assert "as the law pays" not in refused
        assert rounds() == []

    def test_a_round_that_broke_off_is_recorded_once_its_money_is_said(self, pit: Client) -> None:
        """PT art. 19: a bank that did not draw is a finding, and no error of whoever records."""
        answer = send(pit, page(f"{DEAL} stand stand min @1.1 r2000 @2.1 r2000"))
        assert "bank_draws_to_sixteen" in checks_warned(answer)

    def test_a_stake_nobody_said_is_not_recorded(self, pit: Client) -> None:
        unsaid = f"{PLAIN} @1.1 =2000 r4000 @2.1 r0"
        refused = errors_on(send(pit, page(unsaid)))["taps"]
        assert "the stake of box 2 is not said" in refused
        assert rounds() == []
        text = send(pit, page(unsaid)).content.decode()
        assert '<a href="#id_taps">' in text  # leads to the stakes
        assert '<ol class="hands" id="id_taps"' in text
        assert 'id="tap-min"' in pit.get(page(unsaid)).content.decode()
        assert 'id="tap-min"' not in pit.get(page(f"{unsaid} min")).content.decode()
        assert send(pit, page(f"{unsaid} min")).status_code == 303
        assert [box.wagers[0].stake_cents for box in rounds()[0].boxes] == [2000, 1000]

    def test_an_insurance_is_half_of_a_stake_that_was_said(self, pit: Client) -> None:
        """PT art. 33."""
        deal = "s1 TH AC 9S KH @1.1"
        refused = pit.get(page(deal, tap="insurance"))
        assert "the stake of box 1 is not said" in refused.context["wrong"]
        assert refused.context["taps"] == deal
        said = pit.get(page(f"{deal} =3000", tap="insurance"))
        assert said.context["taps"].endswith(" i1500")

    def test_as_the_law_pays_is_offered_where_it_says_something(self, pit: Client) -> None:
        shown = pit.get(page(f"{PLAIN} min")).content.decode()
        assert 'id="tap-paid"' in shown
        voided = pit.get(page("s1 min TH 6C 9S TD stand 2H void-extra 5C")).content.decode()
        assert 'id="tap-paid"' not in voided
        assert 'id="tap-paid"' not in pit.get(page(PAID)).content.decode()

    def test_the_stake_and_what_came_back_name_their_box(self, pit: Client) -> None:
        text = flat(pit.get(page("s1 s3")))
        assert "Stake of box 3 and what was handed back to it" in text
        assert '<p class="muted">Stake of box 3</p>' in text
        split = flat(pit.get(page("s1 8S 7H 8D TC split 5H @1.2")))
        assert 'what was handed back to it <span class="muted">hand 2</span>' in split

    def test_the_banks_second_card_is_voided_after_its_first(self, pit: Client) -> None:
        assert 'id="tap-void-turned"' not in pit.get(page("s1 TH")).content.decode()
        assert 'id="tap-void-turned"' in pit.get(page("s1 TH 6C")).content.decode()

    @pytest.mark.parametrize(("words", "shown"), [("s1 AS 6C KD", "blackjack"), ("s1 7S 6C", "7")])
    def test_a_blackjack_is_said_in_its_word(self, pit: Client, words: str, shown: str) -> None:
        assert f"<b>{shown}</b>" in pit.get(page(words)).content.decode()

    def test_the_minimum_is_said_to_be_nobodys_word(self, pit: Client) -> None:
        said = "€10.00 (minimum, not said yet)"
        assert said in flat(pit.get(page("s1")))
        for words in ("s1 =1000", "s1 min"):
            assert "not said yet" not in flat(pit.get(page(words)))

    def test_its_own_page_shows_cards_stakes_and_who_recorded_it(self, pit: Client) -> None:
        send(pit, page(PAID))
        entry = BookEntry.objects.get(kind="round-played/1")
        text = flat(pit.get(reverse("sala:entry", args=[entry.pk])))
        for said in ("10 of hearts", "Recorded by hand", PIT.staff, "€20.00", "as due"):
            assert said in text

    @pytest.mark.parametrize(
        ("words", "shown"),
        [
            ("s1 min AS 6C KD TD @1.1 r2500", "<strong>blackjack</strong>"),
            ("s1 min AS 7H AD TC split KD TS @1.1 r2000 @1.2 r2000", "<strong>21</strong>"),
        ],
    )
    def test_a_blackjack_is_on_its_record_in_its_word(
        self, pit: Client, words: str, shown: str
    ) -> None:
        answer = send(pit, page(words))
        if answer.status_code == 200:
            answer = over_it(pit, page(words), answer)
        assert answer.status_code == 303
        entry = BookEntry.objects.get(kind="round-played/1")
        assert shown in flat(pit.get(reverse("sala:entry", args=[entry.pk])))

    def test_what_cannot_be_tapped_goes_on_in_the_administration(self, pit: Client) -> None:
        assert pit.get(page(PLAIN)).context["whole"] == []  # what came back is not said
        shown = pit.get(page(PAID, first_card="12:00")).context["whole"]
        assert pit.get(page(PAID, first_card="never")).context["whole"] == []
        assert shown == []  # no card was dealt before the opening
        whole = dict(pit.get(page(PAID)).context["whole"])
        before = entries()
        answer = pit.post(reverse("admin:casino_round_add"), whole)
        assert answer.status_code == 200
        told = answer.context["form"]["record"].value()
        assert read_round(told.encode()).boxes[0].hands[0].cards == ("TH", "9S")
        assert entries() == before
        sent = {"key": whole["key"], "occurred_at": whole["occurred_at"], "record": told}
        assert pit.post(reverse("admin:casino_round_add"), sent).status_code == 302
        assert len(rounds()) == 1

    def test_a_voided_card_is_on_record(self, pit: Client) -> None:
        words = f"s1 TH 6C 9S TD stand 2H void-extra 5C {PAID_ONE}"
        text = pit.get(page(words)).content.decode()
        assert "5 of clubs, voided" in text
        answer = send(pit, page(words))
        if answer.status_code == 200:
            answer = over_it(pit, page(words), answer)
        assert answer.status_code == 303
        assert [(one.card, one.why) for one in rounds()[0].bank.voided] == [("5C", "extra")]

    def test_a_card_that_was_asked_for_has_to_be_tapped(self, pit: Client) -> None:
        words = f"{DEAL} min hit @1.1 r0 @2.1 r0"
        assert "asked for a card" in errors_on(send(pit, page(words)))["taps"]

    def test_the_same_form_sent_twice_is_one_round(self, pit: Client) -> None:
        from tests.casino.sala_forms import fill

        url = page(PAID)
        sent = fill(pit, url)
        assert [pit.post(url, sent).status_code for _ in range(2)] == [303, 303]
        assert len(rounds()) == 1

    def test_a_box_this_table_has_not_is_said_and_the_rest_stays(self, pit: Client) -> None:
        text = pit.get(page("s1 s9")).content.decode()
        assert "box 9; this table has boxes 1 to 7" in text
        assert 'name="taps" value="s1"' in text

    def test_an_amount_is_typed_as_people_write_it(self, pit: Client) -> None:
        typed = {"tap": "back", "amount": "15,01"}
        assert "@1.1 r1501" in pit.get(page(f"{PLAIN} @1.1", **typed)).content.decode()
        text = pit.get(page(f"{PLAIN} @1.1", tap="back", amount="muito")).content.decode()
        assert "asked is an amount" in text

    def test_the_last_tap_is_taken_back(self, pit: Client) -> None:
        assert f'value="{DEAL} stand stand"' in pit.get(page(PLAIN, tap="undo")).content.decode()

    @pytest.mark.parametrize("office", ["fiscal_chefe", "chefia_da_sala"])
    def test_the_other_offices_of_the_floor_record_one_too(self, pit: Client, office: str) -> None:
        client = somebody(office)
        answer = send(client, page(PAID))
        if answer.status_code == 200:
            answer = over_it(client, page(PAID), answer)
        assert answer.status_code == 303
        assert len(rounds()) == 1

    def test_a_complaint_opens_it_and_its_round_is_recorded_once(self, pit: Client) -> None:
        """PT art. 61."""
        received = {"complaint": "RC-7", "subject": "payment", "box": 2}
        write(ComplaintReceived(**game(), **received), by=PIT, at=ago(5))
        read = address("complaint_read", SHOE_TABLE, "RC-7")
        opened_by = pit.get(read).context["hand_url"]
        assert "taps=s2" in opened_by
        assert "complaint=RC-7" in opened_by
        url = page(PAID, complaint="RC-7", game=game()["partida"])
        assert "clock" in errors_on(send(pit, url)), "it was not now: when it was is asked"
        late = errors_on(send(pit, url, when="now"))["when"]
        assert "the round was before" in late
        before = f"{ago(6).astimezone(house_zone()):%H:%M}"
        answer = send(pit, url, when="other", clock=before)
        assert answer.status_code == 303, checks_warned(answer)
        assert answer["Location"].startswith(read)
        last = BookEntry.objects.get(kind=RoundPlayed.kind)
        at = f"{last.occurred_at.astimezone(house_zone()):%H:%M}"
        assert f"About the round of {at}." in flat(pit.get(read)), "it has no number: its time"
        complain = flat(pit.get(address("complaint", SHOE_TABLE)))
        assert f"The last one ({at})" in complain
        own = flat(pit.get(reverse("sala:entry", args=[last.pk])))
        assert "Correct it in the administration" in own
        told_again = pit.get(pit.get(read).context["hand_url"]).content.decode()
        assert "is in the book already" in told_again
        sent = pit.post(url, {"taps": PAID, "complaint": "RC-7", "key": KEY})
        assert "is in the book already" in errors_on(sent)["taps"]
        assert len(rounds()) == 1
        assert Complaint.objects.count() == 1


def flat(answer: Any) -> str:
    """A page's text in one line."""
    return " ".join(answer.content.decode().split())


KEY = "0b9f6f0e-8a52-4c39-9f55-6e0b6d1c1f11"


@pytest.mark.django_db
@pytest.mark.usefixtures("english")
@pytest.mark.parametrize("book", ["pt", "pt-summary", "es", "fr", "br"])
def test_the_law_is_named_where_there_is_one(book: str) -> None:
    house()
    appoint(PIT.staff, "fiscal_de_banca")
    write(replace(opening(), rulebook=book), by=PIT, at=ago(50))
    after = load_law(book).on(DAY)["bank.second_card"] == "after_players"
    words = "s1 s2 TH 9D 6C 9S 8D stand stand TD 2H" if after else PLAIN
    text = flat(somebody("fiscal_de_banca").get(page(words)))
    assert ("The law pays" in text, "paid as the law pays" in text) == (book == "pt",) * 2
    assert ("The rulebook pays" in text) is (book != "pt")


@pytest.mark.django_db
def test_it_is_said_in_portuguese(pit: Client) -> None:
    pit.cookies["django_language"] = "pt-pt"
    text = pit.get(
        page(f"{PLAIN} @1.1 r1500"), headers={"accept-language": "pt-PT"}
    ).content.decode()
    for said in (
        "O que manda a lei",
        "a menos",
        "Só para ver",
        "não tira mais",
        "Registar a jogada",
        "mínimo, por dizer",
        "Primeira carta dada às",
    ):
        assert said in text
    assert BookEntry.objects.filter(kind="round-played/1").count() == 0
