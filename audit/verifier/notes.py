"""Signed notes, checkpoints, cosignatures, keys and policies, as c2sp.org writes them.

What is not written exactly so raises ValueError.
"""

import base64
import hashlib
import re
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LOG: Final = 1  # an Ed25519 key that signs checkpoints
WITNESS: Final = 4  # one that cosigns them, with a time
MAX_NOTE: Final = 256 * 1024
MAX_SIGNATURES: Final = 100
MAX_NAMES: Final = 200  # of a policy's witnesses and groups
NEVER: Final = 2**63 - 1
_whole: Final = re.compile(r"0|[1-9][0-9]{0,18}").fullmatch
_control: Final = re.compile(r"[\x00-\x09\x0b-\x1f]").search
_key_name: Final = re.compile(r"[^\s+]{1,300}").fullmatch  # and that of a log; the house's: 264


class Key(NamedTuple):
    """A key that signs notes. `vkey` is how it is written."""

    name: str
    key_id: bytes
    kind: int
    public: bytes
    vkey: str


class Signature(NamedTuple):
    """A line under a note: who signed, and what he made."""

    name: str
    key_id: bytes
    made: bytes


class Checkpoint(NamedTuple):
    """A signed tree: the whole note, its text, what that says, and the signatures under it."""

    whole: bytes
    text: bytes
    origin: str
    size: int
    root: bytes
    signatures: list[Signature]


def unbase64(text: str) -> bytes:
    """The bytes of canonical base64."""
    data = base64.b64decode(text.encode(), validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError("base64 that is not canonical")
    return data


def whole(text: str) -> int:
    """A whole number, without a sign and leading zeros."""
    if not _whole(text):
        raise ValueError("no whole number")
    return int(text)


def read_key(vkey: str) -> Key:
    """A key, from `<name>+<id>+<base64>`."""
    name, key_id, rest = vkey.split("+", 2)
    data = unbase64(rest)
    digest = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4]
    if (
        not _key_name(name)
        or digest.hex() != key_id
        or len(data) != 33
        or data[0] not in (LOG, WITNESS)
    ):
        raise ValueError("no key known here")
    return Key(name, digest, data[0], data[1:], vkey)


def read_checkpoint(data: bytes) -> Checkpoint:
    """A signed note whose text is a checkpoint of three lines."""
    if len(data) > MAX_NOTE:
        raise ValueError("a note that is too long")
    note = data.decode()
    head, division, tail = note.rpartition("\n\n")
    *lines, last = tail.split("\n")
    if _control(note) or not division or last or not 0 < len(lines) <= MAX_SIGNATURES:
        raise ValueError("no signed note")
    signatures = []
    for line in lines:
        dash, name, made = line.split(" ")
        blob = unbase64(made)
        if dash != "\N{EM DASH}" or not _key_name(name) or len(blob) < 5:
            raise ValueError("no signature")
        signatures.append(Signature(name, blob[:4], blob[4:]))
    origin, size, root = head.split("\n")
    hash_ = unbase64(root)
    if not _key_name(origin) or len(hash_) != 32:
        raise ValueError("no checkpoint")
    return Checkpoint(data, f"{head}\n".encode(), origin, whole(size), hash_, signatures)


def signed_at(note: Checkpoint, key: Key) -> int | None:
    """When a key signed: seconds for a witness, 0 for a log; None: it did not.

    Raises: ValueError, for a signature that claims to be the key's and is not.
    """
    made = [each.made for each in note.signatures if each[:2] == key[:2]]
    for each in made:
        moment, text, blob = 0, note.text, each
        if key.kind == WITNESS:
            moment, blob = int.from_bytes(each[:8], "big"), each[8:]
            text = b"cosignature/v1\ntime %d\n" % moment + text
        try:
            Ed25519PublicKey.from_public_bytes(key.public).verify(blob, text)
        except InvalidSignature:
            raise ValueError(key.vkey) from None
        if moment > NEVER:
            raise ValueError(key.vkey)
    return moment if made else None


class Policy:
    """Whose signatures count: the log's keys, the witnesses, and how many of these there must be.

    `needs` holds, by its name, what a witness or group asks for: how many of which members.
    """

    def __init__(self, data: bytes) -> None:
        self.logs: list[Key] = []
        self.witnesses: dict[str, Key] = {}
        self.needs: dict[str, tuple[int, list[str]]] = {}
        self.quorum = ""
        self._grouped: set[str] = set()
        if any((byte < 32 and byte not in b"\t\n") or byte == 127 for byte in data):
            raise ValueError("a control character")
        for line in data.decode("utf-8", "surrogateescape").split("\n"):
            words = re.findall("[^ \t]+", line)
            if words and not words[0].startswith("#"):
                self._take(words)
        keys = [*self.logs, *self.witnesses.values()]
        if not self.quorum or len({each[2:4] for each in keys}) < len(keys):
            raise ValueError("no quorum, or one key twice")

    def _take(self, words: list[str]) -> None:
        match words:
            case ["log", vkey, *url] if len(url) < 2 and (key := read_key(vkey)).kind == LOG:
                self.logs.append(key)
            case ["witness", name, vkey, *url] if (
                len(url) < 2 and self._is_new(name) and (key := read_key(vkey)).kind == WITNESS
            ):
                self.witnesses[name], self.needs[name] = key, (0, [])
            case ["group", name, least, *members] if (
                self._is_new(name)
                and len(set(members)) == len(members)
                and set(members) <= self.needs.keys() - self._grouped
            ):
                k = {"any": 1, "all": len(members)}.get(least) or whole(least)
                if not 1 <= k <= len(members):
                    raise ValueError("a group that nobody can fill")
                self.needs[name] = k, members
                self._grouped.update(members)
            case ["quorum", name] if not self.quorum and (name == "none" or name in self.needs):
                self.quorum = name
            case _:
                raise ValueError("no line of a policy")

    def _is_new(self, name: str) -> bool:
        return name != "none" and name not in self.needs and len(self.needs) < MAX_NAMES

    def met(self, signed: set[Key], name: str = "") -> bool:
        """Whether enough witnesses signed, of all or of those under a name."""
        name = name or self.quorum
        if name in self.witnesses or name == "none":
            return name == "none" or self.witnesses[name] in signed
        least, members = self.needs[name]
        return sum(self.met(signed, member) for member in members) >= least
