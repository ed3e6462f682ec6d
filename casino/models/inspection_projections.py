"""What the inspection service was asked for, decided and received; official texts, and figures of
rulebooks that two persons set.
"""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.inspection import (
    FirmwareDecided,
    LeaveAsked,
    LeaveDecided,
    LimitsApproved,
    NoticeAcknowledged,
    RegulationTextReceived,
)
from casino.events.requests import FiguresSet
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import listed, maybe_listed, maybe_moment, moment, text, whole


class LeaveRequest(Projection):
    """Leave asked for, to exchange single cards of a deck."""

    events = (LeaveAsked,)

    leave = text(_("number of the leave"))
    deck = text(_("deck"))
    cards = listed(_("cards"))
    grounds = text(_("grounds"))
    document = text(_("document"))
    incident = text(_("incident"))

    class Meta:
        db_table = "casino_leave_request"
        verbose_name = _("leave asked for")
        verbose_name_plural = _("leaves asked for")
        indexes = (
            models.Index(fields=["gaming_day"], name="leave_request_day"),
            models.Index(fields=["leave"], name="leave_request_leave"),
        )

    def __str__(self) -> str:
        return self.leave


class LeaveDecision(Projection):
    """What was decided on it."""

    events = (LeaveDecided,)

    leave = text(_("number of the leave"))
    decision = text(_("decision"))
    document = text(_("document"))
    decided_at = maybe_moment(_("decided at"))
    cards = maybe_listed(_("cards"))

    class Meta:
        db_table = "casino_leave_decision"
        verbose_name = _("leave decided on")
        verbose_name_plural = _("leaves decided on")
        indexes = (
            models.Index(fields=["gaming_day"], name="leave_decision_day"),
            models.Index(fields=["leave"], name="leave_decision_leave"),
        )

    def __str__(self) -> str:
        return self.leave


class LimitsApproval(Projection):
    """A minimum and a maximum that were approved, in cents."""

    events = (LimitsApproved,)

    tables = listed(_("tables"))
    minimum_cents = whole(_("minimum"))
    maximum_cents = whole(_("maximum"))
    valid_from = moment(_("from"))
    document = text(_("document"))

    class Meta:
        db_table = "casino_limits_approval"
        verbose_name = _("approved limits")
        verbose_name_plural = _("approved limits")
        indexes = (models.Index(fields=["valid_from"], name="limits_approval_from"),)

    def __str__(self) -> str:
        return self.document


class FirmwareDecision(Projection):
    """A program that was approved for a model of shuffler, or is so no longer."""

    events = (FirmwareDecided,)

    model = text(_("model"))
    firmware = text(_("firmware"))
    firmware_sha256 = text(_("digest of the firmware"))
    decision = text(_("decision"))
    valid_from = moment(_("from"))
    document = text(_("document"))

    class Meta:
        db_table = "casino_firmware_decision"
        verbose_name = _("firmware decided on")
        verbose_name_plural = _("decisions on firmware")
        indexes = (models.Index(fields=["firmware_sha256"], name="firmware_decision_digest"),)

    def __str__(self) -> str:
        return self.firmware


class NoticeReceipt(Projection):
    """A notice that reached the inspection service."""

    events = (NoticeAcknowledged,)

    notice = text(_("notice"))
    received_at = maybe_moment(_("received at"))
    reference = text(_("reference"))

    class Meta:
        db_table = "casino_notice_receipt"
        verbose_name = _("notice received")
        verbose_name_plural = _("notices received")
        indexes = (
            models.Index(fields=["gaming_day"], name="notice_receipt_day"),
            models.Index(fields=["notice"], name="notice_receipt_notice"),
        )

    def __str__(self) -> str:
        return self.notice


class RegulationText(Projection):
    """An official text that came into the house."""

    events = (RegulationTextReceived,)

    rulebook = text(_("rulebook"))
    title = text(_("title of the text"))
    file_sha256 = text(_("digest of the file"))
    in_force = models.DateField(_("in force from"), null=True, editable=False)

    class Meta:
        db_table = "casino_regulation_text"
        verbose_name = _("official text")
        verbose_name_plural = _("official texts")
        indexes = (models.Index(fields=["rulebook", "in_force"], name="regulation_text_rulebook"),)

    def __str__(self) -> str:
        return self.title


class FigureSetting(Projection):
    """Figures of a rulebook that two persons set; each as ``limits.maximum_over_minimum = 25``."""

    events = (FiguresSet,)

    rulebook = text(_("rulebook"))
    since = models.DateField(_("first gaming day"), editable=False)
    figures = listed(_("figures"))
    source = text(_("source"))
    asked_n = whole(_("entry of the request"))

    class Meta:
        db_table = "casino_figures_set"
        verbose_name = _("figures set by two persons")
        verbose_name_plural = _("figures set by two persons")
        indexes = (models.Index(fields=["rulebook", "since"], name="figures_set_rulebook"),)

    def __str__(self) -> str:
        return f"{self.rulebook} {', '.join(self.figures)}"

    @classmethod
    def rows_of(cls, event: FiguresSet, entry: EntryView) -> Iterator[dict[str, object]]:
        """One set; what two persons decided on it, its entry names."""
        figures = [f"{each.parameter} = {each.value}" for each in event.figures]
        yield same(event, cls) | {"figures": figures, "asked_n": event.asked.n}
