"""Recording as somebody at a table does it, on a tablet: open a game, load the shuffler, witness.

RECORD_SHOTS names a folder into which every step is photographed.
"""

import os
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from casino.events.round.round_played import RoundPlayed
from casino.events.shufflers import ShufflerLoaded
from casino.models import Account, Attestation, Partida, ShufflerLoad
from casino.queries import load_entry
from casino.witnessing import set_pin
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS, VIEWS
from tests.factories.events.every import FULL
from tests.factories.findings import PEOPLE, people
from tests.factories.people import write
from tests.factories.recorded import last_entry
from tests.factories.records import EVENING, PIT, burnt, recorded
from tests.gate import drawn, in_turn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
PIN = "482915"
SHOTS = os.environ.get("RECORD_SHOTS")


@pytest.fixture
def cast(fresh_db: str, live_server: object) -> dict[str, str]:
    """Everybody, and the fiscal-chefe with a code; the table was open the evening before."""
    people()
    set_pin(Account.objects.get(staff=PEOPLE["fiscal_chefe"]), PIN)
    write(FULL["partida-opened/1"], by=PIT, at=EVENING)
    return dict(PEOPLE)


def shot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)


def record(page: Page) -> None:
    """Press the button; where it warns, give a reason for everything and press again."""
    page.locator(".submit-row .act").click()
    while page.locator(".warned").count():
        for choice in page.locator(".despite select").all():
            choice.select_option("it-happened-so")
        page.locator(".submit-row .act").click()


def test_a_game_is_opened_and_its_shuffler_loaded_before_a_witness(
    cast: dict[str, str], open_page: Open, complaints: list[str]
) -> None:
    page = open_page(
        "/admin/casino/partida/add/?table=BJ-06", office="fiscal_de_banca", size=TABLET
    )
    expect(page.locator("[name=table]")).to_have_value("BJ-06")
    expect(page.locator("[name=decks-0-deck]")).to_have_value("D-0231")
    shot(page, "1-partida-form")
    page.locator("[name=partida]").fill("BJ-06/2026-11-20/2")
    page.locator("[name=occurred_at]").fill("2026-11-20T22:00:00")
    page.locator("[name=limits-maximum_cents]").fill("400,00")
    record(page)
    shot(page, "2-partida-recorded")
    opened = Partida.objects.get(partida_id="BJ-06/2026-11-20/2")
    assert opened.maximum_cents == 40_000

    page.goto("/admin/casino/shufflerload/add/")
    expect(page.locator("[name=partida]")).to_have_value("BJ-06/2026-11-20/2")
    page.locator("[name=packets]").fill("1")
    page.locator("[name=occurred_at]").fill("2026-11-20T22:05:00")
    shot(page, "3-load-form")
    page.locator(".submit-row .act").click()
    expect(page.locator(".warned").first).to_contain_text("n.º 54")
    shot(page, "4-load-warned")
    for choice in page.locator(".despite select").all():
        choice.select_option("equipment")
    page.locator(".submit-row .act").click()
    assert ShufflerLoad.objects.get(partida_id="BJ-06/2026-11-20/2").packets == 1
    event = load_entry(last_entry(ShufflerLoaded.kind).pk)
    assert event is not None
    assert event.event.despite

    expect(page.locator(".shown-text")).to_be_visible()
    shot(page, "5-witness")
    page.locator("[name=staff]").fill(cast["fiscal_chefe"])
    page.locator("[name=secret]").fill("000000")
    page.locator("[name=over]").check()  # he is on no duty, which is said once his number stands
    page.locator(".witness-form button.act").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("[name=secret]")).to_have_value("")
    shot(page, "6-witness-refused")
    page.locator("[name=over]").check()
    page.locator("[name=secret]").fill(PIN)
    page.locator(".witness-form button.act").click()
    expect(page.get_by_text(cast["fiscal_chefe"]).first).to_be_visible()
    shot(page, "7-load-witnessed")
    assert Attestation.objects.get().witness == cast["fiscal_chefe"]
    assert complaints == []


@pytest.mark.check
def test_what_was_mistyped_is_said_and_stays_filled(
    cast: dict[str, str], open_page: Open, complaints: list[str]
) -> None:
    page = open_page("/admin/casino/cut/add/", office="fiscal_de_banca", size=TABLET)
    page.locator("[name=seats_occupied]").fill("2 5")
    page.locator("[name=offers-0-seat]").fill("2")
    page.locator("[name=after]").select_option("start")
    page.locator("[name=cut_by]").select_option("seat")
    page.locator("[name=work_out]").click()
    expect(page.get_by_role("status")).to_contain_text("2")
    page.locator("[name=more_rows]").click()
    expect(page.locator("[name=offers-0-seat]")).to_have_value("2")
    page.locator("[name=seats_occupied]").fill("5 2")
    page.locator(".submit-row .act").click()
    expect(page.locator("#errors")).to_be_visible()
    expect(page.locator("[name=seats_occupied]")).to_have_value("5 2")
    shot(page, "8-cut-refused")
    assert page.locator("#errors li").count() >= 1
    assert complaints == []


@in_turn("forms", VIEWS)
@pytest.mark.parametrize(
    ("size", "language", "theme"),
    drawn(
        [
            (TABLET, "pt-PT", "light"),
            (TABLET, "pt-PT", "dark"),
            (DESK, "en-GB", "light"),
            (DESK, "en-GB", "dark"),
        ],
        1,
    ),
)
def test_every_page_can_be_touched_and_read(
    cast: dict[str, str],
    open_page: Open,
    complaints: list[str],
    size: dict[str, int],
    language: str,
    theme: str,
) -> None:
    load = write(FULL["shuffler-loaded/1"], by=PIT, at=EVENING)
    played = FULL["round-played/1"]
    assert isinstance(played, RoundPlayed)
    round_entry = write(played, by=PIT, at=EVENING)
    incident = write(FULL["incident-reported/1"], by=PIT, at=EVENING)
    original = recorded(burnt(2))
    from tests.factories.records import corrects

    asked = recorded(burnt(1), supersedes=corrects(original))
    addresses = {
        "incident-form": "/admin/casino/incident/add/",
        "kinds": "/admin/casino/interruption/add/",
        "load": f"/admin/casino/shufflerload/{load.entry_id}/",
        "witness": f"/admin/casino/shufflerload/{load.entry_id}/witness/",
        "round": f"/admin/casino/round/{round_entry.entry_id}/",
        "incident": f"/admin/casino/incident/{incident.entry_id}/",
        "correct": f"/admin/casino/incident/{incident.entry_id}/correct/",
        "decide": f"/admin/casino/supersession/{asked.entry_id}/",
        "waiting": "/admin/casino/supersession/",
        "burns": "/admin/casino/burn/",
        "book": "/admin/casino/bookentry/",
    }
    at_the_table = {"round-form": "/admin/casino/round/add/"}
    wrong: list[str] = []
    for office, pages in (("fiscal_chefe", addresses), ("fiscal_de_banca", at_the_table)):
        page = open_page("/admin/", office=office, size=size, theme=theme, language=language)
        for name, address in pages.items():
            page.goto(address)
            shot(page, f"{name}-{size['width']}-{theme}")
            if size == TABLET:
                wrong += [f"{name}: {one}" for one in page.evaluate(TARGETS)]
            wrong += [f"{name}: {one}" for one in page.evaluate(CONTRAST)]
            wrong += [f"{name}: {one}" for one in violations_in_anything_new(page)]
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            wrong += [f"{name}: {wide} px too wide"] if wide > 0 else []
    assert wrong == [], "\n".join(wrong)
    assert complaints == []
    assert date(2026, 11, 20) == Partida.objects.earliest("n").gaming_day
