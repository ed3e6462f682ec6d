"""How every screen of the floor records: once, whatever a tablet or a network does; never unwarned.

The screen of the shuffle and the cut stands for all of them.
"""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from casino import clock
from casino.events.complaints import ComplaintReceived
from casino.models import BookEntry
from tests.casino.sala_forms import checks_warned, errors_on, form_on, over_it
from tests.factories.floor import (
    PIT,
    SHOE_TABLE,
    game,
    house,
    opened,
)
from tests.factories.people import somebody, write
from tests.factories.recorded import entries, events_of, the_event
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
CUT = f"/sala/{SHOE_TABLE}/cut/"
SEATED = f"{CUT}?seats=1+2+5"
MINUTE = timedelta(minutes=1)


@recorded_once
def pit() -> Client:
    """The fiscal de banca, at his open table."""
    house()
    opened()
    return somebody("fiscal_de_banca")


def cut_form(client: Client, address: str = SEATED) -> dict[str, Any]:
    """The screen's form as it stands: shuffle, and cut by the seat whose turn it is."""
    return form_on(client.get(address))


# Sent twice


def test_a_double_tap_is_one_act(pit: Client) -> None:
    form, before = cut_form(pit), entries()
    first, second = pit.post(CUT, form), pit.post(CUT, form)
    assert (first.status_code, second.status_code) == (303, 303)
    assert entries() == before + 2  # the shuffle and the cut
    assert second["Location"] == first["Location"] + "&again=1"
    page = pit.get(first["Location"])
    assert re.search(r"Recorded at \d\d:\d\d:\d\d", page.content.decode())
    text = "Already recorded at"
    assert text in pit.get(second["Location"]).content.decode()
    assert text not in page.content.decode()


def test_the_form_of_a_page_gone_back_to_is_answered_by_its_receipts(pit: Client) -> None:
    form = cut_form(pit)
    first = pit.post(CUT, form)
    write_all_but_cut()
    before = entries()
    again = pit.post(CUT, form)
    assert again["Location"] == first["Location"] + "&again=1"
    assert entries() == before


def write_all_but_cut() -> None:
    """The evening goes on elsewhere at the table."""
    received = ComplaintReceived(**game(), complaint="RC-9", subject="other")
    write(received, by=PIT)


def test_a_key_that_was_used_records_nothing_else(pit: Client) -> None:
    form = cut_form(pit)
    pit.post(CUT, form)
    before = entries()
    other = pit.post(CUT, form | {"cut": "5", "seats": "5", "passes": "3"})
    assert other["Location"].endswith("again=1")
    assert entries() == before
    assert the_event("cut-made/1").seat == 1


def test_a_reload_of_the_page_that_follows_records_nothing(pit: Client) -> None:
    answer = pit.post(CUT, cut_form(pit))
    before = entries()
    for _ in range(2):
        assert pit.get(answer["Location"]).status_code == 200
    assert entries() == before


@pytest.mark.parametrize("key", ["", "x", "0" * 36, "<b>"])
def test_a_form_without_a_key_is_too_old_and_says_so(pit: Client, key: str) -> None:
    form, before = cut_form(pit), entries()
    answer = pit.post(CUT, form | {"key": key})
    assert answer.status_code == 200
    assert "too old" in errors_on(answer)[""]
    assert entries() == before
    fresh = form_on(answer)
    assert pit.post(CUT, form | {"key": fresh["key"]}).status_code == 303


# When it happened


def at_clock(monkeypatch: pytest.MonkeyPatch, moment: Any) -> None:
    """The house's clock shows that moment, for everything that asks it."""
    monkeypatch.setattr(clock, "now", lambda: moment)


def test_it_happened_when_it_was_first_sent_not_when_the_warning_had_been_read(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tapped = clock.now().replace(microsecond=0)
    form = cut_form(pit, f"{SEATED}&cut=5")
    at_clock(monkeypatch, tapped)
    warned = pit.post(CUT, form)
    at_clock(monkeypatch, tapped + 3 * MINUTE)
    assert over_it(pit, CUT, warned).status_code == 303
    entry = BookEntry.objects.get(kind="cut-made/1")
    assert entry.occurred_at == tapped


@pytest.mark.parametrize("forged", ["", "2020-01-01T00:00:00+00:00", "of another form", "x:y:z"])
def test_a_moment_nobody_signed_for_this_form_is_not_believed(pit: Client, forged: str) -> None:
    if forged == "of another form":
        forged = form_on(pit.post(CUT, cut_form(pit, f"{SEATED}&cut=5")))["at"]
        assert forged
    pit.post(CUT, cut_form(pit) | {"at": forged})
    entry = BookEntry.objects.get(kind="cut-made/1")
    assert clock.now() - entry.occurred_at < MINUTE


# Malformed: nothing stored


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"passes": "x"}, "passes"),
        ({"passes": "-1"}, "passes"),
        ({"passes": "101"}, "passes"),
        ({"shoe": ""}, "shoe"),
        ({"shoe": "0"}, "shoe"),
        ({"shuffled_by": "no such code!"}, "decks"),
        ({"shuffled_by": "x" * 41}, "shuffled_by"),
        ({"shuffled_by": "\x00"}, "shuffled_by"),
        ({"seats": "1 " * 100}, "seats"),
    ],
)
def test_what_is_malformed_is_refused_on_the_same_page_and_nothing_stored(
    pit: Client, sent: dict[str, str], field: str
) -> None:
    form, before = cut_form(pit), entries()
    answer = pit.post(CUT, form | sent)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert 'id="errors"' in page
    assert "Not recorded yet." in page
    assert page.count("<title>Error:") == 1
    assert errors_on(answer)
    assert field in {"decks", *errors_on(answer)}
    assert entries() == before


def test_what_was_typed_is_still_there_and_the_same_form_can_be_mended(pit: Client) -> None:
    form = cut_form(pit)
    refused = form_on(pit.post(CUT, form | {"passes": "-1", "shuffled_by": "P-777"}))
    assert (refused["passes"], refused["shuffled_by"]) == ("-1", "P-777")
    assert refused["key"] == form["key"]
    assert pit.post(CUT, refused | {"passes": "4"}).status_code == 303
    shuffled = the_event("cards-shuffled/1")
    assert {one.passes for one in shuffled.decks} == {4}
    assert shuffled.shuffled_by == "P-777"


def test_what_is_typed_is_shown_as_text(pit: Client) -> None:
    nasty = "<script>alert('o')</script>"
    page = pit.post(CUT, cut_form(pit) | {"shuffled_by": nasty, "passes": "x"}).content.decode()
    assert nasty not in page
    assert escape(nasty) in page


def test_html_in_a_note_is_text_on_the_warnings_the_entrance_and_afterwards(pit: Client) -> None:
    url = f"/sala/{SHOE_TABLE}/exhibit/"
    nasty = '"><img src=x onerror=alert(1)>'
    form = form_on(pit.get(url)) | {"result-0": "damaged", "note": nasty}
    warned = pit.post(url, form)
    if warned.status_code == 200:
        assert nasty not in warned.content.decode()
        assert escape(nasty) in warned.content.decode()
        warned = over_it(pit, url, warned)
    assert nasty not in pit.get(warned["Location"]).content.decode()
    assert nasty not in pit.get(f"/sala/{SHOE_TABLE}/").content.decode()
    asked = Client().post(url, form)
    assert nasty not in asked.content.decode()
    assert escape(nasty) in asked.content.decode()
    assert events_of("deck-inspected/1")[-1].note is not None


# Unlawful: warned beforehand with the article, recorded with a coded reason


def test_a_wrong_cut_is_warned_of_with_its_article_and_asks_a_reason(pit: Client) -> None:
    before = entries()
    answer = pit.post(CUT, cut_form(pit, f"{SEATED}&cut=5"))
    assert checks_warned(answer) == ["cut_by_rightful_seat"]
    page = answer.content.decode()
    assert "n.º 8: a finding will be opened." in page
    assert "Cut, seat 5" in page  # what would be recorded
    assert 'value="it-happened-so"' in page
    assert entries() == before


def test_with_a_reason_it_is_recorded_and_the_warning_with_it(pit: Client) -> None:
    answer = pit.post(CUT, cut_form(pit, f"{SEATED}&cut=5"))
    assert over_it(pit, CUT, answer, "emergency").status_code == 303
    cut = the_event("cut-made/1")
    assert (cut.seat, cut.due_seat) == (5, 1)
    assert [(one.check, one.reason) for one in cut.despite] == [
        ("cut_by_rightful_seat", "emergency")
    ]
    assert the_event("cards-shuffled/1").despite == ()


@pytest.mark.parametrize("reason", ["", "because", "<b>"])
def test_a_reason_the_house_does_not_know_is_asked_again(pit: Client, reason: str) -> None:
    answer = pit.post(CUT, cut_form(pit, f"{SEATED}&cut=5"))
    before = entries()
    assert checks_warned(over_it(pit, CUT, answer, reason)) == ["cut_by_rightful_seat"]
    assert entries() == before


def test_a_reason_for_another_warning_is_none_for_this_one(pit: Client) -> None:
    form = cut_form(pit, f"{SEATED}&cut=5")
    values = {"over": "shoe_is_burnt", "despite-all": "it-happened-so"}
    assert checks_warned(pit.post(CUT, form | values)) == ["cut_by_rightful_seat"]


def test_a_lawful_cut_is_warned_of_nothing(pit: Client) -> None:
    assert pit.post(CUT, cut_form(pit)).status_code == 303
    assert the_event("cut-made/1").despite == ()


def test_sent_twice_from_the_warnings_it_is_recorded_once(pit: Client) -> None:
    answer = pit.post(CUT, cut_form(pit, f"{SEATED}&cut=5"))
    over_it(pit, CUT, answer)
    before = entries()
    assert over_it(pit, CUT, answer, "emergency")["Location"].endswith("again=1")
    assert entries() == before
