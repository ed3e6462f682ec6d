"""Seals of documents: a key and a certificate of their own, in the signer's account.

What is signed is a digest an entry of the signed tree names (`document-seal-asked/1`), and nothing
else: whoever has a document sealed leaves that in the book, for ever. The signer knows nothing of
documents. `seal/key.pem` and `seal/certificate.pem` (the certificate first, then those above it)
lie in its home; the certificate is published. Without them no seal is answered.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed
from cryptography.x509.oid import NameOID

from casino.signer.signer_book import Book
from casino.signer.signer_files import PRIVATE, exposed, make_folder, write_whole
from casino.signer.signer_places import Places
from casino.signer.signer_trouble import Trouble

KIND: Final = "document-seal-asked/1"
ANOTHER: Final = "another-certificate"
EXPIRED: Final = "certificate-expired"
TEST_DAYS: Final = 730  # a test certificate's
Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


@dataclass(frozen=True, slots=True)
class DocumentSeal:
    """The key documents are sealed with, its certificate, and the file that is published."""

    key: Key
    certificate: x509.Certificate
    published: str

    def digest(self) -> str:
        """The SHA-256 of the certificate in DER, in hex."""
        return sha256(self.certificate.public_bytes(serialization.Encoding.DER)).hexdigest()

    def sign(self, digest: bytes) -> bytes:
        """The signature over a SHA-256 digest: ECDSA, or RSA with PKCS #1 v1.5."""
        how = Prehashed(hashes.SHA256())
        if isinstance(self.key, rsa.RSAPrivateKey):
            return self.key.sign(digest, padding.PKCS1v15(), how)
        return self.key.sign(digest, ec.ECDSA(how))


def load(places: Places) -> DocumentSeal | None:
    """The seal; None where there is none. Raises: Trouble, where it cannot be used; OSError."""
    if not _key_file(places).exists() or not _certificate_file(places).exists():
        return None
    for path in (places.seal, _key_file(places)):
        if trouble := exposed(path):
            raise Trouble(f"{trouble}. A key others could read is to be replaced.")
    try:
        key = serialization.load_pem_private_key(_key_file(places).read_bytes(), None)
        text = _certificate_file(places).read_text("ascii")
        certificate = x509.load_pem_x509_certificates(text.encode())[0]
    except (ValueError, TypeError) as error:
        raise Trouble(f"{places.seal}: key or certificate cannot be read: {error}.") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey):
        raise Trouble(f"{places.seal}: asked is a key of RSA or of the curve P-256.")
    if key.public_key() != certificate.public_key():
        raise Trouble(f"{places.seal}: the certificate is not that of the key.")
    return DocumentSeal(key, certificate, text)


def answer(seal: DocumentSeal, book: Book, size: int) -> int:
    """Answer what entries of the signed tree ask; how many. Raises: psycopg.Error."""
    answered = 0
    for entry_id, entry, leaf in book.seals_asked(size):
        body = json.loads(entry)
        if sha256(b"\0" + entry).digest() != leaf or body.get("kind") != KIND:
            continue  # not what stands in the tree: nobody asked for it
        payload = body["payload"]
        if payload["certificate"] != seal.digest():
            book.refuse_seal(entry_id, ANOTHER)
        elif book.now() >= seal.certificate.not_valid_after_utc:
            book.refuse_seal(entry_id, EXPIRED)
        else:
            book.add_seal(entry_id, seal.sign(bytes.fromhex(payload["digest"])))
        answered += 1
    return answered


def make_test_seal(places: Places, name: str) -> None:
    """A key and a certificate that proves nothing, for a demonstration. Raises: OSError."""
    if places.seal.exists():
        return
    key = _new_key(places)
    named = _named(f"TEST {name}")
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(named)
        .issuer_name(named)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=TEST_DAYS))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(_for_seals(), critical=True)
        .sign(key, hashes.SHA256())
    )
    text = made.public_bytes(serialization.Encoding.PEM).decode()
    write_whole(_certificate_file(places), text, PRIVATE)


def request_certificate(places: Places, name: str) -> str:
    """A request (PKCS #10, PEM) for a certificate of this name; the key is made where there is
    none, and never leaves. Raises: Trouble, OSError.
    """
    if _key_file(places).exists():
        held = serialization.load_pem_private_key(_key_file(places).read_bytes(), None)
        if not isinstance(held, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey):
            raise Trouble(f"{places.seal}: asked is a key of RSA or of the curve P-256.")
        key: Key = held
    else:
        key = _new_key(places)
    request = x509.CertificateSigningRequestBuilder().subject_name(_named(name))
    made = request.add_extension(_for_seals(), critical=True).sign(key, hashes.SHA256())
    return made.public_bytes(serialization.Encoding.PEM).decode()


def _new_key(places: Places) -> ec.EllipticCurvePrivateKey:
    make_folder(places.seal, 0o700)
    key = ec.generate_private_key(ec.SECP256R1())
    text = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    write_whole(_key_file(places), text.decode(), PRIVATE)
    return key


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])


def _for_seals() -> x509.KeyUsage:
    names = ("key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign")
    no = dict.fromkeys((*names, "crl_sign", "encipher_only", "decipher_only"), False)
    return x509.KeyUsage(digital_signature=True, content_commitment=True, **no)


def _key_file(places: Places) -> Path:
    return places.seal / "key.pem"


def _certificate_file(places: Places) -> Path:
    return places.seal / "certificate.pem"
