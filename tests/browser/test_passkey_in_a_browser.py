"""A fiscal-chefe's telephone: a passkey is registered, and what waits for him confirmed with it.

The browser's own virtual authenticator answers, so that the ceremony is the browser's and not ours.
PASSKEY_SHOTS names a folder into which every step is photographed.
"""

import os
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import translation
from playwright.sync_api import Page, expect

from casino import clock
from casino.models import Account, Attestation, Passkey
from tests.browser.authenticator import with_authenticator
from tests.browser.conftest import TABLET, Open
from tests.factories.findings import PEOPLE, people
from tests.factories.people import PASSWORD
from tests.factories.records import loaded, recorded, tonight

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
HEAD = PEOPLE["fiscal_chefe"]
SHOTS = os.environ.get("PASSKEY_SHOTS")


@pytest.fixture
def head(fresh_db: str, live_server: object) -> str:
    """Everybody; the fiscal-chefe has a password."""
    people()
    account = Account.objects.get(staff=HEAD)
    account.set_password(PASSWORD)
    account.save()
    return HEAD


def shot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)


def test_a_passkey_is_registered_and_confirms(
    head: str, open_page: Open, complaints: list[str]
) -> None:
    act = recorded(loaded(3, tonight()), occurred_at=clock.now())
    page = open_page("/admin/casino/passkey/own/", office="fiscal_chefe", size=TABLET)
    devtools, device = with_authenticator(page)
    shot(page, "1-register")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("form[data-passkey=create] .act").click()
    expect(page.locator(".passkey-row")).to_have_count(1)
    shot(page, "2-registered")
    key = Passkey.objects.get()
    assert (key.person, key.rp_id) == (head, "localhost")

    page.goto("/admin/casino/passkey/presence/")
    expect(page.locator(".presence")).to_have_count(1)
    shot(page, "3-presence")
    page.locator(".presence .act").click()
    expect(page.locator(".shown-text")).to_contain_text("Assisti ao carregamento")
    box = page.locator(".witness-form .act").bounding_box()
    assert box is not None
    assert box["height"] >= 56
    shot(page, "4-confirm")
    page.locator("[name=over]").check()  # he is on no duty, which is said before he confirms

    devtools.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    page.locator(".witness-form .act").click()
    expect(page.locator("#passkey-said")).to_be_visible()
    shot(page, "5-refused-by-the-device")
    assert not Attestation.objects.exists()

    devtools.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": True})
    page.locator(".witness-form .act").click()
    expect(page).to_have_url(re.compile("/presence/$"))
    expect(page.locator(".presence")).to_have_count(0)
    shot(page, "6-confirmed")
    confirmed = Attestation.objects.get()
    assert (confirmed.witness, confirmed.method, confirmed.witnessed_n) == (head, "passkey", act.n)
    said = StringIO()
    with translation.override("pt-pt"):
        call_command("attested", stdout=said)
    assert "1 confirmações por chave de acesso, 0 erradas" in said.getvalue()

    page.goto("/admin/casino/passkey/own/")
    page.locator(".passkey-row select").select_option("lost")
    page.locator(".passkey-row button").click()
    expect(page.locator(".passkey-row")).to_have_count(0)
    assert complaints == []


@pytest.mark.check
def test_without_script_the_code_is_left(head: str, open_page: Open, complaints: list[str]) -> None:
    act = recorded(loaded(3), occurred_at=clock.now())
    page = open_page(
        f"/admin/casino/passkey/presence/{act.entry_id}/", office="fiscal_chefe", script=False
    )
    page.locator(f"a[href$='{act.entry_id}/witness/']").click()
    expect(page.locator("[name=secret]")).to_be_visible()
    assert complaints == []
