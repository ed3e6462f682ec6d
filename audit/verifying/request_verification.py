"""How a verification is wanted, and how far it has come."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from audit.events import VerifiedWhy
from audit.models import VerificationRun
from audit.models.audit_jobs import FAILED, FINISHED, OPEN
from audit.reconcile import keys
from casino import clock
from casino.ids import uuid7
from casino.recording.writing import add_job

TOPIC: Final = "book-verification"

# What is looked at, in this order, by the name that VerificationRun.phase holds.
PHASES: Final[Mapping[str, Promise]] = {
    "entries": _("entries and tree"),
    "ends": _("ends of the streams"),
    "waiting": _("entries without a place"),
    "files": _("attachments"),
    "shelves": _("shelves"),
    "strangers": _("rows of no entry"),
    "seal": _("signed checkpoints"),
    "passkeys": _("confirmations by passkey"),
    "findings": _("findings and their runs"),
    "schema": _("tables and rights"),
}
WAITING: Final = "waiting"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a verification has come.

    `state` is "waiting" (no worker has begun it), "open" (under way), "finished" or "failed" (it
    was given up; the next look around makes that a finding). `phase` is "" or a key of PHASES and
    `phase_words` its name, to be shown. `percent` is 0 to 100, and 100 only once it has finished.
    `problems` counts what was found so far; the findings stand in the book when it has finished.
    `unseen` is true where something could not be looked at, such as signatures without a policy.
    `size` and `entries` are the tree's size and how many entries were read.
    """

    run: UUID
    why: str
    asked_by: str
    state: str
    phase: str
    phase_words: str | Promise
    percent: int
    problems: int
    unseen: bool
    size: int
    entries: int
    asked_at: datetime
    began_at: datetime | None
    ended_at: datetime | None

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state in (FINISHED, FAILED)


def ask_for_verification(
    by: str = "", why: VerifiedWhy = "asked", *, job: str = "", older: str = ""
) -> UUID:
    """Decide on a verification of the whole book, inside the caller's transaction if there is one.

    `by` is the number of whoever asks, '' for the house itself. While one that was asked for waits
    or is under way, that one's run is given: asking again makes no second. A `job` of a name of its
    own (the nightly one) is decided on once, however often it is asked for. `older` is the text of
    a checkpoint that was kept outside: one that is not held against it does not stand for this.
    """
    with transaction.atomic():
        key = job or f"{TOPIC}/{uuid7()}"
        run = keys.run_of(key)
        if not job:
            open_ones = VerificationRun.objects.filter(state=OPEN).order_by("-asked_at")
            under_way = (open_ones.filter(older=older) if older else open_ones).first()
            if under_way is not None:
                return under_way.run
        VerificationRun.objects.bulk_create(
            [
                VerificationRun(
                    run=run, job=key, why=why, asked_by=by, older=older, asked_at=clock.now()
                )
            ],
            ignore_conflicts=True,
        )
        add_job(TOPIC, key, {"run": str(run), "part": 0}, due_at=clock.now())
    return run


def progress(run: UUID | str) -> Progress | None:
    """How far a verification has come; None for one this house does not know of."""
    return _progress(VerificationRun.objects.filter(run=run))


def latest_progress() -> Progress | None:
    """The verification that was asked for last, whether it has ended or not; None for none."""
    return _progress(VerificationRun.objects.order_by("-asked_at"))


def _progress(queryset: QuerySet[VerificationRun]) -> Progress | None:
    row = queryset.defer("carried", "found").first()
    if row is None:
        return None
    state = WAITING if row.state == OPEN and row.began_at is None else row.state
    share = 100 * row.done // row.total if row.total else 0
    return Progress(
        run=row.run,
        why=row.why,
        asked_by=row.asked_by,
        state=state,
        phase=row.phase,
        phase_words=PHASES.get(row.phase, ""),
        percent=100 if state == FINISHED else min(share, 99),
        problems=row.problems,
        unseen=bool(row.unseen),
        size=row.size,
        entries=row.entries,
        asked_at=row.asked_at,
        began_at=row.began_at,
        ended_at=row.ended_at,
    )
