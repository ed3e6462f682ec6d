"""Replays of the progressive's pools that ended."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from audit.events import JackpotReplayed
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import listed, text, whole


class PoolReplay(Projection):
    """A pool was played again from its entries alone, and compared with what is kept of it."""

    events = (JackpotReplayed,)

    jackpot = text(_("jackpot"))
    run = models.UUIDField(_("run"), editable=False)
    why = text(_("asked by"))
    entries = whole(_("entries read"))
    microcents = whole(_("meter by the entries"))
    held_cents = whole(_("held for wins"))
    kept_microcents = whole(_("meter as it is kept"))
    difference_microcents = whole(_("difference"))
    misfits = whole(_("entries that do not fit"))
    problems = whole(_("problems"))
    read_up_to = listed(_("read up to"))
    asked_by = text(_("asked for by"))

    class Meta:
        db_table = "audit_pool_replay"
        verbose_name = _("replay of a jackpot")
        verbose_name_plural = _("replays of jackpots")
        indexes = (models.Index(fields=["jackpot", "n"], name="replay_jackpot"),)

    def __str__(self) -> str:
        return self.jackpot

    @classmethod
    def rows_of(cls, event: JackpotReplayed, entry: EntryView) -> Iterator[dict[str, object]]:
        """One replay."""
        yield same(event, cls) | {
            "read_up_to": [{"stream": read.stream, "n": read.n} for read in event.read_up_to]
        }
