"""What an inspector brings along: receipts, and checkpoints he kept from before."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final, NamedTuple

from .canonical import parse
from .entries import SLACK, later
from .envelope import is_digest, parts_of
from .notes import Checkpoint
from .tree import leaf_hash
from .trust import Trust, Walk, signers

BEGAN: Final = "1970-01-01T00:00:00.000000Z"  # of the seconds a witness counts
LAST: Final = 32_503_680_000  # the year 3000
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
    value = parse(data.rstrip(b"\r\n"))
    asked = {"format": str, "leaf": str, "n": int, "recorded": str, "stream": str}
    if type(value) is dict and type(value.get("origin", "")) is str:
        names = value.keys() - {"origin"}
        if names == asked.keys() and all(type(value[name]) is kind for name, kind in asked.items()):
            if value["format"] == FORMAT and is_digest(value["leaf"]):
                later(value["recorded"], SLACK)
                return Receipt(
                    value["stream"],
                    value["n"],
                    value["leaf"],
                    value["recorded"],
                    value.get("origin"),
                )
    raise ValueError("no receipt")


class Outside:
    """Compares what was kept outside with a book. `own`: the inspector says which keys count."""

    def __init__(self, report: Callable[..., None], trust: Trust, walk: Walk, own: bool) -> None:
        self.report, self.trust, self.walk, self.own = report, trust, walk, own
        self.epochs = trust.epochs

    def compare(self, note: Checkpoint, size: int, root: bytes | None, newest: str) -> None:
        """A checkpoint that was kept with a book of some size, that has this root at the size of
        that one; None where that cannot be known from what is shown. `newest` is the last moment of
        the entries that are shown.
        """
        values: dict[str, object] = {"size": note.size, "origin": note.origin}
        lost = [e["lost_size"] for e in self.epochs if e["lost_origin"] == note.origin]
        if not {note.origin} & {*self.walk.origins, *(e["lost_origin"] for e in self.epochs)}:
            self.report("older-other-book", **values)
        elif (self.own or root == note.root) and not self._is_signed(note):
            self.report("older-unsigned", **values)
        elif root == note.root:
            self.report("older-kept", **values)
        elif self._says_otherwise(note):
            self.report("older-differs", **values)
        elif self.walk.origins.get(note.origin, 0) < note.size <= max(lost, default=0):
            self.report("older-lost", **values)
        elif note.size > size and note.origin == [*self.walk.origins][-1]:
            # It is newer than this copy, or the copy's end was cut off.
            forked = self._seen_before(note, newest)
            self.report(
                "older-forked" if forked else "older-longer", **values, short=note.size - size
            )
        else:
            elsewhere = root is None and note.size <= size
            self.report("older-not-shown" if elsewhere else "older-differs", **values)

    def _says_otherwise(self, note: Checkpoint) -> bool:
        """Whether it is the very one that was declared lost, with another root."""
        same = [e for e in self.epochs if e["lost_origin"] == note.origin]
        return any(e["lost_size"] == note.size and e["lost_root"] != note.root.hex() for e in same)

    def _is_signed(self, note: Checkpoint) -> bool:
        return bool(signers(note, self.trust.keys())[0])

    def _seen_before(self, note: Checkpoint, newest: str) -> bool:
        """Whether a witness confirmed it before something that a shorter book holds was recorded:
        then the two are no one book.
        """
        seen = signers(note, {key[:2]: key for key in self.trust.policy.witnesses.values()})[0]
        if not seen or not newest:
            return False
        return later(BEGAN, timedelta(seconds=min(*seen.values(), LAST)) + SLACK) < newest

    def find(
        self, receipt: Receipt, entry: bytes | None, head: int, newest: str, index: int = -1
    ) -> None:
        """A receipt, and what stands in its place. `head` is the last number of its stream and
        `newest` the book's last moment; -1 and "" where not everything is shown. `index` is that of
        the entry.
        """
        values: dict[str, object] = {"stream": receipt.stream, "n": receipt.n}
        lost = [
            e["at"]
            for e in self.epochs
            if receipt.origin in (None, e["lost_origin"])
            # What stands in what is left of the old tree was not lost: there, another is another.
            and not (entry and 0 <= index < self.walk.origins.get(e["lost_origin"], 0))
        ]
        parts = parts_of(entry) if entry else None
        names = {None, *self.walk.origins, *(e["lost_origin"] for e in self.epochs)}
        if receipt.origin not in names:
            self.report("receipt-other-book", **values, origin=receipt.origin)
        elif entry and parts and leaf_hash(entry).hex() == receipt.leaf:
            kept = parts[0] == receipt.recorded.encode()
            self.report("receipt-kept" if kept else "receipt-wrong", **values)
        elif receipt.recorded < max(lost, default=""):
            self.report("receipt-lost", **values)
        elif entry or receipt.n <= head:
            self.report("receipt-wrong", **values)
        elif head < 0:
            self.report("receipt-not-shown", **values)
        elif later(receipt.recorded, SLACK) < newest:
            self.report("receipt-missing", **values, recorded=receipt.recorded)
        else:
            self.report("receipt-not-yet", **values, recorded=receipt.recorded)
