"""When a pool has to be sealed and replayed, and which never was.

A pool is sealed when the gaming day is over, and replayed once the last tables have had an hour to
close. Both are jobs with a key of their own for each pool and day: whoever looks, however often,
decides on them once.
"""

import json
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef

from audit.events import VerifiedWhy
from audit.models import PoolReplay, PoolReplayRun
from audit.models.audit_jobs import OPEN
from audit.pools.replaying import POOL_REPLAY, REPLAY
from audit.pools.report_replay import pool_findings
from audit.runs import house_checks
from audit.runs.current_findings import raise_once
from audit.runs.house_days import PATIENCE, REST, day_ends_at, last_day
from audit.runs.house_findings import house_finding
from casino import clock
from casino.law.rulebook.jackpot_law import DISPLAY
from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry, BookStream, JobOutbox
from casino.recording.writing import add_job
from jackpot.events import JackpotRead
from jackpot.models import JackpotSeal, JackpotStart
from jackpot.queries.pool_queries import RULEBOOK
from jackpot.rules.law_readings import graces

SEAL: Final = "jackpot-sealing"
OWN: Final = "jackpot/"
SECOND: Final = timedelta(seconds=10)  # within which who asks again pressed twice


def pools() -> list[str]:
    """Every pool of which the book tells something."""
    names = BookStream.objects.filter(name__startswith=OWN, head_n__gt=0)
    return sorted(name.removeprefix(OWN) for name in names.values_list("name", flat=True))


def begun_pools() -> list[str]:
    """The pools in which there is, or was, money."""
    return sorted(set(JackpotStart.objects.order_by().values_list("jackpot", flat=True)))


def ask_for_pools(now: datetime) -> None:
    """Decide on the seals and replays that follow a gaming day, once each."""
    there = pools()
    sealed, replayed = last_day(now), last_day(now - REST)
    for jackpot in _undecided(SEAL, sealed, there):
        day = str(sealed)
        add_job(SEAL, f"{SEAL}/{jackpot}/{day}", {"jackpot": jackpot, "day": day})
    for jackpot in _undecided(REPLAY, replayed, there):
        ask_for_replay(jackpot, job=f"{REPLAY}/{jackpot}/{replayed}")


def ask_for_replay(
    jackpot: str, *, by: str = "", job: str = "", due_at: datetime | None = None
) -> UUID:
    """Decide on a replay of one pool; its run.

    A `job` of a name of its own (the nightly one, that of a closing) is decided on once, however
    often it is asked.
    """
    key = job or f"{REPLAY}/{jackpot}/{clock.now().isoformat()}"
    why: VerifiedWhy = "nightly" if job and due_at is None else "asked"
    return POOL_REPLAY.request(key, due_at, jackpot=jackpot, why=why, asked_by=by)


def ask_at_closing(partida: str) -> None:
    """Decide on a replay of every pool of which a display was read otherwise in a closed game.

    Once a game, after the chips that may have been under way are told: what somebody recorded over
    a warning is found that night, not when the day is over. Law: PT art. 41.
    """
    rows = BookEntry.objects.filter(kind=JackpotRead.kind, partida_id=partida)
    for entry in rows.order_by("stream_id", "n"):
        payload = json.loads(bytes(entry.entry))["payload"]
        if any(one["check"] == DISPLAY.name for one in payload.get("despite", ())):
            key = f"{REPLAY}/{payload['jackpot']}/{partida}"
            due_at = max(clock.now(), _due_by(entry))
            ask_for_replay(payload["jackpot"], job=key, due_at=due_at)


def _due_by(entry: BookEntry) -> datetime:
    """When chips that were shown at a reading have to be recorded. Law: PT art. 41."""
    allowed = graces(load_law(RULEBOOK).on(entry.gaming_day))
    return entry.recorded_at + allowed.ahead + timedelta(seconds=1)


def replay_wanted(jackpot: str, *, by: str) -> UUID:
    """A replay somebody wants now; its run. One that waits to be begun stands for a second."""
    waiting = PoolReplayRun.objects.filter(
        jackpot=jackpot, state=OPEN, part=0, asked_at__gt=clock.now() - SECOND
    )
    row = waiting.order_by("-asked_at").first()
    return ask_for_replay(jackpot, by=by) if row is None else row.run


def _undecided(topic: str, day: date | None, there: list[str]) -> Iterator[str]:
    """The pools of which nobody decided yet on what follows a day."""
    if day is not None:
        names = {f"{topic}/{jackpot}/{day}": jackpot for jackpot in there}
        known = JobOutbox.objects.filter(key__in=names).values_list("key", flat=True)
        decided = set(known)
        yield from (jackpot for key, jackpot in names.items() if key not in decided)


def _left_out(projection: type[JackpotSeal | PoolReplay], end: datetime) -> list[str]:
    """The pools begun before a day's end of which no such row was recorded since."""
    since = projection._default_manager.filter(jackpot=OuterRef("jackpot"), occurred_at__gte=end)
    begun = JackpotStart.objects.filter(~Exists(since), recorded_at__lt=end)
    return sorted(set(begun.values_list("jackpot", flat=True)))


def never_sealed(now: datetime) -> list[tuple[str, datetime]]:
    """The pools that have no seal since the last gaming day ended, though it is due; since when."""
    day = last_day(now - REST)
    end = None if day is None else day_ends_at(day)
    return [] if end is None else [(jackpot, end) for jackpot in _left_out(JackpotSeal, end)]


def record_never_replayed(now: datetime) -> int:
    """Raise that a pool was not replayed after a day, long after it was due; how many were new."""
    day, raised = last_day(now - REST - PATIENCE), 0
    if day is None:
        return 0
    for jackpot in _left_out(PoolReplay, day_ends_at(day)):
        check, where = house_checks.POOL_REPLAYED, {"jackpot": jackpot, "day": str(day)}
        finding = house_finding(check, day, where, {"reconciled": "no"})
        # The first day it was missed stands for those after it.
        raised += raise_once(finding, now, pool_findings(jackpot).filter(check_name=check))
    return raised
