"""A hand on a tablet of the floor: it counts its taps, and looks at every screen it meets.

SALA_SHOTS names a folder into which every screen is photographed.
"""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from casino import clock
from casino.events.notices import NoticeSent
from casino.events.staff import DutyBegun
from casino.models import Account
from casino.recording import Actor
from casino.witnessing import set_pin
from tests.browser.axe import violations_in_anything_new
from tests.browser.looks import CONTRAST, awake
from tests.casino.sala_forms import address
from tests.factories.findings import PEOPLE, people
from tests.factories.floor import MACHINE_TABLE, game
from tests.factories.people import PASSWORD, appoint, write

PIN: Final = "482915"
HEAD: Final = PEOPLE["fiscal_chefe"]
OPENS: Final = "S-0021"  # the fiscal-chefe whom the opening of `tests.factories.floor` names
MANAGER: Final = Actor(PEOPLE["chefia_da_sala"], "chefia_da_sala", "admin")
SHOTS: Final = os.environ.get("SALA_SHOTS")
PRIMARY = 56  # px
# What is touched and shown, too low or too narrow: a tile's radio is touched with its tile.
SMALL = """() => [...document.querySelectorAll(
    'a, button, input, select, summary, textarea, label.choice')]
  .filter(e => e.checkVisibility() && !['hidden', 'checkbox', 'radio'].includes(e.type))
  .map(e => ({box: e.getBoundingClientRect(), said: e.outerHTML.slice(0, 90)}))
  .filter(({box}) => box.width > 1 && (box.height < 43.5 || box.width < 43.5))
  .map(({box, said}) => `${Math.round(box.width)} x ${Math.round(box.height)} ${said}`)"""
# Neighbours that are touched lie apart, or one is hit for the other.
CLOSE = """() => {
  const touched = 'main .tile, main .choice, main .primary, main .button';
  const boxes = [...document.querySelectorAll(touched)]
    .filter(e => e.checkVisibility() && !e.closest('.stays'))  // which lies over what scrolls
    .map(e => [e.getBoundingClientRect(), e.textContent.trim()]);
  const near = [];
  for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
    const [[a, one], [b, other]] = [boxes[i], boxes[j]];
    const x = Math.max(a.left - b.right, b.left - a.right);
    const y = Math.max(a.top - b.bottom, b.top - a.bottom);
    if (Math.max(x, y) < 7.5) near.push(`${one} | ${other}: ${Math.max(x, y)}`);
  }
  return near;
}"""
LEFT = """what => [...document.querySelectorAll(what)]
  .filter(e => e.checkVisibility()).forEach(e => e.dataset.left = '')"""
WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


class Hand:
    """One hand on a tablet: it counts its taps, and every screen it meets is looked at."""

    def __init__(self, page: Page, script: bool = True) -> None:
        self.page = page
        self.script = script
        self.taps = 0
        self.seen = 0

    def look(self, name: str) -> None:
        """A photograph, and what every screen has to be."""
        self.seen += 1
        self.page.wait_for_load_state()
        if SHOTS:
            shot = Path(SHOTS) / f"{self.seen:02d}-{name}.png"
            self.page.screenshot(path=shot, full_page=True)
        for asked in (SMALL, CLOSE, CONTRAST):
            found = self.page.evaluate(asked)
            assert found == [], f"{name}: {found}"
        assert not self.page.evaluate(WIDE), f"{name} is wider than the tablet"
        if self.script:
            found = violations_in_anything_new(self.page)
            assert found == [], f"{name}: {found}"
        for primary in self.page.locator(".primary").all():
            if primary.is_visible():
                box = primary.bounding_box()
                assert box is not None
                assert box["height"] >= PRIMARY, name

    def tap(self, what: str | Locator, then: str = "", name: str = "") -> None:
        """One tap; `then` is what the page that follows shows, `name` what it is called.

        What stands there already, of the page before, is not waited for.
        """
        at = self.page.locator(what) if isinstance(what, str) else what
        self.taps += 1
        if then:
            self.page.evaluate(LEFT, then)
        awake(self.page)
        at.first.click()
        if then:
            new = self.page.locator(then).and_(self.page.locator(":not([data-left])"))
            expect(new.first).to_be_visible()
        if name:
            self.look(name)

    def choose(self, name: str, value: str) -> None:
        """One tap on a tile with a radio."""
        self.tap(f"label.choice:has(input[name={name}][value='{value}'])")

    def over_it(self, then: str = "", name: str = "") -> None:
        """What is warned of is recorded: two taps, the reason and then the button."""
        self.choose("despite-all", "it-happened-so")
        self.tap(".needs-choice .button", then, name)

    def go(self, screen: str, name: str, *args: Any) -> None:
        """One tap on whatever leads to a screen of the table."""
        url = address(screen, *(args or (MACHINE_TABLE,)))
        self.tap(f"a[href='{url}']")
        self.page.wait_for_url(f"**{url}*")
        self.look(name)

    def confirmed(self, name: str) -> int:
        """The tablet changes hands: digits, one tap; and back. The taps of the witness."""
        before = self.taps
        expect(self.page.locator("[name=staff]")).to_have_value(HEAD)
        self.look(f"{name}-witness")
        self.page.locator("[name=secret]").fill(PIN)
        self.tap(".foot .primary", ".check-list", f"{name}-confirmed")
        expect(self.page.locator(".check-list")).to_contain_text(HEAD)
        count, self.taps = self.taps - before, before
        return count

    def counted(self) -> int:
        """The taps since it was asked last."""
        taps, self.taps = self.taps, 0
        return taps


def everybody() -> None:
    """Everybody; the fiscal-chefe with a code, a password and on duty."""
    people()
    account = Account.objects.get(staff=HEAD)
    account.set_password(PASSWORD)
    account.save()
    set_pin(account, PIN)
    appoint(OPENS, "fiscal_chefe")
    begun = DutyBegun(staff=HEAD, office="fiscal_chefe", tables=())
    write(begun, by=MANAGER, at=clock.now() - timedelta(hours=3))


def notified(number: str) -> None:
    """The management tells the inspection service of a damaged card, from its own desk."""
    notice = NoticeSent(
        **game(MACHINE_TABLE),
        notice="N-1",
        to="inspection_service",
        about="damaged_card",
        means="email",
        reference="E-mail 44/2026",
        sent_at=clock.now(),
        sent_by=MANAGER.staff,
        sent_by_office="chefia_da_sala",
        incident=number,
    )
    write(notice, by=MANAGER, at=clock.now())
