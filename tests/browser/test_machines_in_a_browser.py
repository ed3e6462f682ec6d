"""Machines, webhooks and the API's page as whoever leads the house meets them."""

from itertools import product
from typing import Any, Final

import pytest
from oauth2_provider.models import Application
from playwright.sync_api import Page, expect

from audit.mail_events import WebhookSet
from casino import clock
from casino.api.machine_tokens import make_machine, revoke
from casino.models import ApiClient
from tests.browser.axe import violations_in_anything_new, violations_of_wcag
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS, awake
from tests.factories.findings import OWNER, people, write
from tests.factories.people import appoint
from tests.gate import drawn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
MACHINES: Final = "/admin/machines/"
HOOKS: Final = "/admin/audit/webhooksetting/"
A4: Final = {"width": 703, "height": 1020}


def is_well(page: Page) -> None:
    """It can be read, touched, and stays within its sides."""
    awake(page)
    assert page.evaluate(CONTRAST) == []
    assert violations_in_anything_new(page) == []
    assert page.viewport_size == DESK or page.evaluate(TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def machines() -> None:
    """One that calls with a wrong clock and lost a message, one that never called, one revoked."""
    for number in ("D-0900", "SHUFFLER-IN-THE-SECOND-ROOM-OF-THE-HOUSE", "D-0902"):
        appoint(number, "dispositivo")
        make_machine(number, ["BJ-01", "BJ-06"], ("rounds", "records"), "S-0003")
    calling = ApiClient.objects.filter(number="D-0900")
    calling.update(highest=1_204, taken=1_201, skew_ms=-610_000, last_at=clock.now())
    revoke(ApiClient.objects.get(number="D-0902"), clock.now())


@pytest.mark.parametrize(
    ("size", "language", "theme"),
    drawn(list(product((DESK, TABLET), ("pt-PT", "en-GB"), ("light", "dark"))), 1),
)
def test_the_pages_of_programs_can_be_read_and_touched(
    open_page: Open, complaints: list[str], settings: Any, size: Any, language: str, theme: str
) -> None:
    """Empty, full, with what is wrong said; by whoever may record and by an inspector."""
    people()
    look = {"size": size, "language": language, "theme": theme}
    page = open_page(MACHINES, office="administrador", **look)
    is_well(page)
    page.goto(HOOKS)
    is_well(page)
    machines()
    settings.WEBHOOK_HOSTS = ["srij.example"]
    for name, address in (("inspecao", "https://srij.example/" + "x" * 300), ("velho", None)):
        write([WebhookSet(webhook=name, topic="finding", address=address)], OWNER)
    page.goto(MACHINES)
    page.locator("#content details summary").first.click()
    is_well(page)
    page.locator(".witness-form .act").click()
    page.wait_for_load_state()
    assert page.locator(":invalid").count() >= 1, "the browser itself asks for a number"
    page.fill("[name=number]", "D-9999")
    page.locator("[name=scopes]").first.check()
    page.locator(".witness-form .act").click()
    expect(page.locator(".witness-form .mark.breach").first).to_be_visible()
    is_well(page)
    page.goto(f"{HOOKS}add/")
    is_well(page)
    page.fill("[name=webhook]", "outro")
    page.select_option("[name=topic]", "due")
    page.fill("[name=address]", "https://elsewhere.example/")
    page.locator(".submit-row .act").click()
    expect(page.locator("#errors")).to_be_visible()
    is_well(page)
    page.goto("/api/docs")
    expect(page.locator("#swagger-ui .opblock-tag").first).to_be_visible()
    assert violations_of_wcag(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    inspector = open_page(HOOKS, office="inspetor", **look)
    is_well(inspector)
    inspector.locator("#result_list tbody a").first.click()
    inspector.wait_for_load_state()
    is_well(inspector)
    assert complaints == []


def test_a_secret_is_renewed_by_keyboard_and_a_second_tap_ends_nothing(
    open_page: Open, complaints: list[str], settings: Any
) -> None:
    settings.SHIELD_SECONDS = 1.0
    people()
    machines()

    def marks() -> dict[str, Any]:
        return dict(Application.objects.values_list("client_id", "updated"))

    page = open_page(MACHINES, office="chefia_da_sala", size=TABLET)
    before = marks()
    summary = page.locator("#content details summary").first
    button = page.locator("button[name=renew]").first
    expect(button).not_to_be_visible()
    summary.focus()
    page.keyboard.press("Enter")
    expect(button).to_be_visible()
    expect(button).not_to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Tab")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    secret = page.locator("code.secret")
    expect(secret).to_be_visible()
    once = marks()
    assert [name for name in once if once[name] != before[name]] == ["D-0900"]
    shown = secret.inner_text()
    page.locator("#content details summary").first.click()
    page.locator("button[name=renew]").first.click(force=True)  # within the second: it rests
    assert marks() == once
    page.go_back()
    page.wait_for_load_state()
    assert shown not in page.content()
    assert marks() == once
    assert complaints == []


@pytest.mark.check
def test_of_machines_what_is_printed_fits_and_offers_nothing(open_page: Open) -> None:
    people()
    machines()
    page = open_page(MACHINES, office="chefia_da_sala", size=A4)
    page.emulate_media(media="print")
    for name in ("details", ".witness-form", "[name=renew]"):
        expect(page.locator(name).first).not_to_be_visible()
    table = page.locator("table.machines")
    assert table.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth + 1")
    expect(table).to_contain_text("D-0902")
