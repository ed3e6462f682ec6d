"""When a meter that was emptied has to be started again.

From the last payment of a win that took everything on: while such a prize is being paid play may go
on. Whether it was paid rightly is another question; a cent too little holds nothing up.

Law: PT art. 44.
"""

from dataclasses import dataclass, field
from datetime import datetime

from jackpot.progressive.meter import Meter, Paid, Withdrawn
from jackpot.progressive.payout import Payout
from jackpot.rules.law_readings import Graces

Emptied = tuple[str, str]  # a win that took everything, and the entry after which it was over


@dataclass(slots=True)
class Restarting:
    """What of a story bears on the next start.

    `waiting` are the wins that took everything since the last start, each with the winners nobody
    was told to have paid; `emptied` is the last of them that is done with, `by` until when a new
    start may wait.
    """

    waiting: dict[str, list[str]] = field(default_factory=dict)
    emptied: Emptied | None = None
    by: datetime | None = None

    def won(self, hit: str, came_to: Payout) -> None:
        """A win came to that."""
        winners = [step.winner.name for step in came_to.steps if step.paid_cents]
        if came_to.full and winners:
            self.waiting[hit] = winners

    def paid(self, event: Paid, at: datetime | None, allowed: Graces) -> None:
        """A winner was paid, whatever it was: he waits no more."""
        winners = self.waiting.get(event.hit, [])
        if event.winner in winners:
            winners.remove(event.winner)
            if not winners:
                self._over(event.hit, event.entry, at, allowed)

    def withdrawn(
        self, event: Withdrawn, meter: Meter, at: datetime | None, allowed: Graces
    ) -> None:
        """A win was none; where money was handed out for it, the meter has to be started all the
        same.
        """
        if event.hit in self.waiting:
            if meter.to_start and meter.emptied_by == event.hit:
                self._over(event.hit, event.entry, at, allowed)
            else:
                del self.waiting[event.hit]

    def _over(self, hit: str, entry: str, at: datetime | None, allowed: Graces) -> None:
        del self.waiting[hit]
        self.emptied = hit, entry
        self.by = None if at is None else at + allowed.restart

    def started(self) -> None:
        """The house put a starting value in."""
        self.waiting.clear()
        self.emptied = None

    def late(self, meter: Meter, at: datetime | None) -> Emptied | None:
        """Which win made a start due that was not put in when chips were taken then; recorded once.

        A round under way is no unlawful act: for a time of the house's own nothing is said.
        """
        in_time = at is not None and self.by is not None and at <= self.by
        if self.emptied is None or not meter.to_start or in_time:
            return None
        emptied, self.emptied = self.emptied, None  # one for each time it was emptied
        return emptied
