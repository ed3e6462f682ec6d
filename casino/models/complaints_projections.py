"""Complaints: received, looked into, decided. What was written stays among the private values."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import (
    maybe_moment,
    maybe_truth,
    maybe_uuid,
    maybe_whole,
    text,
    truth,
)


class Complaint(Projection):
    """A player's complaint."""

    events = (ComplaintReceived,)

    complaint = text(_("complaint"))
    subject = text(_("subject"))
    received_at = maybe_moment(_("received at"))
    reason = text(_("reason"))
    round = maybe_uuid(_("round"))
    shoe = maybe_whole(_("shoe"))
    number = maybe_whole(_("number in the shoe"))
    box = maybe_whole(_("box"))
    player = text(_("player"))
    cards_inserted = maybe_truth(_("cards were in the shuffler"))
    amount_cents = maybe_whole(_("amount"))
    sheet = text(_("sheet of the complaints book"))
    described = truth(_("with a description"))

    class Meta:
        db_table = "casino_complaint"
        verbose_name = _("complaint")
        verbose_name_plural = _("complaints")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="complaint_day_table"),
            models.Index(fields=["partida_id"], name="complaint_partida"),
            models.Index(fields=["complaint"], name="complaint_number"),
        )

    def __str__(self) -> str:
        return self.complaint

    @classmethod
    def rows_of(cls, event: ComplaintReceived, entry: EntryView) -> Iterator[dict[str, object]]:
        """One complaint."""
        yield same(event, cls) | {"described": event.text is not None}


class Review(Projection):
    """What was in dispute, looked at again."""

    events = (DisputeReviewed,)

    dispute = text(_("complaint or incident"))
    method = text(_("how it was looked at"))
    error_by = text(_("whose error"))
    round = maybe_uuid(_("round"))
    requested_by = text(_("asked for by"))
    second_reviewer = text(_("second person"))
    started_at = maybe_moment(_("started at"))
    ended_at = maybe_moment(_("ended at"))
    camera = text(_("camera"))
    violation = text(_("violation"))
    pagador = text(_("dealer"))
    amount_cents = maybe_whole(_("amount"))
    noted = truth(_("with a note"))

    class Meta:
        db_table = "casino_review"
        verbose_name = _("dispute reviewed")
        verbose_name_plural = _("disputes reviewed")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="review_day_table"),
            models.Index(fields=["dispute"], name="review_dispute"),
            models.Index(fields=["partida_id"], name="review_partida"),
        )

    def __str__(self) -> str:
        return self.dispute

    @classmethod
    def rows_of(cls, event: DisputeReviewed, entry: EntryView) -> Iterator[dict[str, object]]:
        """One review."""
        yield same(event, cls) | {"noted": event.remarks is not None}


class ComplaintDecision(Projection):
    """What was decided on a complaint."""

    events = (ComplaintDecided,)

    complaint = text(_("complaint"))
    outcome = text(_("outcome"))
    reason = text(_("reason"))
    paid_cents = maybe_whole(_("paid"))
    told_at = maybe_moment(_("player told at"))
    told_of_inspector = maybe_truth(_("told of the inspection service"))
    described = truth(_("with a description"))

    class Meta:
        db_table = "casino_complaint_decision"
        verbose_name = _("complaint decided")
        verbose_name_plural = _("complaints decided")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="decision_day_table"),
            models.Index(fields=["complaint"], name="decision_complaint"),
        )

    def __str__(self) -> str:
        return self.complaint

    @classmethod
    def rows_of(cls, event: ComplaintDecided, entry: EntryView) -> Iterator[dict[str, object]]:
        """One decision."""
        yield same(event, cls) | {"described": event.text is not None}
