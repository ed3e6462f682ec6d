"""A run of the reconciliation, from its opening to its end."""

import time
from typing import Any

from audit.models import ReconciliationResult
from audit.reconcile.concluding import conclude
from audit.reconcile.opening import Asked, open_run
from audit.reconcile.working import work
from tests.factories.evenings import partida_of


def reconcile(job: str, **asked: Any) -> ReconciliationResult:
    """A run from its opening to its end, by one worker."""
    sheet = open_run(job, Asked(**{"reason": "asked", "partida": partida_of(), **asked}))
    work(sheet.run, time.monotonic() + 60)
    assert conclude(sheet.run) == "finished"
    return ReconciliationResult.objects.get(run=sheet.run)
