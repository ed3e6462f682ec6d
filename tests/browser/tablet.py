"""A hand at the tablet of a table."""

import os
from itertools import count
from pathlib import Path
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations_in_anything_new
from tests.browser.looks import CONTRAST, awake
from tests.factories.floor import SHOE_TABLE

SHOTS: Final = os.environ.get("SALA_SHOTS")
SECRET: Final = "a password for the floor"
AT: Final = f"/sala/{SHOE_TABLE}/"

# What is touched: each at least 44 px either way, what is done 56, a seat 72.
SMALL: Final = """() => [...document.querySelectorAll(
    'a, button, select, summary, textarea, input:not([type=hidden]), label.choice')]
  .filter(e => e.checkVisibility() && !e.matches('.first-pressed, label.choice input'))
  .map(e => ({box: e.getBoundingClientRect(), said: e.outerHTML.slice(0, 90), asked:
    e.matches('.seat:not(.small-seat)') ? 72 : e.matches('.primary, .small-seat') ? 56 : 44}))
  .filter(({box, asked}) => box.width < asked - 0.5 || box.height < asked - 0.5)
  .map(({box, said}) => `${Math.round(box.width)} x ${Math.round(box.height)} ${said}`)"""

FAINT: Final = CONTRAST.replace("ratio < 4.5", "ratio < 7").replace(
    ".visually-hidden", ".visually-hidden, .first-pressed"
)

# Neighbours that are touched lie apart, or one is hit for the other.
CLOSE: Final = """() => {
  const touched = 'main .tile, main .choice, main .primary, main .button, main .seat, main .small';
  const boxes = [...document.querySelectorAll(touched)]
    .filter(e => e.checkVisibility() && !e.closest('.stays'))  // which lies over what scrolls
    .map(e => [e.getBoundingClientRect(), e.textContent.trim()]);
  const near = [];
  for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
    const [[a, one], [b, other]] = [boxes[i], boxes[j]];
    const x = Math.max(a.left - b.right, b.left - a.right);
    const y = Math.max(a.top - b.bottom, b.top - a.bottom);
    if (Math.max(x, y) < 9.5) near.push(`${one} | ${other}: ${Math.max(x, y)}`);
  }
  return near;
}"""

_shots: Final = count(1)


class Tablet:
    """A hand at the tablet: it counts its taps, and looks at every page it comes to.

    `name` is what its photographs begin with; it is a finger where the page is `touched`.
    """

    def __init__(
        self, page: Page, *, scripted: bool = True, name: str = "shoe", touched: bool = False
    ) -> None:
        self.page = page
        self.touched = touched
        self.name = name
        self.scripted = scripted
        self.taps = 0

    def tap(self, what: str | Locator, then: str = "main") -> None:
        """Touch something; the page that follows is looked at."""
        target = self.page.locator(what) if isinstance(what, str) else what
        awake(self.page)
        (target.first.tap if self.touched else target.first.click)()
        self.taps += 1
        self.look(then)

    def over_it(self, then: str = "main", reason: str = "it-happened-so") -> None:
        """What is warned of is recorded: two taps, the reason and then the button."""
        self.tap(f"label.choice:has([name=despite-all][value={reason}])")
        self.tap(".needs-choice .button", then)

    def look(self, shown: str = "main") -> None:
        """Everything is large enough, legible, and fits."""
        expect(self.page.locator(shown).first).to_be_visible()
        self.page.wait_for_load_state()  # what has no style yet is not where it will be
        wide = self.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not wide, f"{self.page.url} is wider than the tablet"
        found = [one for asked in (SMALL, FAINT, CLOSE) for one in self.page.evaluate(asked)]
        if self.scripted:
            found += violations_in_anything_new(self.page)
        assert found == [], f"{self.page.url}: {found}"
        if SHOTS:
            name = f"{Path(SHOTS) / self.name}-{next(_shots):02d}.png"
            self.page.screenshot(path=name, full_page=True)

    def counted(self) -> int:
        """The taps since this was asked last."""
        taps, self.taps = self.taps, 0
        return taps
