"""What the seal shows of the book: signed tree heads, the tree itself, the proof of one record.

Nothing here judges. It hands out what the database holds, altered or not: whoever verifies it must
be able to find that. `using` names a connection that may read the book; inside a transaction of the
caller's all of it is seen at one moment.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import connections
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.models import BookCheckpoint, BookEntry, BookLeaf, PrivateValue
from casino.tlog.canonical import NotCanonical, canonical, instant_text
from casino.tlog.merkle import HASH
from casino.tlog.note import SignatureRefused, first_lines, parse_note, valid_signatures
from casino.tlog.policy import Policy
from casino.tlog.proof import WIDTH, ProofRefused, TileTree
from casino.tlog.proof_file import ProofFile
from casino.tlog.strict import Unreadable
from casino.tlog.tiles import tile_root

RECEIPT: Final = "livro-da-sala-receipt/1"
RECORD: Final = "livro-da-sala-record/1"
CHECKPOINTS: Final = 500  # read at once

_SEALED: Final = """
SELECT c.size, c.root, c.note,
       (SELECT e.recorded_at FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id
        WHERE l.idx = c.size - 1),
       ARRAY(SELECT s.line FROM book_cosignature s WHERE s.size = c.size
             ORDER BY s.cosigned_at, s.line)
FROM book_checkpoint c
"""
_LEAVES: Final = """
SELECT e.leaf_hash FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id
WHERE l.idx >= %s AND l.idx < %s ORDER BY l.idx
"""
_PLACES: Final = """
SELECT s.name, e.n, e.entry, e.leaf_hash, l.idx FROM book_entry e
JOIN book_stream s ON s.id = e.stream_id LEFT JOIN book_leaf l ON l.entry_id = e.id
WHERE (s.name, e.n) IN (SELECT * FROM unnest(%s::text[], %s::bigint[])) ORDER BY s.name, e.n
"""
_COSIGNED: Final = "WHERE c.size IN (SELECT size FROM book_cosignature) AND c.size > %s"


@dataclass(frozen=True, slots=True)
class RecordProof:
    """One record's proof: `leaf` in hex, `text` a ``.tlog-proof``."""

    stream: str
    n: int
    leaf: str
    text: str


class NotSealed(LookupError):
    """There is no proof of a record yet. `words` say why; they are translated when shown."""

    def __init__(self, words: str | Promise) -> None:
        self.words = words
        super().__init__(str(words))


NOT_THERE: Final = _("There is no such record in the book.")
NO_PLACE: Final = _("The record waits for its place in the tree: try again in a few seconds.")
NO_CHECKPOINT: Final = _(
    "The record has its place in the tree, but no signed checkpoint covers it yet:"
    " try again in half a minute. If it stays so, the signer has to be looked after."
)
NO_PROOF: Final = _(
    "What the database holds makes no proof of this record: it was altered. Verify the book."
)


@dataclass(frozen=True, slots=True)
class Sealed:
    """A signed tree head: `root` is 32 bytes, `note` the signed note with the witnesses' lines.

    `newest_at` is when the last entry it covers was recorded, as its bytes say: it was signed after
    that. The moment that stands beside it in the database is signed by nobody.
    """

    size: int
    root: bytes
    note: str
    newest_at: datetime | None

    @property
    def origin(self) -> str:
        """The name under which the tree was signed."""
        return self.note.partition("\n")[0]


def latest(using: str = "default") -> Sealed | None:
    """The newest checkpoint."""
    return _first("ORDER BY c.size DESC LIMIT 1", using)


def all_checkpoints(using: str = "default", up_to: int | None = None) -> Iterator[Sealed]:
    """Every checkpoint by size, not all at once; `up_to` is the largest size asked for."""
    after = 0
    while True:
        found = _read(
            "WHERE c.size > %s AND c.size <= coalesce(%s, c.size) ORDER BY c.size LIMIT %s",
            using,
            after,
            up_to,
            CHECKPOINTS,
        )
        yield from found
        if len(found) < CHECKPOINTS:
            return
        after = found[-1].size


def at_sizes(sizes: Sequence[int], using: str = "default") -> list[Sealed]:
    """The checkpoints of exactly these sizes, as far as there are any, by size."""
    return _read("WHERE c.size = ANY(%s) ORDER BY c.size", using, list(sizes))


def _first(which: str, using: str, *values: object) -> Sealed | None:
    return next(iter(_read(which, using, *values)), None)


def _read(which: str, using: str, *values: Any) -> list[Sealed]:
    with connections[using].cursor() as cursor:
        cursor.execute(_SEALED + which, values)
        return [
            Sealed(size, bytes(root), with_lines(note, lines), at)
            for size, root, note, at, lines in cursor.fetchall()
        ]


def with_lines(note: str, lines: Sequence[str]) -> str:
    """A signed note with more signatures below it, each a line of its own: the first of each key,
    and never more than whoever reads a note takes.
    """
    return note + "".join(f"{line}\n" for line in first_lines(note, lines))


def index_of(entry_id: UUID | str, using: str = "default") -> int | None:
    """The place of an entry in the tree, counted from 0; None while it waits for one."""
    found = BookLeaf.objects.using(using).filter(entry_id=UUID(str(entry_id)))
    return found.values_list("idx", flat=True).first()


def policy_text() -> str:
    """The keys the house says it signs with, as it publishes them; '' where it publishes none."""
    return _published("policy")


def published_origin() -> str:
    """The name of the checkpoint the signer published last; '' where none is published."""
    return _published("checkpoint").partition("\n")[0]


def _published(name: str) -> str:
    if not settings.BOOK_PUBLIC:
        return ""
    try:
        return (Path(settings.BOOK_PUBLIC) / name).read_text("utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return ""


class Tiles:
    """The tree's tiles as the database holds them: `tiles(level, n, width)`.

    Full ones come from book_tile; what is not full yet is made from what lies below it, and the
    last leaves from the entries. What was read once is kept as long as this object is.
    """

    def __init__(self, using: str = "default") -> None:
        self.using = using
        self._kept: dict[tuple[int, int], bytes] = {}

    def __call__(self, level: int, n: int, width: int) -> bytes:
        """`width` hashes of tile `n` of a level; fewer where the database holds fewer."""
        kept = self._kept.get((level, n), b"")
        if len(kept) < width * HASH:
            found = self.stored(level, [n]).get(n)
            kept = self._kept[level, n] = found or self._made(level, n, width)
        return kept[: width * HASH]

    def stored(self, level: int, numbers: Sequence[int]) -> dict[int, bytes]:
        """Full tiles of a level by their number, as far as they are kept."""
        with connections[self.using].cursor() as cursor:
            cursor.execute(
                "SELECT n, hashes FROM book_tile WHERE level = %s AND n = ANY(%s)",
                [level, list(numbers)],
            )
            return {n: bytes(hashes) for n, hashes in cursor.fetchall()}

    def _made(self, level: int, n: int, width: int) -> bytes:
        first = n * WIDTH
        if level == 0:
            with connections[self.using].cursor() as cursor:
                cursor.execute(_LEAVES, [first, first + width])
                return b"".join(bytes(leaf) for (leaf,) in cursor.fetchall())
        below = self.stored(level - 1, range(first, first + width))
        tops = []
        for each in range(first, first + width):
            tile = below.get(each) or self(level - 1, each, WIDTH)
            if len(tile) < WIDTH * HASH:
                break  # the tree is smaller than was asked for
            tops.append(_top(tile))
        return b"".join(tops)


_tops: dict[bytes, bytes] = {}
_TOPS: Final = 50_000  # kept in a process: some 10 MB


def _top(tile: bytes) -> bytes:
    """The root above a tile. Kept under the tile's own digest, so it cannot be another's."""
    name = sha256(tile).digest()
    if name not in _tops:
        if len(_tops) >= _TOPS:
            _tops.clear()
        _tops[name] = tile_root(tile)
    return _tops[name]


def tree(size: int, using: str = "default") -> TileTree:
    """The tree of the first `size` entries, which makes proofs."""
    return TileTree(size, Tiles(using))


def record_proof(entry_id: UUID | str, *, openings: bool, using: str = "default") -> str:
    """The proof of one record as text, a ``.tlog-proof``: all it takes to verify it offline.

    `openings` puts its private values beside it, for who may read them. Raises: NotSealed.
    """
    entry = BookEntry.objects.using(using).filter(pk=entry_id).first()
    if entry is None:
        raise NotSealed(NOT_THERE)
    index = index_of(entry_id, using)
    if index is None:
        raise NotSealed(NO_PLACE)
    sealed = proving(index, using)
    if sealed is None:
        raise NotSealed(NO_CHECKPOINT)
    shown = _openings(entry, using) if openings else []
    return _proof(bytes(entry.entry), index, sealed, tree(sealed.size, using), shown)


def record_proofs(
    places: Collection[tuple[str, int]], using: str = "default"
) -> tuple[Sealed, list[RecordProof]]:
    """The proofs of several records, named by stream and number, all by one checkpoint and without
    their private values; in the order of stream and number. Raises: NotSealed.
    """
    named = sorted(set(places))
    with connections[using].cursor() as cursor:
        cursor.execute(_PLACES, [[stream for stream, _n in named], [n for _stream, n in named]])
        found = [(stream, n, bytes(e), leaf, idx) for stream, n, e, leaf, idx in cursor.fetchall()]
    if len(found) < len(named):
        raise NotSealed(NOT_THERE)
    if any(idx is None for *_one, idx in found):
        raise NotSealed(NO_PLACE)
    proving_all = proving(max((idx for *_one, idx in found), default=0), using)
    if proving_all is None:
        raise NotSealed(NO_CHECKPOINT)
    of_tree = tree(proving_all.size, using)
    return proving_all, [
        RecordProof(stream, n, bytes(leaf).hex(), _proof(entry, idx, proving_all, of_tree, []))
        for stream, n, entry, leaf, idx in found
    ]


def _proof(
    entry: bytes, index: int, sealed: Sealed, of_tree: TileTree, openings: list[dict[str, object]]
) -> str:
    try:
        extra = canonical(
            {
                "entry": entry.decode(),
                "format": RECORD,
                "openings": openings,
                "policy": policy_text(),
            }
        )
        return ProofFile(index, tuple(of_tree.inclusion(index)), sealed.note, extra).text()
    except (UnicodeDecodeError, NotCanonical, ProofRefused, Unreadable) as trouble:
        raise NotSealed(NO_PROOF) from trouble


def _openings(entry: BookEntry, using: str) -> list[dict[str, Any]]:
    values = PrivateValue.objects.using(using).filter(entry=entry, salt__isnull=False)
    return [
        {"field": each.field, "salt": bytes(each.salt or b"").hex(), "value": each.value}
        for each in values.order_by("field")
    ]


def proving(index: int, using: str = "default") -> Sealed | None:
    """The checkpoint to prove an entry by: the newest that the published keys and witnesses vouch
    for, so that the proof can be held against one that was kept earlier or later; else the newest
    there is. None, where none covers the entry yet.
    """
    newest = latest(using)
    if newest is None or newest.size <= index:
        return None
    if _vouched(newest):
        return newest
    cosigned = _first(_COSIGNED + " ORDER BY c.size DESC LIMIT 1", using, index)
    return cosigned if cosigned is not None and _vouched(cosigned) else newest


def _vouched(sealed: Sealed) -> bool:
    """Whether the published keys signed it, and enough of the published witnesses."""
    try:
        policy = Policy.parse(policy_text())
        valid = valid_signatures(parse_note(sealed.note), policy.keys())
    except (Unreadable, SignatureRefused):
        return False
    return policy.satisfied_by(valid)


def receipt_text(entry: BookEntry) -> str:
    """What the author of a record keeps (the text of the QR code): any later verification of the
    whole book must show that entry.
    """
    using = entry._state.db or "default"
    values = {
        "format": RECEIPT,
        "leaf": bytes(entry.leaf_hash).hex(),
        "n": entry.n,
        "recorded": instant_text(entry.recorded_at),
        "stream": entry.stream.name,
    }
    newest = BookCheckpoint.objects.using(using).order_by("-size").first()
    if newest is not None:
        values["origin"] = newest.note.partition("\n")[0]
    return canonical(values).decode()
