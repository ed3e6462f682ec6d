"""The verification of the book as a run: how it is asked for, gone on with and written down."""

import logging
from typing import Final
from uuid import UUID

from django.db import DatabaseError, InterfaceError, OperationalError, transaction

from audit.events import VerifiedWhy
from audit.models import VerificationRun
from audit.models.audit_jobs import OPEN
from audit.runs import keys
from audit.runs.continued_run import Continued
from audit.verifying.problems import Problem
from audit.verifying.report_verification import report_findings, report_verified
from audit.verifying.walking import Verification
from casino import clock
from casino.ids import uuid7

log = logging.getLogger(__name__)

TOPIC: Final = "book-verification"
REFUSED: Final = "book-refuses"
KEPT: Final = "checkpoint"  # what a kept checkpoint is called where it does not fit


def ask_for_verification(
    by: str = "", why: VerifiedWhy = "asked", *, job: str = "", older: str = ""
) -> UUID:
    """Decide on a verification of the whole book, inside the caller's transaction if there is one.

    `by` is the number of whoever asks, '' for the house itself. While one that was asked for waits
    or is under way, that one's run is given: asking again makes no second. A `job` of a name of its
    own (the nightly one) is decided on once, however often it is asked for. `older` is the text of
    a checkpoint that was kept outside: one that is not held against it does not stand for this.
    """
    if not job:
        open_ones = VerificationRun.objects.filter(state=OPEN).order_by("-asked_at")
        under_way = (open_ones.filter(older=older) if older else open_ones).first()
        if under_way is not None:
            return under_way.run
    return VERIFICATION.request(job or f"{TOPIC}/{uuid7()}", why=why, asked_by=by, older=older)


def _take_up(under_way: VerificationRun) -> Verification:
    VerificationRun.objects.filter(run=under_way.run, began_at=None).update(began_at=clock.now())
    return Verification(
        older=[(KEPT, under_way.older)] if under_way.older else [], kept=under_way.carried
    )


def _note(under_way: VerificationRun, verification: Verification) -> None:
    report = verification.report
    for name in ("phase", "done", "total", "size", "entries"):
        setattr(under_way, name, getattr(verification, name))
    under_way.problems = report.count()
    under_way.found = [each.as_json() for each in report.of("problem")]
    under_way.unseen = [each.as_json() for each in report.of("unseen")]


def _conclude(under_way: VerificationRun, verification: Verification) -> None:
    """Write down what came out, as far as the book still takes it.

    Where the very stream it would be recorded in was altered, the book refuses what does not
    follow. Then it stands with the run, and whoever looks there is told why it stands nowhere else.
    """
    changes = keys.changes_of((), ())
    for say in ("findings", "verified"):
        try:
            with transaction.atomic():
                if say == "findings":
                    changes = report_findings(under_way, verification)
                else:
                    report_verified(under_way, verification, changes)
        except (OperationalError, InterfaceError):
            raise  # the server's trouble: the part is done again
        except DatabaseError as refused:
            log.exception("verification %s could not be written into the book", under_way.run)
            under_way.problems += 1
            under_way.found.append(Problem(REFUSED, details={"told": str(refused)[:400]}).as_json())


VERIFICATION: Final = Continued(
    topic=TOPIC,
    rows=VerificationRun,
    seconds=12.0,  # one step more may take two
    take_up=_take_up,
    note=_note,
    conclude=_conclude,
)
