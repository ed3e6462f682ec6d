"""Anular, by a finger: what was sent says for how long it can be taken back, and is taken back."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from casino.models import BookEntry, Cut, HeldRecord, LastRound
from tests.browser.conftest import TABLET, Open
from tests.browser.tablet import AT, Tablet
from tests.factories.findings import people
from tests.factories.floor import house, opened, played, prepared

pytestmark = [
    pytest.mark.check,
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
]


@pytest.fixture
def tablet(fresh_db: str, live_server: object, open_page: Open, settings: Any) -> Tablet:
    """At a table whose first shoe is being dealt; nothing is over before a test says so."""
    settings.SALA_HOLD_SECONDS = 600
    people()
    house()
    opened()
    prepared()
    played(1, 1, minutes=0)
    found = Tablet(open_page(AT, office="fiscal_de_banca", size=TABLET))
    found.look("button[value=during_round]")
    return found


def test_a_shoe_is_three_taps_and_each_can_be_taken_back(tablet: Tablet) -> None:
    page = tablet.page
    tablet.tap("button[value=during_round]", ".held")
    expect(page.locator(".held")).to_contain_text("A registar…")
    expect(page.locator(".held [data-left]")).to_have_text(re.compile(r"5\d\d"))
    assert LastRound.objects.count() == 0
    tablet.tap(".primary", "a[href*=from_end]")
    expect(page.locator(".held")).to_contain_text("Corte")
    assert (LastRound.objects.count(), Cut.objects.count()) == (1, 1)
    tablet.tap(".primary", "button[value=during_round]")
    assert tablet.counted() == 3
    assert Cut.objects.count() == 2
    before = BookEntry.objects.count()
    tablet.tap(".held button", ".held:not([data-held])")
    expect(page.locator(".held")).to_contain_text("Anulado: nada foi registado.")
    assert (HeldRecord.objects.count(), BookEntry.objects.count()) == (0, before)
    expect(page.locator(".primary")).to_contain_text("50")  # the warning card is due again


def test_the_tablet_says_so_when_it_is_recorded(tablet: Tablet, settings: Any) -> None:
    settings.SALA_HOLD_SECONDS = 2
    tablet.tap("button[value=during_round]", ".seats")
    expect(tablet.page.locator(".recorded:not(.held)")).to_be_visible()
    expect(tablet.page.locator(".held")).to_have_count(0)
    assert LastRound.objects.count() == 1
    tablet.look(".recorded")


def test_another_tablet_sees_it_and_cannot_take_it_back(tablet: Tablet, open_page: Open) -> None:
    tablet.tap("button[value=during_round]", ".held")
    other = open_page(AT, office="fiscal_chefe", size=TABLET)
    expect(other.locator(".held")).to_contain_text("A registar…")
    expect(other.locator(".held button")).to_have_count(0)
    expect(other.locator(".seats").first).to_be_visible()  # the cut is due there too
