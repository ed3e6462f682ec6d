"""What a log and a witness say to each other. Source: C2SP tlog-witness v1.0.0.

A log sends its newest checkpoint with a proof that it continues the one the witness saw last; the
witness answers with its cosignature, or with the size it knows. Nothing is sent here.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

from casino.tlog.merkle import HASH
from casino.tlog.note import Note, VerifierKey, parse_note, parse_signature, valid_signatures
from casino.tlog.strict import Unreadable, base64_of, bytes_of, text_of, whole

PATH: Final = "add-checkpoint"
SIZE_TYPE: Final = "text/x.tlog.size"  # of an answer that says the size the witness knows
MOST_PROOF: Final = 63  # hashes
MOST_REQUEST: Final = 65_536  # bytes
MOST_ANSWER: Final = 65_536  # bytes
_OLD: Final = "old "


@dataclass(frozen=True, slots=True)
class AddCheckpoint:
    """A request: the size the witness is believed to know, the path from there, the signed note."""

    old: int
    proof: tuple[bytes, ...]
    note: str

    def text(self) -> str:
        """The request's body."""
        steps = "".join(f"{base64_of(each)}\n" for each in self.proof)
        return f"{_OLD}{self.old}\n{steps}\n{self.note}"

    @classmethod
    def parse(cls, body: bytes) -> Self:
        """Read a body. Raises: Unreadable."""
        text = text_of(body, MOST_REQUEST, "a request")
        head, empty, note = text.partition("\n\n")
        first, *steps = head.split("\n")
        if not empty or not first.startswith(_OLD):
            raise Unreadable("a request: not an old size, a proof, an empty line and a checkpoint")
        if len(steps) > MOST_PROOF:
            raise Unreadable(f"a request: more than {MOST_PROOF} hashes of proof")
        proof = tuple(bytes_of(each, "a hash of the proof", HASH) for each in steps)
        return cls(whole(first.removeprefix(_OLD), "the old size"), proof, note)


def cosignature_in(answer: bytes, note: str, key: VerifierKey) -> tuple[str, int]:
    """The line in which the witness of this key signs a note, and when (seconds since 1970).

    Signatures of other keys are passed over. Raises: Unreadable, where there is none of this key;
    SignatureRefused, where one is not its signature.
    """
    text = text_of(answer, MOST_ANSWER, "the answer")
    lines = [parse_signature(line) for line in text.removesuffix("\n").split("\n")]
    for line in lines:
        if (line.name, line.key_id) == (key.name, key.key_id):
            moments = valid_signatures(Note(parse_note(note).text, (line,)), [key])
            return line.line, moments[key.text()] or 0
    raise Unreadable(f"the answer: no signature of {key.name}")


def size_in(answer: bytes) -> int:
    """The size a witness says it knows (409). Raises: Unreadable."""
    text = text_of(answer, MOST_ANSWER, "the answer")
    if not text.endswith("\n"):
        raise Unreadable("the answer: no size with a line feed")
    return whole(text[:-1], "the size the witness knows")


def origin_hash(origin: str) -> str:
    """The name under which a witness shows the newest checkpoint of a log: 64 hex digits."""
    return sha256(origin.encode()).hexdigest()
