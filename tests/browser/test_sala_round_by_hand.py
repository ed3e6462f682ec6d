"""A round by hand on a tablet: taps counted, every screen looked at, and no tap lost.

SALA_SHOTS names a folder into which every screen is photographed.
"""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from casino.events.deck_life import DeckWithdrawn
from casino.models import BookEntry
from tests.browser.conftest import TABLET, Open
from tests.browser.tablet import AT, Tablet
from tests.factories.findings import people
from tests.factories.floor import DECKS, PIT, ago, game, house, opened, prepared
from tests.factories.people import appoint, write
from tests.factories.recorded import entries, events_of
from tests.factories.rounds import a_round, box, main

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.check,
]
DEAL = ("s1", "s2", "TH", "9D", "6C", "9S", "8D", "TD")  # 19 and 17, the bank has sixteen
LYING = {"width": 1180, "height": 820}
MOST = 25  # taps of a plain hand of two boxes, from the table's page to the record


@pytest.fixture
def table(fresh_db: str, live_server: object) -> None:
    """A shoe table on which a round can be played."""
    people()
    appoint("S-0021", "fiscal_chefe")
    house()
    appoint(PIT.staff, "fiscal_de_banca")
    opened()
    prepared()


def tapped(hand: Tablet, *words: str) -> None:
    """One tap after the other, each once the page says the one before.

    The same button twice as slowly as a finger means it twice.
    """
    for before, word in zip(("", *words), words, strict=False):
        if before == word:
            hand.page.wait_for_timeout(300)
        hand.page.locator(f"[id='tap-{word}']").click()
        hand.taps += 1
        expect(hand.page.locator(".hand [name=taps]")).to_have_value(re.compile(rf"(^| ){word}$"))


def test_a_plain_hand_of_two_boxes_is_recorded_in_few_taps(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    hand = Tablet(open_page(AT, office="fiscal_de_banca", size=TABLET), name="round")
    hand.tap(f"a[href='{AT}round/']", ".seats")
    before = entries()
    tapped(hand, *DEAL)
    expect(hand.page.locator(".turn-said")).to_contain_text("19")
    hand.page.evaluate("scrollTo(0, 0)")
    expect(hand.page.locator(".foot.stays .primary")).to_be_in_viewport(ratio=1)
    tapped(hand, "min", "stand", "stand", "2H")
    expect(hand.page.locator(".hands .due strong").first).to_contain_text("20")
    hand.look(".hands")
    when = hand.page.locator(".act-form summary", has_text="Quando")
    expect(when).to_contain_text("Agora")
    hand.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    shown, foot = when.bounding_box(), hand.page.locator(".foot.stays").bounding_box()
    assert shown is not None
    assert foot is not None
    assert shown["y"] + shown["height"] <= foot["y"]  # it scrolls clear of the button
    assert entries() == before  # looked at, and nothing kept
    hand.tap("#tap-paid", "#tap-undo")
    expect(hand.page.locator(".hand [name=taps]")).to_have_value(re.compile("r2000 @2.1 r0$"))
    hand.tap(".act-form .primary", ".recorded")
    assert hand.counted() <= MOST
    (event,) = events_of("round-played/1")
    assert [one.wagers[0].returned_cents for one in event.boxes] == [2000, 0]
    assert complaints == []


@pytest.mark.parametrize("size", [TABLET, LYING], ids=["upright", "lying"])
def test_a_wrong_amount_is_put_right_by_tapping_its_box(
    table: None, open_page: Open, complaints: list[str], size: dict[str, int]
) -> None:
    """PT art. 23: 20.00 were handed back, and 15.00 written down."""
    boxes = (box(1, "TS 8D", main(1000, 1500)), box(2, "9S 7D", main(1000, 0)))
    played = replace(a_round(*boxes, bank="TH 7C", times=None), **game())
    entry = write(played, by=PIT, at=ago(3))
    hand = Tablet(open_page(AT, office="fiscal_de_banca", size=size), name="round-put-right")
    hand.page.goto(hand.page.url.replace(AT, f"/sala/entry/{entry.entry_id}/correct/"))
    expect(hand.page.locator("#nothing-different")).to_be_visible()
    expect(hand.page.locator(".act-form")).to_have_count(0)
    hand.look(".hands")
    hand.tap("[id='tap-@1.1']", "#money")
    hand.page.locator("#id_amount").fill("20")
    hand.tap("#tap-back", ".compared")
    expect(hand.page.locator(".compared s")).to_contain_text("15")
    expect(hand.page.locator(".compared strong")).to_contain_text("20")
    hand.page.locator(".choice", has_text="Erro de digitação").first.click()
    hand.look(".compared")
    hand.tap(".act-form .primary", ".said.warning")
    expect(hand.page.locator(".said.warning")).to_contain_text("segunda pessoa")
    hand.look(".said.warning")
    assert BookEntry.objects.filter(kind=played.kind).count() == 2


def test_the_first_card_is_tapped_and_what_forbids_the_round_is_said(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    write(DeckWithdrawn(**game(), deck=DECKS[0], reason="worn"), by=PIT, at=ago(6))
    hand = Tablet(
        open_page(f"{AT}round/", office="fiscal_de_banca", size=TABLET), name="round-forbidden"
    )
    expect(hand.page.locator(".alert.breach")).to_contain_text(DECKS[0])
    tapped(hand, "s1")
    hand.tap("#tap-first_card", "#id_first_card")
    expect(hand.page.locator("#id_first_card")).to_have_value(re.compile(r"\d\d:\d\d:\d\d"))
    tapped(hand, "min", "TH", "6C", "9S", "TD", "stand", "2H")
    hand.page.locator("details.more", has=hand.page.locator("#tap-void-extra")).locator(
        "summary"
    ).click()
    hand.look("#tap-void-extra")
    hand.tap("#tap-paid", "#id_first_card")
    hand.tap(".act-form .primary", "#warned")
    assert events_of("round-played/1") == []
    hand.tap(".act-form .foot .button", ".recorded")
    (event,) = events_of("round-played/1")
    assert event.times.first_card > ago(6)
    hand.page.goto(f"/sala/entry/{BookEntry.objects.get(kind=event.kind).pk}/")
    hand.look(".layout")
    expect(hand.page.locator(".playing-card")).to_have_count(5)
    assert complaints == []


def test_taps_that_come_at_once_are_all_taken(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(f"{AT}round/", office="fiscal_de_banca", size=LYING)
    page.evaluate("ids => ids.forEach(id => document.getElementById(id).click())", [
        f"tap-{word}" for word in DEAL
    ])  # fmt: skip
    expect(page.locator(".hand [name=taps]")).to_have_value(" ".join(DEAL))
    Tablet(page, name="round-lying").look(".hands")
    page.reload()
    expect(page.locator(".hand [name=taps]")).to_have_value(" ".join(DEAL))
    assert complaints == []


def test_what_was_typed_of_when_it_was_is_not_lost_by_the_next_tap(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    words = "+".join(DEAL)
    page = open_page(f"{AT}round/?taps={words}", office="fiscal_de_banca", size=TABLET)
    moment = page.locator("details#moment")
    moment.locator("summary").click()
    page.locator("label.choice:has([name=when][value=ago5])").click()
    page.locator("#id_first_card").fill("21:40:05")
    page.locator("#tap-stand").click()
    expect(page.locator(".hand [name=taps]")).to_have_value(re.compile(r"stand$"))

    def is_kept() -> None:
        expect(page.locator("#id_first_card")).to_have_value("21:40:05")
        expect(page.locator("label.choice [name=when][value=ago5]")).to_be_checked()
        expect(moment).to_have_attribute("open", "")

    is_kept()
    page.reload()
    is_kept()
    page.locator("#id_first_card").fill("")
    page.locator("#tap-undo").click()
    expect(page.locator(".hand [name=taps]")).to_have_value(" ".join(DEAL))
    expect(page.locator("#id_first_card")).to_have_value("")
    assert complaints == []


def test_a_finger_that_falls_twice_has_tapped_once(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    words = "+".join(DEAL)
    page = open_page(f"{AT}round/?taps={words}", office="fiscal_de_banca", size=TABLET)
    page.locator("#tap-stand").dblclick()
    page.locator("#tap-min").click()  # waits for the one before
    taps = page.locator(".hand [name=taps]")
    expect(taps).to_have_value(re.compile(r"min$"))
    expect(taps).to_have_value(" ".join((*DEAL, "stand", "min")))
    assert complaints == []


def test_another_pay_is_said_and_warned_of(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    words = "+".join((*DEAL, "min", "stand", "stand", "2H", "@2.1", "r0", "@1.1"))
    page = open_page(f"{AT}round/?taps={words}", office="fiscal_de_banca", size=TABLET)
    hand = Tablet(page, name="round-differs")
    page.locator("#id_amount").fill("15,00")
    hand.tap("#tap-back", ".hands .breach")
    expect(page.locator(".hands .due .breach")).to_contain_text("5,00")
    hand.tap("#see", ".steps-listed")
    hand.tap(".act-form .primary", "#warned")
    assert events_of("round-played/1") == []
    hand.tap(".act-form .foot .button", ".recorded")
    assert len(events_of("round-played/1")) == 1
    assert complaints == []


def test_without_a_script_a_tap_is_a_page(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(f"{AT}round/", office="fiscal_de_banca", size=TABLET, script=False)
    for word in DEAL[:4]:
        page.locator(f"[id='tap-{word}']").click()
    expect(page.locator(".hand [name=taps]")).to_have_value(" ".join(DEAL[:4]))
    Tablet(page, scripted=False, name="round-plain").look(".hands")
    assert complaints == []


PLAYED = (*DEAL, "min", "stand", "stand", "2H")


def test_back_to_a_recorded_round_records_nothing_twice(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    """By the browser's own button; then the same round from a new page is asked about."""
    hand = Tablet(
        open_page(f"{AT}round/", office="fiscal_de_banca", size=TABLET), name="round-back"
    )
    tapped(hand, *PLAYED)
    hand.tap("#tap-paid", "#tap-undo")
    hand.tap(".act-form .primary", ".recorded")
    hand.page.go_back()
    expect(hand.page.locator("#on-record")).to_contain_text("já está registada")
    expect(hand.page.locator(".act-form, #differs, #told .recorded")).to_have_count(0)
    hand.look("#on-record")
    hand.tap("#on-record a >> nth=1", ".seats")
    expect(hand.page.locator(".hand [name=taps]")).to_have_value("")
    tapped(hand, *PLAYED)
    hand.tap("#tap-paid", "#tap-undo")
    hand.tap(".act-form .primary", "#warned")
    expect(hand.page.locator("#warned .said.warning")).to_contain_text("é igual à registada às")
    hand.look("#warned")
    assert len(events_of("round-played/1")) == 1
    hand.tap("#warned .foot .button", ".recorded")
    assert len(events_of("round-played/1")) == 2
    assert complaints == []


def test_a_refused_amount_is_said_in_sight_and_stays(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    words = "+".join((*PLAYED, "@1.1"))
    page = open_page(f"{AT}round/?taps={words}", office="fiscal_de_banca", size=TABLET)
    hand = Tablet(page, name="round-amount")
    for typed, said in (("quinze", "quinze"), ("-5", "-5"), ("", "não está escrito nada")):
        page.locator("#id_amount").fill(typed)
        hand.tap("#tap-back", "#wrong")
        expect(page.locator("#wrong")).to_contain_text(said, ignore_case=True)
        expect(page.locator("#wrong")).to_be_in_viewport(ratio=1)
        expect(page.locator("#wrong")).to_be_focused()
        expect(page.locator("#id_amount")).to_have_value(typed)
    hand.look("#wrong")
    page.locator("#id_amount").fill("15")
    expect(page.locator("#wrong")).to_have_count(0)
    hand.tap("#tap-back", ".hands .breach")
    assert complaints == []


def test_a_round_is_printed_without_what_is_tapped(
    table: None, open_page: Open, complaints: list[str]
) -> None:
    words = "+".join((*PLAYED, "@1.1", "r1500", "@2.1", "r0"))
    page = open_page(f"{AT}round/?taps={words}&see=1", office="fiscal_de_banca", size=TABLET)
    hand = Tablet(page, name="round-printed")
    page.emulate_media(media="print")
    for tool in (".bar", ".seats", ".card-picker", ".act-form .primary", "#elsewhere"):
        expect(page.locator(tool).first).to_be_hidden()
    for said in (".hands .due", ".steps-listed", ".watched"):
        expect(page.locator(said).first).to_be_visible()
    page.emulate_media(media="screen")
    hand.tap(".act-form .primary", "#warned")
    hand.tap("#warned .foot .button", ".recorded")
    page.goto(f"/sala/entry/{BookEntry.objects.get(kind='round-played/1').pk}/")
    expect(page.locator(".round-stakes .breach")).to_contain_text("5,00\u00a0€ a menos")
    hand.look(".layout")
    page.emulate_media(media="print")
    for tool in (".bar", ".ways", ".foot"):
        expect(page.locator(tool).first).to_be_hidden()
    assert complaints == []
