"""A pool's story played again from its entries, part by part, beside the floor.

A part reads for some seconds and leaves what the next has to know; how far is fixed when the first
begins, so that parts done hours apart make one cut through the book. Reading locks nothing: the
floor goes on. Each entry's rows on the shelves are compared with it as it goes by, so that where
the kept value is another, the first entry that explains it can be named.
"""

import time
from datetime import date
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from audit.models.jobs import FINISHED, OPEN
from audit.models.pools import PoolReplayRun
from audit.pools.carrying import left, taken_up
from audit.pools.comparing import Shelves
from audit.pools.telling import tell
from audit.reconcile.code_version import code_version
from casino import clock
from casino.queries import heads
from casino.recording.writing import add_job
from casino.regulation.law import load_law
from jackpot.facts import JackpotPaid
from jackpot.queries.pools import RULEBOOK
from jackpot.queries.story import Entry, Story
from jackpot.rules.readings import Graces, graces
from jackpot.rules.whole import WholePool

TOPIC: Final = "jackpot-replay"
SECONDS: Final = 15.0  # of a part
LOOKED: Final = 200  # entries between two looks at the clock


class Replay:
    """A replay under way: the story, the pool as it goes by, and the shelves beside it."""

    def __init__(
        self, jackpot: str, reach: dict[str, int], carried: dict[str, Any] | None = None
    ) -> None:
        kept = carried or {}
        self.jackpot, self.until = jackpot, reach
        self.story = Story(jackpot, reach, carried=kept.get("story"))
        self.whole = taken_up(jackpot, kept["whole"]) if carried else WholePool(jackpot)
        self.shelves = Shelves(jackpot, reach, kept.get("difference"))
        self.entries: int = kept.get("entries", 0)

    def go(self, until: float) -> bool:
        """Play on until `time.monotonic()` reaches `until`; whether nothing is left."""
        for entry, events in self.story.entries():
            self.entries += 1
            for event in events:
                self.whole.take(
                    event,
                    again=_is_again(entry),
                    at=entry.recorded_at,
                    allowed=_allowed(entry.gaming_day),
                )
            self.shelves.see(entry, events, self.story.versions, self.whole.pool.meter)
            if self.entries % LOOKED == 0 and time.monotonic() > until:
                self.shelves.catch_up()
                return False
        self.shelves.catch_up()
        self.whole.ended()
        return True

    def state(self) -> dict[str, Any]:
        """What the next part has to know, as JSON."""
        return {
            "story": self.story.state(),
            "whole": left(self.whole),
            "difference": self.shelves.difference,
            "entries": self.entries,
        }


@lru_cache(maxsize=8)
def _allowed(day: date) -> Graces:
    return graces(load_law(RULEBOOK).on(day))


def _is_again(entry: Entry) -> bool:
    """A payment that is said to be a second one is for its partida's judge."""
    return entry.kind == JackpotPaid.kind and entry.body["payload"].get("again") is True


def do_part(run: UUID, part: int, seconds: float = SECONDS) -> bool:
    """Do a part of a replay; whether it had not been done before."""
    row = PoolReplayRun.objects.filter(run=run).first()
    if row is None or row.state != OPEN or row.part != part:
        return False
    if row.carried is None or row.code_version != code_version():
        row.reach, row.carried = heads(), None  # another program begins anew
    replay = Replay(row.jackpot, row.reach, row.carried)
    ended = replay.go(time.monotonic() + seconds)
    with transaction.atomic():
        row_now = PoolReplayRun.objects.select_for_update().get(run=run)
        if row_now.state != OPEN or row_now.part != part:
            return False
        row.part, row.entries, row.code_version = part + 1, replay.entries, code_version()
        if ended:
            tell(row, replay.whole, replay.shelves)
            row.state, row.ended_at, row.carried = FINISHED, clock.now(), None
        else:
            row.carried = replay.state()
            add_job(
                TOPIC,
                f"{row.job}/{row.part}",
                {"run": str(run), "part": row.part},
                due_at=clock.now(),
            )
        row.save()
    return True
