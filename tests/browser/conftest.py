"""A real browser before a real server: Debian's Chromium, driven by Playwright.

Whatever a page says on the console counts as a failure: under the strict policy anything refused is
said there. One browser and one server serve all tests of a worker; each test has a profile of its
own. No wait has a time-out of its own: all have that of patience.py.

In `make test` there is a journey for each role, and each template is looked at by axe once; `make
check` looks at every page in every size and theme.
"""

import os
import shutil
from collections.abc import Callable, Generator
from typing import Any, Final

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)

from casino.models import Account
from tests.factories.findings import PEOPLE
from tests.patience import PATIENCE

# Playwright keeps a loop in this thread, and Django would refuse to ask the database beside one.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
MILLISECONDS: Final = PATIENCE * 1000
expect.set_options(timeout=MILLISECONDS)

FLAGS: Final = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions")
DESK: Final = {"width": 1280, "height": 900}
TABLET: Final = {"width": 820, "height": 1180}
NOON: Final = 1_764_000_000  # seconds since 1970: what a stopped clock shows first
Open = Callable[..., Page]


@pytest.fixture(scope="session")
def chromium() -> Generator[Browser]:
    """One browser for the session; every test gets a profile of its own in it."""
    program = shutil.which("chromium")
    assert program, "the test that asks for a browser is not marked needs_tool('chromium')"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> list[str]:
    """What the pages of a test said on the console, or threw; has to be empty at its end."""
    return []


@pytest.fixture
def open_page(chromium: Browser, live_server: Any, complaints: list[str]) -> Generator[Open]:
    """``open_page("/admin/", office="inspetor", size=TABLET, theme="dark", script=False)``.

    With `touch` it is touched (``page.touchscreen``).
    With `stopped` the page's clock and its timers stand still until ``page.clock`` moves them;
    axe waits for timers, and so for ever.
    """
    profiles: list[BrowserContext] = []

    def open_one(
        address: str,
        *,
        office: str | None = None,
        size: dict[str, int] = DESK,
        theme: str = "light",
        language: str = "pt-PT",
        script: bool = True,
        stopped: bool = False,
        touch: bool = False,
    ) -> Page:
        profile = chromium.new_context(
            base_url=live_server.url, viewport=size, color_scheme=theme, locale=language,
            java_script_enabled=script, has_touch=touch,
        )  # fmt: skip
        profiles.append(profile)
        profile.set_default_timeout(MILLISECONDS)
        if office is not None:
            profile.add_cookies([{
                "name": settings.SESSION_COOKIE_NAME, "value": session_of(office),
                "url": live_server.url,
            }])  # fmt: skip
        page = profile.new_page()
        page.on("console", lambda message: complain(message, complaints))
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        page.on("requestfailed", lambda request: give_up(request, complaints))
        if stopped:
            page.clock.install(time=NOON - 1)
            page.clock.pause_at(NOON)
        page.goto(address)
        return page

    yield open_one
    for profile in profiles:
        profile.close()


def complain(message: ConsoleMessage, complaints: list[str]) -> None:
    """Keep what is an error or a warning."""
    if message.type in ("error", "warning"):
        complaints.append(f"{message.type}: {message.text}")


def give_up(request: Request, complaints: list[str]) -> None:
    """Keep a request that failed, unless the page was left before its answer came."""
    if request.failure != "net::ERR_ABORTED":
        complaints.append(f"{request.url}: {request.failure}")


def session_of(office: str) -> str:
    """The session in which the holder of an office is logged in."""
    client = Client()
    client.force_login(Account.objects.get(staff=PEOPLE[office]))
    return client.cookies[settings.SESSION_COOKIE_NAME].value
