"""Which entry corrects which: one row for every entry that supersedes another, of whatever kind."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.models.shelf import EntryView, Shelf


class Supersession(Shelf):
    """A correction as it was asked for. It counts once a second person has approved it."""

    kind = models.TextField(_("kind"), editable=False)
    original_n = models.BigIntegerField(_("corrected entry"), editable=False)
    reason = models.TextField(_("reason"), editable=False)

    class Meta:
        db_table = "casino_supersession"
        verbose_name = _("correction asked for")
        verbose_name_plural = _("corrections asked for")
        indexes = (models.Index(fields=["supersedes_leaf"], name="supersession_leaf"),)

    def __str__(self) -> str:
        return f"{self.stream} {self.n} > {self.original_n}"


def rows_of(entry: EntryView, original_n: int, reason: str) -> Iterator[Mapping[str, Any]]:
    """The row of an entry that supersedes another in its own stream."""
    yield {"kind": entry.kind, "original_n": original_n, "reason": reason}
