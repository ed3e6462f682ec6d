"""Checkpoints: how large the tree was and what its root was, as a text to be signed.

Source: C2SP tlog-checkpoint. Lines of extension are refused: what nobody could check has no place
under a signature.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from casino.tlog.merkle import HASH
from casino.tlog.note import COSIGNATURE, MOMENT, SigningKey, cosigned, signature_line
from casino.tlog.strict import (
    MOST_NAME,
    MOST_WHOLE,
    Unreadable,
    base64_of,
    bytes_of,
    name_of,
    text_of,
    whole,
)

MOST_TEXT: Final = MOST_NAME + 100  # bytes of a checkpoint's three lines


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A tree of `size` leaves under `root` (32 bytes), of the log named `origin`.

    Raises: Unreadable, for one that could not be written and read again.
    """

    origin: str
    size: int
    root: bytes

    def __post_init__(self) -> None:
        name_of(self.origin, "a checkpoint's origin")
        if not 0 <= self.size <= MOST_WHOLE:
            raise Unreadable(f"a checkpoint: no tree has {self.size} leaves")
        if len(self.root) != HASH:
            raise Unreadable(f"a checkpoint: a root has {HASH} bytes")
        if not self.size and self.root != sha256(b"").digest():
            raise Unreadable("a checkpoint: an empty tree with another root")

    def text(self) -> str:
        """The three lines that are signed."""
        return f"{self.origin}\n{self.size}\n{base64_of(self.root)}\n"


def parse_checkpoint(text: str) -> Checkpoint:
    """Read the text of a note. Raises: Unreadable."""
    lines = text_of(text, MOST_TEXT, "a checkpoint").split("\n")
    if len(lines) != 4 or lines[3]:
        raise Unreadable("a checkpoint: not origin, size and root on a line each")
    origin, size, root, _ = lines
    return Checkpoint(
        origin,
        whole(size, "a checkpoint's size"),
        bytes_of(root, "a checkpoint's root", HASH),
    )


def cosign(signing_key: SigningKey, checkpoint_text: str, timestamp: int) -> str:
    """The line (without its line feed) in which a witness signs that it saw this checkpoint.

    `timestamp` is in seconds since 1970. Source: C2SP tlog-cosignature, cosignature/v1.
    Raises: Unreadable, for what is no checkpoint or no moment.
    """
    parse_checkpoint(checkpoint_text)
    if not 0 <= timestamp <= MOST_WHOLE:
        raise Unreadable(f"a cosignature: no moment {timestamp}")
    signature = signing_key.signature(cosigned(checkpoint_text, timestamp))
    blob = timestamp.to_bytes(MOMENT, "big") + signature
    return signature_line(signing_key.verifier(COSIGNATURE), blob)
