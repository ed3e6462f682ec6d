"""The house's correspondence as lists: letters with how far each has come, receipts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from audit.letter_events import LetterIssued, LetterReceived
from audit.letter_state import with_standing
from audit.models import Letter, LetterReceipt
from audit.reports.letters import ADDRESSEES, LETTERS
from casino.admin.record_admin import RecordAdmin
from casino.admin.seal_records import SealAdmin
from casino.web.display.cells import UNKNOWN, cell
from casino.web.display.list_filters import ChoiceFilter, DayFilter, Rows, StaffFilter
from casino.web.display.money_and_time import moment

if TYPE_CHECKING:
    from audit.letter_state import OnItsWay


class StandingFilter(ChoiceFilter):
    """How far a letter has come."""

    title = _("State")
    parameters = ("standing",)

    def options(self) -> Sequence[tuple[str, object]]:
        """To be sent, on its way, arrived."""
        return (
            ("made", _("not sent")),
            ("sent", _("without a receipt")),
            ("arrived", _("received")),
        )

    def chosen(self, queryset: Rows, value: str) -> Rows:
        """Those letters."""
        if value == "arrived":
            return queryset.exclude(arrived=None)
        return queryset.filter(sent__isnull=value == "made", arrived=None)


@admin.register(Letter)
class LetterAdmin(SealAdmin):
    """Letters by their numbers; each is made from its record's page."""

    section, place = "notices", 5
    kinds = (LetterIssued,)
    cells = (
        "numbered",
        cell("letter", _("kind of letter")),
        cell("matter", _("about")),
        "addressee",
        "went",
        "arrived_at",
    )
    list_filter = (StandingFilter, DayFilter, StaffFilter)
    found_by = ("document", "matter", "reply_to", "json_sha256")
    found_as = "document"

    def get_queryset(self, request: HttpRequest) -> "QuerySet[OnItsWay]":
        """Each with when it went out and arrived."""
        return with_standing(super().get_queryset(request))

    @admin.display(description=_("number"))
    def numbered(self, letter: Letter) -> str:
        """Its number, with the way to its page: the file, its sending and its receipt."""
        url = reverse("report", args=[letter.request])
        return format_html('<a class="alone" href="{}">{}</a>', url, letter.document)

    @admin.display(description=_("addressed to"))
    def addressee(self, letter: Letter) -> str:
        """To whom it is."""
        return str(ADDRESSEES[LETTERS[letter.letter].to])

    @admin.display(description=_("sent"))
    def went(self, letter: "OnItsWay") -> str:
        """When it went out."""
        return UNKNOWN if letter.sent is None else moment(letter.sent)

    @admin.display(description=_("receipt acknowledged"))
    def arrived_at(self, letter: "OnItsWay") -> str:
        """When it arrived, by the service's word or the house's."""
        return UNKNOWN if letter.arrived is None else moment(letter.arrived)


@admin.register(LetterReceipt)
class LetterReceiptAdmin(RecordAdmin):
    """Receipts of letters, as the house says."""

    section, place = "notices", 16
    kinds = (LetterReceived,)
    cells = (
        cell("document", _("number of the letter")),
        cell("how", _("how it was received")),
        cell("received_at"),
        cell("reference"),
    )
    list_filter = (DayFilter, StaffFilter)
    found_by = ("document", "reference")
