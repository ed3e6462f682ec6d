"""Findings: raised, and superseded once they no longer hold."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from audit.events import (
    CheckNotMet,
    FindingRaised,
    FindingRaisedByIds,
    FindingSuperseded,
    FindingSupersededOnce,
)
from casino.events.event import EntryRef
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import listed, text, whole


class Finding(Projection):
    """A check that was not met. What it is about lies in `gaming_day`, `table_code`, `partida_id`.

    Open while no `FindingSupersession` of the same `key` stands after it in the stream. `evidence`
    is what the entry says: objects of stream, n and leaf; in older ones entries' ids (`about`).
    """

    events = (FindingRaisedByIds, FindingRaised)

    key = text(_("key"))
    rulebook = text(_("rulebook"))
    article = text(_("article"))
    check_name = text(_("check"))
    severity = text(_("gravity"))
    evidence = listed(_("evidence"))
    where = listed(_("where"))
    observed = listed(_("observed"))
    expected = listed(_("expected"))
    owed_cents = whole(_("owed"))
    owed_to = text(_("owed to"))
    readings = listed(_("readings"))
    run = models.UUIDField(_("run"), editable=False)
    law = text(_("digest of the rulebook"))
    jackpot = text(_("jackpot"))

    class Meta:
        db_table = "audit_finding"
        verbose_name = _("finding")
        verbose_name_plural = _("findings")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="finding_day_table"),
            models.Index(fields=["partida_id"], name="finding_partida"),
            models.Index(
                fields=["rulebook", "article", "gaming_day", "n"], name="finding_article_day"
            ),
            models.Index(fields=["severity", "n"], name="finding_severity"),
            models.Index(fields=["key"], name="finding_key"),
            models.Index(fields=["gaming_day", "n"], name="finding_day_n"),
            models.Index(
                fields=["gaming_day", "n"],
                condition=models.Q(owed_cents__gt=0),
                name="finding_owed",
            ),
        )

    def __str__(self) -> str:
        return f"{self.rulebook} {self.article} {self.check_name}"

    @classmethod
    def rows_of(cls, event: CheckNotMet, entry: EntryView) -> Iterator[dict[str, object]]:
        """One finding."""
        row = same(event, cls) | {"check_name": event.check}
        if isinstance(event, FindingRaised):
            row["evidence"] = [named(ref) for ref in event.evidence]
        yield row


class FindingSupersession(Projection):
    """A finding that no longer holds. `by_stream` and `by_n` name the entry that cured it.

    `successor` is the key it is cited anew under, `cured_by` the late entries that alone cured it.
    """

    events = (FindingSupersededOnce, FindingSuperseded)

    finding = text(_("finding"))
    run = models.UUIDField(_("run"), editable=False)
    reason = text(_("reason"))
    by_stream = text(_("stream of the curing entry"))
    by_n = models.BigIntegerField(_("number of the curing entry"), null=True, editable=False)
    successor = text(_("cited anew as"))
    cured_by = listed(_("cured by"))

    class Meta:
        db_table = "audit_finding_supersession"
        verbose_name = _("finding that no longer holds")
        verbose_name_plural = _("findings that no longer hold")
        indexes = (
            models.Index(fields=["finding", "n"], name="supersession_finding"),
            models.Index(fields=["gaming_day", "table_code"], name="cured_day_table"),
            models.Index(
                fields=["successor"], condition=~models.Q(successor=""), name="cited_anew_as"
            ),
        )

    def __str__(self) -> str:
        return self.finding

    @classmethod
    def rows_of(
        cls, event: FindingSuperseded | FindingSupersededOnce, entry: EntryView
    ) -> Iterator[dict[str, object]]:
        """One finding that no longer holds."""
        by = event.by
        late = event.cured_by or () if isinstance(event, FindingSuperseded) else ()
        yield (
            {"successor": ""}
            | same(event, cls)
            | {
                "by_stream": "" if by is None else by.stream,
                "by_n": None if by is None else by.n,
                "cured_by": [named(ref) for ref in late],
            }
        )


def named(ref: EntryRef) -> dict[str, object]:
    """An entry as the projections name it."""
    return {"stream": ref.stream, "n": ref.n, "leaf": ref.leaf}
