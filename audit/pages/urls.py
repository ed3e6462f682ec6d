"""The auditor's addresses, and what of them the rail lists."""

from typing import Final

from django.urls import path
from django.utils.translation import gettext_lazy as _
from django.views.generic import RedirectView

from audit.pages.access import for_everybody
from audit.pages.law import article, rulebook
from audit.pages.runs import run_page, run_progress
from casino.admin.site import RailLink

RAIL: Final = [RailLink(_("Regulation"), "law", "law")]

urlpatterns = [
    path("law/", RedirectView.as_view(pattern_name="law-rulebook"), {"rulebook": "pt"}, name="law"),
    path("law/<str:rulebook>/", rulebook, name="law-rulebook"),
    path("law/<str:rulebook>/<path:article>/", article, name="law-article"),
    path("reconciliations/<uuid:run>/", for_everybody(run_page), name="run"),
    path("reconciliations/<uuid:run>/progress/", run_progress, name="run-progress"),
]
