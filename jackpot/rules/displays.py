"""Readings of a display while chips are under way.

A round's chips may be shown before they stand in the book, and stand there before they are shown.
So a reading that is not the meter at its place waits: it is right if it is the meter with some of
the chips told soon after it, or without some of those told just before. Chips of several tables
reach the book in another order than they were laid, so any of them may be the ones.

Law: PT art. 41.
"""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from jackpot.progressive.amounts import displayed_cents
from jackpot.rules.readings import Graces

MOST: Final = 2_000  # sums of chips that are kept for one reading; beyond them it is not judged


@dataclass(slots=True)
class Reading:
    """What somebody read, the meter at its place, and the chips that may have been under way.

    `bases` are microcents: the meter, and what a seal that was wrong makes of it. `there` is all
    that was ever put in, less what was paid, in cents. `sums` are microcents, up or down. `right`
    is whether they explain it, `until` by when they have to; None: nobody told when it was.
    """

    entry: str
    shown: int
    bases: list[int]
    there: int
    until: datetime | None = None
    sums: list[int] = field(default_factory=lambda: [0])
    right: bool = False

    @property
    def expected(self) -> int:
        """What a display had to show where nothing was under way. Units: cents."""
        return displayed_cents(self.bases[0])

    @property
    def as_sealed(self) -> bool:
        """Whether it shows what a wrong seal says."""
        return self.shown in [displayed_cents(base) for base in self.bases[1:]]

    def with_chips(self, microcents: int) -> None:
        """These chips may be shown already, or, below 0, not yet."""
        if not self.right:
            self.sums = sorted({*self.sums, *(one + microcents for one in self.sums)})
            shown = {displayed_cents(base + one) for base in self.bases for one in self.sums}
            self.right = self.shown in shown or len(self.sums) > MOST


class Readings:
    """The readings that wait, in their order, and the chips told last, each with its moment."""

    def __init__(self) -> None:
        self.waiting: deque[Reading] = deque()
        self.told: deque[tuple[datetime, int]] = deque()

    def chips(self, microcents: int, at: datetime | None, allowed: Graces) -> None:
        """Chips were told."""
        if at is None:
            return
        for one in self.waiting:
            if one.until is not None and at <= one.until:
                one.with_chips(microcents)
        self._forget(at, allowed)
        self.told.append((at, microcents))

    def add(self, one: Reading, at: datetime | None, allowed: Graces) -> None:
        """Somebody read the display."""
        if at is not None:
            one.until = at + allowed.ahead
            self._forget(at, allowed)
            for _, microcents in self.told:
                one.with_chips(-microcents)
        self.waiting.append(one)

    def settled(self, at: datetime | None) -> list[Reading]:
        """Those of which, at that moment, nothing more is to come; None: the story is over."""
        done = []
        while self.waiting:
            first = self.waiting[0]
            open_still = first.until is not None and at is not None and at <= first.until
            if open_still and not first.right:
                break
            done.append(self.waiting.popleft())
        return done

    def _forget(self, at: datetime, allowed: Graces) -> None:
        while self.told and self.told[0][0] < at - allowed.behind:
            self.told.popleft()
