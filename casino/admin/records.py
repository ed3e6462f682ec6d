"""The floor's projections in the admin: what can be recorded of it, and read."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.access.private_looks import note_look
from casino.admin import (
    book_records,
    card_records,
    incident_records,
    inspection_records,
    request_records,
    seal_records,
    security_events,
    shuffler_records,
    witness_records,
)
from casino.admin.record_admin import RecordAdmin
from casino.admin.search.sought_words import sought_in
from casino.events import floor_life, partidas, staff, tables
from casino.events.round.round_played import RoundPlayed
from casino.events.stake_signals import StakeSignal
from casino.models import (
    ChipTally,
    Closing,
    Dealing,
    DropTally,
    Duty,
    HandOver,
    Limits,
    OfficeEnd,
    OfficeGrant,
    Partida,
    PrivateValue,
    Reopening,
    Round,
    Seat,
    Staff,
    StakeReport,
    Table,
)
from casino.web.display.cells import AT_TABLE, IN_PARTIDA, UNKNOWN, cell
from casino.web.display.list_filters import DayFilter, StaffFilter

# Which register the rest: what the book keeps of itself, and the other projections of the floor.
__all__ = [
    "book_records",
    "card_records",
    "incident_records",
    "inspection_records",
    "request_records",
    "seal_records",
    "security_events",
    "shuffler_records",
    "witness_records",
]


@admin.register(Table)
class TableAdmin(RecordAdmin):
    """Tables as they were laid out."""

    section, place = "tables", 10
    kinds = (tables.TableRegistered,)
    cells = (AT_TABLE, cell("boxes"), cell("place"))
    found_as = "table_code"


@admin.register(Limits)
class LimitsAdmin(RecordAdmin):
    """Limits as they were set."""

    section, place = "tables", 20
    kinds = (tables.LimitsSet,)
    cells = (AT_TABLE, cell("minimum_cents"), cell("maximum_cents"), cell("valid_from"))


@admin.register(Partida)
class PartidaAdmin(RecordAdmin):
    """Openings."""

    section, place = "tables", 30
    kinds = (partidas.PartidaOpened,)
    cells = (IN_PARTIDA, cell("dealing"), cell("minimum_cents"), cell("maximum_cents"))
    found_by = ("fiscal_de_banca", "shuffler")
    found_as = "partida_id"


@admin.register(Closing)
class ClosingAdmin(RecordAdmin):
    """Closings."""

    section, place = "tables", 40
    kinds = (partidas.PartidaClosed,)
    cells = (IN_PARTIDA, cell("rounds"), cell("reason"))


@admin.register(Dealing)
class DealingAdmin(RecordAdmin):
    """Who dealt from when to when."""

    section, place = "tables", 50
    kinds = (floor_life.DealerTookTable, floor_life.DealerLeftTable)
    cells = (IN_PARTIDA, cell("act"), cell("pagador"), cell("relieves"))
    found_by = ("pagador", "relieves")


@admin.register(HandOver)
class HandOverAdmin(RecordAdmin):
    """Which fiscal de banca took a table over from which."""

    section, place = "tables", 55
    kinds = (floor_life.TableHandedOver,)
    cells = (IN_PARTIDA, cell("fiscal_de_banca"), cell("relieves"))
    found_by = ("fiscal_de_banca", "relieves")


@admin.register(Seat)
class SeatAdmin(RecordAdmin):
    """Who sat where from when to when."""

    section, place = "tables", 60
    kinds = (floor_life.SeatTaken, floor_life.SeatLeft)
    cells = (IN_PARTIDA, cell("act"), cell("seat"), cell("player"))
    found_by = ("player",)


@admin.register(ChipTally)
class ChipTallyAdmin(RecordAdmin):
    """Chips that were counted."""

    section, place = "tables", 70
    kinds = (floor_life.ChipsCounted,)
    cells = (IN_PARTIDA, cell("moment"), cell("total_cents"), cell("pagador"), cell("second"))
    found_by = ("pagador", "second")


@admin.register(DropTally)
class DropTallyAdmin(RecordAdmin):
    """Drop boxes whose cash was counted."""

    section, place = "tables", 75
    kinds = (floor_life.DropCounted,)
    cells = (
        IN_PARTIDA,
        cell("cash_cents"),
        cell("taken_at"),
        cell("counted_by"),
        cell("second"),
    )
    found_by = ("counted_by", "second")


@admin.register(Reopening)
class ReopeningAdmin(RecordAdmin):
    """Closings that were undone."""

    section, place = "tables", 80
    kinds = (floor_life.PartidaReopened,)
    cells = (IN_PARTIDA, cell("reason"), cell("authorised_by"))
    found_by = ("authorised_by",)


@admin.register(Round)
class RoundAdmin(RecordAdmin):
    """Rounds, decoded."""

    section, place = "play", 10
    kinds = (RoundPlayed,)
    keyset = ("gaming_day", "entry_id")
    own_by_author = False
    cells = (
        IN_PARTIDA,
        cell("shoe"),
        cell("number"),
        cell("staked_cents", _("staked")),
        cell("returned_cents", _("returned")),
    )
    found_by_uuid = ("pk", "round")


@admin.register(StakeReport)
class StakeReportAdmin(RecordAdmin):
    """Stakes that sensors saw; nobody types it."""

    section, place = "play", 20
    kinds = (StakeSignal,)
    cells = (IN_PARTIDA, cell("box"), cell("owner"), cell("phase"), cell("amount_cents"))
    found_by_uuid = ("pk", "round")


def on_duty_where(duty: Duty) -> str:
    """Where somebody went on duty; blank where he went off it."""
    if not duty.begins:
        return ""
    return ", ".join(duty.tables) or gettext("the whole room")


on_duty_where.short_description = _("tables")  # type: ignore[attr-defined]


def name_of(row: Any) -> str:
    """What a number stands for; that it was erased, where it was given and is no more."""
    return str(row.name or (gettext("erased") if row.named else UNKNOWN))


name_of.short_description = _("name")  # type: ignore[attr-defined]


class PeopleAdmin(RecordAdmin):
    """A projection about a person."""

    section = "people"
    list_filter = (DayFilter, StaffFilter)
    found_by: ClassVar[tuple[str, ...]] = ("person",)
    person: ClassVar[Any] = cell("person", _("staff number"))
    held: ClassVar[Any] = cell("held", _("office"))


@admin.register(Staff)
class StaffAdmin(PeopleAdmin):
    """Numbers that stand for people, with their names as long as these were not erased."""

    place = 10
    kinds = (staff.StaffRegistered,)
    cells = (PeopleAdmin.person, name_of)
    found_as = "person"
    private_cells = ("name",)
    search_help_text = _("part of a number or a name")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Each with its name; whoever reads the list reads names too (`access_policy`)."""
        names = PrivateValue.objects.filter(entry=OuterRef("pk"), field="name")
        rows: QuerySet[Any] = super().get_queryset(request)
        named: QuerySet[Any] = rows.annotate(name=Subquery(names.values("value")[:1]))
        return named

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """The list: one look at the names of all it shows."""
        note_look(request, staff.StaffRegistered.kind, self.private_cells)
        return super().changelist_view(request, extra_context)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """By parts of the number or of the name."""
        sought = sought_in(request, search_term)
        if sought is None:
            return queryset.none(), False
        for word in sought:
            of_it = word.is_part_of("person") | Q(name__folded__contains=word.text)
            queryset = queryset.filter(of_it)
        return queryset, False


@admin.register(OfficeGrant)
class OfficeGrantAdmin(PeopleAdmin):
    """Offices given."""

    place = 20
    kinds = (staff.OfficeGranted,)
    cells = (PeopleAdmin.person, PeopleAdmin.held, cell("valid_from"), cell("valid_until"))


@admin.register(OfficeEnd)
class OfficeEndAdmin(PeopleAdmin):
    """Offices ended."""

    place = 30
    kinds = (staff.OfficeEnded,)
    cells = (PeopleAdmin.person, PeopleAdmin.held, cell("ended_at"))


@admin.register(Duty)
class DutyAdmin(PeopleAdmin):
    """On duty, off duty."""

    place = 40
    kinds = (staff.DutyBegun, staff.DutyEnded)
    cells = (
        PeopleAdmin.person,
        PeopleAdmin.held,
        cell("begins", _("went on duty")),
        on_duty_where,
    )
