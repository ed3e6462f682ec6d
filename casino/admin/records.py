"""The floor's shelves in the admin: what can be recorded of it, and read."""

from typing import Any, ClassVar

from django.contrib import admin
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext_lazy as _

from casino.admin import book_records, seal_records
from casino.admin.cells import cell
from casino.admin.filters import DayFilter, StaffFilter
from casino.admin.record_admin import RecordAdmin
from casino.admin.witness import code_view, witness_view
from casino.facts import decks, incidents, partidas, shoes, shufflers, staff, tables
from casino.facts.rounds import RoundPlayed
from casino.models import (
    Burn,
    CartaAviso,
    Closing,
    Cut,
    DeckInspection,
    Duty,
    Incident,
    IncidentClosure,
    Interruption,
    LastRound,
    Limits,
    OfficeEnd,
    OfficeGrant,
    Partida,
    Round,
    Shuffle,
    Shuffler,
    ShufflerLoad,
    ShufflerUnload,
    Staff,
    Table,
)
from casino.recording import Receipt

__all__ = ["book_records", "seal_records"]  # which register what the book keeps of itself

_AT_TABLE = cell("table_code", _("table"))
_IN_PARTIDA = cell("partida_id", _("partida"))


@admin.register(Table)
class TableAdmin(RecordAdmin):
    """Tables as they were laid out."""

    section, place = "tables", 10
    kinds = (tables.TableRegistered,)
    cells = (_AT_TABLE, cell("boxes"), cell("place"))


@admin.register(Limits)
class LimitsAdmin(RecordAdmin):
    """Limits as they were set."""

    section, place = "tables", 20
    kinds = (tables.LimitsSet,)
    cells = (_AT_TABLE, cell("minimum_cents"), cell("maximum_cents"), cell("valid_from"))


@admin.register(Partida)
class PartidaAdmin(RecordAdmin):
    """Openings."""

    section, place = "tables", 30
    kinds = (partidas.PartidaOpened,)
    cells = (_IN_PARTIDA, cell("dealing"), cell("minimum_cents"), cell("maximum_cents"))
    found_by = ("fiscal_de_banca", "shuffler")


@admin.register(Closing)
class ClosingAdmin(RecordAdmin):
    """Closings."""

    section, place = "tables", 40
    kinds = (partidas.PartidaClosed,)
    cells = (_IN_PARTIDA, cell("rounds"), cell("reason"))


@admin.register(DeckInspection)
class DeckInspectionAdmin(RecordAdmin):
    """Decks that were looked through."""

    section, place = "cards", 10
    kinds = (decks.DeckInspected,)
    cells = (_AT_TABLE, cell("deck"), cell("moment"), cell("cards"), cell("result"))
    found_by = ("deck",)


@admin.register(Shuffle)
class ShuffleAdmin(RecordAdmin):
    """Shuffles."""

    section, place = "shoe", 10
    kinds = (shoes.CardsShuffled,)
    cells = (_IN_PARTIDA, cell("shoe"), cell("decks"), cell("passes"))


@admin.register(Cut)
class CutAdmin(RecordAdmin):
    """Cuts."""

    section, place = "shoe", 20
    kinds = (shoes.CutMade,)
    cells = (_IN_PARTIDA, cell("shoe"), cell("cut_by"), cell("seat"), cell("due_seat"))


@admin.register(CartaAviso)
class CartaAvisoAdmin(RecordAdmin):
    """Warning cards."""

    section, place = "shoe", 30
    kinds = (shoes.CartaAvisoPlaced,)
    cells = (_IN_PARTIDA, cell("shoe"), cell("cards_from_end"), cell("players"))


@admin.register(Burn)
class BurnAdmin(RecordAdmin):
    """Burnt cards."""

    section, place = "shoe", 40
    kinds = (shoes.CardBurned,)
    cells = (_IN_PARTIDA, cell("shoe"), cell("cards", _("burnt cards")))


@admin.register(LastRound)
class LastRoundAdmin(RecordAdmin):
    """Last rounds announced."""

    section, place = "shoe", 50
    kinds = (shoes.LastRoundAnnounced,)
    cells = (_IN_PARTIDA, cell("shoe"), cell("number"), cell("came_out"))


@admin.register(Interruption)
class InterruptionAdmin(RecordAdmin):
    """Play that stopped and went on, cards that were spread."""

    section, place = "shoe", 60
    kinds = (shoes.PlayInterrupted, shoes.PlayResumed, shoes.CardsSpread)
    cells = (_IN_PARTIDA, cell("act"), cell("reason"), cell("shoe"))


@admin.register(Shuffler)
class ShufflerAdmin(RecordAdmin):
    """Machines."""

    section, place = "shuffler", 10
    kinds = (shufflers.ShufflerRegistered,)
    cells = (cell("shuffler"), cell("maker"), cell("model"), cell("at_table"))
    found_by = ("shuffler",)


class WitnessedAdmin(RecordAdmin):
    """A shelf whose acts a second person confirms: after the record, his page follows."""

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
    cells = (_IN_PARTIDA, cell("shuffler"), cell("packets"), cell("operator"))
    found_by = ("shuffler",)
    witnessed_under = "54"

    def get_urls(self) -> list[URLPattern]:
        """Beside the shelf's own, the pages on which any act is witnessed and a code is set."""
        guard = self.admin_site.admin_view
        return [
            path("<uuid:entry_id>/witness/", guard(witness_view), name="casino_witness"),
            path("personal-code/", guard(code_view), name="casino_witness_code"),
            *super().get_urls(),
        ]


@admin.register(ShufflerUnload)
class ShufflerUnloadAdmin(WitnessedAdmin):
    """Unloads."""

    section, place = "shuffler", 30
    kinds = (shufflers.ShufflerUnloaded,)
    cells = (_IN_PARTIDA, cell("shuffler"), cell("reason"), cell("operator"))
    found_by = ("shuffler",)
    witnessed_under = "55"


@admin.register(Round)
class RoundAdmin(RecordAdmin):
    """Rounds, decoded."""

    section, place = "play", 10
    kinds = (RoundPlayed,)
    keyset = ("gaming_day", "entry_id")
    own_by_author = False
    cells = (_IN_PARTIDA, cell("shoe"), cell("number"), cell("staked_cents", _("staked")),
             cell("returned_cents", _("returned")))  # fmt: skip
    found_by_uuid = ("pk", "round")


@admin.register(Incident)
class IncidentAdmin(RecordAdmin):
    """Incidents. Of a jam or a damaged card the fiscal-chefe confirms what he did."""

    section, place = "incidents", 10
    kinds = (incidents.IncidentReported,)
    cells = (_AT_TABLE, cell("incident"), cell("level", _("category")), cell("reason"))
    found_by = ("incident", "shuffler", "deck")
    witnessed_under = "51"


@admin.register(IncidentClosure)
class IncidentClosureAdmin(RecordAdmin):
    """Incidents that were settled."""

    section, place = "incidents", 20
    kinds = (incidents.IncidentClosed,)
    cells = (_AT_TABLE, cell("incident"), cell("outcome"), cell("reason"))
    found_by = ("incident",)


class PeopleAdmin(RecordAdmin):
    """A shelf about a person."""

    section = "people"
    list_filter = (DayFilter, StaffFilter)
    found_by: ClassVar[tuple[str, ...]] = ("person",)
    person: ClassVar[Any] = cell("person", _("staff number"))
    held: ClassVar[Any] = cell("held", _("office"))


@admin.register(Staff)
class StaffAdmin(PeopleAdmin):
    """Numbers that stand for people."""

    place = 10
    kinds = (staff.StaffRegistered,)
    cells = (PeopleAdmin.person, cell("named", _("a name was given")))


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
        cell("tables"),
    )
