"""What every bundle holds: what it says of itself, checkpoints, keys. See docs/bundle.md.

`following` reads the entries: of the whole book, or of a part of it.
"""

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from .canonical import dumps, loads, parse
from .entries import EntryChecker, Mark
from .envelope import is_digest, key_ends, parts_of, place_of
from .files import Folder
from .findings import Findings, ids_differ
from .meter import Given
from .notes import MAX_NOTE, NEVER, Checkpoint, Policy, read_checkpoint
from .pools import Pools
from .private import OPENINGS, Private
from .report import BadInput
from .trust import CHECKPOINTS, Trust

Progress = Callable[[int, int], None]
Batch = tuple[Sequence[int], list[bytes], Iterable[int]]  # indices, entries, places
Batches = Iterator[Batch]

FORMAT: Final = "livro-da-sala-bundle/1"
MANIFEST: Final = "bundle.json"
DIGESTED: Final = (CHECKPOINTS, "ids", "policy")
MAX_TWICE: Final = 1000
MAX_SIZE: Final = 2**53 - 1
MAX_POLICY: Final = 256 * 1024
ONE_ACT: Final = 1024  # entries recorded at once that a bundle may end amid
AT_ONCE: Final = 1 << 20  # bytes of entries whose values are in memory; these take 40 times as many
_NAMES: Final = {"digests", "entries", "format", "origin", "root", "scope", "size"}
_code: Final = re.compile(r"[A-Za-z0-9._-]{1,40}").fullmatch


def read_manifest(folder: Folder) -> dict[str, Any]:
    """What a bundle says of itself. Raises: BadInput."""
    data = folder.read(MANIFEST, 64 * 1024)
    try:
        value = loads(data or b"")
        if dumps(value) == data and _is_manifest(value):
            return dict(value)
    except (ValueError, TypeError, RecursionError):
        pass
    raise BadInput("bundle-form", MANIFEST)


def twice(keys: "array[int]") -> set[int]:
    """The numbers that stand there more than once, found without holding all of them at a time."""
    found: set[int] = set()
    parts = (len(keys) >> 20) + 1
    for part in range(parts):
        some = [each for each in keys if each % parts == part] if parts > 1 else keys
        if len(set(some)) < len(some):
            seen: set[int] = set()
            found.update(each for each in some if each in seen or seen.add(each))  # type: ignore[func-returns-value]
    return found


def _is_manifest(value: Any) -> bool:
    if type(value) is not dict or value.keys() != _NAMES or value["format"] != FORMAT:
        return False
    size, entries, digests, scope = (
        value["size"],
        value["entries"],
        value["digests"],
        value["scope"],
    )
    return (
        type(value["origin"]) is str
        and _is_hash(value["root"])
        and _whole(size, 1, MAX_SIZE)
        and _whole(entries, 0, size)
        and type(digests) is dict
        and {*DIGESTED} <= digests.keys() <= {*DIGESTED, OPENINGS}
        and all(map(_is_hash, digests.values()))
        and type(scope) is dict
        and (
            scope == {"kind": "full"}
            or (
                scope.keys() == {"kind", "table"}
                and scope["kind"] == "table"
                and _is_code(scope["table"])
            )
            or (
                scope.keys() == {"from", "kind", "to"}
                and scope["kind"] == "range"
                and _whole(scope["to"], 1, size)
                and _whole(scope["from"], 0, scope["to"] - 1)
            )
        )
    )


def _whole(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _is_hash(value: object) -> bool:
    return type(value) is str and bool(is_digest(value))


def _is_code(value: object) -> bool:
    return type(value) is str and bool(_code(value))


class Bundle:
    """What a bundle holds, and how far it was checked; `Full` and `Part` say how.

    `policy` is the inspector's own, None to take the keys the bundle brings; `older` are sizes of
    checkpoints he kept; `processes`, see `crew`; `given`, see `meter`.
    Raises: BadInput, where there is nothing that can be checked.
    """

    whole = True

    def __init__(
        self,
        folder: Folder,
        values: dict[str, Any],
        policy: Policy | None,
        older: Sequence[int],
        progress: Progress,
        processes: int = 1,
        given: Given = (),
    ) -> None:
        self.processes = processes
        self.folder, self.report, self.manifest, self.progress = (
            folder,
            folder.report,
            values,
            progress,
        )
        self.size: int = values["size"]
        self.policy = policy or self._own_policy()
        self.sizes, self.seen, self.roots = array("Q"), array("Q"), bytearray()
        self.older = sorted({size for size in older if 0 < size <= self.size})
        self.older_roots: dict[int, bytes] = {}
        self.shown, self.cut = 0, False  # `cut`: some of the entries could not be read, see `miss`
        self._passed, self._good, self._was_good = 0, 0, True
        self.keys, begun = array("Q"), values["scope"].get("from", 0) == 0
        self.checker = EntryChecker(self.report, self.earlier, begun, self.keys)
        self.private = Private(folder, self.checker, OPENINGS in values["digests"])
        self.checker.pools = self.pools = Pools(self.checker, given)
        self.checker.findings = self.findings = Findings()

    def check(self) -> None:
        """Everything a bundle can be asked without anything from outside. Raises: BadInput."""
        self._check_digests()
        self._check_manifest(self._read_checkpoints())
        self.checker.not_after = self._seen(0)
        self.follow()
        if self.shown != self.manifest["entries"] and not self.cut:
            self.report("manifest-wrong", file=MANIFEST, field="entries", found=self.shown)
        self.checker.end_evidence(self.whole and not self.cut)
        self.private.finish(self.index_at, not self.cut, self.whole and not self.cut)
        self._find_twice()
        if self.whole and not self.cut:
            for where, size in ids_differ(self.checker.row_digests, self._ids):
                self.report("ids-differ", **where, file="ids", size=size)
        self.findings.conclude(self.report, self.whole and not self.cut, self.size - ONE_ACT)
        self.run_at = self.pools.finish(self.whole and not self.cut)
        self.trust = Trust(
            self.policy, self.checker.keys_named, self.checker.epochs, whole=self.whole
        )
        self.walk = self.trust.follow(self._notes)
        for code, details in self.walk.found:
            self.report(code, file=CHECKPOINTS, **details)
        if not self.walk.signed:
            self.report("checkpoint-unsigned" if self.whole else "key-unknown", file="checkpoint")
        for name in self.folder.strangers(lambda name: self.cut and self.explains(name)):
            self.report("stranger", file=name)

    def follow(self) -> None:
        """Read the entries and hold them against the tree."""
        raise NotImplementedError

    def batches(self) -> Batches:
        """The entries that are shown."""
        raise NotImplementedError

    def explains(self, name: str) -> bool:
        """Whether a file of this name belongs to a bundle like this one, read or not."""
        raise NotImplementedError

    def miss(self, place: int) -> None:
        """Entries before this place are not here: what comes need not continue what was read, and
        what they said is not known.
        """
        self.cut, self.whole = True, False
        self.checker.begun, self.checker.missed = False, place

    def feed(
        self,
        indices: Sequence[int],
        entries: list[bytes],
        leaves: Sequence[bytes],
        places: Iterable[int],
        marks: Sequence[Mark],
    ) -> None:
        """Let entries be followed, so many bytes at a time as their values may take memory."""
        if len(entries) < 2 or sum(map(len, entries)) <= AT_ONCE:
            self.checker.feed_all(indices, entries, leaves, places, marks)
        else:
            half, at = len(entries) // 2, [*islice(places, len(entries))]
            self.feed(indices[:half], entries[:half], leaves[:half], at[:half], marks)
            self.feed(indices[half:], entries[half:], leaves[half:], at[half:], ())

    def entry_at(self, place: int) -> bytes | None:
        """An entry that was read before, by its place."""
        raise NotImplementedError

    def index_at(self, place: int) -> int:
        """The index of such an entry."""
        raise NotImplementedError

    def earlier(self, stream: str, n: int) -> bytes | None:
        """An entry that was read before; None, where it was not shown."""
        place = self.checker.place(stream, n)
        return None if place is None else self.entry_at(place)

    def _own_policy(self) -> Policy:
        data = self.folder.read("policy", MAX_POLICY)
        if data is None:
            raise BadInput("file-missing", "policy")
        try:
            return Policy(data)
        except ValueError:
            self.report("policy-form", file="policy")
            return Policy(b"quorum none\n")

    def _check_digests(self) -> None:
        for name in (*DIGESTED, OPENINGS):
            found = self.folder.digest(name, name in DIGESTED or name in self.manifest["digests"])
            if found is None and name == CHECKPOINTS:
                raise BadInput("file-missing", name)
            if found is not None and found[0] != self.manifest["digests"].get(name):
                self.report("digest-wrong", file=f"{name}, {MANIFEST}")
            if found is not None and name == "ids" and found[1] != 16 * self.manifest["entries"]:
                self.report("file-length", file=f"{name}, {MANIFEST}")

    def _notes(self, say: bool = False) -> Iterator[Checkpoint]:
        """The checkpoints, smallest first."""
        size = 0
        for number, line in enumerate(self.folder.lines(CHECKPOINTS, 2 * MAX_NOTE), 1):
            try:
                note = read_checkpoint(parse(line).encode())
                if not size < note.size <= self.size:
                    raise ValueError("a size out of order")
            except (ValueError, AttributeError):
                if say:
                    self.report("checkpoint-form", file=CHECKPOINTS, line=number)
            else:
                size = note.size
                yield note

    def _read_checkpoints(self) -> Checkpoint | None:
        """Remember sizes, roots, and when somebody outside had first seen each or a larger."""
        witnesses, note = {key[:2] for key in self.policy.witnesses.values()}, None
        for note in self._notes(say=True):
            times = [
                int.from_bytes(s.made[:8], "big") for s in note.signatures if s[:2] in witnesses
            ]
            self.sizes.append(note.size)
            self.roots += note.root
            self.seen.append(min([NEVER, *times]))
        for at in range(len(self.seen) - 2, -1, -1):
            self.seen[at] = min(self.seen[at], self.seen[at + 1])
        return note

    def _seen(self, at: int) -> int | None:
        """The `not_after` of what only checkpoints from this one on cover."""
        return self.seen[at] if at < len(self.seen) and self.seen[at] < NEVER else None

    def _check_manifest(self, newest: Checkpoint | None) -> None:
        values = self.manifest
        scope, size = values["scope"], values["size"]
        counted = scope["to"] - scope["from"] if "to" in scope else size
        if "table" not in scope and values["entries"] != counted:
            self.report("manifest-wrong", file=MANIFEST, field="entries")
        for field in ("size", "origin", "root") if newest else ():
            found = getattr(newest, field)
            if (found.hex() if field == "root" else found) != values[field]:
                self.report("manifest-wrong", file=MANIFEST, field=field)
        shown = self.folder.read("checkpoint", MAX_NOTE)
        if shown is not None and (newest is None or shown != newest.whole):
            self.report("checkpoint-differs", file="checkpoint")

    def marks(self, size: int, root_of: Callable[[int, bool], bytes | None]) -> list[Mark]:
        """The checkpoints up to a size, whose roots are worked out and compared."""
        found = []
        while self._passed < len(self.sizes) and self.sizes[self._passed] <= size:
            at, self._passed = self._passed, self._passed + 1
            data, root = bytes(self.roots[32 * at : 32 * at + 32]), root_of(self.sizes[at], True)
            found.append((self.sizes[at], root or data, self._seen(at + 1)))
            if root == data:
                self._good = self.sizes[at]
            elif root and self._was_good:  # the ones after it are wrong too, most often
                self.report("root-wrong", file=CHECKPOINTS, size=self.sizes[at], since=self._good)
            self._was_good = root in (None, data)
        while self.older and self.older[0] <= size:
            kept = self.older.pop(0)
            if (root := root_of(kept, False)) is not None:
                self.older_roots[kept] = root
        return found

    def _ids(self, first: int, last: int) -> Iterator[bytes]:
        """The ids of entries by their indices, some at a time."""
        for at in range(first, min(last, self.size), 65_536):
            yield self.folder.piece("ids", 16 * at, 16 * min(65_536, min(last, self.size) - at))

    def altered(self, index: int, entry: bytes, file: str) -> None:
        """Say that an entry is not the one whose hash is in the tree."""
        stream, n = place_of(entry)
        self.report("entry-altered", index=index, stream=stream, n=n, file=file)

    def _find_twice(self) -> None:
        """Where a key comes twice, look for the entries."""
        again = set(islice(twice(self.keys), MAX_TWICE))
        first: dict[bytes, int] = {}
        for indices, entries, _ in self.batches() if again else ():
            for index, entry in zip(indices, entries, strict=False):
                parts = parts_of(entry)
                ends = key_ends([parts[3]]) if parts else None
                if parts and ends and ends[0] in again:
                    if first.setdefault(parts[3], index) != index:
                        stream, n = place_of(entry)
                        self.report(
                            "key-twice", index=index, stream=stream, n=n, first=first[parts[3]]
                        )
