"""The pages as a person meets them: nothing refused by the policy, nothing too small to touch."""

import os
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from audit.case_events import ExplanationAsked, FindingNoted, FindingSettled
from audit.case_state import step_of, with_case
from audit.models import Finding, RunPart, RunSheet
from audit.runs.numbering import number
from casino.models import Account, Partida
from casino.recording import Actor
from tests.audit.reconciling import reconcile, wrote_findings
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import TABLET, Open
from tests.browser.looks import CONTRAST, LOOKS, TARGETS, VIEWS
from tests.factories.evenings import an_evening, partida_of
from tests.factories.findings import PEOPLE, RUN, a_run, finding, judged, people, write
from tests.factories.invented_rules import RULES
from tests.factories.official_texts import TEXT, received
from tests.gate import drawn, in_turn

pytestmark = [
    pytest.mark.needs_tool("chromium"),
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.share,
]
DAY = date(2025, 11, 20)
LIST = "/admin/audit/finding/"
SHOTS = os.environ.get("SHOTS")
SECRET = "a long secret of five words"


@pytest.fixture
def pages(fresh_db: str, live_server: Any) -> list[str]:
    """An address of every page, with something to see on each."""
    people()
    received(RULES)
    received(TEXT, DAY)
    entries = [receipt.entry_id for receipt in an_evening(wrong=(1, 2), close=False)]
    gravities = ("breach", "warning", "note")
    write(
        [
            finding(n, severity=gravities[n % 3], evidence=(str(entries[1]),), table=f"BJ-{n:02d}")
            for n in range(1, 41)
        ]
    )
    judged({"dealt_in_order": (0, 0, 3), "holder_decides": (4, 0, 0)}, day=DAY)
    timelines = (
        reverse("timeline-partida", args=[Partida.objects.get().partida_id]),
        reverse("timeline-table", args=["BJ-01"]),
    )
    compared = reconcile("compared", partida=partida_of(), rulebook="es")
    listed = compared, wrote_findings("es", partida_of())
    runs = [reverse("run", args=[one.run]) for one in listed]
    entry = Finding.objects.order_by("n").first()
    assert entry is not None
    return [*addresses_of(entry), *timelines, *runs]


def addresses_of(entry: Finding) -> list[str]:
    """The pages that are there in every such book, and those of one finding."""
    return [
        "/admin/",
        LIST,
        f"{LIST}?q=nothing-like-it",
        f"{LIST}{entry.pk}/change/",
        f"{LIST}?case_state=asked",
        *pages_of_cases(entry),
        "/law/pt/",
        "/law/pt/21/",
        "/law/es/jugadores/",
        "/law/pt/text/",
        "/law/pt/text/changes/",
        "/law/pt/readings/",
        "/rulebooks/",
        "/rulebooks/?part=rules&book=pt&book=es",
        "/rulebooks/examples/?from=fr",
        "/rulebooks/examples/00000000-0000-4000-8000-000000600005/",
        "/law/pt/undecided/",
        f"/law/pt/15/?from={DAY}",
        "/law/pt/undecided/?from=2020-01-01&to=2020-01-02",
        "/audit/owed/",
        "/audit/owed/?table=X",
        f"/audit/night/{DAY}/",
        "/audit/night/2020-01-01/",
        f"/audit/rates/?from={DAY}&to={DAY}",
        f"{LIST}?sort=money&severity=breach",
        "/audit/reports/",
        "/audit/reports/?pack=copy_table",
        "/book/compare/",
        "/admin/audit/reconciliation/",
        f"/reconciliations/{RUN}/",
        "/admin/password_change/",
    ]


def pages_of_cases(entry: Finding) -> list[str]:
    """What people did about findings, and the form of a decision."""
    steps = reverse("admin:audit_casestep_changelist")
    form = f"{steps}add/?kind=finding-decided&of={a_worked_case(entry).pk}"
    return [steps, form, reverse("admin:audit_casenote_changelist")]


def a_worked_case(entry: Finding) -> Finding:
    """Somebody asked, noted and paid; another finding of the cause is there to be asked of too."""
    number(UUID(RUN), Finding.objects.filter(run=RUN).values_list("key", flat=True))
    of_it = step_of(with_case(Finding.objects.filter(pk=entry.pk)).get())
    inspector = Actor(PEOPLE["inspetor"], "inspetor", "admin")
    asked = ExplanationAsked(
        **of_it, question="Porquê?", answer_by=datetime(2026, 1, 1, tzinfo=UTC)
    )
    write([asked, FindingNoted(**of_it, note="Ver a câmara 12.")], inspector)
    values = {"paid_cents": 1, "paid_to": "house", "means": "cash", "document": "Recibo 7"}
    manager = Actor(PEOPLE["chefia_da_sala"], "chefia_da_sala", "admin")
    write([FindingSettled(**of_it, **values)], manager)
    return entry


@in_turn("pages", VIEWS)
@pytest.mark.parametrize(("size", "language", "theme"), drawn(LOOKS, 1))
def test_no_page_breaks_the_policy_or_is_hard_to_read(
    pages: list[str],
    open_page: Open,
    complaints: list[str],
    theme: str,
    size: dict[str, int],
    language: str,
) -> None:
    page = open_page("/admin/", office="inspetor", size=size, theme=theme, language=language)
    for place in drawn(range(len(pages)), 12):
        address = pages[place]
        page.goto(address)
        assert page.evaluate(CONTRAST) == [], address
        assert violations_in_anything_new(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        expect(page.locator("html")).to_have_attribute(
            "lang", language[:2] + "-pt" * (language[:2] == "pt")
        )
    assert complaints == []


@pytest.mark.check
def test_on_a_tablet_everything_is_large_enough_to_touch(
    pages: list[str], open_page: Open, complaints: list[str]
) -> None:
    page = open_page("/admin/", office="inspetor", size=TABLET)
    for address in pages:
        page.goto(address)
        assert page.evaluate(TARGETS) == [], address
    page.goto("/admin/#rooms")
    assert page.evaluate(TARGETS) == []
    assert complaints == []


@pytest.mark.check
def test_a_phone_shows_every_page_without_a_bar_below(pages: list[str], open_page: Open) -> None:
    page = open_page("/admin/", office="inspetor", size={"width": 360, "height": 740})
    for address in pages:
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


@pytest.mark.check
def test_a_filter_is_kept_used_and_removed_by_taps(
    pages: list[str], open_page: Open, complaints: list[str]
) -> None:
    page = open_page(f"{LIST}?severity=breach", office="inspetor", size=TABLET)
    page.get_by_label("Nome do filtro").fill("Infrações")
    page.get_by_role("button", name="Guardar este filtro").click()
    expect(page.get_by_role("link", name="Infrações", exact=True)).to_be_visible()
    page.goto(LIST)
    page.get_by_role("link", name="Infrações", exact=True).click()
    expect(page.locator("select[name=severity]")).to_have_value("breach")
    page.get_by_role("button", name="Remover o filtro Infrações").click()
    expect(page.get_by_role("link", name="Infrações", exact=True)).to_have_count(0)
    assert complaints == []


@pytest.mark.check
def test_from_the_overview_what_is_owed_and_who_was_there_is_one_click(
    pages: list[str], open_page: Open
) -> None:
    page = open_page("/admin/", office="inspetor")
    page.get_by_role("link", name="A noite").click()
    expect(page.locator("h1")).to_contain_text("A noite de")
    for heading in ("Em dívida, e a quem", "Mesas"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()


def shoot(page: Page, name: str) -> None:
    """Leave a picture, where somebody wants to look at it."""
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png")


def log_in(page: Page, staff: str, secret: str) -> None:
    page.fill("#id_username", staff)
    page.fill("#id_password", secret)
    page.click("#login-form [type=submit]")


def test_somebody_logs_in_chooses_a_language_and_leaves(
    fresh_db: str, open_page: Open, complaints: list[str]
) -> None:
    people()
    account = Account.objects.get(staff="I-0021")
    account.set_password(SECRET)
    account.save()
    page = open_page("/admin/audit/finding/")
    log_in(page, "I-0021", "something else")
    expect(page.locator(".said.breach").first).to_be_visible()
    log_in(page, "I-0021", SECRET)
    expect(page).to_have_url(f"{page.url.split('/admin/')[0]}/admin/audit/finding/")
    expect(page.locator("h1")).to_have_text("Constatações")

    page.get_by_role("button", name="English").click()
    expect(page.locator("h1")).to_have_text("Findings")
    account.refresh_from_db()
    assert account.language == "en"
    page.get_by_role("button", name="Log out").click()
    page.goto("/admin/")
    expect(page).to_have_url(f"{page.url.split('/admin/')[0]}/admin/login/?next=/admin/")
    assert complaints == []


@pytest.mark.check
def test_the_language_of_the_account_comes_back_in_another_browser(
    fresh_db: str, open_page: Open
) -> None:
    people()
    account = Account.objects.get(staff="I-0021")
    account.set_password(SECRET)
    account.language = "en"
    account.save()
    page = open_page("/admin/", language="pt-PT")
    log_in(page, "I-0021", SECRET)
    expect(page.locator("h1").first).to_have_text("Overview")


@pytest.mark.check
def test_light_and_dark_can_be_chosen_and_are_remembered(
    pages: list[str], open_page: Open, complaints: list[str]
) -> None:
    page = open_page("/admin/", office="inspetor", theme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.locator(".theme-toggle").click()
    dark = page.evaluate(ground)
    assert light != dark
    page.goto("/law/pt/")
    assert page.evaluate(ground) == dark
    assert complaints == []


@pytest.mark.check
def test_the_menu_of_a_tablet_works_without_script(pages: list[str], open_page: Open) -> None:
    page = open_page("/admin/", office="inspetor", size=TABLET, script=False)
    rooms = page.locator("#rooms")
    expect(rooms).not_to_be_visible()
    page.get_by_role("link", name="Menu").click()
    expect(rooms).to_be_visible()
    rooms.get_by_role("link", name="Constatações").click()
    expect(page.locator("h1")).to_have_text("Constatações")


@pytest.mark.check
def test_filters_and_leafing_work_without_script(pages: list[str], open_page: Open) -> None:
    everything = Finding.objects.count()
    warnings = Finding.objects.filter(severity="warning").count()
    assert 0 < warnings < 25 < everything
    page = open_page(LIST, office="inspetor", script=False)
    rows, count = page.locator("#result_list tbody tr"), page.locator(".count strong")
    expect(rows).to_have_count(25)
    first = rows.first.inner_text()
    page.get_by_role("link", name="Mais antigas").click()
    expect(rows.first).not_to_have_text(first)
    expect(rows).to_have_count(min(25, everything - 25))
    page.get_by_label("Gravidade").select_option("warning")
    page.get_by_role("button", name="Aplicar").click()
    expect(count).to_have_text(f"{warnings} constatações")
    page.get_by_role("link", name="Limpar").click()
    expect(count).to_have_text(f"{everything} constatações")


@pytest.mark.check
def test_the_csv_comes_down_as_a_file(pages: list[str], open_page: Open) -> None:
    page = open_page(f"{LIST}?severity=warning", office="inspetor")
    with page.expect_download() as info:
        page.get_by_role("link", name="Dados (CSV)").click()
    assert info.value.suggested_filename == "findings-warning.csv"
    assert len(info.value.path().read_text("utf-8-sig").splitlines()) == 15


@pytest.mark.check
def test_a_keyboard_reaches_the_content_first(pages: list[str], open_page: Open) -> None:
    page = open_page(LIST, office="inspetor")
    page.keyboard.press("Tab")
    expect(page.locator(".skip-to-content-link")).to_be_focused()
    expect(page.locator(".skip-to-content-link")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#content-start")).to_be_focused()


@pytest.mark.check
def test_a_run_is_watched_to_its_end(fresh_db: str, open_page: Open, complaints: list[str]) -> None:
    people()
    now = datetime.now(UTC)
    sheet = RunSheet.objects.create(
        run=RUN,
        job="x",
        reason="asked",
        from_day=DAY,
        to_day=DAY,
        reach={},
        laws=[],
        as_of=now,
        code_version="1",
        parts_count=2,
        rounds_count=0,
        opened_at=now,
    )
    page = open_page(f"/reconciliations/{RUN}/", office="inspetor")
    expect(page.locator("progress")).to_have_attribute("value", "0")
    RunPart.objects.create(run=sheet, number=1, work={}, rounds_count=0, state="done")
    expect(page.locator(".said-progress")).to_have_text("1 de 2 partes")
    assert page.evaluate("document.querySelector('progress').value") == 50
    a_run(DAY)
    sheet.state = "finished"
    sheet.save()
    expect(page.get_by_role("heading", name="Terminada")).to_be_visible()
    assert complaints == []


A4 = {"width": 703, "height": 1020}  # what the margins leave of a sheet, in the pixels of a page


def test_what_is_printed_fits_a_sheet_and_nothing_lies_over_anything(
    pages: list[str], open_page: Open
) -> None:
    page = open_page(LIST, office="inspetor", size=A4)
    page.emulate_media(media="print")
    table = page.locator("#result_list")
    sheet = table.evaluate("one => one.parentElement.getBoundingClientRect().right")
    for column in table.locator("thead th").all():
        assert column.evaluate("one => one.getBoundingClientRect().right") <= sheet + 1
    states = table.locator(".field-state .mark")
    assert states.evaluate_all(
        "all => all.every(one => one.getBoundingClientRect().right <= innerWidth)"
    )
    shoot(page, "list-printed")
    game = Finding.objects.exclude(partida_id="").order_by("-n")[0]
    page.goto(f"{LIST}{game.pk}/change/")
    links = page.locator("dl.pairs dd:has(br) > a")
    assert links.count() == 2
    above, below = (links.nth(n).bounding_box() for n in (0, 1))
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"] + 1
    shoot(page, "finding-printed")


def test_no_column_of_the_findings_is_cut(pages: list[str], open_page: Open) -> None:
    for width in (1400, 1280, 920, 820):
        page = open_page(LIST, office="inspetor", size={"width": width, "height": 800})
        assert page.locator("#result_list").evaluate(
            "one => one.scrollWidth <= one.parentElement.clientWidth"
        ), width


def test_the_figures_of_the_overview_stay_in_their_tiles(pages: list[str], open_page: Open) -> None:
    for width in (1440, 1280, 1001, 820, 360):
        page = open_page("/admin/", office="inspetor", size={"width": width, "height": 800})
        shoot(page, f"overview-{width}")
        assert page.evaluate(
            "() => [...document.querySelectorAll('.room-figures li')].every("
            "one => one.scrollWidth <= one.clientWidth + 1)"
        ), width
        tops = page.locator(".room-figures li").evaluate_all(
            "all => new Set(all.map(one => Math.round(one.getBoundingClientRect().top))).size"
        )
        assert tops == (1 if width >= 1400 else 2 if width > 560 else 4), width
