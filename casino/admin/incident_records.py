"""What went wrong, in the admin: incidents, complaints, what was told to whom, recordings kept."""

from collections.abc import Sequence
from typing import Any, get_args

from django.contrib import admin
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from casino.admin.record_admin import PartidaFilter, RecordAdmin
from casino.events import complaints, incidents, notices
from casino.models import (
    Complaint,
    ComplaintDecision,
    FootageHold,
    Incident,
    IncidentClosure,
    IncidentStepRow,
    Notice,
    Review,
)
from casino.queries import that_count
from casino.web.display.cells import AT_TABLE, cell, yes_or_no
from casino.web.display.list_filters import (
    ChoiceFilter,
    ComplaintFilter,
    DayFilter,
    IncidentFilter,
    ShufflerFilter,
    StaffFilter,
    TableFilter,
)
from casino.web.words.field_words import word


class CategoryFilter(ChoiceFilter):
    """What kind of incident."""

    title = _("Category")
    parameters = ("category",)
    field = "level"

    def options(self) -> Sequence[tuple[str, object]]:
        """The categories there are."""
        return [(code, word(code, "category")) for code in get_args(incidents.Category)]


class SettledFilter(ChoiceFilter):
    """Whether an incident is open still."""

    title = _("State")
    parameters = ("settled",)

    def options(self) -> Sequence[tuple[str, object]]:
        """Open, or settled."""
        return (("no", _("open")), ("yes", _("settled")))

    def chosen(self, queryset: QuerySet[Any], value: str) -> QuerySet[Any]:
        """The incidents with, or without, a closing word."""
        closed = Exists(that_count(IncidentClosure.objects.filter(incident=OuterRef("incident"))))
        return queryset.filter(closed if value == "yes" else ~closed)


class AnsweredFilter(ChoiceFilter):
    """Whether a complaint has its decision."""

    title = _("State")
    parameters = ("decided",)

    def options(self) -> Sequence[tuple[str, object]]:
        """Waiting, or decided."""
        return (("no", _("waiting")), ("yes", _("decided")))

    def chosen(self, queryset: QuerySet[Any], value: str) -> QuerySet[Any]:
        """The complaints with, or without, a decision."""
        return queryset.filter(was_decided=value == "yes")


@admin.register(Incident)
class IncidentAdmin(RecordAdmin):
    """Incidents. Of a jam or a damaged card the fiscal-chefe confirms what he did."""

    section, place = "incidents", 10
    kinds = (incidents.IncidentReported,)
    cells = (AT_TABLE, cell("incident"), cell("level", _("category")), cell("reason"))
    list_filter = (SettledFilter, CategoryFilter, DayFilter, TableFilter, PartidaFilter,
                   ShufflerFilter, StaffFilter)  # fmt: skip
    found_by = ("incident", "shuffler", "deck")
    found_as = "incident"


@admin.register(IncidentStepRow)
class IncidentStepAdmin(RecordAdmin):
    """What was done next about an incident."""

    section, place = "incidents", 15
    kinds = (incidents.IncidentStep,)
    cells = (AT_TABLE, cell("incident"), cell("step"), cell("by"), cell("by_office"))
    list_filter = (DayFilter, TableFilter, PartidaFilter, IncidentFilter, StaffFilter)
    found_by = ("incident", "by")


@admin.register(IncidentClosure)
class IncidentClosureAdmin(RecordAdmin):
    """Incidents that were settled."""

    section, place = "incidents", 20
    kinds = (incidents.IncidentClosed,)
    cells = (AT_TABLE, cell("incident"), cell("outcome"), cell("reason"))
    found_by = ("incident",)


@admin.register(Complaint)
class ComplaintAdmin(RecordAdmin):
    """Complaints, by the number on the player's slip."""

    section, place = "complaints", 10
    kinds = (complaints.ComplaintReceived,)
    cells = (
        AT_TABLE,
        cell("complaint"),
        cell("subject"),
        cell("box"),
        cell("amount_cents"),
        "decided",
    )
    list_filter = (AnsweredFilter, DayFilter, TableFilter, PartidaFilter, ComplaintFilter,
                   StaffFilter)  # fmt: skip
    found_by = ("complaint", "player", "sheet")
    found_as = "complaint"
    found_by_uuid = ("pk", "round")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Each with whether it was decided on: that much everybody who reads it may know."""
        made = that_count(ComplaintDecision.objects.filter(complaint=OuterRef("complaint")))
        rows: QuerySet[Any] = super().get_queryset(request).annotate(was_decided=Exists(made))
        return rows

    @admin.display(description=_("with a decision"))
    def decided(self, row: Any) -> str:
        """Whether there is a decision."""
        return yes_or_no(row.was_decided)


@admin.register(Review)
class ReviewAdmin(RecordAdmin):
    """What was in dispute, looked at again."""

    section, place = "complaints", 20
    kinds = (complaints.DisputeReviewed,)
    cells = (
        AT_TABLE,
        cell("dispute"),
        cell("method", _("how it was looked at")),
        cell("error_by"),
        cell("second_reviewer"),
    )
    found_by = ("dispute", "pagador")
    found_by_uuid = ("pk", "round")


@admin.register(ComplaintDecision)
class ComplaintDecisionAdmin(RecordAdmin):
    """What was decided on complaints."""

    section, place = "complaints", 30
    kinds = (complaints.ComplaintDecided,)
    cells = (AT_TABLE, cell("complaint"), cell("outcome"), cell("reason"), cell("paid_cents"))
    list_filter = (DayFilter, TableFilter, PartidaFilter, ComplaintFilter, StaffFilter)
    found_by = ("complaint",)


@admin.register(Notice)
class NoticeAdmin(RecordAdmin):
    """What was communicated, and to whom."""

    section, place = "notices", 10
    kinds = (notices.NoticeSent,)
    cells = (AT_TABLE, cell("notice"), cell("addressee", _("to")), cell("about"), cell("reference"))
    found_by = ("notice", "reference", "incident", "complaint", "deck")


@admin.register(FootageHold)
class FootageHoldAdmin(RecordAdmin):
    """Recordings that are kept, or were handed over."""

    section, place = "notices", 20
    kinds = (notices.FootageHeld,)
    cells = (
        cell("hold"),
        cell("recorded_from"),
        cell("recorded_until"),
        cell("reason"),
        cell("handed_over_at"),
    )
    found_by = ("hold", "incident", "complaint", "receipt")
