"""What is due at the tables, on the overview of whoever answers for all of them."""

import os
from itertools import product
from pathlib import Path

import pytest

from casino import clock
from casino.events.incidents import IncidentReported
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS
from tests.factories.findings import people
from tests.factories.tonight import MINUTE, Table, look_at, record_events
from tests.gate import drawn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
SHOTS = os.environ.get("SHOTS")  # a folder to leave pictures in
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def owing(fresh_db: str) -> None:
    """Two shoes dealt unprepared, a load that waits for its witness, an incident of yesterday."""
    people()
    for code, left_out in (("BJ-01", "burnt"), ("BJ-02", "cut")):
        table = Table(code)
        table.prepared(left_out)
        table.played()
    loaded = Table("BJ-06", dealing="shuffler")
    loaded.shuffled()
    loaded.loaded()
    values = {"category": "conduct", "reason": "quarrel", "people": ()}
    record_events(IncidentReported(incident="IN-7", table="BJ-02", **values), 24 * 60 + 1)
    look_at(clock.now() + 3 * MINUTE)


@pytest.mark.parametrize(
    ("size", "theme"), drawn(list(product((DESK, TABLET, PHONE), ("light", "dark"))), 1)
)
def test_what_is_due_can_be_read_and_leads_to_its_finding(
    owing: None, open_page: Open, complaints: list[str], size: dict[str, int], theme: str
) -> None:
    page = open_page("/admin/", office="chefia_da_sala", size=size, theme=theme)
    due = page.locator(".alerts li")
    assert due.count() == 4
    assert page.evaluate(CONTRAST) == []
    assert violations_in_anything_new(page) == []
    assert size is DESK or page.evaluate(TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"alerts-{size['width']}-{theme}.png")
    due.nth(0).locator("a").click()
    assert page.locator("ol.history li").count() == 1
    # No run that could be opened raised it: what leads on is its own sealed proof.
    assert page.locator("ol.history a:not([href*='/book/entries/'])").count() == 0
    if SHOTS and size is DESK:
        page.screenshot(path=Path(SHOTS) / f"finding-{theme}.png", full_page=True)
    assert complaints == []
