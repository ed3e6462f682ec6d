"""A pool as it goes: the meter, what each win came to, and whatever did not fit.

A win is recorded with its winners, not with an amount: what it comes to follows from the meter at
its place in the order, from the terms in force and from how the law is read.

Law: PT art. 41, 43, 44, 50.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from jackpot.progressive.meter import Meter, MeterEvent, Misfit, Won
from jackpot.progressive.payout import ADOPTED, Payout, PayoutReadings, Winner, payout
from jackpot.progressive.prizes import PrizeList

WITHOUT_TERMS: Final = "without_terms"
NOT_IN_THE_TABLE: Final = "not_in_the_table"
MISREAD: Final = "meter_misread"


@dataclass(frozen=True, slots=True, kw_only=True)
class WonNow(MeterEvent):
    """A round's winners, as they were recorded. `entry` names the hit.

    `prizes` is the approved table in force, None where there was none; `told_microcents` is what
    the meter was said to run at, None where nobody said.
    """

    winners: tuple[Winner, ...]
    prizes: PrizeList | None
    readings: PayoutReadings = ADOPTED
    recorded_microcents: int | None = None


class Pool:
    """One pool while its events happen. `payouts` are what its wins came to, by the hit's name."""

    __slots__ = ("meter", "misfits", "payouts")

    def __init__(self, meter: Meter | None = None) -> None:
        self.meter = Meter() if meter is None else meter
        self.payouts: dict[str, Payout] = {}
        self.misfits: list[Misfit] = []

    def take(self, event: MeterEvent) -> None:
        """Let an event happen, in the order handed in; what does not fit is kept in `misfits`."""
        if isinstance(event, WonNow):
            event = self._won(event)
        misfit = self.meter.take(event)
        if misfit is not None:
            self.misfits.append(misfit)

    def take_all(self, events: Iterable[MeterEvent]) -> "Pool":
        """Let all of them happen; this pool again."""
        for event in events:
            self.take(event)
        return self

    def _won(self, event: WonNow) -> Won:
        running = self.meter.running
        if event.recorded_microcents not in (None, running):
            self.misfits.append(Misfit(event.entry, MISREAD, event.recorded_microcents, running))
        if event.prizes is None:
            self.misfits.append(Misfit(event.entry, WITHOUT_TERMS))
            return Won(entry=event.entry, hit=event.entry, due_cents=0)
        known = {line.code for line in event.prizes.lines}
        winners = [winner for winner in event.winners if winner.code in known]
        if len(winners) < len(event.winners):
            self.misfits.append(Misfit(event.entry, NOT_IN_THE_TABLE))
        came_to = payout(running, event.prizes, winners, event.readings)
        self.payouts[event.entry] = came_to
        return Won(
            entry=event.entry,
            hit=event.entry,
            due_cents=came_to.paid_cents,
            full=came_to.full,
            owed=came_to.owed_cents,
        )
