"""The page of the machine as an administrador meets it: nobody looked, much wrong, all well."""

import json
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from casino import clock
from casino.host import machine_judging as judging
from casino.machine.host_findings import Report, Text, keep
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, TARGETS, awake
from tests.factories.findings import people
from tests.gate import drawn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
HOST: Final = "/host/"
GB: Final = 1024**3


def is_well(page: Page) -> None:
    """It can be read, touched, and stays within its sides."""
    awake(page)
    assert page.evaluate(CONTRAST) == []
    assert violations_in_anything_new(page) == []
    assert page.viewport_size == DESK or page.evaluate(TARGETS) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def report(*, well: bool) -> Report:
    """What the doctor says of a machine where nothing, or nearly everything, is wrong."""
    now = clock.now()
    far = Text("/var/backups/livro-da-sala não existe", "/var/backups/livro-da-sala is not there")
    path = "/etc/nginx/sites-available/livro-da-sala"
    findings = [
        judging.services({"livro-web.service": "active" if well else "failed", "nginx": "active"}),
        judging.disk("/var/lib/postgresql/15/livro", (30 if well else 3) * GB, 100 * GB),
        judging.clock("A,B,3,1,0.001,0,0,0,0,0,0,0,64.0,Normal" if well else None),
        judging.backup(json.dumps([{"backup": [{"timestamp": {"stop": now.timestamp()}}]}]), now),
        judging.certificate("nginx", now + timedelta(days=60 if well else 3), now, own=not well),
        judging.drill(None if not well else f'{{"at": "{now.isoformat()}", "exit": 0}}', now),
        judging.files([] if well else [path, path.replace("nginx", "rabbitmq")]),
        judging.ways_in([] if well else [far]),
    ]
    return Report(now, tuple(findings))


@pytest.mark.parametrize(
    ("size", "language", "theme"),
    drawn(list(product((DESK, TABLET), ("pt-PT", "en-GB"), ("light", "dark"))), 1),
)
def test_the_machines_page_can_be_read_and_touched(
    open_page: Open,
    complaints: list[str],
    settings: Any,
    tmp_path: Path,
    size: Any,
    language: str,
    theme: str,
) -> None:
    people()
    settings.HOST_REPORT = str(tmp_path / "report.json")
    page = open_page(HOST, office="administrador", size=size, language=language, theme=theme)
    expect(page.locator("[role=alert]")).to_be_visible()
    is_well(page)
    for well in (False, True):
        keep(report(well=well), tmp_path / "report.json")
        page.goto(HOST)
        is_well(page)
        assert (page.locator(".mark.breach").count() == 0) is well
    page.goto("/admin/")
    assert page.locator(f'a[href="{HOST}"]').count() >= 1, "the rail leads there"
    assert complaints == []
