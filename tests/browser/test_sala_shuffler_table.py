"""A whole evening at a table with a shuffler, on a tablet and by taps alone: opened, loaded before
a witness, rounds, a jam put right step by step, a damaged card, a complaint, an interruption,
emptied before a witness, put in order, counted, closed. Every tap is counted."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.events.partidas import PartidaClosed
from casino.events.round.round_played import Times
from casino.models import (
    Attestation,
    BookEntry,
    CartaAviso,
    Closing,
    Complaint,
    Incident,
    Partida,
    Replacement,
)
from tests.browser.authenticator import with_authenticator
from tests.browser.conftest import TABLET, Open
from tests.browser.looks import EVENINGS
from tests.browser.sala_hand import HEAD, Hand, everybody, notified
from tests.casino.sala_forms import address
from tests.factories.floor import MACHINE_TABLE, PIT, game, house, opening
from tests.factories.people import PASSWORD, write
from tests.factories.recorded import events_of
from tests.factories.rounds import a_round, box, main
from tests.factories.tables import MINUTE, a_load, a_table
from tests.gate import in_turn

pytestmark = [pytest.mark.needs_tool("chromium"), pytest.mark.usefixtures("fresh_db")]


@pytest.fixture
def cast(fresh_db: str, live_server: object) -> None:
    """Everybody of the floor."""
    everybody()


@pytest.fixture
def hand(cast: None, open_page: Open) -> Hand:
    """The fiscal de banca's tablet, at a table with a shuffler that is open."""
    a_table()
    return Hand(open_page(address("table"), office="fiscal_de_banca", size=TABLET, theme="dark"))


@pytest.fixture
def floor(cast: None, open_page: Open) -> Hand:
    """The same tablet before the table opens; the table was open the day before."""
    house()
    yesterday = replace(opening(MACHINE_TABLE, days_ago=1), fiscal_chefe=HEAD)
    write(yesterday, by=PIT, at=clock.now() - timedelta(days=1))
    over = PartidaClosed(**game(MACHINE_TABLE, days_ago=1), rounds=0, reason="end_of_day")
    write(over, by=PIT, at=clock.now() - timedelta(hours=20))
    return Hand(open_page("/sala/", office="fiscal_de_banca", size=TABLET, theme="dark"))


def rounds_come_in(first: int, count: int) -> None:
    """The engine tells of rounds whose cards went back into the machine."""
    for number in range(first, first + count):
        now = clock.now()
        times = Times(
            stakes_closed=now - timedelta(seconds=50),
            first_card=now - timedelta(seconds=45),
            paid=now - timedelta(seconds=20),
            collected=now - timedelta(seconds=15),
            inserted=now - timedelta(seconds=5),
        )
        played = a_round(
            box(2, "TS 8D", main(1000, 2000, seat=2)),
            bank="TH 7C",
            times=times,
            shoe=1,
            number=number,
            seats_occupied=(2, 5),
        )
        write(replace(played, round=str(uuid4()), **game(MACHINE_TABLE)), by=PIT, at=now)


# It did not end within minutes in two runs of everything, and does by itself: until that is found.
@pytest.mark.check
@in_turn("shuffler_table", EVENINGS)
def test_an_evening_at_a_shuffler_table(floor: Hand, complaints: list[str]) -> None:
    _opened_and_loaded(floor)
    rounds_come_in(1, 3)
    _a_jam(floor)
    _a_damaged_card(floor)
    rounds_come_in(4, 2)
    _a_complaint(floor)
    _an_interruption(floor)
    _the_closing(floor)
    assert complaints == []


def _opened_and_loaded(hand: Hand) -> None:
    hand.look("floor")
    hand.go("open", "open")
    hand.tap(".primary", ".deck", "exhibit")
    hand.tap(".all", ".primary[data-all]")
    hand.tap(".primary", ".next .primary", "shuffle")
    assert hand.counted() <= 4  # the exhibition included
    opened = Partida.objects.get(partida_id=game(MACHINE_TABLE)["partida"])
    assert (opened.dealing, opened.fiscal_chefe) == ("shuffler", HEAD)
    hand.tap(".next .primary", f"a.primary[href='{address('load', MACHINE_TABLE)}']", "to-load")
    assert hand.counted() == 1  # mixed by hand

    hand.go("load", "load")
    hand.choose("packets", "3")
    hand.tap(".foot .primary", "[name=secret]")
    assert hand.counted() == 3
    assert hand.confirmed("load") == 1  # and the digits
    assert Attestation.objects.get().witness == HEAD
    hand.tap(".foot .primary", ".next .primary", "to-burn")
    hand.tap(".next .primary", ".recorded", "playing")
    assert hand.counted() == 2  # a card is burnt with a shuffler too (10)
    assert not CartaAviso.objects.exists()


def _a_jam(hand: Hand) -> None:
    """Three taps from the table's page, then one for each of its moments."""
    hand.go("incident", "incident-kinds")
    hand.tap("a[href='?category=jam']", "button[name=reason]", "incident")
    hand.tap("button[name=reason][value=carta_presa]", ".course", "jam")
    assert hand.counted() == 3
    jam = Incident.objects.get()
    assert jam.level == "jam"
    for step in ("called", "arrived", "lid_opened", "lid_closed", "resolved"):
        _step(hand, step)
    assert hand.counted() == 5
    assert [one.by for one in events_of("incident-step/1")] == [PIT.staff, HEAD, HEAD, HEAD]
    lid = events_of("shuffler-opened/1")[0]
    assert (lid.opened_by, lid.incident, lid.despite) == (HEAD, jam.incident, ())
    hand.look("jam-solved")
    _settled(hand, jam.incident, "resolvido")


def _step(hand: Hand, step: str) -> None:
    """One tap; its moment stands where the button was."""
    hand.tap(f"button[name=step][value={step}]")
    expect(hand.page.locator(f"button[name=step][value={step}]")).to_have_count(0)
    hand.page.wait_for_load_state()


def _settled(hand: Hand, number: str, how: str) -> None:
    hand.go("incident_close", f"close-{how}", MACHINE_TABLE, number)
    hand.choose("reason", how)
    hand.tap(".foot .primary", ".recorded")
    assert hand.counted() == 3


def _a_damaged_card(hand: Hand) -> None:
    hand.go("incident", "incident-kinds-again")
    hand.tap("a[href='?category=damaged_card']", "button[name=reason]", "damaged")
    hand.tap("button[name=reason][value=rasgada]", ".course", "damaged-steps")
    assert hand.counted() == 3
    number = Incident.objects.latest("pk").incident
    entry = BookEntry.objects.filter(kind="incident-reported/1").latest("pk")
    hand.go("witness", "damaged-witness", entry.pk)
    hand.counted()
    assert hand.confirmed("damaged") == 1
    hand.tap(".foot .primary", ".course", "damaged-seen")
    _step(hand, "arrived")
    hand.go("incident_exchange", "exchange", MACHINE_TABLE, number)
    hand.counted()
    hand.choose("what", "card")
    hand.tap("label.card:has(input[value='8S'])")
    hand.tap("fieldset#id_deck label.choice")
    hand.tap(".foot .primary", ".course", "exchanged")
    assert hand.counted() == 4  # the card too is one tap
    card = Replacement.objects.get()
    assert (card.card, card.replaced_by) == ("8S", HEAD)
    notified(number)
    _settled(hand, number, "carta_substituida")


def _a_complaint(hand: Hand) -> None:
    """Four taps; the box's number, like every number, is a digit."""
    hand.page.reload()
    hand.look("rounds")
    hand.go("complaint", "complaint")
    hand.choose("subject", "payment")
    hand.choose("cards", "no")
    hand.tap("button.tile[name=round]", ".recorded", "after-the-complaint")
    assert hand.counted() == 4
    complaint = Complaint.objects.get()
    assert (complaint.subject, complaint.number) == (
        "payment",
        5,
    )  # the last round, by the same tap


def _an_interruption(hand: Hand) -> None:
    """Nothing a shuffler's table asks for; it happens, and the cards stay inside."""
    hand.tap("details.more summary")
    hand.go("interrupt", "interrupt")
    hand.choose("reason", "no_players")
    hand.tap("button[value=interrupt]", ".recorded", "interrupted")
    assert hand.counted() == 4
    hand.go("interrupt", "play-rests")
    hand.tap("button[value=resume]", ".recorded")
    assert hand.counted() == 2
    kinds = [events_of(kind) for kind in ("play-interrupted/1", "play-resumed/1", "cards-spread/1")]
    assert [len(listed) for listed in kinds] == [1, 1, 0]


def _the_closing(hand: Hand) -> None:
    """What is missing leads to where it is done, and back."""
    page = hand.page
    hand.go("close", "close-missing")
    hand.counted()
    hand.go("unload", "unload")
    expect(page.locator("[name=cards]")).to_have_value("")
    hand.choose("empty", "yes")
    hand.choose("closing_announced", "yes")
    page.locator("[name=cards]").fill("312")
    hand.tap(".foot .primary", "[name=secret]")
    assert hand.counted() == 4
    assert hand.confirmed("unload") == 1
    assert events_of("shuffler-unloaded/1")[0].despite == ()
    hand.tap(".foot .primary", ".check-list")
    hand.go("order", "order")
    hand.counted()
    hand.tap(".foot .primary", ".check-list", "ordered")
    assert hand.counted() == 1
    hand.go("chips", "chips")
    page.locator("[name=chips-500]").fill("40")
    page.locator("[name=chips-2500]").fill("16")
    hand.tap(".foot .primary", ".check-list", "close-list")
    value = events_of("chips-counted/1")[0]
    assert (value.pagador, value.second) == ("P-104", PIT.staff)
    hand.counted()
    hand.tap(".foot a.primary", ".attested", "close-confirm")
    expect(page.locator("[name=announced]")).not_to_have_value("")
    hand.tap(".foot .primary")
    page.wait_for_load_state()
    if page.locator("[name=over]").count():
        hand.look("close-warned")
        hand.over_it()
    expect(page.locator(".recorded")).to_be_visible()
    hand.look("closed")
    closing = Closing.objects.latest("pk")
    assert (closing.partida_id, closing.rounds) == (game(MACHINE_TABLE)["partida"], 5)
    assert hand.counted() <= 4


@pytest.mark.check
def test_the_fiscal_chefe_touches_his_passkey_on_the_operators_tablet(
    cast: None, open_page: Open, complaints: list[str]
) -> None:
    own = open_page("/admin/casino/passkey/own/", office="fiscal_chefe", size=TABLET)
    devtools, device = with_authenticator(own)
    own.locator("[name=password]").fill(PASSWORD)
    own.locator("form[data-passkey=create] .act").click()
    expect(own.locator(".passkey-row")).to_have_count(1)
    kept = devtools.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"][0]

    receipt = a_load(a_table(), ago=0 * MINUTE)
    page = open_page(address("witness", receipt.entry_id), office="fiscal_de_banca", size=TABLET)
    hand = Hand(page)
    tablet, key = with_authenticator(page)  # a key he carries and holds to the tablet
    tablet.send("WebAuthn.addCredential", {"authenticatorId": key, "credential": kept})
    page.locator("[name=staff]").fill(HEAD)
    page.locator("[name=secret]").fill("000000")
    hand.tap(".foot .primary", "#errors", "witness-refused")  # by the script: no page was loaded
    assert not Attestation.objects.exists()
    tablet.send("WebAuthn.setUserVerified", {"authenticatorId": key, "isUserVerified": False})
    hand.tap(".by-passkey button", "#passkey-said", "passkey-no-answer")
    assert not Attestation.objects.exists()
    tablet.send("WebAuthn.setUserVerified", {"authenticatorId": key, "isUserVerified": True})
    hand.tap(".by-passkey button", ".check-list", "passkey-confirmed")
    attestation = Attestation.objects.get()
    assert (attestation.witness, attestation.method) == (HEAD, "passkey")
    assert complaints == []


@pytest.mark.check
def test_one_packet_is_warned_of_and_a_refusal_keeps_what_was_tapped(
    hand: Hand, complaints: list[str]
) -> None:
    page = hand.page
    page.goto(address("load"))
    page.locator("[name=operator]").fill("P-333")
    hand.tap(".foot .primary", "#errors")
    expect(page.locator("#errors")).to_be_focused()
    expect(page.locator("[name=operator]")).to_have_value("P-333")
    hand.look("load-refused")
    hand.choose("packets", "1")
    hand.tap(".foot .primary", ".said.breach", "load-warned")
    expect(page.locator(".said.breach")).to_contain_text("54")
    hand.choose("despite-all", "equipment")
    hand.tap(".needs-choice .button", "[name=secret]")
    assert [(one.packets, one.operator) for one in events_of("shuffler-loaded/1")] == [(1, "P-333")]
    assert complaints == []


@pytest.mark.check
def test_what_was_recorded_wrongly_is_put_right_beside_the_original(
    hand: Hand, complaints: list[str]
) -> None:
    page = hand.page
    receipt = a_load(events_of("partida-opened/1")[0].partida, ago=MINUTE)
    page.goto(address("table"))
    hand.tap(f"a[href='{address('correct', receipt.entry_id)}']", ".values", "correct")
    hand.tap("a.value[href='?wrong=packets']", "[name=packets]", "correct-one")
    page.locator("[name=packets]").fill("4")
    hand.choose("correction_reason", "wrong-count")
    hand.tap(".foot .primary", ".compared", "correct-read")
    for reason in page.locator(".warned select").all():
        reason.select_option("it-happened-so")
    hand.tap(".foot button", ".foot a.primary", "correct-waits")
    assert [one.packets for one in events_of("shuffler-loaded/1")] == [3, 4]
    assert complaints == []
