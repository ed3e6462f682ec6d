"""From the start value and the events in their order to the meter, and what does not fit.

The meter's value is never taken on trust: it is made again from entries alone, and where somebody
keeps another value, the first entry that explains the difference is named.

Law: PT art. 40, 41, 44, 50.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from jackpot.progressive.meter import Meter, MeterEvent, Misfit, effect_microcents


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


class Difference(NamedTuple):
    """An entry whose kept rows do not say what the entry says.

    Units: microcents, signed; `kept` is None where there is no row, `expected` None where there is
    a row and no such entry.
    """

    entry: str
    kept: int | None
    expected: int | None


def first_difference(
    events: Iterable[MeterEvent], kept: Mapping[str, int], whole: bool = True
) -> Difference | None:
    """The first entry whose rows differ from it; None where meter and rows agree everywhere.

    `kept` is the sum of the rows of each entry. Rows of no entry come last, by their names; they
    are left alone where `whole` is False, because the events are only a part of the book.
    """
    known: set[str] = set()
    for event in events:
        if event.entry in known:
            continue
        known.add(event.entry)
        expected = effect_microcents(event)
        if kept.get(event.entry, 0) != expected:
            return Difference(event.entry, kept.get(event.entry), expected)
    strays = sorted(kept.keys() - known) if whole else []
    return Difference(strays[0], kept[strays[0]], None) if strays else None
