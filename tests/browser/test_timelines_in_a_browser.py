"""The timelines as a person meets them, on a desk and on a tablet; and the ways that lead there."""

import os
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from casino.demo import load_demo
from casino.models import Account, Partida, ShufflerLoad
from tests.browser.axe import violations
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import TARGETS
from tests.factories.findings import PEOPLE
from tests.factories.people import appoint

pytestmark = [pytest.mark.needs_tool("chromium"), pytest.mark.usefixtures("fresh_db")]
SHOTS = os.environ.get("SHOTS")  # a folder to leave pictures in


@pytest.fixture
def demo(fresh_db: str, live_server: Any) -> list[str]:
    """The addresses of a timeline of each kind after the demo's evening, by hand and by machine."""
    load_demo.load(logins_wanted=lambda: False)
    inspector()
    by_hand = Partida.objects.get(partida_id__startswith="BJ-01/")
    load = ShufflerLoad.objects.order_by("pk")[0]
    return [
        reverse("timeline-partida", args=[by_hand.partida_id]),
        reverse("timeline-partida", args=[load.partida_id]),
        reverse("timeline-table", args=["BJ-01"]),
        reverse("timeline-deck", args=[by_hand.decks[0]]),
        reverse("timeline-shuffler", args=[load.shuffler]),
        reverse("timeline-person", args=["S-0187"]),
    ]


def inspector() -> None:
    """Beside the demo's people one of these tests'."""
    appoint(PEOPLE["inspetor"], "inspetor")
    Account.objects.create_user(PEOPLE["inspetor"], None, language="pt-pt")


@pytest.mark.check
def test_every_timeline_can_be_read_and_touched(
    demo: list[str], open_page: Open, complaints: list[str]
) -> None:
    wrong: list[str] = []
    for size, theme in ((DESK, "light"), (TABLET, "dark")):
        page = open_page(demo[0], office="inspetor", size=size, theme=theme)
        for address in demo:
            page.goto(address)
            said = []
            if size is TABLET:
                said = violations(page)  # contrast among them
                said += [f"target {each}" for each in page.evaluate(TARGETS)]
            if page.evaluate("document.documentElement.scrollWidth - innerWidth") > 0:
                said.append("the page runs out of its side")
            if not page.locator("ol.timeline > li").count():
                said.append("it tells nothing")
            wrong += [f"{address} {size['width']}: {each}" for each in said]
            if SHOTS:
                name = address.strip("/").replace("/", "-")
                page.screenshot(path=Path(SHOTS) / f"{name}-{size['width']}.png")
    assert wrong == []
    assert complaints == []


@pytest.mark.check
def test_lists_and_records_lead_there(
    demo: list[str], open_page: Open, complaints: list[str]
) -> None:
    page = open_page("/admin/casino/shufflerload/", office="inspetor", size=TABLET)
    assert page.evaluate(TARGETS) == []
    by_machine, machine = demo[1], demo[4]
    assert page.locator(f"#result_list a[href='{by_machine}']").count()
    assert page.locator(f"#result_list a[href='{machine}']").count()
    page.locator("#result_list tbody th a").first.click()
    ways = page.locator("ul.named a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert {machine, reverse("timeline-table", args=["BJ-02"])} <= set(ways)
    assert any(way.startswith("/timelines/partidas/BJ-02/") for way in ways)
    assert page.evaluate(TARGETS) == []
    page.locator(f"ul.named a[href='{machine}']").click()
    assert page.locator("ol.timeline > li").count()
    assert complaints == []
