"""A pool's evening on a tablet, by taps alone: chips collected round after round, a small prize won
and paid before a witness, then everything left shared by two, and the meter started again."""

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.models import Attestation, BookEntry
from jackpot.events import JackpotStarted
from jackpot.models import JackpotIncrement
from tests.browser.conftest import TABLET, Open
from tests.browser.looks import EVENINGS
from tests.browser.sala_hand import HEAD, Hand, everybody
from tests.factories.floor import SHOE_TABLE
from tests.factories.people import write
from tests.factories.pools import ACE_JACK, POOL, SEVENS, START_CENTS, TOP
from tests.factories.recorded import events_of
from tests.gate import in_turn
from tests.jackpot.sala_pools import (
    MANAGER,
    a_pool,
    a_win,
    at_box,
    collect_at,
    hit_at,
    paid,
    payments,
    played,
    running,
    wins,
    won_at,
)

pytestmark = [pytest.mark.needs_tool("chromium"), pytest.mark.usefixtures("fresh_db")]
AT = f"/sala/{SHOE_TABLE}/"
CHIP = 250 * 25_000  # microcents


@pytest.fixture
def table(fresh_db: str, live_server: object) -> None:
    """A shoe table in play, whose partida feeds a pool with terms in force."""
    everybody()
    a_pool()
    played(1, at_box(2, "J2"), at_box(5, "J5"), at_box(6, "J6"), seats_occupied=(2, 5, 6))


def a_tablet(open_page: Open, address: str = AT, *, script: bool = True) -> Hand:
    page = open_page(address, office="fiscal_de_banca", size=TABLET, theme="dark", script=script)
    return Hand(page, script=script)


def choose(hand: Hand, name: str, value: str) -> None:
    """One tap on a tile with a box to tick."""
    hand.tap(f"label.choice:has(input[name={name}][value='{value}'])")


@in_turn("jackpot", EVENINGS)
def test_an_evening_with_a_pool(table: None, open_page: Open, complaints: list[str]) -> None:
    hand = a_tablet(open_page)
    hand.look("table")
    _chips(hand)
    _a_small_prize(hand)
    _everything_left(hand)
    assert complaints == []


def _chips(hand: Hand) -> None:
    """One tap a seat, and two more; from the second round on, one more."""
    hand.tap(f"a[href='{collect_at()}']", "h1", "collect")
    page = hand.page
    expect(page.locator("input[name=seats]:checked")).to_have_count(0)
    for seats, more in (((2, 5, 6), 2), ((2, 6), 1)):
        for seat in seats:
            choose(hand, "seats", str(seat))
        sums = page.locator(".sums li:visible")
        expect(sums).to_have_count(1)
        expect(sums).to_have_attribute("data-n", str(len(seats)))
        expect(page.locator(".foot .primary")).to_contain_text(str(len(seats)))
        hand.look(f"chips-of-{len(seats)}")
        hand.tap(".foot .primary", ".recorded", "collected")
        assert hand.counted() - len(seats) <= more
    assert running() == START_CENTS * 1_000_000 + 5 * CHIP
    listed = [(one.shoe, one.number, one.chips) for one in JackpotIncrement.objects.order_by("n")]
    assert listed == [(1, 2, 3), (1, 3, 2)]
    choose(hand, "seats", "5")
    hand.tap("details.more:not(.not-so) summary")
    choose(hand, "seconds", "5")
    hand.tap(".foot .primary", ".said.breach, .said.warning", "second-chip")
    hand.tap("main button[name=go_back]", "[name=seats]:checked")
    assert JackpotIncrement.objects.count() == 2
    _it_was_not_so(hand)
    hand.tap(".bar .back", ".table-head")
    hand.counted()


def _it_was_not_so(hand: Hand) -> None:
    """Who says so ticks what was so, and finds no button that says all of it."""
    hand.page.goto(collect_at())
    choose(hand, "seats", "2")
    hand.tap("details.not-so summary", "label.choice:has([name=marked])", "not-so")
    expect(hand.page.locator(".foot .primary")).to_be_hidden()
    choose(hand, "closing_called", "on")
    choose(hand, "collected_before_deal", "on")
    hand.tap(".not-so button", ".said.breach, .said.warning", "unmarked")
    hand.tap("main button[name=go_back]", "[name=seats]:checked")
    assert JackpotIncrement.objects.count() == 2


def _a_small_prize(hand: Hand) -> None:
    """Four taps and the witness."""
    hand.tap(f"a[href='{won_at()}']", "h1", "won")
    choose(hand, "won", f"2/{ACE_JACK}")
    hand.tap(".foot .primary", ".payments", "to-be-paid")
    hand.tap(".foot .primary", "[name=secret]")
    assert hand.counted() <= 4
    assert hand.confirmed("paid") == 1
    assert [one.paid_cents for one in payments()] == [5_000]
    assert Attestation.objects.get().witness == HEAD
    hand.tap(".foot .primary", ".payments li.kept", "all-paid")
    hand.tap(".foot .primary", ".table-head")
    hand.counted()


def _everything_left(hand: Hand) -> None:
    """Two of the highest combination share what is left; each payment is read again."""
    page = hand.page
    played(4, at_box(2, "J2"), at_box(5, "J5"), seats_occupied=(2, 5))
    hand.tap(f"a[href='{won_at()}']", "h1")
    _whose_chips(hand)
    choose(hand, "won", f"5/{TOP}")
    choose(hand, "won", f"6/{TOP}")
    hand.tap("label.choice:has(input[name=which][value='1/5'])")
    hand.tap(".foot .primary", ".payments", "shared")
    assert len(wins()) == 2
    hand.tap(".bar .back", ".alert.warning", "prize-waits")
    hand.tap(f".alert a[href='{hit_at(wins()[1].n)}']", ".payments")
    hand.counted()
    for turn in ("first", "second"):
        hand.choose("means", "cheque")
        page.fill("#id_document", f"REC-{turn}")
        page.fill("#id_name", "Ana Prudêncio da Conceição")
        page.fill("#id_identification", "CC 01234567 8 ZX4")
        hand.tap(".foot .primary", ".answers", f"check-{turn}")
        hand.tap(".foot .primary", "[name=secret]")
        assert hand.counted() == 3
        hand.confirmed(turn)
        hand.tap(".foot .primary", ".payments", f"after-{turn}")
        hand.counted()
    assert sorted(one.paid_cents for one in payments())[1:] == [1_247_515, 1_247_516]
    expect(page.locator("section.said.warning")).to_contain_text("44")
    again = JackpotStarted(
        jackpot=POOL, start_cents=START_CENTS, reason="after_full_payout", hit=the_hit()
    )
    write(again, by=MANAGER, at=clock.now() - timedelta(seconds=1))
    page.reload()
    expect(page.locator("section.said.kept")).to_be_visible()
    hand.look("started-again")


def _whose_chips(hand: Hand) -> None:
    """The tiles tell of the round that is ticked, and of one nobody collected for."""
    page = hand.page
    uncollected = page.locator("p.of-round:visible")
    expect(uncollected).to_contain_text("4")
    hand.look("no-collection-yet")
    hand.choose("which", "1/3")
    expect(uncollected).to_have_count(0)
    for seat, style in (("5", "dashed"), ("6", "solid")):
        tile = page.locator(f"label.choice:has([value='{seat}/{TOP}'])")
        expect(tile).to_contain_text(f"J{seat}")
        expect(tile.locator(".of-round:visible")).to_have_count(1)
        expect(tile).to_have_css("border-top-style", style)
    hand.look("chips-of-a-round")


def the_hit() -> Any:
    """The win recorded last, as a start names it."""
    return events_of("jackpot-paid/1")[-1].hit


@pytest.mark.check
def test_without_script_it_is_the_same(table: None, open_page: Open) -> None:
    hand = a_tablet(open_page, collect_at(), script=False)
    hand.look("collect-without-script")
    choose(hand, "seats", "2")
    hand.tap(".foot .primary", ".recorded", "collected-without-script")
    hand.page.goto(won_at())
    choose(hand, "won", f"2/{TOP}")
    hand.tap(".foot .primary", ".payments", "won-without-script")
    hand.choose("means", "cheque")
    hand.tap(".foot .primary", ".answers", "check-without-script")
    hand.tap(".foot .primary", "[name=secret]")
    assert [one.paid_cents for one in payments()] == [START_CENTS + 6]


@pytest.mark.check
def test_what_is_refused_is_said_where_it_is(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    hand = a_tablet(open_page, collect_at())
    hand.tap(".foot .primary", "#errors", "no-seat")
    expect(hand.page.locator("#errors")).to_be_focused()
    hand.page.goto(won_at())
    choose(hand, "won", f"2/{TOP}")
    choose(hand, "won", f"2/{ACE_JACK}")
    hand.tap(".foot .primary", "#errors", "seat-twice")
    assert BookEntry.objects.filter(kind="jackpot-won/1").count() == 0
    assert complaints == []


@pytest.mark.check
def test_what_was_missing_of_a_prize_is_paid_by_taps(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    """Three taps and the witness: it is named at the table, read again, confirmed, witnessed."""
    hit = a_win((2, ACE_JACK), (5, SEVENS))
    paid(hit, 2, 3_000)
    hand = a_tablet(open_page)
    hand.look("paid-short-at-the-table")
    hand.tap(f".alert a[href='{hit_at(hit.n)}'] >> nth=0", ".payments", "paid-short")
    expect(hand.page.locator(".payments li.waits")).to_have_count(2)
    hand.tap(".foot .primary", ".answers", "rest-check")
    hand.tap(".foot .primary", "[name=secret]")
    assert hand.counted() == 3
    assert hand.confirmed("rest") == 1
    hand.tap(".foot .primary", ".payments li.kept", "rest-paid")
    assert [one.paid_cents for one in payments()] == [3_000, 2_000]
    paid(hit, 5, 249_999, SEVENS)
    hand.page.goto(f"{AT}close/")
    hand.look("paid-short-at-the-closing")
    expect(hand.page.locator(".check-list .missing").first).to_contain_text("JP-1, lugar 5: 0,01")
    expect(hand.page.locator(".check-list .reminded")).to_have_count(1)
    assert complaints == []
