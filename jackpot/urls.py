"""The addresses of the progressive's pages, and what of them the rail lists."""

from typing import Final

from django.urls import path
from django.utils.translation import gettext_lazy as _

from casino.admin.site import RailLink
from casino.web import code_in_address  # noqa: F401 - the addresses below speak of codes
from jackpot.pages.curve import curve_csv, curve_page
from jackpot.pages.display import display, displays, value
from jackpot.pages.jackpot_access import reads_terms
from jackpot.pages.payout_sheet import payout_sheet
from jackpot.pages.pool_pages import pools_page
from jackpot.pages.terms_pages import terms_page

RAIL: Final = [RailLink(_("Jackpots"), "jackpots", "panel", shown_to=reads_terms)]

urlpatterns = [
    # For everybody: no login, no cookie.
    path("acumulado/", displays, name="jackpot-displays"),
    path("acumulado/<str:codes>/", display, name="jackpot-display"),
    path("acumulado/<str:codes>/value/", value, name="jackpot-value"),
    # For those who look after a pool.
    path("jackpots/", pools_page, name="jackpots"),
    path("jackpots/wins/<uuid:entry_id>/", payout_sheet, name="jackpot-payout"),
    path("jackpots/<code:code>/", curve_page, name="jackpot-curve"),
    path("jackpots/<code:code>/csv/", curve_csv, name="jackpot-curve-csv"),
    path("jackpots/<code:code>/terms/", terms_page, name="jackpot-terms"),
]
