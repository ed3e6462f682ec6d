"""Which entry corrects which, and which withdraws which: one row for every entry of either sort.

A correction supersedes another entry of its own kind. A withdrawal is a kind of its own and puts
nothing in the place of what it names.
"""

from collections.abc import Iterator, Mapping

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.corrections import WithdrawalAsked
from casino.models.projection import EntryView, Projection


class Supersession(Projection):
    """A correction or a withdrawal as it was asked for: of no effect before a second person's word.

    `kind` is the entry's own: `WithdrawalAsked.kind` of a withdrawal, else the corrected one's.
    """

    events = (WithdrawalAsked,)

    kind = models.TextField(_("kind"), editable=False)
    original_n = models.BigIntegerField(_("corrected entry"), editable=False)
    reason = models.TextField(_("reason"), editable=False)

    class Meta:
        db_table = "casino_supersession"
        verbose_name = _("correction or withdrawal asked for")
        verbose_name_plural = _("corrections and withdrawals asked for")
        indexes = (models.Index(fields=["supersedes_leaf"], name="supersession_leaf"),)

    def __str__(self) -> str:
        return f"{self.stream} {self.n} > {self.original_n}"

    @property
    def withdraws(self) -> bool:
        """Whether nothing takes the place of what it names."""
        return self.kind == WithdrawalAsked.kind

    @classmethod
    def rows_of(cls, event: WithdrawalAsked, entry: EntryView) -> Iterator[Mapping[str, object]]:
        """The row of a withdrawal, which names what it withdraws in its payload."""
        yield {
            "kind": entry.kind,
            "original_n": event.entry.n,
            "reason": event.reason,
            "supersedes_leaf": event.entry.leaf,
        }


def rows_of(entry: EntryView, original_n: int, reason: str) -> Iterator[Mapping[str, object]]:
    """The row of an entry that supersedes another in its own stream."""
    yield {"kind": entry.kind, "original_n": original_n, "reason": reason}
