"""What second persons decided on corrections and withdrawals; which entries do not count for it.

What was asked for is `Supersession`.
"""

from collections.abc import Iterable, Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.corrections import Corrected
from casino.models.projection import WHAT_COUNTS, EntryView, Lock, Projection, same
from casino.models.projection_columns import text, whole


class Correction(Projection):
    """A decision on one pending correction or withdrawal, named with the entry it is about."""

    events = (Corrected,)

    pending_stream = text(_("stream of the correction"))
    pending_n = whole(_("number of the correction"))
    pending_leaf = text(_("leaf of the correction"))
    original_stream = text(_("stream of the corrected entry"))
    original_n = whole(_("number of the corrected entry"))
    original_leaf = text(_("leaf of the corrected entry"))
    decision = text(_("decision"))
    reason = text(_("reason"))

    class Meta:
        db_table = "casino_correction"
        verbose_name = _("correction or withdrawal decided")
        verbose_name_plural = _("corrections and withdrawals decided")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="correction_day_table"),
            models.Index(fields=["pending_stream", "pending_n"], name="correction_pending"),
            models.Index(fields=["original_leaf"], name="correction_original"),
        )

    def __str__(self) -> str:
        return f"{self.pending_stream} {self.pending_n}"

    @classmethod
    def rows_of(cls, event: Corrected, entry: EntryView) -> Iterator[dict[str, object]]:
        """One decision."""
        yield same(event, cls) | {
            "pending_stream": event.pending.stream,
            "pending_n": event.pending.n,
            "pending_leaf": event.pending.leaf,
            "original_stream": event.original.stream,
            "original_n": event.original.n,
            "original_leaf": event.original.leaf,
        }

    @classmethod
    def locks_of(cls, event: Corrected) -> Iterable[Lock]:
        """From now on another entry counts."""
        return (Lock(WHAT_COUNTS, shared=True),)


class NotCounting(models.Model):
    """A view: an entry that does not count from one entry of its stream on, up to another.

    A correction nobody has approved, what an approved one replaced, what was withdrawn. `until_n`
    is None where it does not count to this day. Every reader asks here what counts:
    `casino.queries`. Made in migrations/sql/0016_not_counting.sql.
    """

    row = models.TextField(primary_key=True)
    stream = models.TextField()
    n = models.BigIntegerField()
    partida_id = models.TextField()
    since_n = models.BigIntegerField()
    until_n = models.BigIntegerField(null=True)

    class Meta:
        managed = False
        db_table = "casino_not_counting"

    def __str__(self) -> str:
        return self.row
