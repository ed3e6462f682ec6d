"""What the projections keep of a pool against its entries, each as it goes by."""

from collections.abc import Sequence
from typing import Any, Final

from jackpot.events import JackpotSealed, TermsConfirmed, pool_stream
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.meter import (
    Contributed,
    Meter,
    MeterEvent,
    Read,
    Sealed,
    effect_microcents,
)
from jackpot.progressive.running_meter import WonNow
from jackpot.queries import PoolNow, Version, pool_now, versions
from jackpot.queries.chip_queries import microcents_of
from jackpot.queries.pool_queries import recorded_since
from jackpot.queries.pool_story import Entry

USING: Final = "default"
AT_ONCE: Final = 500  # entries of chips looked up together


class Projections:
    """The projections of one pool up to a cut. `difference` is the first entry whose rows differ.

    It has `id`, `stream` and `n` of the entry, and `kept` and `expected`, in microcents where the
    entry moves the meter; the projection's rows are summed up in the database.
    """

    def __init__(
        self, jackpot: str, until: dict[str, int], difference: dict[str, Any] | None = None
    ) -> None:
        self.jackpot, self.until = jackpot, until
        self.difference = difference
        last = until.get(pool_stream(jackpot), 0)
        self._versions = versions(jackpot, last)
        listed = recorded_since(jackpot, 0, last, self._versions, USING)
        self._events = {event.entry: event for _, event in listed}
        self._waiting: list[tuple[Entry, int]] = []

    def kept(self) -> PoolNow:
        """The pool as displays are told of it, at the cut."""
        return pool_now(self.jackpot, until=self.until)

    def see(
        self,
        entry: Entry,
        events: Sequence[MeterEvent],
        confirmed: Sequence[Version],
        meter: Meter,
    ) -> None:
        """Compare an entry's rows with it, or note it to be compared with others.

        `confirmed` are the terms so far, `meter` what the entries made, this one included.
        """
        if self.difference is not None:
            return
        for event in events:
            if isinstance(event, Contributed):
                self._waiting.append((entry, effect_microcents(event)))
                if len(self._waiting) >= AT_ONCE:
                    self.catch_up()
            elif entry.stream == pool_stream(self.jackpot) and not isinstance(event, Sealed | Read):
                self.catch_up()
                self._compare(entry, event)
        if entry.kind == TermsConfirmed.kind:
            self.catch_up()
            self._compare_terms(entry, confirmed)

        if entry.kind == JackpotSealed.kind:
            self.catch_up()
            self._compare_parts(entry, meter)

    def catch_up(self) -> None:
        """Compare the chips that wait for it."""
        waiting, self._waiting = self._waiting, []
        if not waiting or self.difference is not None:
            return
        named = [(entry.stream, entry.n) for entry, _ in waiting]
        kept = microcents_of(self.jackpot, self._versions, named, USING) if self._versions else {}
        for entry, expected in waiting:
            found = kept.get((entry.stream, entry.n), 0)
            if found != expected:
                self._differs(entry, found, expected)
                return

    def _compare(self, entry: Entry, event: MeterEvent) -> None:
        kept = self._events.get(event.entry)
        if kept is None or _plain(kept) != _plain(event):
            found = 0 if kept is None else effect_microcents(kept)
            self._differs(entry, found, effect_microcents(event))

    def _compare_terms(self, entry: Entry, confirmed: Sequence[Version]) -> None:
        n = entry.event.confirms.n
        version = next((one for one in confirmed if one.entry == n), None)
        kept = next((one for one in self._versions if one.entry == n), None)
        if version != kept:
            self._differs(entry, 0, 0)

    def _compare_parts(self, entry: Entry, meter: Meter) -> None:
        """What a seal consists of, where its sum is right: whoever goes on does so from there."""
        event: JackpotSealed = entry.event
        held = {one.hit: one.cents for one in event.held}
        due = {int(hit): cents // MICROCENTS for hit, cents in meter.due.items() if cents}
        listed = event.started_cents, event.contributed_microcents, event.adjusted_microcents
        made = meter.started // MICROCENTS, meter.contributed, meter.adjusted
        if event.microcents == meter.running and (listed, held) != (made, due):
            self._differs(entry, 0, 0)

    def _differs(self, entry: Entry, kept: int, expected: int) -> None:
        if self.difference is None:
            self.difference = {
                "id": entry.id,
                "stream": entry.stream,
                "n": entry.n,
                "kept": kept,
                "expected": expected,
            }


def _plain(event: MeterEvent) -> Any:
    """An event to be compared: who won, in no order of the rows."""
    if isinstance(event, WonNow):
        return event.entry, sorted(map(repr, event.winners)), event.recorded_microcents
    return event
