"""People on a tablet: chosen by tap, a dealer changed, a table handed over, duty, the lock."""

from typing import Any

import pytest
from playwright.sync_api import expect

from casino.events.floor_life import DealerTookTable, TableHandedOver
from casino.events.staff import DutyBegun, OfficeGranted, StaffRegistered
from casino.floor.persons import quick_change
from casino.models import Account
from casino.recording import Actor
from casino.witnessing import set_quick_code
from tests.browser.conftest import TABLET, Open
from tests.browser.sala_hand import Hand
from tests.factories.findings import PEOPLE, people
from tests.factories.floor import SHOE_TABLE, ago, game, house, opened, yesterday
from tests.factories.people import PASSWORD, write
from tests.factories.recorded import events_of, the_event

pytestmark = [
    pytest.mark.check,
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
]
AT = f"/sala/{SHOE_TABLE}/"
PIT, HEAD = PEOPLE["fiscal_de_banca"], PEOPLE["fiscal_chefe"]
ADMIN = Actor("S-0001", "administrador", "local")
MANAGER = Actor(PEOPLE["chefia_da_sala"], "chefia_da_sala", "admin")
CHIEF = Actor(HEAD, "fiscal_chefe", "sala")


@pytest.fixture
def floor(fresh_db: str, live_server: object, settings: Any) -> None:
    settings.SHIELD_SECONDS = 1.0
    people()
    house()
    yesterday()
    for number, office, name in (
        ("P-104", "pagador", "Carla Simões Paiva"),
        ("P-109", "pagador", "Nuno Belchior Reis"),
        ("P-118", "pagador", "Filipe Azenha Cruz"),
        ("P-130", "pagador", "Beatriz Lemos Faro"),
        ("S-0190", "fiscal_de_banca", "Tomás Figueira Leal"),
    ):
        write(StaffRegistered(staff=number, name=name), by=ADMIN, at=ago(600))
        granted = OfficeGranted(staff=number, office=office, valid_from=ago(600), granted_by="S-1")  # type: ignore[arg-type]
        write(granted, by=ADMIN, at=ago(600))
    on_duty = DutyBegun(staff="P-118", office="pagador", tables=(SHOE_TABLE,))
    write(on_duty, by=MANAGER, at=ago(90))
    opened()


def a_hand(open_page: Open, address: str, **how: Any) -> Hand:
    return Hand(open_page(address, office="fiscal_de_banca", size=TABLET, **how))


@pytest.mark.parametrize("script", [True, False])
def test_two_taps_change_the_dealer_and_two_hand_the_table_over(
    floor: None, open_page: Open, complaints: list[str], settings: Any, script: bool
) -> None:
    settings.SHIELD_SECONDS = float(script)  # without script a page cannot say when it is over
    hand = a_hand(open_page, AT, script=script)
    hand.script = script
    hand.tap(f"a[href='{AT}dealer/']", "h1", "dealer")
    hand.tap("button[value='P-118']", ".recorded", "dealer-changed")
    assert hand.counted() == 2
    value = the_event("dealer-took-table/1")
    assert (value.pagador, value.relieves) == ("P-118", "P-104")
    hand.page.goto(f"{AT}hand-over/")
    hand.look("hand-over")
    hand.tap("button[value='S-0190']", ".recorded", "handed-over")
    assert the_event("table-handed-over/1").fiscal_de_banca == "S-0190"
    assert complaints == []


def test_on_duty_in_two_taps_and_off_in_two(floor: None, open_page: Open) -> None:
    hand = a_hand(open_page, "/sala/")
    hand.tap("a[href='/sala/duty/']", "h1", "duty")
    hand.tap(".primary", ".recorded", "on-duty")
    assert hand.counted() == 2
    hand.tap("a[href='/sala/duty/']", ".said.kept", "duty-off")
    hand.tap(".primary", ".recorded", "off-duty")
    assert hand.counted() == 2
    assert [one.staff for one in events_of("duty-begun/1")] == ["P-118", PIT]
    assert the_event("duty-ended/1").staff == PIT


@pytest.mark.parametrize("script", [True, False])
def test_a_person_is_chosen_from_the_list_with_a_tap(
    floor: None, open_page: Open, settings: Any, script: bool
) -> None:
    settings.SHIELD_SECONDS = float(script)
    hand = a_hand(open_page, f"{AT}chips/", script=script)
    hand.script = script
    hand.look("chips")
    page = hand.page
    expect(page.locator("#id_pagador-pick optgroup").first).to_have_attribute(
        "label", "Pagador, de serviço"
    )
    page.locator("#id_pagador-pick").select_option("P-118")
    if script:
        expect(page.locator("#id_pagador")).to_have_value("P-118")
    hand.look("chips-chosen")
    page.locator("[name=chips-500]").fill("40")
    hand.tap(".foot .primary", ".recorded")
    assert the_event("chips-counted/1").pagador == "P-118"


def test_a_locked_tablet_shows_who_may_take_it_and_gives_the_form_back(
    floor: None, open_page: Open, settings: Any, complaints: list[str]
) -> None:
    for number in (PIT, HEAD):
        account = Account.objects.get(staff=number)
        account.set_password(PASSWORD)
        account.save()
        set_quick_code(account, "2468")
    hand = Hand(open_page("/sala/", size=TABLET))
    page = hand.page
    page.fill("#id_enter-number", f" {PIT.lower()}")
    page.fill("#id_enter-secret", PASSWORD)
    hand.tap(".primary", ".floor")
    page.goto(f"{AT}chips/")
    page.locator("[name=chips-500]").fill("7")
    page.evaluate("const now = Date.now; Date.now = () => now() + 601000")
    expect(page.locator("#id_change-code")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("Fichas")
    hand.look("locked")
    page.fill("#id_change-code", "1111")
    hand.tap(".change .primary", "#errors", "locked-wrong")
    page.fill("#id_change-code", "2468")
    hand.tap(".change .primary")
    expect(page.locator("[name=chips-500]")).to_have_value("7")
    expect(page.locator(".bar .me")).to_be_visible()
    page.locator("#id_second").fill(HEAD)
    page.locator("#id_pagador").fill("P-104")
    hand.tap(".foot .primary", ".recorded")
    assert the_event("chips-counted/1").counts[0].count == 7
    assert quick_change.idle_seconds() == 600
    assert complaints == [] or all("403" in one for one in complaints), complaints


@pytest.mark.parametrize("size", [TABLET, {"width": 390, "height": 780}])
def test_the_summary_fits_with_everybodys_name(
    floor: None, open_page: Open, size: dict[str, int]
) -> None:
    write(DealerTookTable(**game(), pagador="P-118", relieves="P-104"), by=CHIEF, at=ago(5))
    write(TableHandedOver(**game(), fiscal_de_banca="S-0190"), by=CHIEF, at=ago(4))
    hand = Hand(open_page(f"{AT}summary/", office="fiscal_chefe", size=size))
    expect(hand.page.locator(".paper")).to_contain_text("Filipe Azenha Cruz")
    hand.look(f"summary-{size['width']}")
    over = """() => [...document.querySelectorAll('.paper dd')].filter(
      one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"""
    assert hand.page.evaluate(over) == []
