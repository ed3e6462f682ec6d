"""A signer without a database: a book on paper, and a disk that can fail, stop or lose power.

The book on paper refuses what the real tables refuse. The disk stands in for `os`: every call of
the signer that changes something is a step, and each step can be its last.
"""

import errno
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from casino.signer.__main__ import init
from casino.signer.last import Last, load
from casino.signer.signer_book import Book, Found, SequencedEntry
from casino.signer.signer_places import Places, places
from casino.signer.signer_trouble import Refused
from casino.signer.signing import Signer
from casino.tlog.checkpoint import Checkpoint, parse_checkpoint
from casino.tlog.merkle import Frontier, leaf_hash
from casino.tlog.note import parse_note, valid_signatures
from casino.tlog.policy import Policy


@dataclass
class PaperBook(Book):
    """What the database would hold; `step` is called before and after each row that is written."""

    entries: list[bytes] = field(default_factory=list)
    roots: dict[int, bytes] = field(default_factory=dict)
    signed: dict[int, tuple[str, datetime]] = field(default_factory=dict)
    lines: dict[tuple[int, str], datetime] = field(default_factory=dict)
    step: Callable[[str], None] = lambda name: None
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    def grow(self, *entries: bytes, kind: str = "card-burned/1") -> int:
        """Add entries, or one of a kind, and note the root; the size."""
        self.entries += entries or [json.dumps({"kind": kind, "n": len(self.entries)}).encode()]
        self.roots[len(self.entries)] = self.tree().root()
        return len(self.entries)

    def record(self, kind: str, payload: dict[str, Any], staff: str) -> SequencedEntry:
        """Add an entry of the house's stream."""
        n = len(self.entries) + 1
        entry = {"kind": kind, "n": n, "payload": payload, "who": {"staff": staff}}
        self.grow(json.dumps(entry).encode())
        return self.sequenced(kind, len(self.entries))[-1]

    def tree(self, size: int | None = None) -> Frontier:
        """The tree of the first entries."""
        tree = Frontier()
        for entry in self.entries[:size]:
            tree.append(leaf_hash(entry))
        return tree

    def look(self, own: int) -> Found:
        size = max(self.roots, default=0)
        newest = max(self.signed, default=0)
        return Found(
            size,
            self.roots.get(size, b""),
            self.roots.get(own),
            newest,
            self.signed[newest][0] if newest else "",
            self.signed[own][0] if own in self.signed else None,
        )

    def leaves(self, first: int, end: int) -> Iterator[tuple[int, bytes]]:
        yield from enumerate(map(leaf_hash, self.entries[first:end]), start=first)

    def has_any(self, first: int, end: int, kinds: tuple[str, ...]) -> bool:
        listed = [json.loads(entry)["kind"].partition("/")[0] for entry in self.entries[first:end]]
        return any(kind in kinds for kind in listed)

    def sequenced(self, kind: str, size: int) -> list[SequencedEntry]:
        return [
            SequencedEntry(index, index + 1, entry, leaf_hash(entry))
            for index, entry in enumerate(self.entries[:size])
            if json.loads(entry)["kind"] == kind
        ]

    def add_checkpoint(self, size: int, root: bytes, note: str) -> None:
        self.step("before the row")
        assert self.roots.get(size) == root, "the tree never had this size and root"
        assert size > max(self.signed, default=0), "a larger tree was signed already"
        self.signed[size] = (note, self.clock())
        self.step("after the row")

    def checkpoints(self, most: int) -> list[tuple[int, str, datetime]]:
        found = [(size, note, at) for size, (note, at) in self.signed.items()]
        return sorted(found, reverse=True)[:most]

    def checkpoint(self, size: int) -> tuple[str, datetime] | None:
        return self.signed.get(size)

    def now(self) -> datetime:
        return self.clock()

    def add_cosignature(self, size: int, line: str, at: datetime) -> None:
        self.step("before the line")
        assert size in self.signed
        self.lines.setdefault((size, line), at)
        self.step("after the line")

    def cosignatures(self, size: int) -> list[str]:
        found = [(at, line) for (each, line), at in self.lines.items() if each == size]
        return [line for _, line in sorted(found)]


class PaperHouse:
    """A signer's folders below `folder`, and its book on paper."""

    def __init__(self, folder: Path, **values: str) -> None:
        self.at: Places = places(
            {
                "SIGNER_HOME": str(folder / "signer"),
                "BOOK_PUBLIC": str(folder / "public"),
                "SIGNER_DATABASE_URL": "postgres://signer@nowhere.invalid/casino",
                "LOG_ORIGIN": "book.example/sala/1",
                **values,
            }
        )
        init(self.at)
        self.book = PaperBook()

    def signer(self, every: float = 0) -> Signer:
        """A signer as it is after its start."""
        return Signer(self.at, self.book, every)

    def signs(self, signer: Signer) -> Last:
        """Let it look once. Raises: AssertionError, where it refuses."""
        try:
            return signer.turn()
        except Refused as refused:
            raise AssertionError(f"it refuses: {refused.why}") from None

    def last(self) -> Last:
        """What its own file says."""
        return load(self.at.last, self.at.origin)

    def note(self) -> str:
        """What everybody sees."""
        return self.at.checkpoint.read_text()

    def must_agree(self) -> Last:
        """Own file, published file and book name one checkpoint; all are of one growing tree."""
        own = self.last()
        assert self.note().startswith(own.note)
        assert self.book.look(own.size).signed_note == own.note
        policy = Policy.parse(self.at.policy.read_text())
        for size, (text, _) in self.book.signed.items():
            note = parse_note(text)
            root = self.book.tree(size).root()
            assert parse_checkpoint(note.text) == Checkpoint(own.origin, size, root)
            assert valid_signatures(note, policy.logs)
        left = [*self.at.home.rglob("*.new"), *self.at.public.rglob("*.new")]
        assert not left, "half a file"
        return own


class Killed(BaseException):
    """The signer was killed: nothing it might still have wanted to do happens."""


@dataclass
class Disk:
    """Every change the signer asks of the disk, counted; `at` is the step at which `what` happens.

    What was not synced is remembered, so that a loss of power can take it back.
    """

    at: int
    what: Callable[[], None]
    steps: int = 0
    names: list[str] = field(default_factory=list)
    dead: bool = False
    _paths: dict[int, str] = field(default_factory=dict)
    _halved: set[int] = field(default_factory=set)
    _durable: dict[str, bytes] = field(default_factory=dict)
    _moved: list[tuple[str, bytes | None, bytes]] = field(default_factory=list)

    def step(self, name: str) -> None:
        """One more step; perhaps the last."""
        if self.dead:
            raise Killed
        self.names.append(name)
        self.steps += 1
        if self.steps == self.at:
            self.what()

    def die(self) -> None:
        """kill -9."""
        self.dead = True
        raise Killed

    @staticmethod
    def full() -> None:
        """No space left."""
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def lose_power(self, *, renamed: bool) -> None:
        """Take back what was not synced: names that changed (unless the disk had written them all
        the same), and what the files were to hold.
        """
        for path, before, after in reversed(self._moved):
            if renamed:
                Path(path).write_bytes(after)
            elif before is None:
                Path(path).unlink(missing_ok=True)
            else:
                Path(path).write_bytes(before)

    @contextmanager
    def watched(self, patch: pytest.MonkeyPatch) -> Iterator["Disk"]:
        """Meanwhile `os` goes through here."""
        true = {name: getattr(os, name) for name in ("open", "write", "fsync", "replace", "unlink")}

        def opened(path: Any, flags: int, *more: Any, **values: Any) -> int:
            if flags & os.O_CREAT:
                self.step(f"make {Path(path).name}")
            held: int = true["open"](path, flags, *more, **values)
            self._paths[held] = str(path)
            self._halved.discard(held)
            return held

        def write(held: int, data: bytes) -> int:
            half = held not in self._halved
            self._halved ^= {held}
            self.step(f"write a half of {Path(self._paths[held]).name}")
            return int(true["write"](held, data[: len(data) // 2 + 1] if half else data))

        def fsync(held: int) -> None:
            path = Path(self._paths[held])
            self.step(f"sync {path.name}")
            if path.is_dir():
                self._moved = [move for move in self._moved if Path(move[0]).parent != path]
            else:
                self._durable[str(path)] = path.read_bytes()

        def replace(source: Any, place: Any) -> None:
            self.step(f"put {Path(place).name} in its place")
            before = Path(place).read_bytes() if Path(place).exists() else None
            self._moved.append((str(place), before, self._durable.pop(str(source), b"")))
            true["replace"](source, place)

        def unlink(path: Any, **values: Any) -> None:
            if self.dead:
                raise Killed
            true["unlink"](path, **values)

        stand_ins = {"open": opened, "write": write, "fsync": fsync, "replace": replace}
        with patch.context() as meanwhile:
            for name, stand_in in {**stand_ins, "unlink": unlink}.items():
                meanwhile.setattr(os, name, stand_in)
            yield self
