"""The pools of a progressive prize, followed through the book: docs/decisions/0009-the-meter.md.

A chip is kept in 36 bytes while entries are followed, in whatever order they come. At the end all
are summed up between the events of their pool, which `meter` goes through as they were recorded.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import starmap
from struct import Struct
from typing import Any, Final

from .canonical import MAX_WHOLE, dumps
from .displays import Shown
from .envelope import Read, parts_of
from .meter import Given, Meter
from .pool_entries import (
    ADJUSTED,
    OF_POOLS,
    OPENED,
    READ,
    UNREADABLE,
    Feed,
    PoolEntry,
    gather,
    moment,
)
from .terms import NOBODYS, Event

CHIP: Final = Struct("<QQQQI")  # recorded, happened, place, how much, whose
# Recorded, index, place of it and of what it corrects, when the first of those was recorded.
CORRECTED: Final = Struct("<QQQQQ")


class Pools:
    """Goes along with the entries that `checker` follows; `finish` makes their pools again."""

    def __init__(self, checker: Any, given: Given = ()) -> None:
        self.checker, self.given, self.seen = checker, given, 0
        self.events: dict[str, list[Event]] = {}
        self.opened: dict[str, tuple[int, str]] = {}  # partida: when it named which pool alone
        self.feeds: dict[tuple[Any, ...], int] = {}
        self.chips, self.corrected = bytearray(), bytearray()
        self.shown: dict[str, list[Shown]] = {}  # by the name of a pool's stream
        self.first: dict[int, int] = {}  # of a correction that holds: when it was recorded first
        self.made: dict[str, Meter] = {}  # by the name of a pool's stream
        self.gathered: list[PoolEntry] | None = (
            None  # of what comes next, where another process did it
        )

    def follow(self, indices: Sequence[int], read: Read, ends: Mapping[bytes, Any]) -> None:
        """Entries that were followed; `ends`: stream, author and what is corrected, by its text."""
        gathered, self.gathered = self.gathered, None
        (ats, _, _, _, _, digits, _, _, _, tails), _, _ = read
        for place, kind, occurred, what in gather(read) if gathered is None else gathered:
            stream, staff, amends = ends[tails[place]]
            n, index = int(digits[place]), indices[place]
            try:
                at = moment(ats[place])
                if kind in OF_POOLS:
                    event = Event(at, n, index, staff, kind, occurred, *what)
                    self.events.setdefault(stream.name, []).append(event)
                elif kind != OPENED:
                    feed = self.feeds.setdefault((*what[0], bool(amends)), len(self.feeds))
                    where = self.checker.place(stream.name, n)
                    self.chips += CHIP.pack(at, occurred, where, what[1], feed)
                    if what[2] is not None and not amends:
                        found = at, occurred, where, index, stream.name, n, Feed(*what[0]), what[2]
                        self.shown.setdefault(f"jackpot/{what[0][1]}", []).append(Shown(*found))
                elif not amends:
                    self.opened[what[0]] = min(
                        self.opened.get(what[0], (at, what[1])), (at, what[1])
                    )
                self.seen += kind != OPENED
            except UNREADABLE:
                self.checker.report("pool-form", index=index, stream=stream.name, n=n)

    def approve(self, index: int, at: str, stream: str, pending: int, original: int) -> None:
        """A second person approved a correction or a withdrawal: numbers of it and of its entry."""
        new, old = (self.checker.place(stream, n) for n in (pending, original))
        with suppress(*UNREADABLE):
            if (first := self.first.get(old)) is None:
                first = moment(parts_of(self.checker.earlier(stream, original))[0])  # type: ignore[index]
            self.corrected += CORRECTED.pack(moment(at.encode()), index, new, old, first)
            self.first[new] = first

    def finish(self, shown: bool) -> list[str]:
        """Make every pool again and tell what does not come out; what each runs at.

        `shown`: nothing of the book was left out.
        """
        if not shown or not self.events:
            if self.seen and not shown:
                self.checker.report("pool-not-shown", count=self.seen)
            return []
        at, pools = self.checker.place, [Meter(*one, self.checker) for one in self.events.items()]
        self.made = {pool.name: pool for pool in pools}
        for event, name in self._corrections():
            self.made[name].events.append(event)
        undone = {
            place for _, _, *both, _ in CORRECTED.iter_unpack(self.corrected) for place in both
        }
        for name, pool in self.made.items():  # what is undone is held against nobody
            pool.events = [f for f in pool.events if f.kind != READ or at(name, f.n) not in undone]
            pool.see([one for one in self.shown.get(name, ()) if one.where not in undone])
            pool.events.sort()
            pool.came = [0] * (len(pool.events) + 1)
            pool.marks = [event.at for event in pool.events]
        for pool, place, at, amends, sum_ in self._worths():
            if not amends:
                pool.came[bisect_right(pool.marks, at)] += sum_
                pool.chips(place, at, sum_)
        return [self.made[name].report_misfits(self.given) for name in sorted(self.made)]

    def _corrections(self) -> Iterator[tuple[Event, str]]:
        """By how much a correction changes a pool, from when it was approved."""
        corrected = [*CORRECTED.iter_unpack(self.corrected)]
        first = {place: at for _, _, *both, at in corrected for place in both}
        rows = self._worths(first) if first else ()
        worth = {(pool.name, place): sum_ for pool, place, _, _, sum_ in rows}
        for at, index, *both, _ in corrected:
            for name in self.made:
                new, old = (worth.get((name, place), 0) for place in both)
                if abs(new - old) > MAX_WHOLE:
                    self.checker.report("pool-form", index=index)
                elif new != old:
                    data = dumps({"jackpot": name.partition("/")[2], "microcents": new - old})
                    yield Event(at, NOBODYS, index, "", ADJUSTED, 0, b"", data), name

    def _worths(self, first: Any = None) -> Iterator[tuple[Meter, int, int, bool, int]]:
        """Pool, place, moment, whether it corrects, worth: of the chips that feed a pool.

        `first`: of these places alone, as of then, and nothing before the pool was started.
        """
        sources = list[tuple[Feed, Meter | None, int]]()
        for feed in starmap(Feed, self.feeds):
            since, name = self.opened.get(feed.of, (0, "")) if feed.by_round else (0, feed.of)
            sources.append((feed, self.made.get(f"jackpot/{name}"), since))
        for at, occurred, place, amount, number in CHIP.iter_unpack(self.chips):
            feed, pool, since = sources[number]
            value = at if first is None else first.get(place)
            if not pool or value is None or value <= since:
                continue
            if first is None or value >= pool.begun_at:
                yield pool, place, at, feed.amends, pool.worth(feed, occurred, value, amount)
