"""Entries followed one by one in the tree's order: streams, times, checkpoints, what they mean.

PUBLIC, also for the online twin, which feeds entries from the database and keeps the state between
parts of its work:

    checker = EntryChecker(report, earlier)
    checker.not_after = 1_763_668_331   # POSIX seconds: the earliest cosignature of any checkpoint
                                        # that covers what is fed next; None, as at first: no such
    checker.feed(index, entry)          # bytes, in the tree's order
    checker.checkpoint(size, root)      # each checkpoint, once the first `size` entries were fed
    checker.heads()                     # {stream: (n, leaf)}: the last entry of each stream so far
    kept = checker.state()              # JSON: 120 characters a checkpoint, 300 a stream
    checker = EntryChecker.from_state(kept, report, earlier)   # ValueError, TypeError, KeyError

    report(code, index=i, stream=name, n=n, **details)   # problem or note: see words.SEVERITY
    earlier(stream, n) -> bytes | None  # an entry that was fed before; None: not to be had

`begun=False` says that streams may begin in their middle (a range of the book). Where `keys` is an
array of 8-byte numbers it takes the end of each entry's key; `bundle.twice` finds repetitions.
"""

from array import array
from binascii import hexlify
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import repeat
from typing import Any, Final

from . import resume
from .canonical import MAX_WHOLE
from .envelope import (
    REMEMBERED,
    Amends,
    Read,
    checkpoint_named,
    end_of,
    is_moment,
    place_of,
    read_all,
)
from .findings import KINDS
from .meaning import MEANINGS, Earlier, Meaning
from .tree import leaf_hash

Numbers = Iterable[int]
Mark = tuple[int, bytes, "int | None"]  # a checkpoint: size, root, not_after of what follows it

MAX_STREAMS: Final = 20_000
SLACK: Final = timedelta(seconds=120)  # what two clocks may differ
STEP: Final = timedelta(seconds=1)  # what a clock may fall without a word
LATE: Final = timedelta(minutes=15)  # what an entry may wait for its place in the tree
_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - every moment here is UTC
_LAST: Final = 32_503_680_000  # the year 3000
MEANT: Final = {kind.encode() for kind in (*MEANINGS, *KINDS)}


class Stream:
    """How far a stream was followed. `cp` is as an entry writes it, `prev` without its quotes."""

    __slots__ = ("at", "cp", "first", "floor", "n", "name", "places", "prev", "size", "table")

    def __init__(self, name: str) -> None:
        self.name, self.n, self.prev = name, 0, b"null"
        self.at, self.floor = b"", b""  # the last moment; none of what follows may lie before
        self.cp, self.size = b"null", 0
        self.table = name[6:] if name.startswith("table/") else None
        self.first, self.places = 1, array("Q")  # where the caller finds n, from `first` on


class EntryChecker(Meaning):
    """Follows every stream at once; see the module. Never raises for what an entry holds."""

    def __init__(
        self,
        report: Callable[..., None],
        earlier: Earlier,
        begun: bool = True,
        keys: "array[int] | None" = None,
    ) -> None:
        super().__init__(report, earlier, begun)
        # Streams that end before the place `missed` may go on further on: not all was shown.
        self.keys, self.newest, self.missed = keys, b"", 0
        self.streams: dict[str, Stream] = {}
        # Called with index, stream, n and payload where private values or files are named.
        self.private: Callable[[int, str, int, dict[str, object]], None] | None = None
        self.sizes, self.newest_at, self.roots = array("Q"), array("q"), bytearray()
        self._known: dict[bytes, tuple[Stream, str, Amends | None]] = {}
        self.due: deque[Mark] = deque()  # checkpoints of what is fed next
        self._marks: dict[bytes, tuple[int, bytes]] = {}  # checkpoints as entries write them
        self._not_after: int | None = None
        # No moment lies after the one; what is older than the other came late into the tree.
        self._limit, self._placed = b"~", b""

    @property
    def not_after(self) -> int | None:
        """When somebody outside had seen what is fed next, in POSIX seconds; None: nobody had."""
        return self._not_after

    @not_after.setter
    def not_after(self, seconds: int | None) -> None:
        self._not_after = seconds
        seen = None if seconds is None else _EPOCH + timedelta(seconds=min(seconds, _LAST))
        self._limit = _written(seen + SLACK) if seen else b"~"

    def feed(self, index: int, entry: bytes) -> None:
        """The entry with this index. Where indices are left out, those entries are not shown."""
        self.feed_all([index], [entry], [leaf_hash(entry)])

    def feed_all(
        self,
        indices: Sequence[int],
        entries: Sequence[bytes],
        leaves: Sequence[bytes],
        places: Iterable[int] = repeat(0),
        marks: Iterable[Mark] = (),
    ) -> None:
        """Some entries with their leaf hashes, and the checkpoints whose sizes lie among them."""
        self.due.extend(marks)
        if not self.feed_read(indices, read_all(entries), leaves, places):
            for index, place, leaf, entry in zip(indices, places, leaves, entries):  # noqa: B905
                if not self.feed_read([index], read_all([entry]), [leaf], [place]):
                    self._unreadable(index, entry, leaf, place)

    def feed_read(
        self, indices: Sequence[int], read: Read | None, leaves: Sequence[bytes], places: Numbers
    ) -> bool:
        """The same of what was read already, `leaves` in pieces of any length.

        If False, it could not be read and none was followed.
        """
        if read is None or not self.knows({*read[0][9]}):
            return False
        (ats, cps, _, _, kinds, digits, _, texts, prevs, tails), payloads, keys = read
        hexes = hexlify(b"".join(leaves), b"-", 32).split(b"-")
        known, named, due, index = self._known, self._marks, self._pass(-1), -1
        doubtful = self._doubtful(ats)
        private = self.private if names_private(b"".join(texts)) else None
        if self.keys is not None:
            self.keys.extend(keys)
        rows = zip(  # noqa: B905 - places may go on
            indices, places, ats, cps, kinds, map(int, digits), texts, prevs, tails, payloads, hexes
        )
        for index, place, at, cp, kind, n, text, prev, tail, value, leaf in rows:
            if index >= due:
                due = self._pass(index)
            stream, staff, amends = known[tail]
            if n != stream.n + 1 or prev != stream.prev:
                self._broken(index, stream, n, prev)
            if cp != stream.cp:
                size, floor = named.get(cp, (-1, b""))
                if size < stream.size:
                    self._look_back(index, stream, n, cp)
                else:
                    stream.cp, stream.size, stream.floor = cp, size, floor
            if doubtful or at < stream.at:
                self._out_of_time(index, stream, n, at)
            if at > self.newest:
                self.newest = at
            stream.n, stream.at, stream.prev = n, at, leaf
            stream.places.append(place)
            if amends or kind in MEANT:
                self.here, self.staff = {"index": index, "stream": stream.name, "n": n}, staff
                self.at = at.decode()
                self.mean(kind.decode(), amends, value)
            if value.get("table", stream.table) != stream.table is not None:
                self.report("stream-table", index=index, stream=stream.name, n=n)
            if private and names_private(text):
                private(index, stream.name, n, value)
        self._pass(index + 1)
        if self.pools:
            self.pools.follow(indices, read, known)
        return True

    def _doubtful(self, ats: Sequence[bytes]) -> bool:
        """Whether moments may lie outside of what bounds them: from below nothing is bound by more
        than the newest, less what clocks may differ.
        """
        newest = max(self.newest, *ats)
        low, soon = max(_moment(newest) - SLACK, _EPOCH), {mark[2] for mark in self.due}
        return min(ats) < _written(low) or newest > self._limit or not soon <= {self._not_after}

    def checkpoint(self, size: int, root: bytes) -> None:
        """A checkpoint of the first `size` entries: all of them were fed, and none beyond."""
        self.sizes.append(size)
        self.roots += root
        self.newest_at.append((_moment(self.newest) - _EPOCH) // timedelta(microseconds=1))
        self.placed_after(self.newest_at)

    def placed_after(self, newest_at: Sequence[int]) -> None:
        """What is older than the newest entry of the last checkpoint was not in its tree."""
        if newest_at:
            newest = _EPOCH + timedelta(microseconds=newest_at[-1])
            self._placed = _written(max(newest - SLACK, _EPOCH))

    def heads(self) -> dict[str, tuple[int, str]]:
        """The last number and leaf hash of every stream."""
        return {each.name: (each.n, each.prev.decode()) for each in self.streams.values()}

    def state(self) -> dict[str, Any]:
        """Everything this knows, as JSON."""
        return resume.state_of(self)

    @staticmethod
    def from_state(
        state: Mapping[str, Any], report: Callable[..., None], earlier: Earlier
    ) -> "EntryChecker":
        """The checker that `state()` told of."""
        made = EntryChecker(report, earlier)
        resume.put_back(made, state)
        return made

    def place(self, stream: str, n: int) -> int | None:
        """Where the caller said that he has an entry."""
        found = self.streams.get(stream)
        at = n - found.first if found else -1
        return found.places[at] if found and 0 <= at < len(found.places) else None

    def _pass(self, index: int) -> int:
        """Take in the checkpoints of the entries before this one; the size of the next."""
        while self.due and self.due[0][0] <= index:
            size, root, self.not_after = self.due.popleft()
            self.checkpoint(size, root)
        return self.due[0][0] if self.due else 2**63

    def follow(self, name: str) -> Stream:
        """A stream, from its beginning if it is a new one."""
        return self.streams.setdefault(name, Stream(name))

    def knows(self, tails: set[bytes]) -> bool:
        """Whether the ends of some entries can be read; then `_known` holds them."""
        if len(self._known) > REMEMBERED:
            self._known.clear()
        for tail in tails - self._known.keys():
            end = end_of(tail)
            if end is None or (end[0] not in self.streams and len(self.streams) >= MAX_STREAMS):
                return False
            self._known[tail] = (self.follow(end[0]), *end[1:])
        return True

    def _unreadable(self, index: int, entry: bytes, leaf: bytes, place: int) -> None:
        """What is not written as it must be; its stream goes on from it, where it says so."""
        self._pass(index)
        name, n = place_of(entry)
        self.report("entry-form", index=index, stream=name, n=n)
        stream = self.streams.get(name or "")
        if stream and n == stream.n + 1:
            stream.n, stream.prev = n, hexlify(leaf)
            stream.places.append(place)

    def _broken(self, index: int, stream: Stream, n: int, prev: bytes) -> None:
        """An entry that does not follow the one before it in its stream."""
        where = {"index": index, "stream": stream.name, "n": n}
        behind = n > stream.n + 1 and self.missed > (stream.places or [self.missed])[-1]
        if (stream.n or self.begun) and not behind:
            code = "stream-number" if n != stream.n + 1 else "stream-prev"
            self.report(code, **where, expected=stream.n + 1)
        elif (n == 1) != (prev == b"null") or n > MAX_WHOLE:
            self.report("stream-prev", **where, expected=1)
        if n != stream.n + 1:
            stream.first, stream.places = n, array("Q")

    def _look_back(self, index: int, stream: Stream, n: int, cp: bytes) -> None:
        """The checkpoint an entry names: a real one, none its stream had already left behind."""
        where = {"index": index, "stream": stream.name, "n": n}
        size, floor = self._marks.get(cp, (0, b""))
        if not size and cp != b"null":
            match = checkpoint_named(cp)
            size = int(match[2]) if match else 0
            at = bisect_left(self.sizes, size)
            root = self.roots[32 * at : 32 * at + 32].hex().encode()
            if match is None:
                self.report("entry-form", **where)
            elif size > index:
                self.report("cp-ahead", **where, size=size)
            elif root != match[1] or self.sizes[at] != size:
                self.report("cp-unknown", **where, size=size)
            else:
                floor = _written(_EPOCH + timedelta(microseconds=self.newest_at[at]) - SLACK)
                if len(self._marks) >= REMEMBERED:
                    self._marks.clear()
                self._marks[cp] = size, floor
        if size < stream.size:
            self.report("cp-fell", **where, size=size)
        stream.cp, stream.size, stream.floor = cp, size, max(floor, stream.floor)

    def _out_of_time(self, index: int, stream: Stream, n: int, at: bytes) -> None:
        where = {"index": index, "stream": stream.name, "n": n, "at": at.decode()}
        if at < stream.floor:
            self.report("time-before-checkpoint", **where, size=stream.size)
        if at > self._limit:
            self.report("time-after-witness", **where, seen=self._not_after)
        if at < stream.at and (fallen := _moment(stream.at) - _moment(at)) > STEP:
            self.report("time-fell" if fallen > SLACK else "time-step", **where)
        if stream.floor <= at < self._placed:
            late = _moment(self._placed) + SLACK - _moment(at)
            details = {"minutes": late // timedelta(minutes=1), "size": self.sizes[-1]}
            self.report("time-unproved" if late > LATE else "time-late", **where, **details)


def names_private(text: bytes) -> bool:
    """Whether a payload may commit to a private value, or name files."""
    return b'"hmac_sha256"' in text or b'"attachments"' in text


def later(moment: str, offset: timedelta) -> str:
    """A moment as an entry writes it, some time after another. Raises: ValueError."""
    if not is_moment(moment.encode()):
        raise ValueError("no moment")
    return _written(_moment(moment.encode()) + offset).decode()


def _moment(text: bytes) -> datetime:
    return datetime.fromisoformat(text[:26].decode()) if text else _EPOCH


def _written(moment: datetime) -> bytes:
    return moment.isoformat(timespec="microseconds").encode() + b"Z"
