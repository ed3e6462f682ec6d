"""One look around, every few minutes.

Called by beat's job, by `manage.py look_around`, by `manage.py reconcile` and when the house is
started; who comes first records what he sees, the others find it recorded.
"""

from datetime import datetime

from audit.pools.replays_due import ask_for_pools, record_never_replayed
from audit.reconcile.opening import Asked
from audit.reconcile.request_run import ask_for, ask_for_late, ask_for_waiting
from audit.reconcile.runs_due import days_due, job_of
from audit.watch.auditing import record_failed_jobs, record_missing_days
from audit.watch.watch_book import ask_for_nightly, watch_book
from audit.watch.watch_cases import watch_cases
from audit.watch.watch_law import watch_law
from casino import clock


def look_around(now: datetime | None = None) -> int:
    """Record what never came about and decide on what is due; how many findings were raised."""
    moment = now or clock.now()
    raised = record_missing_days(moment) + record_failed_jobs(moment) + watch_book(moment)
    raised += record_never_replayed(moment) + watch_cases(moment) + watch_law(moment)
    for day in days_due(moment):
        ask_for(Asked(reason="nightly", from_day=day, to_day=day), job_of(day))
    ask_for_late()
    ask_for_waiting(moment)
    ask_for_nightly(moment)
    ask_for_pools(moment)
    return raised
