"""A slip of the finger: two real taps at one point, the second on whatever has come there by then.

On every screen of the floor, of the jackpot and of the admin's forms on which something is
recorded: the second tap records nothing. The buttons rest for a second on each screen, and none
lies where the last one lay.
"""

import asyncio
import random
import re
import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final
from uuid import UUID, uuid5

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Response, Route, expect

from casino import clock
from casino.events.complaints import ComplaintReceived
from casino.events.incidents import IncidentReported
from casino.events.shufflers import ShufflerLoaded
from casino.models import BookEntry
from tests.browser.conftest import TABLET, Open
from tests.browser.looks import awake
from tests.browser.sala_hand import everybody
from tests.casino.sala_forms import address
from tests.factories.floor import (
    DECKS,
    MACHINE_TABLE,
    PIT,
    SHOE_TABLE,
    ago,
    game,
    opened,
    register,
    shuffled,
    yesterday,
)
from tests.factories.people import write
from tests.factories.pools import ACE_JACK
from tests.factories.recorded import entries, events_of
from tests.factories.records import burnt, corrects, recorded
from tests.factories.usual_events import MACHINE
from tests.gate import SEED, drawn, size
from tests.jackpot.sala_pools import a_pool, a_win, at_box, collect_at, hit_at, played, won_at

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
PAIRS: Final = size(10, 252, 1_008)
MOST_LATE: Final = size(25, 100, 100)  # then the machine is too busy for this
SAID_WITHIN: Final = 10  # seconds
TABS: Final = 8
GAPS: Final = (0.1, 0.17, 0.25, 0.35, 0.46, 0.56, 0.7, 0.85, 1.0)  # seconds
LATE: Final = 1.05  # seconds: a second tap a busy machine came to later than that is no slip
STAGGER: Final = 0.15  # seconds between the tablets, so that the server answers each at once
# Without [name=look], which asks who a number is and records nothing.
RECORDS: Final = (
    "form:has([name=page_shown])"
    " button:not([formnovalidate], [name=go_back], [name=look], .first-pressed)"
)
# What can be tapped on a page, each with a number; whether it records, and whether it is a link.
TAPPED: Final = f"""() => [...document.querySelectorAll(
    'main a[href], main button, main summary, main label.choice, .bar .back, #content button')]
  .filter(e => e.checkVisibility() && !e.matches('.first-pressed, [formnovalidate]'))
  .map((e, n) => {{ e.dataset.slip = n; return [n, e.matches('{RECORDS}')]; }})"""
# When a finger fell on a page, in milliseconds since 1970: it stays there over the next page.
FELL: Final = """document.addEventListener('pointerdown', (event) => {
  const fell = JSON.parse(sessionStorage.getItem('fell') || '[]');
  sessionStorage.setItem('fell', JSON.stringify(
    [...fell, performance.timeOrigin + event.timeStamp]));
}, true)"""
HOW_LONG: Final = """() => {
  const fell = JSON.parse(sessionStorage.getItem('fell') || '[]');
  sessionStorage.removeItem('fell');
  return fell.length > 1 ? fell[fell.length - 1] - fell[0] : 0;
}"""
# Whatever has to be chosen is chosen, so that a tap records.
CHOSEN: Final = """n => {
  for (const one of document.querySelectorAll('form:has([name=page_shown]) input[type=radio]')) {
    const all = [...one.form.querySelectorAll('input[type=radio]')]
      .filter(e => e.name === one.name && e.value && e.checkVisibility());
    if (all.length && !all.some(e => e.checked)) all[n % all.length].click();
  }
}"""


@pytest.fixture
def evening(fresh_db: str, live_server: object, settings: Any) -> None:
    """A table with a shoe that feeds a pool, one with a shuffler, one to be opened; a second."""
    settings.SHIELD_SECONDS = 1.0
    everybody()
    a_pool()
    played(1, at_box(2, "J2"), at_box(5, "J5"), seats_occupied=(2, 5))
    for table in ("BJ-03", "BJ-04"):
        register(table)
        yesterday(table, decks=tuple(f"D-{table[-1]}{n:02}" for n in range(1, 7)))
    opened(MACHINE_TABLE)
    shuffled(1, MACHINE_TABLE)


def incident() -> str:
    """A damaged card at the table with the shuffler; its number."""
    event = IncidentReported(
        **game(MACHINE_TABLE), incident="IN-0042", category="damaged_card", reason="rasgada",
        people=(), shuffler=MACHINE, noticed_at=ago(3),
    )  # fmt: skip
    write(event, by=PIT, at=ago(3))
    return event.incident


def places() -> dict[str, list[str]]:
    """By office, every address on which something is recorded, and those that lead there."""
    number = incident()
    win = a_win((2, ACE_JACK))
    in_machine = ShufflerLoaded(
        **game(MACHINE_TABLE), shuffler=MACHINE, decks=DECKS, packets=3, operator="P-104"
    )
    loaded = write(in_machine, by=PIT, at=ago(20))
    complained = ComplaintReceived(
        **game(MACHINE_TABLE), complaint="RC-0042", subject="payment", received_at=ago(4)
    )
    write(complained, by=PIT, at=ago(4))
    asked = recorded(burnt(1), supersedes=corrects(recorded(burnt(2))))
    machine, shoe = MACHINE_TABLE, SHOE_TABLE
    pit = [
        "/sala/", "/sala/open/", address("open", "BJ-04"), address("table", shoe),
        address("table", machine), address("exhibit", shoe), f"{address('exhibit', shoe)}?all=1",
        f"{address('cut', shoe)}?seats=1+2", address("shoe", shoe), address("interrupt", shoe),
        address("incident", machine), f"{address('incident', machine)}?category=jam",
        f"{address('incident', shoe)}?category=cash", address("complaint", machine),
        f"{address('round', shoe)}?taps=s1+TH+7C+9D+TD+stand+r2000",
        address("incident_steps", machine, number), address("incident_exchange", machine, number),
        address("incident_close", machine, number), address("order", machine),
        address("chips", machine), address("load", machine), address("unload", machine),
        f"{address('close', machine)}?confirm=1", address("witness", loaded.entry_id),
        address("correct", loaded.entry_id), f"{address('correct', loaded.entry_id)}?wrong=packets",
        collect_at(), won_at(), hit_at(win.n),
        *(reverse(f"admin:casino_{one}_add") for one in ("burn", "shufflerload", "incident")),
        reverse("admin:jackpot_jackpotincrement_add"),
    ]  # fmt: skip
    head = [
        address("notice", machine, number), address("footage", shoe),
        reverse("admin:casino_supersession_change", args=[asked.entry_id]),
        reverse("admin:casino_incident_add"), f"{address('incident', shoe)}?category=conduct",
    ]  # fmt: skip
    manager = [
        reverse("admin:jackpot_jackpotstart_add"), reverse("admin:jackpot_jackpotadjustment_add"),
        reverse("admin:casino_duty_add") + "?kind=duty-begun", address("reopen", "BJ-03"),
        reverse("admin:audit_casestep_add") + "?kind=explanation-given",
        address("complaint_read", MACHINE_TABLE, "RC-0042"),
        address("complaint_decide", MACHINE_TABLE, "RC-0042"),
        address("complaint_hold", MACHINE_TABLE, "RC-0042"), "/sala/todo/",
    ]  # fmt: skip
    return {
        "fiscal_de_banca": pit,
        "fiscal_chefe": head,
        "chefia_da_sala": manager,
        "inspetor": [reverse("draw-new"), reverse("draws")],
        "administrador": [reverse("admin:audit_webhooksetting_add"), reverse("machines")],
    }


@dataclass
class Tab:
    """One tablet: what it was answered when it sent something, and what its first tap was."""

    page: Page
    addresses: list[str]
    answers: list[tuple[int, str]] = field(default_factory=list)
    at: str = ""
    point: tuple[float, float] = (0, 0)
    what: str = ""
    records: bool = False
    keys: set[UUID] = field(default_factory=set)

    def answered(self, response: Response) -> None:
        if response.request.method == "POST":
            to = response.headers.get("x-sala-to") or response.headers.get("location", "")
            self.answers.append((response.status, to))

    def shows(self, where: str, chance: random.Random) -> bool:
        """A screen, a second old; something to be tapped on it, where there is anything."""
        self.page.goto(where)
        if chance.random() < 0.6:
            self.page.evaluate(CHOSEN, chance.randrange(100))
            self.page.wait_for_load_state()
        self.at = where
        return True

    def aims(self, chance: random.Random) -> bool:
        """At one of the things on it: half of the time at what records.

        What fell before is forgotten: a tap that came after `gap` was read is not of this pair.
        """
        awake(self.page)
        self.page.evaluate("sessionStorage.removeItem('fell')")
        found = self.page.evaluate(TAPPED)
        records = [one for one in found if one[1]]
        if not found:
            return False
        number, self.records = chance.choice(
            records if records and chance.random() < 0.6 else found
        )
        target = self.page.locator(f"[data-slip='{number}']")
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        self.what = target.inner_text()[:60]
        self.keys = {
            UUID(one)
            for one in re.findall(r'name="key" value="([0-9a-f-]{36})"', self.page.content())
        }
        self.answers.clear()
        assert box is not None
        self.point = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        return True

    def watched(self, page: Page) -> None:
        """Its taps and answers are noted from now on, on this page."""
        self.page = page
        page.on("response", self.answered)
        page.add_init_script(FELL)

    def tapped(self) -> bool:
        """Whether the browser said that it fell: of one on a page that is just leaving it may say
        nothing, and Playwright would wait for that without end.
        """
        touch = self.page.touchscreen
        try:
            touch._sync(asyncio.wait_for(touch._impl_obj.tap(*self.point), SAID_WITHIN))
        except TimeoutError:
            return False
        return True

    def gap(self) -> float:
        """How long after the first tap the second one fell. Units: seconds; 0 where none did."""
        return float(self.page.evaluate(HOW_LONG)) / 1000

    def settled(self) -> None:
        """Nothing is on its way any more."""
        for _ in range(2):
            self.page.wait_for_timeout(120)
            self.page.wait_for_load_state()
        expect(self.page.locator("button[disabled]")).to_have_count(0)

    @property
    def ghosts(self) -> int:
        """How many records nobody meant: all but that of a first tap on what records.

        A form that was sent twice is one record: both answers lead to it.
        """
        kept = [
            to
            if status in (204, 302, 303) and "again=1" not in to and "/admin/login" not in to
            else ""
            for status, to in self.answers
        ]
        meant = self.records and bool(kept) and kept[0] != ""
        return len({*kept} - {""}) - meant


def test_two_taps_at_one_point_record_nothing_nobody_meant(
    evening: None, open_page: Open, complaints: list[str]
) -> None:
    chance, where = random.Random(SEED), places()
    offices = ["fiscal_de_banca"] * (TABS - 4)
    offices += ["fiscal_chefe", "chefia_da_sala", "inspetor", "administrador"]
    tabs = [
        Tab(open_page(where[office][0], office=office, size=TABLET, touch=True), where[office])
        for office in offices
    ]
    for tab in tabs:
        tab.watched(tab.page)
    made, late, ghosts, meant = 0, 0, [], 0
    while made < PAIRS:
        for place, tab in enumerate(tabs):
            tab.shows(tab.addresses[(made // TABS * 7 + place * 5) % len(tab.addresses)], chance)
        aimed = [tab for tab in tabs if tab.aims(chance)]
        before = set(BookEntry.objects.values_list("pk", flat=True))
        unsaid = two_taps(aimed, [chance.choice(GAPS) for _ in aimed])
        for tab in unsaid:
            gone = tab.page
            tab.watched(gone.context.new_page())
            gone.close()
        for tab in aimed:
            tab.settled()
        if unsaid or max(tab.gap() for tab in aimed) > LATE:
            late += 1
            assert late < MOST_LATE, (
                f"too busy a machine: {made} pairs, {late} times a tap came too late"
            )
            continue
        ghosts += [f"{tab.at}: {tab.what!r}, {tab.answers}" for tab in aimed if tab.ghosts]
        allowed = {key for tab in aimed if tab.records for key in tab.keys}
        allowed |= {uuid5(key, str(place)) for key in allowed for place in range(60)}
        new = BookEntry.objects.exclude(pk__in=before)
        ghosts += [
            f"{one.kind}, under no form that was tapped" for one in new if one.key not in allowed
        ]
        meant += new.count()
        made += len(aimed)
    print(f"{made} pairs of taps, {meant} entries that were meant, {late} times too late")  # noqa: T201
    assert ghosts == [], "\n".join(ghosts)
    assert [one for one in complaints if "status of 4" not in one] == []


def two_taps(tabs: list[Tab], gaps: list[float]) -> list[Tab]:
    """A tap on each tablet, one after the other, and a second one at its point after its gap; those
    of which the browser did not say that they fell.
    """
    begun = time.monotonic()
    due = [(place * STAGGER, tab) for place, tab in enumerate(tabs)]
    due += [
        (place * STAGGER + gap, tab)
        for (place, tab), gap in zip(enumerate(tabs), gaps, strict=True)
    ]
    unsaid = []
    for at, tab in sorted(due, key=lambda one: one[0]):
        wait = begun + at - time.monotonic()
        if wait > 0:
            tab.page.wait_for_timeout(wait * 1000)
        if tab not in unsaid and not tab.tapped():
            unsaid.append(tab)
    return unsaid


BUSY: Final = """() => setTimeout(() => {
  const until = performance.now() + 1500;
  while (performance.now() < until);
  document.body.dataset.busy = 'over';
}, 1)"""


@pytest.mark.check
def test_a_slow_tablet_asks_when_the_finger_fell(evening: None, open_page: Open) -> None:
    url = f"{address('incident', SHOE_TABLE)}?category=cash"
    page = open_page(url, office="fiscal_de_banca", size=TABLET, touch=True)
    before, box = entries(), page.locator("button[name=reason]").first.bounding_box()
    assert box is not None
    page.evaluate("document.dispatchEvent(new Event('screen-shown'))")
    page.evaluate(BUSY)
    page.touchscreen.tap(box["x"] + 9, box["y"] + 9)  # the page comes to it when its second is over
    expect(page.locator("body[data-busy=over]")).to_be_visible()
    page.wait_for_timeout(300)
    assert page.url.endswith(url)
    assert entries() == before


@pytest.mark.check
def test_a_number_typed_before_its_script_came_is_looked_up(evening: None, open_page: Open) -> None:
    in_machine = ShufflerLoaded(
        **game(MACHINE_TABLE), shuffler=MACHINE, decks=DECKS, packets=3, operator="P-104"
    )
    load = write(in_machine, by=PIT, at=ago(20))
    page = open_page(address("table", MACHINE_TABLE), office="fiscal_de_banca", size=TABLET)
    late: list[Route] = []

    def keep(route: Route) -> None:
        late.append(route)

    page.route("**/witness*.js", keep)
    page.goto(address("witness", load.entry_id), wait_until="commit")
    page.locator("[name=staff]").fill("S-9999")
    page.locator("[name=secret]").focus()
    page.wait_for_timeout(300)
    assert "S-9999" not in page.locator(".lacking").inner_text()
    late.pop().continue_()
    expect(page.locator(".lacking")).to_contain_text("S-9999")


@pytest.mark.check
def test_without_a_connection_links_and_shortcuts_say_so(
    evening: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(address("exhibit", SHOE_TABLE), office="fiscal_de_banca", size=TABLET)
    lost, here = page.locator("#lost"), page.url
    page.context.set_offline(True)
    page.locator(".bar .back").click()
    expect(lost).to_contain_text("Sem ligação")
    assert page.url == here
    page.locator("#all").click()
    expect(lost).to_contain_text("Sem ligação. Nada foi gravado.")
    page.context.set_offline(False)
    expect(lost).to_be_hidden()
    page.locator(".bar .back").click()
    expect(page.locator(".table-head")).to_be_visible()
    page.goto(address("cut", SHOE_TABLE))
    page.route("**/sala/**", lambda route: route.abort("connectionrefused"))
    page.locator("#seat-3").click()  # the server is gone
    expect(lost).to_contain_text("Sem ligação")
    page.locator(".bar .back").click()
    expect(lost).to_contain_text("a página fica como está")
    page.unroute("**/sala/**")
    page.locator(".bar .back").click()
    expect(page.locator(".table-head")).to_be_visible()
    assert [one for one in complaints if "ERR_" not in one] == []


def test_what_was_refused_is_said_until_it_is_changed(evening: None, open_page: Open) -> None:
    page = open_page(address("load", MACHINE_TABLE), office="fiscal_de_banca", size=TABLET)
    page.locator("[name=operator]").fill("no such number!")
    page.locator(".foot .primary").click()
    expect(page.locator("#errors li")).to_have_count(2)
    page.locator("label.choice:has([name=packets][value='3'])").click()
    expect(page.locator("#errors li")).to_have_count(1)
    page.locator("[name=operator]").fill("P-104")
    expect(page.locator("#errors")).to_have_count(0)
    expect(page.locator(".wrong")).to_have_count(0)
    assert not page.title().startswith("Erro")


SPAN: Final = f"""() => [...document.querySelectorAll('{RECORDS}')]
  .filter(e => e.checkVisibility())
  .map(e => [e.getBoundingClientRect(), e.textContent.trim()])
  .map(([box, said]) => [box.left, box.right, said])"""


def pressed(page: Page, button: str, then: str) -> None:
    """Press what records, over its warnings too: nothing that records lies under the finger on the
    screens that follow, however far they are scrolled.
    """
    target = page.locator(button).first
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box is not None
    page.evaluate("document.body.dataset.before = ''")
    target.click()
    fresh = page.locator(f"body:not([data-before]) :is({then}, .needs-choice)")
    expect(fresh.first).to_be_visible()
    page.wait_for_load_state()
    under = [
        said for left, right, said in page.evaluate(SPAN)
        if left < box["x"] + box["width"] and right > box["x"]
    ]  # fmt: skip
    assert under == [], f"{page.url}: {button}"
    if page.locator(".needs-choice").count():
        page.locator("label.choice:has([name=despite-all])").first.click()
        pressed(page, ".needs-choice .button", then)


@pytest.mark.check
@pytest.mark.parametrize("script", [True, False])
def test_no_recording_button_lies_where_the_last_one_lay(
    evening: None, open_page: Open, settings: Any, script: bool
) -> None:
    settings.SHIELD_SECONDS = 0
    number, machine, shoe = incident(), MACHINE_TABLE, SHOE_TABLE
    page = open_page(address("open", "BJ-04"), office="fiscal_de_banca", size=TABLET, script=script)
    pressed(page, ".foot .primary", "fieldset.deck")
    page.locator("#all").click()
    expect(page.locator(".primary[data-all]")).to_be_visible()
    pressed(page, ".foot .primary", ".recorded")
    pressed(page, ".next .foot .primary", ".act-form[action$='shoe/']")
    pressed(page, ".foot .primary", "button[value=during_round]")
    pressed(page, "button[value=during_round]", ".recorded")
    page.goto(f"{address('cut', shoe)}?seats=1+2&cut=2")
    pressed(page, ".foot .primary", "main")
    page.goto(f"{address('incident', machine)}?category=jam")
    pressed(page, "button[name=reason]", ".course")
    for _ in range(3):
        pressed(page, ".course button", ".course")
    page.goto(address("incident_steps", machine, number))
    pressed(page, ".course button", ".course")
    page.goto(address("load", machine))
    page.locator("label.choice:has([name=packets][value='1'])").click()
    pressed(page, ".foot .primary", "[name=secret]")
    page.goto(collect_at())
    for _ in range(2):
        page.locator("label.choice:has([name=seats])").first.click()
        pressed(page, ".foot .primary", "main")
    page.goto(address("chips", machine))
    page.locator("[name=chips-500]").fill("40")
    pressed(page, ".foot .primary", "main")


@pytest.mark.parametrize("script", drawn([True, False], 1))
def test_a_button_that_rests_records_a_second_later(
    evening: None, open_page: Open, monkeypatch: pytest.MonkeyPatch, script: bool
) -> None:
    url = f"{address('incident', SHOE_TABLE)}?category=cash"
    at = [clock.now()]
    if not script:  # such a page does not say when its second is over: the house's clock stands
        monkeypatch.setattr(clock, "now", lambda: at[-1])
    page = open_page(url, office="fiscal_de_banca", size=TABLET, script=script)
    button = page.locator("button[name=reason]").first
    before = entries()
    if script:
        expect(button).to_have_attribute("aria-disabled", "true")
        button.focus()
        page.keyboard.press("Enter")
        expect(button).to_be_focused()
        button.click()  # Playwright waits until it may be pressed
    else:
        button.click()
        expect(page.locator(".said.note[role=alert]")).to_be_visible()
        assert entries() == before
        at.append(at[0] + timedelta(seconds=1.001))
        button.click()
    expect(page.locator(".recorded")).to_be_visible()
    assert entries() == before + 1
    assert len(events_of("incident-reported/1")) == 1
