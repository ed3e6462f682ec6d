"""Who a typed number is, and what he lacks as a second person, is said before his code is asked."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from casino.events.staff import StaffRegistered
from casino.models import Account, Attestation, BookEntry
from casino.recording import Actor
from casino.witnessing import set_pin
from tests.browser.conftest import TABLET, Open
from tests.browser.sala_hand import PIN, Hand, everybody
from tests.casino.sala_forms import address
from tests.factories.findings import PEOPLE
from tests.factories.people import LONG_AGO, write
from tests.factories.tables import CHEFE, a_load, a_table, chefe_on_duty

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.check,
]
MANAGER = PEOPLE["chefia_da_sala"]
TELEPHONE = {"width": 390, "height": 780}


@pytest.fixture
def load(fresh_db: str, live_server: object, settings: Any) -> str:
    """A loading told just now, where buttons rest for a second."""
    settings.SHIELD_SECONDS = 1.0
    everybody()
    set_pin(Account.objects.get(staff=MANAGER), PIN)
    named = StaffRegistered(staff=MANAGER, name="Helena Prata")
    write(named, by=Actor("S-0001", "administrador", "local"), at=LONG_AGO)
    chefe_on_duty()
    set_pin(Account.objects.create_user(CHEFE), PIN)
    return str(a_load(a_table(), ago=timedelta()).entry_id)


@pytest.mark.parametrize("size", [TABLET, TELEPHONE])
def test_a_typed_number_is_looked_up_when_it_leaves_its_field(
    load: str, open_page: Open, complaints: list[str], size: dict[str, int]
) -> None:
    hand = Hand(open_page(address("witness", load), office="fiscal_de_banca", size=size))
    page = hand.page
    expect(page.locator(".lacking")).to_be_empty()
    page.fill("#id_staff", "s-0003")
    expect(page.locator(".who")).to_contain_text("Helena Prata")  # in any spelling, at once
    page.locator("#id_secret").press_sequentially(PIN)
    expect(page.locator(".lacking .breach")).to_contain_text("fiscal-chefe")
    expect(page.locator("#id_staff")).to_have_value(MANAGER)
    expect(page.locator("#id_secret")).to_have_value(PIN)  # what was typed meanwhile stays
    expect(page.locator(".foot .primary")).to_have_text("Confirmo mesmo assim: estive presente")
    hand.look("lacking")
    hand.tap(f".lacking label:has([value='{MANAGER}'])")
    hand.tap(".foot .primary", ".check-list")
    assert hand.counted() == 2
    assert Attestation.objects.get().witness == MANAGER
    assert complaints == []


def test_who_is_nobody_is_told_so_and_whoever_is_chosen_next_takes_his_place(
    load: str, open_page: Open, complaints: list[str]
) -> None:
    hand = Hand(open_page(address("witness", load), office="fiscal_de_banca", size=TABLET))
    page = hand.page
    page.fill("#id_staff", "S-4711")
    page.press("#id_staff", "Tab")
    expect(page.locator(".lacking .breach")).to_contain_text("S-4711")
    expect(page.locator(".foot .primary")).to_have_text("Ver quem é")
    hand.look("nobody")
    page.locator("#id_staff-pick").select_option(CHEFE)
    expect(page.locator(".lacking")).to_be_empty()
    page.fill("#id_secret", PIN)
    hand.tap(".foot .primary", ".check-list")
    assert Attestation.objects.get().witness == CHEFE
    assert complaints == []


def test_without_a_script_a_button_says_who_it_is(
    load: str, open_page: Open, settings: Any
) -> None:
    settings.SHIELD_SECONDS = 0.0
    page = open_page(address("witness", load), office="fiscal_de_banca", size=TABLET, script=False)
    hand = Hand(page, script=False)
    page.fill("#id_staff", MANAGER)
    hand.tap(".without-script .button", ".lacking .breach", "looked")
    page.fill("#id_secret", PIN)
    hand.tap(f".lacking label:has([value='{MANAGER}'])")
    page.press("#id_secret", "Enter")
    expect(page.locator(".check-list")).to_be_visible()
    assert Attestation.objects.get().witness == MANAGER


def test_the_desk_says_it_too(load: str, open_page: Open, complaints: list[str]) -> None:
    url = reverse("admin:casino_witness", args=[load])
    page = open_page(url, office="fiscal_de_banca")
    page.fill("[name=staff]", "s-0003")
    page.press("[name=staff]", "Tab")
    expect(page.locator(".lacking .breach")).to_contain_text("fiscal-chefe")
    expect(page.locator("[name=staff]")).to_have_value(MANAGER)
    expect(page.locator(".foot .act")).to_have_text("Confirmo mesmo assim: estive presente")
    assert complaints == []


def test_whoever_cannot_approve_a_withdrawal_is_told_so_before_his_code(
    load: str, open_page: Open, complaints: list[str]
) -> None:
    hand = Hand(open_page(address("interrupt"), office="fiscal_de_banca", size=TABLET))
    page = hand.page
    hand.choose("reason", "no_players")
    hand.tap("button[value=interrupt]", ".recorded")
    stop = BookEntry.objects.get(kind="play-interrupted/1").pk
    page.goto(address("withdraw", stop))
    hand.choose("reason", "tapped_by_mistake")
    hand.tap(".foot .primary", "#id_secret")
    fold = page.locator("button[value=approved]").bounding_box()
    assert fold is not None
    assert fold["y"] + fold["height"] <= TABLET["height"]
    page.fill("#id_staff", PEOPLE["fiscal_de_banca"])
    page.press("#id_staff", "Tab")
    expect(page.locator(".lacking .breach")).to_be_visible()
    expect(page.locator("button[value=approved]")).to_have_count(0)
    hand.look("withdraw-nobody")
    page.fill("#id_staff", MANAGER)
    page.press("#id_staff", "Tab")
    page.fill("#id_secret", PIN)
    hand.tap("button[value=approved]", ".said.kept")
    assert complaints == []
