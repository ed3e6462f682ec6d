"""What a page looks like in a browser: too small to touch, too faint to read."""

from typing import Final

from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, TABLET

# The evenings a pit supervisor plays by taps: `make test` plays one, `make check` all.
EVENINGS: Final = ("shoe_table", "shuffler_table", "jackpot")
# And of these that look at page after page.
VIEWS: Final = ("pages", "book", "forms")

# How a page is met: size, language, theme.
LOOKS: Final = [
    (DESK, "pt-PT", "light"),
    (DESK, "pt-PT", "dark"),
    (TABLET, "en-GB", "light"),
    (TABLET, "en-GB", "dark"),
]

# Whatever can be touched and is shown, with its size; a link inside a sentence is exempt.
TARGETS = """() => [...document.querySelectorAll('a, button, input, select, summary, textarea')]
  .filter(e => e.checkVisibility() && !['hidden', 'checkbox', 'radio'].includes(e.type))
  .filter(e => !(e.matches('p a, li a') && e.closest('p')?.matches('.said')))
  .map(e => ({box: e.getBoundingClientRect(), said: e.outerHTML.slice(0, 90)}))
  .filter(({box}) => box.right > 0 && box.bottom > 0 && box.width > 1)
  .filter(({box}) => box.height < 43.5 || box.width < 23.5)
  .map(({box, said}) => `${Math.round(box.width)} x ${Math.round(box.height)} ${said}`)"""

# Text against the ground it stands on, as the browser computed both.
CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
  const ground = e => {
    for (; e; e = e.parentElement) {
      const colour = rgba(getComputedStyle(e).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const faint = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.checkVisibility() || e.closest('svg, .visually-hidden, noscript')) continue;
    const [a, b] = [light(rgba(getComputedStyle(e).color)), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} ${e.textContent.trim().slice(0, 40)}`);
  }
  return faint;
}"""


def awake(page: Page) -> None:
    """Wait until what records may be pressed: the page says so itself (`shield.js`)."""
    page.wait_for_load_state()  # before, it has not said yet that its buttons rest
    expect(page.locator("button[aria-disabled=true]")).to_have_count(0)
