"""Replays of the progressive's pools: ended, as the book tells them, and under way."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from audit.events import JackpotReplayed
from audit.models.audit_jobs import OPEN
from casino.models.projection import Category, EntryView, Projection, same
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
    def rows_of(cls, event: JackpotReplayed, entry: EntryView) -> Iterator[dict[str, Any]]:
        """One replay."""
        yield same(event, cls) | {
            "read_up_to": [{"stream": read.stream, "n": read.n} for read in event.read_up_to]
        }


class PoolReplayRun(models.Model):
    """A replay from its being asked for to its end.

    Operational: the book tells what a replay came to. `reach` is what is read, fixed when it
    begins, `carried` what the next part has to know; `part` counts the parts done.
    """

    category: ClassVar[Category] = "operational"

    run = models.UUIDField(_("run"), primary_key=True)
    job = models.TextField(_("job"))
    jackpot = models.TextField(_("jackpot"))
    why = models.TextField(_("reason"))
    asked_by = models.TextField(_("asked by"), default="")
    state = models.TextField(_("state"), default=OPEN)
    part = models.IntegerField(_("part"), default=0)
    reach = models.JSONField(_("read up to"), default=dict)
    carried = models.JSONField(_("carried on"), null=True)
    code_version = models.TextField(_("program"), default="")
    entries = models.BigIntegerField(_("entries"), default=0)
    asked_at = models.DateTimeField(_("asked for at"))
    ended_at = models.DateTimeField(_("ended at"), null=True)

    class Meta:
        db_table = "audit_pool_replay_run"
        verbose_name = _("replay of a jackpot under way")
        verbose_name_plural = _("replays of jackpots under way")

    def __str__(self) -> str:
        return str(self.run)
