"""An inspector asks for runs himself, at his desk and on a tablet: from the overview to the result.

SHOTS names a folder into which every page is photographed.
"""

import os
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from audit.models import Reconciliation, ReportRequest
from casino.events.tables import TableRegistered
from tests.audit.reconciling import reconcile
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS, awake
from tests.factories.evenings import DAY, MANAGER, an_evening, record_events
from tests.factories.findings import PEOPLE, people
from tests.gate import drawn
from tests.jobs_inline import do_jobs

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
    if SHOTS and page.viewport_size:
        page.screenshot(
            path=Path(SHOTS) / f"{page.viewport_size['width']}-{name}.png", full_page=True
        )


@pytest.mark.parametrize(
    ("size", "theme"), drawn(list(product((DESK, TABLET), ("light", "dark"))), 2)
)
def test_an_inspector_asks_for_runs_himself(
    open_page: Open, complaints: list[str], size: dict[str, int], theme: str
) -> None:
    people()
    record_events(TableRegistered(table="BJ-01", boxes=7), by=MANAGER)
    record_events(TableRegistered(table="BJ-02", boxes=7), by=MANAGER)
    an_evening(rounds=4, wrong=[2])
    reconcile("own")
    page = open_page("/audit/requests/", office="inspetor", size=size, theme=theme)
    is_well(page, "requests-empty")
    page.get_by_role("link", name="Conferir de novo").click()
    page.fill("input[name=from]", "2025-11-21")
    page.fill("input[name=to]", DAY)
    page.get_by_role("button", name="Ver o que abrange").click()
    expect(page.get_by_role("alert")).to_contain_text("O primeiro dia é posterior ao último")
    is_well(page, "refused")
    page.fill("input[name=from]", DAY)
    page.check("input[value=BJ-01]")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("1 partida, 4 jogadas")
    is_well(page, "seen")
    page.get_by_role("button", name="Pedir", exact=True).click()
    expect(page.locator("#progress")).to_contain_text("espera por um executor")
    is_well(page, "waits")
    do_jobs(topic="reconciliation")
    expect(page.locator(".panel h2").first).to_contain_text("Terminada")
    assert Reconciliation.objects.get(asked_by=PEOPLE["inspetor"]).tables == ["BJ-01"]

    page.goto("/law/pt/23/")
    page.get_by_role("link", name="O que valeria então").first.click()
    page.fill("input[name=from]", DAY)
    page.fill("input[name=to]", DAY)
    is_well(page, "what-if")
    page.get_by_role("button", name="Ver o que abrange").click()
    page.get_by_role("button", name="Pedir", exact=True).click()
    do_jobs(topic="reconciliation")
    expect(page.locator("#content")).to_contain_text("não altera nenhuma constatação")
    expect(page.locator("#content")).to_contain_text("Folha selada desta comparação")
    is_well(page, "compared")
    page.goto("/audit/requests/")
    assert page.locator("tbody tr").count() == 2
    is_well(page, "requests")
    page.goto("/audit/registers/")
    is_well(page, "registers")
    page.goto("/law/pt/undecided/")
    is_well(page, "undecided")
    assert [one for one in complaints if "400 (Bad Request)" not in one] == []  # the refusal


def test_a_form_gone_back_to_and_sent_again_asks_once(open_page: Open) -> None:
    people()
    page = open_page("/audit/reports/", office="inspetor")
    for wanted, asked in (("owed", 1), ("owed", 1), ("rates", 2)):
        page.select_option("[name=report]", wanted)
        page.get_by_role("button", name="Fazer o relatório").click()
        expect(page.locator("#progress")).to_be_visible()
        assert ReportRequest.objects.count() == asked, wanted
        page.go_back()
