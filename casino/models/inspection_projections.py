"""What the inspection service was asked for, what it decided and what reached it."""

from collections.abc import Iterator
from typing import Any, Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.inspection import LeaveAsked, LeaveDecided, LimitsApproved, NoticeAcknowledged
from casino.models.projection import EntryView, Projection, Projector
from casino.models.projection_columns import (
    listed,
    maybe_listed,
    maybe_moment,
    moment,
    same,
    text,
    whole,
)


class LeaveRequest(Projection):
    """Leave asked for, to exchange single cards of a deck."""

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


class NoticeReceipt(Projection):
    """A notice that reached the inspection service."""

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


def rows_of_request(event: LeaveAsked, entry: EntryView) -> Iterator[dict[str, Any]]:
    """One request."""
    yield same(event, LeaveRequest)


def rows_of_decision(event: LeaveDecided, entry: EntryView) -> Iterator[dict[str, Any]]:
    """One decision."""
    yield same(event, LeaveDecision)


def rows_of_approval(event: LimitsApproved, entry: EntryView) -> Iterator[dict[str, Any]]:
    """One approval."""
    yield same(event, LimitsApproval)


def rows_of_receipt(event: NoticeAcknowledged, entry: EntryView) -> Iterator[dict[str, Any]]:
    """One receipt."""
    yield same(event, NoticeReceipt)


PROJECTIONS: Final[dict[type, list[Projector]]] = {
    LeaveAsked: [(LeaveRequest, rows_of_request, None)],
    LeaveDecided: [(LeaveDecision, rows_of_decision, None)],
    LimitsApproved: [(LimitsApproval, rows_of_approval, None)],
    NoticeAcknowledged: [(NoticeReceipt, rows_of_receipt, None)],
}
