"""A draw as an inspector makes it: the secret made by the browser, or elsewhere; then looked at.

SHOTS names a folder into which every page is photographed.
"""

import os
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Page, Request, expect

from audit.models import DrawCommitment, DrawResult
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS, awake
from tests.factories import draws_by_hand as by_hand
from tests.factories.evenings import an_evening
from tests.factories.findings import people
from tests.factories.sealed_book import Seal
from tests.gate import drawn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
SHOTS = os.environ.get("SHOTS")
SECRET = "3146" * 13
Connect = Callable[..., psycopg.Connection]


@pytest.fixture
def seal(
    fresh_db: str, live_server: Any, connect_as: Connect, tmp_path: Path, settings: Any
) -> Seal:
    """A signed book with an evening of two tables."""
    people()
    an_evening("BJ-01", rounds=6)
    an_evening("BJ-02", rounds=5)
    seal = Seal(connect_as, tmp_path / "public", settings)
    seal.sign()
    return seal


def is_well(page: Page, name: str) -> None:
    """It can be read, touched, and stays within its sides."""
    awake(page)
    assert page.evaluate(CONTRAST) == []
    assert violations_in_anything_new(page) == []
    assert page.viewport_size == DESK or page.evaluate(TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    if SHOTS and page.viewport_size:
        shot = f"{page.viewport_size['width']}-{page.locator('html').get_attribute('lang')}-{name}"
        page.screenshot(path=Path(SHOTS) / f"{shot}.png", full_page=True)


def send(page: Page) -> None:
    awake(page)
    page.click(".submit-row button.act")
    page.wait_for_load_state()


@pytest.mark.parametrize(
    ("size", "theme"), drawn(list(product((DESK, TABLET), ("light", "dark"))), 1)
)
def test_an_inspector_draws(
    seal: Seal, open_page: Open, complaints: list[str], size: dict[str, int], theme: str
) -> None:
    page = open_page("/audit/draws/", office="inspetor", size=size, theme=theme)
    is_well(page, "empty")
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))  # noqa: PLW0108 - a wrapper is set on it
    page.goto("/audit/draws/new/")
    page.click("#make-secret-now")
    shown = page.locator("#secret-text")
    expect(shown).to_have_text(re.compile("^[0-9a-f]{64}$"))
    secret = shown.inner_text()
    assert page.input_value("input[name=commitment]") == by_hand.committed(secret)
    page.fill("input[name=tables_wanted]", "1")
    is_well(page, "new")
    send(page)
    expect(page.locator("#content")).to_contain_text("11 jogadas")
    is_well(page, "again")
    send(page)
    assert DrawCommitment.objects.get().commitment == by_hand.committed(secret)
    page.goto("/audit/draws/1/")  # without the word that it was recorded, and its small link
    is_well(page, "waits")
    assert not [one for one in sent if secret in (one.post_data or "") + one.url], "it was sent"
    seal.sign()
    page.goto("/audit/draws/1/")
    page.fill("input[name=secret]", secret[:-1] + ("0" if secret[-1] != "0" else "1"))
    send(page)
    expect(page.locator("#errors")).to_contain_text("Este segredo não é o do sorteio 1")
    is_well(page, "refused")
    page.fill("input[name=secret]", secret)
    send(page)
    page.goto("/audit/draws/1/")
    made = DrawResult.objects.get()
    assert page.locator("tbody tr").count() == len(made.rounds) + len(made.reserve_rounds)
    is_well(page, "made")
    page.goto("/audit/draws/")
    is_well(page, "list")
    assert complaints == []


def test_without_a_script_the_commitment_is_typed(
    seal: Seal, open_page: Open, complaints: list[str]
) -> None:
    """What was thrown with a die, and its commitment made by `sha256sum`."""
    page = open_page("/audit/draws/new/", office="inspetor", size=TABLET, script=False)
    expect(page.locator("#make-secret-now")).to_be_hidden()
    page.locator("#content summary").first.click()
    expect(page.locator(".commands").first).to_contain_text("sha256sum")
    page.fill("input[name=commitment]", by_hand.committed(SECRET))
    for _ in range(2):
        page.click(".submit-row button.act")
        page.wait_for_load_state()
    seal.sign()
    page.goto("/audit/draws/1/")
    page.fill("input[name=secret]", SECRET)
    page.click(".submit-row button.act")
    page.wait_for_load_state()
    assert DrawResult.objects.get().secret == SECRET
    expect(page.locator("h1")).to_contain_text("Sorteio 1")


def test_the_keyboard_alone_makes_a_secret(
    seal: Seal, open_page: Open, complaints: list[str]
) -> None:
    page = open_page("/audit/draws/new/", office="inspetor")
    page.locator("#make-secret-now").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#made-secret")).to_be_visible()
    expect(page.locator("input[name=commitment]")).to_have_value(re.compile("^[0-9a-f]{64}$"))
    assert DrawCommitment.objects.count() == 0
    assert complaints == []
