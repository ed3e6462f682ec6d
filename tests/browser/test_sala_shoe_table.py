"""A shoe table, a whole evening on a tablet: taps counted, targets measured, every page looked at.

SALA_SHOTS names a folder into which every step is photographed.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from casino import clock
from casino.events.shoes import CutMade, CutOffer
from casino.extensions import partida_judges
from casino.law.rulebook.rulebook_file import load_law
from casino.models import (
    Account,
    Burn,
    CartaAviso,
    Closing,
    Complaint,
    Cut,
    DeckInspection,
    Incident,
    LastRound,
    Partida,
    Shuffle,
)
from casino.queries import dossier_of
from tests.browser.conftest import TABLET, Open
from tests.browser.looks import EVENINGS
from tests.browser.tablet import AT, SECRET, Tablet
from tests.factories.findings import people
from tests.factories.floor import (
    DECKS,
    PIT,
    game,
    house,
    opened,
    played,
    prepared,
    yesterday,
)
from tests.factories.people import appoint, write
from tests.factories.recorded import events_of
from tests.gate import in_turn

pytestmark = [pytest.mark.needs_tool("chromium"), pytest.mark.usefixtures("fresh_db")]


@pytest.fixture
def tablet(fresh_db: str, live_server: object, open_page: Open) -> Tablet:
    """The fiscal de banca's, on the floor."""
    people()
    appoint("S-0021", "fiscal_chefe")  # whom the opening of the day before names
    house()
    yesterday()
    account = Account.objects.get(staff=PIT.staff)
    account.set_password(SECRET)
    account.save()
    found = Tablet(open_page("/sala/", office="fiscal_de_banca", size=TABLET))
    found.look()
    return found


@in_turn("shoe_table", EVENINGS)
def test_a_whole_evening_at_a_shoe_table(tablet: Tablet, complaints: list[str]) -> None:
    _opened_and_shown(tablet)
    _an_uneventful_shoe(tablet)
    _a_shoe_cut_by_the_wrong_seat(tablet)
    _a_damaged_card(tablet)
    _a_complaint(tablet)
    _the_closing(tablet)
    assert _found_by_the_law() >= {"8"}
    assert complaints == []


def _opened_and_shown(hand: Tablet) -> None:
    """The opening with its exhibition: four taps, everything else is filled in."""
    hand.tap(f"a[href='{AT}open/']", "#id_minimum")
    hand.tap(".primary", ".deck")
    partida = Partida.objects.get(partida_id=game()["partida"])
    assert (partida.minimum_cents, partida.maximum_cents) == (1000, 30_000)
    assert partida.decks == list(DECKS)
    hand.tap(".all", ".primary[data-all]")
    expect(hand.page.locator(".primary")).to_contain_text("6")
    hand.tap(".primary", ".seats")
    assert DeckInspection.objects.filter(result="conform").count() == 6
    assert hand.counted() <= 4


def _an_uneventful_shoe(hand: Tablet) -> None:
    """Three taps: shuffle and cut, warning card and burnt card, last round."""
    page = hand.page
    # Who sits there is seen and filled in, quickly: no act, and no tap of the shoe's.
    for seat in (2, 5):
        page.locator(f"#seat-{seat}").click()
    expect(page.locator(".seat.occupied")).to_have_count(2)
    hand.look()
    expect(page.locator(".primary")).to_contain_text("2")
    hand.tap(".primary", "a[href*=from_end]")
    assert (Shuffle.objects.get().shoe, Cut.objects.get().seat) == (1, 2)
    expect(page.locator(".primary")).to_contain_text("50")
    hand.tap(".primary", "button[value=during_round]")
    assert (CartaAviso.objects.get().cards_from_end, Burn.objects.get().cards) == (50, 1)
    played(1, 1, minutes=0, warning_card_at=4)
    hand.tap("button[value=during_round]", ".seats")
    assert LastRound.objects.get().shoe == 1
    assert hand.counted() == 3
    # What was said of the card and what the rounds say of it do not agree, and that is said.
    expect(page.locator(".watched .warning")).to_contain_text("307")


def _a_shoe_cut_by_the_wrong_seat(hand: Tablet) -> None:
    page = hand.page
    expect(page.locator(".seat.turn")).to_contain_text("5")  # the seat after the last cutter
    page.locator(".next details.more summary").first.click()
    hand.tap("#cuts-2", "#cuts-2[aria-current]")
    expect(page.locator(".primary")).to_contain_text("2")
    hand.tap(".primary", "[name=despite-all]")
    expect(page.locator(".said.breach")).to_contain_text("8")
    assert Cut.objects.count() == 1
    hand.over_it(".recorded")
    cut = events_of("cut-made/1")[-1]
    assert (cut.shoe, cut.seat, cut.due_seat, len(cut.despite)) == (2, 2, 5, 1)
    hand.tap(".primary", "button[value=during_round]")
    hand.counted()


def _a_damaged_card(hand: Tablet) -> None:
    """From the table's page: which trouble, which deck, what of it."""
    hand.tap(f"a[href='{AT}incident/']", "a[href='?category=damaged_card']")
    hand.tap("a[href='?category=damaged_card']", "button[name=reason]")
    hand.tap("button[name=reason][value=rasgada]", ".course")
    assert hand.counted() == 3
    incident = Incident.objects.get()
    assert incident.level == "damaged_card"
    hand.tap("a.back", ".steps")
    expect(hand.page.locator("main")).to_contain_text(incident.incident)
    hand.counted()


def _a_complaint(hand: Tablet) -> None:
    hand.tap(f"a[href='{AT}complaint/']", "[name=subject]")
    hand.tap("label.choice:has([name=subject][value=payment])")
    hand.tap("button.tile[name=round]", ".recorded")
    assert hand.counted() <= 4
    assert Complaint.objects.get().subject == "payment"


def _the_closing(hand: Tablet) -> None:
    """What is missing is listed; nothing of it keeps anybody from closing."""
    hand.tap(f"a[href='{AT}close/']", ".check-list")
    hand.tap(".foot a.primary", ".attested")
    # The deck of the damaged card was never withdrawn (5).
    hand.tap(".foot .primary", "[name=despite-all]")
    assert hand.counted() == 3
    hand.over_it(".recorded")
    assert Closing.objects.get(partida_id=game()["partida"]).rounds == 1
    hand.page.goto("/sala/")
    expect(hand.page.locator(f"a[href='{AT}open/']")).to_be_visible()


def _found_by_the_law() -> set[str]:
    """The articles under which the evening's record opens findings."""
    dossier = dossier_of(game()["partida"], as_of=clock.now())
    judges = partida_judges()
    return {one.article for judge in judges for one in judge(dossier, load_law("pt")).findings}


@pytest.mark.check
def test_taps_faster_than_the_network_are_neither_lost_nor_mistaken(
    tablet: Tablet, complaints: list[str]
) -> None:
    """Three seats and the button within a moment: what the button says is what is recorded."""
    page = tablet.page
    opened()
    page.goto(f"{AT}cut/")

    def late(route: Any) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    page.route("**/cut/?seats=*", late)
    page.evaluate("""() => {
      for (const seat of [7, 3, 1]) document.getElementById(`seat-${seat}`).click();
      document.querySelector('.primary').click();
    }""")
    expect(page.locator(".seat.occupied")).to_have_count(3)
    assert not Cut.objects.exists()  # the button had said: the fiscal cuts
    expect(page.locator(".primary")).to_contain_text("1")
    page.locator("details.more summary").last.click()
    page.fill("#id_passes", "4")
    page.locator("#seat-2").click()
    expect(page.locator(".seat.occupied")).to_have_count(4)
    expect(page.locator("#id_passes")).to_have_value("4")  # typed before, and still there
    tablet.tap(".primary", ".recorded")
    cut = Cut.objects.get()
    assert (cut.seat, cut.seats_occupied) == (1, [1, 2, 3, 7])
    assert complaints == []


@pytest.mark.check
def test_a_seat_declines_another_one_cuts_and_the_book_is_warned_for(
    tablet: Tablet, complaints: list[str]
) -> None:
    page = tablet.page
    opened()
    page.goto(f"{AT}cut/?seats=1+2+5")
    tablet.look()
    decline = page.locator("a.button[data-swap]").first
    tablet.tap(decline, ".seat.turn")
    expect(page.locator(".seat.turn")).to_contain_text("2")
    page.locator("summary").first.click()
    tablet.tap(page.locator(".small-seat").nth(4), ".primary")
    expect(page.locator(".primary")).to_contain_text("5")
    tablet.tap(".primary", "[name=despite-all]")
    expect(page.locator("main")).to_contain_text("8")
    assert not Cut.objects.exists()
    tablet.over_it(".recorded")
    cut = Cut.objects.get()
    assert (cut.seat, cut.due_seat, cut.offers) == (5, 1, [[1, False], [5, True]])
    assert complaints == []


def test_a_lost_connection_keeps_the_form_and_a_second_tap_records_once(
    tablet: Tablet, complaints: list[str]
) -> None:
    page = tablet.page
    opened()
    page.goto(f"{AT}cut/?seats=1+2+5")
    page.context.set_offline(True)
    page.locator(".primary").click()
    expect(page.locator("#lost")).to_be_visible()
    tablet.look("#lost")
    assert not Cut.objects.exists()
    expect(page.locator("[name=seats]")).to_have_value("1 2 5")
    page.context.set_offline(False)
    page.locator(".primary").dblclick()
    expect(page.locator(".recorded")).to_be_visible()
    assert Cut.objects.count() == 1
    page.go_back()
    expect(page.locator("main")).to_be_visible()
    assert Cut.objects.count() == 1
    assert complaints == []


@pytest.mark.check
def test_the_answer_gets_lost_and_the_tap_again_finds_it_recorded(tablet: Tablet) -> None:
    page = tablet.page
    opened()
    page.goto(f"{AT}cut/?seats=1+2+5")

    def swallow(route: Any) -> None:
        route.fetch()
        route.abort("connectionreset")

    page.route("**/cut/", swallow, times=1)
    page.locator(".primary").click()
    expect(page.locator("#lost")).to_be_visible()
    assert Cut.objects.count() == 1
    page.locator(".primary").click()
    expect(page.locator(".recorded")).to_be_visible()
    assert "again=1" in page.url
    assert Cut.objects.count() == 1


@pytest.mark.check
def test_a_session_that_ran_out_loses_nothing(tablet: Tablet, complaints: list[str]) -> None:
    page = tablet.page
    opened()
    page.goto(f"{AT}cut/?seats=1+2+5")
    Session.objects.all().delete()
    page.locator(".primary").click()
    expect(page.locator("#id_enter-secret")).to_be_visible()
    tablet.look()
    assert not Cut.objects.exists()
    page.fill("#id_enter-number", PIT.staff)
    page.fill("#id_enter-secret", SECRET)
    page.locator(".primary").click()
    expect(page.locator(".recorded")).to_be_visible()
    cut = Cut.objects.get()
    assert (cut.seats_occupied, cut.seat) == ([1, 2, 5], 1)
    # The browser itself tells of the answer that asked who it is.
    assert all("403" in one for one in complaints)


@pytest.mark.check
def test_somebody_else_has_cut_meanwhile(tablet: Tablet, complaints: list[str]) -> None:
    page = tablet.page
    opened()
    page.goto(f"{AT}cut/?seats=1+2+5")
    first = CutMade(
        **game(),
        shoe=1,
        after="start",
        seats_occupied=(1, 2),
        cut_by="seat",
        seat=1,
        offers=(CutOffer(seat=1, accepted=True),),
    )
    write(first, by=PIT, at=clock.now() - timedelta(seconds=5))
    tablet.tap(".primary", ".meanwhile")
    assert Cut.objects.count() == 1
    expect(page.locator(".meanwhile")).to_contain_text(PIT.staff)
    assert complaints == []


@pytest.mark.check
def test_every_page_works_without_script_and_on_a_phone(
    fresh_db: str, live_server: object, open_page: Open
) -> None:
    people()
    appoint("S-0021", "fiscal_chefe")  # whom the opening of the day before names
    house()
    yesterday()
    opened()
    prepared()
    phone = {"width": 360, "height": 740}
    hand = Tablet(open_page(AT, office="fiscal_de_banca", size=phone, script=False), scripted=False)
    hand.look()
    hand.tap("button[value=during_round]", ".recorded")
    assert LastRound.objects.count() == 1
    for address in ("/sala/", f"{AT}cut/?seats=1+2+5", f"{AT}exhibit/", "/sala/BJ-02/open/"):
        hand.page.goto(address)
        hand.look()
