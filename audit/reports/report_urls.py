"""The addresses of the reports."""

from typing import Final

from django.urls import path
from django.utils.translation import gettext_lazy as _

from audit.pages.audit_access import exports, for_everybody
from audit.reports.report_pages import (
    report_again,
    report_file,
    report_page,
    report_progress,
    reports_page,
)
from casino.admin.site import RailLink

RAIL: Final = [RailLink(_("My reports"), "reports", "download", shown_to=exports)]

urlpatterns = [
    path("audit/reports/", for_everybody(reports_page), name="reports"),
    path("audit/reports/<uuid:key>/", for_everybody(report_page), name="report"),
    path(
        "audit/reports/<uuid:key>/progress/", for_everybody(report_progress), name="report-progress"
    ),
    path("audit/reports/<uuid:key>/again/", for_everybody(report_again), name="report-again"),
    path("audit/reports/<uuid:key>/<int:volume>/", for_everybody(report_file), name="report-file"),
]
