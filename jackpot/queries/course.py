"""A pool through time: what its meter was before and after every event, and what was read off it.

Where it begins in the middle of the story it begins at a seal. Chips are summed up between the
events, and between the marks of an even grid, so that a curve can be drawn of them.

Law: PT art. 40, 41, 44, 50.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

from casino.queries import heads, that_count
from jackpot.events import pool_stream
from jackpot.models import JackpotReading, JackpotSeal
from jackpot.progressive.amounts import displayed_cents
from jackpot.progressive.meter import MeterEvent, Misfit, Read, Sealed
from jackpot.progressive.running_meter import Pool
from jackpot.queries.chip_queries import Change, Chips, changes_since, chips_since
from jackpot.queries.pool_queries import meter_at, recorded_since
from jackpot.queries.versions import Version, versions

Kind = Literal[
    "start", "win", "payment", "adjustment", "withdrawal", "seal", "reading", "correction", "chips"
]
_KINDS: Final[dict[str, Kind]] = {
    "JackpotStart": "start",
    "JackpotWin": "win",
    "JackpotPayment": "payment",
    "JackpotSeal": "seal",
    "JackpotReading": "reading",
}
PARTS: Final = 240  # of the grid: finer than a figure shows


@dataclass(frozen=True, slots=True)
class Point:
    """An event, or the chips of a while that ended at `at`. Units: microcents.

    `row` is its row on the projection, None for chips; of a correction `entry_id` says which it
    was. `stake_cents` is what the chips were worth. `seen` is, of a reading, what the display had
    to show at the moment it was read (cents), None where that lies before the course. `misfit` is
    what does not fit what came before.
    """

    kind: Kind
    at: datetime
    before: int
    after: int
    held: int
    row: Any = None
    entry_id: str = ""
    stake_cents: int = 0
    seen: int | None = None
    misfit: Misfit | None = None

    @property
    def change(self) -> int:
        """By how much the meter moved."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Course:
    """A pool from one moment to another; `points` in true order, those before `first` left out.

    `opening` is what the meter ran at when it began.
    """

    jackpot: str
    first: datetime
    last: datetime
    opening: int
    points: tuple[Point, ...]
    versions: tuple[Version, ...]


class _Mark(NamedTuple):
    """A moment at which the sum of the chips is taken: an event's, a look's, the grid's."""

    at: datetime
    row: Any = None
    event: MeterEvent | None = None
    correction: str = ""


def course(
    jackpot: str, first: datetime, last: datetime, *, parts: int = PARTS, using: str = "default"
) -> Course:
    """What happened to a pool from `first` to `last`, as far as the book knows by now."""
    reach = _reach(jackpot, last, using)
    until = reach.get(pool_stream(jackpot), 0)
    found = versions(jackpot, until, using)
    seals = JackpotSeal.objects.using(using).filter(jackpot=jackpot, n__lte=until)
    base = seals.filter(recorded_at__lt=first).order_by("-n").first()
    since = 0 if base is None else base.n
    counted = {} if base is None else base.up_to
    changes = changes_since(jackpot, found, counted, reach, using)
    rows = list(_rows(jackpot, since, until, found, using))
    marks = _marks(rows, changes, first, last, parts)
    way = _Way(Pool(None if base is None else meter_at(jackpot, base, using)))
    laid: dict[int, list[Chips]] = {}
    for chips in chips_since(jackpot, found, counted, reach, [mark.at for mark in marks], using):
        laid.setdefault(chips.bucket, []).append(chips)
    for place in range(len(marks) + 1):
        if place:
            way.pass_by(marks[place - 1])
        end = marks[place].at if place < len(marks) else last + timedelta(microseconds=1)
        for chips in laid.get(place, ()):
            way.lay(chips, end)
    points = tuple(point for point in way.points if first <= point.at <= last)
    earlier = [point for point in way.points if point.at < first]
    opening = earlier[-1].after if earlier else (points[0].before if points else way.running)
    return Course(jackpot, first, last, opening, points, found)


def _reach(jackpot: str, last: datetime, using: str) -> Mapping[str, int]:
    """Up to where the streams are read: the first seal after `last` knows, else all there is."""
    seals = JackpotSeal.objects.using(using).filter(jackpot=jackpot, recorded_at__gte=last)
    after = seals.order_by("n").first()
    if after is None:
        return heads(using)
    return {**after.up_to, pool_stream(jackpot): after.n}


def _rows(
    jackpot: str, since: int, until: int, version: tuple[Version, ...], using: str
) -> Iterator[tuple[Any, MeterEvent]]:
    yield from recorded_since(jackpot, since, until, version, using)
    for seal in _of(JackpotSeal, jackpot, since, until, using):
        yield seal, Sealed(entry=str(seal.n), microcents=seal.microcents)
    for read in that_count(_of(JackpotReading, jackpot, since, until, using)):
        yield read, Read(entry=str(read.n), display_cents=read.display_cents)


def _of(model: Any, jackpot: str, since: int, until: int, using: str) -> Any:
    return model.objects.using(using).filter(jackpot=jackpot, n__gt=since, n__lte=until)


def _marks(
    events: list[tuple[Any, MeterEvent]],
    changes: Iterable[Change],
    first: datetime,
    last: datetime,
    parts: int,
) -> list[_Mark]:
    events.sort(key=lambda one: int(one[0].n))
    marks = [_Mark(row.recorded_at, row, event) for row, event in events]
    marks += [_Mark(one.recorded_at, None, one.event, one.entry) for one in changes]
    # What the display had to show when somebody looked at it, not only when he told of it.
    marks += [
        _Mark(row.occurred_at, row)
        for row, event in events
        if isinstance(event, Read) and row.occurred_at < row.recorded_at
    ]
    step = (last - first) / parts if last > first else timedelta(0)
    marks += [_Mark(first + step * part) for part in range(parts)]
    marks.append(_Mark(last))  # to the microsecond: what came later is another course's
    return sorted(marks, key=lambda mark: mark.at)


class _Way:
    """A pool while it is followed."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.points: list[Point] = []
        self.looked: dict[int, int] = {}  # what stood on the display when it was looked at

    @property
    def running(self) -> int:
        """What the next round plays for."""
        return self.pool.meter.running

    def pass_by(self, mark: _Mark) -> None:
        """An event happens, or somebody looks."""
        if mark.event is None:
            if mark.row is not None:
                self.looked[mark.row.n] = displayed_cents(self.running)
            return
        if mark.correction:
            self._take("correction", mark.event, mark.at, entry_id=mark.correction)
            return
        kind = _KINDS.get(type(mark.row).__name__, "adjustment")
        if kind == "adjustment" and mark.row.hit_n is not None:
            kind = "withdrawal"
        self._take(kind, mark.event, mark.at, row=mark.row, seen=self.looked.get(mark.row.n))

    def lay(self, chips: Chips, end: datetime) -> None:
        """The chips of a while that ended then."""
        self._take("chips", chips.event, end, stake_cents=chips.stake_cents)

    def _take(self, kind: Kind, event: MeterEvent, at: datetime, **known: Any) -> None:
        before, misfits = self.running, len(self.pool.misfits)
        self.pool.take(event)
        unfit = self.pool.misfits[misfits] if len(self.pool.misfits) > misfits else None
        held = self.pool.meter.held
        self.points.append(Point(kind, at, before, self.running, held, misfit=unfit, **known))
