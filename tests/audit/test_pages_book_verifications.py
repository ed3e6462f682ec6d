"""Verifications of the book on its pages: asked for, watched to their end, what they met."""

from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.test import Client
from django.urls import reverse

from audit.models import Verification, VerificationRun
from audit.verifying.run_verification import VERIFICATION
from casino import clock
from casino.models import JobOutbox
from casino.sealed import latest
from casino.tlog.checkpoint import Checkpoint
from casino.tlog.note import SigningKey, signed
from tests.factories.findings import PEOPLE, client_of, finding, people, said, write
from tests.factories.records import burnt, recorded
from tests.factories.sealed_book import Seal, seal_events
from tests.factories.verifications import of_the_book, verified

pytestmark = pytest.mark.share

BOOK = "/book/"
READS = {"fiscal_chefe", "chefia_da_sala", "inspetor", "auditor", "administrador"}
Connect = Callable[..., psycopg.Connection]


@pytest.fixture
def seal(fresh_db: str, connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    """A book of some people, its sequencer and its signer."""
    people()
    return Seal(connect_as, tmp_path / "public", settings)


def test_the_last_verification_stands_on_the_page(seal: Seal) -> None:
    client = client_of("chefia_da_sala")
    assert "nunca foi verificado" in said(client, BOOK)
    verified()
    assert "Sem problemas; comparado só consigo próprio" in said(client, BOOK)
    listed = said(client_of("inspetor"), reverse("admin:audit_verification_changelist"))
    assert "Sem problemas; comparado só consigo próprio" in listed
    assert "CONCORDA CONSIGO PRÓPRIO" in said(client, BOOK)
    run = verified(2)
    assert "2 problemas" in said(client, BOOK)
    assert f"/book/verifications/{run}/" in client.get(BOOK).content.decode()


def test_open_findings_of_the_book_are_counted_and_led_to(seal: Seal) -> None:
    write([finding(1), of_the_book(2, str(uuid4()))])
    client = client_of("inspetor")
    assert "1 constatação aberta sobre o próprio livro" in said(client, BOOK)
    url = client.get(BOOK).context["findings_url"]
    assert client.get(url).context["cl"].result_count == 1
    assert client_of("administrador").get(BOOK).context["findings_url"] == ""


def test_a_verification_is_asked_for_once(seal: Seal) -> None:
    client = client_of("inspetor")
    first = client.post(f"{BOOK}verify/")["Location"]
    assert client_of("auditor").post(f"{BOOK}verify/")["Location"] == first
    run = VerificationRun.objects.get()
    assert run.asked_by == PEOPLE["inspetor"]
    assert JobOutbox.objects.filter(key=run.job).exists()
    assert first in client.get(BOOK).content.decode()


def test_a_verification_is_watched_to_its_end(seal: Seal) -> None:
    client = client_of("inspetor")
    address = client.post(f"{BOOK}verify/")["Location"]
    page = client.get(address)
    assert page.context["under_way"]
    assert b'http-equiv="refresh"' in page.content
    assert "espera por um executor" in said(client, address)
    sheet = VerificationRun.objects.get()
    first = client.get(f"{address}progress/")
    assert first.json() == {
        "state": "open",
        "per_cent": 0,
        "said": "espera por um executor",
    }
    again = client.get(f"{address}progress/", headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304
    sheet.began_at, sheet.phase = clock.now(), "entries"
    sheet.done, sheet.total, sheet.entries, sheet.size = 250, 1000, 500, 2000
    sheet.save()
    now = client.get(f"{address}progress/", headers={"if-none-match": first["ETag"]}).json()
    assert (now["state"], now["per_cent"]) == ("open", 25)
    assert "500 de 2" in now["said"]
    sheet.state, sheet.ended_at = "finished", clock.now()
    sheet.save()
    verified(run=str(sheet.run))
    assert client.get(f"{address}progress/").json()["state"] == "ended"
    page = said(client, address)
    assert "CONCORDA CONSIGO PRÓPRIO: nada contradiz o livro" in page
    assert "ntacto" not in page
    assert not client.get(address).context["under_way"]


def test_who_asked_and_what_it_was_held_against_stand_in_the_entry(seal: Seal) -> None:
    """Not in the run's row, which anybody who holds the database may change."""
    seal_events(12)
    seal.sign()
    newest = latest()
    assert newest is not None
    kept = newest.note
    seal_events(5)
    seal.sign()
    client = client_of("inspetor")
    address = walked(client, kept.replace("\n", "\r\n"))
    VerificationRun.objects.update(asked_by="S-9999")
    page = said(client, address)
    assert PEOPLE["inspetor"] in page
    assert "S-9999" not in page
    assert f"INTACTO nos primeiros {newest.size} de {newest.size + 5} registos" in page
    recorded_of = Verification.objects.get()
    assert (recorded_of.asked_by, recorded_of.kept) == (PEOPLE["inspetor"], newest.size)
    assert f"continua o ponto de controlo guardado de {newest.size} registos" in said(client, BOOK)


def test_another_books_checkpoint_is_told_with_its_figures(seal: Seal) -> None:
    seal_events(12)
    seal.sign()
    foreign = Checkpoint("outro.example/sala/1", 41_203, bytes(32)).text()
    note = signed(foreign, [SigningKey.generate("outro.example/sala/1")])
    page = said(client_of("inspetor"), walked(client_of("inspetor"), note))
    assert "de 41203 registos que guardou é de outro livro: outro.example/sala/1" in page
    assert "–" not in page.partition("outro.example")[0][-200:]
    assert "Não foi comparado: um ponto de controlo guardado fora da casa, recibos" in page


def test_a_kept_checkpoint_that_is_none_starts_nothing(seal: Seal) -> None:
    client = client_of("inspetor")
    answer = client.post(f"{BOOK}verify/", {"checkpoint": "nada"}, follow=True)
    assert "Não é um ponto de controlo" in unescape(answer.content.decode())
    assert not VerificationRun.objects.exists()


def test_problems_are_listed_with_their_findings(seal: Seal) -> None:
    run = str(uuid4())
    write([of_the_book(1, run), of_the_book(2, str(uuid4()))])
    verified(1, run)
    client = client_of("inspetor")
    problems = client.get(f"{BOOK}verifications/{run}/").context["problems"]
    assert len(problems) == 1
    assert client.get(problems[0].url).status_code == 200
    assert "1 problema" in said(client, f"{BOOK}verifications/{run}/")


def walked(client: Client, kept: str = "") -> str:
    """A verification of the real book, asked for on the page and done by a worker; its page."""
    address: str = client.post(f"{BOOK}verify/", {"checkpoint": kept})["Location"]
    run = VerificationRun.objects.get(state="open")
    while VerificationRun.objects.get(run=run.run).state == "open":
        assert VERIFICATION.do_part(run.run, VerificationRun.objects.get(run=run.run).part)
    return address


def test_the_real_book_is_verified_and_what_was_altered_is_listed(
    seal: Seal, connect_as: Connect
) -> None:
    seal_events(30)
    receipt = recorded(burnt(2))
    seal.sign()
    client = client_of("inspetor")
    page = client.get(walked(client)).context
    assert (page["result"].problems, page["problems"]) == (0, [])
    assert page["unseen"]  # the schema was never recorded here
    with connect_as("postgres") as book:
        book.execute("ALTER TABLE book_entry DISABLE TRIGGER ALL")
        book.execute(
            "UPDATE book_entry SET entry = convert_to(replace(convert_from(entry, 'UTF8'),"
            " '\"cards\":2', '\"cards\":3'), 'UTF8') WHERE id = %s",
            [receipt.entry_id],
        )
    for again in range(2):  # the second time the findings stand already
        found = client.get(walked(client)).context["problems"]
        assert found, again
        altered = [one for one in found if ("registo", str(receipt.n)) in one.place]
        assert altered
        for one in altered:
            assert receipt.stream in dict(one.place).values()
            assert one.text in unescape(said(client, one.url))
    assert not client.get(BOOK).context["well"]
    assert "Requer atenção" in said(client, BOOK)


def test_a_verification_that_was_given_up_says_so(seal: Seal) -> None:
    client = client_of("inspetor")
    address = client.post(f"{BOOK}verify/")["Location"]
    VerificationRun.objects.update(state="failed", ended_at=clock.now())
    assert "Não terminou" in said(client, address)


@pytest.mark.parametrize("office", PEOPLE)
def test_who_may_watch_a_verification(seal: Seal, office: str) -> None:
    run = verified()
    opens = 200 if office in READS else 403
    assert client_of(office).get(f"{BOOK}verifications/{run}/").status_code == opens
    missing = client_of(office).get(f"{BOOK}verifications/{uuid4()}/progress/")
    assert missing.status_code == (404 if office in READS else 403)
