"""What an inspector brings along: receipts, and checkpoints he kept from before."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from .canonical import parse
from .entries import SLACK, later
from .envelope import is_digest, parts_of
from .notes import Checkpoint
from .tree import leaf_hash
from .trust import Trust, Walk, signers

FORMAT: Final = "livro-da-sala-receipt/1"


class Receipt(NamedTuple):
    """What the author of a record was shown: where it stands, its hash, when it was recorded."""

    stream: str
    n: int
    leaf: str
    recorded: str
    origin: str | None


def read_receipt(data: bytes) -> Receipt:
    """A receipt, with or without the end of its line. Raises: ValueError."""
    told = parse(data.rstrip(b"\r\n"))
    asked = {"format": str, "leaf": str, "n": int, "recorded": str, "stream": str}
    if type(told) is dict and type(told.get("origin", "")) is str:
        names = told.keys() - {"origin"}
        if names == asked.keys() and all(type(told[name]) is kind for name, kind in asked.items()):
            if told["format"] == FORMAT and is_digest(told["leaf"]):
                later(told["recorded"], SLACK)
                return Receipt(
                    told["stream"], told["n"], told["leaf"], told["recorded"], told.get("origin")
                )
    raise ValueError("no receipt")


class Outside:
    """Compares what was kept outside with a book. `own`: the inspector says which keys count."""

    def __init__(self, report: Callable[..., None], trust: Trust, walk: Walk, own: bool) -> None:
        self.report, self.trust, self.walk, self.own = report, trust, walk, own
        self.epochs = trust.epochs

    def compare(self, note: Checkpoint, size: int, root: bytes | None) -> None:
        """An older checkpoint with a book of some size, that has this root at the size of the older
        one; None where that cannot be known from what is shown.
        """
        told: dict[str, Any] = {"size": note.size, "origin": note.origin}
        lost = [e["lost_size"] for e in self.epochs if e["lost_origin"] == note.origin]
        if root == note.root:
            self.report("older-kept", **told)
        elif not {note.origin} & {*self.walk.origins, *(e["lost_origin"] for e in self.epochs)}:
            self.report("older-other-book", **told)
        elif self._says_otherwise(note):
            self.report("older-differs", **told)
        elif self.walk.origins.get(note.origin, 0) < note.size <= max(lost, default=0):
            self.report("older-lost", **told)
        elif self.own and not self._is_signed(note):
            self.report("older-unsigned", **told)
        elif note.size > size:
            self.report("older-longer", **told, short=note.size - size)
        else:
            self.report("older-differs" if root else "older-not-shown", **told)

    def _says_otherwise(self, note: Checkpoint) -> bool:
        """Whether it is the very one that was declared lost, with another root."""
        same = [e for e in self.epochs if e["lost_origin"] == note.origin]
        return any(e["lost_size"] == note.size and e["lost_root"] != note.root.hex() for e in same)

    def _is_signed(self, note: Checkpoint) -> bool:
        return bool(signers(note, self.trust.keys())[0])

    def find(
        self, receipt: Receipt, entry: bytes | None, head: int, newest: str, index: int = -1
    ) -> None:
        """A receipt, and what stands in its place. `head` is the last number of its stream and
        `newest` the book's last moment; -1 and "" where not everything is shown. `index` is that of
        the entry.
        """
        told: dict[str, Any] = {"stream": receipt.stream, "n": receipt.n}
        lost = [
            e["at"]
            for e in self.epochs
            if receipt.origin in (None, e["lost_origin"])
            # What stands in what is left of the old tree was not lost: there, another is another.
            and not (entry and 0 <= index < self.walk.origins.get(e["lost_origin"], 0))
        ]
        parts = parts_of(entry) if entry else None
        if entry and parts and leaf_hash(entry).hex() == receipt.leaf:
            kept = parts[0] == receipt.recorded.encode()
            self.report("receipt-kept" if kept else "receipt-wrong", **told)
        elif receipt.origin not in (
            None,
            *self.walk.origins,
            *(e["lost_origin"] for e in self.epochs),
        ):
            self.report("receipt-other-book", **told, origin=receipt.origin)
        elif receipt.recorded < max(lost, default=""):
            self.report("receipt-lost", **told)
        elif entry or receipt.n <= head:
            self.report("receipt-wrong", **told)
        elif head < 0:
            self.report("receipt-not-shown", **told)
        elif later(receipt.recorded, SLACK) < newest:
            self.report("receipt-missing", **told, recorded=receipt.recorded)
        else:
            self.report("receipt-not-yet", **told, recorded=receipt.recorded)
