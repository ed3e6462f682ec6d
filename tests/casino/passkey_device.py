"""A passkey in software: what a phone would answer, and what a forger would.

Written from WebAuthn's text, knowing nothing of the library that verifies it: authenticator data,
client data and signature are put together byte by byte.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, BACKED_UP_ELIGIBLE, ATTESTED = 0x01, 0x04, 0x08, 0x40
ORIGIN = "http://localhost:8000"


def b64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _head(major: int, size: int) -> bytes:
    if size < 24:
        return bytes([major << 5 | size])
    if size < 256:
        return bytes([major << 5 | 24, size])
    return bytes([major << 5 | 25]) + size.to_bytes(2, "big")


def cbor(value: Any) -> bytes:
    """As much of CBOR as a passkey writes: whole numbers, bytes, texts, maps."""
    if isinstance(value, int):
        return _head(0, value) if value >= 0 else _head(1, -1 - value)
    if isinstance(value, bytes):
        return _head(2, len(value)) + value
    if isinstance(value, str):
        return _head(3, len(value.encode())) + value.encode()
    return _head(5, len(value)) + b"".join(cbor(key) + cbor(each) for key, each in value.items())


@dataclass
class Device:
    """One key on one device. `counts` False: it tells 0 uses for ever, as synced keys do."""

    kind: str = "ES256"
    rp_id: str = "localhost"
    origin: str = ORIGIN
    counts: bool = True
    flags: int = PRESENT | VERIFIED
    credential: bytes = b"a credential of sixteen or more"
    uses: int = 0
    key: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.key is None:
            make = {
                "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
                "ES384": lambda: ec.generate_private_key(ec.SECP384R1()),
                "EdDSA": ed25519.Ed25519PrivateKey.generate,
                "RS256": lambda: rsa.generate_private_key(65537, 2048),
            }
            self.key = make[self.kind]()

    def cose(self) -> dict[int, Any]:
        public = self.key.public_key()
        if self.kind == "EdDSA":
            return {1: 1, 3: -8, -1: 6, -2: public.public_bytes_raw()}
        numbers = public.public_numbers()
        if self.kind == "RS256":
            return {1: 3, 3: -257, -1: numbers.n.to_bytes(256, "big"), -2: b"\x01\x00\x01"}
        size = 48 if self.kind == "ES384" else 32
        x, y = numbers.x.to_bytes(size, "big"), numbers.y.to_bytes(size, "big")
        return {1: 2, 3: -7, -1: 1 if size == 32 else 2, -2: x, -3: y}

    def data(self, more: bytes = b"", flags: int = 0) -> bytes:
        if self.counts:
            self.uses += 1
        uses = self.uses.to_bytes(4, "big")
        return sha256(self.rp_id.encode()).digest() + bytes([self.flags | flags]) + uses + more

    def client(self, what: str, challenge: str, /, **more: Any) -> bytes:
        values = {"type": what, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(values | more).encode()

    def sign(self, data: bytes, client: bytes) -> bytes:
        signed = data + sha256(client).digest()
        if self.kind == "EdDSA":
            return self.key.sign(signed)  # type: ignore[no-any-return]
        if self.kind == "RS256":
            return self.key.sign(signed, padding.PKCS1v15(), SHA256())  # type: ignore[no-any-return]
        return self.key.sign(signed, ec.ECDSA(SHA256()))  # type: ignore[no-any-return]

    def created(self, options: dict[str, Any], **more: Any) -> dict[str, str]:
        """What a browser sends after ``navigator.credentials.create``."""
        size = len(self.credential).to_bytes(2, "big")
        attested = bytes(16) + size + self.credential + cbor(self.cose())
        data = self.data(attested, ATTESTED)
        client = self.client("webauthn.create", options["challenge"], **more)
        whole = cbor({"fmt": "none", "attStmt": {}, "authData": data})
        return {
            "credential": b64(self.credential),
            "client_data": b64(client),
            "attestation_object": b64(whole),
        }

    def got(self, challenge: str, /, **more: Any) -> dict[str, str]:
        """What a browser sends after ``navigator.credentials.get``; `challenge` base64url."""
        data, client = self.data(), self.client("webauthn.get", challenge, **more)
        return {
            "credential": b64(self.credential),
            "client_data": b64(client),
            "authenticator_data": b64(data),
            "signature": b64(self.sign(data, client)),
        }
