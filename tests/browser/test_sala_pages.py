"""The floor's other pages on a tablet: a busy floor, a refusal, another person, no connection."""

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from casino.events.complaints import ComplaintReceived
from casino.events.floor_life import RoundsDeferred
from casino.events.shufflers import ShufflerLoaded
from casino.models import Account, BookEntry, Cut
from tests.browser.conftest import TABLET, Open
from tests.browser.tablet import AT, SECRET, Tablet
from tests.casino.floor_watch import asked_instead
from tests.factories.findings import PEOPLE, people
from tests.factories.floor import (
    DECKS,
    MACHINE_TABLE,
    PIT,
    SHOE_TABLE,
    ago,
    game,
    house,
    opened,
    played,
    prepared,
    register,
    shuffled,
    yesterday,
)
from tests.factories.people import appoint, write
from tests.factories.usual_events import MACHINE

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]


@pytest.fixture
def floor(fresh_db: str, live_server: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five tables: two with alerts, one playing, two closed."""
    asked_instead(monkeypatch)
    people()
    appoint("S-0021", "fiscal_chefe")  # every game names him
    house()
    for number in range(3, 6):
        register(f"BJ-0{number}")
    for table in (SHOE_TABLE, MACHINE_TABLE):
        yesterday(table)
    yesterday("BJ-04", decks=tuple(f"D-04{n:02}" for n in range(1, 7)), pagador="P-108")
    opened()
    prepared()
    opened("BJ-03", shown=False)


def loaded() -> None:
    """The shuffler's table plays, and a player complained of its last round."""
    opened(MACHINE_TABLE)
    shuffled(1, MACHINE_TABLE)
    load = ShufflerLoaded(
        **game(MACHINE_TABLE), shuffler=MACHINE, decks=DECKS, packets=3, operator="P-104"
    )
    write(load, by=PIT, at=ago(30))
    first = played(1, 1, table=MACHINE_TABLE, minutes=20)
    second = played(1, 2, table=MACHINE_TABLE, minutes=12)
    waits = RoundsDeferred(**game(MACHINE_TABLE), rounds=(second.round,), reason="jam")
    write(waits, by=PIT, at=ago(11))
    received = ComplaintReceived(
        **game(MACHINE_TABLE),
        complaint="RC-7",
        subject="payment",
        round=first.round,
        received_at=ago(15),
    )
    write(received, by=PIT, at=ago(15))


def test_on_a_telephone_no_figure_of_the_closing_lies_over_another(
    floor: None, open_page: Open
) -> None:
    size = {"width": 390, "height": 780}
    page = open_page(f"{AT}close/?confirm=1", office="fiscal_de_banca", size=size)
    figures = page.locator(".facts > div")
    expect(figures).to_have_count(3)
    wide = figures.evaluate_all(
        "all => all.filter(one => one.querySelector('dd').scrollWidth > one.clientWidth).length"
    )
    assert wide == 0


def a_tablet(open_page: Open, address: str, office: str = "fiscal_de_banca") -> Tablet:
    hand = Tablet(open_page(address, office=office, size=TABLET))
    hand.look()
    return hand


def test_a_busy_floor_and_a_table_in_dispute(
    floor: None, open_page: Open, complaints: list[str]
) -> None:
    loaded()
    hand = a_tablet(open_page, "/sala/")
    expect(hand.page.locator("li.breach")).to_contain_text(MACHINE_TABLE)
    hand.tap("a[href='/sala/?mine=1']", ".floor")
    hand.tap(f"a[href='/sala/{MACHINE_TABLE}/']", ".watched .breach")
    expect(hand.page.locator(".watched .breach")).to_contain_text("RC-7")
    expect(hand.page.locator(".watched .kept")).to_have_count(1)
    hand.tap("details.more summary")
    hand.page.goto("/sala/open/")
    hand.look()
    hand.tap("label.choice:has([value='BJ-04'])")
    expect(hand.page.locator(".primary")).to_contain_text("1")
    hand.tap(".primary", ".recorded")
    assert BookEntry.objects.filter(partida_id=game("BJ-04")["partida"]).count() == 1
    assert complaints == []


@pytest.mark.check
def test_another_person_is_told_who_he_is(floor: None, open_page: Open) -> None:
    hand = a_tablet(open_page, f"{AT}cut/?seats=1+2&shoe=2&cut=2")
    account = Account.objects.get(staff=PEOPLE["fiscal_chefe"])
    account.set_password(SECRET)
    account.save()
    Session.objects.all().delete()
    hand.tap(".primary", "#id_enter-secret")
    page = hand.page
    page.fill("#id_enter-number", PEOPLE["fiscal_chefe"])
    page.fill("#id_enter-secret", "no password")
    hand.tap(".primary", "#errors")
    page.fill("#id_enter-secret", SECRET)
    hand.tap(".primary", ".said.note")
    expect(page.locator(".said.note")).to_contain_text(PEOPLE["fiscal_chefe"])
    assert not Cut.objects.filter(shoe=2).exists()
    if hand.page.locator(".needs-choice").count():
        hand.over_it(".recorded")
    else:
        hand.tap(".foot .primary", ".recorded")
    assert Cut.objects.filter(shoe=2).count() == 1


@pytest.mark.check
def test_refusals_and_tables_that_are_open_already_are_said_in_words(
    floor: None, open_page: Open
) -> None:
    hand = a_tablet(open_page, "/sala/BJ-04/open/")
    hand.page.fill("#id_minimum", "ten")
    hand.tap(hand.page.locator("details[data-typed] > summary"))
    hand.page.fill("#id_decks", "")
    hand.tap(".primary", "#errors")
    expect(hand.page.locator("#errors")).to_be_focused()
    expect(hand.page.locator("#errors a")).to_have_count(2)
    hand.tap("#errors a", "#id_minimum")
    hand.page.fill("#id_minimum", "10")
    hand.page.fill("#id_decks", "D-1 D-2 D-3 D-4")
    opened("BJ-04", shown=False)
    hand.tap(".primary", "a.primary[href='/sala/BJ-04/']")
    hand.page.goto("/sala/BJ-05/cut/")
    hand.look()
    hand.page.goto("/sala/BJ-01/reopen/")
    hand.look()


def test_an_inspector_reads_a_table_and_finds_no_button(
    floor: None, open_page: Open, complaints: list[str]
) -> None:
    hand = a_tablet(open_page, "/sala/", office="inspetor")
    hand.tap(f"a[href='{AT}']", ".lately")
    expect(hand.page.locator("main .primary, main .act-form")).to_have_count(0)
    assert complaints == []
