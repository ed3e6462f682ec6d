"""The night of an outage: three lines of paper, recorded on a tablet one after the other.

SALA_SHOTS names a folder into which every step is photographed.
"""

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from casino.house_day import house_zone
from casino.models import BookEntry
from tests.browser.conftest import TABLET, Open
from tests.browser.tablet import AT, Tablet
from tests.factories.findings import people
from tests.factories.floor import ago, house, opened, prepared
from tests.factories.people import appoint
from tests.factories.recorded import events_of

pytestmark = [pytest.mark.needs_tool("chromium"), pytest.mark.usefixtures("fresh_db")]
CHEFE = "S-0021"


def lay(hand: Tablet, at: datetime, **filled: str) -> None:
    """Say which line of which sheet comes next; what stands there already is left."""
    hand.page.fill("[name=occurred_at]", f"{at.astimezone(house_zone()):%Y-%m-%dT%H:%M:%S}")
    for name, value in filled.items():
        if name == "why":
            hand.tap(f"label.choice:has([name=why][value={value}])")
        else:
            hand.page.fill(f"[name={name}]", value)
    hand.tap(".foot .primary", ".steps")


@pytest.mark.check
@pytest.mark.parametrize("language", ["pt-PT", "en-GB"])
def test_three_lines_of_paper_are_recorded_after_an_outage(
    fresh_db: str, live_server: object, open_page: Open, complaints: list[str], language: str
) -> None:
    people()
    appoint(CHEFE, "fiscal_chefe")
    house()
    opened()
    prepared()
    page = open_page("/sala/", office="fiscal_de_banca", size=TABLET, language=language)
    hand = Tablet(page, name=f"paper-{language}")
    hand.tap("a[href='/sala/away/']", "[name=sheet]")
    stopped, resumed, told = (ago(minutes).replace(microsecond=0) for minutes in (30, 20, 15))

    lay(hand, stopped, sheet="12", written_by=CHEFE, why="no_power")
    hand.tap(f".steps a[href='{AT}interrupt/']", "#from-sheet")
    hand.tap("label.choice:has([name=reason][value=no_players])")
    hand.tap("[name=do][value=interrupt]", ".recorded")

    lay(hand, resumed)  # the next line of the same sheet: only its time is another
    hand.tap(f".steps a[href='{AT}interrupt/']", "#from-sheet")
    hand.tap("[name=do][value=resume]", ".recorded")

    lay(hand, told, sheet="13", why="no_network")
    hand.tap(f".steps a[href='{AT}complaint/']", "#from-sheet")
    expect(page.locator("#id_when")).to_have_count(0)  # the sheet says when it was
    hand.tap("label.choice:has([name=subject])")
    hand.tap(".foot .primary", "main")
    if page.locator(".needs-choice").count():
        hand.over_it(".recorded")

    expect(page).to_have_url(re.compile("/sala/away/"))
    entries = BookEntry.objects.filter(
        kind__in=("play-interrupted/1", "play-resumed/1", "complaint-received/1")
    )
    found = entries.order_by("occurred_at")
    assert [one.occurred_at for one in found] == [stopped, resumed, told]
    assert all(one.recorded_at - one.occurred_at > timedelta(minutes=10) for one in found)
    papers = [events_of(one.kind)[0].paper for one in found]
    assert [one.sheet for one in papers] == ["12", "12", "13"]
    assert {one.written_by for one in papers} == {CHEFE}
    page.goto(AT)
    hand.look(".lately")
    expect(page.locator(".lately")).to_contain_text("12")
    page.goto(f"/sala/entry/{found[0].pk}/")
    hand.look()
    expect(page.locator("dl.pairs")).to_contain_text(CHEFE)
    assert complaints == []
