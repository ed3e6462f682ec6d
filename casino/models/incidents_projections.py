"""Incidents: reported, closed. What people wrote about them lies among the private values."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import (
    listed,
    maybe_listed,
    maybe_moment,
    maybe_truth,
    maybe_uuid,
    maybe_whole,
    text,
    truth,
)


class Incident(Projection):
    """Something that went wrong, with the moments that were recorded. `level` is its category."""

    events = (IncidentReported,)

    incident = text(_("incident"))
    level = text(_("category"))
    reason = text(_("reason"))
    detail = text(_("detail"))
    people = listed(_("people"))
    round = maybe_uuid(_("round"))
    shoe = maybe_whole(_("shoe"))
    deck = text(_("deck"))
    shuffler = text(_("shuffler"))
    damaged_cards = maybe_listed(_("damaged cards"))
    replaced = text(_("replaced"))
    authorisation = text(_("authorisation"))
    noticed_at = maybe_moment(_("noticed at"))
    called_at = maybe_moment(_("called at"))
    arrived_at = maybe_moment(_("arrived at"))
    opened_at = maybe_moment(_("lid opened at"))
    opened_by = text(_("lid opened by"))
    opened_by_office = text(_("office of who opened it"))
    emptied = maybe_truth(_("machine emptied"))
    lid_closed_at = maybe_moment(_("lid closed at"))
    resolved_at = maybe_moment(_("resolved at"))
    resolved_by = text(_("resolved by"))
    resolved_by_office = text(_("office of who resolved it"))
    technician_called_at = maybe_moment(_("technician called at"))
    technician_arrived_at = maybe_moment(_("technician arrived at"))
    communicated_at = maybe_moment(_("communicated at"))
    communicated_by = text(_("communicated by"))
    communicated_by_office = text(_("office of who communicated it"))
    communication = text(_("reference of the communication"))
    amount_cents = maybe_whole(_("amount"))
    described = truth(_("with a description"))

    class Meta:
        db_table = "casino_incident"
        verbose_name = _("incident")
        verbose_name_plural = _("incidents")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="incident_day_table"),
            models.Index(fields=["partida_id"], name="incident_partida"),
            models.Index(fields=["incident"], name="incident_number"),
        )

    def __str__(self) -> str:
        return self.incident

    @classmethod
    def rows_of(cls, event: IncidentReported, entry: EntryView) -> Iterator[dict[str, object]]:
        """One report."""
        yield same(event, cls) | {
            "level": event.category,
            "people": [_person(each.person, each.role) for each in event.people],
            "described": event.text is not None,
        }


class IncidentStepRow(Projection):
    """What was done next about an incident."""

    events = (IncidentStep,)

    incident = text(_("incident"))
    step = text(_("step"))
    by = text(_("by"))
    by_office = text(_("office"))
    emptied = maybe_truth(_("machine emptied"))

    class Meta:
        db_table = "casino_incident_step"
        verbose_name = _("step of an incident")
        verbose_name_plural = _("steps of incidents")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="step_day_table"),
            models.Index(fields=["incident"], name="step_incident"),
            models.Index(fields=["partida_id"], name="step_partida"),
        )

    def __str__(self) -> str:
        return f"{self.incident} {self.step}"


class IncidentClosure(Projection):
    """An incident that was settled."""

    events = (IncidentClosed,)

    incident = text(_("incident"))
    outcome = text(_("outcome"))
    reason = text(_("reason"))
    communicated_at = maybe_moment(_("communicated at"))
    communication = text(_("reference of the communication"))
    described = truth(_("with a description"))

    class Meta:
        db_table = "casino_incident_closure"
        verbose_name = _("incident closed")
        verbose_name_plural = _("incidents closed")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="closure_day_table"),
            models.Index(fields=["incident"], name="closure_incident"),
        )

    def __str__(self) -> str:
        return self.incident

    @classmethod
    def rows_of(cls, event: IncidentClosed, entry: EntryView) -> Iterator[dict[str, object]]:
        """One closing."""
        yield same(event, cls) | {"described": event.text is not None}


def _person(person: str, role: str | None) -> dict[str, str]:
    return {"person": person} if role is None else {"person": person, "role": role}
