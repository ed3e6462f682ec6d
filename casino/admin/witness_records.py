"""Whose passkeys there are, confirmations that failed, locks opened; the witness's own pages."""

from typing import Any

from django.contrib import admin
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from casino.admin.record_admin import PartidaFilter
from casino.admin.seal_records import SealAdmin
from casino.events.witnessing import (
    PasskeyRegistered,
    PasskeyRevoked,
    WitnessFailed,
    WitnessUnlocked,
)
from casino.models import FailedWitness, Passkey, PasskeyRevocation, WitnessUnlock
from casino.web.display.cells import cell
from casino.web.display.list_filters import DayFilter, StaffFilter, TableFilter
from casino.web.display.money_and_time import moment
from casino.web.second_person.passkey_pages import confirm_view, passkeys_view, revoke_view
from casino.web.second_person.presence_page import presence_view


@admin.register(Passkey)
class PasskeyAdmin(SealAdmin):
    """Passkeys as they were registered, each by its holder on a page of his own."""

    section, place = "people", 60
    kinds = (PasskeyRegistered,)
    cells = (cell("person"), cell("algorithm"), cell("second"))
    found_by = ("person", "credential")

    def get_urls(self) -> list[URLPattern]:
        """Beside the projection's own, the pages on which a witness meets what is asked of him."""
        guard = self.admin_site.admin_view
        return [
            path("presence/", guard(presence_view), name="casino_presence"),
            path("presence/<uuid:entry_id>/", guard(confirm_view), name="casino_presence_confirm"),
            path("own/", guard(passkeys_view), name="casino_passkeys"),
            path("own/revoke/", guard(revoke_view), name="casino_passkeys_revoke"),
            *super().get_urls(),
        ]


@admin.register(PasskeyRevocation)
class PasskeyRevocationAdmin(SealAdmin):
    """Passkeys that confirm nothing any more."""

    section, place = "people", 61
    kinds = (PasskeyRevoked,)
    cells = (cell("person"), cell("reason"))
    found_by = ("person", "credential")


@admin.register(FailedWitness)
class FailedWitnessAdmin(SealAdmin):
    """Confirmations that were tried and refused."""

    section, place = "shuffler", 45
    kinds = (WitnessFailed,)
    cells = (
        cell("partida_id", _("partida")),
        cell("why"),
        cell("claimed"),
        cell("asked_by"),
        cell("count"),
        "locked",
    )
    found_by = ("claimed", "asked_by")
    list_filter = (DayFilter, TableFilter, PartidaFilter, StaffFilter)

    @admin.display(description=_("locked until"))
    def locked(self, failed_witness: FailedWitness) -> object:
        """Until when nobody was heard there."""
        return moment(failed_witness.locked_until) if failed_witness.locked_until else "–"

    def get_list_display(self, request: object) -> Any:
        """Nobody's hand wrote it."""
        return ("occurred", *self.cells)


@admin.register(WitnessUnlock)
class WitnessUnlockAdmin(SealAdmin):
    """Locks that were opened before their time, by another person."""

    section, place = "people", 62
    recordable = True
    kinds = (WitnessUnlocked,)
    cells = (cell("person"), cell("reason"))
    found_by = ("person",)
