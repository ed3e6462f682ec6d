"""The addresses of the reports."""

from typing import Final

from django.urls import path
from django.utils.translation import gettext_lazy as _

from audit.pages.audit_access import exports, for_everybody
from audit.reports.letter_pages import letter_page
from audit.reports.packs.compare_page import compare_page
from audit.reports.report_pages import (
    report_again,
    report_file,
    report_json,
    report_page,
    report_progress,
    report_table,
    reports_page,
)
from audit.reports.verify_page import verify_page
from casino.admin.site import RailLink

RAIL: Final = [RailLink(_("My reports"), "reports", "download", shown_to=exports)]

# For who is not logged in too.
PUBLIC: Final = [RailLink(_("Verify a document"), "verify-document", "seal")]

urlpatterns = [
    # For everybody: no login, no cookie.
    path("verify/", verify_page, name="verify-document"),
    path("book/compare/", for_everybody(compare_page), name="book-compare"),
    path("audit/letters/<str:name>/<uuid:entry_id>/", for_everybody(letter_page), name="letter"),
    path("audit/reports/", for_everybody(reports_page), name="reports"),
    path("audit/reports/<uuid:key>/", for_everybody(report_page), name="report"),
    path(
        "audit/reports/<uuid:key>/progress/", for_everybody(report_progress), name="report-progress"
    ),
    path("audit/reports/<uuid:key>/again/", for_everybody(report_again), name="report-again"),
    path("audit/reports/<uuid:key>/report.json", for_everybody(report_json), name="report-json"),
    path(
        "audit/reports/<uuid:key>/tables/<int:place>/",
        for_everybody(report_table),
        name="report-table",
    ),
    path("audit/reports/<uuid:key>/<int:volume>/", for_everybody(report_file), name="report-file"),
]
