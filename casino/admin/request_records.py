"""What one of the direction asks for and another decides on, in the admin."""

from uuid import UUID

from django.contrib import admin
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.admin.book_records import BookAdmin, DecidedFilter
from casino.admin.record_admin import RecordAdmin
from casino.events.event import Event
from casino.events.requests import FiguresAsked, LoginResetAsked, OfficeAsked, RequestDecided
from casino.extensions import extensions
from casino.models import StaffRequest, StaffRequestDecision
from casino.web.display.cells import cell, titled
from casino.web.display.list_filters import DayFilter, StaffFilter
from casino.web.login.factor_page import ask_again
from casino.web.second_person.request_page import request_view
from casino.web.words.field_words import word
from casino.web.words.kind_words import kind_word


def _decisions() -> QuerySet[StaffRequestDecision]:
    """What was decided on a row of a list of requests."""
    return StaffRequestDecision.objects.filter(asked_n=OuterRef("n"))


class RequestDecidedFilter(DecidedFilter):
    """Whether another person has decided."""

    def decided(self) -> Exists:
        """Of requests."""
        return Exists(_decisions())


@admin.register(StaffRequest)
class StaffRequestAdmin(RecordAdmin):
    """Requests; each opens where another person decides on it."""

    section, place = "people", 25
    counts_by_two = True
    kinds = (OfficeAsked, LoginResetAsked, FiguresAsked)
    cells = (
        cell("person", _("staff number")),
        cell("change"),
        cell("held", _("office")),
        cell("reference"),
        "decided",
    )
    list_filter = (RequestDecidedFilter, DayFilter, StaffFilter)
    found_by = ("person", "reference")

    def writable(self, request: HttpRequest) -> list[type[Event]]:
        """Figures of a rulebook are asked for on a page of their own."""
        return [kind for kind in super().writable(request) if kind is not FiguresAsked]

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffRequest]:
        """Each with what was decided on it."""
        listed: QuerySet[StaffRequest] = super().get_queryset(request)
        answered: QuerySet[StaffRequest] = listed.annotate(
            answer=Subquery(_decisions().values("decision")[:1])
        )
        return answered

    @admin.display(description=_("State"))
    def decided(self, staff_request: StaffRequest) -> str:
        """What was decided, or that it waits."""
        answer: str | None = getattr(staff_request, "answer", None)
        return word(answer) if answer else gettext("waiting")

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Ask; the second factor is asked for anew before."""
        if request.method == "POST" and (before := ask_again(request)) is not None:
            return before
        return super().add_view(request, form_url, extra_context)

    def entry_view(self, request: HttpRequest, entry_id: UUID) -> HttpResponse:
        """What was asked for, and the decision."""
        entry = self.entry_for(request, entry_id)
        asked = StaffRequest.objects.get(pk=entry.pk)
        around = self._around(request, titled(kind_word(entry.kind)))
        shown = (panel(request, entry) for one in extensions() for panel in one.request_panels())
        around["panels"] = [panel for panel in shown if panel is not None]
        return request_view(request, asked, around)


@admin.register(StaffRequestDecision)
class StaffRequestDecisionAdmin(BookAdmin):
    """What was decided on them."""

    section, place = "people", 26
    kinds = (RequestDecided,)
    cells = (cell("asked_n", _("entry of the request")), cell("decision"), cell("reason"))
    list_filter = (DayFilter, StaffFilter)
