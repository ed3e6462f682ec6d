"""Logging in by an identity provider, from both entrances; what the directory says of offices.

LOGIN_SHOTS names a folder into which every page is photographed.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from casino.events.staff import StaffRegistered
from casino.models import Account
from tests.browser.axe import violations
from tests.browser.conftest import TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS
from tests.factories.findings import PEOPLE, people, write
from tests.factories.identity_provider import ServedProvider, identity_provider
from tests.factories.people import ADMINISTRATOR

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.check,
]
SHOTS = os.environ.get("LOGIN_SHOTS")
GROUPS = {"fiscal_chefe": frozenset({"heads"}), "fiscal_de_banca": frozenset({"pit"})}


@pytest.fixture
def provider(fresh_db: str, live_server: object, settings: Any) -> Iterator[ServedProvider]:
    people()
    write([StaffRegistered(staff=staff) for staff in PEOPLE.values()], ADMINISTRATOR)
    with identity_provider() as found:
        settings.HOUSE_PROVIDER, settings.HOUSE_GROUPS = found.settings(), GROUPS
        yield found


def looked_at(page: Page, name: str) -> None:
    """Nothing on it is too small, too faint, too wide, or not to be read aloud."""
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)
    assert page.evaluate(CONTRAST) == [], name
    assert page.evaluate(TARGETS) == [], name
    assert violations(page) == [], name
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


def by_provider(page: Page) -> None:
    page.locator(".by-provider button").click()


def test_a_fiscal_chefe_comes_to_the_floor_by_it(
    provider: ServedProvider, open_page: Open, complaints: list[str]
) -> None:
    provider.claims = {"employee": PEOPLE["fiscal_chefe"], "groups": ["pit"]}
    page = open_page("/sala/duty/", size=TABLET)
    looked_at(page, "provider-1-sala")
    Account.objects.filter(staff=PEOPLE["fiscal_chefe"]).update(is_active=False)
    by_provider(page)
    expect(page.locator("#errors")).to_contain_text("está encerrada")
    looked_at(page, "provider-2-sala-closed")
    Account.objects.filter(staff=PEOPLE["fiscal_chefe"]).update(is_active=True)
    by_provider(page)
    page.wait_for_url("**/sala/duty/")
    expect(page.locator(".me")).to_contain_text("fiscal-chefe")
    assert [one for one in complaints if "status of 403" not in one] == []


@pytest.mark.parametrize(("language", "theme"), [("pt-PT", "light"), ("en-GB", "dark")])
def test_the_direction_sees_which_offices_differ(
    provider: ServedProvider, open_page: Open, complaints: list[str], language: str, theme: str
) -> None:
    provider.claims = {"employee": "S-9999"}
    page = open_page("/admin/directory/", size=TABLET, language=language, theme=theme)
    looked_at(page, f"provider-{language}-1-admin")
    by_provider(page)
    expect(page.locator(".said.breach")).to_contain_text("S-9999")
    looked_at(page, f"provider-{language}-2-unknown")
    provider.claims = {"employee": PEOPLE["chefia_da_sala"], "groups": []}
    by_provider(page)
    page.wait_for_url("**/admin/directory/")
    expect(page.locator("p.nothing")).to_be_visible()
    looked_at(page, f"provider-{language}-3-nothing")
    provider.claims = {"employee": PEOPLE["fiscal_chefe"], "groups": ["pit"]}
    other = open_page("/admin/", size=TABLET, language=language, theme=theme)
    by_provider(other)
    other.wait_for_url("**/admin/")
    page.reload()
    expect(page.locator("tbody tr")).to_have_count(2)
    looked_at(page, f"provider-{language}-4-differ")
    page.locator("tbody a.button").nth(1).click()
    expect(page.locator("[name=staff]").first).to_have_value(PEOPLE["fiscal_chefe"])
    looked_at(page, f"provider-{language}-5-form")
    assert [one for one in complaints if "status of 403" not in one] == []
