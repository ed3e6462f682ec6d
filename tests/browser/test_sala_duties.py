"""What a night leaves to do, by taps: a complaint decided, chips counted, a table closed."""

from typing import Any

import pytest
from playwright.sync_api import expect

from casino.events.complaints import ComplaintReceived
from casino.events.floor_life import ChipsCounted
from casino.events.partidas import ChipCount
from casino.models import Closing, ComplaintDecision, FootageHold
from tests.browser.conftest import TABLET, Open
from tests.browser.tablet import AT, Tablet
from tests.factories.findings import people
from tests.factories.floor import PIT, ago, game, house, opened, played, prepared
from tests.factories.people import appoint, write

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.check,
]


@pytest.fixture
def floor(fresh_db: str, live_server: object, settings: Any) -> None:
    """A table in play, its float counted, a complaint about its only round."""
    settings.TODO_PATIENCE = 0
    people()
    appoint("S-0021", "fiscal_chefe")
    house()
    opened()
    prepared()
    round_ = played(1, 1)
    float_ = (ChipCount(value_cents=500, count=100), ChipCount(value_cents=2500, count=40))
    write(ChipsCounted(**game(), moment="opening", counts=float_), by=PIT, at=ago(48))
    received = ComplaintReceived(
        **game(),
        complaint="RC-7",
        subject="payment",
        round=round_.round,
        box=2,
        amount_cents=1250,
        sheet="Folha 311",
        received_at=ago(5),
    )
    write(received, by=PIT, at=ago(5))


def test_a_complaint_is_read_and_decided_and_its_slip_printed(
    floor: None, open_page: Open, complaints: list[str]
) -> None:
    hand = Tablet(open_page("/sala/", office="chefia_da_sala", size=TABLET))
    hand.tap("#todo", ".check-list.duties")
    hand.tap(".duties a[href*='complaint']", ".told")
    hand.tap("a[href$='/hold/']", "#id_reason")
    hand.tap(".foot .primary", ".recorded")
    assert FootageHold.objects.get().complaint == "RC-7"
    hand.tap("a.primary[href$='/decide/']", "#id_outcome")
    for name, value in (
        ("outcome", "upheld"),
        ("reason", "payment-corrected"),
        ("informed", "yes"),
    ):
        hand.page.locator(f"label.choice:has(input[name={name}][value={value}])").click()
    hand.page.fill("#id_paid_cents", "12,50")
    hand.tap(".foot .primary", ".recorded")
    decided = ComplaintDecision.objects.get()
    assert (decided.outcome, decided.paid_cents) == ("upheld", 1250)
    hand.tap("a[href$='/slip/']", ".paper")
    expect(hand.page.locator(".paper")).to_contain_text("12,50")
    hand.page.emulate_media(media="print")
    expect(hand.page.locator(".bar")).to_be_hidden()
    assert complaints == []


def test_chips_are_added_up_while_they_are_counted_against_the_float(
    floor: None, open_page: Open, complaints: list[str]
) -> None:
    hand = Tablet(open_page(f"{AT}chips/", office="fiscal_de_banca", size=TABLET))
    page = hand.page
    page.fill("#id_chips-500", "100")
    expect(page.locator("#chips-total")).to_have_text("500,00\u00a0€")
    page.fill("#id_chips-2500", "38")
    expect(page.locator("#chips-total")).to_have_text("1\u00a0450,00\u00a0€")
    expect(page.locator("#chips-compared")).to_contain_text("50,00\u00a0€")
    hand.look()
    assert complaints == []


def test_chips_are_added_up_without_script(floor: None, open_page: Open) -> None:
    page = open_page(f"{AT}chips/", office="fiscal_de_banca", size=TABLET, script=False)
    page.fill("#id_chips-500", "100")
    page.locator("noscript button, .chips-total button").first.click()
    expect(page.locator("#chips-total")).to_have_text("500,00\u00a0€")
    expect(page.locator("#id_chips-500")).to_have_value("100")


def test_a_closing_names_what_will_be_found_and_ends_with_what_the_game_came_to(
    floor: None, open_page: Open, complaints: list[str]
) -> None:
    hand = Tablet(open_page(f"{AT}close/", office="fiscal_de_banca", size=TABLET))
    hand.look()
    hand.tap(".foot .primary", ".will-find")
    hand.tap("button[name=attest][value=all]", ".paper")
    assert Closing.objects.count() == 1
    hand.tap(".paper a[href*='chips']", "#id_chips-500")
    hand.page.fill("#id_chips-500", "100")
    hand.tap(".foot .primary", ".paper")
    hand.page.goto("/sala/")
    hand.look(".floor")
    hand.page.goto("/sala/todo/")
    hand.look()


def test_the_admin_counts_it_too(floor: None, open_page: Open, complaints: list[str]) -> None:
    page: Any = open_page("/admin/", office="chefia_da_sala")
    expect(page.locator("#header .todo")).to_contain_text("1")
    assert complaints == []
