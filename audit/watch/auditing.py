"""What did not come about is said: a day nobody reconciled, a job that was given up."""

from datetime import datetime
from typing import Any

from django.db import transaction

from audit.models import RunSheet
from audit.models.audit_jobs import FAILED, OPEN
from audit.pools.replaying import POOL_REPLAY
from audit.reconcile.opening import Asked
from audit.reconcile.runs_due import days_never_reconciled
from audit.runs import house_checks
from audit.runs.current_findings import raise_once
from audit.runs.house_days import day_ends_at
from audit.runs.house_findings import house_finding
from audit.verifying.run_verification import VERIFICATION
from casino.house_day import house_day_at
from casino.models import BookEntry, JobOutbox, JobTry
from casino.queries import day_of


def record_missing_days(now: datetime) -> int:
    """Raise the days that were never reconciled; how many were new."""
    raised = 0
    for day in days_never_reconciled(now):
        observed = {"reconciled": "no", "ended_at": day_ends_at(day).isoformat()}
        where = {"day": day.isoformat()}
        raised += raise_once(house_finding(house_checks.DAY_RECONCILED, day, where, observed), now)
    return raised


def record_failed_jobs(now: datetime) -> int:
    """Raise the jobs that were begun too often; how many were new."""
    raised = 0
    for tried in JobTry.objects.filter(failed_at__isnull=False):
        job = JobOutbox.objects.get(key=tried.key)
        entry = BookEntry.objects.filter(id=job.entry_id).first() if job.entry_id else None
        partida, day = _about(job.args, entry)
        finding = house_finding(
            house_checks.JOB_DONE,
            day or house_day_at(now),
            {"job": tried.key},
            {"tries": tried.tries, "trouble": tried.trouble or "worker lost"},
            partida=partida,
            evidence=[str(entry.id)] if entry else [],
        )
        with transaction.atomic():
            raised += raise_once(finding, now)
            _give_up(job, now)
            tried.delete()
    return raised


def _give_up(job: JobOutbox, now: datetime) -> None:
    """A verification or a replay of which a part was given up does not go on."""
    for kind in (VERIFICATION, POOL_REPLAY):
        if job.topic == kind.topic:
            run = kind.rows._default_manager.filter(run=job.args["run"], state=OPEN)
            run.update(state=FAILED, ended_at=now)


def _about(args: dict[str, Any], entry: BookEntry | None) -> tuple[str, Any]:
    """The partida and the day a job was about, as far as it tells."""
    partida = args.get("partida") or (entry.partida_id if entry else "")
    sheet = RunSheet.objects.filter(run=args["run"]).first() if args.get("run") else None
    if sheet is not None:
        partida, last = sheet.partida_id, sheet.to_day
    else:
        last = Asked.of_args(reason="asked", **_days(args)).to_day
    if partida:
        return partida, day_of(partida)
    return "", last or (entry.gaming_day if entry else None)


def _days(args: dict[str, Any]) -> dict[str, str]:
    return {name: args[name] for name in ("from_day", "to_day") if args.get(name)}
