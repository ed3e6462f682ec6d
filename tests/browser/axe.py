"""What axe-core finds on a page that would keep somebody from using it."""

from collections import defaultdict
from typing import Final
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from django.urls import resolve
from playwright.sync_api import Page

from tests.gate import CHECK

# WCAG 2.2, both levels a house has to keep, and what axe calls good practice. Style sheets are not
# fetched anew and put into the page: its policy would refuse that.
_WCAG: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
_RUN: Final = """async tags => {
  const found = await axe.run(document, {
    runOnly: {type: 'tag', values: tags}, resultTypes: ['violations'], preload: false,
  });
  return found.violations.flatMap(({id, impact, nodes}) =>
    nodes.map(node => `${impact} ${id}: ${node.html.slice(0, 120)} ${node.failureSummary}`));
}"""
# What a page is made of, by the names of its parts.
_PARTS: Final = "() => [...document.querySelectorAll('[class]')].flatMap(e => [...e.classList])"
_looked_at: Final[dict[str, set[str]]] = defaultdict(set)


def violations(page: Page) -> list[str]:
    """All of them, however grave, each with the element it is about; [] where all is well.

    The script is evaluated from outside of the page, so the page's own policy need not allow it.
    """
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(_RUN, [*_WCAG, "best-practice"])
    return found


def violations_of_wcag(page: Page) -> list[str]:
    """Those of WCAG alone: of a page whose headings another program's script makes."""
    page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(_RUN, [*_WCAG])
    return found


def violations_in_anything_new(page: Page) -> list[str]:
    """Those of a page that shows a template, or a part of one, that was not looked at yet.

    In `make test` once in each process; in `make check` every page every time.
    """
    template = resolve(urlsplit(page.url).path).view_name
    parts = set(page.evaluate(_PARTS)) | {""}
    if not CHECK and parts <= _looked_at[template]:
        return []
    _looked_at[template] |= parts
    return violations(page)
