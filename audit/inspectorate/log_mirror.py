"""Following a casino's log: what it shows is taken only where it leads to what its key signed.

A casino that means harm is assumed: nothing is read beyond its bounds, and each tile of entries is
followed to the signed root before it is kept. Source: C2SP tlog-tiles.
"""

from typing import Final

from audit.inspectorate.mirror_store import Seen, Store
from audit.inspectorate.supervised import Casino, Inspectorate
from casino.bounded_http import Site, Unanswered
from casino.tlog.checkpoint import Checkpoint, parse_checkpoint
from casino.tlog.merkle import HASH, leaf_hash
from casino.tlog.note import SignatureRefused, parse_note, valid_signatures
from casino.tlog.proof import WIDTH, ProofRefused, TileTree, verify_consistency, verify_inclusion
from casino.tlog.strict import Unreadable
from casino.tlog.tiles import MOST_ENTRY, tile_path, unpack_entries
from casino.tlog.witness import origin_hash

MOST_CHECKPOINT: Final = 16_384  # bytes of a note
MOST_BUNDLE: Final = WIDTH * (MOST_ENTRY + 2)
FETCHED: Final = 64  # tiles of hashes kept meanwhile
TURN: Final = 1_000  # tiles of entries fetched in a turn: the other casinos wait
LARGEST: Final = 200_000_000  # entries of a log that is followed


class NotFollowed(Exception):
    """A casino shows what cannot be believed. `code` is one of `inspectorate_words`."""

    def __init__(self, code: str, *notes: str, **details: object) -> None:
        self.code, self.details, self.notes = code, details, notes
        super().__init__(f"{code} {details}")


def take(store: Store, casino: Casino, note: str, source: str) -> Checkpoint:
    """Keep a checkpoint that bears the casino's signature; two of one size are a split view.

    Raises: NotFollowed, for one that is unreadable or not signed.
    """
    try:
        parsed = parse_note(note, MOST_CHECKPOINT)
        checkpoint = parse_checkpoint(parsed.text)
        valid = valid_signatures(parsed, casino.keys)
    except (Unreadable, SignatureRefused) as error:
        raise NotFollowed("checkpoint-unreadable", source=source, why=str(error)) from error
    if checkpoint.origin != casino.origin or not valid:
        raise NotFollowed("checkpoint-unsigned", source=source, size=checkpoint.size)
    seen = Seen(checkpoint.size, checkpoint.root, own_lines(note, casino), source)
    store.see(casino.origin, seen)
    for other in store.rivals(casino.origin, seen):
        details = {"size": seen.size, "sources": sorted({seen.source, other.source})}
        first, second = sorted((seen.note, other.note))
        store.note_trouble(casino.origin, "split-view", details, first, second)
    return checkpoint


def own_lines(note: str, casino: Casino) -> str:
    """A note with the lines of the casino's known keys alone: others anybody can add."""
    parsed = parse_note(note)
    known = {(key.name, key.key_id) for key in casino.keys}
    lines = [one.line for one in parsed.signatures if (one.name, one.key_id) in known]
    return parsed.text + "\n" + "".join(f"{line}\n" for line in lines)


def follow(store: Store, casino: Casino) -> int:
    """Fetch what is new of a casino's log, a turn's worth; how many entries are mirrored now.

    Raises: NotFollowed, where it shows what cannot be believed; Unanswered.
    """
    with Site(casino.url, casino.token) as site:
        note = _got(site, "checkpoint", MOST_CHECKPOINT).decode("utf-8", "replace")
        checkpoint = take(store, casino, note, casino.url)
        if checkpoint.size > LARGEST:
            raise NotFollowed("too-large", size=checkpoint.size, most=LARGEST)
        held = store.held(casino.origin)
        if checkpoint.size > held:
            _grow(store, casino, site, Seen(checkpoint.size, checkpoint.root, note, ""), held)
    return store.held(casino.origin)


def _grow(store: Store, casino: Casino, site: Site, seen: Seen, held: int) -> None:
    own: dict[int, bytes] = {}  # the leaves of the tile at hand, made of its entries
    fetched: dict[tuple[int, int], bytes] = {}

    def read(level: int, n: int, width: int) -> bytes:
        if level == 0 and n in own:
            return own[n]
        if (level, n) not in fetched:
            if len(fetched) >= FETCHED:
                fetched.clear()
            fetched[level, n] = _got(site, tile_path(level, n, width), WIDTH * HASH)
        return fetched[level, n]

    if held:
        known = store.tree(casino.origin).root()
        try:
            path = TileTree(seen.size, read).consistency(held)
            verify_consistency(held, known, seen.size, seen.root, path)
        except ProofRefused as error:
            before = store.newest(casino.origin, held)
            notes = (before.note if before else "", seen.note)
            raise NotFollowed("not-continued", *notes, held=held, size=seen.size) from error
    first = held // WIDTH
    for n in range(first, min(-(-seen.size // WIDTH), first + TURN)):
        width = min(WIDTH, seen.size - n * WIDTH)
        packed = _got(site, tile_path("entries", n, width), MOST_BUNDLE)
        try:
            leaves = [leaf_hash(entry) for entry in unpack_entries(packed)]
            if len(leaves) != width:
                raise Unreadable(f"{len(leaves)} entries, not {width}")
            own.clear()
            own[n] = b"".join(leaves)
            # The path of its first leaf is made of all the others: it stands for the whole tile.
            # A tree of its own keeps no tile that was fetched in the place of these leaves.
            path = TileTree(seen.size, read).inclusion(n * WIDTH)
            verify_inclusion(leaves[0], n * WIDTH, seen.size, path, seen.root)
        except (Unreadable, ProofRefused) as error:
            place = tile_path("entries", n, width)
            raise NotFollowed("tile-altered", seen.note, tile=place, size=seen.size) from error
        with store.writing():
            store.put_bundle(casino.origin, n, leaves, packed)


def compare_checkpoints(store: Store, origin: str) -> None:
    """Hold every checkpoint that was seen, whoever showed it, against the mirrored entries."""
    held = store.held(origin)
    tree = store.tree(origin)
    for seen in store.to_compare(origin, held):
        if tree.root_at(seen.size) != seen.root and not store.rivals(origin, seen):
            details = {"size": seen.size, "source": seen.source, "held": held}
            ours = store.newest(origin, held, other_than=seen.root)
            notes = (ours.note if ours else "", seen.note)
            store.note_trouble(origin, "another-tree", details, *notes)
        store.compared(origin, seen)


def ask_others(store: Store, inspectorate: Inspectorate) -> list[str]:
    """Take what other witnesses were shown of each casino; those who did not answer, and why."""
    away = []
    for prefix in inspectorate.others:
        for casino in inspectorate.casinos.values():
            try:
                with Site(prefix) as site:
                    path = f"{origin_hash(casino.origin)}/checkpoint"
                    answer = site.get(path, MOST_CHECKPOINT)
                if answer.status == 200:
                    take(store, casino, answer.body.decode("utf-8", "replace"), prefix)
                elif answer.status != 404:
                    away.append(f"{prefix}: {answer.status}")
            except (Unanswered, NotFollowed) as error:
                away.append(str(error))
    return away


def _got(site: Site, path: str, most: int) -> bytes:
    answer = site.get(path, most)
    if answer.status != 200:
        raise Unanswered(f"{site.prefix}/{path}: {answer.status}")
    return answer.body
