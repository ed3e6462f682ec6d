"""A torn card, and its whole deck exchanged by the tablet's own pages alone: nothing is found.

And where play goes on with the deck that was withdrawn, the tablet says so and the law finds it.

Law: PT art. 5, 51, 54.
"""

from typing import Any

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.events.round.round_played import Times
from casino.extensions import partida_judges
from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry, Incident
from casino.queries import dossier_of
from tests.browser.conftest import TABLET, Open
from tests.browser.sala_hand import Hand, everybody, notified
from tests.casino.sala_forms import address
from tests.factories.floor import (
    DECKS,
    MACHINE_TABLE,
    PIT,
    SHOE_TABLE,
    game,
    house,
    opened,
    played,
    prepared,
    shuffled,
)
from tests.factories.people import appoint
from tests.factories.recorded import events_of

pytestmark = [pytest.mark.needs_tool("chromium"), pytest.mark.usefixtures("fresh_db")]
GONE, COMES = DECKS[2], "D-0301"
LEFT = tuple(deck for deck in DECKS if deck != GONE)


@pytest.fixture
def cast(fresh_db: str, live_server: object) -> None:
    """The house and everybody of the floor."""
    house()
    everybody()
    appoint(PIT.staff, "fiscal_de_banca")  # before his game, not when he logs in


def tablet(open_page: Open, table: str) -> Hand:
    """The fiscal de banca's tablet, at that table."""
    page = open_page(address("table", table), office="fiscal_de_banca", size=TABLET, theme="dark")
    return Hand(page)


def found(table: str) -> list[tuple[str, str]]:
    """What the law finds in the game as it stands: check and severity."""
    dossier = dossier_of(game(table)["partida"], as_of=clock.now())
    judges = partida_judges()
    listed: list[Any] = [one for judge in judges for one in judge(dossier, load_law("pt")).findings]
    return [(one.check, one.severity) for one in listed]


def dealt(shoe: int, number: int, table: str) -> None:
    """The engine tells of a round that was dealt just now."""
    now = clock.now()
    times = Times(stakes_closed=now, first_card=now)
    played(shoe, number, table=table, minutes=0, times=times)


def torn(hand: Hand, table: str) -> str:
    """Three taps; the incident's number."""
    hand.counted()
    hand.go("incident", "incident", table)
    hand.tap("a[href='?category=damaged_card']", "button[name=reason]")
    hand.tap("button[name=reason][value=rasgada]", ".course", "damaged")
    assert hand.counted() == 3
    return str(Incident.objects.get().incident)


def exchanged(hand: Hand, table: str, number: str) -> None:
    """The whole deck leaves, another comes in and is shown: three taps there, two for the cards."""
    hand.go("incident_exchange", "exchange", table, number)
    hand.choose("deck", GONE)
    hand.page.locator("[name=comes_in]").fill(COMES)
    hand.tap(".foot .primary", "fieldset.deck", "comes-in")
    expect(hand.page.locator("fieldset.deck")).to_have_count(1)
    assert hand.counted() == 3
    hand.tap(".all", ".primary[data-all]")
    hand.tap(".primary", ".recorded", "came-in")
    assert hand.counted() == 2


def closed(hand: Hand, table: str, number: str) -> None:
    """The incident is over."""
    hand.page.goto(address("incident_close", table, number))
    hand.choose("reason", "carta_substituida")
    hand.tap(".foot .primary", ".recorded", "closed-incident")


@pytest.mark.check
def test_article_5_a_deck_exchanged_at_a_shoe_table_by_taps_is_lawful(
    cast: None, open_page: Open, complaints: list[str]
) -> None:
    opened()
    prepared()
    played(1, 1, minutes=20)
    hand = tablet(open_page, SHOE_TABLE)
    number = torn(hand, SHOE_TABLE)
    exchanged(hand, SHOE_TABLE, number)
    expect(hand.page.locator(".alert.breach")).to_contain_text(GONE)  # the shoe is over
    hand.tap(".next .primary", "a[href*=from_end]", "shuffled-without-it")
    hand.tap(".primary", "button[value=during_round]", "next-shoe")
    assert hand.counted() == 2
    expect(hand.page.locator(".alert.breach")).to_have_count(0)
    shuffle = events_of("cards-shuffled/1")[-1]
    assert (shuffle.shoe, {one.deck for one in shuffle.decks}) == (2, {*LEFT, COMES})
    dealt(2, 1, SHOE_TABLE)
    closed(hand, SHOE_TABLE, number)
    assert found(SHOE_TABLE) == []
    assert complaints == []


@pytest.mark.check
def test_article_5_a_round_from_the_shoe_the_deck_left_is_found(
    cast: None, open_page: Open
) -> None:
    opened()
    prepared()
    played(1, 1, minutes=20)
    hand = tablet(open_page, SHOE_TABLE)
    exchanged(hand, SHOE_TABLE, torn(hand, SHOE_TABLE))
    dealt(1, 2, SHOE_TABLE)
    assert ("withdrawn_deck_not_used", "breach") in found(SHOE_TABLE)


@pytest.mark.check
def test_articles_5_and_51_a_deck_exchanged_at_a_shuffler_by_taps_is_lawful(
    cast: None, open_page: Open, complaints: list[str]
) -> None:
    opened(MACHINE_TABLE)
    shuffled(table=MACHINE_TABLE)
    hand = tablet(open_page, MACHINE_TABLE)
    _loaded(hand)
    number = torn(hand, MACHINE_TABLE)
    entry = BookEntry.objects.filter(kind="incident-reported/1").latest("pk")
    hand.go("witness", "damaged-witness", entry.pk)
    hand.confirmed("damaged")
    hand.tap(".foot .primary", ".course", "damaged-seen")
    for step in ("called", "arrived", "lid_opened"):
        hand.tap(f"button[name=step][value={step}]")
        expect(hand.page.locator(f"button[name=step][value={step}]")).to_have_count(0)
    hand.tap(f"a[href='{address('unload', MACHINE_TABLE)}?reason=damaged_card']", "[name=cards]")
    hand.choose("empty", "yes")
    hand.page.locator("[name=cards]").fill("312")
    hand.tap(".foot .primary", ".recorded", "emptied")
    hand.page.goto(address("incident_steps", MACHINE_TABLE, number))
    hand.counted()
    exchanged(hand, MACHINE_TABLE, number)
    hand.tap(".next .primary", f"a.primary[href='{address('load', MACHINE_TABLE)}']", "by-hand")
    _loaded(hand, again=True)
    load = events_of("shuffler-loaded/1")[-1]
    assert set(load.decks) == {*LEFT, COMES}
    dealt(2, 1, MACHINE_TABLE)
    hand.page.goto(address("incident_steps", MACHINE_TABLE, number))
    hand.tap("button[name=step][value=resolved]")
    expect(hand.page.locator("button[name=step][value=resolved]")).to_have_count(0)
    notified(number)
    closed(hand, MACHINE_TABLE, number)
    # A second load is recorded, as a note (51 with 54); nothing is a breach and nothing a warning.
    assert found(MACHINE_TABLE) == [("shuffler_reloaded_after_opening", "note")]
    assert complaints == []


def _loaded(hand: Hand, *, again: bool = False) -> None:
    """In three packets, before the fiscal-chefe; a card is burnt."""
    hand.go("load", "load")
    hand.choose("packets", "3")
    hand.tap(".foot .primary", ".needs-choice" if again else "[name=secret]")
    if again:
        hand.over_it("[name=secret]")
    hand.confirmed("load")
    hand.tap(".foot .primary", ".next .primary", "to-burn")
    hand.tap(".next .primary", ".recorded", "burnt")
