"""What the approved terms say of the meter itself: how high it starts, how high it may run.

Asked where it happens: of a start by the terms of its moment, or by the first after it, and of a
limit the moment it is crossed. A start that was played on is its partidas' (`conditions`): here it
is recorded where nobody played on it, or only by terms by which it was high enough.

Law: PT art. 40, 44.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from casino.law.finding import LAWFUL, Rule, Verdict
from casino.law.questions import breach
from casino.law.rulebook.jackpot_law import LIMIT, START
from jackpot.progressive.amounts import displayed_cents
from jackpot.progressive.meter import Adjusted, Contributed, Meter, MeterEvent, Started
from jackpot.progressive.terms import start_is_high_enough

LOWERED = "limit_reached"  # the reason for which a meter beyond its limit is lowered


class InForce(NamedTuple):
    """Of the terms in force: their entry, the side stake, how high the meter may run.

    `start_times` is the law's, None where it asks no least start.
    """

    entry: str
    stake_cents: int
    limit_cents: int | None
    start_times: int | None


class Start(NamedTuple):
    """A start that was put in: its entry and value.

    `by` is the entry of the terms it was too low by, `least` what those asked in cents.
    """

    entry: str
    cents: int
    by: str = ""
    least: int = 0


Asked = Iterator[tuple[Rule, Verdict, tuple[str, ...]]]


@dataclass(slots=True)
class Bounds:
    """What of a story bears on the terms' bounds.

    `start` is one that waits for terms to be judged by, or was too low and waits to be played on;
    `beyond` is the entry that took the meter over its limit, '' while it is not.
    """

    start: Start | None = None
    beyond: str = ""

    def asked(self, event: MeterEvent, meter: Meter, by: InForce | None, *, fitted: bool) -> Asked:
        """What is said after an event, with the entries that show it."""
        if isinstance(event, Started) and fitted:
            yield from self.ended()
            self.start = Start(event.entry, event.start_cents)
        if by is None:
            return
        if self.start is not None and by.start_times is not None:
            yield from self._start(event, self.start, by, by.start_times)
        if by.limit_cents is not None:
            yield LIMIT, self._run(event, meter, by.limit_cents), (by.entry, event.entry)

    def ended(self) -> Asked:
        """What is said of the last start, if nobody is to play on it any more."""
        if self.start is not None and self.start.by:
            one = self.start
            observed, least = {"start_cents": one.cents}, {"at_least_cents": one.least}
            yield START, breach(observed, least), (one.by, one.entry)
        self.start = None

    def _start(self, event: MeterEvent, start: Start, by: InForce, times: int) -> Asked:
        high = start_is_high_enough(start.cents, by.stake_cents, times) == LAWFUL
        if not start.by:
            self.start = None if high else start._replace(by=by.entry, least=by.stake_cents * times)
            if high:
                yield START, LAWFUL, ()
        if isinstance(event, Contributed):
            if high:
                yield from self.ended()
            self.start = None  # its partida tells

    def _run(self, event: MeterEvent, meter: Meter, limit_cents: int) -> Verdict:
        runs = displayed_cents(meter.running)
        if runs <= limit_cents:
            self.beyond = ""
            return LAWFUL
        if self.beyond:
            return None  # one for each time it is crossed
        self.beyond = event.entry
        return breach({"meter_cents": runs}, {"at_most_cents": limit_cents})

    def lowered(self, event: MeterEvent, meter: Meter, by: InForce | None) -> str:
        """The entry that crossed the limit, where this event puts that right; '' otherwise."""
        if not isinstance(event, Adjusted) or event.reason != LOWERED or by is None:
            return ""
        within = by.limit_cents is None or displayed_cents(meter.running) <= by.limit_cents
        return self.beyond if within else ""
