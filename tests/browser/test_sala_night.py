"""One night at a table by taps, with what goes wrong in it: a finger that falls twice, a record of
what never happened, a quarrel that is photographed, a complaint and the round it is about, another
dealer, another fiscal de banca; to the closing's summary.

SALA_SHOTS names a folder into which every screen is photographed.
"""

from typing import Any, Final

import pytest
from playwright.sync_api import expect

from casino.events.staff import OfficeGranted, StaffRegistered
from casino.models import (
    Account,
    BookEntry,
    Closing,
    Complaint,
    ComplaintDecision,
    Correction,
    Cut,
    FootageHold,
    Incident,
)
from casino.recording import Actor
from casino.recording.attaching import digests_in
from casino.witnessing import set_pin
from tests.browser.conftest import TABLET, Open
from tests.browser.looks import awake
from tests.browser.photographs_taken import place, taken
from tests.browser.tablet import AT, SECRET, Tablet
from tests.factories.findings import PEOPLE, people
from tests.factories.floor import SHOE_TABLE, ago, house, played, yesterday
from tests.factories.people import write
from tests.factories.recorded import events_of, last_entry, the_event

pytestmark = [
    pytest.mark.check,
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
]
PIT, HEAD = PEOPLE["fiscal_de_banca"], PEOPLE["fiscal_chefe"]
LATE, DEALER = "S-0190", "P-118"  # who take over
PIN: Final = "482915"
ADMIN: Final = Actor("S-0001", "administrador", "local")
CAST: Final = (
    ("P-104", "pagador", "Carla Simões Paiva"),
    (DEALER, "pagador", "Filipe Azenha Cruz"),
    (PIT, "fiscal_de_banca", "Rui Salvado Peres"),
    (LATE, "fiscal_de_banca", "Tomás Figueira Leal"),
    ("S-0021", "fiscal_chefe", "Inês Madureira Prata"),
    (HEAD, "fiscal_chefe", "Helena Brito Vaz"),
)


@pytest.fixture
def floor(fresh_db: str, live_server: object, settings: Any) -> None:
    """A table that was open the night before; buttons rest for a second, as in a casino."""
    settings.SHIELD_SECONDS = 1.0
    settings.TODO_PATIENCE = 0
    people()
    house()
    for number, office, name in CAST:
        write(StaffRegistered(staff=number, name=name), by=ADMIN, at=ago(60_000))
        granted = OfficeGranted(  # type: ignore[arg-type]
            staff=number, office=office, valid_from=ago(60_000), granted_by="S-1"
        )
        write(granted, by=ADMIN, at=ago(60_000))
    yesterday()
    Account.objects.create_user(LATE, SECRET, language="pt-pt")
    set_pin(Account.objects.get(staff=HEAD), PIN)


def test_a_night_by_taps(floor: None, open_page: Open, complaints: list[str]) -> None:
    page = open_page("/sala/", office="fiscal_de_banca", size=TABLET, touch=True)
    hand = Tablet(page, name="night")
    hand.look(".floor")
    _on_duty(hand)
    _opened(hand)
    _a_shoe(hand)
    _a_finger_that_falls_twice(hand)
    _what_never_happened(hand)
    _a_photograph(hand)
    _a_complaint(hand)
    _another_dealer(hand)
    _another_fiscal(hand)
    manager = open_page("/sala/", office="chefia_da_sala", size=TABLET, touch=True)
    _decided(Tablet(manager, name="night-manager"))
    _closed(hand)
    assert complaints == []


def _on_duty(hand: Tablet) -> None:
    hand.tap("a[href='/sala/duty/']", "#id_tables")
    hand.tap(f"button[name=one][value='{SHOE_TABLE}']", ".recorded")
    assert hand.counted() == 2
    begun = the_event("duty-begun/1")
    assert (begun.staff, begun.tables) == (PIT, (SHOE_TABLE,))


def _opened(hand: Tablet) -> None:
    hand.page.goto("/sala/")
    hand.tap(f"a[href='{AT}open/']", "#id_minimum")
    hand.tap(".primary", ".deck")
    hand.tap(".all", ".primary[data-all]")
    hand.tap(".primary", ".seats")
    assert hand.counted() == 4
    assert len(events_of("deck-inspected/1")) == 6


def _a_shoe(hand: Tablet) -> None:
    """Who sits there is filled in; then shuffle and cut, warning card and burnt card."""
    for seat in (2, 5):
        hand.page.locator(f"#seat-{seat}").click()
    expect(hand.page.locator(".seat.occupied")).to_have_count(2)
    hand.tap(".primary", "a[href*=from_end]")
    hand.tap(".primary", "button[value=during_round]")
    assert hand.counted() == 2
    assert Cut.objects.get().seat == 2
    played(1, 1, minutes=0)


def _a_finger_that_falls_twice(hand: Tablet) -> None:
    """On the button that stops play: it stops once, and does not go on by itself."""
    hand.tap(f"a[href='{AT}interrupt/']", "button[value=interrupt]")
    hand.page.locator("label.choice:has(input[value=no_players])").click()
    awake(hand.page)
    box = hand.page.locator("button[value=interrupt]").bounding_box()
    assert box is not None
    before = BookEntry.objects.count()
    for _ in range(2):
        hand.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    hand.look(".recorded")
    awake(hand.page)
    assert BookEntry.objects.count() == before + 1
    assert len(events_of("play-interrupted/1")) == 1
    assert events_of("play-resumed/1") == []
    hand.counted()


def _what_never_happened(hand: Tablet) -> None:
    """It is withdrawn with the code of a second person, and stays there struck out."""
    hand.tap(".recorded a[href$='/withdraw/']", "form.act-form")
    hand.page.locator("label.choice:has(input[value=tapped_by_mistake])").click()
    hand.tap(".foot .primary", "#id_secret")
    assert hand.counted() == 2  # and one for the reason
    hand.page.fill("#id_staff", HEAD)
    hand.page.fill("#id_secret", PIN)
    hand.tap("button[value=approved]", ".said.kept")
    assert (Correction.objects.get().staff, Correction.objects.get().decision) == (HEAD, "approved")
    hand.tap(".foot .primary", ".lately")
    expect(hand.page.locator(".lately s").first).to_be_visible()
    expect(hand.page.locator("main")).not_to_contain_text("jogo está interrompido")
    hand.counted()


def _a_photograph(hand: Tablet) -> None:
    """What happened is photographed; the record shows it, and the incident is over."""
    hand.page.goto(AT)
    hand.tap(f"a[href='{AT}incident/']", "a[href='?category=conduct']")
    hand.tap("a[href='?category=conduct']", "button[name=reason]")
    place(hand.page).set_input_files(taken(hand.page))
    expect(hand.page.locator(".photograph canvas")).to_have_count(1)
    hand.tap("button[name=reason]", ".course")
    assert hand.counted() == 3
    entry = last_entry("incident-reported/1")
    assert len(digests_in(entry)) == 1
    hand.tap(f"a[href='/sala/entry/{entry.pk}/']", ".picture img")
    hand.page.goto(f"{AT}incident/{Incident.objects.get().incident}/close/")
    hand.page.locator("label.choice:has(input[name=reason])").first.click()
    hand.tap(".foot .primary", ".recorded")
    hand.counted()


def _a_complaint(hand: Tablet) -> None:
    hand.tap(f"a[href='{AT}complaint/']", "[name=subject]")
    hand.tap("label.choice:has([name=subject][value=payment])")
    hand.tap("button.tile[name=round]", ".recorded")
    assert hand.counted() <= 4
    assert Complaint.objects.get().subject == "payment"


def _another_dealer(hand: Tablet) -> None:
    hand.page.goto(AT)
    hand.tap(f"a[href='{AT}dealer/']", f"button[value='{DEALER}']")
    hand.tap(f"button[value='{DEALER}']", ".recorded")
    assert hand.counted() == 2
    value = the_event("dealer-took-table/1")
    assert (value.pagador, value.relieves) == (DEALER, "P-104")


def _another_fiscal(hand: Tablet) -> None:
    """Two taps hand the table over; then the tablet is changed to who answers for it now."""
    hand.page.goto(AT)
    hand.tap(f"a[href='{AT}hand-over/']", f"button[value='{LATE}']")
    hand.tap(f"button[value='{LATE}']", ".recorded")
    assert hand.counted() == 2
    assert the_event("table-handed-over/1").fiscal_de_banca == LATE
    hand.tap(".change-person", "#id_enter-number")
    hand.page.fill("#id_enter-number", LATE)
    hand.page.fill("#id_enter-secret", SECRET)
    hand.tap("form.entrance:not(.change) button", ".bar .me")
    expect(hand.page.locator(".bar .me")).to_contain_text("Tomás Figueira Leal")
    hand.counted()


def _decided(hand: Tablet) -> None:
    """Read and decided on the manager's tablet, with the recordings kept from there."""
    number = Complaint.objects.get().complaint
    hand.tap("#todo", ".check-list.duties")
    hand.tap(f".duties a[href*='{number}']", ".told")
    hand.tap("a[href$='/hold/']", "#id_reason")
    hand.tap(".foot .primary", ".recorded")
    assert FootageHold.objects.get().complaint == number
    _disputed(hand)
    hand.tap("a.primary[href$='/decide/']", "#id_outcome")
    for name, value in (
        ("outcome", "upheld"),
        ("reason", "payment-corrected"),
        ("informed", "yes"),
    ):
        hand.page.locator(f"label.choice:has(input[name={name}][value={value}])").click()
    hand.page.fill("#id_paid_cents", "12,50")
    hand.tap(".foot .primary", ".recorded")
    assert ComplaintDecision.objects.get().paid_cents == 1250
    hand.tap("a[href$='/slip/']", ".paper")


def _disputed(hand: Tablet) -> None:
    """The round of the complaint, hand by hand as the law pays it; looked at, nothing recorded."""
    read, before = hand.page.url, BookEntry.objects.count()
    hand.tap("a.button[href*='/round/']", ".hands .due strong")
    hand.tap("#see", ".steps-listed")
    expect(hand.page.locator(".act-form")).to_have_count(0)  # its round is in the book already
    assert BookEntry.objects.count() == before
    hand.page.goto(read)


def _closed(hand: Tablet) -> None:
    """What is missing is listed first; the night's summary comes last."""
    hand.page.goto(AT)
    hand.tap(f"a[href='{AT}close/']", ".check-list")
    hand.tap(".foot .primary", ".will-find, .attested")
    hand.tap("button[name=attest][value=all]", ".paper, .needs-choice")
    if hand.page.locator(".needs-choice").count():
        hand.over_it(".paper")
    assert Closing.objects.get(partida_id=the_event("table-handed-over/1").partida).rounds == 1
    for person in (PIT, LATE):
        expect(hand.page.locator(".paper")).to_contain_text(person)
    hand.page.goto("/sala/todo/")
    hand.look(".duties .missing")
    expect(hand.page.locator(".duties .missing")).to_have_count(2)  # decks and chips, now his
