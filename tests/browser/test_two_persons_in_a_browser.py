"""What two of the direction decide, and the security log, on a screen and on a tablet."""

from itertools import product
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from casino import clock
from casino.events.staff import StaffRegistered
from casino.models import Account, OfficeGrant, SecurityEvent
from casino.queries import offices_at
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS, awake
from tests.factories.findings import PEOPLE, people
from tests.factories.people import write
from tests.gate import drawn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.check,
]
LOOKS: Final = drawn(list(product((DESK, TABLET), ("light", "dark"))), 1)
NEW: Final = "fourteen umbrellas dance"


def is_well(page: Page) -> None:
    """It can be read, touched, and stays within its sides."""
    awake(page)
    assert page.evaluate(CONTRAST) == []
    assert violations_in_anything_new(page) == []
    said = page.locator(".messagelist").count()  # the link to a receipt in what was just said
    assert page.viewport_size == DESK or said or page.evaluate(TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def send(page: Page, button: str = ".submit-row button.act") -> None:
    page.click(button)
    page.wait_for_load_state()


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_an_office_and_a_new_log_in(open_page: Open, size: Any, theme: str) -> None:
    people()
    lost = PEOPLE["fiscal_de_banca"]
    for number in ("S-0500", lost):
        write(StaffRegistered(staff=number))
    add = "/admin/casino/staffrequest/add/"
    manager = open_page(add, office="chefia_da_sala", size=size, theme=theme)
    is_well(manager)
    manager.goto(f"{add}?kind=office-asked")
    manager.fill("[name=staff]", "S-0500")
    manager.select_option("[name=office]", "auditor")
    manager.select_option("[name=change]", "office_given")
    is_well(manager)
    send(manager)
    is_well(manager)
    assert manager.locator("button[value=approved]").count() == 0
    page = open_page("/admin/", office="administrador", size=size, theme=theme)
    is_well(page)
    page.click("text=S-0500")
    page.wait_for_load_state()
    is_well(page)
    page.select_option("[name=reason]", "checked")
    send(page, "button[value=approved]")
    is_well(page)
    assert offices_at("S-0500", clock.now()) == {"auditor"}
    assert OfficeGrant.objects.filter(person="S-0500").count() == 1

    manager.goto(f"{add}?kind=login-reset-asked")
    manager.fill("[name=staff]", lost)
    send(manager)
    page.goto("/admin/")
    page.click(f"text={lost}")
    page.wait_for_load_state()
    is_well(page)
    page.select_option("[name=reason]", "confirmed-by-person")
    send(page, "button[value=approved]")
    is_well(page)
    code = page.inner_text("p.code strong")
    own = open_page("/admin/login/new/", size=size, theme=theme)
    is_well(own)
    own.fill("[name=number]", lost)
    own.fill("[name=code]", code)
    own.fill("[name=new_password1]", NEW)
    own.fill("[name=new_password2]", NEW)
    own.click(".submit-row button.act")
    own.wait_for_url("**/admin/login/")
    assert Account.objects.get(staff=lost).check_password(NEW)


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_the_security_log(open_page: Open, size: Any, theme: str) -> None:
    people()
    for number in range(24):
        SecurityEvent.objects.create(
            at=clock.now(),
            event="login-failed",
            staff=f"S-{number % 6:04}" if number < 12 else "S-0187",
            address="10.0.0.7",
            about="",
        )
    page = open_page("/security-log/", office="auditor", size=size, theme=theme)
    is_well(page)
    assert page.locator(".said.warning").count() == 2
    page = open_page("/security-log/", office="fiscal_de_banca", size=size, theme=theme)
    is_well(page)
