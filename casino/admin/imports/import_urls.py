"""The addresses of imports."""

from typing import Final

from django.contrib import admin
from django.urls import path
from django.utils.translation import gettext_lazy as _

from casino.admin.imports.import_pages import (
    first_day_template,
    import_faults,
    import_page,
    import_progress,
    import_rows,
    imports_page,
    sees,
)
from casino.admin.site import RailLink
from casino.models.held import FIRST_DAY, ROUNDS

RAIL: Final = (
    RailLink(_("Import rounds"), "imports", shown_to=sees(ROUNDS), section="play", place=15),
    RailLink(_("First day"), "first-day", shown_to=sees(FIRST_DAY), section="tables", place=90),
)

_guarded = admin.site.admin_view
urlpatterns = [
    path("imports/", _guarded(imports_page), {"content": ROUNDS}, name="imports"),
    path("imports/first-day/", _guarded(imports_page), {"content": FIRST_DAY}, name="first-day"),
    path(
        "imports/first-day/template.xlsx",
        _guarded(first_day_template),
        name="first-day-template",
    ),
    path("imports/<uuid:key>/", _guarded(import_page), name="import"),
    path("imports/<uuid:key>/rows/", _guarded(import_rows), name="import-rows"),
    path("imports/<uuid:key>/progress/", _guarded(import_progress), name="import-progress"),
    path("imports/<uuid:key>/faults.csv", _guarded(import_faults), name="import-faults"),
]
