"""A pool's story played again from its entries, part by part, beside the floor.

A part reads for some seconds and leaves what the next has to know; how far is fixed when the first
begins, so that parts done hours apart make one cut through the book. Reading locks nothing: the
floor goes on. Each entry's rows on the projections are compared with it as it goes by, so that
where the kept value is another, the first entry that explains it can be named.
"""

import time
from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final

from audit.models import PoolReplayRun
from audit.pools.carrying import left, taken_up
from audit.pools.compare_projections import Projections
from audit.pools.report_replay import report_replay
from audit.runs.continued_run import Continued
from casino import clock
from casino.events.corrections import Corrected
from casino.law.finding import Breach
from casino.law.rulebook.jackpot_law import METER
from casino.law.rulebook.rulebook_file import load_law
from casino.queries import heads
from jackpot.events import MAX_POOL_CENTS, JackpotIncremented
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.meter import MeterEvent
from jackpot.queries.pool_queries import RULEBOOK
from jackpot.queries.pool_story import Entry, Story, name_of
from jackpot.queries.versions import version_at
from jackpot.rules.bounds import InForce
from jackpot.rules.law_readings import Graces, graces
from jackpot.rules.whole import Said, WholePool
from jackpot.seal_meter import can_be_recorded, most_of

REPLAY: Final = "jackpot-replay"
LOOKED: Final = 200  # entries between two looks at the clock


class Replay:
    """A replay under way: the story, the pool as it goes by, and the projections beside it.

    `cut` is when somebody looked how far the book reaches.
    """

    def __init__(
        self,
        jackpot: str,
        reach: dict[str, int],
        cut: datetime,
        carried: dict[str, Any] | None = None,
    ) -> None:
        kept = carried or {}
        self.jackpot, self.until = jackpot, reach
        self.cut = datetime.fromisoformat(kept["cut"]) if carried else cut
        self.story = Story(jackpot, reach, carried=kept.get("story"))
        self.whole = taken_up(jackpot, kept["whole"]) if carried else WholePool(jackpot)
        self.projections = Projections(jackpot, reach, kept.get("difference"))
        self.entries: int = kept.get("entries", 0)

    def go(self, until: float) -> bool:
        """Play on until `time.monotonic()` reaches `until`; whether nothing is left."""
        for entry, events in self.story.entries():
            self.entries += 1
            for event in events:
                self.whole.take(
                    event,
                    at=entry.recorded_at,
                    allowed=_allowed(entry.gaming_day),
                    by=self._in_force(entry),
                    looked=entry.occurred_at,
                )
            self._held(entry)
            self._displayed(entry, events)
            self.projections.see(entry, events, self.story.versions, self.whole.pool.meter)
            if self.entries % LOOKED == 0 and time.monotonic() > until:
                self.projections.catch_up()
                return False
        self.projections.catch_up()
        self.whole.ended(self.cut)
        return True

    def _held(self, entry: Entry) -> None:
        """The first entry after which the meter is more than any event can tell. Law: PT art.
        41.
        """
        meter, said = self.whole.pool.meter, self.whole.said
        if can_be_recorded(meter) or any(
            "meter_at_most_cents" in one.breach.expected for one in said
        ):
            return
        values = {"meter_cents": most_of(meter) // MICROCENTS}
        most: dict[str, Any] = {"meter_at_most_cents": MAX_POOL_CENTS}
        where: dict[str, int | str] = {"jackpot": self.jackpot}
        said.append(Said(METER, Breach(where, values, most, evidence=(entry.name,))))

    def _displayed(self, entry: Entry, events: Sequence[MeterEvent]) -> None:
        """What an increment that feeds the meter says of the display; what of it was undone."""
        value = entry.body["payload"]
        if entry.kind == JackpotIncremented.kind and events and "display_cents" in value:
            self.whole.showed(
                entry.name,
                value["display_cents"],
                looked=entry.occurred_at,
                at=entry.recorded_at,
                allowed=_allowed(entry.gaming_day),
            )
        elif entry.kind == Corrected.kind and value["decision"] == "approved":
            self.whole.unsaid(name_of(**value["original"]))

    def _in_force(self, entry: Entry) -> InForce | None:
        """The terms the meter ran by when that was recorded."""
        one = version_at(self.story.versions, entry.occurred_at, entry.recorded_at)
        if one is None:
            return None
        times = _start_times(entry.gaming_day)
        return InForce(str(one.entry), one.terms.stake_cents, one.limit_cents, times)

    def state(self) -> dict[str, object]:
        """What the next part has to know, as JSON."""
        return {
            "story": self.story.state(),
            "whole": left(self.whole),
            "difference": self.projections.difference,
            "entries": self.entries,
            "cut": self.cut.isoformat(),
        }


@lru_cache(maxsize=8)
def _allowed(day: date) -> Graces:
    return graces(load_law(RULEBOOK).on(day))


@lru_cache(maxsize=8)
def _start_times(day: date) -> int | None:
    """How many side stakes a meter has to start with at least; None: nobody says."""
    rules = load_law(RULEBOOK).on(day)
    times: int | None = (
        rules["jackpot.start_times"] if rules.states("jackpot.start_times") else None
    )
    return times


def _take_up(under_way: PoolReplayRun) -> Replay:
    """Go on, or begin: then how far is read is fixed."""
    reach = heads() if under_way.carried is None else under_way.reach
    return Replay(under_way.jackpot, reach, clock.now(), under_way.carried)


def _note(under_way: PoolReplayRun, replay: Replay) -> None:
    under_way.reach, under_way.entries = replay.until, replay.entries


POOL_REPLAY: Final = Continued(
    topic=REPLAY,
    rows=PoolReplayRun,
    seconds=15.0,
    take_up=_take_up,
    note=_note,
    conclude=lambda under_way, replay: report_replay(under_way, replay.whole, replay.projections),
)
