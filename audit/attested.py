"""Passkeys' answers that stand in the book, verified with the book and nothing of the house.

Another hand than the one that let them in (casino.witnessing): it knows of no account, no session
and no server, only of three kinds of entries. `witnessed/1` holds what the device answered whole;
whose key it was stands in `passkey-registered/1`, until when it counted in `passkey-revoked/1`.
Of casino it needs nothing, so that it may be carried to where an export is verified:

    python -m audit.attested BUNDLE [--language pt|en]

reads a bundle (docs/bundle.md) or a file of entries, one JSON object a line; of a bundle exactly
the files that its size and scope name. That these are the book's entries is for `audit.verifier` to
say, which is asked first. It ends with 0 where every answer is right, 1 where one is not, or a key
was registered twice, 2 where a key is not shown or a file is missing, 3 where there is nothing to
read.
"""

import argparse
import hashlib
import json
import os
import re
import stat
import sys
from base64 import b64encode, urlsafe_b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePublicKey,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

Body = Mapping[str, Any]  # what an entry says, or what of it is looked at
REGISTERED: Final = "passkey-registered/1"
REVOKED: Final = "passkey-revoked/1"
WITNESSED: Final = "witnessed/1"
KINDS: Final = (REGISTERED, REVOKED, WITNESSED)
TWICE: Final = "twice"
LANGUAGES: Final = ("pt", "en")
# What may be wrong with an answer, in each language. The first that is found is recorded.
PROBLEMS: Final[Mapping[str, tuple[str, str]]] = {
    "unknown": (
        "nenhuma chave de acesso desta pessoa com esse nome foi registada antes",
        "no passkey of this person with that name was registered before",
    ),
    "revoked": ("a chave de acesso tinha sido revogada", "the passkey was revoked before"),
    "late": (
        "foi registada depois de terminado o seu tempo",
        "it was recorded after its time had run out",
    ),
    "form": (
        "não está escrita como uma chave de acesso responde",
        "it is not written as a passkey answers",
    ),
    "type": ("responde a um pedido de outro género", "it answers another kind of question"),
    "challenge": (
        "responde a outro pedido: o ato, o texto, o número ou o tempo são outros",
        "it answers another question: act, text, nonce or time are others",
    ),
    "origin": (
        "foi pedida por outro sítio que não aquele a que a chave está ligada",
        "it was asked by another site than the passkey is bound to",
    ),
    "domain": (
        "foi dada para outro domínio que não aquele a que a chave está ligada",
        "it was given for another domain than the passkey is bound to",
    ),
    "user": (
        "o dispositivo não verificou que o utilizador lá estava",
        "the device did not verify that its user was there",
    ),
    "signature": ("a chave de acesso não assinou isto", "the passkey did not sign this"),
    TWICE: (
        "esta chave de acesso já tinha sido registada; das duas vale a primeira",
        "this passkey had been registered before; of the two the first one counts",
    ),
}
_NOT_SHOWN: Final = (
    "esta parte do livro não mostra a sua chave de acesso",
    "this part of the book does not show his passkey",
)
_COUNTED: Final = (
    "attested: {count} confirmações por chave de acesso, {wrong} erradas, {unseen} que não se"
    " podem ver; {alone} com uma chave registada sem segunda pessoa",
    "attested: {count} confirmations by passkey, {wrong} wrong, {unseen} not to be seen;"
    " {alone} by a key that was registered without a second person",
)
_MISSING: Final = ("falta {first}, e talvez mais", "{first} is missing, and perhaps more")
_PRESENT: Final = 0x01
_VERIFIED: Final = 0x04
_HEAD: Final = 37  # bytes of authenticator data before what may follow
_UNREADABLE: Final = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Answer:
    """A confirmation by passkey: where it stands, who gave it, what is wrong with it ('' nothing).

    `problem` is a key of PROBLEMS; `alone` says that nobody stood by when the key was registered.
    With the problem TWICE it is no confirmation, but the registration of a key that had one.
    """

    stream: str
    n: int
    staff: str
    problem: str
    alone: bool


class Keys:
    """Which passkey was whose, and until when, by some entries in any order; others are ignored."""

    def __init__(self, entries: Iterable[Mapping[str, object]]) -> None:
        self.known: dict[str, Mapping[str, object]] = {}
        self.gone: dict[str, str] = {}
        self.again: list[Body] = []
        listed = [body for body in entries if body.get("kind") in (REGISTERED, REVOKED)]
        # By their moments, so that of two registrations the first holds: nobody takes a key over.
        for body in sorted(listed, key=lambda one: str(one.get("at"))):
            name = str(_payload(body).get("credential"))
            if body["kind"] == REVOKED:
                self.gone.setdefault(name, str(body.get("at")))
            elif self.known.setdefault(name, body) != body:
                self.again.append(body)

    def answers(self, entries: Iterable[Mapping[str, Any]]) -> Iterator[Answer]:
        """What came twice, and then every confirmation by passkey among entries, in their order."""
        for body in self.again:
            value = _payload(body).get("staff")
            yield Answer(str(body.get("stream")), body.get("n", 0), str(value), TWICE, alone=False)
        for body in entries:
            if body.get("kind") == WITNESSED and "passkey" in _payload(body):
                yield self._answer(body)

    def _answer(self, body: Body) -> Answer:
        payload, key = _payload(body), None
        try:
            name = str(payload["passkey"].get("credential"))
            key = self.known.get(name)
            problem = _problem(body, key, self.gone.get(name))
        except _UNREADABLE:
            problem = "form"
        alone = key is not None and "second" not in _payload(key)
        return Answer(
            str(body.get("stream")), body.get("n", 0), str(payload.get("staff")), problem, alone
        )


def answers(entries: Iterable[Mapping[str, Any]]) -> Iterator[Answer]:
    """Verify every confirmation by passkey among what entries' bytes say, at least all of KINDS."""
    listed = [body for body in entries if body.get("kind") in KINDS]
    yield from Keys(listed).answers(listed)


def _payload(body: Mapping[str, object]) -> Body:
    """What an entry tells; nothing where that is no object."""
    payload = body.get("payload")
    return payload if isinstance(payload, dict) else {}


def _problem(body: Body, key: Body | None, revoked_at: str | None) -> str:
    """What is wrong with one. Raises: one of `_UNREADABLE`."""
    payload, at = body["payload"], body["at"]
    # Moments are written so that texts compare as they do.
    if key is None or key["payload"]["staff"] != payload["staff"] or key["at"] > at:
        return "unknown"
    if revoked_at is not None and revoked_at < at:
        return "revoked"
    if payload["expires_at"] < at:
        return "late"
    return problem_of(payload, key["payload"])


def problem_of(payload: Body, key: Body) -> str:
    """What is wrong with a `witnessed/1` under the key of a `passkey-registered/1`; '' nothing.

    Raises: ValueError and its like, for what cannot be read at all.
    """
    answer = payload["passkey"]
    client, data = _raw(answer["client_data"]), _raw(answer["authenticator_data"])
    value = json.loads(client)
    if value["type"] != "webauthn.get" or value.get("crossOrigin", False) is not False:
        return "type"
    if _raw(value["challenge"]) != challenge_of(payload):
        return "challenge"
    if not _is_site_of(value["origin"], key["rp_id"]):
        return "origin"
    if len(data) < _HEAD:
        return "form"
    if data[:32] != hashlib.sha256(key["rp_id"].encode()).digest():
        return "domain"
    if data[32] & (_PRESENT | _VERIFIED) != _PRESENT | _VERIFIED:
        return "user"
    signed = data + hashlib.sha256(client).digest()
    return "" if _signs(key, _raw(answer["signature"]), signed) else "signature"


def challenge_of(payload: Body) -> bytes:
    """What was asked of the passkey: SHA-256 over JSON with sorted keys and without spaces."""
    asked = {
        "expires_at": payload["expires_at"],
        "leaf": payload["witnessed"]["leaf"],
        "nonce": payload["nonce"],
        "text_sha256": payload["text_sha256"],
    }
    return hashlib.sha256(
        json.dumps(asked, sort_keys=True, separators=(",", ":")).encode()
    ).digest()


def _is_site_of(origin: str, domain: str) -> bool:
    """Whether a browser would let this site use keys of the domain."""
    site = urlsplit(origin)
    host = site.hostname or ""
    if host != domain and not host.endswith(f".{domain}"):
        return False
    return site.scheme == "https" or (site.scheme == "http" and host == "localhost")


def _signs(key: Body, signature: bytes, signed: bytes) -> bool:
    try:
        public = load_der_public_key(_raw(key["public_key"]))
        if isinstance(public, EllipticCurvePublicKey) and isinstance(public.curve, SECP256R1):
            public.verify(signature, signed, ECDSA(SHA256()))
        elif isinstance(public, Ed25519PublicKey):
            public.verify(signature, signed)
        elif isinstance(public, RSAPublicKey):
            public.verify(signature, signed, PKCS1v15(), SHA256())
        else:
            return False
    except (InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def _raw(text: str) -> bytes:
    """Bytes written in base64url without padding. Raises: ValueError, for anything else."""
    raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if b64encode(raw, b"-_").rstrip(b"=").decode() != text:
        raise ValueError("asked is base64url without padding")
    return raw


# -- By itself, beside the verifier --------------------------------------------------------------


_MAX_MISSING: Final = 65_536  # files; a size that asks for more of them is made up
_FLAGS: Final = sum(getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


class Book:
    """The entries of a bundle, or the lines of a file, read as often as they are asked for.

    `part`: some of the book is not here; `missing`: files that should be.
    Raises: OSError; ValueError and its like, for what is neither.
    """

    def __init__(self, place: Path) -> None:
        self.place, self.part, self.missing = place, False, set[str]()
        if place.is_dir():
            with self._open("bundle.json") as file:
                value = json.loads(file.read(64 * 1024))
            self.part = value["scope"] != {"kind": "full"}
            self.whole, self.size = not self.part, value["entries" if self.part else "size"]
            if not 0 <= self.size < 2**53:
                raise ValueError("no size")

    def manifest(self, *kinds: str) -> Iterator[Mapping[str, object]]:
        """What entries of these kinds say, one by one. Raises: as above."""
        # JSON may escape what it likes; nothing else is read that does not name a kind.
        may = re.compile(rb"\\|" + b"|".join(re.escape(kind.encode()) for kind in kinds)).search
        for line in self._entries():
            if not line.startswith(b"{") or not line.rstrip(b"\r\n").endswith(b"}"):
                raise ValueError("an entry is no object")
            if may(line) and (body := json.loads(line)).get("kind") in kinds:
                yield body

    def entries(self) -> Iterator[bytes]:
        """The entries as they are written. Raises: as above."""
        return self._entries()

    def _entries(self) -> Iterator[bytes]:
        """Those of the files that size and scope name, and of no other."""
        if not self.place.is_dir():
            with self.place.open("rb") as lines:
                yield from lines
            return
        count = number = 0
        while count < self.size and len(self.missing) <= _MAX_MISSING:
            before, width = count, min(256, self.size - count)  # a part's files have any
            name = _tile_path(number, width) if self.whole else f"shown/{number:06d}"
            number += 1
            try:
                with self._open(name) as file:
                    for entry in _cut(file, 0 if self.whole else 8):
                        yield entry
                        count += 1
                if self.whole and count - before != width:
                    raise ValueError(f"{name}: not {width} entries")
            except FileNotFoundError:
                self.missing.add(name)
                self.part, count = True, before + (width if self.whole else 1)

    def _open(self, name: str) -> BinaryIO:
        """A plain file of the bundle to which no link leads. Raises: OSError."""
        path = self.place / name
        plain = stat.S_ISREG(os.lstat(path).st_mode)
        for room in path.parents[: name.count("/")]:
            plain = plain and stat.S_ISDIR(os.lstat(room).st_mode)
        if not plain:
            raise OSError(f"{name}: no plain file")
        return open(path, "rb", opener=lambda name, flags: os.open(name, flags | _FLAGS))


def _tile_path(n: int, width: int) -> str:
    """The name of the file of 256 entries, or of the `width` there are at the end."""
    name = f"{n % 1000:03d}"
    while n := n // 1000:
        name = f"x{n % 1000:03d}/{name}"
    return f"tile/entries/{name}" + (f".p/{width}" if width < 256 else "")


def _cut(file: BinaryIO, before: int) -> Iterator[bytes]:
    """Entries one after the other, each after `before` bytes and two of its length."""
    while head := file.read(before + 2):
        length = int.from_bytes(head[before:])
        entry = file.read(length)
        if len(head) + len(entry) != before + 2 + length:
            raise ValueError("an entry is cut off")
        yield entry


def judge(place: Path, say: Callable[[str], object], language: str = "pt") -> int:
    """Verify what lies there, say what is wrong with which; how it ends, see above."""
    try:
        book = Book(place)
        keys = Keys(book.manifest(REGISTERED, REVOKED))
        if book.missing:
            say(_MISSING[LANGUAGES.index(language)].format(first=min(book.missing)))
        code = _judge(keys.answers(book.manifest(WITNESSED)), say, language, part=book.part)
    except (OSError, *_UNREADABLE) as error:
        say(f"{place}: {error}")
        return 3
    return code or (2 if book.missing else 0)


def judge_entries(
    entries: Iterable[Mapping[str, object]],
    say: Callable[[str], object],
    language: str = "pt",
    *,
    part: bool = False,
) -> int:
    """The same of some entries, of part of a book or of all."""
    return _judge(answers(entries), say, language, part=part)


def _judge(
    answers: Iterable[Answer], say: Callable[[str], object], language: str, *, part: bool
) -> int:
    at = LANGUAGES.index(language)
    count = wrong = unseen = alone = 0
    for one in answers:
        hidden = part and one.problem == "unknown"
        count, alone = count + (one.problem != TWICE), alone + one.alone
        wrong, unseen = wrong + bool(one.problem and not hidden), unseen + hidden
        if one.problem:
            said = _NOT_SHOWN if hidden else PROBLEMS[one.problem]
            say(f"{one.stream} {one.n} ({one.staff}): {said[at]}")
    say(_COUNTED[at].format(count=count, wrong=wrong, unseen=unseen, alone=alone))
    return 1 if wrong else 2 if unseen else 0


def main(argv: Sequence[str]) -> int:
    """The command line. How it ends, see above."""
    parser = argparse.ArgumentParser(prog="python -m audit.attested")
    parser.add_argument("bundle", type=Path, metavar="BUNDLE")
    parser.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0])
    try:
        asked = parser.parse_args(argv)
    except SystemExit as ended:
        return 3 if ended.code else 0
    return judge(asked.bundle, print, asked.language)


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except Exception as trouble:  # Python's own 1 would say that an answer is wrong
        try:
            sys.stderr.write(f"{type(trouble).__name__}: {trouble}\n")
        finally:
            os._exit(3)  # what is left to print is not tried again
    sys.exit(code)
