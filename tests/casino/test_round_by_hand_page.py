"""The page of a round by hand: looked at, recorded, refused. Law: PT art. 13-37, 61."""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from casino.events.complaints import ComplaintReceived
from casino.events.round.round_played import RoundPlayed
from casino.house_day import house_zone
from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry, Complaint
from casino.reading.round_reader import read_round
from casino.recording.writing import receipt_of
from casino.web.entries.entry_page import url_of
from tests.casino.rounds_tapped import DEAL, PAID, PLAIN, page
from tests.casino.sala_forms import address, checks_warned, errors_on, fill, form_on, over_it, send
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
from tests.factories.games import DAY
from tests.factories.people import appoint, somebody, write
from tests.factories.recorded import entries, events_of
from tests.factories.withdrawals import withdraw
from tests.stages import recorded_once

pytestmark = pytest.mark.share

PAID_ONE = "min @1.1 r2000"
KEY = "0b9f6f0e-8a52-4c39-9f55-6e0b6d1c1f11"


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

    def test_the_steps_say_which_amounts_nobody_said(self, pit: Client) -> None:
        as_if = "What nobody said was handed back is told here as due"
        assert as_if in flat(pit.get(page(PLAIN, see="1")))
        assert as_if in flat(pit.get(page(f"{PLAIN} @1.1 r2000", see="1")))
        assert as_if not in flat(pit.get(page(PAID, see="1")))

    def test_a_special_prize_is_recorded_where_it_was_paid_as_the_law_pays(
        self, pit: Client
    ) -> None:
        """PT art. 35."""
        words = "s1 6H 9C 7H KH hit 8H min"
        shown = pit.get(page(words, tap="paid"))
        assert shown.context["taps"].endswith("@1.1 r2000 @1.1 rs3000")
        answer = send(pit, page(shown.context["taps"]))
        assert answer.status_code == 303, checks_warned(answer)
        paid = [(one.kind, one.returned_cents) for one in rounds()[0].boxes[0].wagers]
        assert paid == [("main", 2000), ("special", 3000)]

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

    def test_what_was_recorded_says_on_its_page_that_it_is_by_hand(self, pit: Client) -> None:
        send(pit, page(PAID))
        pk = BookEntry.objects.get(kind="round-played/1").pk
        record = pit.get(url_of("round-played/1", pk))
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
        assert "too little" not in text

    def test_its_own_page_says_by_how_much_it_differs(self, pit: Client) -> None:
        url = page(f"{PLAIN} min @1.1 r1500 @2.1 r0")
        pit.post(url, form_on(send(pit, url)))
        entry = BookEntry.objects.get(kind="round-played/1")
        assert "not as due: €5.00 too little" in flat(
            pit.get(reverse("sala:entry", args=[entry.pk]))
        )

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

    def test_what_was_typed_of_when_it_was_outlasts_the_next_tap(self, pit: Client) -> None:
        shown = f"{ago(0).astimezone(house_zone()):%H:%M:%S}"
        typed = {"when": "other", "clock": shown[:5], "first_card": shown}
        answer = pit.get(page(PAID, **typed, tap="@1.1"))
        form = answer.context["form"]
        assert {name: form[name].value() for name in typed} == typed
        assert dict(answer.context["filled_in"]) == typed
        undone = pit.get(page(PAID, when="ago5", tap="undo")).context["form"]
        assert undone["when"].value() == "ago5"

    def test_the_administrations_form_is_told_when_it_was(self, pit: Client) -> None:
        def told(**typed: str) -> str:
            return dict(pit.get(page(PAID, **typed)).context["whole"])["occurred_at"]

        at = ago(9).astimezone(house_zone())
        assert told(when="other", clock=f"{at:%H:%M}") == f"{at:%Y-%m-%dT%H:%M}:00"
        assert told(when="other") == ""  # asked there, and not taken for now
        received = {"complaint": "RC-8", "subject": "payment", "box": 2}
        write(ComplaintReceived(**game(), **received), by=PIT, at=ago(5))
        assert told(complaint="RC-8", game=game()["partida"]) == ""

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
        url = page(PAID)
        sent = fill(pit, url)
        assert [pit.post(url, sent).status_code for _ in range(2)] == [303, 303]
        assert len(rounds()) == 1

    def test_whoever_goes_back_to_a_recorded_round_cannot_record_it_again(
        self, pit: Client
    ) -> None:
        url = page(PAID)
        key = str(pit.get(url).context["key"])
        kept = page(PAID, key=key)
        assert str(pit.get(kept).context["key"]) == key, "a tap keeps it"
        sent = fill(pit, kept)
        assert sent["key"] == key
        assert pit.post(kept, sent).status_code == 303
        entry = BookEntry.objects.get(kind=RoundPlayed.kind)
        back = pit.get(kept)
        text = flat(back)
        at = f"{entry.recorded_at.astimezone(house_zone()):%H:%M:%S}"
        assert f"This round is recorded already, at {at}." in text
        assert f'href="{reverse("sala:entry", args=[entry.pk])}"' in text
        assert "Record the round" not in text
        assert "is not what was recorded" not in text
        again = pit.post(kept, sent)  # from a page that was open before
        assert "again=1" in again["Location"]
        assert len(rounds()) == 1
        assert not back.context["recorded"], "the page says it in its own words"
        steps = page("", key=key, see="1")
        assert "20.00" in flat(pit.get(steps)), "it stays that round, looked at step by step"
        assert str(pit.get(page("")).context["key"]) != key, "another round has another"

    def test_one_that_was_withdrawn_may_be_recorded_anew(self, pit: Client) -> None:
        """Under another key: what is sent with that one is recorded already."""
        url = page(PAID, key=KEY)
        assert send(pit, url).status_code == 303
        entry = BookEntry.objects.get(kind=RoundPlayed.kind)
        withdraw(receipt_of(entry))
        answer = send(pit, url)
        assert answer.status_code == 303, checks_warned(answer)
        assert "again" not in answer["Location"]
        assert BookEntry.objects.filter(kind=RoundPlayed.kind).count() == 2

    @pytest.mark.parametrize("key", ["", "no key", KEY])
    def test_a_key_of_nothing_recorded_keeps_nobody_from_recording(
        self, pit: Client, key: str
    ) -> None:
        assert send(pit, page(PAID, key=key)).status_code == 303
        assert len(rounds()) == 1

    def test_the_same_round_once_more_is_asked_about_and_can_be_recorded(self, pit: Client) -> None:
        send(pit, page(PAID))
        first = BookEntry.objects.get(kind=RoundPlayed.kind)
        url = page(PAID)
        asked = send(pit, url)
        assert checks_warned(asked) == ["same-round"]
        at = f"{first.recorded_at.astimezone(house_zone()):%H:%M:%S}"
        assert f"the same as the one recorded at {at}" in flat(asked)
        assert reverse("sala:entry", args=[first.pk]) in flat(asked)
        assert "a finding will be opened" not in flat(asked)
        assert len(rounds()) == 1
        assert pit.post(url, form_on(asked)).status_code == 303
        assert len(rounds()) == 2

    @pytest.mark.parametrize(
        "words",
        [
            PAID.replace("2H", "2S"),
            PAID.replace("min", "@1.1 =2000 min").replace("r2000", "r4000"),
            "s1 s3 TH 9D 6C 9S 8D TD stand stand 2H min @1.1 r2000 @3.1 r0",
        ],
    )
    def test_another_card_stake_or_box_is_another_round(self, pit: Client, words: str) -> None:
        send(pit, page(PAID))
        assert send(pit, page(words)).status_code == 303
        assert len(rounds()) == 2

    def test_the_same_cards_half_an_hour_before_are_another_round(self, pit: Client) -> None:
        send(pit, page(PAID))
        then = f"{ago(30).astimezone(house_zone()):%H:%M}"
        answer = send(pit, page(PAID), when="other", clock=then)
        asked = checks_warned(answer) if answer.status_code == 200 else []
        assert "same-round" not in asked
        near = f"{ago(4).astimezone(house_zone()):%H:%M}"
        assert "same-round" in checks_warned(send(pit, page(PAID), when="other", clock=near))

    def test_a_box_this_table_has_not_is_said_and_the_rest_stays(self, pit: Client) -> None:
        text = pit.get(page("s1 s9")).content.decode()
        assert "box 9; this table has boxes 1 to 7" in text
        assert 'name="taps" value="s1"' in text

    def test_an_amount_is_typed_as_people_write_it(self, pit: Client) -> None:
        typed = {"tap": "back", "amount": "15,01"}
        assert "@1.1 r1501" in pit.get(page(f"{PLAIN} @1.1", **typed)).content.decode()
        text = pit.get(page(f"{PLAIN} @1.1", tap="back", amount="muito")).content.decode()
        assert "asked is an amount" in text

    @pytest.mark.parametrize(
        ("typed", "said"),
        [
            ("quinze", "found quinze; asked is an amount such as"),
            ("-5", "found -5; asked is an amount such as"),
            ("12,345", "found 12,345; asked is an amount such as"),
            (" ", "nothing was typed; asked is an amount such as"),
        ],
    )
    def test_an_amount_that_is_none_is_said_where_it_was_typed(
        self, pit: Client, typed: str, said: str
    ) -> None:
        shown = pit.get(page(f"{PLAIN} @1.1", tap="back", amount=typed))
        assert shown.context["taps"] == f"{PLAIN} @1.1"
        text = flat(shown)
        field = text[text.index('id="id_amount"') :].partition(">")[0]
        assert f'value="{typed}"' in field
        assert 'aria-describedby="wrong"' in field
        error = text[: text.index('id="id_amount"')].rpartition('id="wrong"')[2]
        assert said in error.lower()
        assert "aria-invalid" not in flat(pit.get(page(f"{PLAIN} @1.1")))

    @pytest.mark.parametrize("back", [0, 1000, 2000, 2500, 999])
    def test_the_article_is_that_of_what_is_due(self, pit: Client, back: int) -> None:
        """PT art. 24: 19 against 19 is null, whatever was handed back; 25.00 offends 1 too."""
        words = f"s1 TH 9C 9D TD stand min @1.1 r{back}"
        row = pit.get(page(words)).context["rows"][0]
        assert (row.due, row.article) == ("€10.00", "n.º 24")

    def test_the_bank_that_has_a_blackjack_is_said_to_have_one(self, pit: Client) -> None:
        """PT art. 19; three cards of 21 are none."""
        assert "bank has a blackjack: it" in flat(pit.get(page("s1 TH AC 9S KD stand")))
        assert "bank has 21: it draws no" in flat(pit.get(page("s1 TH 6C 9S 5D stand TC")))

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
        assert f"The last one ({at}:00)" in complain
        assert "boxes 1, 2: €20.00 staked" in complain, "two may be of one minute"
        own = flat(pit.get(reverse("sala:entry", args=[last.pk])))
        assert reverse("sala:correct", args=[last.pk]) in own
        told_again = pit.get(pit.get(read).context["hand_url"]).content.decode()
        assert "is in the book already" in told_again
        sent = pit.post(url, {"taps": PAID, "complaint": "RC-7", "key": KEY})
        assert "is in the book already" in errors_on(sent)["taps"]
        assert len(rounds()) == 1
        assert Complaint.objects.count() == 1


def flat(answer: Any) -> str:
    """A page's text in one line."""
    return " ".join(answer.content.decode().split())


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
