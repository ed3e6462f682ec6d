"""From the start value and the events in their order to the meter, and what does not fit.

The meter's value is never taken on trust: it is made again from entries alone.

Law: PT art. 40, 41, 44, 50.
"""

from collections.abc import Iterable
from typing import NamedTuple

from jackpot.progressive.meter import Meter, MeterEvent, Misfit


class Replay(NamedTuple):
    """The meter at the end, and every event that did not fit, in order."""

    meter: Meter
    misfits: tuple[Misfit, ...]

    @property
    def first(self) -> Misfit | None:
        """The first event that does not fit: what comes after it may only follow from it."""
        return self.misfits[0] if self.misfits else None


def replay(events: Iterable[MeterEvent]) -> Replay:
    """Let all events happen, in the order handed in."""
    meter = Meter()
    misfits = [misfit for event in events if (misfit := meter.take(event)) is not None]
    return Replay(meter, tuple(misfits))
