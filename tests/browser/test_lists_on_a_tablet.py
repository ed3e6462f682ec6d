"""On a tablet and on paper no column of a list is cut off; the search and the rail in a browser."""

import os
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.urls import reverse
from playwright.sync_api import Page, expect

from casino.admin.paging import KeysetAdmin
from casino.recording.refusals import Refused
from tests.browser.conftest import TABLET, Open
from tests.casino.admin_projections import by_anybody, projections
from tests.factories.events.every import FULL
from tests.factories.examples import example
from tests.factories.findings import finding, people
from tests.factories.findings import write as write_findings
from tests.factories.people import write
from tests.factories.records import EVENING

pytestmark = [
    pytest.mark.check,
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
]
PAPER = {"width": 1047, "height": 740}  # A4 lying down, within its margins
SHOTS = os.environ.get("SHOTS")
# The columns of a list that lie, wholly or in part, outside what is seen of it. On a tablet it is
# not said who recorded each row.
OUTSIDE = """tablet => {
  const row = document.querySelector('#result_list tbody tr');
  const sides = document.querySelector('.results').getBoundingClientRect();
  const right = Math.min(sides.right, document.documentElement.clientWidth) + 1;
  return [...row.children].filter(cell => {
    if (tablet && cell.matches('.field-by_whom')) return false;
    const box = cell.getBoundingClientRect();
    return !cell.checkVisibility() || box.width < 8 || box.left < sides.left - 1
      || box.right > right || cell.scrollWidth > cell.clientWidth + 1;
  }).map(cell => `${cell.className}: ${cell.textContent}`);
}"""


@pytest.fixture
def lists(live_server: Any) -> list[str]:
    """Every list that has something to show."""
    people()
    for kind in FULL:
        if any(kind in {event.kind for event in one.kinds} for one in projections()):
            try:
                write(example(kind, "S-0600"), by=by_anybody(kind), at=EVENING)
            except (AssertionError, KeyError, ValueError, TypeError, Refused):
                continue  # what stands on another entry has tests of its own
    write_findings([finding(1, owed_cents=3_243_762)])
    found = [
        reverse(f"admin:{one.opts.app_label}_{one.opts.model_name}_changelist")
        for one in admin.site._registry.values()
        if isinstance(one, KeysetAdmin) and one.model._default_manager.exists()
    ]
    assert len(found) > 80
    return found


def cut_off(page: Page, lists: list[str], look: str) -> dict[str, list[str]]:
    """The columns that are not whole, by list."""
    found = {}
    for address in lists:
        answer = page.goto(address)
        if answer is None or answer.status == 403 or not page.locator("#result_list").count():
            continue
        outside = page.evaluate(OUTSIDE, look == "820")
        if outside:
            found[address] = outside
            if SHOTS:
                page.screenshot(path=Path(SHOTS) / f"{look}{address.replace('/', '-')}.png")
    return found


def test_a_tablet_shows_every_column_but_who_recorded_it(lists: list[str], open_page: Open) -> None:
    page = open_page("/admin/", office="inspetor", size=TABLET)
    assert cut_off(page, lists, "820") == {}


def test_paper_has_every_column(lists: list[str], open_page: Open) -> None:
    page = open_page("/admin/", office="inspetor", size=PAPER)
    page.emulate_media(media="print")
    assert cut_off(page, lists, "paper") == {}


def test_ctrl_k_reaches_the_search_from_every_page_and_nothing_typed_is_lost(
    lists: list[str], open_page: Open, complaints: list[str]
) -> None:
    page = open_page("/admin/casino/partida/", office="inspetor")
    own = page.locator("form.tools input[name=q]")
    own.fill("bj")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("searchbox", name="Procurar em tudo")).to_be_focused()
    expect(own).to_have_value("bj")
    page.keyboard.type("inciden")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Procurar")
    expect(page.get_by_role("heading", name="Páginas")).to_be_visible()
    assert complaints == []


def test_a_section_that_was_folded_stays_folded_and_where_one_is_is_seen(
    lists: list[str], open_page: Open, complaints: list[str]
) -> None:
    page = open_page("/admin/casino/staff/", office="inspetor", size={"width": 1280, "height": 600})
    here = page.locator("#rooms a[aria-current]")
    expect(here).to_be_in_viewport()
    first = page.locator("#rooms details").first
    first.locator("summary").click()
    expect(first).not_to_have_attribute("open", "")
    page.goto("/admin/casino/incident/")
    expect(page.locator("#rooms details").first).not_to_have_attribute("open", "")
    expect(page.locator("#rooms a[aria-current]")).to_be_in_viewport()
    assert complaints == []
