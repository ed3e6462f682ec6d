"""A checkpoint kept outside the house, held against the book; two copies compared on the web."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import psycopg
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from audit.exporting import Scope, export_bundle
from audit.models import VerificationRun
from audit.models.verification_projections import Export
from audit.reports.packs import compare_page
from audit.verifying.kept_checkpoint import said_of_kept
from casino.recording import Actor
from casino.tlog.checkpoint import Checkpoint
from casino.tlog.note import SigningKey, signed
from tests.factories.findings import client_of, people
from tests.factories.sealed_book import ORIGIN, Seal, seal_events

pytestmark = [pytest.mark.share]
COMPARE = "/book/compare/"
HOUSE = Actor("export", "sistema", "local")
Connect = Callable[..., psycopg.Connection]


@pytest.fixture
def seal(fresh_db: str, connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    people()
    return Seal(connect_as, tmp_path / "public", settings)


def kept_note(seal: Seal) -> str:
    seal.sign()
    return (seal.public / "checkpoint").read_text()


def compared(client: Client, note: str, **more: Any) -> str:
    sent = {"checkpoint": note, "compare": "1"} | more
    page = client.post("/book/verify/", sent, follow=True).text
    assert not VerificationRun.objects.exists(), "comparing starts no verification"
    return page


def test_a_checkpoint_he_kept_is_held_against_the_book(seal: Seal) -> None:
    seal_events(10)
    note = kept_note(seal)
    client = client_of("inspetor")
    assert "exatamente onde o seu ponto de controlo o deixou" in compared(client, note)
    seal_events(7)
    seal.sign()
    file = SimpleUploadedFile("checkpoint", note.replace("\n", "\r\n").encode())
    page = compared(client, "", checkpoint_file=file)
    assert "O livro cresceu a partir do seu ponto de controlo" in page
    assert "e depois vieram 7" in page


def test_what_is_not_so_is_said(seal: Seal) -> None:
    seal_events(10)
    size = int(kept_note(seal).split("\n")[1])
    stranger = SigningKey.generate(ORIGIN)
    other = SigningKey.generate("other.example/1")
    for key, checkpoint, tone, words in (
        (seal.key, Checkpoint(ORIGIN, size - 2, b"\1" * 32), "breach", "foi alterado"),
        (seal.key, Checkpoint(ORIGIN, size + 5, b"\1" * 32), "breach", "faltam 5"),
        (stranger, Checkpoint(ORIGIN, size, b"\1" * 32), "warning", "chave"),
        (other, Checkpoint("other.example/1", size, b"\1" * 32), "warning", "other.example/1"),
    ):
        found, said = said_of_kept(signed(checkpoint.text(), [key]))
        assert (found, words in said) == (tone, True), (words, said)
    client = client_of("inspetor")
    for text in ("", "mine", "x" * 300_000):
        assert "Não é um ponto de controlo" in compared(client, text)


def packed(place: Path, scope: Scope, under: str = "") -> SimpleUploadedFile:
    export_bundle(place, scope, HOUSE)
    kept = io.BytesIO()
    with ZipFile(kept, "w") as archive:
        for path in sorted(place.rglob("*")):
            if path.is_file():
                archive.write(path, under + path.relative_to(place).as_posix())
    return SimpleUploadedFile("copy.zip", kept.getvalue())


@pytest.mark.parametrize(
    ("scope", "under"),
    [
        (Scope(), ""),
        (Scope("range", first=4, end=12), "livro/"),
        (Scope("table", table="BJ-06"), "pack/livro/"),
    ],
)
def test_a_copy_is_compared_with_this_book(
    seal: Seal, tmp_path: Path, scope: Scope, under: str
) -> None:
    seal_events(20)
    seal.sign()
    copy = packed(tmp_path / "copy", scope, under)
    seal_events(5)
    seal.sign()
    made = Export.objects.count()
    client = client_of("auditor")
    page = client.post(COMPARE, {"older": copy}).text
    assert "A CÓPIA MAIS NOVA CONTINUA A MAIS ANTIGA" in page
    assert "é este livro" in page
    assert Export.objects.count() == made, "nothing left the house"


def test_the_entries_that_differ_are_named(seal: Seal, tmp_path: Path) -> None:
    seal_events(20)
    seal.sign()
    copy = packed(tmp_path / "copy", Scope("table", table="BJ-06"))
    data = copy.read()
    kept = io.BytesIO()
    with ZipFile(io.BytesIO(data)) as old, ZipFile(kept, "w") as archive:
        for name in old.namelist():
            text = old.read(name)
            if name == "shown/000000":
                assert b'"cards":3' in text
                text = text.replace(b'"cards":3', b'"cards":4', 1)
            archive.writestr(name, text)
    client = client_of("inspetor")
    files = [SimpleUploadedFile("a.zip", kept.getvalue()), SimpleUploadedFile("b.zip", data)]
    for sent in ({"older": files[0]}, {"older": files[1], "newer": files[0]}):
        for one in files:
            one.seek(0)
        page = client.post(COMPARE, sent).text
        assert "NÃO CONTINUA A MAIS ANTIGA" in page
        assert "table/BJ-06 3" in page
        assert "payload.cards" in page


def test_what_is_no_copy_is_refused_in_words(
    seal: Seal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal_events(20)
    seal.sign()
    client = client_of("inspetor")

    def zip_of(**files: bytes) -> SimpleUploadedFile:
        kept = io.BytesIO()
        with ZipFile(kept, "w") as archive:
            for name, data in files.items():
                archive.writestr(name.replace("_", "/"), data)
        return SimpleUploadedFile("copy.zip", kept.getvalue())

    said = json.dumps({"scope": {"kind": "range", "from": 0, "to": 9**9}, "size": 9**9}).encode()
    for brought, words in (
        (None, "Escolha a cópia que tem"),
        (SimpleUploadedFile("a.zip", b"no zip"), "não é um ZIP"),
        (zip_of(a=b"1"), "Não há cópia de um livro"),
        (zip_of(**{"bundle.json": b"{}"}), "Não há cópia de um livro"),
        (zip_of(**{"bundle.json": b'{"scope": {"kind": []}, "size": 1}'}), "Não há registos|cópia"),
        (zip_of(**{"bundle.json": said}), "maior do que se compara aqui"),
        (zip_of(**{"../bundle.json": b"{}"}), "Não há cópia de um livro"),
    ):
        answer = client.post(COMPARE, {} if brought is None else {"older": brought})
        assert answer.status_code == 400
        assert any(one in answer.text for one in words.split("|")), words
    two = zip_of(**{"a_bundle.json": b"{}", "b_bundle.json": b"{}"})
    answer = client.post(COMPARE, {"older": two, "newer": zip_of(a=b"1")})
    assert "mais do que uma cópia" in answer.text
    monkeypatch.setattr(compare_page, "MOST", 10)
    answer = client.post(COMPARE, {"older": zip_of(a=b"1")})
    assert "maior do que se compara aqui" in answer.text
    assert client_of("chefia_da_sala").get(COMPARE).status_code == 403
