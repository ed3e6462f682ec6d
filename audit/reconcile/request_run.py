"""How a run is wanted: by a page, a command, a late record, at night. Somebody else does it."""

from collections.abc import Iterable
from datetime import date, datetime
from uuid import UUID

from django.db.models import Max

from audit import answers
from audit.models import Reconciliation, ReconciliationResult, RunSheet
from audit.models.audit_jobs import FINISHED, OPEN
from audit.reconcile.opening import Asked, of_tables
from audit.runs.house_days import A_DAY, REST
from casino import clock
from casino.events.event import RECONCILER
from casino.house_day import house_day_at
from casino.ids import uuid7
from casino.models import BookEntry, Correction, JobOutbox
from casino.queries import day_of, stream_of
from casino.recording.writing import add_job

TOPIC = "reconciliation"
TOUCHED = "partida-touched"
A_NIGHT = answers.DAYS  # days of games nobody judged that are wanted in one night
WAITING = "judging"  # what the keys of jobs for games nobody judged begin with
LATELY = 5_000  # jobs looked back


def ask_for(asked: Asked, job: str | None = None) -> str:
    """Decide on a run, inside the caller's transaction if there is one; the job's key.

    `RunSheet.objects.filter(job=key)` finds the run once a worker has opened it.
    """
    key = job or f"{TOPIC}/{uuid7()}"
    add_job(TOPIC, key, asked.as_args(), due_at=clock.now())
    return key


def is_late(partida: str) -> bool:
    """Whether the table recorded something of a partida after the last run that covers it had read.

    A partida no run has covered yet is not late: its closing, or its day's end, brings a run.
    """
    read = _read_up_to(partida)
    return (
        read is not None
        and BookEntry.objects.filter(
            partida_id=partida, stream__name=stream_of(partida), n__gt=read
        ).exists()
    )


def ask_for_late() -> list[str]:
    """Want a run of every partida that was touched lately and is late; the jobs' keys.

    Each touched partida has a job of its own that asks this. One that asked just before the record
    was committed has seen nothing: whoever looks around asks once more.
    """
    rows = JobOutbox.objects.order_by("-id").values_list("topic", "args", "done_at")[:LATELY]
    touched = {args["partida"] for topic, args, done in rows if topic == TOUCHED and done}
    asked = []
    for partida in sorted(touched):
        if is_late(partida):
            last = BookEntry.objects.filter(
                partida_id=partida, stream__name=stream_of(partida)
            ).aggregate(n=Max("n"))
            job = f"late/{partida}/{last['n']}"
            asked.append(ask_for(Asked(reason="late_record", partida=partida), job))
    return asked


def ask_for_waiting(now: datetime) -> list[date]:
    """Once a night, want the newest days judged that hold games without answers; these days.

    Games judged before 0.7.0 left none. At most A_NIGHT: the grid shows so many days,
    and is whole after the first night. The night's own day has its own job.
    """
    night = house_day_at(now - REST) - A_DAY
    if JobOutbox.objects.filter(key__startswith=f"{WAITING}/{night}/").exists():
        return []
    before = answers.Stretch(date.min, night - A_DAY)
    return ask_to_judge(answers.days_waiting(before, A_NIGHT), f"{WAITING}/{night}")


def ask_to_judge(days: Iterable[date], named: str, by: str = "") -> list[date]:
    """Want a run of each of these days, once under that name; those that were not wanted yet.

    `by` is the number of whoever asks; the house itself has none.
    """
    under_way = JobOutbox.objects.filter(topic=TOPIC, done_at=None)
    under_way = under_way.exclude(args__has_any_keys=["rulebook", "tables"])  # no day's run
    wanted = set(under_way.values_list("args__from_day", flat=True))
    return [
        day
        for day in days
        if day.isoformat() not in wanted
        and add_job(
            TOPIC,
            f"{named}/{day}",
            Asked(reason="nightly", from_day=day, to_day=day, asked_by=by).as_args(),
            due_at=clock.now(),
        )
    ]


def in_place_of(decision: UUID) -> Asked | None:
    """The run that follows the decision on a run's withdrawal; None where it was refused."""
    word = Correction.objects.filter(pk=decision, decision="approved").first()
    if word is None:
        return None
    run = Reconciliation.objects.filter(stream=RECONCILER, n=word.original_n).first()
    if run is None:
        return None
    return Asked(
        reason="asked",
        partida=run.partida_id,
        from_day=run.from_day,
        to_day=run.to_day,
        asked_by=word.staff,
    )


def _read_up_to(partida: str) -> int | None:
    """The last number of the table's stream that a run covering the partida reads or has read."""
    day, stream = day_of(partida), stream_of(partida)
    covers_it = {"from_day__lte": day, "to_day__gte": day}
    sheets = RunSheet.objects.filter(state__in=(OPEN, FINISHED), rulebook="", tables=[])
    reaches = [
        sheet.get(stream, 0)
        for these in (sheets.filter(partida_id=partida), sheets.filter(**covers_it))
        for sheet in these.values_list("reach", flat=True)
    ]
    results = ReconciliationResult.objects.filter(rulebook="").exclude(run__in=of_tables())
    for these in (results.filter(partida_id=partida), results.filter(**covers_it)):
        last = these.order_by("-n").values_list("read_up_to", flat=True).first()
        reaches += [read["n"] for read in last or () if read["stream"] == stream]
    return max(reaches, default=None)
