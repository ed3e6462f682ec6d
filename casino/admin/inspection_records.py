"""What the inspection service was asked for and what it answers, in the admin; what of a rulebook
two persons set.
"""

from typing import Final

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from casino.admin.record_admin import RecordAdmin
from casino.events import inspection, requests
from casino.house_day import gaming_day_now
from casino.law.rulebook.figure_sets import State, state_on
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.models import (
    FigureSetting,
    FirmwareDecision,
    LeaveDecision,
    LeaveRequest,
    LimitsApproval,
    NoticeReceipt,
    RegulationText,
)
from casino.web.display.cells import cell
from casino.web.display.list_filters import DayFilter, StaffFilter
from casino.web.entries.entry_standing import Standing
from casino.web.words import figure_words

_STANDINGS: Final[dict[State, Standing]] = {
    "held": "holds",
    "later": "still to come",
    "before": "was in force",
    "replaced": "never in force",
}


@admin.register(LeaveRequest)
class LeaveRequestAdmin(RecordAdmin):
    """Leaves asked for."""

    section, place = "notices", 30
    kinds = (inspection.LeaveAsked,)
    cells = (cell("leave"), cell("deck"), cell("cards"), cell("grounds"))
    list_filter = (DayFilter, StaffFilter)
    found_by = ("leave", "deck", "document", "incident")


@admin.register(LeaveDecision)
class LeaveDecisionAdmin(RecordAdmin):
    """What was decided on them; the inspector's own word stands for the service."""

    section, place = "notices", 40
    kinds = (inspection.LeaveDecided,)
    cells = (cell("leave"), cell("decision"), cell("document"), cell("decided_at"))
    list_filter = (DayFilter, StaffFilter)
    found_by = ("leave", "document")


@admin.register(LimitsApproval)
class LimitsApprovalAdmin(RecordAdmin):
    """Limits that were approved."""

    section, place = "tables", 25
    kinds = (inspection.LimitsApproved,)
    cells = (
        cell("tables"),
        cell("minimum_cents"),
        cell("maximum_cents"),
        cell("valid_from"),
        cell("document"),
    )
    list_filter = (DayFilter, StaffFilter)
    found_by = ("document", "tables")


@admin.register(FirmwareDecision)
class FirmwareDecisionAdmin(RecordAdmin):
    """Programs that were approved for shufflers."""

    section, place = "shuffler", 12
    kinds = (inspection.FirmwareDecided,)
    cells = (
        *(cell("model"), cell("firmware"), cell("decision"), cell("valid_from")),
        *(cell("firmware_sha256"), cell("document")),
    )
    list_filter = (DayFilter, StaffFilter)
    found_by = ("model", "firmware", "firmware_sha256", "document")


@admin.register(NoticeReceipt)
class NoticeReceiptAdmin(RecordAdmin):
    """Notices that reached the inspection service."""

    section, place = "notices", 15
    kinds = (inspection.NoticeAcknowledged,)
    cells = (cell("notice"), cell("received_at"), cell("reference"))
    list_filter = (DayFilter, StaffFilter)
    found_by = ("notice", "reference")


@admin.register(RegulationText)
class RegulationTextAdmin(RecordAdmin):
    """Official texts of rulebooks; they are brought on a page of their own."""

    section, place = "oversight", 60
    recordable = False
    kinds = (inspection.RegulationTextReceived,)
    cells = (cell("rulebook"), cell("title"), cell("in_force"), cell("file_sha256"))
    list_filter = (DayFilter, StaffFilter)
    found_by = ("title", "file_sha256", "rulebook")


@admin.register(FigureSetting)
class FigureSettingAdmin(RecordAdmin):
    """Figures of rulebooks that were set; they are asked for on a page of their own."""

    section, place = "oversight", 61
    recordable = False
    kinds = (requests.FiguresSet,)
    cells = (cell("rulebook"), cell("since"), "in_words", cell("source"))
    list_filter = (DayFilter, StaffFilter)
    found_by = ("source", "rulebook", "figures")

    @admin.display(description=_("figures"))
    def in_words(self, figure_setting: FigureSetting) -> str:
        """Each with its value."""
        written = (one.split(" = ", 1) for one in figure_setting.figures)
        figures = [requests.FigureValue(parameter=name, value=value) for name, value in written]
        return "; ".join(figure_words.listed(figure_setting.rulebook, figures))

    def holding(self, n: int) -> Standing:
        """Whether its day has come, and another has not taken its place; of several figures, of
        what comes first of these: in force, to come, over, never in force.
        """
        today = gaming_day_now()
        for book in rulebook_ids():
            law = load_law(book)
            for one in law.sets:
                if one.n == n:
                    named = [each.parameter for each in one.event.figures]
                    states = {state_on(law, one, name, today) for name in named}
                    return next(said for state, said in _STANDINGS.items() if state in states)
        return "does not count"
