"""The screen on the wall, and the pages of a pool, as people see them."""

import json
import os
import re
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Page, Route, expect

from audit.pools.replaying import REPLAY
from jackpot.events import JackpotRead
from jackpot.pages import shown
from tests.browser.axe import violations
from tests.browser.conftest import DESK, TABLET, Open
from tests.factories.findings import people
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    SEVENS,
    TOP,
    approve,
    increment,
    opened,
    paid,
    ref,
    start,
    won,
)
from tests.factories.records import MANAGER, recorded
from tests.gate import drawn
from tests.jobs_inline import do_jobs
from tests.patience import wait_until

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
SHOTS = os.environ.get("SHOTS")  # a folder to leave pictures in
WALL = {"width": 1920, "height": 1080}
PHONE = {"width": 360, "height": 740}
PAGE = f"/acumulado/{POOL}/"


@pytest.fixture
def pool(fresh_db: str, live_server: Any) -> None:
    """A pool that runs, with some chips on it."""
    shown.forget()
    people()
    approve()
    start()
    opened()
    chips(3)


def chips(n: int) -> None:
    """So many chips collected."""
    recorded(increment((1, "J1", n), chip_cents=250))


def value(page: Page) -> Any:
    """The amount on the screen."""
    return page.locator(".pool:not([hidden]) .value")


def shoot(page: Page, name: str, **known: Any) -> None:
    """Leave a picture, where somebody wants to look at it."""
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", **known)


def is_sound(page: Page) -> None:
    """Nobody is kept from reading it, and nothing runs out of its side."""
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("size", drawn([WALL, TABLET, PHONE], 1))
def test_the_display_follows_the_book(
    pool: None, open_page: Open, complaints: list[str], size: dict[str, int]
) -> None:
    page = open_page(PAGE, size=size)
    expect(value(page)).to_have_text("25\xa0000,18\xa0€")
    is_sound(page)
    shoot(page, f"display-{size['width']}")
    before = page.locator("#clock").inner_text()
    chips(1_000)
    expect(value(page)).to_have_text("25\xa0062,68\xa0€")
    assert page.locator("#clock").inner_text() > before
    expect(page.locator("#stale")).to_be_hidden()
    assert page.context.cookies() == []
    assert complaints == []


@pytest.mark.check
def test_a_prize_is_shown_and_said_to_be_paid_and_the_meter_starts_again(
    pool: None, open_page: Open, complaints: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(PAGE, size=WALL)
    hit = recorded(won(("J5", 5, TOP), ("J3", 3, SEVENS)))
    expect(page.get_by_text("Prémio em pagamento")).to_be_visible()
    expect(page.locator("[data-field=pending]")).to_have_text("25\xa0000,18\xa0€")
    expect(page.get_by_text("Prémio ganho")).to_be_visible()
    expect(value(page)).to_have_text("25\xa0000,18\xa0€")  # what was won, for five minutes
    is_sound(page)
    shoot(page, "display-won")
    monkeypatch.setattr(shown, "WON", timedelta(0))  # which are over
    expect(value(page)).to_have_text("A reiniciar")
    expect(page.get_by_text("Prémio ganho")).to_be_hidden()
    is_sound(page)
    shoot(page, "display-emptied")
    start(reason="after_full_payout", hit=ref(hit))
    expect(value(page)).to_have_text("25\xa0000,00\xa0€")
    is_sound(page)
    shoot(page, "display-pending")
    recorded(paid(hit, "J3", 3, SEVENS, 250_001))
    recorded(paid(hit, "J5", 5, TOP, 2_250_017))
    expect(page.get_by_text("Prémio em pagamento")).to_be_hidden()
    assert complaints == []


@pytest.mark.check
def test_after_ten_seconds_without_an_answer_the_screen_says_so(
    pool: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(PAGE, size=WALL, stopped=True)
    page.route("**/value/**", lambda route: None)  # the server answers nothing any more
    banner = page.locator("#stale")
    page.clock.run_for(9_500)
    expect(banner).to_be_hidden()
    page.clock.run_for(1_000)
    expect(banner).to_be_visible()
    expect(banner).to_contain_text("Valor desatualizado")
    expect(banner).to_contain_text(page.locator("#known").inner_text())
    expect(value(page)).to_have_text("25\xa0000,18\xa0€")  # the last that was known
    page.clock.resume()  # axe sets timers of its own
    is_sound(page)
    shoot(page, "display-stale")
    page.unroute("**/value/**")
    expect(banner).to_be_hidden()
    assert complaints == []


@pytest.mark.check
def test_a_lower_value_is_shown_only_after_something_happened(
    pool: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(PAGE, size=WALL)
    expect(value(page)).to_have_text("25\xa0000,18\xa0€")
    changed: dict[str, Any] = {"cents": 1, "value": "0,01\xa0€"}

    def answer(route: Route) -> None:
        headers = {k: v for k, v in route.request.headers.items() if k != "if-none-match"}
        response = route.fetch(headers=headers)
        body = response.json()
        body["pools"][0] |= changed
        route.fulfill(response=response, body=json.dumps(body))

    page.route("**/value/**", answer)
    answered(page, 2)  # whoever asks again has read the answer before
    expect(value(page)).to_have_text("25\xa0000,18\xa0€")
    changed["event"] = "9" * 16
    expect(value(page)).to_have_text("0,01\xa0€")
    changed |= {"cut": 1, "value": "0,02\xa0€", "cents": 2}  # an earlier book
    answered(page, 3)  # the first may have been under way
    expect(value(page)).to_have_text("0,01\xa0€")
    assert complaints == []


@pytest.mark.check
def test_two_pools_are_shown_in_turn(pool: None, open_page: Open, complaints: list[str]) -> None:
    approve("JP-2")
    start("JP-2", cents=123_456_789)
    page = open_page(f"/acumulado/{POOL},JP-2/", size=WALL)
    expect(value(page)).to_have_text("25\xa0000,18\xa0€")
    expect(value(page)).to_have_text("1\xa0234\xa0567,89\xa0€")
    is_sound(page)
    shoot(page, "display-turn")
    assert complaints == []


@pytest.mark.check
def test_a_win_waits_for_no_turn(pool: None, open_page: Open, complaints: list[str]) -> None:
    for code in ("JP-2", "JP-3"):
        approve(code)
        start(code, cents=123_456_789)
    page = open_page(f"/acumulado/{POOL},JP-2,JP-3/", size=WALL, stopped=True)
    page.route("**/value/**", lambda route: None)
    page.clock.run_for(5_500)
    expect(page.locator("#turn")).to_have_text("2 / 3")
    recorded(won(("J5", 5, TOP)))  # the first of them would come again in ten seconds
    page.unroute("**/value/**")
    page.clock.run_for(4_000)  # by now the question nobody answered was given up
    # The server may answer once more as before; the clock stands, and with it the turns.
    wait_until(lambda: wake(page) or page.locator("#turn").inner_text() == "1 / 3", pause=0.1)
    expect(page.get_by_text("Prémio ganho").first).to_be_visible()
    expect(value(page)).to_have_text("25\xa0000,18\xa0€")
    page.clock.run_for(5_000)
    expect(page.locator("#turn")).to_have_text("2 / 3")
    assert complaints == []


def answered(page: Page, times: int) -> None:
    """Wait until the screen was answered so often."""
    for _ in range(times):
        with page.expect_response("**/value/**"):
            pass


def asks_again(page: Page) -> None:
    """Look at the screen until it asks: then it has read the answer before. Its clock may stand."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    wait_until(lambda: wake(page) or asked, "a question", pause=0.05)


def later(page: Page, seconds: int) -> None:
    """The machine slept: its clock ran on, the page's own stood still."""
    page.evaluate(f"const now = Date.now; Date.now = () => now() + {seconds * 1000}")


def wake(page: Page) -> None:
    """The screen is looked at again."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


@pytest.mark.check
def test_a_screen_that_wakes_asks_at_once_and_says_how_old_its_value_is(
    pool: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(PAGE, size=WALL, stopped=True)
    with page.expect_response("**/value/**"):
        wake(page)
    page.route("**/value/**", lambda route: None)
    asks_again(page)
    expect(page.locator("#stale")).to_be_hidden()
    later(page, 11)
    wake(page)
    expect(page.locator("#stale")).to_be_visible()
    assert complaints == []


def whole(route: Route) -> None:
    """Let the server answer as to somebody who knows nothing yet."""
    headers = {k: v for k, v in route.request.headers.items() if k != "if-none-match"}
    route.continue_(headers=headers)


@pytest.mark.check
def test_a_screen_that_knows_another_book_begins_anew_after_five_minutes(
    pool: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(PAGE, size=WALL, stopped=True)
    page.route("**/value/**", whole)
    page.evaluate("document.querySelector('.pool').dataset.cut = 10 ** 9")  # it was put back since
    page.evaluate("window.before = true")
    for seconds in (0, 290):
        later(page, seconds)
        for _ in range(2):  # the second time it has read the first answer by this clock
            with page.expect_response("**/value/**"):
                asks_again(page)
    assert page.evaluate("window.before")
    expect(page.locator("#stale")).to_be_visible()
    with page.expect_event("load"):
        later(page, 20)
        with suppress(Error):  # it may begin anew while we look
            asks_again(page)
    assert page.evaluate("window.before") is None
    expect(page.locator("#stale")).to_be_hidden()
    expect(value(page)).to_have_text("25\xa0000,18\xa0€")
    assert complaints == []


@pytest.mark.check
def test_without_script_there_is_the_value_and_its_moment(pool: None, open_page: Open) -> None:
    page = open_page(PAGE, size=WALL, script=False)
    expect(value(page)).to_have_text("25\xa0000,18\xa0€")
    assert "Valor às" in page.content()  # Chromium shows no noscript where a test forbids scripts
    shoot(page, "display-without-script")


@pytest.mark.parametrize("address", ["/acumulado/", "/acumulado/JP-9/"])
def test_the_list_and_the_words_for_a_wrong_code_can_be_read(
    pool: None, open_page: Open, address: str
) -> None:
    page = open_page(address, size=TABLET)
    is_sound(page)
    shoot(page, "displays" if address.count("/") == 2 else "display-none")


@pytest.fixture
def evening(pool: None) -> dict[str, str]:
    """Prizes won, one of them paid, the display read rightly and wrongly; its pages' addresses."""
    chips(40)
    recorded(JackpotRead(jackpot=POOL, display_cents=2_500_268))
    hit = recorded(won(("J1", 1, TOP), ("J3", 3, SEVENS), ("J5", 5, ACE_JACK), ("J6", 6, TOP)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000, means="cash", identification="11223344"))
    start(reason="after_full_payout", hit=ref(hit))
    chips(25)
    recorded(JackpotRead(jackpot=POOL, display_cents=2_500_100), by=MANAGER)
    return {
        "curve": f"/jackpots/{POOL}/?from=2026-11-21",
        "terms": f"/jackpots/{POOL}/terms/",
        "sheet": f"/jackpots/wins/{hit.entry_id}/",
        "pools": "/jackpots/",
    }


@pytest.mark.parametrize(
    ("name", "size", "theme"),
    drawn(
        [
            (name, *look)
            for name in ("curve", "terms", "sheet", "pools")
            for look in ((DESK, "light"), (TABLET, "dark"))
        ],
        1,
        kind=lambda case: case[0],
    ),
)
def test_the_pages_of_a_pool_can_be_read(
    evening: dict[str, str],
    open_page: Open,
    complaints: list[str],
    name: str,
    size: dict[str, int],
    theme: str,
) -> None:
    page = open_page(evening[name], office="inspetor", size=size, theme=theme)
    is_sound(page)
    assert complaints == []
    shoot(page, f"{name}-{size['width']}-{theme}", full_page=True)


@pytest.mark.check
def test_the_sheet_is_printed_on_one_page_of_paper(
    evening: dict[str, str], open_page: Open, tmp_path: Path
) -> None:
    page = open_page(evening["sheet"], office="auditor", theme="dark")
    paper = page.pdf(path=tmp_path / "sheet.pdf", prefer_css_page_size=True)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 1009})  # A4 within its margins, in CSS pixels
    printed = page.locator("body").inner_text()
    for words in ("Folha de pagamento", "Fica no acumulado", "Segunda pessoa"):
        assert words in printed
    for words in ("Sair", "Painel", "Regulamento"):  # the frame of the page stays on the screen
        assert words not in printed
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.sheet')).color") == "rgb(0, 0, 0)"
    )
    shoot(page, "sheet-printed", full_page=True)
    assert len(re.findall(rb"/Type /Page\b", paper)) == 1


@pytest.mark.check
def test_an_inspector_has_a_pool_recomputed_by_one_click(
    pool: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(f"/jackpots/{POOL}/", office="inspetor", size=TABLET)
    is_sound(page)
    page.locator(".note-on-pool button").click()
    expect(page.locator("progress")).to_be_visible()
    is_sound(page)
    shoot(page, "replay-under-way")
    do_jobs(topic=REPLAY)
    expect(page.locator("main .mark.kept")).to_be_visible()
    is_sound(page)
    shoot(page, "replayed")
    page.goto("/admin/")
    is_sound(page)
    shoot(page, "replayed-overview")
    page.goto(f"/jackpots/{POOL}/")
    expect(page.locator(".note-on-pool .mark.kept")).to_contain_text("25\xa0000,18\xa0€")
    is_sound(page)
    shoot(page, "replayed-curve")
    assert complaints == []
