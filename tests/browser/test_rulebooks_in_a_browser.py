"""The rulebooks side by side as a reader meets them: on a desk, a tablet and paper, by keyboard."""

import os
import re
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS, awake
from tests.factories.findings import people
from tests.gate import drawn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
BOOKS: Final = "/rulebooks/"
EXAMPLES: Final = "/rulebooks/examples/"
ROUND: Final = f"{EXAMPLES}00000000-0000-4000-8000-000000600003/"
PAGES: Final = (BOOKS, f"{BOOKS}?part=rules&show=partly", f"{EXAMPLES}?show=parted", ROUND)
SHOTS: Final = os.environ.get("SHOTS")
# Where the first column stands once the table was pushed to its end.
PUSHED: Final = """e => { e.scrollLeft = e.scrollWidth;
    const name = e.querySelector('tbody + tbody th, tbody th').getBoundingClientRect();
    return [e.scrollLeft > 0, Math.abs(name.left - e.getBoundingClientRect().left) < 2]; }"""


def is_well(page: Page) -> None:
    """It can be read, touched, and stays within its sides."""
    awake(page)
    assert page.evaluate(CONTRAST) == []
    assert violations_in_anything_new(page) == []
    assert page.viewport_size == DESK or page.evaluate(TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def shot(page: Page, name: str) -> None:
    """A picture, where somebody wants to look."""
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


@pytest.mark.parametrize(
    ("size", "language", "theme"),
    drawn(list(product((DESK, TABLET), ("pt-PT", "en-GB"), ("light", "dark"))), 2),
)
def test_everything_can_be_read_and_touched(
    live_server: Any,
    open_page: Open,
    complaints: list[str],
    size: dict[str, int],
    language: str,
    theme: str,
) -> None:
    people()
    page = open_page("/admin/", office="fiscal_chefe", size=size, theme=theme, language=language)
    for place, address in enumerate(PAGES):
        page.goto(address)
        is_well(page)
        shot(page, f"rulebooks-{place}-{size['width']}-{language}-{theme}")
    assert complaints == []


def test_the_name_of_a_figure_stays_while_the_books_pass_by(
    live_server: Any, open_page: Open
) -> None:
    people()
    page = open_page(BOOKS, office="fiscal_chefe", size=TABLET)
    table = page.locator(".scroll").first
    assert table.evaluate(PUSHED) == [True, True]
    shot(page, "rulebooks-pushed-820")
    page.goto(f"{BOOKS}?book=pt&book=br")
    narrow = page.locator(".scroll").first
    assert narrow.evaluate("e => e.scrollWidth - e.clientWidth") <= 0  # two books need no pushing


def test_by_keyboard_the_table_is_pushed_and_two_books_are_chosen(
    live_server: Any, open_page: Open
) -> None:
    people()
    page = open_page(BOOKS, office="fiscal_chefe", size=TABLET)
    table = page.locator(".scroll").first
    table.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.activeElement.scrollLeft > 0")
    for book in ("pt-summary", "br", "fr"):
        page.locator(f"input[name=book][value={book}]").focus()
        page.keyboard.press("Space")
    page.locator("select[name=show]").select_option("differs")
    page.locator("form.compared-form button[type=submit]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("show=differs"))
    expect(page.locator("table.compared thead th")).to_have_count(3)
    expect(page.locator("table.compared tr.differs").first).to_be_visible()


def test_on_paper_all_columns_are_there(live_server: Any, open_page: Open) -> None:
    people()
    page = open_page(f"{BOOKS}?show=differs", office="fiscal_chefe", size=DESK)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 1046, "height": 720})  # A4 landscape between its margins
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.locator(".scroll").first.evaluate("e => e.scrollWidth - e.clientWidth") <= 0
    pdf = page.pdf(prefer_css_page_size=True)
    box = re.search(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", pdf)
    assert box is not None
    assert float(box[1]) > float(box[2])
    if SHOTS:
        (Path(SHOTS) / "rulebooks.pdf").write_bytes(pdf)


def test_one_leafs_from_a_round_to_the_next(live_server: Any, open_page: Open) -> None:
    people()
    page = open_page(ROUND, office="fiscal_chefe", language="en-GB")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Ace-eight doubled draws a two, paid as 21"
    )
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Insurance of three tenths")
    page.get_by_text("Step by step under: Blackjack in France").click()
    expect(page.locator("details[open] .steps h4").first).to_be_visible()
