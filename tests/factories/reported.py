"""A house whose reports are sealed: a signer with a seal of its own, an inspector who asks."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from django.test import Client

from audit.models import ReportRequest
from casino.signer import document_seals
from tests.casino.signer_house import SignerHouse
from tests.factories.evenings import an_evening
from tests.factories.findings import DAY, client_of, people
from tests.factories.people import LONG_AGO, write
from tests.factories.tables import MANAGER
from tests.jobs_inline import do_jobs

LIST = "/audit/reports/"
PEM = serialization.Encoding.PEM
DER = serialization.Encoding.DER


class Desk:
    """An inspector's desk beside a signer; nothing is waited for (SEAL_PATIENCE is 0)."""

    def __init__(self, house: SignerHouse, settings: Any, *, seal: bool = True) -> None:
        self.house = house
        self.signing = house.signer()
        settings.BOOK_PUBLIC = str(house.at.public)
        settings.SEAL_PATIENCE = 0
        settings.CASINO_NAME = "Casino de ensaio"
        if seal:
            document_seals.make_test_seal(house.at, "sala.example")
        self.client: Client = client_of("inspetor")
        self.sign()

    def sign(self) -> None:
        """The sequencer and the signer do what is there to be done."""
        self.house.integrate()
        self.signing.turn()

    def send(self, report: str = "game", client: Client | None = None, **more: str) -> Any:
        """What a browser gets that sends the form."""
        return sent_by(client or self.client, report=report, **more)

    def ask(self, report: str = "game", **more: str) -> ReportRequest:
        """Ask for a report; nothing of it is made yet."""
        answer = self.send(report, **more)
        assert answer.status_code == 302, re.findall(r"<li[^>]*>(.*?)</li>", answer.text, re.DOTALL)
        found = re.search(r"[0-9a-f-]{36}", answer["Location"])
        assert found
        return ReportRequest.objects.get(request=UUID(found[0]))

    def work(self, row: ReportRequest) -> ReportRequest:
        """The worker, then the signer, then the worker once more."""
        do_jobs(topic="report")
        self.sign()
        do_jobs(topic="report")
        row.refresh_from_db()
        return row

    def make(self, report: str = "game", **more: str) -> ReportRequest:
        """A report from its being asked for to its file."""
        return self.work(self.ask(report, **more))

    def download(self, row: ReportRequest, volume: int = 1) -> bytes:
        """Its file, as the browser gets it."""
        answer = self.client.get(f"{LIST}{row.request}/{volume}/")
        assert answer["Content-Type"] == "application/pdf"
        return bytes(answer.content)


def sent_by(client: Client, report: str = "game", **more: str) -> Any:
    """What a browser gets that sends the form of a report."""
    sent = {"report": report, "from": str(DAY), "to": str(DAY), "language": "pt"}
    if report == "game":
        sent["table"] = "BJ-01"
    return client.post(LIST, sent | more)


def a_night() -> None:
    """People, a table, a game with a wrong payment."""
    from casino.events.tables import TableRegistered

    people()
    write(TableRegistered(table="BJ-01", boxes=7), by=MANAGER, at=LONG_AGO)
    an_evening(rounds=5, wrong=(2,))


def certificate(
    name: str,
    key: Any,
    issuer: tuple[x509.Certificate, Any] | None = None,
    *,
    days: tuple[int, int] = (-1, 700),
    stamps: bool = False,
    number: int | None = None,
) -> x509.Certificate:
    """A certificate that holds from so many days before now to so many after."""
    now = datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    above, signing = (subject, key) if issuer is None else (issuer[0].subject, issuer[1])
    no = dict.fromkeys(
        (
            *("key_encipherment", "data_encipherment", "key_agreement"),
            *("encipher_only", "decipher_only"),
        ),
        False,
    )
    top = issuer is None
    use = x509.KeyUsage(
        digital_signature=True, content_commitment=True, key_cert_sign=top, crl_sign=top, **no
    )
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(above)
        .public_key(key.public_key())
        .serial_number(number or x509.random_serial_number())
        .not_valid_before(now + timedelta(days=days[0]))
        .not_valid_after(now + timedelta(days=days[1]))
        .add_extension(x509.BasicConstraints(ca=top, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(use, critical=True)
    )
    if issuer is not None:
        of = x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key())
        made = made.add_extension(of, critical=False)
    if stamps:
        purpose = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
        made = made.add_extension(purpose, critical=True)
    return made.sign(signing, hashes.SHA256())


def lay_seal(house: SignerHouse, key: Any, *chain: x509.Certificate) -> None:
    """Give the signer another seal."""
    house.at.seal.mkdir(mode=0o700, exist_ok=True)
    text = key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    for name, data in (
        ("key.pem", text),
        ("certificate.pem", b"".join(one.public_bytes(PEM) for one in chain)),
    ):
        file = house.at.seal / name
        file.write_bytes(data)
        file.chmod(0o600)


def revoking(issuer: tuple[x509.Certificate, Any], *numbers: int) -> bytes:
    """An authority's list of revoked certificates, in DER."""
    now = datetime.now(UTC)
    made = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(issuer[0].subject)
        .last_update(now - timedelta(hours=1))
        .next_update(now + timedelta(days=30))
        .add_extension(x509.CRLNumber(1), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer[1].public_key()),
            critical=False,
        )
    )
    for number in numbers:
        revoked = x509.RevokedCertificateBuilder().serial_number(number)
        made = made.add_revoked_certificate(revoked.revocation_date(now).build())
    return made.sign(issuer[1], hashes.SHA256()).public_bytes(DER)


def p256() -> ec.EllipticCurvePrivateKey:
    """A key of the curve P-256."""
    return ec.generate_private_key(ec.SECP256R1())


def rsa_key() -> rsa.RSAPrivateKey:
    """A key of RSA."""
    return rsa.generate_private_key(65537, 2048)


def pem_file(folder: Path, name: str, *certificates: x509.Certificate) -> str:
    """Certificates in a file; its path."""
    file = folder / name
    file.write_bytes(b"".join(one.public_bytes(PEM) for one in certificates))
    return str(file)
