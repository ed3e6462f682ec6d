"""The floor without a connection, without a script, on a telephone: nothing is lost or hidden."""

import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from casino.models import Attestation, Closing, Incident, ShufflerLoad
from tests.browser.conftest import TABLET, Open
from tests.browser.sala_hand import HEAD, PIN, SHOTS, SMALL, WIDE, Hand, everybody
from tests.casino.sala_forms import address
from tests.factories.recorded import events_of
from tests.factories.tables import MINUTE, TABLE, a_load, a_table
from tests.gate import drawn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]


@pytest.fixture
def cast(fresh_db: str, live_server: object) -> None:
    """Everybody of the floor."""
    everybody()


@pytest.fixture
def hand(cast: None, open_page: Open) -> Hand:
    """The fiscal de banca's tablet, at a table with a shuffler that is open."""
    a_table()
    return Hand(open_page(address("table"), office="fiscal_de_banca", size=TABLET, theme="dark"))


NOTHING: Final = re.compile("Nada foi gravado|Nothing was recorded")
# Each screen: what is typed, what is tapped, which button, of what there is none yet.
LOST: Final[dict[str, tuple[dict[str, str], dict[str, str], str, str]]] = {
    "load": ({"operator": "P-333"}, {"packets": "3"}, ".foot .primary", "shuffler-loaded/1"),
    "incident": (
        {"text": "a carta ficou presa"}, {"when": "ago5"}, "button[value=carta_presa]",
        "incident-reported/1",
    ),
    "complaint": (
        {"sheet": "123456"}, {"subject": "payment", "cards": "no", "box": "4"}, ".foot .primary",
        "complaint-received/1",
    ),
    "interrupt": ({}, {"reason": "no_players"}, "button[value=interrupt]", "play-interrupted/1"),
    "unload": ({"cards": "311"}, {"empty": "no"}, ".foot .primary", "shuffler-unloaded/1"),
    "chips": ({"chips-500": "40"}, {}, ".foot .primary", "chips-counted/1"),
    "close": ({"rounds": "12"}, {}, "button[value=all]", "partida-closed/1"),
}  # fmt: skip
ASKED: Final = {"incident": "?category=jam", "close": "?confirm=1"}


@pytest.mark.parametrize("screen", drawn(LOST, 1))
def test_without_a_connection_a_tap_says_so_and_keeps_what_was_typed(
    hand: Hand, complaints: list[str], screen: str
) -> None:
    page = hand.page
    typed, tapped, button, kind = LOST[screen]
    page.goto(address(screen) + ASKED.get(screen, ""))
    for one in page.locator("details.more").all():
        one.evaluate("one => one.open = true")
    for name, value in typed.items():
        page.locator(f"[name={name}]").fill(value)
    for name, value in tapped.items():
        hand.choose(name, value)
    page.context.set_offline(True)
    hand.tap(button, "#lost")
    expect(page.locator("#lost")).to_have_text(NOTHING)
    hand.look(f"lost-{screen}")
    for name, value in typed.items():
        expect(page.locator(f"[name={name}]")).to_have_value(value)
    for name, value in tapped.items():
        expect(page.locator(f"[name={name}][value='{value}']")).to_be_checked()
    assert events_of(kind) == []
    page.context.set_offline(False)
    expect(page.locator("#lost")).to_be_hidden()
    hand.tap(button)
    warned = screen in ("unload", "close")
    if warned:
        expect(page.locator("[name=over]")).to_have_count(1)
    else:
        page.wait_for_url(lambda url: "recorded=" in url or "witness" in url)
    assert len(events_of(kind)) == (not warned)
    assert complaints == []


@pytest.mark.check
def test_the_witness_is_told_that_nothing_was_stored_either(
    hand: Hand, complaints: list[str]
) -> None:
    page = hand.page
    receipt = a_load(events_of("partida-opened/1")[0].partida, ago=0 * MINUTE)
    page.goto(address("witness", receipt.entry_id))
    page.locator("[name=staff]").fill(HEAD)
    page.locator("[name=secret]").fill(PIN)
    page.context.set_offline(True)
    hand.tap(".foot .primary", "#lost")
    expect(page.locator("#lost")).to_have_text(NOTHING)
    expect(page.locator("[name=staff]")).to_have_value(HEAD)
    assert not Attestation.objects.exists()
    page.context.set_offline(False)
    hand.tap(".foot .primary", ".check-list")
    assert Attestation.objects.get().witness == HEAD
    assert complaints == []


@pytest.mark.check
def test_every_screen_works_without_script(cast: None, open_page: Open) -> None:
    a_table()
    page = open_page(address("load"), office="fiscal_de_banca", size=TABLET, script=False)
    hand = Hand(page, script=False)
    hand.choose("packets", "2")
    hand.tap(".foot .primary", "[name=secret]", "plain-witness")
    page.locator("[name=staff]").fill(HEAD)
    page.locator("[name=secret]").fill(PIN)
    hand.tap(".foot .primary", ".check-list")
    assert Attestation.objects.get().witness == HEAD
    page.goto(f"{address('incident')}?category=jam")
    hand.tap("button[name=reason][value=carta_presa]", ".course", "plain-steps")
    hand.tap("button[name=step][value=called]")
    assert [one.step for one in events_of("incident-step/1")] == ["called"]
    page.goto(address("complaint"))
    hand.choose("subject", "payment")
    hand.tap(".foot .primary", "#errors", "plain-refused")
    hand.choose("cards", "yes")
    hand.tap(".foot .primary", ".recorded")
    page.goto(address("interrupt"))
    hand.choose("reason", "no_stakes")
    hand.tap("button[value=spread]", ".needs-choice", "plain-warned")
    hand.over_it(".recorded")
    assert len(events_of("cards-spread/1")) == 1
    page.goto(f"{address('close')}?confirm=1")
    hand.tap("button[value=all]", ".needs-choice")
    hand.over_it(".recorded")
    assert Closing.objects.count() == 1
    assert ShufflerLoad.objects.count() == 1


@pytest.mark.check
def test_enter_in_a_field_records_no_incident(hand: Hand) -> None:
    page = hand.page
    page.goto(f"{address('incident')}?category=cash")
    page.locator("details.more summary").first.click()
    page.locator("[name=amount_cents]").fill("25")
    page.locator("[name=amount_cents]").press("Enter")
    expect(page.locator("#errors")).to_be_visible()
    expect(page.locator("[name=amount_cents]")).to_have_value("25")
    assert Incident.objects.count() == 0


@pytest.mark.parametrize(
    "screen",
    drawn(
        [
            "load",
            "incident",
            "complaint",
            "close",
            "order",
            "unload",
            "chips",
            "interrupt",
            "witness",
            "correct",
        ],
        1,
    ),
)
def test_a_screen_is_narrow_enough_for_a_telephone(
    cast: None, open_page: Open, screen: str
) -> None:
    receipt = a_load(a_table(), ago=MINUTE)
    own = (receipt.entry_id,) if screen in ("witness", "correct") else (TABLE,)
    size: dict[str, Any] = {"width": 360, "height": 740}
    page = open_page(address(screen, *own), office="fiscal_de_banca", size=size)
    assert not page.evaluate(WIDE)
    assert page.evaluate(SMALL) == []
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"phone-{screen}.png", full_page=True)
