"""A checkpoint somebody kept, held against the book: one answer for every door.

Of all that can be said of a book without reading it, only this cannot be made up: whoever brings a
checkpoint he kept outside the house learns whether the book's first entries are those it had then.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from audit.verifier.notes import Checkpoint, Key, Policy, read_checkpoint, read_key
from audit.verifier.tree import root_at
from audit.verifier.trust import signers
from audit.verifying.phase import fetch
from audit.verifying.problem_texts import sentence
from audit.verifying.problems import Problem
from casino import sealed

HASH: Final = 32
_ROOT: Final = "SELECT root FROM book_tree WHERE size = %s"
_SIZE: Final = "SELECT coalesce(max(size), 0) FROM book_tree"
_KEYS: Final = "SELECT vkey, replaces FROM casino_signing_key"
_EPOCHS: Final = """
SELECT e.lost_origin, e.lost_size, e.lost_root,
    (SELECT coalesce(max(c.size), 0) FROM book_checkpoint c
     WHERE c.size <= e.lost_size AND split_part(c.note, E'\\n', 1) = e.lost_origin)
FROM casino_epoch e
JOIN casino_epoch_approval a ON (a.begun_stream, a.begun_n) = (e.stream, e.n)
"""


@dataclass(frozen=True, slots=True)
class BookHeld:
    """What of a book a checkpoint is held against.

    `ends` are the sizes of the last checkpoint under each name, `epochs` the declared losses
    (`lost_origin`, `lost_size`, `lost_root` in hex); `keys` are those that may have signed, None
    where the house publishes none.
    """

    using: str
    ends: Mapping[str, int]
    epochs: Sequence[Mapping[str, Any]]
    keys: Collection[Key] | None

    def size(self) -> int:
        """How many entries the tree has."""
        ((now,),) = fetch(self.using, _SIZE)
        return int(now)

    def root(self, size: int) -> bytes:
        """The tree's root at a size it has reached."""
        for (root,) in fetch(self.using, _ROOT, size):
            return bytes(root)
        tiles = sealed.Tiles(self.using)
        return root_at(size, lambda level, n, count: _cut(tiles(level, n, count)))


def _cut(hashes: bytes) -> list[bytes]:
    return [hashes[at : at + HASH] for at in range(0, len(hashes), HASH)]


def book_held(using: str = "default") -> BookHeld | None:
    """The book as it stands now; None before its first checkpoint."""
    newest = sealed.latest(using)
    if newest is None:
        return None
    ends, epochs = {}, []
    for origin, size, root, last in fetch(using, _EPOCHS):
        ends[origin] = last
        epochs.append({"lost_origin": origin, "lost_size": size, "lost_root": root})
    ends[newest.origin] = newest.size
    text = sealed.policy_text()
    keys = None
    if text:
        named = [key for pair in fetch(using, _KEYS) for key in pair if key]
        keys = {*Policy(text.encode()).logs, *map(read_key, named)}
    return BookHeld(using, ends, epochs, keys)


def against(
    note: Checkpoint,
    book: BookHeld,
    report: Callable[..., None],
    name: str = "",
    *,
    theirs: bool = True,
) -> bool:
    """Whether the tree still holds all of a checkpoint; what contradicts it is reported.

    One that somebody else kept (`theirs`) accuses the house only under its own name and key. False
    without a word: what it covers was declared lost.
    """
    if theirs and note.origin not in {*book.ends, *(e["lost_origin"] for e in book.epochs)}:
        report("older-other-book", size=note.size, origin=note.origin)
        return False
    # Where no keys are published nobody can say whose it is, and nothing somebody brings counts.
    ours = not theirs
    if book.keys is not None:
        ours = bool(signers(note, {key[:2]: key for key in book.keys})[0])
    if not ours:
        report("older-unsigned" if theirs else "older-not-signed", file=name, size=note.size)
        return False
    lost = [each for each in book.epochs if each["lost_origin"] == note.origin]
    if any(e["lost_size"] == note.size and e["lost_root"] != note.root.hex() for e in lost):
        report("older-differs", file=name, size=note.size)
        return False
    last = book.ends.get(note.origin, 0)  # what it covers was not lost: there the tree answers
    if last < note.size <= max((each["lost_size"] for each in lost), default=0):
        return False
    now = book.size()
    if note.size > now:
        report("short-by", file=name, size=note.size, entries=note.size - now)
        return False
    if note.size and book.root(note.size) != note.root:
        report("older-differs", file=name, size=note.size)
        return False
    return True


def said_of_kept(text: str) -> tuple[str, str]:
    """What is to be said of a checkpoint somebody brings: "kept", "breach" or "warning", and a
    sentence. Raises: ValueError, for what is no checkpoint.
    """
    note, book = read_checkpoint(text.encode()), book_held()
    if book is None:
        return "warning", _("Nothing of this book has been signed yet.")
    found: list[Problem] = []

    def report(code: str, **details: object) -> None:
        found.append(Problem(code, details=details))

    name = _("The checkpoint you kept")
    if against(note, book, report, name):
        more = book.size() - note.size
        if not more:
            return "kept", _("The book stands exactly where your checkpoint left it.")
        words = _(
            "The book grew from your checkpoint: its first %(size)s entries are those of then, and"
            " %(more)s came after."
        )
        return "kept", words % {"size": note.size, "more": more}
    if not found:
        return "warning", _("What your checkpoint covers was declared lost by two persons.")
    grave = found[0].code in ("older-differs", "short-by")
    return "breach" if grave else "warning", sentence(found[0])
