"""An inspector's day by clicks, from the overview: what he needs is one or two of them away.

SHOTS names a folder into which every page is photographed.
"""

import os
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import psycopg
import pytest
from playwright.sync_api import Locator, Page, expect

from audit.models import ReportRequest
from audit.pages.night import night_page
from audit.verifier.pack import is_pack
from tests.audit.reconciling import reconcile
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS, awake
from tests.casino.signer_house import SignerHouse
from tests.factories.findings import DAY
from tests.factories.reported import Desk, a_night
from tests.gate import drawn

pytestmark = [
    pytest.mark.check,
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
]
Connect = Callable[..., psycopg.Connection]
SHOTS = os.environ.get("SHOTS")


@pytest.fixture
def desk(
    live_server: Any,
    fresh_db: str,
    tmp_path: Path,
    database_environment: dict[str, str],
    connect_as: Connect,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    """A night with a blackjack paid wrongly, reconciled, in a signed book; it is the last one."""
    monkeypatch.setattr(night_page, "gaming_day_now", lambda: DAY + timedelta(days=1))
    a_night()
    reconcile("night")
    return Desk(SignerHouse(tmp_path, database_environment, connect_as), settings)


class Walk:
    """An inspector's browser that counts what he clicks since the overview."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0

    def from_overview(self) -> None:
        """Back to where every count begins; the menu of a tablet is opened without a count."""
        self.page.goto("/admin/")
        self.clicks = 0
        menu = self.page.locator("#rooms")
        if not menu.is_visible():
            self.page.get_by_role("link", name="Menu").click()
            expect(menu).to_be_visible()

    def click(self, what: Locator) -> None:
        awake(self.page)
        what.click()
        self.page.wait_for_load_state()
        self.clicks += 1

    def room(self, name: str) -> None:
        """One of the rooms of the menu."""
        self.click(self.page.locator("#rooms").get_by_role("link", name=name, exact=True))

    def is_well(self, name: str) -> None:
        """It can be read, touched, and stays within its sides."""
        page = self.page
        awake(page)
        assert page.evaluate(CONTRAST) == [], name
        assert violations_in_anything_new(page) == [], name
        assert page.viewport_size == DESK or page.evaluate(TARGETS) == [], name
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
        if SHOTS and page.viewport_size:
            shot = Path(SHOTS) / f"{page.viewport_size['width']}-{name}.png"
            page.screenshot(path=shot, full_page=True)

    def downloaded(self, desk: Desk, link: str, place: Path) -> Path:
        """What was asked for, once worker and signer have made it."""
        key = self.page.url.rstrip("/").rpartition("/")[2]
        row = ReportRequest.objects.get(request=key)
        while row.state == "open":
            desk.work(row)
        self.page.reload()
        with self.page.expect_download() as taken:
            self.page.get_by_role("link", name=link).click()
        taken.value.save_as(place)
        return place


def verify(walk: Walk, sound: bytes) -> None:
    """The report as it came, one byte of it flipped, and what is none."""
    flipped = bytearray(sound)
    flipped[len(sound) // 3] ^= 1
    for name, sent, said in (
        ("right", sound, "Válido"),
        ("flipped", bytes(flipped), "Alterado"),
        ("wrong", b"no report", "Não se conseguiu ler"),
    ):
        walk.page.goto("/verify/")
        walk.page.set_input_files(
            "[name=document]", {"name": "x.pdf", "mimeType": "application/pdf", "buffer": sent}
        )
        walk.page.get_by_role("button", name="Verificar o ficheiro").click()
        expect(walk.page.locator("h2 [role=status]")).to_contain_text(said)
        walk.is_well(f"verify-{name}")


def pack_of_the_night(walk: Walk, desk: Desk, tmp_path: Path) -> None:
    """From the night's page to the archive on his own disk."""
    walk.click(walk.page.get_by_role("button", name="Dossiê de prova"))
    assert walk.clicks == 2, "the evidence pack of a night"
    walk.is_well("pack-under-way")
    pack = walk.downloaded(desk, "Descarregar o dossiê (ZIP)", tmp_path / "pack.zip")
    with ZipFile(pack) as archive:
        archive.extractall(tmp_path / "pack")
    assert is_pack(str(tmp_path / "pack"))
    walk.is_well("pack")


@pytest.mark.parametrize("size", drawn([DESK, TABLET], 2))
def test_a_day_by_clicks(
    desk: Desk, open_page: Open, complaints: list[str], tmp_path: Path, size: dict[str, int]
) -> None:
    page = open_page("/admin/", office="inspetor", size=size)
    walk = Walk(page)
    walk.is_well("overview")

    walk.from_overview()
    walk.room("Somas em dívida")
    expect(page.locator("tbody tr").first).to_have_text(re.compile(r"\s*J\d.*5,00\s€", re.DOTALL))
    assert walk.clicks == 1, "how much is owed, and to whom"
    walk.is_well("owed")

    walk.from_overview()
    walk.room("A noite")
    who = page.locator("section").filter(has_text="Quem pagou e quem fiscalizou")
    expect(who.locator("tbody th, tbody td").first).to_have_text("BJ-01")
    assert walk.clicks == 1, "who dealt, and who supervised"
    walk.is_well("night")

    pack_of_the_night(walk, desk, tmp_path)
    page.goto("/admin/")
    finding = page.locator('.told a[href^="/admin/audit/finding/"]').first
    walk.clicks = 0
    walk.click(finding)
    walk.is_well("finding")
    walk.click(page.locator('a[href^="/book/entries/"]').first)
    expect(page.locator("h1")).to_contain_text("Prova")
    assert walk.clicks == 2, "the sealed proof of a finding"
    walk.is_well("proof")

    page.goto("/admin/")
    walk.clicks = 0
    walk.click(finding)
    walk.click(page.get_by_role("button", name="Relatório selado desta constatação"))
    assert walk.clicks == 2, "the sealed report of a finding"
    report = walk.downloaded(desk, "Descarregar o PDF", tmp_path / "report.pdf")
    walk.is_well("report")

    verify(walk, report.read_bytes())
    assert complaints == []
