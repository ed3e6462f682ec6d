"""Wins told while another held the money, and that other was none.

The second of two wins gets what the first left. When the first is withdrawn its money is on the
meter again, and the second was reckoned from less than there was: it has to be withdrawn too, and
told anew. Nothing changes by itself, for people were paid by it.

Law: PT art. 43, 50.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from casino.law.finding import Breach
from casino.law.questions import breach
from jackpot.progressive.amounts import displayed_cents
from jackpot.progressive.meter import Meter, Withdrawn
from jackpot.progressive.payout import Payout


class Overtaken(NamedTuple):
    """A win that was reckoned from too little, and the entries that show it."""

    breach: Breach
    entries: tuple[str, ...]


@dataclass(slots=True)
class Behind:
    """A win that hangs on the meter: what ran when it was recorded, which wins held money before
    it.

    `back` is what of that was played for again since, in microcents, `by` the entries of it.
    """

    running: int
    holding: list[str]
    back: int = 0
    by: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Queue:
    """What of a story bears on that: the wins since the last start, and those behind others."""

    wins: list[str] = field(default_factory=list)
    behind: dict[str, Behind] = field(default_factory=dict)

    def won(self, hit: str, came_to: Payout, meter: Meter) -> None:
        """A win came to that, whatever the ones before it still hold."""
        holding = [one for one in self.wins if meter.due.get(one)]
        if holding and hangs_on_the_meter(came_to):
            self.behind[hit] = Behind(came_to.before_microcents, holding)
        self.wins.append(hit)

    def withdrawn(self, event: Withdrawn, back: int) -> None:
        """A win was none, and so much of what it held is played for again. Units: microcents."""
        self.behind.pop(event.hit, None)
        for one in self.behind.values():
            if back and event.hit in one.holding:
                one.holding.remove(event.hit)
                one.back += back
                one.by += [event.hit, event.entry]

    def started(self) -> None:
        """The house put a starting value in: the next wins are won from that."""
        self.wins.clear()

    def found(self) -> list[Overtaken]:
        """The wins that would have to be recorded anew."""
        return [
            Overtaken(
                breach(
                    {"meter_cents": displayed_cents(one.running)},
                    {"meter_cents": displayed_cents(one.running + one.back)},
                ),
                (hit, *one.by),
            )
            for hit, one in self.behind.items()
            if one.by
        ]


def hangs_on_the_meter(came_to: Payout) -> bool:
    """Whether somebody would have got more from a meter that ran higher."""
    return any(step.by != "fixed" or step.paid_cents < step.due_cents for step in came_to.steps)
