"""Lines of the demo and how they get into the book: in order, through the one writer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from django.conf import settings

from casino.events.event import EntryRef
from casino.events.round.round_played import RoundPlayed
from casino.recording import Actor, Receipt, Source, Submission, Supersedes, record_many

# Whoever finds an entry under the first of these keys looks at a book of the demo.
NAMES: Final = UUID("8d0f4f0e-6a43-5e0b-9f0a-3c1d5b7e2a90")
BATCH: Final = 200
TYPED: Final = Source()

Receipts = Mapping[str, Receipt]


@dataclass(frozen=True, slots=True)
class Evening:
    """The gaming day of the demo, and the house's clock on it."""

    day: date

    def at(self, clock: str) -> datetime:
        """The moment at which the house's clock showed ``"20:15"``; aware UTC.

        What lies before the start of the house's day is after midnight.
        """
        moment = time.fromisoformat(clock)
        late = moment < time.fromisoformat(settings.HOUSE_DAY_STARTS)
        local = datetime.combine(
            self.day + timedelta(days=late), moment, ZoneInfo(settings.HOUSE_TIME_ZONE)
        )
        return local.astimezone(ZoneInfo("UTC"))

    def before(self, days: int, clock: str) -> datetime:
        """The same so many days earlier."""
        return Evening(self.day - timedelta(days=days)).at(clock)

    def partida(self, table: str, number: int = 1) -> str:
        """The name of one of the evening's partidas."""
        return f"{table}/{self.day.isoformat()}/{number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing to be told: what happened when, and who recorded it.

    `name` lets later lines refer to its receipt. A line that needs the receipts of others names
    them in `after`, and gives a function of the receipts in place of the event. `corrects` is the
    line it corrects. `recorded_at` is when it was recorded, where that was later. What is written
    `in_turn` stands in the book after everything before it and before everything after it,
    whatever their streams.
    """

    at: datetime
    by: Actor
    event: Any
    name: str = ""
    after: tuple[str, ...] = ()
    corrects: str = ""
    reason: str = ""
    source: Source = TYPED
    recorded_at: datetime | None = None
    in_turn: bool = False

    def submission(self, key: UUID, receipts: Receipts) -> Submission:
        """As the writer takes it."""
        event = self.event(receipts) if self.after else self.event
        supersedes = None
        if self.corrects:
            wrong = receipts[self.corrects]
            supersedes = Supersedes(wrong.n, wrong.leaf, self.reason)
        return Submission(event, key, self.by, self.at, self.source, supersedes)


def key_of(place: int, tale: str = "") -> UUID:
    """The key of the line that is recorded at that place, from 0; `tale` is what is not the
    demo's.
    """
    return uuid5(NAMES, f"{tale}{place}")


def in_order(lines: Iterable[Line]) -> list[Line]:
    """The lines as they were recorded through the evening, all tables together."""
    return sorted(lines, key=lambda line: line.recorded_at or line.at)


def record_lines(lines: Iterable[Line], tale: str = "") -> int:
    """Record all lines of a tale in the order given; how many there were.

    Raises: what `casino.recording.record_many` raises; earlier batches then stand.
    """
    receipts: dict[str, Receipt] = {}
    waiting: list[tuple[Line, Submission]] = []
    count = 0

    def write() -> None:
        done = record_many([submission for _, submission in waiting])
        for (line, _), receipt in zip(waiting, done, strict=True):
            if line.name:
                receipts[line.name] = receipt
        waiting.clear()

    for place, line in enumerate(lines):
        needed = {*line.after, line.corrects} - {""}
        alone = line.in_turn or (waiting and waiting[-1][0].in_turn)
        if len(waiting) == BATCH or alone or not needed <= receipts.keys():
            write()
        # A round's own UUID is its key, as when it is imported.
        own = isinstance(line.event, RoundPlayed)
        key = UUID(line.event.round) if own else key_of(place, tale)
        waiting.append((line, line.submission(key, receipts)))
        count += 1
    write()
    return count


def reference(receipt: Receipt) -> EntryRef:
    """The entry a receipt stands for, as other events name it."""
    return EntryRef(stream=receipt.stream, n=receipt.n, leaf=receipt.leaf)
