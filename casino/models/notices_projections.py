"""What was told to the inspection service, and which recordings are kept."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.notices import FootageHeld, NoticeSent
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import maybe_listed, maybe_moment, moment, text


class Notice(Projection):
    """Something that was communicated. `addressee` is to whom."""

    events = (NoticeSent,)

    notice = text(_("notice"))
    addressee = text(_("to"))
    about = text(_("about"))
    means = text(_("means"))
    reference = text(_("reference"))
    sent_at = maybe_moment(_("sent at"))
    sent_by = text(_("sent by"))
    sent_by_office = text(_("office of who sent it"))
    incident = text(_("incident"))
    complaint = text(_("complaint"))
    deck = text(_("deck"))

    class Meta:
        db_table = "casino_notice"
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        indexes = (
            models.Index(fields=["incident"], name="notice_incident"),
            models.Index(fields=["reference"], name="notice_reference"),
            models.Index(fields=["gaming_day", "table_code"], name="notice_day_table"),
        )

    def __str__(self) -> str:
        return self.notice

    @classmethod
    def rows_of(cls, event: NoticeSent, entry: EntryView) -> Iterator[dict[str, object]]:
        """One notice."""
        yield same(event, cls) | {"addressee": event.to}


class FootageHold(Projection):
    """Recordings that are kept, or were handed over."""

    events = (FootageHeld,)

    hold = text(_("hold"))
    recorded_from = moment(_("recorded from"))
    recorded_until = moment(_("recorded until"))
    reason = text(_("reason"))
    cameras = maybe_listed(_("cameras"))
    incident = text(_("incident"))
    complaint = text(_("complaint"))
    handed_over_at = maybe_moment(_("handed over at"))
    receipt = text(_("receipt"))

    class Meta:
        db_table = "casino_footage_hold"
        verbose_name = _("recordings kept")
        verbose_name_plural = _("recordings kept")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="footage_day_table"),
            models.Index(fields=["hold"], name="footage_hold"),
        )

    def __str__(self) -> str:
        return self.hold
