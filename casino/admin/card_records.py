"""Decks, single cards and shoes in the admin."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from casino.admin.record_admin import PartidaFilter, RecordAdmin
from casino.events import deck_life, decks, shoes
from casino.models import (
    Burn,
    CartaAviso,
    Cut,
    DeckInspection,
    DeckReceipt,
    DeckWithdrawal,
    Destruction,
    Interruption,
    LastRound,
    Replacement,
    ShoeReport,
    Shuffle,
)
from casino.web.display.cells import AT_TABLE, IN_PARTIDA, cell
from casino.web.display.list_filters import DayFilter, DeckFilter, StaffFilter, TableFilter


@admin.register(DeckReceipt)
class DeckReceiptAdmin(RecordAdmin):
    """Decks that came into the house."""

    section, place = "cards", 5
    kinds = (deck_life.DeckReceived,)
    cells = (cell("deck"), cell("maker"), cell("back_colour"), cell("cards"), cell("second"))
    list_filter = (DayFilter, DeckFilter, StaffFilter)
    found_by = ("deck", "serial", "document")
    found_as = "deck"


@admin.register(DeckInspection)
class DeckInspectionAdmin(RecordAdmin):
    """Decks that were looked through."""

    section, place = "cards", 10
    kinds = (decks.DeckInspected,)
    list_filter = (DayFilter, TableFilter, PartidaFilter, DeckFilter, StaffFilter)
    cells = (AT_TABLE, cell("deck"), cell("moment"), cell("cards"), cell("result"))
    found_by = ("deck",)


@admin.register(DeckWithdrawal)
class DeckWithdrawalAdmin(RecordAdmin):
    """Decks that were taken out of use."""

    section, place = "cards", 20
    kinds = (deck_life.DeckWithdrawn,)
    cells = (AT_TABLE, cell("deck"), cell("reason"), cell("held_apart"), cell("incident"))
    list_filter = (DayFilter, TableFilter, PartidaFilter, DeckFilter, StaffFilter)
    found_by = ("deck", "incident")


@admin.register(Replacement)
class ReplacementAdmin(RecordAdmin):
    """Single cards that were exchanged."""

    section, place = "cards", 30
    kinds = (deck_life.CardReplaced,)
    cells = (AT_TABLE, cell("deck"), cell("card"), cell("reason"), cell("authorisation"))
    list_filter = (DayFilter, TableFilter, PartidaFilter, DeckFilter, StaffFilter)
    found_by = ("deck", "from_deck", "incident", "authorisation")


@admin.register(Destruction)
class DestructionAdmin(RecordAdmin):
    """Decks that were made useless."""

    section, place = "cards", 40
    kinds = (deck_life.DecksDestroyed,)
    cells = (cell("decks"), cell("method", _("how")), cell("second"), cell("announced"))
    list_filter = (DayFilter, StaffFilter)
    found_by = ("announced", "decks")


@admin.register(Shuffle)
class ShuffleAdmin(RecordAdmin):
    """Shuffles."""

    section, place = "shoe", 10
    kinds = (shoes.CardsShuffled,)
    cells = (IN_PARTIDA, cell("shoe"), cell("decks"), cell("passes"))


@admin.register(Cut)
class CutAdmin(RecordAdmin):
    """Cuts."""

    section, place = "shoe", 20
    kinds = (shoes.CutMade,)
    cells = (IN_PARTIDA, cell("shoe"), cell("cut_by"), cell("seat"), cell("due_seat"))


@admin.register(CartaAviso)
class CartaAvisoAdmin(RecordAdmin):
    """Warning cards."""

    section, place = "shoe", 30
    kinds = (shoes.CartaAvisoPlaced,)
    cells = (IN_PARTIDA, cell("shoe"), cell("cards_from_end"), cell("players"))


@admin.register(Burn)
class BurnAdmin(RecordAdmin):
    """Burnt cards."""

    section, place = "shoe", 40
    kinds = (shoes.CardBurned,)
    cells = (IN_PARTIDA, cell("shoe"), cell("cards", _("burnt cards")))


@admin.register(ShoeReport)
class ShoeReportAdmin(RecordAdmin):
    """Cards that shoes report out; nobody types it."""

    section, place = "shoe", 45
    kinds = (shoes.CardOut,)
    cells = (IN_PARTIDA, cell("shoe"), cell("position"), cell("card"))
    list_filter = (DayFilter, TableFilter, PartidaFilter, StaffFilter)


@admin.register(LastRound)
class LastRoundAdmin(RecordAdmin):
    """Last rounds announced."""

    section, place = "shoe", 50
    kinds = (shoes.LastRoundAnnounced,)
    cells = (IN_PARTIDA, cell("shoe"), cell("number"), cell("came_out"))


@admin.register(Interruption)
class InterruptionAdmin(RecordAdmin):
    """Play that stopped and went on, cards that were spread."""

    section, place = "shoe", 60
    kinds = (shoes.PlayInterrupted, shoes.PlayResumed, shoes.CardsSpread)
    cells = (IN_PARTIDA, cell("act"), cell("reason"), cell("shoe"))
