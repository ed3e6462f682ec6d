"""A short sound where more waits than before: on a page that looks again, and only where asked."""

from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from casino.events.complaints import ComplaintReceived
from tests.browser.conftest import TABLET, Open
from tests.browser.tablet import Tablet
from tests.factories.findings import people
from tests.factories.floor import PIT, ago, game, house, opened
from tests.factories.people import write

pytestmark = [
    pytest.mark.check,
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
]
# What is heard is counted, and sounds all the same.
LISTEN: Final = """() => {
  if (window.heard !== undefined) return;
  window.heard = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    if (this.context.state === 'running') window.heard += 1;
    return start.apply(this, when);
  };
}"""
HEARD: Final = "n => window.heard === n"
TONES: Final = 2


@pytest.fixture
def floor(fresh_db: str, live_server: object, settings: Any) -> None:
    """A table in play, and a list that is read anew each time."""
    settings.TODO_PATIENCE = 0
    people()
    house()
    opened()


def complained(number: str) -> None:
    event = ComplaintReceived(
        **game(), complaint=number, subject="payment", sheet=f"Folha {number}", received_at=ago(1)
    )
    write(event, by=PIT, at=ago(1))


def looked_again(page: Page, count: int) -> None:
    """Half a minute goes by, and the page has looked again."""
    page.clock.run_for(30_000)
    expect(page.locator("#todo strong")).to_have_text(str(count))


def test_it_is_off_until_it_is_switched_on_and_sounds_where_more_waits(
    floor: None, open_page: Open, complaints: list[str]
) -> None:
    page = open_page("/sala/todo/", office="chefia_da_sala", size=TABLET, stopped=True)
    page.evaluate(LISTEN)
    sound = page.locator("#sound")
    expect(sound).to_have_text("Som quando há algo novo por fazer: desligado")
    complained("RC-1")
    looked_again(page, 1)
    assert page.evaluate("window.heard") == 0
    sound.click()
    expect(sound).to_contain_text(": ligado")
    page.wait_for_function(HEARD, arg=TONES)  # so sounds what was switched on
    complained("RC-2")
    looked_again(page, 2)
    page.wait_for_function(HEARD, arg=2 * TONES)
    page.locator(".bar .back").click()
    expect(page.locator(".floor").first).to_be_visible()
    page.evaluate(LISTEN)
    complained("RC-3")
    looked_again(page, 3)
    page.wait_for_function(HEARD, arg=TONES)  # on another page, which nobody has touched
    page.locator("#todo").click()
    sound.click()
    expect(sound).to_contain_text(": desligado")
    page.evaluate(LISTEN)
    complained("RC-4")
    looked_again(page, 4)
    assert page.evaluate("window.heard") == 0
    assert complaints == []


def test_the_control_is_large_enough_and_there_with_a_script_alone(
    floor: None, open_page: Open, complaints: list[str]
) -> None:
    hand = Tablet(open_page("/sala/todo/", office="chefia_da_sala", size=TABLET))
    hand.look("#sound")
    plain = open_page("/sala/todo/", office="chefia_da_sala", size=TABLET, script=False)
    expect(plain.locator("#sound")).to_be_hidden()
    assert complaints == []
