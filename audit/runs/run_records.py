"""What a run records, in its own name."""

from datetime import datetime
from typing import Final
from uuid import UUID

from casino import clock
from casino.events.event import Event
from casino.recording import Actor, Source, Submission, record_many

BY: Final = Actor("reconciler", "sistema", "job")


def of_run(run: UUID, event: Event, key: UUID, at: datetime | None = None) -> Submission:
    """An event of a run, to be recorded; `at` is when it was so, now where nothing is said."""
    return Submission(event, key, BY, at or clock.now(), Source("job", str(run)))


def record_of(run: UUID, event: Event, key: UUID, at: datetime | None = None) -> None:
    """Record an event of a run. The same key and event again change nothing."""
    record_many([of_run(run, event, key, at)])
