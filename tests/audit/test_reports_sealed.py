"""The seal of a report: with a time stamp, for the archive; and whatever may be wrong with it."""

import asyncio
import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import psycopg
import pytest
from asn1crypto import keys, tsp, x509
from cryptography.hazmat.primitives import serialization
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.timestamps import DummyTimeStamper

from audit.models import ReportRequest
from audit.reports import check_report
from casino.models import DocumentSignature
from tests.casino.signer_house import SignerHouse
from tests.factories.reported import (
    DER,
    Desk,
    a_night,
    certificate,
    lay_seal,
    p256,
    pem_file,
    revoking,
    rsa_key,
)
from tests.jobs_inline import do_jobs
from tests.stages import recorded_once

Connect = Callable[..., psycopg.Connection]
pytestmark = pytest.mark.share
Authority = tuple[Any, Any]


@recorded_once
def night() -> None:
    a_night()


@pytest.fixture
def house(
    night: None,
    fresh_db: str,
    tmp_path: Path,
    database_environment: dict[str, str],
    connect_as: Connect,
) -> SignerHouse:
    return SignerHouse(tmp_path, database_environment, connect_as)


def authority(name: str) -> Authority:
    key = rsa_key()
    return certificate(name, key), key


@contextmanager
def answering(stamping: Any, key: Any) -> Iterator[str]:
    """A time-stamping authority on the loopback address; its URL."""
    held = key.private_bytes(DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    stamper = DummyTimeStamper(
        tsa_cert=x509.Certificate.load(stamping.public_bytes(DER)),
        tsa_key=keys.PrivateKeyInfo.load(held),
    )

    class Stamps(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = tsp.TimeStampReq.load(self.rfile.read(int(self.headers["Content-Length"])))
            answer = asyncio.run(stamper.async_request_tsa_response(asked)).dump()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Stamps)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("make_key", [p256, rsa_key])
def test_a_seal_of_an_authority_is_valid_for_who_trusts_that_authority(
    house: SignerHouse, settings: Any, make_key: Callable[[], Any]
) -> None:
    above, key = authority("Autoridade"), make_key()
    own = certificate("Selo do Casino", key, above)
    lay_seal(house, key, own, above[0])
    desk = Desk(house, settings, seal=False)
    pdf = desk.download(desk.make())
    trusted = check_report.seal_of(pdf, [above[0].public_bytes(DER)])
    assert (trusted.state, trusted.name, trusted.stamped) == ("valid", "Selo do Casino", False)
    another = authority("Outra")
    assert check_report.seal_of(pdf, [another[0].public_bytes(DER)]).state == "unknown"
    assert "TESTE" not in check_report.report_of(pdf)[0]["title"]


@pytest.mark.check
def test_with_an_authority_a_seal_bears_its_time_and_for_the_archive_everything(
    house: SignerHouse, settings: Any, tmp_path: Path
) -> None:
    above, stamps_above, key, stamping_key = authority("A"), authority("T"), p256(), rsa_key()
    lay_seal(house, key, certificate("Selo", key, above), above[0])
    stamping = certificate("Selos temporais", stamping_key, stamps_above, stamps=True)
    settings.TSA_CERTIFICATES = pem_file(tmp_path, "tsa.pem", stamps_above[0], stamping)
    desk = Desk(house, settings, seal=False)
    trusted = [above[0].public_bytes(DER), stamps_above[0].public_bytes(DER)]
    with answering(stamping, stamping_key) as settings.TSA_URL:
        pdf = desk.download(desk.make())
        seal = check_report.seal_of(pdf, trusted)
        assert (seal.state, seal.stamped, seal.whole) == ("valid", True, True)
        assert check_report.report_of(pdf)[0]["seal"]["level"] == "B-T"
        lists = tmp_path / "crls"
        lists.mkdir()
        (lists / "a.crl").write_bytes(revoking(above))
        (lists / "t.crl").write_bytes(revoking(stamps_above))
        settings.SEAL_CRLS = str(lists)
        pdf = desk.download(desk.make())
    assert check_report.report_of(pdf)[0]["seal"]["level"] == "B-LTA"
    seal = check_report.seal_of(pdf, trusted)
    assert (seal.state, seal.stamped, seal.archived) == ("valid", True, True)
    for added in (b"x", b"\n% a line", pdf[-200:]):
        assert check_report.seal_of(pdf + added, trusted).altered == "added"
    reader = PdfFileReader(io.BytesIO(pdf))
    assert len(reader.embedded_timestamp_signatures) == 1
    assert len(reader.root["/DSS"]["/CRLs"]) == 2


def test_a_token_of_another_authority_is_refused(
    house: SignerHouse, settings: Any, tmp_path: Path
) -> None:
    ours, other, key = authority("Nossa"), authority("Outra"), rsa_key()
    stamping = certificate("Selos temporais", key, other, stamps=True)
    settings.TSA_CERTIFICATES = pem_file(tmp_path, "tsa.pem", ours[0])
    desk = Desk(house, settings)
    with answering(stamping, key) as settings.TSA_URL:
        row = desk.make()
    assert row.state == "failed"
    assert "não é da autoridade" in row.refusal
    assert not row.files.exclude(content=None).exists()


def test_an_authority_that_is_away_is_waited_for(house: SignerHouse, settings: Any) -> None:
    desk = Desk(house, settings)
    settings.TSA_URL = "http://127.0.0.1:9/"
    row = desk.make()
    assert row.state == "open"
    assert "Espera pela autoridade de selos temporais" in row.refusal
    assert (
        "não responde" in desk.client.get(f"/audit/reports/{row.request}/progress/").json()["said"]
    )
    ours, key = authority("T"), rsa_key()
    stamping = certificate("Selos temporais", key, ours, stamps=True)
    settings.TSA_CERTIFICATES = pem_file(house.at.home, "tsa.pem", ours[0])
    with answering(stamping, key) as settings.TSA_URL:
        do_jobs(topic="report")
    row.refresh_from_db()
    assert row.state == "finished"
    assert DocumentSignature.objects.count() == 1, "the seal is asked for once"


@pytest.mark.parametrize(
    ("days", "said"), [((-30, -1), "terminou em"), ((1, 30), "só é válido a partir de")]
)
def test_a_certificate_that_does_not_hold_seals_nothing(
    house: SignerHouse, settings: Any, days: tuple[int, int], said: str
) -> None:
    key = p256()
    lay_seal(house, key, certificate("Selo", key, days=days))
    desk = Desk(house, settings, seal=False)
    row = desk.make()
    assert (row.state, row.number) == ("failed", ""), "no number is used"
    assert said in row.refusal
    assert "Nenhum relatório pode ser selado" in desk.client.get("/audit/reports/").text


def test_a_revoked_certificate_seals_nothing(
    house: SignerHouse, settings: Any, tmp_path: Path
) -> None:
    above, key = authority("A"), p256()
    own = certificate("Selo", key, above, number=77)
    lay_seal(house, key, own, above[0])
    lists = tmp_path / "crls"
    lists.mkdir()
    (lists / "a.crl").write_bytes(revoking(above, 77))
    settings.SEAL_CRLS = str(lists)
    row = Desk(house, settings, seal=False).make()
    assert row.state == "failed"
    assert "foi revogado" in row.refusal
    (lists / "a.crl").write_bytes(b"no list")
    assert "não se consegue ler" in Desk(house, settings, seal=False).make().refusal.lower()


def test_another_certificate_than_was_asked_for_is_not_signed_with(
    house: SignerHouse, settings: Any
) -> None:
    key = p256()
    lay_seal(house, key, certificate("Primeiro", key))
    desk = Desk(house, settings, seal=False)
    row = desk.ask()
    do_jobs(topic="report")
    key = p256()
    lay_seal(house, key, certificate("Segundo", key))
    desk.sign()
    do_jobs(topic="report")
    row.refresh_from_db()
    assert row.state == "failed"
    assert "outro certificado" in row.refusal
    desk.client.post(f"/audit/reports/{row.request}/again/")
    assert desk.work(row).state == "finished"


def test_a_key_others_could_read_seals_nothing(house: SignerHouse, settings: Any) -> None:
    desk = Desk(house, settings)
    (house.at.seal / "key.pem").chmod(0o644)
    row = desk.make()
    assert row.state == "open"
    assert "Espera pelo selo do assinador" in row.refusal
    assert house.must_agree().size, "the book itself is signed all the same"


def test_a_full_disk_leaves_nothing_half_published(
    house: SignerHouse, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import OperationalError

    desk = Desk(house, settings)
    row = desk.ask()
    with monkeypatch.context() as full:

        def refuses(*_: object, **__: object) -> None:
            raise OperationalError("could not extend file: No space left on device")

        full.setattr("audit.reports.issuing.ReportFile.objects.create", refuses)
        with pytest.raises(OperationalError):
            do_jobs(topic="report")
    row = ReportRequest.objects.get(pk=row.pk)
    assert (row.state, row.files.count()) == ("open", 0)
    assert desk.work(row).state == "finished"


@pytest.mark.check
def test_a_report_of_several_volumes_goes_on_where_it_stopped(
    house: SignerHouse, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(house, settings)
    monkeypatch.setattr("audit.reports.typesetting.ROOM", 1)
    monkeypatch.setattr("audit.reports.issuing.PART", -1.0)
    row = desk.ask()
    do_jobs(topic="report")
    row.refresh_from_db()
    assert (row.state, row.files.count()) == ("open", 1)
    assert "volumes" in row.refusal
    first = row.files.get().pk
    monkeypatch.setattr("audit.reports.issuing.PART", 60.0)
    row = desk.work(row)
    assert row.state == "finished"
    files = list(row.files.order_by("volume"))
    assert files[0].pk == first
    assert [file.volume for file in files] == list(range(1, len(files) + 1))
    assert len(files) > 1
    proved = 0
    for file in files:
        pdf = desk.download(row, file.volume)
        assert check_report.seal_of(pdf).state == "unknown"
        proved += check_report.prove(check_report.proofs_of(pdf)).proved
    assert proved == len(check_report.report_of(pdf)[0]["entries"])
    assert (
        f"REL-{row.number[4:]}-2.pdf"
        in desk.client.get(f"/audit/reports/{row.request}/2/")["Content-Disposition"]
    )
