"""Figures asked for, decided on and looked up, on a screen and on a tablet."""

from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from casino.models import FigureSetting
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS, awake
from tests.factories.figures_set import days_from_now
from tests.factories.findings import people
from tests.gate import drawn

pytestmark = [
    pytest.mark.share,
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.check,
]
LOOKS: Final = drawn(list(product((DESK, TABLET), ("light", "dark"))), 1)


def is_well(page: Page) -> None:
    """It can be read, touched, and stays within its sides."""
    awake(page)
    assert page.evaluate(CONTRAST) == []
    assert violations_in_anything_new(page) == []
    said = page.locator(".messagelist").count()  # the link to a receipt in what was just said
    assert page.viewport_size == DESK or said or page.evaluate(TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_a_reading_is_switched_by_two(
    open_page: Open, size: Any, theme: str, tmp_path: Path
) -> None:
    people()
    manager = open_page("/law/pt/readings/", office="chefia_da_sala", size=size, theme=theme)
    is_well(manager)
    manager.locator("#bank-bust a[href*='figure=']").click()
    manager.wait_for_load_state()
    is_well(manager)
    manager.fill("[name=since]", days_from_now(10).isoformat())
    manager.select_option("[name=basis]", "answer")
    manager.fill("[name=source]", "Ofício 12/2027")
    manager.fill("[name=document_day]", days_from_now(-3).isoformat())
    manager.fill("[name=grounds]", "Conta só a distância a 21.")
    letter = tmp_path / "oficio.txt"
    letter.write_text("Ofício 12/2027", "utf-8")
    manager.set_input_files("[name=files]", letter)
    manager.click(".submit-row button")
    manager.wait_for_load_state()
    is_well(manager)
    manager.click("button[name=seen][value]:not([value=''])")
    manager.wait_for_load_state()
    is_well(manager)
    page = open_page("/admin/", office="administrador", size=size, theme=theme)
    page.click("text=Ofício 12/2027")
    page.wait_for_load_state()
    is_well(page)
    page.select_option("[name=reason]", "checked")
    page.click("button[value=approved]")
    page.wait_for_load_state()
    is_well(page)
    assert FigureSetting.objects.get().figures == ["bank.bust = nearer_wins"]
    manager.goto(f"{manager.url.split('/admin/')[0]}/law/pt/readings/")
    is_well(manager)
    assert "Ofício 12/2027" in manager.locator("#bank-bust").inner_text()
    manager.emulate_media(media="print")
    assert manager.locator("#bank-bust a.no-print").first.is_hidden()
