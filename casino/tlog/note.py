"""Signed notes: a text, and lines in which keys sign it. Source: C2SP signed-note.

Two kinds of signatures are known here, both Ed25519: a log's own (1), over the text alone, and a
witness's cosignature (4, C2SP tlog-cosignature), over a moment and the text. Whatever other keys
signed is read and left alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, NamedTuple, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from casino.tlog.strict import MOST_WHOLE, Unreadable, base64_of, brief, bytes_of, name_of, text_of

ED25519: Final = 1
COSIGNATURE: Final = 4
MOST_NOTE: Final = 1_000_000  # bytes
MOST_LINES: Final = 100  # signatures of a note
MOST_SHOWN: Final = 90  # to which a note of ours grows by further lines
MOST_KEY: Final = 1000  # bytes of a key as text
KEY: Final = 32  # bytes of an Ed25519 key, public or secret
SIGNATURE: Final = 64
MOMENT: Final = 8  # bytes before a cosignature: seconds since 1970
DASH: Final = "— "


class SignatureRefused(ValueError):
    """A signature by a known key that is none. The sentence names the key."""


def key_id_of(name: str, algorithm: int, public: bytes) -> int:
    """The number by which a signature's line names its key, together with the name."""
    data = name.encode() + b"\n" + bytes([algorithm]) + public
    return int.from_bytes(sha256(data).digest()[:4], "big")


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key as it is handed around: ``name+0a1b2c3d+base64``. Raises: Unreadable."""

    name: str
    key_id: int
    algorithm: int
    public: bytes

    def __post_init__(self) -> None:
        name_of(self.name, "a key's name")
        if self.algorithm not in (ED25519, COSIGNATURE):
            raise Unreadable(f"the key of {brief(self.name)}: unknown algorithm {self.algorithm}")
        if len(self.public) != KEY:
            raise Unreadable(f"the key of {brief(self.name)}: {len(self.public)} bytes, not {KEY}")
        if self.key_id != key_id_of(self.name, self.algorithm, self.public):
            raise Unreadable(f"the key of {brief(self.name)}: another key's id")

    @classmethod
    def of(cls, name: str, algorithm: int, public: bytes) -> Self:
        """The key with the id that follows."""
        name_of(name, "a key's name")
        return cls(name, key_id_of(name, algorithm, public), algorithm, public)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a public key. Raises: Unreadable."""
        name, key_id, key = _parts(text, 3, "a public key")
        data = bytes_of(key, "a public key", 1 + KEY)
        found = cls.of(name, data[0], data[1:])
        if key_id != f"{found.key_id:08x}":
            raise Unreadable(f"the key of {brief(name)}: another key's id")
        return found

    def text(self) -> str:
        """The key as `parse` reads it."""
        key = base64_of(bytes([self.algorithm]) + self.public)
        return f"{self.name}+{self.key_id:08x}+{key}"

    def signed(self, text: str, blob: bytes) -> int | None:
        """The moment of a cosignature (seconds since 1970), None for a log's own signature.

        Raises: SignatureRefused.
        """
        message, signature, moment = text.encode(), blob, None
        if self.algorithm == COSIGNATURE:
            moment, signature = int.from_bytes(blob[:MOMENT], "big"), blob[MOMENT:]
            if moment > MOST_WHOLE:
                raise SignatureRefused(f"{brief(self.name)}: a cosignature at no moment")
            message = cosigned(text, moment)
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except (InvalidSignature, ValueError):
            raise SignatureRefused(f"{brief(self.name)} did not sign this") from None
        return moment


class SigningKey:
    """A secret key, of a log or a witness: ``PRIVATE+KEY+name+0a1b2c3d+base64``."""

    __slots__ = ("_secret", "name")

    def __init__(self, name: str, secret: bytes) -> None:
        self.name = name_of(name, "a key's name")
        if len(secret) != KEY:
            raise Unreadable(f"a secret key has {KEY} bytes")
        self._secret = secret

    def __repr__(self) -> str:
        return f"SigningKey({self.name!r}, ...)"  # the secret stays out of every log

    @classmethod
    def generate(cls, name: str) -> Self:
        """A new key. Raises: Unreadable, for a name that cannot be one."""
        return cls(name, Ed25519PrivateKey.generate().private_bytes_raw())

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a secret key. Raises: Unreadable, with a sentence that does not hold the key."""
        private, key, name, key_id, secret = _parts(text, 5, "a secret key")
        try:
            data = bytes_of(secret, "a secret key", 1 + KEY)
        except Unreadable:
            raise Unreadable("a secret key: its bytes are unreadable") from None
        if (private, key) != ("PRIVATE", "KEY") or data[0] != ED25519:
            raise Unreadable("a secret key: not of a known kind")
        found = cls(name, data[1:])
        if key_id != f"{found.verifier().key_id:08x}":
            raise Unreadable(f"the secret key of {brief(name)}: another key's id")
        return found

    def text(self) -> str:
        """The key as `parse` reads it. For a file that nobody else may read."""
        key = base64_of(bytes([ED25519]) + self._secret)
        return f"PRIVATE+KEY+{self.name}+{self.verifier().key_id:08x}+{key}"

    def verifier(self, algorithm: int = ED25519) -> VerifierKey:
        """The public key that belongs to it; a witness's with COSIGNATURE."""
        return VerifierKey.of(self.name, algorithm, self._key().public_key().public_bytes_raw())

    def sign(self, text: str) -> str:
        """The line (without its line feed) in which a log signs a note's text."""
        return signature_line(self.verifier(), self.signature(text.encode()))

    def signature(self, message: bytes) -> bytes:
        """The 64 bytes of Ed25519 over a message."""
        return self._key().sign(message)

    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self._secret)


class Signature(NamedTuple):
    """One line under a note: whose key, and what it made. `line` is the whole without line feed."""

    name: str
    key_id: int
    blob: bytes
    line: str


@dataclass(frozen=True, slots=True)
class Note:
    """A text (it ends in a line feed) and the signatures under it, none of them looked at yet."""

    text: str
    signatures: tuple[Signature, ...] = field(default=())


def parse_note(text: str | bytes, most: int = MOST_NOTE) -> Note:
    """Read a note of at most `most` bytes. Raises: Unreadable."""
    note = text_of(text, most, "a note")
    split = note.rfind("\n\n")
    if split < 0:
        raise Unreadable("a note: no empty line before its signatures")
    lines = note[split + 2 :].split("\n")
    if lines.pop() or not lines:
        raise Unreadable("a note: its last line is no signature with a line feed")
    if len(lines) > MOST_LINES:
        raise Unreadable(f"a note: more than {MOST_LINES} signatures")
    return Note(note[: split + 1], tuple(map(parse_signature, lines)))


def parse_signature(line: str) -> Signature:
    """Read a signature's line, without its line feed. Raises: Unreadable."""
    text = text_of(line, MOST_NOTE, "a signature")
    if not text.startswith(DASH) or text.count(" ") != 2:
        raise Unreadable(f"a signature: not a dash, a name and base64: {brief(line)}")
    _, name, signed_by = text.split(" ")
    name_of(name, "a signature's name")
    blob = bytes_of(signed_by, "a signature")
    if len(blob) < 5:
        raise Unreadable("a signature: shorter than its key's id and one byte")
    return Signature(name, int.from_bytes(blob[:4], "big"), blob[4:], line)


def signature_line(verifier_key: VerifierKey, blob: bytes) -> str:
    """The line, without its line feed, for what a key made."""
    return f"{DASH}{verifier_key.name} {base64_of(verifier_key.key_id.to_bytes(4, 'big') + blob)}"


def signed(text: str, signing_keys: Sequence[SigningKey]) -> str:
    """The note in which these keys (at least one) sign a text. Raises: Unreadable."""
    if not text.endswith("\n"):
        raise Unreadable("a note's text ends in a line feed")
    return with_signatures(text + "\n", [key.sign(text) for key in signing_keys])


def with_signatures(note: str, lines: Iterable[str]) -> str:
    """The note with further lines under it; one that stands there already is not added again.

    Raises: Unreadable, for what is no note then.
    """
    there = set(note.rsplit("\n\n", maxsplit=1)[-1].split("\n"))
    longer = note + "".join(f"{line}\n" for line in dict.fromkeys(lines) if line not in there)
    parse_note(longer)
    return longer


def signer_of(line: str) -> tuple[str, int] | str:
    """Name and id of the key a line is said to be of; the line itself, where it is unreadable."""
    try:
        signature = parse_signature(line)
    except Unreadable:
        return line
    return signature.name, signature.key_id


def first_lines(note: str, lines: Iterable[str]) -> list[str]:
    """Of further lines those a note is shown with: the first of each key that is not under it yet,
    as long as there are no more than MOST_SHOWN in all.
    """
    there = [line for line in note.rsplit("\n\n", maxsplit=1)[-1].split("\n") if line]
    room = MOST_SHOWN - len(there)
    listed = {signer_of(line) for line in there}
    chosen: list[str] = []
    for line in lines:
        if len(chosen) >= room:
            break
        if signer_of(line) not in listed:
            listed.add(signer_of(line))
            chosen.append(line)
    return chosen


def cosigned(text: str, moment: int) -> bytes:
    """What a witness signs at a moment (seconds since 1970). Source: C2SP tlog-cosignature."""
    return f"cosignature/v1\ntime {moment}\n{text}".encode()


def valid_signatures(note: Note, verifier_keys: Iterable[VerifierKey]) -> dict[str, int | None]:
    """Which of the keys signed the note: each key's text, and when (None for a log's own).

    A witness that signed more than once is recorded with its first moment. Signatures of other keys
    are passed over. Raises: SignatureRefused, where a line names one of the keys and is not its
    signature: then nothing under this note is believed.
    """
    known = {(key.name, key.key_id): key for key in verifier_keys}
    found: dict[str, int | None] = {}
    for each in note.signatures:
        key = known.get((each.name, each.key_id))
        if key is None:
            continue
        moment = key.signed(note.text, each.blob)
        before = found.get(key.text())
        if moment is None or before is None or moment < before:
            found[key.text()] = moment
    return found


def _parts(text: str, count: int, what: str) -> list[str]:
    """The parts of a key between its pluses; the last, in base64, may have some of its own."""
    parts = text_of(text, MOST_KEY, what).split("+", count - 1)
    if len(parts) != count or "\n" in text:
        raise Unreadable(f"{what}: not of {count} parts joined by pluses")
    return parts
