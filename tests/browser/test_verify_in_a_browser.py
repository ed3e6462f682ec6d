"""The page on which anybody verifies a document, as an inspector's browser shows it: no login.

SHOTS names a folder into which every page is photographed.
"""

import io
import os
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfWriter

from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS, awake
from tests.gate import drawn

pytestmark = [
    pytest.mark.check,
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
]
SHOTS = os.environ.get("SHOTS")


def is_well(page: Page, name: str) -> None:
    """It can be read, touched, and stays within its sides."""
    awake(page)
    assert page.evaluate(CONTRAST) == []
    assert violations_in_anything_new(page) == []
    assert page.viewport_size == DESK or page.evaluate(TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    assert page.context.cookies() == []
    if SHOTS and page.viewport_size:
        shot = f"{page.viewport_size['width']}-{page.locator('html').get_attribute('lang')}-{name}"
        page.screenshot(path=Path(SHOTS) / f"{shot}.png", full_page=True)


@pytest.mark.parametrize(
    ("size", "theme", "language"),
    drawn(list(product((DESK, TABLET), ("light", "dark"), ("pt-PT", "en-GB"))), 2),
)
def test_anybody_verifies_a_document(
    live_server: Any,
    open_page: Open,
    complaints: list[str],
    size: dict[str, int],
    theme: str,
    language: str,
) -> None:
    kept = io.BytesIO()
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    writer.write(kept)
    page = open_page("/verify/", size=size, theme=theme, language=language)
    is_well(page, "verify-empty")
    page.set_input_files(
        "[name=document]",
        {"name": "x.pdf", "mimeType": "application/pdf", "buffer": kept.getvalue()},
    )
    page.locator("form[enctype] button").click()
    said = "Desconhecido" if language == "pt-PT" else "Unknown"
    expect(page.locator("h2 [role=status]")).to_contain_text(said)
    is_well(page, "verify-unknown")
    page.fill("[name=code]", f"REL-2026-000001 {'a' * 64}")
    page.keyboard.press("Enter")
    expect(page.locator("td").first).to_contain_text("a" * 64)
    is_well(page, "verify-code")
    other = "en" if language == "pt-PT" else "pt-pt"
    page.locator(f'header a[hreflang="{other}"]').click()
    expect(page.locator("html")).to_have_attribute("lang", other)
    assert complaints == []


def test_without_script_it_does_the_same(live_server: Any, open_page: Open) -> None:
    page = open_page("/verify/", script=False)
    page.fill("[name=code]", "a" * 64)
    page.keyboard.press("Enter")
    expect(page.locator("h2 [role=status]")).to_contain_text("Desconhecido")
