"""The pictures of the manual: every screen it shows, in the state its text speaks of.

With SALA_SHOTS=DIR they are written there, small: `make manual` renews those of the product so. A
picture whose name no manual has, or a name nobody takes a picture of, fails.
"""

import base64
import os
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from audit.manual.manual_texts import pictures_named
from casino import clock
from casino.events.complaints import ComplaintReceived
from casino.events.incidents import IncidentReported
from casino.events.shufflers import ShufflerLoaded
from casino.events.staff import DutyBegun, OfficeGranted, StaffRegistered
from casino.recording import Actor
from tests.audit.reconciling import reconcile
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import awake
from tests.browser.sala_hand import MANAGER, everybody
from tests.browser.tablet import Tablet
from tests.casino.sala_forms import address
from tests.factories.findings import people
from tests.factories.floor import (
    DECKS,
    MACHINE_TABLE,
    PIT,
    SHOE_TABLE,
    ago,
    game,
    opened,
    opening,
    prepared,
    register,
    shown_deck,
    yesterday,
)
from tests.factories.people import write
from tests.factories.pools import ACE_JACK
from tests.factories.reported import a_night
from tests.factories.usual_events import MACHINE
from tests.factories.usual_events import shuffled as usual_shuffle
from tests.jackpot.sala_pools import (
    a_pool,
    a_win,
    at_box,
    collect_at,
    collected,
    hit_at,
    played,
    won_at,
)

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.check,
]
SHOTS: Final = os.environ.get("SALA_SHOTS")
OWNER: Final = Actor("S-0001", "administrador", "local")
CHEFE: Final = Actor("S-0104", "fiscal_chefe", "sala")
IN_MACHINE: Final = tuple(f"D-{number:04d}" for number in range(211, 217))
INCIDENT, COMPLAINT = "IN-0042", "RC-0042"
WIDTHS: Final = {TABLET["width"]: 640, DESK["width"]: 900}  # px of a picture, by the screen's
QUALITY: Final = 0.6
ROUND: Final = "s1+%3D1000+TH+7C+9D+TD+stand+@1.1+r2000"  # as it is tapped
END: Final = "Math.ceil(document.querySelector('main').getBoundingClientRect().bottom + scrollY)"
SMALLER: Final = """async ([source, width, quality]) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + source;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.min(width, image.width);
  canvas.height = Math.round(image.height * canvas.width / image.width);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  let small = '';
  do small = canvas.toDataURL('image/jpeg', quality).split(',')[1];
  while (small.length * 3 / 4 > LARGEST && (quality -= 0.08) > 0.3);
  return small;
}""".replace("LARGEST", "58000")  # bytes


class Album:
    """The pictures that were taken, by name; written where SALA_SHOTS says."""

    def __init__(self, darkroom: Page) -> None:
        self.taken: set[str] = set()
        self._darkroom = darkroom

    def take(self, page: Page, name: str, height: int = 0) -> None:
        """What the page shows from its top, so many px of it at most; 0 for a whole screen."""
        page.wait_for_load_state()
        size = page.viewport_size or TABLET
        assert page.locator("main, #content, #container").first.is_visible(), name
        assert page.locator(".failed, .refused-page").count() == 0, name
        self.taken.add(name)
        if SHOTS:
            end = page.evaluate(END) if height else size["height"]
            shown: Any = {"x": 0, "y": 0, "width": size["width"], "height": min(height or end, end)}
            png = base64.b64encode(page.screenshot(clip=shown, full_page=True)).decode()
            small = self._darkroom.evaluate(SMALLER, [png, WIDTHS[size["width"]], QUALITY])
            (Path(SHOTS) / f"{name}.jpg").write_bytes(base64.b64decode(small))


@pytest.fixture
def album(chromium: Browser) -> Generator[Album]:
    """An empty one, with a page that makes its pictures small."""
    page = chromium.new_page()
    yield Album(page)
    page.close()


def of(prefixes: tuple[str, ...]) -> set[str]:
    """The pictures the manuals name that begin so."""
    return {name for name in pictures_named() if name.startswith(prefixes)}


def names() -> None:
    """Everybody is somebody."""
    for number, name in (
        ("S-0187", "Inês Abrantes Folgado"),
        ("S-0104", "Rui Candeias Moita"),
        ("S-0021", "Marta Sequeira Vaz"),
        ("S-0003", "Helena Prata Nobre"),
        ("P-104", "Carla Simões Paiva"),
        ("P-109", "Nuno Belchior Reis"),
    ):
        write(StaffRegistered(staff=number, name=name), by=OWNER, at=ago(60_000))
    for number in ("P-104", "P-109"):
        granted = OfficeGranted(
            staff=number, office="pagador", valid_from=ago(60_000), granted_by="S-0001"
        )
        write(granted, by=OWNER, at=ago(60_000))
    begun = DutyBegun(staff=PIT.staff, office="fiscal_de_banca", tables=(SHOE_TABLE, MACHINE_TABLE))
    write(begun, by=MANAGER, at=ago(90))


@pytest.fixture
def floor(fresh_db: str, live_server: object, settings: Any) -> None:
    """Three open tables, one of each kind of dealing and one to be shown; one to be opened."""
    settings.SALA_HOLD_SECONDS = 600
    names()
    everybody()
    a_pool()
    for deck in DECKS:
        write(shown_deck(deck), by=PIT, at=ago(45))
    prepared()
    for table in ("BJ-03", "BJ-04"):
        register(table)
        yesterday(table, decks=tuple(f"D-{table[-1]}{n:02}" for n in range(1, 7)))
    shown_next = replace(
        opening("BJ-03", decks=tuple(f"D-3{n:02}" for n in range(1, 7))), pagador="P-109"
    )
    write(shown_next, by=PIT, at=ago(20))
    opened(MACHINE_TABLE, decks=IN_MACHINE)
    write(usual_shuffle(game(MACHINE_TABLE), 1, IN_MACHINE, passes=7), by=PIT, at=ago(31))
    played(1, at_box(2, "J2"), at_box(5, "J5"), seats_occupied=(2, 5))


def press(page: Page, what: str, then: str) -> None:
    """One tap, and what the next page shows."""
    awake(page)
    page.locator(what).first.click()
    expect(page.locator(then).first).to_be_visible()


def test_the_floor_as_the_manual_shows_it(
    floor: None, open_page: Open, album: Album, complaints: list[str]
) -> None:
    page = open_page("/sala/", size=TABLET)
    album.take(page, "entrance", 620)
    pit = open_page("/sala/", office="fiscal_de_banca", size=TABLET)
    for name, where, height in (
        ("floor", "/sala/", 900),
        ("duty", "/sala/duty/", 560),
        ("open", address("open", "BJ-04"), 1000),
        ("exhibit", address("exhibit", "BJ-03"), 760),
        ("table-shoe", address("table", SHOE_TABLE), 1000),
        ("interrupt", address("interrupt", SHOE_TABLE), 700),
        ("collect", collect_at(), 800),
        ("load", address("load", MACHINE_TABLE), 900),
        ("round-by-hand", f"{address('round', SHOE_TABLE)}?taps={ROUND}", 1000),
        ("sheets", "/sala/sheets/", 900),
        ("away", "/sala/away/", 900),
    ):
        pit.goto(where)
        album.take(pit, name, height)
    _a_shoe(pit, album)
    _the_machine(pit, album)
    _what_goes_wrong(pit, album)
    _a_prize(pit, album)
    _the_end(pit, album)
    _above(open_page, album)
    assert album.taken == {name for name in pictures_named() if not name.startswith("desk-")}
    assert complaints == []


def _a_shoe(pit: Page, album: Album) -> None:
    """The last round is announced; the next shoe is cut, first by a seat whose turn it is not."""
    pit.goto(address("table", SHOE_TABLE))
    press(pit, "button[value=during_round]", ".held")
    pit.goto(f"{address('cut', SHOE_TABLE)}?seats=1+2+5")
    album.take(pit, "cut", 900)
    pit.locator("details.more summary").first.click()
    press(pit, "#cuts-5", "#cuts-5[aria-current]")
    press(pit, ".foot .primary", "[name=despite-all]")
    album.take(pit, "red-page", 900)
    pit.goto(f"{address('cut', SHOE_TABLE)}?seats=1+2+5")
    press(pit, ".foot .primary", ".held")
    album.take(pit, "held", 900)


def _the_machine(pit: Page, album: Album) -> None:
    """It is loaded; the load is confirmed, read, put right, withdrawn."""
    load = ShufflerLoaded(
        **game(MACHINE_TABLE), shuffler=MACHINE, decks=IN_MACHINE, packets=3, operator="P-104"
    )
    loaded = write(load, by=PIT, at=clock.now())
    for name, where, height in (
        ("witness", address("witness", loaded.entry_id), 900),
        ("entry", address("entry", loaded.entry_id), 760),
        ("correct", f"{address('correct', loaded.entry_id)}?wrong=packets", 760),
        ("withdraw", address("withdraw", loaded.entry_id), 900),
    ):
        pit.goto(where)
        album.take(pit, name, height)


def _what_goes_wrong(pit: Page, album: Album) -> None:
    machine = MACHINE_TABLE
    for name, where, height in (
        ("incident-kinds", address("incident", machine), 620),
        ("incident", f"{address('incident', machine)}?category=damaged_card", 1000),
    ):
        pit.goto(where)
        album.take(pit, name, height)
    event = IncidentReported(
        **game(machine), incident=INCIDENT, category="damaged_card", reason="rasgada",
        people=(), shuffler=MACHINE, noticed_at=clock.now(),
    )  # fmt: skip
    write(event, by=PIT, at=clock.now())
    received = ComplaintReceived(
        **game(machine), complaint=COMPLAINT, subject="payment", received_at=clock.now()
    )
    for name, where, height in (
        ("incident-steps", address("incident_steps", machine, INCIDENT), 1000),
        ("exchange", address("incident_exchange", machine, INCIDENT), 900),
        ("complaint", address("complaint", machine), 1000),
    ):
        pit.goto(where)
        album.take(pit, name, height)
    write(received, by=PIT, at=clock.now())


def _a_prize(pit: Page, album: Album) -> None:
    collected(2, 5)
    pit.goto(won_at())
    album.take(pit, "jackpot-won", 900)
    win = a_win((2, ACE_JACK))
    pit.goto(hit_at(win.n))
    album.take(pit, "jackpot-pay", 1000)


def _the_end(pit: Page, album: Album) -> None:
    machine = MACHINE_TABLE
    for name, where, height in (
        ("unload", address("unload", machine), 800),
        ("order", address("order", machine), 600),
        ("chips", address("chips", machine), 720),
        ("close", address("close", machine), 900),
        ("close-confirm", f"{address('close', SHOE_TABLE)}?confirm=1", 1000),
    ):
        pit.goto(where)
        album.take(pit, name, height)


def _above(open_page: Open, album: Album) -> None:
    """What the fiscal-chefe and the chefia da sala have before them."""
    head = open_page("/sala/todo/", office="fiscal_chefe", size=TABLET)
    album.take(head, "todo", 1000)
    head.goto(address("complaint_decide", MACHINE_TABLE, COMPLAINT))
    album.take(head, "complaint-decide", 1100)
    head.goto(address("notice", MACHINE_TABLE, INCIDENT))
    album.take(head, "notice", 760)
    manager = open_page("/sala/board/", office="chefia_da_sala", size=TABLET)
    album.take(manager, "board", 900)
    manager.goto(address("summary", "BJ-04"))
    album.take(manager, "summary", 1000)


def test_the_desk_as_the_manual_shows_it(
    fresh_db: str, live_server: object, open_page: Open, album: Album, complaints: list[str]
) -> None:
    names()
    a_night()
    reconcile("night")
    page = open_page("/admin/", office="inspetor", size=DESK)
    album.take(page, "desk-overview")
    page.goto(reverse("admin:audit_finding_changelist"))
    album.take(page, "desk-findings")
    page.locator("#result_list a[href*='/audit/finding/']").last.click()
    album.take(page, "desk-finding")
    for name, where in (
        ("desk-night", reverse("night", args=["2025-11-20"])),
        ("desk-reports", reverse("reports")),
        ("desk-book", reverse("book")),
        ("desk-verify", reverse("verify-document")),
        ("desk-law", reverse("law")),
        ("desk-search", reverse("search") + "?q=corte"),
    ):
        page.goto(where)
        album.take(page, name)
    auditor = open_page(
        reverse("admin:audit_reconciliation_changelist"), office="auditor", size=DESK
    )
    album.take(auditor, "desk-runs")
    manager = open_page(reverse("first-day"), office="chefia_da_sala", size=DESK)
    album.take(manager, "desk-first-day")
    owner = open_page("/admin/", office="administrador", size=DESK)
    album.take(owner, "desk-direction")
    assert album.taken == {name for name in pictures_named() if name.startswith("desk-")}
    assert complaints == []


def test_the_manual_is_read_on_a_tablet_and_printed(
    fresh_db: str, live_server: object, open_page: Open, complaints: list[str]
) -> None:
    people()
    hand = Tablet(open_page("/sala/", office="fiscal_de_banca", size=TABLET))
    hand.tap("a[href='/sala/manual/']", ".manuals")
    hand.tap(".manuals a[href$='/fiscal-de-banca/']", ".contents")
    page = hand.page
    page.locator(".contents a").last.click()
    expect(page.locator("h2#perguntas-das-duas-da-manha")).to_be_in_viewport()
    page.locator(".manual img").last.scroll_into_view_if_needed()
    page.emulate_media(media="print")
    expect(page.locator(".bar")).to_be_hidden()
    expect(page.locator("#antes-de-abrir")).to_be_visible()
    assert complaints == []
