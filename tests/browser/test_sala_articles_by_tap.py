"""A citation is tapped: what the article asks is shown on the page, and nothing else happens.

SALA_SHOTS names a folder into which every screen is photographed.
"""

import pytest
from playwright.sync_api import expect

from casino.law.rulebook.rulebook_file import load_law
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import TABLET, Open
from tests.browser.tablet import AT, Tablet
from tests.factories.findings import people
from tests.factories.floor import PIT, house, opened, prepared
from tests.factories.people import appoint

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.check,
]
LYING = {"width": 1180, "height": 820}
# A citation is as large as a finger, and lies over no button: what is tapped there is the button.
STOLEN = """() => [...document.querySelectorAll(
    'main button, main .tile, main .choice, main .small')]
  .filter(e => e.checkVisibility()).flatMap(e => {
    e.scrollIntoView({block: 'center'});
    const box = e.getBoundingClientRect();
    return [box.top + 3, (box.top + box.bottom) / 2, box.bottom - 3].flatMap(y =>
      [box.left + 6, (box.left + box.right) / 2, box.right - 6].map(x =>
        document.elementFromPoint(x, y)?.closest('a.law')?.outerHTML).filter(one => one));
  })"""
SCREENS = ("", "cut/", "incident/", "complaint/", "close/", "round/")


@pytest.fixture
def table(fresh_db: str, live_server: object) -> None:
    """A shoe table at which a game is open."""
    people()
    house()
    appoint(PIT.staff, "fiscal_de_banca")
    opened()
    prepared()


@pytest.mark.parametrize("screen", SCREENS, ids=lambda name: name.strip("/") or "table")
def test_each_article_a_screen_cites_is_one_tap_away(
    table: None, open_page: Open, complaints: list[str], screen: str
) -> None:
    page = open_page(f"{AT}{screen}", office="fiscal_de_banca", size=TABLET)
    hand = Tablet(page, name=f"articles-{screen.strip('/')}")
    hand.look()
    assert page.evaluate(STOLEN) == []
    links = page.locator("a.law:visible")
    for place in range(links.count()):
        number = (links.nth(place).text_content() or "").replace("\xa0", " ").removeprefix("n.º ")
        links.nth(place).click()
        box = page.locator("#article-box")
        expect(box).to_contain_text(load_law("pt").articles[number].summary_pt[:60])
        if place == 0:
            hand.look("#article-box")
            assert violations_in_anything_new(page) == []
        page.keyboard.press("Escape")
        expect(box).to_be_hidden()
        expect(links.nth(place)).to_be_focused()
    assert links.count() or screen in ("incident/", "close/", "round/", "complaint/")
    assert complaints == []


def test_by_keyboard_and_on_a_tablet_that_lies(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(AT, office="fiscal_de_banca", size=LYING)
    page.locator("a.law").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#article-box")).to_be_visible()
    Tablet(page, name="articles-lying").look("#article-box")
    page.locator("#article-box button").click()
    expect(page.locator("#article-box")).to_be_hidden()
    assert complaints == []
