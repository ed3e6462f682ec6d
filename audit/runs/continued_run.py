"""A run that one worker after the other goes on with, where the part before stopped.

It is asked for with the job of its first part; a part's end, what it came to and the next part's
job stand in one transaction. Who comes too late, or twice, finds that the part was done; what died
on the way is done again from the part's beginning.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from django.db import transaction

from audit.models.audit_jobs import FINISHED, OPEN, ContinuedRun
from audit.runs import keys
from audit.runs.code_version import code_version
from casino import clock
from casino.recording.writing import add_job


class Resumable(Protocol):
    """What such a run does, in small steps."""

    def go(self, until: float) -> bool:
        """Go on until `time.monotonic()` has reached `until`; whether nothing is left."""

    def state(self) -> dict[str, object]:
        """Everything there is to know to go on later, as JSON."""


Row = TypeVar("Row", bound=ContinuedRun)
Doing = TypeVar("Doing", bound=Resumable)


@dataclass
class Continued(Generic[Row, Doing]):
    """One kind of such a run: its jobs' topic, its rows, and what is done.

    `take_up` goes on with what the row `carried`, or begins where that is None. `note` puts down
    how far it has come; `conclude` records what it came to, in its last part's transaction.
    """

    topic: str
    rows: type[Row]
    seconds: float  # of a part
    take_up: Callable[[Row], Doing]
    note: Callable[[Row, Doing], object]
    conclude: Callable[[Row, Doing], object]

    def request(self, key: str, due_at: datetime | None = None, **about: object) -> UUID:
        """Decide on a run, once a key; inside the caller's transaction if there is one."""
        run = keys.run_of(key)
        row = self.rows(run=run, job=key, asked_at=clock.now(), **about)
        with transaction.atomic():
            self.rows._default_manager.bulk_create([row], ignore_conflicts=True)
            add_job(self.topic, key, {"run": str(run), "part": 0}, due_at=due_at)
        return run

    def do_part(self, run: UUID, part: int, seconds: float | None = None) -> bool:
        """Do a part of a run; whether it had not been done before."""
        rows = self.rows._default_manager.filter(run=run, part=part, state=OPEN)
        row = rows.first()
        if row is None:
            return False
        if row.code_version != code_version():
            row.carried = None  # another program begins anew
        work = self.take_up(row)
        ended = work.go(time.monotonic() + (self.seconds if seconds is None else seconds))
        with transaction.atomic():
            row = rows.select_for_update().first()
            if row is None:
                return False
            row.part, row.code_version = part + 1, code_version()
            row.carried = None if ended else work.state()
            self.note(row, work)
            if ended:
                row.state, row.ended_at = FINISHED, clock.now()
                self.conclude(row, work)
            else:
                args = {"run": str(run), "part": row.part}
                add_job(self.topic, f"{row.job}/{row.part}", args)
            row.save()
        return True
