"""What of the house's own work stands still: the watch, jobs, mails, messages that never came; and
draws never revealed.

No finding says it, for whoever would raise it may be what stands still. It is read with the alerts,
by the page of whoever looks, so that it shows while no job is done at all.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.models import Exists, OuterRef

from audit.models import DrawCommitment, DrawResult, WatchLook
from audit.watch.alert_words import DRAW, JOBS, MAIL, MESSAGES, WATCH

RECENT: Final = timedelta(days=2)  # a mail that was given up
# Jobs nobody sends: one that was sent and takes long is at work, or is given up and found.
_SINCE: Final = """SELECT (SELECT min(at) FROM audit_watch_look WHERE at < %s),
    (SELECT min(due_at) FROM job_outbox
     WHERE done_at IS NULL AND published_at IS NULL AND due_at < %s),
    (SELECT min(given_up_at) FROM audit_mail WHERE given_up_at >= %s),
    (SELECT min(last_at) FROM casino_api_client
     WHERE highest > taken AND revoked_at IS NULL AND last_at < %s)"""


@dataclass(frozen=True, slots=True)
class Silent:
    """One thing that stands still, since when; `draw` is its number, 0 where it is none."""

    what: str
    since: datetime
    draw: int = 0


def silent(now: datetime) -> Iterator[Silent]:
    """Everything that stands still. A look that was never begun is not missed."""
    before = now - settings.HOUSE_SILENT_AFTER
    with connection.cursor() as cursor:
        cursor.execute(_SINCE, [before, before, now - RECENT, before])
        for what, since in zip((WATCH, JOBS, MAIL, MESSAGES), cursor.fetchone(), strict=True):
            if since is not None:
                yield Silent(what, since)
    made = DrawResult.objects.filter(draw=OuterRef("draw"))
    late = DrawCommitment.objects.filter(
        ~Exists(made), recorded_at__lt=now - settings.HOUSE_DEADLINES["draw"]
    )
    for row in late.order_by("draw")[:20]:
        yield Silent(DRAW, row.recorded_at, row.draw)


def looked(which: str, now: datetime) -> None:
    """A look of the watch came to its end."""
    WatchLook.objects.update_or_create(which=which, defaults={"at": now})
