"""The board on a wall: what fits, what is read from afar, what it says when nobody answers."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from casino.events.shoes import PlayInterrupted
from casino.floor import table_state
from casino.floor.tables import board
from tests.browser.axe import violations
from tests.browser.conftest import TABLET, Open
from tests.casino.floor_watch import asked_instead
from tests.factories.findings import people
from tests.factories.floor import PIT, SHOE_TABLE, ago, game, house, opened, register
from tests.factories.people import write
from tests.patience import wait_until

pytestmark = [pytest.mark.needs_tool("chromium"), pytest.mark.usefixtures("fresh_db")]
URL = "/sala/board/"
WALL = {"width": 1920, "height": 1080}
TWENTY = 20
CHEFE = "fiscal_chefe"
# What of a tile is written smaller than 32 px, or runs out of it: its text.
SMALL = """() => [...document.querySelectorAll('.board .code, .board .standing, .board .line span')]
  .filter(e => parseFloat(getComputedStyle(e).fontSize) < 32).map(e => e.textContent.trim())"""
OUTSIDE = """() => [...document.querySelectorAll('.board > li')]
  .filter(e => e.getBoundingClientRect().bottom > innerHeight + 0.5
    || e.scrollHeight > e.clientHeight + 1
    || [...e.querySelectorAll('.standing')].some(s => s.scrollWidth > s.clientWidth))
  .map(e => e.textContent.trim().slice(0, 40))"""


@pytest.fixture
def twenty(fresh_db: str, live_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty tables: two open, both with what is due, one with more than fits."""
    monkeypatch.setattr(board, "kept", {})
    monkeypatch.setattr(table_state, "kept", {})
    asked_instead(monkeypatch)
    people()
    house()
    for number in range(3, TWENTY + 1):
        register(f"BJ-{number:02d}")
    opened()
    opened("BJ-02", shown=False)


def is_sound(page: Page) -> None:
    """Nobody is kept from reading it, and nothing runs out of its side."""
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def put_up(page: Page) -> None:
    page.locator(".put-up button").click()
    expect(page.locator(".put-up")).to_have_count(0)


@pytest.mark.check
@pytest.mark.parametrize(("theme", "language"), [("dark", "pt-PT"), ("light", "en-GB")])
def test_twenty_tables_fit_on_a_wall_and_are_read_from_afar(
    twenty: None, open_page: Open, complaints: list[str], theme: str, language: str
) -> None:
    page = open_page(URL, office=CHEFE, size=WALL, theme=theme, language=language)
    put_up(page)
    expect(page.locator(".board > li")).to_have_count(TWENTY)
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(SMALL) == []
    is_sound(page)
    assert complaints == []


@pytest.mark.check
def test_on_a_tablet_it_is_a_page_that_is_scrolled(
    twenty: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(URL, office="inspetor", size=TABLET)
    expect(page.locator(".board > li")).to_have_count(TWENTY)
    expect(page.locator(".put-up")).to_have_count(0)
    is_sound(page)
    assert complaints == []


def test_it_follows_the_book_and_says_when_nobody_answers(
    twenty: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(URL, office=CHEFE, size=WALL, stopped=True)
    tile = page.locator(f".board > li:has(.code:text-is('{SHOE_TABLE}'))")
    expect(tile).to_contain_text("A preparar")
    write(PlayInterrupted(**game(), reason="other"), by=PIT, at=ago(1))

    def says_a_second_later(words: str) -> bool:
        """The page's clock stands still between two looks; the server takes its own time."""
        page.clock.run_for(1_000)
        return words in tile.inner_text() and stale.is_hidden()

    stale = page.locator("#stale")
    wait_until(lambda: says_a_second_later("Parada"), pause=0.3)

    def never(route: Route) -> None:
        """The server answers nothing any more."""

    page.route("**/sala/board/now/", never)
    page.clock.run_for(15_000)
    expect(stale).to_be_visible()
    expect(stale).to_contain_text("Sem ligação desde as")
    expect(tile).to_contain_text("Parada")  # what was last known
    page.unroute("**/sala/board/now/")
    wait_until(lambda: says_a_second_later("Parada"), pause=0.3)
    assert complaints == []


@pytest.mark.check
def test_without_script_the_browser_asks_again(twenty: None, open_page: Open) -> None:
    page = open_page(URL, office=CHEFE, size=WALL, script=False)
    expect(page.locator("meta[http-equiv=refresh]")).to_have_count(1)
    expect(page.locator(".known")).to_be_visible()


@pytest.mark.check
def test_each_blank_sheet_is_one_page_of_paper(
    twenty: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page("/sala/sheets/", office="fiscal_de_banca", size=TABLET)
    is_sound(page)
    paper = page.pdf(prefer_css_page_size=True)
    assert paper.count(b"/Type /Page\n") == page.locator(".sheet").count()
    assert complaints == []
