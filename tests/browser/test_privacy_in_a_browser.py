"""A value erased by two persons in their browsers; every page of it read, touched, looked at."""

from datetime import date
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from audit.retention_events import SubjectRequested
from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.models import PrivateValue
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS, awake
from tests.factories.erasures import proposed
from tests.factories.findings import people
from tests.factories.records import HEAD, MANAGER, recorded
from tests.factories.usual_events import ref
from tests.gate import drawn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
NAME = "Maria Exemplo da Silva"


def is_well(page: Page, name: str) -> None:
    """It can be read, touched, and stays within its sides."""
    awake(page)
    assert page.evaluate(CONTRAST) == [], name
    assert violations_in_anything_new(page) == [], name
    assert page.viewport_size == DESK or page.evaluate(TARGETS) == [], name
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name


@pytest.mark.parametrize("size", drawn([DESK, TABLET], 1))
def test_what_one_proposed_another_erases(
    live_server: Any, open_page: Open, complaints: list[str], size: dict[str, int]
) -> None:
    people()
    event = ComplaintReceived(complaint="RC-1", subject="conduct", contact=NAME, text="Foi assim.")
    entry = recorded(event, by=HEAD)
    recorded(ComplaintDecided(complaint="RC-1", outcome="upheld", reason="seen"), by=MANAGER)
    asked = SubjectRequested(
        request="RGPD-1",
        asks="erasure",
        about="player",
        received_on=date(2026, 11, 20),
        reference="Carta",
        subject=NAME,
    )
    request = recorded(asked, by=MANAGER)
    proposal = proposed((ref(entry), "contact"), basis="data_subject_request", request="RGPD-1")
    page = open_page("/audit/retention/", office="chefia_da_sala", size=size)
    is_well(page, "retention")
    page.goto(page.url + f"requests/{request.entry_id}/")
    is_well(page, "subject")
    page.goto(page.url.partition("requests/")[0] + f"records/{entry.entry_id}/")
    is_well(page, "record")
    page.goto(page.url.partition("records/")[0] + f"erasures/{proposal.entry_id}/")
    is_well(page, "erasure")
    page.check("[name=read]")
    page.click("button[value=erase]")
    expect(page.locator(".lead .mark.kept")).to_be_visible()
    assert not PrivateValue.objects.filter(entry=entry.entry_id, value=NAME).exists()
    page.goto(page.url.partition("retention/")[0] + "looks/")
    is_well(page, "looks")
    assert complaints == []
