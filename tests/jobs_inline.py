"""The outbox worked off in the test's own process and transaction, without broker or worker."""

from datetime import datetime
from importlib import import_module
from typing import Any

from casino import clock
from casino.celery import app
from casino.extensions import jobs
from casino.models import JobOutbox


def do_jobs(now: datetime | None = None, *, topic: str | None = None) -> list[str]:
    """Do every job that is due, and those that follow from it; their keys in order.

    A job that is not done afterwards stays for the next call.
    """
    tried: list[str] = []
    while True:
        due: Any = JobOutbox.objects.filter(done_at=None, due_at__lte=now or clock.now())
        due = due.exclude(key__in=tried)
        row = (due.filter(topic=topic) if topic else due).order_by("due_at", "id").first()
        if row is None:
            return tried
        tried.append(row.key)
        task = jobs()[row.topic]
        import_module(task.rpartition(".")[0])
        app.tasks[task](job=row.key, **row.args)
