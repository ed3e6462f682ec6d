"""Erasure proposed, decided on and suspended; what data subjects asked for."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from audit.retention_events import (
    ErasureDecided,
    ErasureProposed,
    ErasureSuspended,
    SubjectRequested,
    SuspensionLifted,
)
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import listed, text, truth


class ErasureProposal(Projection):
    """What is to be erased. `values` are objects `stream`, `n`, `leaf`, `field`."""

    events = (ErasureProposed,)

    basis = text(_("legal basis"))
    request = text(_("request"))
    values = listed(_("private values"))

    class Meta:
        db_table = "audit_erasure_proposal"
        verbose_name = _("proposal of erasure")
        verbose_name_plural = _("proposals of erasure")

    def __str__(self) -> str:
        return f"{self.stream} {self.n}"

    @classmethod
    def rows_of(cls, event: ErasureProposed, entry: EntryView) -> Iterator[dict[str, object]]:
        """One proposal, with the values it names."""
        values = [
            {"stream": one.stream, "n": one.n, "leaf": one.leaf, "field": one.field}
            for one in event.values
        ]
        yield same(event, cls) | {"values": values}


class ErasureDecision(Projection):
    """Somebody's word on a proposal; `proposed_n` is its number in the house's stream."""

    events = (ErasureDecided,)

    proposed_n = models.BigIntegerField(_("proposal"), editable=False)
    decision = text(_("decision"))

    class Meta:
        db_table = "audit_erasure_decision"
        verbose_name = _("decision on an erasure")
        verbose_name_plural = _("decisions on erasures")
        indexes = (models.Index(fields=["proposed_n"], name="erasure_decision_of"),)

    def __str__(self) -> str:
        return self.decision

    @classmethod
    def rows_of(cls, event: ErasureDecided, entry: EntryView) -> Iterator[dict[str, object]]:
        """One word."""
        yield same(event, cls) | {"proposed_n": event.proposed.n}


class ErasureSuspension(Projection):
    """A suspension of erasure, or that one was lifted (`lifts`)."""

    events = (ErasureSuspended, SuspensionLifted)

    suspension = text(_("suspension"))
    lifts = truth(_("lifted"))
    ordered_by = text(_("ordered by"))
    reference = text(_("reference"))
    of_partida = text(_("of the game"))
    from_day = models.DateField(_("from the gaming day"), null=True, editable=False)
    to_day = models.DateField(_("to the gaming day"), null=True, editable=False)

    class Meta:
        db_table = "audit_erasure_suspension"
        verbose_name = _("suspension of erasure")
        verbose_name_plural = _("suspensions of erasure")
        indexes = (models.Index(fields=["suspension"], name="erasure_suspension_hold"),)

    def __str__(self) -> str:
        return self.suspension

    @classmethod
    def rows_of(
        cls, event: ErasureSuspended | SuspensionLifted, entry: EntryView
    ) -> Iterator[dict[str, object]]:
        """Suspended, or lifted."""
        blank = {"ordered_by": "", "of_partida": "", "from_day": None, "to_day": None}
        yield blank | same(event, cls) | {"lifts": isinstance(event, SuspensionLifted)}


class SubjectRequest(Projection):
    """What somebody asked about himself; who he is lies where it can be erased."""

    events = (SubjectRequested,)

    request = text(_("request"))
    asks = text(_("asks for"))
    about = text(_("about"))
    received_on = models.DateField(_("received on"), editable=False)
    reference = text(_("reference"))

    class Meta:
        db_table = "audit_subject_request"
        verbose_name = _("request of a data subject")
        verbose_name_plural = _("requests of data subjects")
        indexes = (models.Index(fields=["request"], name="subject_request_number"),)

    def __str__(self) -> str:
        return self.request
