"""Readings of a display while chips are under way.

A round's chips may be shown before they stand in the book, and stand there before they are shown.
So a reading that is not the meter at its place waits: it is right if it is the meter with some of
the chips recorded soon after it, or without some of those told just before. Chips of several tables
reach the book in another order than they were laid, so any of them may be the ones.

A reading told a while after somebody looked is held against the meter as it was when he looked.

What an increment says the display showed afterwards is read in passing: it is judged the same way,
but not where it was recorded late, nor where something other than chips moved the meter meanwhile.

Law: PT art. 41.
"""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from jackpot.progressive.amounts import MICROCENTS, displayed_cents
from jackpot.rules.law_readings import Graces

MOST: Final = 2_000  # sums of chips that are kept for one reading; beyond them the outermost two
KEPT: Final = timedelta(hours=1)  # how long chips are remembered for who tells later what he read


@dataclass(slots=True)
class Reading:
    """What somebody read, the meter at its place, and the chips that may have been under way.

    `bases` are microcents: the meter, and what a seal that was wrong makes of it. `there` is all
    that was ever put in, less what was paid, in cents. `sums` are microcents, up or down. `right`
    is whether they explain it, `until` by when they have to; None: nobody recorded when it was.
    `in_passing` is whether an increment told it, `crowded` whether there were too many sums to keep
    and anything between the outermost two explains it.
    """

    entry: str
    shown: int
    bases: list[int]
    there: int
    until: datetime | None = None
    sums: list[int] = field(default_factory=lambda: [0])
    right: bool = False
    in_passing: bool = False
    crowded: bool = False

    @property
    def expected(self) -> int:
        """What a display had to show where nothing was under way. Units: cents."""
        return displayed_cents(self.bases[0])

    @property
    def as_sealed(self) -> bool:
        """Whether it shows what a wrong seal says."""
        return self.shown in [displayed_cents(base) for base in self.bases[1:]]

    @property
    def may_come_right(self) -> bool:
        """Whether chips recorded later may explain it: they only raise what is shown."""
        return self.shown > displayed_cents(min(self.bases) + self.sums[0])

    def waits(self, at: datetime | None) -> bool:
        """Whether at that moment it may still be explained; None: the story is over."""
        if self.right or self.until is None or at is None or at > self.until:
            return False
        return self.may_come_right

    def with_chips(self, microcents: int) -> None:
        """These chips may be shown already, or, below 0, not yet."""
        if self.right:
            return
        self.sums = sorted({*self.sums, *(one + microcents for one in self.sums)})
        if self.crowded or len(self.sums) > MOST:
            self.crowded, self.sums = True, [self.sums[0], self.sums[-1]]
        self.compare()

    def compare(self) -> None:
        """Whether what is known by now explains it."""
        shown = {displayed_cents(base + one) for base in self.bases for one in self.sums}
        between = self.crowded and min(shown) <= self.shown <= max(shown)
        self.right = between or self.shown in shown


@dataclass(slots=True)
class Lasting:
    """A display that is wrong and stays so: by how many microcents, None where the last was right.

    `entry` told of it first; in `again` are those of them that another reading bore out.
    """

    off: int | None = None
    entry: str = ""
    again: set[str] = field(default_factory=set)

    def is_still(self, reading: Reading) -> bool:
        """Whether a wrong reading is wrong as the one before; it stands for those after it."""
        off = reading.shown * MICROCENTS - reading.bases[0]
        if self.off is not None:
            # A display shows whole cents: less than one of them is no other difference.
            if any(abs(off - under_way - self.off) < MICROCENTS for under_way in reading.sums):
                self.again.add(self.entry)
                return True
        self.off, self.entry = off, reading.entry
        return False


class Readings:
    """The readings that wait, in their order, and the chips recorded last, each with its moment.

    `moved_at` is when something other than chips last moved the meter. `lag` is how long after they
    were collected the last chips were told: of an evening written down later, all of it.
    """

    def __init__(self) -> None:
        self.waiting: deque[Reading] = deque()
        self.recorded: deque[tuple[datetime, int]] = deque()
        self.moved_at: datetime | None = None
        self.lag = timedelta()

    def chips(self, microcents: int, at: datetime | None, allowed: Graces) -> None:
        """Chips were recorded."""
        if at is None:
            return
        for one in self.waiting:
            if one.until is not None and at <= one.until:
                one.with_chips(microcents)
        self._forget(at, allowed)
        self.recorded.append((at, microcents))

    def moved(self, at: datetime | None) -> None:
        """Something other than chips moved the meter: what is read in passing tells nothing."""
        self.moved_at = at
        self.waiting = deque(one for one in self.waiting if not one.in_passing)

    def add(
        self, reading: Reading, at: datetime | None, allowed: Graces, looked: datetime | None = None
    ) -> None:
        """Somebody read the display; `looked` is when, of what was read in passing.

        That comes after chips of its own, which were recorded last and have to be shown.
        """
        if at is not None:
            since = (at if looked is None else min(looked, at)) - allowed.behind
            listed = list(self.recorded)
            if looked is not None:
                listed.pop()
                reading.in_passing = True
                late = looked < at - allowed.behind
                if late or (self.moved_at is not None and self.moved_at >= since):
                    return
            reading.until = at + allowed.ahead
            for recorded_at, microcents in listed:
                if recorded_at >= since:
                    reading.with_chips(-microcents)
        self.waiting.append(reading)

    def is_late(self, at: datetime, allowed: Graces, looked: datetime) -> bool:
        """Whether what was read then was recorded later than what happened beside it."""
        return looked + self.lag < at - allowed.behind

    def add_late(self, reading: Reading, at: datetime, allowed: Graces, looked: datetime) -> bool:
        """Somebody recorded at `at` what he had read at `looked`, a while before.

        Chips recorded since are taken off again. Whether it can be judged: not what was read before
        chips are remembered, or before something other than chips moved the meter.
        """
        looked += self.lag
        moved = self.moved_at is not None and self.moved_at >= looked - allowed.behind
        if moved or looked < at - KEPT:
            return False
        since = sum(microcents for recorded_at, microcents in self.recorded if recorded_at > looked)
        reading.bases = [base - since for base in reading.bases]
        reading.compare()
        for recorded_at, microcents in self.recorded:
            if looked - allowed.behind <= recorded_at <= looked:
                reading.with_chips(-microcents)
            elif looked < recorded_at <= looked + allowed.ahead:
                reading.with_chips(microcents)
        if at <= looked + allowed.ahead:
            reading.until = looked + allowed.ahead
        self.waiting.append(reading)
        return True

    def drop(self, entry: str) -> None:
        """What that entry told of a display holds no longer."""
        self.waiting = deque(one for one in self.waiting if one.entry != entry)

    def settled(self, at: datetime | None) -> list[Reading]:
        """Those of which, at that moment, nothing more is to come; None: the story is over."""
        done = []
        while self.waiting and not self.waiting[0].waits(at):
            done.append(self.waiting.popleft())
        return done

    def _forget(self, at: datetime, allowed: Graces) -> None:
        # Who looked a while before he told may not have seen what was recorded before that.
        while self.recorded and self.recorded[0][0] < at - KEPT - allowed.behind:
            self.recorded.popleft()
