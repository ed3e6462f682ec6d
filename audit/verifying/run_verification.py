"""A verification done by workers, in parts: each goes on where the one before stopped.

A part's end, what it found and the next part's job stand in one transaction. Who comes too late, or
comes twice, finds that the part was done.
"""

import logging
import time
from typing import Final
from uuid import UUID

from django.db import DatabaseError, InterfaceError, OperationalError, transaction

from audit.models import VerificationRun
from audit.models.audit_jobs import FINISHED, OPEN
from audit.reconcile import keys
from audit.reconcile.code_version import code_version
from audit.verifying.problems import Problem
from audit.verifying.report_verification import report_findings, report_verified
from audit.verifying.request_verification import TOPIC
from audit.verifying.walking import Walk
from casino import clock
from casino.recording.writing import add_job

log = logging.getLogger(__name__)

REFUSED: Final = "book-refuses"
KEPT: Final = "checkpoint"  # what a kept checkpoint is called where it does not fit
SECONDS: Final = 12.0  # of a part; one step more may take two


def do_part(run: UUID, part: int, seconds: float = SECONDS) -> bool:
    """Do a part of a verification; whether it had not been done before."""
    row = VerificationRun.objects.filter(run=run).first()
    if row is None or row.state != OPEN or row.part != part:
        return False
    VerificationRun.objects.filter(run=run, began_at=None).update(began_at=clock.now())
    walk = _walk(row)
    walk.go(time.monotonic() + seconds)
    with transaction.atomic():
        row = VerificationRun.objects.select_for_update().get(run=run)
        if row.state != OPEN or row.part != part:
            return False
        _note(row, walk)
        if walk.ended:
            _report(row, walk)
        else:
            key = f"{row.job}/{row.part}"
            add_job(TOPIC, key, {"run": str(run), "part": row.part}, due_at=clock.now())
        row.save()
    return True


def _report(row: VerificationRun, walk: Walk) -> None:
    """Write down what came out, as far as the book still takes it.

    Where the very stream it would be told in was altered, the book refuses what does not follow.
    Then it stands with the run, and whoever looks there is told why it stands nowhere else.
    """
    changes = keys.changes_of((), ())
    for say in ("findings", "verified"):
        try:
            with transaction.atomic():
                if say == "findings":
                    changes = report_findings(row, walk)
                else:
                    report_verified(row, walk, changes)
        except (OperationalError, InterfaceError):
            raise  # the server's trouble: the part is done again
        except DatabaseError as refused:
            log.exception("verification %s could not be written into the book", row.run)
            row.problems += 1
            row.found.append(Problem(REFUSED, details={"told": str(refused)[:400]}).as_json())


def _walk(row: VerificationRun) -> Walk:
    """Go on where the part before stopped; another program begins anew."""
    older = [(KEPT, row.older)] if row.older else []
    if row.carried is not None and row.code_version == code_version():
        return Walk(kept=row.carried, older=older)
    return Walk(older=older)


def _note(row: VerificationRun, walk: Walk) -> None:
    """How far it has come."""
    report = walk.report
    row.part += 1
    row.phase, row.done, row.total = walk.phase, walk.done, walk.total
    row.size, row.entries = walk.size, walk.entries
    row.problems = report.count()
    row.found = [each.as_json() for each in report.of("problem")]
    row.unseen = [each.as_json() for each in report.of("unseen")]
    row.code_version = code_version()
    row.carried = None if walk.ended else walk.state()
    if walk.ended:
        row.state, row.ended_at = FINISHED, clock.now()
