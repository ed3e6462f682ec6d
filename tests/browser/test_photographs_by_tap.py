"""A damaged card with its photograph, by taps; what is none; after a log-in; recordings kept.

SALA_SHOTS names a folder into which every step is photographed.
"""

from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from casino.models import Attachment, BookEntry, WaitingFile
from casino.recording.attaching import digests_in
from casino.recording.photographs import photograph
from tests.browser.conftest import TABLET, Open
from tests.browser.photographs_taken import place, taken
from tests.browser.sala_hand import HEAD, Hand, everybody
from tests.browser.tablet import SHOTS
from tests.casino.sala_forms import address
from tests.factories.floor import MACHINE_TABLE, PIT, house, opened
from tests.factories.people import PASSWORD, appoint
from tests.factories.recorded import last_entry

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.check,
]
DAMAGED = f"{address('incident', MACHINE_TABLE)}?category=damaged_card"


@pytest.fixture
def cast(fresh_db: str, live_server: object) -> None:
    """A machine's table in play, and everybody of the floor."""
    house()
    everybody()
    appoint(PIT.staff, "fiscal_de_banca")
    opened(MACHINE_TABLE)


def pdf(page: Page, name: str) -> None:
    if SHOTS:
        page.pdf(path=Path(SHOTS) / f"{name}.pdf", prefer_css_page_size=True)


def test_a_damaged_card_from_the_tap_to_the_picture_on_its_record_and_its_label(
    cast: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(DAMAGED, office="fiscal_de_banca", size=TABLET, theme="dark", language="en")
    hand = Hand(page)
    page.locator("summary", has_text="Photographs").click()
    expect(page.locator(".photograph:visible")).to_have_count(1)
    large = taken(page)
    place(page).set_input_files(large)
    expect(page.locator(".photograph canvas")).to_have_count(1)
    expect(page.locator(".photograph:visible")).to_have_count(2)
    hand.look("photo-taken")
    place(page, 1).set_input_files(taken(page, "two.jpg"))
    expect(page.locator(".photograph canvas")).to_have_count(2)
    page.locator(".photograph button:visible").nth(1).click()  # the second one is left out
    expect(page.locator(".photograph canvas")).to_have_count(1)
    page.locator("label.choice:has(input[name=deck])").first.click()
    hand.tap("button[name=reason][value=rasgada]", ".course", "photo-recorded")
    entry = last_entry("incident-reported/1")
    (digest,) = digests_in(entry)
    kept = Attachment.objects.get(pk=digest)
    assert kept.size < len(large["buffer"]), "the tablet makes it smaller"
    assert photograph(bytes(kept.content or b"")).sha256 == digest, "nothing is left to take out"
    hand.tap(f"a[href$='/sala/entry/{entry.pk}/']", ".picture img")
    wide = page.locator(".picture img").evaluate("one => one.decode().then(() => one.naturalWidth)")
    assert wide == 2000
    hand.look("photo-on-its-record")
    hand.tap("a[href$='/label/']", ".deck-label .qr", "label")
    page.emulate_media(media="print")
    pdf(page, "label-a4")
    page.goto(f"{page.url}?roll=1")
    pdf(page, "label-roll")
    assert complaints == []


def test_the_exhibitions_other_tap_leaves_it_where_it_was_taken(
    cast: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(address("exhibit", MACHINE_TABLE), office="fiscal_de_banca", size=TABLET)
    place(page).set_input_files(taken(page))
    expect(page.locator(".photograph canvas")).to_have_count(1)
    page.locator("#all").click()
    expect(page.locator("input[value=conform]:checked").first).to_be_visible()
    assert place(page).evaluate("one => one.files.length") == 1
    assert complaints == []


def test_what_is_no_photograph_is_refused_and_the_form_keeps_the_other(
    cast: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(DAMAGED, office="fiscal_de_banca", size=TABLET, theme="dark")
    hand = Hand(page)
    place(page).set_input_files(taken(page))
    text = {"name": "card.jpg", "mimeType": "image/jpeg", "buffer": b"a text"}
    place(page, 1).set_input_files(text)
    hand.tap("button[name=reason][value=rasgada]", "#errors", "photo-refused")
    expect(page.locator("#errors")).to_contain_text("card.jpg: isto não é uma fotografia")
    expect(page.locator("p.photograph")).to_have_count(1)
    hand.tap("button[name=reason][value=rasgada]", ".course")
    assert len(digests_in(last_entry("incident-reported/1"))) == 1
    assert not WaitingFile.objects.exists()
    assert complaints == []


def test_after_an_ended_session_the_page_says_that_it_is_taken_again(
    cast: None, open_page: Open
) -> None:
    page = open_page(DAMAGED, office="fiscal_chefe", size=TABLET, theme="dark")
    hand = Hand(page)
    place(page).set_input_files(taken(page))
    page.context.clear_cookies(name="sessionid")
    page.context.clear_cookies()
    hand.tap("button[name=reason][value=rasgada]", "#id_enter-number", "photo-session-ended")
    expect(page.locator(".said.warning")).to_contain_text("As fotografias não vieram")
    page.fill("#id_enter-number", HEAD)
    page.fill("#id_enter-secret", PASSWORD)
    hand.tap("form:has(#id_enter-secret) .foot button", "#errors", "photo-asked-again")
    assert not BookEntry.objects.filter(kind="incident-reported/1").exists()
    place(page).set_input_files(taken(page))
    hand.tap("button[name=reason][value=rasgada]", ".course")
    assert len(digests_in(last_entry("incident-reported/1"))) == 1


def test_recordings_of_the_incident_are_kept_with_two_taps(
    cast: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(DAMAGED, office="fiscal_chefe", size=TABLET, theme="dark")
    hand = Hand(page)
    hand.tap("button[name=reason][value=rasgada]", ".course")
    hand.counted()
    hand.tap("a[href*='/footage/']", "#id_reason", "footage")
    hand.tap(".foot .primary", ".course", "footage-kept")
    assert hand.counted() == 2
    assert BookEntry.objects.filter(kind="footage-held/1").count() == 1
    assert complaints == []


def test_a_warning_keeps_it_and_an_inspector_sees_it(
    cast: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(DAMAGED, office="fiscal_de_banca", size=TABLET, theme="dark")
    hand = Hand(page)
    hand.tap("button[name=reason][value=rasgada]", ".course")
    hand.tap("a[href$='/close/']", ".photographs")
    hand.choose("reason", "resolvido")
    place(page).set_input_files(taken(page))
    expect(page.locator(".photograph canvas")).to_have_count(1)
    hand.tap(".foot .primary", ".needs-choice", "photo-warned")
    expect(page.locator(".acts")).to_contain_text("Fotografia")
    hand.over_it(".recorded")
    entry = last_entry("incident-closed/1")
    assert len(digests_in(entry)) == 1
    seen = open_page(
        reverse("admin:casino_incidentclosure_change", args=[entry.pk]), office="inspetor"
    )
    expect(seen.locator(".picture img")).to_be_visible()
    assert seen.locator(".picture img").evaluate("one => one.decode().then(() => true)")
    if SHOTS:
        seen.screenshot(path=Path(SHOTS) / "photo-for-the-inspector.png", full_page=True)
    assert complaints == []
