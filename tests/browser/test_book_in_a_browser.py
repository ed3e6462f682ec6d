"""The book's pages as an inspector meets them, a receipt on paper, a photograph with an incident.

BOOK_SHOTS names a folder into which every page is photographed.
"""

import json
import os
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from playwright.sync_api import Page, expect

from audit.events import BookVerified
from audit.models import Export, VerificationRun
from casino import clock, sequencer
from casino.events.event import EntryRef
from casino.events.incidents import IncidentReported
from casino.events.sealing import EpochBegun
from casino.models import Attachment
from casino.recording import File, Source, record
from casino.tlog.policy import Policy
from tests.browser.axe import violations_in_anything_new
from tests.browser.conftest import DESK, TABLET, Open
from tests.browser.looks import CONTRAST, LOOKS, TARGETS, VIEWS
from tests.factories.erasures import erased
from tests.factories.events.every import FULL
from tests.factories.findings import finding, people, write
from tests.factories.people import write as put
from tests.factories.recorded import last_entry
from tests.factories.records import EVENING, MANAGER, PARTIDA, PIT, burnt, hired, recorded
from tests.factories.sealed_book import Seal, seal_events
from tests.gate import drawn, in_turn

pytestmark = [pytest.mark.needs_tool("chromium"), pytest.mark.usefixtures("fresh_db")]
SHOTS = os.environ.get("BOOK_SHOTS")
PHONE = {"width": 360, "height": 740}
BOOK = "/book/"
PNG = bytes.fromhex(  # one dark dot
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763"
    "6060600000000400011f0d6c9c0000000049454e44ae426082"
)
Connect = Callable[..., psycopg.Connection]


@pytest.fixture
def seal(
    fresh_db: str, live_server: Any, connect_as: Connect, tmp_path: Path, settings: Any
) -> Seal:
    """A book of some people, its sequencer and its signer."""
    people()
    return Seal(connect_as, tmp_path / "public", settings)


def shot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)


def incident(**values: Any) -> IncidentReported:
    about = {"incident": "IN-2026-0007", "category": "damaged_card", "reason": "torn"}
    return IncidentReported(table="BJ-06", people=(), **about | values)


def with_files() -> str:
    files = (File(PNG), File("Sete de ouros rasgado às 22:10".encode()))
    receipt = record(
        incident(), key=uuid4(), by=PIT, occurred_at=EVENING, source=Source(), files=files
    )
    return f"/admin/casino/incident/{receipt.entry_id}/"


def of_the_book(number: int, run: str) -> Any:
    return finding(
        number,
        rulebook="house",
        article="house.book",
        check="book_whole",
        table="BJ-06",
        evidence=(),
        where={"stream": "table/BJ-06", "n": 7, "index": 13},
        observed={"problem": "tile-leaf", "tile": f"{number}"},
        expected={},
        readings=(),
        owed_cents=0,
        owed_to=None,
        run=run,
    )


def verified(problems: int = 0) -> str:
    run = str(uuid4())
    write([BookVerified(size=1306, entries=1306, problems=problems, why="nightly", run=run)])
    if problems:
        write([of_the_book(n, run) for n in range(problems)])
    return run


@pytest.fixture
def pages(seal: Seal) -> dict[str, str]:
    """An address of every page, with something to see on each."""
    seal_events(1300)
    named = recorded(hired(), by=MANAGER)
    put(FULL[EpochBegun.kind])
    files = with_files()
    erased(EntryRef(stream=named.stream, n=named.n, leaf=named.leaf), "name")
    checkpoint = seal.sign()
    seal.cosign(checkpoint, int(clock.now().timestamp()))
    seal.publish(seal.witnessed_policy())
    sound, broken = verified(), verified(2)
    sheet = VerificationRun.objects.create(
        run=uuid4(),
        job="x",
        why="asked",
        asked_by="I-0021",
        asked_at=clock.now(),
        began_at=clock.now(),
        phase="entries",
        done=400,
        total=1000,
        entries=520,
        size=1306,
    )
    young = recorded(burnt())
    card = last_entry("card-burned/1")
    epoch = last_entry(EpochBegun.kind)
    entry = files.rsplit("/", 2)[1]
    return {
        "book": BOOK,
        "proof": f"{BOOK}entries/{entry}/",
        "proof-erased": f"{BOOK}entries/{named.entry_id}/",
        "proof-waiting": f"{BOOK}entries/{young.entry_id}/",
        "verification-under-way": f"{BOOK}verifications/{sheet.run}/",
        "verification-intact": f"{BOOK}verifications/{sound}/",
        "verification-problems": f"{BOOK}verifications/{broken}/",
        "verifications": "/admin/audit/verification/",
        "exports": "/admin/audit/export/",
        "entry-with-files": files,
        "receipt": f"/admin/casino/bookentry/{entry}/receipt/",
        "entry": f"/admin/casino/burn/{card.pk}/",
        "epochs": "/admin/casino/epoch/",
        "epoch": f"/admin/casino/epoch/{epoch.pk}/",
    }


FORMS = {
    "fiscal_chefe": {"form-with-files": "/admin/casino/incident/add/"},
    "administrador": {
        "form-key": "/admin/casino/signingkey/add/",
        "form-epoch": "/admin/casino/epoch/add/",
        "book-as-administrator": BOOK,
    },
    "chefia_da_sala": {"form-approval": "/admin/casino/epochapproval/add/"},
}


@in_turn("book", VIEWS)
@pytest.mark.parametrize(("size", "language", "theme"), drawn(LOOKS, 1))
def test_every_page_can_be_touched_and_read(
    pages: dict[str, str],
    open_page: Open,
    complaints: list[str],
    size: dict[str, int],
    language: str,
    theme: str,
) -> None:
    wrong: list[str] = []
    for office, addresses in {"inspetor": pages, **FORMS}.items():
        page = open_page("/admin/", office=office, size=size, theme=theme, language=language)
        for name in drawn(addresses, 6):
            page.goto(addresses[name])
            shot(page, f"{name}-{size['width']}-{language[:2]}-{theme}")
            if size == TABLET:
                wrong += [f"{name}: {one}" for one in page.evaluate(TARGETS)]
            wrong += [f"{name}: {one}" for one in page.evaluate(CONTRAST)]
            wrong += [f"{name}: {one}" for one in violations_in_anything_new(page)]
            if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
                wrong.append(f"{name}: a bar below")
    assert wrong == []
    assert complaints == []


@pytest.mark.check
def test_a_phone_shows_every_page_without_a_bar_below(
    pages: dict[str, str], open_page: Open
) -> None:
    page = open_page("/admin/", office="inspetor", size=PHONE)
    for name, address in pages.items():
        page.goto(address)
        shot(page, f"{name}-360")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


@pytest.mark.check
@pytest.mark.parametrize(("size", "language"), [(DESK, "pt-PT"), (TABLET, "en-GB")])
def test_what_is_wrong_with_the_book_can_be_read(
    seal: Seal,
    open_page: Open,
    connect_as: Connect,
    complaints: list[str],
    monkeypatch: pytest.MonkeyPatch,
    size: dict[str, int],
    language: str,
) -> None:
    name = f"{size['width']}-{language[:2]}"
    page = open_page(BOOK, office="inspetor", size=size, language=language)
    shot(page, f"book-unsigned-{name}")
    refused = {"code": "shorter", "own_size": 41203, "own_root": "ab" * 32, "found_size": 41180,
               "found_root": "cd" * 32, "since": "2026-11-21T10:00:00Z",
               "why": "the tree has 41180 entries; 41203 were signed: entries were lost or taken"
               " away (an older database was restored?)."}  # fmt: skip
    seal_events(3)
    receipt = recorded(burnt(2))
    seal.sign()
    seal_events(5)
    sequencer.integrate()
    seal_events(2)
    (seal.public / "refused").write_text(json.dumps(refused))
    later = clock.now() + timedelta(hours=5)
    monkeypatch.setattr(clock, "now", lambda: later)
    page.goto(BOOK)
    expect(page.locator(".said.breach").first).to_be_visible()
    shot(page, f"book-refused-{name}")
    faint = page.evaluate(CONTRAST)
    with connect_as("postgres") as book:
        book.execute("ALTER TABLE book_entry DISABLE TRIGGER ALL")
        book.execute(
            "UPDATE book_entry SET entry = convert_to(replace(convert_from(entry, 'UTF8'),"
            " '\"cards\":2', '\"cards\":3'), 'UTF8') WHERE id = %s",
            [receipt.entry_id],
        )
    seal.publish(Policy((seal.key.verifier(),)))
    page.goto(f"{BOOK}entries/{receipt.entry_id}/")
    expect(page.locator(".said.breach")).to_be_visible()
    shot(page, f"proof-altered-{name}")
    faint += page.evaluate(CONTRAST)
    assert faint == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert complaints == []


@pytest.mark.check
def test_a_verification_is_started_and_watched_to_its_end(
    seal: Seal, open_page: Open, complaints: list[str]
) -> None:
    seal.sign()
    page = open_page(BOOK, office="inspetor")
    page.get_by_role("button", name="Verificar agora").click()
    expect(page.locator("progress")).to_have_attribute("value", "0")
    sheet = VerificationRun.objects.get()
    sheet.began_at, sheet.phase = clock.now(), "entries"
    sheet.done, sheet.total, sheet.entries, sheet.size = 1, 2, 3, 6
    sheet.save()
    expect(page.locator(".said-progress")).to_contain_text("3 de 6 registos")
    assert page.evaluate("document.querySelector('progress').value") == 50
    write([BookVerified(size=6, entries=6, problems=0, why="asked", run=str(sheet.run))])
    sheet.state, sheet.ended_at = "finished", clock.now()
    sheet.save()
    expect(page.get_by_role("heading", name="Concorda consigo próprio")).to_be_visible()
    assert complaints == []


@pytest.mark.check
def test_a_verification_is_watched_without_script(seal: Seal, open_page: Open) -> None:
    page = open_page(BOOK, office="auditor", script=False)
    page.get_by_role("button", name="Verificar agora").click()
    expect(page.locator("progress")).to_be_visible()
    assert page.locator("noscript").count() == 0 or "refresh" in page.content()


def test_a_proof_is_taken_away(seal: Seal, open_page: Open, complaints: list[str]) -> None:
    receipt = recorded(burnt())
    seal.sign()
    page = open_page(f"/admin/casino/burn/{receipt.entry_id}/", office="inspetor")
    page.get_by_role("link", name="Prova", exact=True).click()
    with page.expect_download() as down:
        page.get_by_role("button", name="table-BJ-06-1.tlog-proof").click()
    assert down.value.suggested_filename == "table-BJ-06-1.tlog-proof"
    assert down.value.path().read_text("utf-8").startswith("c2sp.org/tlog-proof@v1")
    assert Export.objects.get().extent == "record"
    assert complaints == []


@pytest.mark.check
def test_a_receipt_fits_on_one_page(seal: Seal, open_page: Open, complaints: list[str]) -> None:
    receipt = recorded(burnt())
    seal.sign()
    address = f"/admin/casino/bookentry/{receipt.entry_id}/receipt/"
    page = open_page(address, office="fiscal_chefe", theme="dark")
    printed = page.pdf(format="A5", path=Path(SHOTS) / "receipt.pdf" if SHOTS else None)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    page.emulate_media(media="print")
    shot(page, "receipt-on-paper")
    expect(page.locator("#header")).not_to_be_visible()
    expect(page.locator(".qr")).to_be_visible()
    code = page.locator(".qr").bounding_box()
    assert code is not None
    assert code["width"] == pytest.approx(189, abs=2)  # 5 cm
    for part in (".receipt", ".slip .large"):
        colour = page.locator(part).first.evaluate("e => getComputedStyle(e).color")
        assert colour == "rgb(0, 0, 0)", part
    assert complaints == []


@pytest.mark.check
@pytest.mark.parametrize("script", drawn([True, False], 1))
def test_a_photograph_survives_a_warning(
    seal: Seal, open_page: Open, complaints: list[str], script: bool
) -> None:
    put(FULL["partida-opened/1"], by=PIT, at=EVENING)
    page = open_page(
        "/admin/casino/incident/add/", office="fiscal_de_banca", size=TABLET, script=script
    )
    page.locator("[name=table]").fill("BJ-06")
    page.locator("[name=partida]").fill(PARTIDA)
    page.locator("[name=occurred_at]").fill("2026-11-20T21:15:00")
    page.locator("[name=category]").select_option("jam")
    page.locator("[name=reason]").fill("torn")
    page.locator("#content details > summary").first.click()
    page.locator("[name=shuffler]").fill("CSM-04")
    page.locator("[name=opened_at]").fill("2026-11-20T21:15:00")
    page.locator("[name=opened_by]").fill("P-104")
    page.locator("[name=opened_by_office]").select_option("pagador")
    page.locator("[name=files]").set_input_files(
        [
            {"name": "carta.png", "mimeType": "image/png", "buffer": PNG},
            {"name": "programa.exe", "mimeType": "image/png", "buffer": b"MZ\x90\x00"},
        ]
    )
    page.locator(".submit-row .act").click()
    expect(page.locator("#errors")).to_contain_text("programa.exe")
    expect(page.locator(".waiting-files")).to_contain_text("carta.png")
    if script:
        shot(page, "form-file-refused-820")
        assert page.evaluate(TARGETS) == []
    page.locator(".submit-row .act").click()
    expect(page.locator(".warned").first).to_be_visible()
    expect(page.locator(".waiting-files")).to_contain_text("carta.png")
    if script:
        shot(page, "form-file-warned-820")
    for choice in page.locator(".despite select").all():
        choice.select_option("it-happened-so")
    page.locator(".submit-row .act").click()
    expect(page.locator(".messagelist").get_by_role("link", name="Recibo")).to_be_visible()
    if script:
        shot(page, "recorded-820")
    assert bytes(Attachment.objects.get().content or b"") == PNG
    with page.expect_download() as down:
        page.get_by_role("link", name="Descarregar").click()
    assert down.value.path().read_bytes() == PNG
    page.locator(".messagelist").get_by_role("link", name="Recibo").click()
    expect(page.locator(".receipt .qr")).to_be_visible()
    assert complaints == []


@pytest.mark.check
def test_too_many_wrong_passwords_are_told(seal: Seal, open_page: Open) -> None:
    from casino.models import LoginTry
    from casino.web.entrance import whose_try
    from casino.web.login.throttle import TRIES, WINDOW

    page = open_page("/admin/login/")
    page.fill("#id_username", "I-0021")
    page.fill("#id_password", "wrong")
    page.click("#login-form [type=submit]")
    row = LoginTry.objects.get(counts_until__lt=clock.now() + WINDOW)  # the others count for longer
    assert row.whose != whose_try("I-0021", None)
    for _ in range(TRIES):
        row.pk = uuid4()
        row.save(force_insert=True)
    page.fill("#id_password", "wrong")
    page.click("#login-form [type=submit]")
    expect(page.locator(".said.breach")).to_contain_text("15 minutos")
    shot(page, "login-too-many")
