"""Whether the house can work: a handful of short questions, each answered within a moment.

The web knows no broker: it is not given the queue's address. That the broker takes jobs is seen in
the outbox, from which they leave at once. `manage.py healthy` asks some of it of its services too.
"""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import cache
from typing import Final

from django.db import Error, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Max, Min

from casino import clock
from casino.events.phrases import Phrase
from casino.models import BookCheckpoint, BookPending, BookTree, JobOutbox
from casino.web.signer_status import refusal

UNSENT: Final = timedelta(minutes=2)
UNPLACED: Final = timedelta(minutes=1)
UNSIGNED: Final = timedelta(minutes=1)
WITHIN_MS: Final = 2_000  # one question
OK: Final = "ok"


def database() -> str | None:
    """It answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return None


def migrations() -> str | None:
    """It has the tables this program wants; a newer one's do no harm."""
    missing = sorted(_last_migrations() - set(MigrationRecorder(connection).applied_migrations()))
    return Phrase("not applied: {migration}", migration=".".join(missing[0])) if missing else None


def outbox() -> str | None:
    """No job that is due waits to be sent."""
    waiting = JobOutbox.objects.filter(published_at=None, done_at=None).aggregate(at=Min("due_at"))
    since = waits(waiting["at"], UNSENT)
    return since and Phrase("a job was due at {since}", since=since)


def sequencer() -> str | None:
    """No entry waits for its place in the tree."""
    first = BookPending.objects.order_by("entry_id").values_list("entry__recorded_at", flat=True)
    since = waits(first.first(), UNPLACED)
    return since and Phrase("an entry has waited since {since}", since=since)


def signer() -> str | None:
    """It refuses nothing, and no tree that grew waits for its checkpoint."""
    refused = refusal()
    if refused is not None:
        return Phrase("refuses: {code}", code=refused.code or Phrase("unknown"))
    signed = BookCheckpoint.objects.aggregate(size=Max("size"))["size"] or 0
    waiting = BookTree.objects.filter(size__gt=signed).aggregate(at=Min("made_at"))
    since = waits(waiting["at"], UNSIGNED)
    return since and Phrase("the tree has waited for its checkpoint since {since}", since=since)


@cache
def _last_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).graph.leaf_nodes())


def waits(since: datetime | None, patience: timedelta) -> str | None:
    """Since when something waits for too long (ISO 8601); None where nothing does."""
    if since is None or clock.now() - since <= patience:
        return None
    return since.isoformat()


CHECKS: Final[dict[str, Callable[[], str | None]]] = {
    "database": database,
    "migrations": migrations,
    "broker": outbox,
    "sequencer": sequencer,
    "signer": signer,
}
# Without these nothing is recorded; without the others records are taken, and wait.
TO_RECORD: Final = ("database", "migrations")


def answers(names: Collection[str] = tuple(CHECKS)) -> dict[str, str]:
    """What each check says, OK where all is well. Where the database falls silent none after it is
    asked: each would wait for it in vain.
    """
    found: dict[str, str] = {}
    for name in names:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL statement_timeout = {WITHIN_MS}")
                found[name] = CHECKS[name]() or OK
        except Error:
            found[name] = Phrase("the database does not answer")
            connection.close_if_unusable_or_obsolete()
            break
    return found | dict.fromkeys([name for name in names if name not in found], Phrase("not asked"))
