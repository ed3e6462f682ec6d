"""What was signed last: kept by the signer itself, and believed before anything a database says."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from casino.signer.signer_files import PRIVATE, write_whole
from casino.signer.signer_trouble import Refused
from casino.tlog.checkpoint import Checkpoint, parse_checkpoint
from casino.tlog.merkle import HASH, Frontier
from casino.tlog.note import parse_note
from casino.tlog.strict import name_of

MOST: Final = 200_000  # bytes of the file: a note and 63 hashes


@dataclass(frozen=True, slots=True)
class Last:
    """The newest checkpoint signed, as a note, and the frontier by which its tree grows on.

    Before the first one `size` is 0 and `note` ''.
    """

    origin: str
    size: int
    root: bytes
    frontier: bytes
    note: str

    @classmethod
    def none(cls, origin: str) -> Self:
        """Nothing was signed yet."""
        return cls(origin, 0, Frontier().root(), b"", "")

    @classmethod
    def of(cls, tree: Frontier, note: str) -> Self:
        """What a note says about a tree. Raises: ValueError, where they do not agree."""
        checkpoint = parse_checkpoint(parse_note(note).text)
        if (checkpoint.size, checkpoint.root) != (tree.size, tree.root()):
            raise ValueError("the checkpoint is of another tree than the frontier")
        return cls(checkpoint.origin, checkpoint.size, checkpoint.root, tree.to_bytes(), note)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the file. Raises: ValueError."""
        value = json.loads(text)
        tree = Frontier.from_bytes(value["size"], bytes.fromhex(value["frontier"]))
        found = cls.of(tree, value["note"])
        if value["root"] != found.root.hex():
            raise ValueError("the root is another than the checkpoint's")
        return found

    def text(self) -> str:
        """The file."""
        values = {
            "frontier": self.frontier.hex(),
            "note": self.note,
            "root": self.root.hex(),
            "size": self.size,
        }
        return json.dumps(values, indent=1, sort_keys=True) + "\n"

    def tree(self) -> Frontier:
        """The tree as it was signed, ready to grow."""
        return Frontier.from_bytes(self.size, self.frontier)

    def checkpoint(self) -> Checkpoint:
        """What the note says."""
        return parse_checkpoint(parse_note(self.note).text)

    def save(self, file: Path) -> None:
        """Keep it, synced to the disk before this returns. Raises: OSError."""
        write_whole(file, self.text(), PRIVATE)


def load(file: Path, origin: Path) -> Last:
    """What was signed last; before the first checkpoint, the origin it will have.

    Raises: Refused, where a file is not what was written; OSError.
    """
    try:
        if file.exists():
            return Last.parse(_read(file))
        if origin.exists():
            return Last.none(name_of(_read(origin).strip(), "an origin"))
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        why = f"{file} or {origin.name} is damaged ({error}): put it back from a copy."
        raise Refused("state-damaged", why) from error
    raise Refused("no-key", f"{origin} is not there: `python -m casino.signer init` makes it.")


def _read(file: Path) -> str:
    with file.open("rb") as held:
        data = held.read(MOST + 1)
    if len(data) > MOST:
        raise ValueError(f"longer than {MOST} bytes")
    return data.decode()


def brief(root: bytes) -> str:
    """A root as a sentence names it: enough of it to tell two apart."""
    return root.hex()[: HASH // 2]
