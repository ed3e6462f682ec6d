"""What never happened is withdrawn at the tablet: a stop tapped by mistake, and a code."""

from typing import Any

import pytest
from playwright.sync_api import expect

from casino.models import Account, Correction
from casino.witnessing import set_pin
from tests.browser.conftest import TABLET, Open
from tests.browser.tablet import AT, Tablet
from tests.factories.findings import people
from tests.factories.floor import house, opened, prepared

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.check,
]
CHEFE, PIN = "S-0104", "482915"


@pytest.fixture
def floor(fresh_db: str, live_server: object, settings: Any) -> None:
    """A table in play, where buttons rest for a second."""
    settings.SHIELD_SECONDS = 1.0
    people()
    house()
    opened()
    prepared()


def test_a_slip_is_withdrawn_by_two_persons_at_one_tablet(
    floor: None, open_page: Open, complaints: list[str]
) -> None:
    hand = Tablet(open_page(AT, office="fiscal_de_banca", size=TABLET))
    hand.page.goto(f"{AT}interrupt/")
    hand.page.locator("label.choice:has(input[value=no_players])").click()
    hand.tap("button[value=interrupt]", ".recorded")
    hand.counted()
    hand.tap(".recorded a[href$='/withdraw/']", "form.act-form")
    hand.page.locator("label.choice:has(input[value=tapped_by_mistake])").click()
    hand.tap(".foot .primary", "#id_secret")
    assert hand.counted() == 2  # and one for the reason
    set_pin(Account.objects.get(staff=CHEFE), PIN)
    hand.page.fill("#id_staff", CHEFE)
    hand.page.fill("#id_secret", PIN)
    hand.tap("button[value=approved]", ".said.kept")
    assert Correction.objects.get().staff == CHEFE
    hand.tap(".foot .primary", ".lately")
    expect(hand.page.locator(".lately s").first).to_be_visible()
    assert complaints == []
