"""The round of a complaint by hand: when it can have been, whose box, and the links both ways.

Law: PT art. 61.
"""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.events.complaints import ComplaintReceived
from casino.events.round.round_played import RoundPlayed
from casino.house_day import house_zone
from casino.models import BookEntry
from tests.casino.rounds_tapped import DEAL, PAID, page
from tests.casino.sala_forms import address, checks_warned, errors_on, form_on, send
from tests.factories.floor import PIT, SHOE_TABLE, ago, game, house, opened, prepared
from tests.factories.people import appoint, somebody, write
from tests.factories.recorded import events_of
from tests.stages import recorded_once

pytestmark = pytest.mark.share

NUMBER = "RC-7"


@recorded_once
def pit() -> Client:
    house()
    appoint(PIT.staff, "fiscal_de_banca")
    opened()
    prepared()
    received = {"complaint": NUMBER, "subject": "payment", "box": 2}
    write(ComplaintReceived(**game(), **received), by=PIT, at=ago(5))
    return somebody("fiscal_de_banca")


def of_complaint(words: str, **more: str) -> str:
    return page(words, complaint=NUMBER, game=game()["partida"], **more)


def shown(at: datetime) -> str:
    return f"{at.astimezone(house_zone()):%H:%M}"


def flat(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def recorded(pit: Client, words: str = PAID) -> BookEntry:
    """The round of the complaint, recorded as if six minutes ago, over whatever is asked."""
    url = of_complaint(words)
    answer = send(pit, url, when="other", clock=shown(ago(6)))
    if answer.status_code == 200:
        answer = pit.post(url, form_on(answer))
    assert answer.status_code == 303
    return BookEntry.objects.get(kind=RoundPlayed.kind)


@pytest.mark.django_db
@pytest.mark.usefixtures("english")
class TestWhen:
    """It was before the player complained of it, and after the table was opened."""

    def opened_at(self) -> datetime:
        return BookEntry.objects.get(kind="partida-opened/1").occurred_at

    def test_before_the_table_was_opened_there_was_no_round(self, pit: Client) -> None:
        before = shown(self.opened_at() - timedelta(minutes=30))
        refused = errors_on(send(pit, of_complaint(PAID), when="other", clock=before))["clock"]
        assert f"the table was opened at {shown(self.opened_at())}" in refused
        assert before in refused
        assert events_of(RoundPlayed.kind) == []

    def test_the_minute_of_the_opening_is_no_hour_before_it(self, pit: Client) -> None:
        """A clock is read to the minute."""
        at = shown(self.opened_at())
        answer = send(pit, of_complaint(PAID), when="other", clock=at)
        assert not answer.context or not answer.context.get("errors")

    def test_now_is_not_offered_and_would_be_refused(self, pit: Client) -> None:
        text = flat(pit.get(of_complaint(PAID)))
        assert 'name="when" value="now"' not in text
        assert 'name="when" value="other"' in text
        assert 'name="when" value="now"' in flat(pit.get(page(PAID)))
        assert "when" in errors_on(send(pit, of_complaint(PAID), when="now"))

    def test_all_that_is_missing_is_said_at_once(self, pit: Client) -> None:
        refused = errors_on(send(pit, of_complaint(f"{DEAL} min")))
        assert "box 1 has not decided yet" in refused["taps"]
        assert "Say at what time it was." in refused["clock"]
        late = errors_on(send(pit, of_complaint(f"{DEAL} min"), when="other", clock=shown(ago(0))))
        assert set(late) == {"taps", "clock"}


@pytest.mark.django_db
@pytest.mark.usefixtures("english")
class TestWhose:
    """The complaint's box is among the round's, or that is asked about."""

    def test_a_round_without_the_complaints_box_is_asked_about(self, pit: Client) -> None:
        url = of_complaint("s3 TH 9C 9D TD stand min @3.1 r1000")
        asked = send(pit, url, when="other", clock=shown(ago(6)))
        assert checks_warned(asked) == ["box-not-played"]
        assert "Box 2, of complaint RC-7, does not play in this round." in flat(asked)
        assert events_of(RoundPlayed.kind) == []
        assert pit.post(url, form_on(asked)).status_code == 303
        assert len(events_of(RoundPlayed.kind)) == 1

    def test_one_with_it_is_not(self, pit: Client) -> None:
        answer = send(pit, of_complaint(PAID), when="other", clock=shown(ago(6)))
        assert answer.status_code == 303

    def test_a_complaint_nobody_knows_opens_no_round(self, pit: Client) -> None:
        assert pit.get(page("s1", complaint="RC-404")).status_code == 404
        assert pit.get(page("s1", complaint=NUMBER)).status_code == 200


@pytest.mark.django_db
@pytest.mark.usefixtures("english")
class TestOnRecord:
    """Once it is recorded only what is in the book is shown, and each names the other."""

    def test_what_was_tapped_otherwise_is_not_shown_as_recorded(self, pit: Client) -> None:
        entry = recorded(pit)
        text = flat(pit.get(of_complaint(PAID.replace("r2000", "r2500"))))
        assert "What was tapped here is not what was recorded" in text
        assert "€20.00" in text
        assert "€25.00" not in text
        assert reverse("sala:entry", args=[entry.pk]) in text
        for tool in ('id="tap-2H"', 'id="id_amount"', 'id="tap-s1"', 'id="tap-undo"'):
            assert tool not in text
        assert "What was tapped here" not in flat(pit.get(of_complaint(PAID)))

    def test_no_tap_changes_what_is_shown(self, pit: Client) -> None:
        recorded(pit)
        text = flat(pit.get(of_complaint(f"{PAID} @1.1", tap="back", amount="25")))
        assert "€25.00" not in text

    def test_a_split_round_is_shown_as_it_was_tapped(self, pit: Client) -> None:
        """Whatever else is tapped, what is shown is the record."""
        split = "s2 min AS 7H AD TC split KD TS @2.1 r2000 @2.2 r2000"
        recorded(pit, split)
        assert len(pit.get(of_complaint(split)).context["rows"]) == 2
        other = pit.get(of_complaint("s2 min 8S 7H"))
        assert [row.name for row in other.context["rows"]] == ["Box 2, hand 1", "Box 2, hand 2"]
        assert "is not what was recorded" in flat(other)

    def test_the_round_and_its_complaint_lead_to_each_other(self, pit: Client) -> None:
        entry = recorded(pit)
        complaint = BookEntry.objects.get(kind=ComplaintReceived.kind)
        read = address("complaint_read", SHOE_TABLE, NUMBER)
        own = reverse("sala:entry", args=[entry.pk])
        assert own in flat(pit.get(read))
        text = flat(pit.get(own))
        assert "Complaint RC-7 is about this round." in text
        assert read in text
        receipt = reverse("admin:casino_bookentry_receipt", args=[entry.pk])
        assert NUMBER in flat(pit.get(receipt))
        for office in ("inspetor", "auditor"):
            client = somebody(office)
            assert own in flat(client.get(read))
            of_round = client.get(reverse("admin:casino_round_change", args=[entry.pk]))
            assert f">{NUMBER}</a>" in flat(of_round)
            there = reverse("admin:casino_complaint_change", args=[complaint.pk])
            assert there in flat(of_round)
            assert reverse("admin:casino_round_change", args=[entry.pk]) in flat(client.get(there))

    def test_a_round_nobody_complained_of_names_no_complaint(self, pit: Client) -> None:
        send(pit, page(PAID))
        entry = BookEntry.objects.get(kind=RoundPlayed.kind)
        assert NUMBER not in flat(pit.get(reverse("sala:entry", args=[entry.pk])))
        assert NUMBER not in flat(
            pit.get(reverse("admin:casino_bookentry_receipt", args=[entry.pk]))
        )


@pytest.mark.django_db
def test_whoever_may_not_see_the_floor_is_led_to_the_administration() -> None:
    house()
    text = flat(somebody("administrador").get(page("s1")))
    assert f'href="{reverse("admin:index")}"' in text
    assert f'href="{reverse("sala:floor")}"' not in text.partition("<main")[2]
    reads = flat(somebody("inspetor").get(page("s1")))
    assert f'href="{reverse("sala:floor")}"' in reads.partition("<main")[2]
