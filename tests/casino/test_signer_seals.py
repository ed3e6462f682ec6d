"""The signer's seal of documents: its key, its certificate, what it answers to."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cryptography import x509
from cryptography.x509.oid import NameOID

from casino.events.sealing import DocumentSealAsked
from casino.models import DocumentSignature
from casino.signer import document_seals
from casino.signer.__main__ import main
from casino.signer.signer_trouble import Trouble
from tests.casino.signer_house import SignerHouse
from tests.factories.findings import write

Connect = Callable[..., psycopg.Connection]
A = "a" * 64


@pytest.fixture
def house(
    fresh_db: str, tmp_path: Path, database_environment: dict[str, str], connect_as: Connect
) -> SignerHouse:
    return SignerHouse(tmp_path, database_environment, connect_as)


def ask(certificate: str, digest: str = "b" * 64) -> None:
    event = DocumentSealAsked(
        document="REL-2026-000001/1", sha256=A, digest=digest, certificate=certificate
    )
    write([event])


def answers() -> list[tuple[bool, str]]:
    rows = DocumentSignature.objects.order_by("entry_id")
    return [(row.signature is not None, row.refusal) for row in rows]


def test_what_stands_in_the_signed_tree_is_answered_once(house: SignerHouse) -> None:
    document_seals.make_test_seal(house.at, "sala.example")
    seal = document_seals.load(house.at)
    assert seal is not None
    signer = house.signer()
    signer.turn()
    ask(seal.digest())
    signer.turn()
    assert answers() == [], "it has no place in the tree yet"
    house.integrate()
    signer.turn()
    signer.turn()
    assert answers() == [(True, "")]
    ask(A)
    house.integrate()
    signer.turn()
    assert answers() == [(True, ""), (False, document_seals.ANOTHER)]
    assert (house.at.public / "seal.pem").read_text() == seal.published


def test_without_a_seal_nothing_is_published_nor_answered(house: SignerHouse) -> None:
    signer = house.signer()
    ask(A)
    house.integrate()
    signer.turn()
    assert answers() == []
    assert not (house.at.public / "seal.pem").exists()


def test_a_seal_that_was_taken_away_is_published_no_more(house: SignerHouse) -> None:
    document_seals.make_test_seal(house.at, "sala.example")
    signer = house.signer()
    signer.turn()
    (house.at.seal / "key.pem").unlink()
    signer.turn()
    assert (house.at.public / "seal.pem").read_text() == ""


def test_a_request_for_a_certificate_keeps_its_key(
    house: SignerHouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in house.recorded.items():
        monkeypatch.setenv(name, value)
    assert main(["seal", "request", "Casino de ensaio, selo"]) == 0
    printed = capsys.readouterr().out
    end = "-----END CERTIFICATE REQUEST-----"
    start = printed.index("-----BEGIN")
    request = x509.load_pem_x509_csr(printed[start : printed.index(end) + len(end)].encode())
    named = request.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0]
    assert named.value == "Casino de ensaio, selo"
    key = (house.at.seal / "key.pem").read_bytes()
    assert (house.at.seal / "key.pem").stat().st_mode & 0o777 == 0o600
    assert b"PRIVATE KEY" not in printed.encode()
    assert main(["seal", "request", "Casino de ensaio, selo"]) == 0
    assert (house.at.seal / "key.pem").read_bytes() == key


@pytest.mark.parametrize("damage", ["mode", "text", "another"])
def test_a_seal_that_cannot_be_used_is_refused_in_words(house: SignerHouse, damage: str) -> None:
    document_seals.make_test_seal(house.at, "sala.example")
    key = house.at.seal / "key.pem"
    if damage == "mode":
        key.chmod(0o640)
    elif damage == "text":
        key.write_text("no key")
    else:
        before = (house.at.seal / "certificate.pem").read_text()
        key.unlink()
        (house.at.seal / "certificate.pem").unlink()
        house.at.seal.rmdir()
        document_seals.make_test_seal(house.at, "another.example")
        (house.at.seal / "certificate.pem").write_text(before)
    with pytest.raises(Trouble, match=r"others may read|cannot be read|not that of the key"):
        document_seals.load(house.at)


def test_a_demonstration_has_a_test_certificate(tmp_path: Path, house: SignerHouse) -> None:
    from casino.signer.__main__ import init
    from casino.signer.signer_places import places

    values: dict[str, Any] = {**house.recorded, "LOG_ORIGIN": ""}
    values |= {"SIGNER_HOME": str(tmp_path / "demo"), "BOOK_PUBLIC": str(tmp_path / "demo-public")}
    at = places(values)
    init(at)
    seal = document_seals.load(at)
    assert seal is not None
    assert "TEST demo.invalid" in seal.certificate.subject.rfc4514_string()
    assert document_seals.load(house.at) is None, "a log in earnest is given none"
