"""The page of a game's cards as a person meets it: on a desk, on a tablet, on a phone, on paper."""

from itertools import product
from random import Random

import pytest
from django.urls import reverse

from tests.audit.reconciling import reconcile
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS
from tests.factories.findings import people
from tests.factories.games_in_book import in_the_book
from tests.factories.shoe_cards import SIX, Evening, deal_shoe, gathered, shuffled
from tests.gate import drawn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def address(fresh_db: str, live_server: object) -> str:
    """A game of two evenings' decks: one shoe not shuffled, one of which a round is missing."""
    people()
    rng = Random(1)
    before, game = Evening(-3), Evening(-2)
    deal_shoe(before, 1, shuffled(rng))
    pile = gathered(rng, deal_shoe(game, 1, shuffled(rng)))
    left = list(SIX)
    for card in pile:
        left.remove(card)
    deal_shoe(game, 2, [*pile, *left])
    deal_shoe(game, 3, shuffled(rng))
    game.entries.pop(-3)
    in_the_book(before)
    in_the_book(game)
    reconcile("run", partida=game.partida)
    return reverse("cards", args=[game.partida])


@pytest.mark.parametrize(
    ("size", "theme"), drawn(list(product((DESK, TABLET, PHONE), ("light", "dark"))), 1)
)
def test_the_page_can_be_read_and_touched(
    address: str, open_page: Open, complaints: list[str], size: dict[str, int], theme: str
) -> None:
    page = open_page(address, office="inspetor", size=size, theme=theme)
    for summary in page.locator(".panel details summary").all():
        summary.click()
    assert page.locator("svg.chart.wide").count() == 3
    assert page.get_by_text("Não decidível").count() >= 2
    assert page.evaluate(CONTRAST) == []
    assert violations_in_anything_new(page) == []
    assert size is DESK or page.evaluate(TARGETS) == []
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, "the page runs out of its side"
    assert complaints == []


def test_from_the_finding_to_the_course(
    address: str, open_page: Open, complaints: list[str]
) -> None:
    page = open_page(address, office="inspetor", size=TABLET)
    page.locator(".panel .told a").first.click()
    page.get_by_role("link", name="O que as suas cartas mostram, jogada a jogada").click()
    assert page.url.endswith(address)
    assert complaints == []
