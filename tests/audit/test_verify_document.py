"""Anybody verifies a document: what is true, altered, unknown, another house's; and nothing kept.

What is altered is altered in one byte, or in one part with all else made to fit.
"""

import io
import json
import re
import subprocess
import sys
import zlib
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509 import load_pem_x509_certificate
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DictionaryObject, NameObject, TextStringObject

from audit.models import ReportIssue, ReportRequest
from audit.reports import book_evidence, check_document, verify_page
from audit.reports.check_document import examined, judge
from audit.reports.pdf_seal import SealCertificate, completed, prepared
from audit.reports.typesetting import code_text, typeset_volumes
from audit.reports.verify_page import TRIES
from casino import clock
from casino.models import BookEntry, LoginTry
from casino.tlog.canonical import canonical
from tests.audit.reconciling import reconcile
from tests.casino.signer_house import SignerHouse
from tests.factories.findings import client_of
from tests.factories.reported import PEM, Desk, a_night, certificate, p256
from tests.gate import ROOT
from tests.stages import recorded_once

Connect = Callable[..., psycopg.Connection]
pytestmark = pytest.mark.share
PAGE = "/verify/"


@recorded_once
def night() -> None:
    a_night()
    reconcile("night")


@pytest.fixture
def desk(
    night: None,
    fresh_db: str,
    tmp_path: Path,
    database_environment: dict[str, str],
    connect_as: Connect,
    settings: Any,
) -> Desk:
    return Desk(SignerHouse(tmp_path, database_environment, connect_as), settings)


def brought(pdf: bytes, language: str = "en", client: Client | None = None) -> Any:
    """What the page answers to whoever is not logged in and brings a file."""
    file = SimpleUploadedFile("segredo.pdf", pdf, "application/pdf")
    return (client or Client()).post(f"{PAGE}?lang={language}", {"document": file})


def verdict(pdf: bytes) -> tuple[str, dict[str, str]]:
    """What is to be said of a file held against the book, and of each of its parts."""
    file = examined(pdf)
    said, parts = judge(file, book_evidence.held_by_book(file))
    return said, {part.part: part.code for part in parts}


def heading(answer: Any) -> str:
    found = re.search(r'<h2><span role="status".*?</svg>(.*?)</span>', answer.text, re.DOTALL)
    assert found, answer.text
    return found[1].strip()


def sealed_by(pdf: bytes, name: str, key: Any = None, own: Any = None) -> bytes:
    """A PDF under another seal, made as ours is made."""
    key = key or p256()
    own = own or certificate(name, key)
    held = SealCertificate.of_pem(own.public_bytes(PEM))
    ready = prepared(pdf, held, clock.now(), name="Seal")
    return completed(ready, key.sign(ready.attributes, ec.ECDSA(hashes.SHA256())), held)


def plain(script: str = "", password: str = "") -> bytes:
    """A PDF of nobody's."""
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    if script:
        action = DictionaryObject()
        action[NameObject("/S")] = NameObject("/JavaScript")
        action[NameObject("/JS")] = TextStringObject(script)
        writer.root_object[NameObject("/OpenAction")] = action
    if password:
        writer.encrypt(password)
    kept = io.BytesIO()
    writer.write(kept)
    return kept.getvalue()


def exchanged(row: ReportRequest, **parts: bytes) -> bytes:
    """The pages of a report made with another JSON or other proofs, without a seal."""
    document = parts.get("document", bytes(row.document or b""))
    proofs = parts.get("proofs", bytes(row.proofs or b""))
    digest = sha256(document).hexdigest()
    return next(typeset_volumes(document, proofs, digest, sealed=True)).pdf


def test_a_true_report_is_valid(desk: Desk) -> None:
    row = desk.make("nonconformity")
    pdf = desk.download(row)
    before = BookEntry.objects.count()
    for language, word in (("en", "Valid"), ("pt-pt", "Válido")):
        answer = brought(pdf, language)
        assert (answer.status_code, heading(answer)) == (200, word)
        assert not answer.cookies
    assert row.number in answer.text
    assert "TEST sala.example" in answer.text
    assert "CERTIFICADO DE TESTE" in answer.text
    assert "Sem selo temporal" in answer.text
    assert BookEntry.objects.count() == before
    assert verdict(pdf) == (
        "valid",
        {
            "certificate": "demo",
            "checkpoint": "kept",
            "json": "issued",
            "proofs": "proved",
            "seal": "kept",
            "stamp": "none",
        },
    )


def test_one_byte_of_the_pages_is_found(desk: Desk) -> None:
    pdf = bytearray(desk.download(desk.make()))
    start = pdf.index(b"stream", len(pdf) // 3) + 40
    pdf[start] ^= 1
    said, parts = verdict(bytes(pdf))
    assert (said, parts["seal"]) == ("altered", "content")
    assert heading(brought(bytes(pdf), "pt-pt")) == "Alterado"


def test_one_byte_of_the_signature_is_found(desk: Desk) -> None:
    pdf = bytearray(desk.download(desk.make()))
    place = pdf.index(b"/Contents <") + len(b"/Contents <")
    length = 2 * (4 + int(pdf[place + 4 : place + 8], 16))  # a DER sequence of two bytes' length
    last = place + length - 3  # the signature's own bytes end the structure
    pdf[last] = ord("0") if pdf[last] != ord("0") else ord("1")
    said, parts = verdict(bytes(pdf))
    assert (said, parts["seal"]) == ("altered", "signature")


def test_one_byte_of_the_json_is_found(desk: Desk) -> None:
    """Whether in the file, or with the file made to fit but for the seal."""
    row = desk.make()
    pdf = desk.download(row)
    inside = (
        pdf.index(b"/Type/EmbeddedFile") if b"/Type/EmbeddedFile" in pdf else pdf.index(b"json")
    )
    flipped = bytearray(pdf)
    flipped[pdf.index(b"stream", inside) + 60] ^= 1
    said, parts = verdict(bytes(flipped))
    assert (said, parts["seal"]) == ("altered", "content")
    value = json.loads(bytes(row.document or b""))
    value["title"] += "."
    said, parts = verdict(exchanged(row, document=canonical(value)))
    assert (said, parts["seal"], parts["json"]) == ("altered", "stripped", "never")


def test_one_proof_exchanged_is_named(desk: Desk) -> None:
    row = desk.make("nonconformity")
    listed = json.loads(bytes(row.proofs or b""))
    one = listed["proofs"][0]
    one["proof"] = listed["proofs"][1]["proof"]
    pdf = exchanged(row, proofs=canonical(listed))
    said, parts = verdict(pdf)
    assert (said, parts["proofs"], parts["json"]) == ("altered", "refused", "issued")
    assert f"{one['entry']['stream']} {one['entry']['n']}" in brought(pdf).text


def test_another_seal_on_our_report_is_found(desk: Desk) -> None:
    """A whole seal proves nothing of itself: the book asked for no such seal."""
    row = desk.make()
    pdf = sealed_by(exchanged(row), "Somebody else")
    assert verdict(pdf)[0] == "altered"
    assert verdict(pdf)[1]["seal"] == "foreign"
    assert "Somebody else" in brought(pdf).text
    key = load_pem_private_key((desk.house.at.seal / "key.pem").read_bytes(), None)
    own = load_pem_x509_certificate((desk.house.at.seal / "certificate.pem").read_bytes())
    pdf = sealed_by(exchanged(row), "", key, own)
    assert verdict(pdf)[1]["seal"] == "unasked", "even the house's own key seals nothing unseen"


def test_what_was_added_after_the_seal_is_found(desk: Desk) -> None:
    pdf = desk.download(desk.make())
    writer = IncrementalPdfFileWriter(io.BytesIO(pdf))
    writer.root["/Added"] = writer.root.raw_get("/Pages")
    writer.update_root()
    kept = io.BytesIO()
    writer.write(kept)
    said, parts = verdict(kept.getvalue())
    assert (said, parts["seal"]) == ("altered", "added")
    assert verdict(pdf + b"\n% a line")[0] == "altered"


def test_a_report_of_another_house_is_named(desk: Desk) -> None:
    row = desk.make()
    value = json.loads(bytes(row.document or b""))
    value["checkpoint"]["origin"] = "outra.example/sala"
    value["checkpoint"]["root"] = "ab" * 32
    value["entries"] = []
    proofs = canonical({"format": "livro-da-sala-proofs/1", "proofs": []})
    pdf = sealed_by(exchanged(row, document=canonical(value), proofs=proofs), "Outra casa")
    answer = brought(pdf, "pt-pt")
    assert heading(answer) == "De outra casa"
    assert "outra.example/sala" in answer.text
    assert verdict(pdf)[0] == "other"


def test_a_checkpoint_this_book_does_not_have_is_found(desk: Desk) -> None:
    row = desk.make()
    value = json.loads(bytes(row.document or b""))
    value["checkpoint"]["root"] = "ab" * 32
    said, parts = verdict(exchanged(row, document=canonical(value)))
    assert (said, parts["checkpoint"], parts["proofs"]) == ("altered", "differs", "refused")


@pytest.mark.parametrize(
    ("pdf", "said", "words"),
    [
        (plain(), "unknown", "Um PDF sem selo"),
        (plain(script="app.alert('x')"), "unknown", "Um PDF sem selo"),
        (sealed_by(plain(), "Somebody"), "unknown", "A assinatura é de: Somebody"),
        (plain(password="x"), "unreadable", "está cifrado"),
        (b"not a PDF at all", "unreadable", "que se possa ler"),
        (b"", "unreadable", "que se possa ler"),
        (b"%PDF-1.7\n" + b"\xff" * 2_000, "unreadable", "que se possa ler"),
        (plain()[:-200], "unreadable", "que se possa ler"),
    ],
    ids=["plain", "javascript", "signed", "encrypted", "text", "empty", "noise", "cut"],
)
def test_what_is_no_report_is_said_to_be_none(
    desk: Desk, pdf: bytes, said: str, words: str
) -> None:
    answer = brought(pdf, "pt-pt")
    assert answer.status_code == 200
    assert verdict(pdf)[0] == said
    assert words in answer.text


def bomb() -> bytes:
    """A PDF that embeds a report.json of gigabytes, in some megabytes."""
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    writer.add_attachment("report.json", b"x" * 10)
    kept = io.BytesIO()
    writer.write(kept)
    packer, packed = zlib.compressobj(9), b""
    for _ in range(3_000):
        packed += packer.compress(bytes(2**20))
    packed += packer.flush()
    text = kept.getvalue()
    start = text.index(b"/Type /EmbeddedFile")
    begins = text.rindex(b"obj", 0, start)
    ends = text.index(b"endobj", start)
    made = b"obj\n<< /Type /EmbeddedFile /Filter /FlateDecode /Length %d >>\nstream\n" % len(packed)
    return text[:begins] + made + packed + b"\nendstream\n" + text[ends:]


@pytest.mark.check
def test_a_file_that_swells_is_ended(desk: Desk) -> None:
    pdf = bomb()
    assert len(pdf) < check_document.MOST
    answer = brought(pdf)
    assert answer.status_code == 200
    assert heading(answer) == "Could not be read"


def test_too_large_is_refused_before_it_is_read(desk: Desk) -> None:
    class Untouched:
        def read(self, *_: int) -> bytes:
            raise AssertionError("it was read")

        readline = read

    said = {"CONTENT_LENGTH": str(60 * 2**20), "wsgi.input": Untouched()}
    answer = Client().generic("POST", PAGE, b"", "multipart/form-data; boundary=b", **said)
    assert answer.status_code == 413
    assert "25" in answer.text
    assert verdict(b"%PDF-" + bytes(check_document.MOST))[0] == "unreadable"


def test_nothing_of_it_is_kept(
    desk: Desk, tmp_path: Path, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path / "nowhere")  # a file put there would fail
    caplog.set_level("DEBUG")
    entries = BookEntry.objects.count()
    answer = brought(plain() + bytes(4_000_000))
    assert answer.status_code == 200
    assert BookEntry.objects.count() == entries
    assert "segredo" not in caplog.text
    assert "segredo" not in answer.text
    assert answer["Cache-Control"] == "no-store"
    assert not answer.cookies


def test_one_address_asks_so_often_and_no_more(desk: Desk) -> None:
    client = Client(REMOTE_ADDR="192.0.2.7")
    for _ in range(TRIES):
        assert client.post(PAGE, {"code": "a" * 64}).status_code == 200
    answer = client.post(f"{PAGE}?lang=pt-pt", {"code": "a" * 64})
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert "Demasiados documentos" in answer.text
    assert Client(REMOTE_ADDR="192.0.2.8").post(PAGE, {"code": "a" * 64}).status_code == 200
    assert not LoginTry.objects.filter(whose__contains="192").exists()
    assert client.get("/admin/login/").status_code == 200, "nobody is shut out of the entrance"


def test_one_file_at_a_time_and_no_second_waits(desk: Desk) -> None:
    """The threads are the floor's: a tablet is answered whatever others bring here."""
    with verify_page._one_at_once:
        answer = brought(plain(), "pt-pt")
        assert answer.status_code == 503
        assert answer["Retry-After"] == "30"
        assert "outro documento" in answer.text
        assert Client().post(PAGE, {"code": "a" * 64}).status_code == 200
    assert brought(plain()).status_code == 200


def test_what_the_code_of_a_paper_says_is_asked_of_the_book(desk: Desk) -> None:
    row = desk.make()
    issue = ReportIssue.objects.get()
    text = code_text(json.loads(bytes(row.document or b"")), issue.json_sha256)
    answer = Client().post(f"{PAGE}?lang=pt-pt", {"code": text})
    assert heading(answer) == "Válido"
    assert row.number in answer.text
    assert "pode ser copiado" in answer.text, "it says nothing of the paper itself"
    assert heading(Client().post(f"{PAGE}?lang=en", {"code": issue.json_sha256})) == "Valid"
    other = text.replace(row.number, "REL-2026-000099").replace(issue.root, "ab" * 32)
    answer = Client().post(f"{PAGE}?lang=en", {"code": other})
    assert heading(answer) == "Altered"
    assert "another number" in answer.text
    assert "another checkpoint" in answer.text


def test_who_does_not_hold_the_digest_is_told_nothing(desk: Desk) -> None:
    row = desk.make()
    for code in (row.number, f"{row.number} {'ab' * 32}", "  \n "):
        answer = Client().post(f"{PAGE}?lang=en", {"code": code})
        assert answer.status_code in (200, 400)
        assert "Valid" not in answer.text
        assert ReportIssue.objects.get().json_sha256 not in answer.text
        assert "Report of the night" not in answer.text
    answer = Client().post(f"{PAGE}?lang=en", {"code": f"{row.number} {'ab' * 32}"})
    assert heading(answer).startswith("Unknown")
    value = json.loads(bytes(row.document or b""))
    value["title"] += "."
    text = brought(exchanged(row, document=canonical(value))).text
    assert ReportIssue.objects.get().json_sha256 not in text


@pytest.mark.parametrize("code", ["", "\0", "REL-2026-000001", "x" * 5_000, "9" * 63, "á" * 64])
def test_what_says_nothing_is_refused_in_words(night: None, code: str) -> None:
    answer = Client().post(f"{PAGE}?lang=en", {"code": code})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


def test_the_command_says_the_same(desk: Desk, tmp_path: Path) -> None:
    row = desk.make()
    pdf = desk.download(row)
    file = tmp_path / "report.pdf"
    file.write_bytes(pdf)
    note = tmp_path / "checkpoint"
    note.write_text((desk.house.at.public / "checkpoint").read_text())
    said = io.StringIO()
    call_command("verify_document", str(file), "--checkpoint", str(note), stdout=said)
    assert "VÁLIDO REL-" in said.getvalue()
    assert "contém o ponto de controlo" in said.getvalue()
    for data, code in ((pdf + b"x", 1), (plain(), 2)):
        file.write_bytes(data)
        with pytest.raises(SystemExit) as ended:
            call_command("verify_document", str(file), "--language", "en", stdout=said)
        assert ended.value.code == code
    file.write_bytes(b"nothing")
    with pytest.raises(SystemExit) as ended:
        call_command("verify_document", str(file), stdout=said)
    assert ended.value.code == 3
    with pytest.raises(CommandError) as refused:
        call_command("verify_document", str(tmp_path / "away.pdf"))
    assert refused.value.returncode == 3
    note.write_text("no note")
    with pytest.raises(CommandError) as refused:
        call_command("verify_document", str(file), "--checkpoint", str(note))
    assert refused.value.returncode == 3


def test_it_verifies_without_the_house(desk: Desk, tmp_path: Path) -> None:
    pdf = desk.download(desk.make("nonconformity"))
    file = tmp_path / "report.pdf"
    seal, policy = desk.house.at.seal / "certificate.pem", desk.house.at.public / "policy"

    def ran(data: bytes, *more: str | Path) -> tuple[int, str]:
        file.write_bytes(data)
        found = subprocess.run(
            [sys.executable, "-m", "audit.reports.check_document", file, *more],
            cwd=ROOT,
            env={"PATH": "/usr/bin"},
            capture_output=True,
            text=True,
        )
        return found.returncode, found.stdout

    brings = ("--certificate", seal, "--policy", policy)
    code, said = ran(pdf, *brings)
    assert code == 0, said
    assert "VALID 'REL-" in said
    assert ran(pdf)[0] == 2, "without keys of one's own not all could be verified"
    assert ran(pdf + b"x", *brings)[0] == 1
    assert ran(plain(), *brings)[0] == 2
    assert ran(b"no PDF", *brings)[0] == 3
    note = tmp_path / "checkpoint"
    note.write_text(examined(pdf).note)
    assert ran(pdf, *brings, "--checkpoint", note)[0] == 0


def test_the_way_there_is_shown(desk: Desk) -> None:
    assert f'href="{PAGE}"' in Client().get("/admin/login/").text
    row = desk.make()
    assert f'href="{PAGE}"' in desk.client.get(f"/audit/reports/{row.request}/").text
    pages = PdfReader(io.BytesIO(desk.download(row))).pages
    assert "/verify/" in "".join(page.extract_text() for page in pages)
    inside = client_of("inspetor").get(PAGE)
    assert inside.status_code == 200
    assert not inside.cookies
