"""Automatic shufflers in the admin: the machines, what went in and came out, what had to wait."""

from django.contrib import admin
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext_lazy as _

from casino.admin.record_admin import PartidaFilter, RecordAdmin
from casino.events import floor_life, shuffler_reports, shufflers
from casino.models import (
    Deferral,
    Emptiness,
    LidOpening,
    Shuffler,
    ShufflerLoad,
    ShufflerReport,
    ShufflerUnload,
)
from casino.recording import Receipt
from casino.web.display.cells import AT_TABLE, IN_PARTIDA, cell
from casino.web.display.list_filters import DayFilter, ShufflerFilter, StaffFilter, TableFilter
from casino.web.second_person.witness_page import code_view, quick_code_view, witness_view


@admin.register(Shuffler)
class ShufflerAdmin(RecordAdmin):
    """Machines."""

    section, place = "shuffler", 10
    kinds = (shufflers.ShufflerRegistered,)
    cells = (cell("shuffler"), cell("maker"), cell("model"), cell("at_table"))
    found_by = ("shuffler", "maker", "model", "serial")
    found_as = "shuffler"


class WitnessedAdmin(RecordAdmin):
    """A projection whose acts a second person confirms: after the record, his page follows."""

    def after(self, receipt: Receipt) -> str | None:
        """The witness's page."""
        if receipt.repeated:
            return None
        return reverse("admin:casino_witness", args=[receipt.entry_id])


@admin.register(ShufflerLoad)
class ShufflerLoadAdmin(WitnessedAdmin):
    """Loads."""

    section, place = "shuffler", 20
    kinds = (shufflers.ShufflerLoaded,)
    list_filter = (DayFilter, TableFilter, PartidaFilter, ShufflerFilter, StaffFilter)
    cells = (IN_PARTIDA, cell("shuffler"), cell("packets"), cell("operator"))
    found_by = ("shuffler",)

    def get_urls(self) -> list[URLPattern]:
        """Beside the projection's own, the pages on which any act is witnessed and a code is
        set.
        """
        guard = self.admin_site.admin_view
        return [
            path("<uuid:entry_id>/witness/", guard(witness_view), name="casino_witness"),
            path("personal-code/", guard(code_view), name="casino_witness_code"),
            path("quick-code/", guard(quick_code_view), name="casino_quick_code"),
            *super().get_urls(),
        ]


@admin.register(ShufflerUnload)
class ShufflerUnloadAdmin(WitnessedAdmin):
    """Unloads."""

    section, place = "shuffler", 30
    kinds = (shufflers.ShufflerUnloaded,)
    list_filter = (DayFilter, TableFilter, PartidaFilter, ShufflerFilter, StaffFilter)
    cells = (IN_PARTIDA, cell("shuffler"), cell("reason"), cell("operator"))
    found_by = ("shuffler",)


@admin.register(LidOpening)
class LidOpeningAdmin(RecordAdmin):
    """Lids that were opened."""

    section, place = "shuffler", 32
    kinds = (shufflers.ShufflerOpened,)
    cells = (AT_TABLE, cell("shuffler"), cell("reason"), cell("opened_by"), cell("incident"))
    list_filter = (DayFilter, TableFilter, PartidaFilter, ShufflerFilter, StaffFilter)
    found_by = ("shuffler", "incident")


@admin.register(Emptiness)
class EmptinessAdmin(RecordAdmin):
    """Machines that were looked through."""

    section, place = "shuffler", 34
    kinds = (shufflers.ShufflerFoundEmpty,)
    cells = (AT_TABLE, cell("shuffler"), cell("cards_found"), cell("second"))
    list_filter = (DayFilter, TableFilter, PartidaFilter, ShufflerFilter, StaffFilter)
    found_by = ("shuffler",)


@admin.register(ShufflerReport)
class ShufflerReportAdmin(RecordAdmin):
    """What machines report of themselves; nobody types it."""

    section, place = "shuffler", 38
    kinds = (
        shuffler_reports.ShufflerCycle,
        shuffler_reports.ShufflerSignal,
        shuffler_reports.ShufflerSelfCheck,
    )
    cells = (
        *(AT_TABLE, cell("shuffler"), cell("phase"), cell("mode"), cell("cards")),
        *(cell("signal"), cell("firmware"), cell("seals")),
    )
    list_filter = (DayFilter, TableFilter, PartidaFilter, ShufflerFilter, StaffFilter)
    found_by = ("shuffler", "firmware_sha256")


@admin.register(Deferral)
class DeferralAdmin(RecordAdmin):
    """Rounds whose cards had to wait."""

    section, place = "shuffler", 36
    kinds = (floor_life.RoundsDeferred,)
    cells = (IN_PARTIDA, cell("shuffler"), cell("reason"), "waiting")
    found_by = ("shuffler", "rounds")

    @admin.display(description=_("rounds"))
    def waiting(self, deferral: Deferral) -> int:
        """How many; which ones stands on its page."""
        return len(deferral.rounds)
