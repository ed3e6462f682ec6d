"""The page of what was sent by mail: empty, full, with mails that did not leave; the address."""

from itertools import product
from typing import Any, Final

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMessage
from playwright.sync_api import Page, expect

from audit.mailing.posting import make_mails
from audit.mailing.sending import send_due
from audit.models import Mail
from casino import clock
from casino.house_day import gaming_day_now
from casino.models import Account, MailAddress
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS, awake
from tests.factories.findings import PEOPLE, finding, people, write
from tests.gate import drawn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
PASSWORD: Final = "four words nobody guesses"


def is_well(page: Page) -> None:
    """It can be read, touched, and stays within its sides."""
    awake(page)
    assert page.evaluate(CONTRAST) == []
    assert violations_in_anything_new(page) == []
    assert page.viewport_size == DESK or page.evaluate(TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize(
    ("size", "theme"), drawn(list(product((DESK, TABLET), ("light", "dark"))), 1)
)
def test_an_auditor_gives_his_address_and_reads_what_was_sent(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, size: Any, theme: str
) -> None:
    people()
    me = Account.objects.get(staff=PEOPLE["auditor"])
    me.set_password(PASSWORD)
    me.save()
    page = open_page("/audit/alerts/", office="auditor", size=size, theme=theme)
    is_well(page)
    page.fill("[name=address]", "auditor@example.pt")
    page.fill("[name=password]", "of another")
    page.click(".submit-row button.act")
    page.wait_for_load_state()
    assert not MailAddress.objects.exists()
    is_well(page)
    page.fill("[name=password]", PASSWORD)
    page.click(".submit-row button.act")
    page.wait_for_load_state()
    assert MailAddress.objects.get().account == me

    write([finding(1, gaming_day=gaming_day_now())])
    make_mails(clock.now())
    send_due()

    def away(_mail: EmailMessage, **_how: object) -> int:
        raise ImproperlyConfigured("no folder " + "x" * 200)

    monkeypatch.setattr(EmailMessage, "send", away)
    Mail.objects.update(made_at="2026-01-01T00:00:00Z")
    write([finding(2, gaming_day=gaming_day_now())])
    make_mails(clock.now())
    send_due()
    page.goto("/audit/alerts/")
    is_well(page)
    summary = page.locator("#content details summary").first
    expect(page.locator("#content details").first).to_have_attribute("open", "")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#content details").first).not_to_have_attribute("open", "")
