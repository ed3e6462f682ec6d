"""What increments say the display showed, held against the meter: docs/decisions/0009-the-meter.md.

Chips may be shown before they stand in the book, and stand there before they are shown. So a
display that is not the meter at its place is explained by some of the chips recorded soon after it,
or by the lack of some told just before, its own excepted. Moments are numbers:
`pool_entries.moment`.
"""

from array import array
from bisect import bisect_left
from collections import deque
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from .canonical import dumps
from .pool_entries import INCREMENT, Feed, whole
from .terms import NOBODYS, Event, Versions

AHEAD: Final = timedelta(minutes=5)  # from a display that shows chips to their entry
BEHIND: Final = timedelta(minutes=1)  # from an entry to the display that shows it
MOST: Final = 2_000  # sums of chips that are told apart; of more, the outermost two
M: Final = 1_000_000  # microcents in a cent, and millionths in a whole


class Shown(NamedTuple):
    """What an increment says: `where` its chips are known by, its `leaf` in the tree, `cents`."""

    at: int
    occurred: int
    where: int
    leaf: int
    stream: str
    n: int
    feed: Feed
    cents: int


class Look(NamedTuple):
    """A display to be judged, and the chips about it: when each was recorded, and by how much.

    Of a year of evenings there are many, so they are kept in 16 bytes each.
    """

    where: int
    at: int
    since: int
    until: int
    reported: "array[int]"
    by: "array[int]"

    def sums(self, at: int | None) -> tuple[list[int], bool]:
        """What was under way as far as recorded by then; whether anything between is, too."""
        sums, crowded = [0], False
        for count, microcents in zip(self.reported, self.by, strict=True):
            if at is None or count <= at:
                sums = sorted({*sums, *(one + microcents for one in sums)})
                if crowded or len(sums) > MOST:
                    sums, crowded = [sums[0], sums[-1]], True
        return sums, crowded


class Waiting(NamedTuple):
    """A display whose chips may yet be recorded; `bases`: the meter, and what a wrong seal makes
    it.
    """

    event: Event
    look: Look
    cents: int
    bases: tuple[int, ...]


class Displays(Versions):
    """What is said of a pool's displays; `off`: by how much the last seal was, figure by figure."""

    def __init__(self, name: str, events: list[Event], checker: object) -> None:
        super().__init__(name, events, checker)
        self.looks = dict[int, Look]()  # by its index in the tree
        self.in_order, self.untils = list[Look](), list[int]()
        self.look_anew()

    def look_anew(self) -> None:
        """Nothing went by yet."""
        self.waiting = deque[Waiting]()
        self.moved_at, self.off = 0, dict[str, int]()
        self.off_by = list[int]()  # by what the last display was wrong, if it was

    @property
    def running(self) -> int:
        """What the next round plays for."""
        raise NotImplementedError

    def see(self, listed: list[Shown]) -> None:
        """Take in what increments say that feed this meter and were recorded in time."""
        for one in sorted(listed):
            in_time = one.occurred >= shifted(one.at, -BEHIND)
            feeds = one.at > self.begun_at and self.worth(one.feed, one.occurred, one.at, 1)
            if in_time and feeds:
                since = shifted(min(one.occurred, one.at), -BEHIND)
                until, kept = shifted(one.at, AHEAD), (array("Q"), array("q"))
                look = Look(one.where, one.at, since, until, *kept)
                self.looks[one.leaf] = look
                self.in_order.append(look)
                self.untils.append(look.until)
                says = dumps({"display_cents": one.cents, "jackpot": self.name.partition("/")[2]})
                at, n = one.at + 1, NOBODYS + one.n  # after its own chips, which have to be shown
                where = one.leaf, one.stream
                self.events.append(Event(at, n, *where, INCREMENT, one.occurred, b"", says))

    def chips(self, where: int, at: int, microcents: int) -> None:
        """Chips were told: they may be under way for the displays about them."""
        if not self.in_order:
            return
        latest, most = shifted(at, 2 * BEHIND), min(microcents, 2**63 - 1)
        for place in range(bisect_left(self.untils, at), len(self.in_order)):
            look = self.in_order[place]
            if look.at > latest:
                return
            if at > look.at or (at >= look.since and where != look.where):
                look.reported.append(at)
                look.by.append(most if at > look.at else -most)

    def went_by(self, event: Event | None, change: int = 0) -> None:
        """An event, None for the end, went by and changed what is played for by so much."""
        self._settle(None if event is None else event.at)
        if change and event is not None:
            self.moved_at, self.waiting = event.at, deque()

    def look(self, event: Event, value: Any) -> None:
        """Somebody read the display: compared with nothing under way."""
        found, running = whole(value["display_cents"]), self.running
        self.off_by = [] if found == running // M else [found * M - running]
        if self.off_by:
            self.remark("pool-read-differs", event, found=found, expected=running // M)

    def show(self, event: Event, value: Any) -> None:
        """An increment says what the display showed afterwards."""
        look = self.looks[event.where]
        if self.moved_at < look.since:
            bases = self.running, self.running + self.off.get("microcents", 0)
            self.waiting.append(Waiting(event, look, whole(value["display_cents"]), bases))

    def _settle(self, at: int | None) -> None:
        """Judge what is explained by now, or can be no more; what comes after one waits for it."""
        while self.waiting:
            event, look, cents, bases = self.waiting[0]
            sums, crowded = look.sums(at)
            shows = sorted((base + one) // M for base in bases for one in sums)
            right = cents in shows or (crowded and shows[0] <= cents <= shows[-1])
            if not right and at is not None and at <= look.until and cents > shows[0]:
                return
            self.waiting.popleft()
            self._judge(event, cents, bases, sums, right)

    def _judge(
        self, event: Event, cents: int, bases: tuple[int, ...], sums: list[int], right: bool
    ) -> None:
        if right:
            self.off_by = []
            return
        off = cents * M - bases[0]
        still = any(abs(off - one - last) < M for last in self.off_by for one in sums)
        if not still:  # a display that stays wrong is reported once
            self.off_by = [off]
            self.remark("pool-display-differs", event, found=cents, expected=bases[0] // M)


def shifted(at: int, offset: timedelta) -> int:
    """The moment so much later; the same, where no calendar has it."""
    text = str(at + 10**19)
    with suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(f"{text[:8]}T{text[8:14]}.{text[14:]}") + offset
        return int(moment.strftime("%Y%m%d%H%M%S%f")) - 10**19
    return at
