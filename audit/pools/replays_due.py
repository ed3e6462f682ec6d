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

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef

from audit.models import PoolReplay
from audit.models.audit_jobs import OPEN
from audit.models.replay_projections import PoolReplayRun
from audit.pools.report_replay import pool_findings
from audit.reconcile import house_checks, keys
from audit.reconcile.current_findings import raise_findings
from audit.reconcile.judge_partida import by_key, house_finding
from audit.reconcile.runs_due import PATIENCE, REST, day_ends_at, first_day
from casino import clock
from casino.gaming_day import gaming_day_at
from casino.law.rulebook.jackpot_law import DISPLAY
from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry, BookStream, JobOutbox
from casino.recording.writing import add_job
from jackpot.events import JackpotRead
from jackpot.models import JackpotSeal, JackpotStart
from jackpot.queries.pool_queries import RULEBOOK
from jackpot.rules.law_readings import graces

SEAL: Final = "jackpot-sealing"
REPLAY: Final = "jackpot-replay"
OWN: Final = "jackpot/"
SECOND: Final = timedelta(seconds=10)  # within which who asks again pressed twice


def pools() -> list[str]:
    """Every pool of which the book tells something."""
    names = BookStream.objects.filter(name__startswith=OWN, head_n__gt=0)
    return sorted(name.removeprefix(OWN) for name in names.values_list("name", flat=True))


def begun_pools() -> list[str]:
    """The pools in which there is, or was, money."""
    return sorted(set(JackpotStart.objects.order_by().values_list("jackpot", flat=True)))


def last_day(until: datetime) -> date | None:
    """The last gaming day of this book that had ended by then; None where none had."""
    first = first_day()
    day = gaming_day_at(until, settings.HOUSE_TIME_ZONE, settings.HOUSE_DAY_STARTS)
    last = day - timedelta(days=1)
    return last if first is not None and first <= last else None


def ask_for_pools(now: datetime) -> None:
    """Decide on the seals and replays that follow a gaming day, once each."""
    there = pools()
    sealed, replayed = last_day(now), last_day(now - REST)
    if sealed is not None:
        for jackpot in _undecided(SEAL, sealed, there):
            day = sealed.isoformat()
            add_job(SEAL, job_of(SEAL, jackpot, sealed), {"jackpot": jackpot, "day": day})
    if replayed is not None:
        for jackpot in _undecided(REPLAY, replayed, there):
            ask_for_replay(jackpot, job=job_of(REPLAY, jackpot, replayed))


def ask_for_replay(
    jackpot: str, *, by: str = "", job: str = "", due_at: datetime | None = None
) -> str:
    """Decide on a replay of one pool, as a part's first job; its key.

    A `job` of a name of its own (the nightly one, that of a closing) is decided on once, however
    often it is asked.
    """
    key = job or f"{REPLAY}/{jackpot}/{clock.now().isoformat()}"
    run = keys.run_of(key)
    PoolReplayRun.objects.bulk_create(
        [
            PoolReplayRun(
                run=run,
                job=key,
                jackpot=jackpot,
                why="nightly" if job and due_at is None else "asked",
                asked_by=by,
                asked_at=clock.now(),
            )
        ],
        ignore_conflicts=True,
    )
    add_job(REPLAY, key, {"run": str(run), "part": 0}, due_at=due_at or clock.now())
    return key


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
            with transaction.atomic():
                due_at = max(clock.now(), _due_by(entry))
                ask_for_replay(payload["jackpot"], job=key, due_at=due_at)


def _due_by(entry: BookEntry) -> datetime:
    """When chips that were shown at a reading have to be recorded. Law: PT art. 41."""
    allowed = graces(load_law(RULEBOOK).on(entry.gaming_day))
    return entry.recorded_at + allowed.ahead + timedelta(seconds=1)


def replay_wanted(jackpot: str, *, by: str) -> UUID:
    """A replay somebody wants now; its run. One that waits to be begun stands for a second."""
    with transaction.atomic():
        waiting = PoolReplayRun.objects.filter(
            jackpot=jackpot, state=OPEN, part=0, asked_at__gt=clock.now() - SECOND
        )
        row = waiting.order_by("-asked_at").first()
        return keys.run_of(ask_for_replay(jackpot, by=by)) if row is None else row.run


def job_of(topic: str, jackpot: str, day: date) -> str:
    """The key of what is done with a pool after a day: there is one."""
    return f"{topic}/{jackpot}/{day.isoformat()}"


def _undecided(topic: str, day: date, there: list[str]) -> Iterator[str]:
    names = {job_of(topic, jackpot, day): jackpot for jackpot in there}
    known = JobOutbox.objects.filter(key__in=names).values_list("key", flat=True)
    decided = set(known)
    yield from (jackpot for key, jackpot in names.items() if key not in decided)


def never_sealed(now: datetime) -> list[tuple[str, datetime]]:
    """The pools that have no seal since the last gaming day ended, though it is due; since when."""
    day = last_day(now - REST)
    if day is None:
        return []
    end = day_ends_at(day)
    sealed = JackpotSeal.objects.filter(jackpot=OuterRef("jackpot"), occurred_at__gte=end)
    begun = JackpotStart.objects.filter(~Exists(sealed), recorded_at__lt=end)
    return [(jackpot, end) for jackpot in sorted(set(begun.values_list("jackpot", flat=True)))]


def record_never_replayed(now: datetime) -> int:
    """Raise that a pool was not replayed after a day, long after it was due; how many were new."""
    day = last_day(now - REST - PATIENCE)
    if day is None:
        return 0
    end = day_ends_at(day)
    done = PoolReplay.objects.filter(jackpot=OuterRef("jackpot"), occurred_at__gte=end)
    begun = JackpotStart.objects.filter(~Exists(done), recorded_at__lt=end)
    raised = 0
    for jackpot in sorted(set(begun.values_list("jackpot", flat=True))):
        where: dict[str, int | str] = {"jackpot": jackpot, "day": day.isoformat()}
        finding = house_finding(
            house_checks.POOL_REPLAYED, day, "", [], where, {"reconciled": "no"}
        )
        held = pool_findings(jackpot).filter(check_name=house_checks.POOL_REPLAYED)
        if not held.exists():  # the first day it was missed stands for those after it
            raised += len(raise_findings(keys.BOOK_WATCH, now, by_key([finding])))
    return raised
