"""One file that proves one entry: its path in the tree and the signed checkpoint.

Source: C2SP tlog-proof, version 1. `extra` is what the application adds; nothing vouches for it.
"""

from dataclasses import dataclass
from typing import Final, Self

from casino.tlog.checkpoint import Checkpoint, parse_checkpoint
from casino.tlog.merkle import HASH
from casino.tlog.note import Note, parse_note
from casino.tlog.proof import LONGEST
from casino.tlog.strict import MOST_WHOLE, Unreadable, base64_of, bytes_of, text_of, whole

HEAD: Final = "c2sp.org/tlog-proof@v1"
MOST_FILE: Final = 4_000_000  # bytes
WHAT: Final = "a proof"


@dataclass(frozen=True, slots=True)
class ProofFile:
    """The path of entry `index` (leaf's sibling first) and the note of the checkpoint it leads to.

    Neither the path nor the signatures have been followed yet. Raises: Unreadable.
    """

    index: int
    path: tuple[bytes, ...]
    checkpoint_note: str
    extra: bytes | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", tuple(self.path))
        if not 0 <= self.index <= MOST_WHOLE:
            raise Unreadable(f"{WHAT}: no index {self.index}")
        if len(self.path) > LONGEST or any(len(step) != HASH for step in self.path):
            raise Unreadable(f"{WHAT}: not a path of at most {LONGEST} hashes")
        if self.extra == b"":
            raise Unreadable(f"{WHAT}: an extra line with nothing in it")
        if self.index >= self.checkpoint.size:
            raise Unreadable(f"{WHAT}: index {self.index} is not in its checkpoint's tree")

    @property
    def note(self) -> Note:
        """The checkpoint with its signatures."""
        return parse_note(self.checkpoint_note)

    @property
    def checkpoint(self) -> Checkpoint:
        """The tree head that the path leads to."""
        return parse_checkpoint(self.note.text)

    def text(self) -> str:
        """The file."""
        lines = [HEAD]
        if self.extra is not None:
            lines.append(f"extra {base64_of(self.extra)}")
        lines.append(f"index {self.index}")
        lines += map(base64_of, self.path)
        return "\n".join([*lines, "", self.checkpoint_note])

    @classmethod
    def parse(cls, text: str | bytes, most: int = MOST_FILE) -> Self:
        """Read a file of at most `most` bytes. Raises: Unreadable."""
        proof, empty, note = text_of(text, most, WHAT).partition("\n\n")
        if not empty:
            raise Unreadable(f"{WHAT}: no empty line before its checkpoint")
        head, *lines = proof.split("\n", LONGEST + 4)
        if head != HEAD:
            raise Unreadable(f"{WHAT}: does not begin with {HEAD}")
        extra = None
        if lines and lines[0].startswith("extra "):
            extra = bytes_of(lines.pop(0).removeprefix("extra "), f"{WHAT}'s extra line")
        if not lines or not lines[0].startswith("index "):
            raise Unreadable(f"{WHAT}: no line with the index")
        index = whole(lines.pop(0).removeprefix("index "), f"{WHAT}'s index")
        if len(lines) > LONGEST:
            raise Unreadable(f"{WHAT}: more than {LONGEST} hashes")
        path = tuple(bytes_of(line, f"{WHAT}'s path", HASH) for line in lines)
        return cls(index, path, note, extra)
