"""Who signed: signed notes, checkpoints, keys and lists of keys, as c2sp.org writes them.

What is not written exactly so raises ValueError.
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LOG, WITNESS = 1, 4  # the kinds of keys: one that signs checkpoints, one that confirms them
MAX_NOTE = 256 * 1024  # bytes
is_name = re.compile(r"[^\s+]{1,300}").fullmatch
control = re.compile(r"[\x00-\x09\x0b-\x1f]").search


class Key(NamedTuple):
    """A public key; `text` is how it is written: name+number+base64."""

    name: str
    number: bytes
    kind: int
    public: bytes
    text: str


class Note(NamedTuple):
    """A checkpoint: the text that was signed, what it says, and (name, number, signature)s."""

    whole: bytes
    text: bytes
    origin: str
    size: int
    root: bytes
    signatures: list[tuple[str, bytes, bytes]]


def unbase64(text: str) -> bytes:
    """The bytes that base64 writes, in the one way it writes them."""
    data = base64.b64decode(text.encode(), validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError("base64")
    return data


def whole(text: str) -> int:
    """A number without a sign and without leading zeros."""
    if not re.fullmatch("0|[1-9][0-9]{0,18}", text):
        raise ValueError("number")
    return int(text)


def read_key(text: str, algorithm: int) -> Key:
    """A key of this kind; its number is made of its name and its bytes."""
    name, number, rest = text.split("+", 2)
    data = unbase64(rest)
    digest = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4]
    if not is_name(name) or digest.hex() != number or len(data) != 33 or data[0] != algorithm:
        raise ValueError("key")
    return Key(name, digest, algorithm, data[1:], text)


def read_note(data: bytes) -> Note:
    """A checkpoint of three lines (name of the book, size, root), an empty line, signatures."""
    note = data.decode()
    head, division, tail = note.rpartition("\n\n")
    *lines, last = tail.split("\n")
    if len(data) > MAX_NOTE or control(note) or not division or last or not 0 < len(lines) <= 100:
        raise ValueError("note")
    signatures = []
    for line in lines:
        dash, name, made = line.split(" ")
        blob = unbase64(made)
        if dash != "\N{EM DASH}" or not is_name(name) or len(blob) < 5:
            raise ValueError("signature")
        signatures.append((name, blob[:4], blob[4:]))
    origin, size, root = head.split("\n")
    if not is_name(origin) or len(unbase64(root)) != 32:
        raise ValueError("checkpoint")
    return Note(data, f"{head}\n".encode(), origin, whole(size), unbase64(root), signatures)


def signed_at(text: bytes, key: Key, made: bytes) -> int:
    """When a key signed, in seconds; a log's key says no time. Raises: InvalidSignature."""
    moment = 0
    if key.kind == WITNESS:
        moment, made = int.from_bytes(made[:8], "big"), made[8:]
        text = b"cosignature/v1\ntime %d\n" % moment + text
    Ed25519PublicKey.from_public_bytes(key.public).verify(made, text)
    return moment


def signers(note: Note, keys: Iterable[Key]) -> tuple[dict[Key, int], list[Key]]:
    """Which of these keys signed, and when; in the name of which there is a false signature."""
    signed, false = dict[Key, int](), list[Key]()
    for key in keys:
        for name, number, made in note.signatures:
            if (name, number) == key[:2]:
                try:
                    signed[key] = signed_at(note.text, key, made)
                except InvalidSignature:
                    false.append(key)
    return {key: moment for key, moment in signed.items() if key not in false}, false


class Policy:
    """A list of keys: those of the log, the witnesses, and how many of these must confirm."""

    def __init__(self, data: bytes) -> None:
        self.logs: list[Key] = []
        self.witnesses: dict[str, Key] = {}
        self.needs: dict[str, tuple[int, list[str]]] = {}  # how many of whom, by name
        self.quorum = ""
        if any((byte < 32 and byte not in b"\t\n") or byte == 127 for byte in data):
            raise ValueError("control character")
        for line in data.decode("utf-8", "surrogateescape").split("\n"):
            words = re.findall("[^ \t]+", line)
            if words and not words[0].startswith("#"):
                self._take(words)
        keys = [*self.logs, *self.witnesses.values()]
        if not self.quorum or len({key[2:4] for key in keys}) < len(keys):
            raise ValueError("no quorum, or one key twice")

    def _take(self, words: list[str]) -> None:
        taken = {member for _, members in self.needs.values() for member in members}
        match words:
            case ["log", text, *url] if len(url) < 2:
                self.logs.append(read_key(text, LOG))
            case ["witness", name, text, *url] if len(url) < 2 and self._is_new(name):
                self.witnesses[name], self.needs[name] = read_key(text, WITNESS), (0, [])
            case ["group", name, least, *members] if self._is_new(name):
                count = {"any": 1, "all": len(members)}.get(least) or whole(least)
                known = len({*members}) == len(members) and {*members} <= self.needs.keys() - taken
                if not known or not 1 <= count <= len(members):
                    raise ValueError("group")
                self.needs[name] = count, members
            case ["quorum", name] if not self.quorum and name in ("none", *self.needs):
                self.quorum = name
            case _:
                raise ValueError("line")

    def _is_new(self, name: str) -> bool:
        return name != "none" and name not in self.needs and len(self.needs) < 200

    def met(self, signed: Iterable[Key], name: str = "") -> bool:
        """Whether enough witnesses signed."""
        if (name := name or self.quorum) in self.witnesses:
            return self.witnesses[name] in signed
        count, members = self.needs.get(name, (0, []))  # "none" asks nobody
        return sum(self.met(signed, member) for member in members) >= count


class Trust:
    """Which keys are believed, checkpoint after checkpoint.

    Believed are the keys of the policy, and a key that an entry names (`named`: index, key, the one
    it replaces) from the first checkpoint on that covers that entry and bears a believed signature.
    The key it replaces is believed until a checkpoint goes without it.
    """

    def __init__(self, policy: Policy, named: list[Any], notes: list[Note]) -> None:
        self.policy, self.named = policy, named
        self.found: list[tuple[str, dict[str, Any]]] = []  # what is wrong
        self.signed: set[Key] = set()  # the believed keys that signed the newest
        self.witnessed = 0  # the size of the largest that enough witnesses confirmed
        self.origins: list[str] = []  # the book's name at each checkpoint
        self.changes: list[tuple[int, int, Key, Key | None]] = []  # from which size on, see named
        # All keys of the log there ever were.
        self.keys = {*policy.logs, *(key for _, *pair in named for key in pair if key)}
        believed = {*policy.logs}
        self._walk(notes, believed)
        if self.signed and "checkpoint-unsigned" in {code for code, _ in self.found}:
            for _ in named:  # once more, with the keys that a listed one replaced
                believed |= {old for _, new, old in named if old and new in believed}
            self._walk(notes, believed)

    def _walk(self, notes: list[Note], first: set[Key]) -> None:
        """All checkpoints, smallest first."""
        self.found, self.changes, self.origins, self.witnessed = [], [], [], 0
        believed, known, replaced, waiting = {*first}, {*first}, set[Key](), [*self.named]
        for note in notes:
            fresh = [each for each in waiting if each[0] < note.size]
            known |= {new for _, new, _ in fresh}
            signed, false = signers(note, [*known, *self.policy.witnesses.values()])
            for key in false:
                self.found.append(("signature-wrong", {"size": note.size, "key": key.name}))
            self._misnamed(note)
            self.signed = {*signed} & believed
            if self.signed:
                self.changes += [(note.size, *each) for each in fresh]
                believed |= {new for _, new, _ in fresh}
                replaced |= {old for _, _, old in fresh if old}
                believed -= replaced - signed.keys()
                replaced &= believed
                waiting, self.signed = waiting[len(fresh) :], {*signed} & believed
            else:
                self.found.append(("checkpoint-unsigned", {"size": note.size}))
            if self.origins and note.origin != self.origins[-1]:
                self.found.append(("origin-changed", {"size": note.size, "origin": note.origin}))
            self.origins.append(note.origin)
            self.witnessed = note.size if self.policy.met(signed) else self.witnessed
        if not {key.name for key in self.policy.logs} & {*self.origins}:
            self.found.append(("origin-unknown", {"origin": self.origins[-1] if notes else ""}))

    def _misnamed(self, note: Note) -> None:
        """Signatures that bear half of what names a witness: his name, or his key's number."""
        keys = {key[:2] for key in self.policy.witnesses.values()}
        for name, number, _ in note.signatures:
            named, numbered = name in {key[0] for key in keys}, number in {key[1] for key in keys}
            if (name, number) not in keys and (named or numbered):
                code = "cosignature-unknown" if named else "signature-wrong"
                self.found.append((code, {"size": note.size, "key": name}))
