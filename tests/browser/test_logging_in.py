"""The first log-in and the next: password, app, recovery codes, the tablet, the list of sessions.

LOGIN_SHOTS names a folder into which every page is photographed.
"""

import os
import re
from base64 import b32decode
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from playwright.sync_api import Page, expect

from casino import clock
from casino.models import Account, Authenticator
from tests.browser.axe import violations
from tests.browser.conftest import TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS
from tests.factories.findings import PEOPLE, people
from tests.factories.people import PASSWORD

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.check,
]
NEW = "quatro gaivotas no telhado"
SHOTS = os.environ.get("LOGIN_SHOTS")


@pytest.fixture
def asked_of_everybody(fresh_db: str, live_server: object, settings: Any) -> None:
    people()
    for account in Account.objects.all():
        account.set_password(PASSWORD)
        account.save()
    settings.SECOND_FACTOR = True


def looked_at(page: Page, name: str) -> None:
    """Nothing on it is too small, too faint, too wide, or not to be read aloud."""
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)
    assert page.evaluate(CONTRAST) == [], name
    assert page.evaluate(TARGETS) == [], name
    assert violations(page) == [], name
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


def code(secret: str) -> str:
    """What an app shows."""
    moment = int(clock.now().timestamp())
    return TOTP(b32decode(secret), 6, SHA1(), 30).generate(moment).decode()


def with_password(page: Page, staff: str) -> None:
    page.locator("#id_username").fill(staff)
    page.locator("#id_password").fill(PASSWORD)
    page.locator("#id_password").press("Enter")


@pytest.mark.parametrize(
    ("language", "theme"),
    [("pt-PT", "light"), ("en-GB", "dark"), ("es-ES", "dark"), ("fr-FR", "light")],
)
@pytest.mark.usefixtures("asked_of_everybody")
def test_an_auditor_sets_up_his_app_and_logs_in_with_it_by_keyboard(
    open_page: Open, complaints: list[str], language: str, theme: str
) -> None:
    staff = PEOPLE["auditor"]
    Account.objects.filter(staff=staff).update(
        password_is_temporary=True,
        language=language.lower() if language[:2] == "pt" else language[:2],
    )
    page = open_page("/admin/", size=TABLET, language=language, theme=theme)
    with_password(page, staff)
    looked_at(page, f"{language}-1-first-password")
    for field, typed in (
        ("old_password", PASSWORD),
        ("new_password1", NEW),
        ("new_password2", NEW),
    ):
        page.locator(f"#id_{field}").fill(typed)
    page.locator("#id_new_password2").press("Enter")
    expect(page.locator(".set-up-steps")).to_be_visible()
    looked_at(page, f"{language}-2-set-up")
    secret = page.locator(".set-up-steps .code").inner_text().replace(" ", "")
    page.locator("#id_password").fill(NEW)
    page.locator("#id_code").fill(code(secret))
    page.locator("#id_code").press("Enter")
    expect(page.locator(".recovery-codes li")).to_have_count(10)
    looked_at(page, f"{language}-3-recovery-codes")
    recovery = page.locator(".recovery-codes li").first.inner_text()
    page.locator("a.button.act").click()
    expect(page.locator("#rooms")).to_be_attached()
    page.goto("/admin/sessions/")
    looked_at(page, f"{language}-4-sessions")
    page.goto("/admin/second-factor/own/")
    looked_at(page, f"{language}-5-own")
    page.locator("#logout-form button").click()
    page.goto("/admin/sessions/")
    page.locator("#id_username").fill(staff)
    page.locator("#id_password").fill(NEW)
    page.locator("#id_password").press("Enter")
    looked_at(page, f"{language}-6-factor")
    page.get_by_role("textbox").fill("000000")
    page.keyboard.press("Enter")
    expect(page.locator("#passkey-said")).to_be_visible()
    looked_at(page, f"{language}-7-wrong")
    page.get_by_role("textbox").fill(recovery)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/admin/sessions/$"))
    assert [one for one in complaints if "403" not in one] == []


@pytest.mark.parametrize("language", ["pt-PT", "en-GB"])
@pytest.mark.usefixtures("asked_of_everybody")
def test_a_tablet_asks_once_a_shift_by_taps(
    open_page: Open, complaints: list[str], language: str
) -> None:
    from casino.witnessing import enrol, new_secret

    staff, secret = PEOPLE["fiscal_chefe"], new_secret()
    enrol(Account.objects.get(staff=staff), PASSWORD, secret, code(secret))
    page = open_page("/sala/", size=TABLET, language=language, touch=True)
    for time in range(2):
        page.locator("#id_enter-number").fill(staff)
        page.locator("#id_enter-secret").fill(PASSWORD)
        page.locator("form.entrance button.primary").tap()
        if not time:
            expect(page.locator("#id_factor-code")).to_be_visible()
            looked_at(page, f"{language}-sala-factor")
            page.locator("#id_factor-code").fill("000000")
            page.locator("form.entrance button.primary").tap()
            expect(page.locator("#errors")).to_be_visible()
            looked_at(page, f"{language}-sala-wrong")
            Authenticator.objects.update(last_step=0)
            page.locator("#id_factor-code").fill(code(secret))
            page.locator("form.entrance button.primary").tap()
        expect(page.locator(".bar .me")).to_be_visible()
        page.locator("header form.leave button").tap()
        expect(page.locator("#id_enter-number")).to_be_visible()
    assert [one for one in complaints if "403" not in one] == []


@pytest.mark.usefixtures("fresh_db", "live_server")
def test_going_back_after_the_log_out_shows_nothing(open_page: Open) -> None:
    people()
    page = open_page("/admin/", office="auditor", size=TABLET)
    for address in ("/book/", "/audit/exposure/", "/jackpots/", "/admin/audit/finding/", "/admin/"):
        page.goto(address)
        expect(page.locator("#logout-form")).to_be_attached()
    page.locator("#logout-form button").click()
    page.wait_for_load_state()
    for _ in range(5):
        page.go_back()
        expect(page.locator("#id_password")).to_be_visible()
        expect(page.locator("#logout-form")).not_to_be_attached()
