"""The auditor's addresses below the API's."""

from django.urls import path

from audit.admin.findings_api import FindingApi, FindingsApi
from audit.pages.api.book_api import CheckpointApi, ConsistencyApi, ProofApi
from audit.pages.api.requests_api import RunApi, RunsApi
from audit.reports.report_api import ReportApi, ReportsApi

ROUTES = [
    path("findings", FindingsApi.as_view(), name="findings"),
    path("findings/<uuid:entry_id>", FindingApi.as_view(), name="findings-one"),
    path("book/checkpoint", CheckpointApi.as_view(), name="book-checkpoint"),
    path("book/consistency", ConsistencyApi.as_view(), name="book-consistency"),
    path("book/entries/<uuid:entry_id>/proof", ProofApi.as_view(), name="book-proof"),
    path("runs", RunsApi.as_view(), name="runs"),
    path("runs/preview", RunsApi.as_view(only_looked_at=True), name="runs-preview"),
    path("runs/<uuid:entry_id>", RunApi.as_view(), name="runs-one"),
    path("reports", ReportsApi.as_view(), name="reports"),
    path("reports/<uuid:entry_id>", ReportApi.as_view(), name="reports-one"),
]
