"""One face: the floor in both themes and both ways a tablet is held, every part of every page.

SALA_SHOTS names a folder into which every screen is photographed.
"""

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import TABLET, Open
from tests.browser.tablet import FAINT, SHOTS
from tests.factories.findings import people
from tests.factories.floor import PIT, ago, house, opening, register
from tests.factories.people import appoint, write
from tests.gate import drawn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
LYING: Final = {"width": 1180, "height": 820}
HELD: Final = {"upright": TABLET, "lying": LYING}
BOOKS: Final = ("pt", "pt-summary", "es", "fr", "br")
# The button that records, whether all of it is on the screen and nothing lies over it.
IN_SIGHT: Final = """() => {
  const one = document.querySelector('.act-form .foot .primary');
  const {left, right, top, bottom} = one.getBoundingClientRect();
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return scrollY === 0 && top >= 0 && bottom <= innerHeight && one.contains(at);
}"""
# What is gone to by keys and lies under the foot, where nobody sees it.
UNDER_FOOT: Final = """() => {
  const foot = document.querySelector('.foot.stays');
  const under = [];
  for (const one of document.querySelectorAll('main input, main select, main textarea, main a')) {
    if (!one.checkVisibility() || foot.contains(one) || one.type === 'hidden') continue;
    one.focus();
    const [box, over] = [one.getBoundingClientRect(), foot.getBoundingClientRect()];
    const covered = box.bottom > over.top + 1 && box.top < over.bottom - 1;
    if (covered) under.push(one.outerHTML.slice(0, 90));
  }
  return under;
}"""


@pytest.fixture
def floor(fresh_db: str, live_server: object) -> None:
    """A table under each rulebook, with six decks that nobody has shown yet; one to be opened."""
    people()
    appoint("S-0021", "fiscal_chefe")  # every game names him
    house()
    for n, book in enumerate(BOOKS):
        register(f"BJ-1{n}")
        decks = tuple(f"D-7{n}{deck:02}" for deck in range(1, 7))
        write(replace(opening(f"BJ-1{n}", decks=decks), rulebook=book), by=PIT, at=ago(50))


def fits(page: Page, name: str) -> None:
    """A photograph; nothing is faint, nothing is wider than the tablet."""
    page.wait_for_load_state()
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"face-{name}.png")
    assert page.evaluate(FAINT) == [], name
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


@pytest.mark.parametrize("held", HELD)
def test_what_opens_and_what_exhibits_is_in_sight_without_a_scroll(
    floor: None, open_page: Open, held: str
) -> None:
    page = open_page("/sala/", office="fiscal_de_banca", size=HELD[held])
    pages = [f"/sala/BJ-1{n}/exhibit/" for n in range(len(BOOKS))]
    for address in ["/sala/BJ-01/open/", *drawn(pages, 2)]:
        page.goto(address)
        fits(page, f"{held}-{address.strip('/').replace('/', '-')}")
        assert page.evaluate(IN_SIGHT), address
        assert page.evaluate(UNDER_FOOT) == [], address


def test_the_light_theme_is_one_tap_and_as_legible(
    floor: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page("/sala/", office="fiscal_de_banca", size=TABLET)
    fits(page, "dark")
    page.get_by_role("button", name="Tema claro").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    for address in ("/sala/", "/sala/BJ-10/", "/sala/BJ-10/exhibit/", "/sala/BJ-01/open/"):
        page.goto(address)
        fits(page, f"light-{address.strip('/').replace('/', '-')}")
        assert violations_in_anything_new(page) == [], address
    page.context.clear_cookies(name="sessionid")
    page.goto("/sala/")
    fits(page, "light-entrance")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert complaints == []


def test_a_lying_tablet_is_used_in_its_width(floor: None, open_page: Open) -> None:
    page = open_page("/sala/BJ-10/", office="fiscal_de_banca", size=LYING)
    fits(page, "lying-table")
    left, right = (page.locator(".halves > div").nth(n).bounding_box() for n in (0, 1))
    assert left is not None
    assert right is not None
    assert right["x"] >= left["x"] + left["width"]
    assert right["x"] + right["width"] > LYING["width"] * 0.95
    bar = page.locator(".bar").bounding_box()
    assert bar is not None
    assert (bar["x"], bar["width"]) == (0, LYING["width"])


def test_every_part_is_legible_in_both_themes_beside_each_other(
    fresh_db: str, open_page: Open, complaints: list[str]
) -> None:
    people()
    page = open_page("/admin/", office="inspetor")
    for room in ("admin", "sala"):
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.goto(f"/{room}/components/")
            fits(page, f"components-{room}-{theme}")
            assert page.locator(".swatches li").count() > 60
            assert violations_in_anything_new(page) == []
    assert complaints == []
