"""The progressive's projections in the admin."""

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from casino.admin.record_admin import RecordAdmin
from casino.events.round.round_played import RoundPlayed
from casino.web.display.cells import cell
from jackpot.admin import pool_lists
from jackpot.admin.pool_forms import PoolForms
from jackpot.events import JackpotIncremented
from jackpot.models import Contribution, JackpotIncrement


@admin.register(JackpotIncrement)
class JackpotIncrementAdmin(PoolForms):
    """Chips collected by hand."""

    section, place = "jackpot", 10
    kinds = (JackpotIncremented,)
    cells = (
        cell("partida_id", _("partida")),
        cell("jackpot"),
        cell("chips"),
        cell("display_cents"),
    )
    found_by = ("jackpot",)


@admin.register(Contribution)
class ContributionAdmin(RecordAdmin):
    """Every chip that feeds a pool, told by its round or by hand; the entry tells the rest."""

    section, place = "jackpot", 20
    kinds = (JackpotIncremented, RoundPlayed)
    recordable = False
    cells = (
        cell("partida_id", _("partida")),
        cell("box"),
        cell("owner"),
        cell("chip", _("chip")),
        cell("chips"),
        cell("told_by", _("told by")),
    )
    list_display_links = None  # its page is its entry's

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody: chips are recorded by a round or an increment."""
        return False


__all__ = ["ContributionAdmin", "JackpotIncrementAdmin", "pool_lists"]
