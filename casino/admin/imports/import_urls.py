"""The addresses of imports."""

from typing import Final

from django.contrib import admin
from django.urls import path
from django.utils.translation import gettext_lazy as _

from casino.admin.imports.import_pages import (
    import_faults,
    import_page,
    import_progress,
    imports_page,
    sees_imports,
)
from casino.admin.site import RailLink

RAIL: Final = RailLink(
    _("Import rounds"), "imports", shown_to=sees_imports, section="play", place=15
)

_guarded = admin.site.admin_view
urlpatterns = [
    path("imports/", _guarded(imports_page), name="imports"),
    path("imports/<uuid:key>/", _guarded(import_page), name="import"),
    path("imports/<uuid:key>/progress/", _guarded(import_progress), name="import-progress"),
    path("imports/<uuid:key>/faults.csv", _guarded(import_faults), name="import-faults"),
]
