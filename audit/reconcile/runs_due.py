"""Which gaming day has to be reconciled when, and which never was.

A day is due an hour after it ended. Where twelve more have gone by and no run that began after its
end has ended, it counts as never reconciled: the pages show that when they are read, and whoever
looks next records it. The run that comes at last cures the finding; it does not undo it.
"""

from datetime import date, datetime
from typing import Final

from django.db.models import OuterRef, Subquery

from audit.models import Reconciliation, ReconciliationResult
from audit.runs.house_days import A_DAY, PATIENCE, REST, day_ends_at, first_day
from casino.house_day import house_day_at
from casino.models import JobOutbox

LOOKED_BACK: Final = 400  # days; what is older was found long ago


def _days_ended(until: datetime) -> list[date]:
    """The days of the book that had ended by then, the earliest first."""
    first = first_day()
    if first is None:
        return []
    today = house_day_at(until)
    first = max(first, today - LOOKED_BACK * A_DAY)
    return [first + ahead * A_DAY for ahead in range((today - first).days)]


def days_due(now: datetime) -> list[date]:
    """The days that have to be reconciled and for which nobody decided it yet."""
    days = _days_ended(now - REST)
    known = JobOutbox.objects.filter(key__in=[job_of(day) for day in days])
    decided = set(known.values_list("key", flat=True))
    # A job may be forgotten one day; what it did is not.
    return [day for day in _not_reconciled(days) if job_of(day) not in decided]


def job_of(day: date) -> str:
    """The key of the job that reconciles a day: there is one, however many beats there are."""
    return f"gaming-day/{day.isoformat()}"


def days_never_reconciled(now: datetime) -> list[date]:
    """The days whose reconciliation never came to an end though it is long due, earliest first."""
    return _not_reconciled(_days_ended(now - REST - PATIENCE))


def is_reconciled(day: date) -> bool:
    """Whether a run that began after this day's end looked at all of it, and ended."""
    return not _not_reconciled([day])


def _not_reconciled(days: list[date]) -> list[date]:
    """Those of some days that no run has looked at which began after their end, and ended."""
    if not days:
        return []
    whole = Reconciliation.objects.filter(run=OuterRef("run"), tables__isnull=True)
    began = whole.values("occurred_at")[:1]  # none of a run of some tables: it was no whole day
    ended = ReconciliationResult.objects.filter(
        rulebook="", from_day__lte=days[-1], to_day__gte=days[0]
    ).annotate(began_at=Subquery(began))
    rows = ended.values_list("from_day", "to_day", "began_at")
    runs = [(first, last, began) for first, last, began in rows if first and last and began]
    return [
        day
        for day in days
        if not any(
            first <= day <= last and began_at >= day_ends_at(day) for first, last, began_at in runs
        )
    ]
