"""Anular, by a finger: what was sent says for how long it can be taken back, and is taken back."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from casino import holding
from casino.models import BookEntry, Cut, Duty, HeldRecord, Incident, LastRound, Partida
from tests.browser.conftest import TABLET, Open
from tests.browser.tablet import AT, Tablet
from tests.factories.findings import people
from tests.factories.floor import DECKS, game, house, opened, played, prepared, yesterday
from tests.factories.people import appoint

pytestmark = [
    pytest.mark.check,
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
]


@pytest.fixture
def tablet(fresh_db: str, live_server: object, open_page: Open, settings: Any) -> Tablet:
    """At a table whose first shoe is being dealt; nothing is over before a test says so."""
    settings.SALA_HOLD_SECONDS = 600
    people()
    house()
    opened()
    prepared()
    played(1, 1, minutes=0)
    found = Tablet(open_page(AT, office="fiscal_de_banca", size=TABLET))
    found.look("button[value=during_round]")
    return found


def test_a_shoe_is_three_taps_and_each_can_be_taken_back(tablet: Tablet) -> None:
    page = tablet.page
    tablet.tap("button[value=during_round]", ".held")
    expect(page.locator(".held")).to_contain_text("A registar…")
    expect(page.locator(".held [data-left]")).to_have_text(re.compile(r"5\d\d"))
    assert LastRound.objects.count() == 0
    tablet.tap(".primary", "a[href*=from_end]")
    expect(page.locator(".held")).to_contain_text("Corte")
    assert (LastRound.objects.count(), Cut.objects.count()) == (1, 1)
    tablet.tap(".primary", "button[value=during_round]")
    assert tablet.counted() == 3
    assert Cut.objects.count() == 2
    before = BookEntry.objects.count()
    tablet.tap(".held button", ".held:not([data-held])")
    expect(page.locator(".held")).to_contain_text("Anulado: nada foi registado.")
    assert (HeldRecord.objects.count(), BookEntry.objects.count()) == (0, before)
    expect(page.locator(".primary")).to_contain_text("50")  # the warning card is due again


def test_the_tablet_says_so_when_it_is_recorded(tablet: Tablet, settings: Any) -> None:
    settings.SALA_HOLD_SECONDS = 2
    tablet.tap("button[value=during_round]", ".seats")
    expect(tablet.page.locator(".recorded:not(.held)")).to_be_visible()
    expect(tablet.page.locator(".held")).to_have_count(0)
    assert LastRound.objects.count() == 1
    tablet.look(".recorded")


def test_another_tablet_sees_it_and_cannot_take_it_back(tablet: Tablet, open_page: Open) -> None:
    tablet.tap("button[value=during_round]", ".held")
    other = open_page(AT, office="fiscal_chefe", size=TABLET)
    expect(other.locator(".held")).to_contain_text("A registar…")
    expect(other.locator(".held button")).to_have_count(0)
    expect(other.locator(".seats").first).to_be_visible()  # the cut is due there too


# The connection is lost before it is taken back

NOT_TAKEN_BACK = "Sem ligação. Não foi anulado: vai ser registado."
AGAIN = "Tenta-se de novo até ao fim da contagem."


def test_without_a_connection_it_says_that_it_will_be_recorded(
    tablet: Tablet, settings: Any
) -> None:
    settings.SALA_HOLD_SECONDS = 4
    page = tablet.page
    tablet.tap("button[value=during_round]", ".held button")
    page.context.set_offline(True)
    page.locator(".held button").click()
    lost = page.locator("#lost")
    expect(lost).to_have_text(f"{NOT_TAKEN_BACK} {AGAIN}")
    tablet.look(".held")
    expect(lost).to_have_text(NOT_TAKEN_BACK)  # the seconds are over
    assert "Nada foi" not in page.locator("main").inner_text()
    page.context.set_offline(False)
    expect(page.locator(".recorded:not(.held)")).to_contain_text("Registado às")
    assert LastRound.objects.count() == 1


def test_with_the_connection_back_in_time_it_is_taken_back_after_all(tablet: Tablet) -> None:
    page = tablet.page
    tablet.tap("button[value=during_round]", ".held button")
    page.context.set_offline(True)
    page.locator(".held button").click()
    expect(page.locator("#lost")).to_contain_text(AGAIN)
    page.context.set_offline(False)
    expect(page.locator(".held")).to_contain_text("Anulado: nada foi registado.")
    assert (HeldRecord.objects.count(), LastRound.objects.count()) == (0, 0)


def test_where_the_server_does_not_answer_nobody_says_whether_it_was_taken_back(
    tablet: Tablet,
) -> None:
    page = tablet.page
    tablet.tap("button[value=during_round]", ".held button")
    page.route("**/take-back/", lambda route: route.abort())
    page.locator(".held button").click()
    expect(page.locator("#lost")).to_contain_text("Não se sabe se foi anulado")
    page.unroute("**/take-back/")
    expect(page.locator(".held")).to_contain_text("Anulado: nada foi registado.")


# What takes a number, a deck of the house, a duty

BEING = {"pt-PT": "A registar…", "en-GB": "Being recorded…"}
TAKEN_BACK = {"pt-PT": "Anulado: nada foi registado.", "en-GB": "Taken back: nothing was recorded."}
LANGUAGES = pytest.mark.parametrize("language", BEING)
Begin = Callable[..., Tablet]


@pytest.fixture
def begin(fresh_db: str, live_server: object, open_page: Open, settings: Any) -> Begin:
    """A finger on the tablet of the fiscal de banca, on the floor; nothing is over by itself."""
    settings.SALA_HOLD_SECONDS = 600
    people()
    appoint("S-0021", "fiscal_chefe")  # whom the opening of the day before names
    house()
    yesterday()

    def at(
        address: str, language: str = "pt-PT", name: str = "held", script: bool = True
    ) -> Tablet:
        page = open_page(
            address,
            office="fiscal_de_banca",
            size=TABLET,
            language=language,
            touch=True,
            script=script,
        )
        found = Tablet(page, name=f"{name}-{language[:2]}", touched=True, scripted=script)
        found.look()
        return found

    return at


def numbers_held() -> list[str]:
    """The numbers of the incidents that are held."""
    return [event.incident for row in HeldRecord.objects.all() for event in holding.events_of(row)]


@LANGUAGES
def test_an_opening_with_its_exhibition_is_four_taps_and_can_be_taken_back(
    begin: Begin, language: str, complaints: list[str]
) -> None:
    before = Partida.objects.count()
    hand = begin("/sala/", language, "opening")
    hand.tap(f"a[href='{AT}open/']", "#id_minimum")
    hand.tap(".primary", ".deck")
    expect(hand.page.locator(".held")).to_contain_text(BEING[language])
    expect(hand.page.locator(".deck")).to_have_count(len(DECKS))
    assert Partida.objects.count() == before
    hand.tap(".held button", ".held:not([data-held])")  # it was the wrong table
    expect(hand.page.locator(".held")).to_contain_text(TAKEN_BACK[language])
    assert (HeldRecord.objects.count(), Partida.objects.count()) == (0, before)
    hand.page.goto("/sala/")
    hand.counted()
    hand.tap(f"a[href='{AT}open/']", "#id_minimum")
    hand.tap(".primary", ".deck")
    hand.tap(".all", ".primary[data-all]")
    hand.tap(".primary", ".seats")
    assert hand.counted() == 4
    assert Partida.objects.latest("pk").partida_id == game()["partida"]
    expect(hand.page.locator(".held")).to_contain_text(BEING[language])
    assert complaints == []


@LANGUAGES
def test_an_incident_is_three_taps_and_its_number_is_free_when_it_is_taken_back(
    begin: Begin, language: str, complaints: list[str]
) -> None:
    opened()
    hand = begin(AT, language, "incident")

    def report() -> str:
        hand.counted()
        hand.tap(f"a[href='{AT}incident/']", "a[href='?category=damaged_card']")
        hand.tap("a[href='?category=damaged_card']", "button[name=reason]")
        hand.tap("button[name=reason][value=rasgada]", ".course")
        assert hand.counted() == 3
        expect(hand.page.locator(".held")).to_contain_text(BEING[language])
        [number] = numbers_held()
        expect(hand.page.locator("main")).to_contain_text(number)
        return number

    first = report()
    hand.tap(".held button", ".held:not([data-held])")
    expect(hand.page.locator(".held")).to_contain_text(TAKEN_BACK[language])
    assert report() == first
    assert Incident.objects.count() == 0
    hand.tap(".course button.primary", ".held")  # its first step writes it
    expect(hand.page.locator(".held li")).to_contain_text("Fiscal-chefe")
    assert Incident.objects.get().incident == first
    assert complaints == []


@LANGUAGES
def test_on_duty_is_two_taps_and_is_taken_back_on_the_floor(
    begin: Begin, language: str, complaints: list[str]
) -> None:
    opened()
    hand = begin("/sala/", language, "duty")
    hand.tap("a[href='/sala/duty/']", "h1")
    hand.tap(".primary", ".held")
    expect(hand.page.locator(".held li")).to_contain_text("S-0187, BJ-01")
    assert hand.counted() == 2
    expect(hand.page.locator(".held")).to_contain_text(BEING[language])
    hand.tap(".held button", ".held:not([data-held])")
    expect(hand.page.locator(".held")).to_contain_text(TAKEN_BACK[language])
    assert (HeldRecord.objects.count(), Duty.objects.count()) == (0, 0)
    assert complaints == []


def test_the_floor_says_so_when_a_hand_over_is_recorded(begin: Begin, settings: Any) -> None:
    settings.SALA_HOLD_SECONDS = 3
    appoint("S-0190", "fiscal_de_banca")
    opened()
    hand = begin(f"{AT}hand-over/", name="hand-over")
    hand.tap("button[name=tapped][value=S-0190]", ".held")
    expect(hand.page.locator(".held li")).to_contain_text("BJ-01 · Mesa entregue: S-0190")
    expect(hand.page.locator(".recorded:not(.held)")).to_be_visible()
    expect(hand.page.locator(".held")).to_have_count(0)


def test_without_script_an_opening_goes_on_to_its_exhibition(begin: Begin) -> None:
    hand = begin(f"{AT}open/", name="no-script", script=False)
    hand.tap(".primary", ".deck")
    expect(hand.page.locator(".held")).to_contain_text(BEING["pt-PT"])
    hand.page.wait_for_timeout(1_100)  # what comes back sooner was not read
    hand.tap(".all", ".deck")
    hand.page.wait_for_timeout(1_100)
    hand.tap(".primary", ".seats")
    assert Partida.objects.latest("pk").partida_id == game()["partida"]
