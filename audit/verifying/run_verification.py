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
from audit.verifying.walking import Verification
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
    verification = _walk(row)
    verification.go(time.monotonic() + seconds)
    with transaction.atomic():
        row = VerificationRun.objects.select_for_update().get(run=run)
        if row.state != OPEN or row.part != part:
            return False
        _note(row, verification)
        if verification.ended:
            _report(row, verification)
        else:
            key = f"{row.job}/{row.part}"
            add_job(TOPIC, key, {"run": str(run), "part": row.part}, due_at=clock.now())
        row.save()
    return True


def _report(verification_run: VerificationRun, verification: Verification) -> None:
    """Write down what came out, as far as the book still takes it.

    Where the very stream it would be recorded in was altered, the book refuses what does not
    follow. Then it stands with the run, and whoever looks there is told why it stands nowhere else.
    """
    changes = keys.changes_of((), ())
    for say in ("findings", "verified"):
        try:
            with transaction.atomic():
                if say == "findings":
                    changes = report_findings(verification_run, verification)
                else:
                    report_verified(verification_run, verification, changes)
        except (OperationalError, InterfaceError):
            raise  # the server's trouble: the part is done again
        except DatabaseError as refused:
            log.exception(
                "verification %s could not be written into the book", verification_run.run
            )
            verification_run.problems += 1
            verification_run.found.append(
                Problem(REFUSED, details={"told": str(refused)[:400]}).as_json()
            )


def _walk(verification_run: VerificationRun) -> Verification:
    """Go on where the part before stopped; another program begins anew."""
    older = [(KEPT, verification_run.older)] if verification_run.older else []
    if verification_run.carried is not None and verification_run.code_version == code_version():
        return Verification(kept=verification_run.carried, older=older)
    return Verification(older=older)


def _note(verification_run: VerificationRun, verification: Verification) -> None:
    """How far it has come."""
    report = verification.report
    verification_run.part += 1
    verification_run.phase, verification_run.done, verification_run.total = (
        verification.phase,
        verification.done,
        verification.total,
    )
    verification_run.size, verification_run.entries = verification.size, verification.entries
    verification_run.problems = report.count()
    verification_run.found = [each.as_json() for each in report.of("problem")]
    verification_run.unseen = [each.as_json() for each in report.of("unseen")]
    verification_run.code_version = code_version()
    verification_run.carried = None if verification.ended else verification.state()
    if verification.ended:
        verification_run.state, verification_run.ended_at = FINISHED, clock.now()
