"""A training exercise in a browser: begun, its next step beside the real screens, its end."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings as house_settings
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import TABLET, Open
from tests.factories.training_house import browser_of, founded, switched_on
from tests.stages import recorded_once

pytestmark = [pytest.mark.check, pytest.mark.needs_tool("chromium")]


def page_path(page: Any) -> str:
    """Of the page that is shown, without what was asked of it."""
    return str(urlsplit(page.url).path)


@recorded_once
def house() -> None:
    founded()


def test_an_exercise_is_done_beside_the_real_screens(
    house: None, live_server: Any, settings: Any, open_page: Open, complaints: list[str]
) -> None:
    switched_on(settings)
    server = LiveServer("localhost:0")  # the session's has the pages of a house in earnest
    try:
        page = open_page(f"{server.url}/sala/", size=TABLET)  # nobody yet
        name = house_settings.SESSION_COOKIE_NAME
        session = browser_of(language="pt-pt").cookies[name].value
        page.context.add_cookies([{"name": name, "value": session, "url": server.url}])
        page.goto(f"{server.url}/sala/")
        band = page.locator(".training-band")
        expect(band).to_have_text("TREINO — nada disto é a sério · TRAINING — none of this is real")
        page.get_by_role("link", name="Exercícios de treino").click()
        page.get_by_role("button", name="Um corte fora da vez").click()
        expect(page.get_by_role("heading", name="Um corte fora da vez 0/3")).to_be_visible()
        page.get_by_role("link", name="Ir para o ecrã").click()
        expect(page.locator(".training-strip summary")).to_have_text("Um corte fora da vez · 0/3")
        page.locator("button.primary").click()
        expect(page.locator(".training-strip summary")).to_have_text("Um corte fora da vez · 1/3")
        page.locator("button.primary").click()
        page.get_by_role("link", name="O que o livro diz").click()
        expect(page.get_by_role("status")).to_have_text(
            "Todos os passos estão registados, como a lei manda."
        )
        page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        expect(band).to_be_in_viewport()
        # What is held for a moment is written while the page stays: the strip follows it.
        settings.SALA_HOLD_SECONDS = 2
        page.get_by_role("button", name="O baralhador encrava").click()
        page.get_by_role("link", name="Ir para o ecrã").click()
        page.get_by_role("button", name="Uma carta presa").click()
        expect(page.locator(".held")).to_be_visible()
        expect(page.locator(".training-strip summary")).to_have_text("O baralhador encrava · 1/8")
        expect(page.locator(".training-strip a").first).to_have_attribute("href", page_path(page))
    finally:
        server.stop()
    assert complaints == []
