"""A form that comes back within a second of being shown records nothing, script or none.

Both doors: the floor's screens and the admin's forms. What was filled in is kept; a second later
the same form records.
"""

from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.house_day import house_zone
from casino.models import Account, BookEntry
from casino.web.words.field_words import DECISION_REASONS
from tests.casino.admin_forms import filled, warned_in
from tests.casino.sala_forms import checks_warned, form_on, over_it
from tests.factories.events.every import FULL
from tests.factories.floor import SHOE_TABLE, house, opened
from tests.factories.open_house import a_house, everybody
from tests.factories.people import appoint, somebody, write
from tests.factories.recorded import entries, events_of
from tests.factories.records import EVENING, PIT, burnt, corrects, loaded, recorded
from tests.flat_html import flat
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
CUT = f"/sala/{SHOE_TABLE}/cut/"
SEATED = f"{CUT}?seats=1+2+5"
SECOND = 1.001  # a moment is told to the millisecond
WORDS = "Tapped twice? Nothing was recorded: confirm."


@recorded_once
def pit() -> Client:
    """The fiscal de banca, at his open table."""
    house()
    opened()
    return somebody("fiscal_de_banca")


@pytest.fixture(autouse=True)
def shielded(settings: Any) -> None:
    """As in a casino: a second."""
    settings.SHIELD_SECONDS = 1.0


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """So long after now, for everything that asks the house's clock; it stands still then."""
    moment = clock.now() + timedelta(seconds=seconds)
    monkeypatch.setattr(clock, "now", lambda: moment)


def shown_at(form: dict[str, Any]) -> float:
    return float(form["page_shown"])


@pytest.mark.parametrize("after", [0.0, 0.1, 0.99])
def test_a_second_tap_records_nothing_and_says_so(
    pit: Client, monkeypatch: pytest.MonkeyPatch, after: float
) -> None:
    later(monkeypatch, 0)
    form, before = form_on(pit.get(SEATED)) | {"passes": "4", "shuffled_by": "P-777"}, entries()
    later(monkeypatch, after)
    answer = pit.post(CUT, form)
    assert (answer.status_code, entries()) == (200, before)
    page = flat(answer)
    assert WORDS in page
    assert 'id="errors"' not in page  # nothing was judged
    again = form_on(answer)
    assert (again["passes"], again["shuffled_by"], again["key"]) == ("4", "P-777", form["key"])
    assert "at" not in again  # a moment nobody meant is none
    assert shown_at(again) > shown_at(form) or after == 0
    later(monkeypatch, SECOND)
    assert pit.post(CUT, again).status_code == 303
    assert {deck.passes for deck in events_of("cards-shuffled/1")[0].decks} == {4}


@pytest.mark.parametrize("after", [SECOND, 60.0])
def test_a_tap_a_second_later_records(
    pit: Client, monkeypatch: pytest.MonkeyPatch, after: float
) -> None:
    later(monkeypatch, 0)
    form = form_on(pit.get(SEATED))
    later(monkeypatch, after)
    assert pit.post(CUT, form).status_code == 303


@pytest.mark.parametrize("stamp", [None, "", "x", "nan", "inf", "-1", "9e99", "1"])
def test_a_form_that_does_not_say_when_it_was_shown_is_taken_as_it_is(
    pit: Client, stamp: str | None
) -> None:
    form = form_on(pit.get(SEATED)) | {"page_shown": stamp}
    if stamp is None:
        del form["page_shown"]
    assert pit.post(CUT, form).status_code == 303


def test_what_was_recorded_already_is_answered_by_its_receipts_however_soon(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch, 0)
    form = form_on(pit.get(SEATED))
    later(monkeypatch, SECOND)
    pit.post(CUT, form)
    before = entries()
    again = pit.post(CUT, form | {"page_shown": f"{clock.now().timestamp():.3f}"})
    assert again["Location"].endswith("again=1")
    assert entries() == before


def warned(pit: Client, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The page of warnings, just shown."""
    later(monkeypatch, 0)
    form = form_on(pit.get(f"{SEATED}&cut=5"))
    later(monkeypatch, SECOND)
    return pit.post(CUT, form)


def test_a_second_tap_on_the_warnings_shows_them_again(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, before = warned(pit, monkeypatch), entries()
    for more in ({"despite-all": "emergency"}, {"despite-all": "emergency", "go_back": "1"}, {}):
        again = pit.post(CUT, form_on(answer) | more)
        assert checks_warned(again) == ["cut_by_rightful_seat"]
        assert WORDS in flat(again)
    assert entries() == before
    later(monkeypatch, SECOND)
    assert over_it(pit, CUT, answer, "emergency").status_code == 303


def test_without_a_reason_it_is_asked_for_one_and_nothing_recorded(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer, before = warned(pit, monkeypatch), entries()
    later(monkeypatch, SECOND)
    again = pit.post(CUT, form_on(answer))
    assert checks_warned(again) == ["cut_by_rightful_seat"]
    assert again.context["errors"] == [("despite-all", "Choose the reason.")]
    assert 'name="despite-all" value="emergency" required' in flat(again)
    assert entries() == before


def test_from_the_warnings_one_goes_back_to_the_form_as_it_was_filled_in(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = form_on(pit.get(f"{SEATED}&cut=5")) | {"passes": "5", "shuffled_by": "P-777"}
    later(monkeypatch, SECOND)
    answer, before = pit.post(CUT, form), entries()
    later(monkeypatch, SECOND)
    back = pit.post(CUT, form_on(answer) | {"go_back": "1"})
    assert 'id="errors"' not in flat(back)
    again = form_on(back)
    filled_in = {name for name in form if name not in ("page_shown", "side") and "-" not in name}
    assert {name: again[name] for name in filled_in} == {name: form[name] for name in filled_in}
    assert "over" not in again
    assert entries() == before


@pytest.mark.parametrize("recorded", [{}, {"when": "other"}])
def test_what_was_put_right_happened_when_it_was_sent_again_unless_a_time_was_told(
    pit: Client, monkeypatch: pytest.MonkeyPatch, recorded: dict[str, str]
) -> None:
    """A duty that begins between the warning and the correction comes before the act."""
    url = f"/sala/{SHOE_TABLE}/incident/?category=conduct"
    minute = clock.now().replace(second=0, microsecond=0)
    if recorded:
        recorded |= {"clock": f"{minute.astimezone(house_zone()):%H:%M}"}
    form = form_on(pit.get(url)) | {"reason": "outro"} | recorded
    Account.objects.create_user("S-0021")
    appoint("S-0021", "fiscal_chefe")
    pit.force_login(Account.objects.get(staff="S-0021"))  # he is asked whether it is his act
    later(monkeypatch, SECOND)
    answer = pit.post(url, form)
    later(monkeypatch, 60)
    back = pit.post(url, form_on(answer) | {"go_back": "1"})
    later(monkeypatch, 60)
    assert pit.post(url, form_on(back) | {"reason": "outro"}).status_code == 303
    entry = BookEntry.objects.get(kind="incident-reported/1")
    assert entry.occurred_at == (minute if recorded else clock.now())


def test_what_answers_a_form_has_its_buttons_on_the_other_side(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch, 0)
    form = form_on(pit.get(SEATED))
    assert form["side"] == "right"
    soon = form_on(pit.post(CUT, form))
    assert soon["side"] == "left"
    later(monkeypatch, SECOND)
    answer = pit.post(CUT, form)
    assert "side=left" in answer["Location"]
    page = pit.get(answer["Location"])
    assert form_on(page)["side"] == "left"
    assert '<main id="main" class="left"' in flat(page)
    later(monkeypatch, SECOND)
    answer = pit.post(f"/sala/{SHOE_TABLE}/shoe/", form_on(page))
    assert "side" not in answer["Location"]


# The admin's door

LOAD = "/admin/casino/shufflerload/add/"


@pytest.fixture
def desk() -> Client:
    """The fiscal de banca at a desk; his table with a shuffler is open."""
    write(FULL["partida-opened/1"], by=PIT, at=EVENING)
    return somebody("fiscal_de_banca")


def load_form(client: Client) -> dict[str, str]:
    """A load of one packet, filled in on the page as it was shown; it is warned of."""
    shown = client.get(LOAD).context["shown_at"]
    event = loaded(1)
    return filled(event, occurred_at="2026-11-20T21:20:00") | {"page_shown": shown}


def test_the_admins_form_records_nothing_within_a_second(
    desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch, 0)
    sent = load_form(desk)
    later(monkeypatch, 0.9)
    answer = desk.post(LOAD, sent)
    page = flat(answer)
    assert WORDS in page
    assert 'id="errors"' not in page
    assert warned_in(answer) == []
    assert f'value="{sent["key"]}"' in page
    assert 'value="CSM-04"' in page
    later(monkeypatch, 0.2)
    assert "shuffler_loaded_in_packets" in warned_in(desk.post(LOAD, sent))
    assert events_of("shuffler-loaded/1") == []


def test_the_admins_warnings_are_shown_again_and_lead_back_to_the_form(
    desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch, 0)
    sent = load_form(desk)
    later(monkeypatch, SECOND)
    answer = desk.post(LOAD, sent)
    checks = warned_in(answer)
    over = sent | {f"despite-{check}": "equipment" for check in checks}
    over["page_shown"] = answer.context["shown_at"]
    assert warned_in(desk.post(LOAD, over)) == checks
    assert events_of("shuffler-loaded/1") == []
    later(monkeypatch, SECOND)
    back = desk.post(LOAD, over | {"go_back": "1"})
    assert warned_in(back) == []
    assert f'value="{sent["key"]}"' in flat(back)
    assert events_of("shuffler-loaded/1") == []
    assert desk.post(LOAD, over).status_code == 302
    assert len(events_of("shuffler-loaded/1")) == 1


def test_a_correction_is_decided_on_by_no_second_tap(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = recorded(burnt(1), supersedes=corrects(recorded(burnt(2))))
    head = somebody("fiscal_chefe")
    url = reverse("admin:casino_supersession_change", args=[asked.entry_id])
    later(monkeypatch, 0)
    page = head.get(url)
    form = page.context["form"]
    sent = {
        "key": str(form["key"].value()),
        "at": form["at"].value(),
        "decision": "approved",
        "reason": next(iter(DECISION_REASONS)),
        "page_shown": page.context["shown_at"],
    }
    before = entries()
    again = head.post(url, sent)
    assert (again.status_code, entries()) == (200, before)
    assert WORDS in flat(again)
    later(monkeypatch, SECOND)
    assert head.post(url, sent).status_code == 302
    assert entries() == before + 1


# Where what records lies


class Loose(HTMLParser):
    """Finds the buttons that record and lie in neither half of the screen."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, set[str]]] = []
        self._form: list[str] | None = None
        self._stamped = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "form":
            self._form, self._stamped = [], False
        self._stamped |= tag == "input" and values.get("name") == "page_shown"
        if tag == "button" and self._form is not None:
            around = set().union(*(classes for _, classes in self._open))
            own = (values.get("class") or "").split()
            sends = values.get("type") != "button"
            aside = "formnovalidate" in values or values.get("name") == "go_back" or not sends
            if not aside and not {"first-pressed", "undo"} & {*own, *around}:
                if not {"foot", "records"} & around:
                    self._form.append(str(self.get_starttag_text()))
        if tag not in ("input", "meta", "link", "path", "img", "br", "use", "rect", "circle"):
            self._open.append((tag, {*(values.get("class") or "").split()}))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self._form is not None:
            self.found += self._form if self._stamped else []
            self._form = None
        for place in range(len(self._open) - 1, -1, -1):
            if self._open[place][0] == tag:
                del self._open[place:]
                break


def test_on_every_screen_what_records_lies_in_one_half() -> None:
    screens, client = a_house(), everybody()
    loose = {}
    for name, url in screens.by_name.items():
        page = Loose()
        page.feed(flat(client.get(url)))
        if page.found:
            loose[name] = page.found
    assert loose == {}
