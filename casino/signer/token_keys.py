"""Signing keys on a PKCS#11 token: the private half is made there, signs there and never leaves.

Of each the signer keeps a file with the public half, ``keys/<id>.token``; on the token both halves
bear the id (CKA_ID, 4 bytes). Ed25519 by CKM_EDDSA. Source: PKCS #11 v3.0, 2.3.5 and 2.3.14.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

from casino.signer.signer_trouble import Refused
from casino.tlog.note import ED25519, KEY, SigningKey, VerifierKey

if TYPE_CHECKING:
    import pkcs11
    from pkcs11 import ObjectClass, Session
    from pkcs11.types import SignMixin

_ED25519: Final = bytes.fromhex("06032b6570")  # the curve's OID, 1.3.101.112, in DER
AWAY: Final = "no-token"
WRONG_PIN: Final = "token-pin"


@dataclass(frozen=True, slots=True)
class Token:
    """A token: the shared library that speaks to it, its label, the user's PIN."""

    module: str
    label: str
    pin: str = field(repr=False)


# A token locks itself after a few wrong PINs: one that was refused is not tried again by itself.
_refused: Final[set[Token]] = set()


class TokenKey(SigningKey):
    """A key on the token; `token` is None where the signer was told of none."""

    __slots__ = ("token", "vkey")

    def __init__(self, vkey: VerifierKey, token: Token | None) -> None:
        self.name, self.vkey, self.token = vkey.name, vkey, token

    def verifier(self, algorithm: int = ED25519) -> VerifierKey:
        """The public half."""
        assert algorithm == ED25519  # a log's key; witnesses' are files
        return self.vkey

    def text(self) -> str:
        """What its file holds: the public half."""
        return self.vkey.text()

    def signature(self, message: bytes) -> bytes:
        """The 64 bytes of Ed25519 over a message, made on the token. Raises: Refused."""
        from pkcs11 import Mechanism, ObjectClass

        with _opened(self._token(), pin=True) as session:
            key = cast("SignMixin", self._half(session, ObjectClass.PRIVATE_KEY))
            return bytes(key.sign(message, mechanism=Mechanism.EDDSA))

    def must_be_there(self) -> None:
        """Look for its public half, without the PIN. Raises: Refused."""
        from pkcs11 import ObjectClass

        with _opened(self._token(), pin=False) as session:
            self._half(session, ObjectClass.PUBLIC_KEY)

    def destroy(self) -> None:
        """Destroy both halves on the token; what is gone already is no error. Raises: Refused."""
        from pkcs11 import Attribute

        with _opened(self._token(), pin=True, write=True) as session:
            for half in list(session.get_objects({Attribute.ID: self._id()})):
                half.destroy()

    def _token(self) -> Token:
        if self.token is None:
            why = f"the key {self._id().hex()} is on a token, and SIGNER_TOKEN names none."
            raise Refused(AWAY, why)
        return self.token

    def _id(self) -> bytes:
        return self.vkey.key_id.to_bytes(4, "big")

    def _half(self, session: "Session", which: "ObjectClass") -> object:
        from pkcs11 import Attribute

        wanted = {Attribute.CLASS: which, Attribute.ID: self._id()}
        for found in session.get_objects(wanted):
            return found
        why = f"the token {self._token().label} holds no key {self._id().hex()}."
        raise Refused("no-key", f"{why} Put in the token that it was made on.")


def make(token: Token, name: str) -> TokenKey:
    """Make a key on the token for a log of this name. Raises: Refused."""
    with _opened(token, pin=True, write=True) as session:
        from pkcs11 import Attribute, KeyType, Mechanism

        curve = session.create_domain_parameters(
            KeyType.EC_EDWARDS, {Attribute.EC_PARAMS: _ED25519}, local=True
        )
        public, private = curve.generate_keypair(
            mechanism=Mechanism.EC_EDWARDS_KEY_PAIR_GEN, store=True, label=name
        )
        point = bytes(public[Attribute.EC_POINT])  # as it is, or as a DER OCTET STRING
        made = TokenKey(VerifierKey.of(name, ED25519, point[-KEY:]), token)
        for half in (public, private):
            half[Attribute.ID] = made._id()
    return made


@contextlib.contextmanager
def _opened(token: Token, *, pin: bool, write: bool = False) -> Iterator["Session"]:
    """A session, logged in where the PIN is given. Raises: Refused, with what to do."""
    if token in _refused:
        raise _wrong(token)
    try:
        import pkcs11
    except ImportError:
        why = "a token is asked for (SIGNER_TOKEN) and the package python-pkcs11 is not installed:"
        raise Refused(AWAY, f"{why} requirements/server.txt.") from None
    wrong = (
        pkcs11.PinIncorrect,
        pkcs11.PinInvalid,
        pkcs11.PinLenRange,
        pkcs11.PinLocked,
    )
    try:
        found = _found(token)
        with found.open(rw=write, user_pin=token.pin if pin else None) as session:
            yield session
    except wrong:
        _refused.add(token)
        raise _wrong(token) from None
    except pkcs11.PKCS11Error as error:
        said = f"{type(error).__name__} {error}".strip()
        why = f"the token {token.label} does not answer ({said}): is it put in, and is its driver"
        raise Refused(AWAY, f"{why} {token.module}?") from None


def _found(token: Token) -> "pkcs11.Token":
    import pkcs11

    library = pkcs11.lib(token.module)
    try:
        return library.get_token(token_label=token.label)
    except pkcs11.NoSuchToken:
        library.reinitialize()  # it may have been put in since
        return library.get_token(token_label=token.label)


def _wrong(token: Token) -> Refused:
    why = f"the PIN of the token {token.label} (SIGNER_TOKEN_PIN) is not right, or is locked."
    return Refused(WRONG_PIN, f"{why} It is tried once: set it right and start the signer again.")
