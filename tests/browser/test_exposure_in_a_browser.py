"""The page of rounds in doubt as a person meets it, on a desk and on a tablet."""

import os
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS
from tests.factories.evenings import record_events
from tests.factories.exposed_evenings import at, deal, inspected, open_table, where
from tests.factories.findings import people
from tests.gate import drawn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
SHOTS = os.environ.get("SHOTS")  # a folder to leave pictures in


@pytest.fixture
def address(fresh_db: str, live_server: Any) -> str:
    """The page of a deck found a card short, with rounds on either side of what is sure."""
    from casino.events.incidents import IncidentReported
    from casino.events.partidas import PartidaClosed

    people()
    open_table()
    deal(*range(1, 9))
    deal(9, shoe=None, number=None)
    open_table("BJ-02", shown=False, decks=())
    receipt = record_events(
        IncidentReported(
            **where(),
            incident="IN-1",
            category="deck_defect",
            reason="card_missing",
            people=(),
            noticed_at=at("21:05"),
        ),
        at("21:06"),
    )
    inspected("D-3", "22:40", "close")
    record_events(PartidaClosed(**where(), rounds=12), at("22:50"))
    return reverse("exposure-entry", args=[receipt.entry_id])


@pytest.mark.parametrize(
    ("size", "theme"), drawn(list(product((DESK, TABLET), ("light", "dark"))), 1)
)
def test_the_page_can_be_read_and_touched(
    address: str, open_page: Open, complaints: list[str], size: dict[str, int], theme: str
) -> None:
    page = open_page(address, office="inspetor", size=size, theme=theme)
    assert page.locator("table.rounds-in-doubt tbody tr").count() == 9
    assert page.evaluate(CONTRAST) == []
    assert violations_in_anything_new(page) == []
    assert size is DESK or page.evaluate(TARGETS) == []
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, "the page runs out of its side"
    assert complaints == []
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{size['width']}-{theme}.png", full_page=True)


def test_the_form_leads_to_the_rounds(address: str, open_page: Open, complaints: list[str]) -> None:
    page = open_page("/audit/exposure/", office="auditor", size=TABLET)
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / "form.png", full_page=True)
    page.fill("input[name=deck]", "D-2")
    page.fill("input[name=at]", "2025-11-20T21:05")
    page.click("main button[type=submit]")
    expect(page.locator("table.rounds-in-doubt tbody tr")).to_have_count(9)
    assert complaints == []
