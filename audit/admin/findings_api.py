"""Findings and how their cases stand. What is done about one is a record like any other."""

from typing import cast
from uuid import UUID

from django.contrib import admin
from django.http import HttpRequest
from rest_framework.response import Response

from audit import audit_queries
from audit.admin.records import FindingAdmin
from audit.case_state import with_case
from audit.models import Finding
from audit.pages.audit_access import reads_all, reads_findings
from audit.pages.page_words import cited, words
from casino.api.api_lists import CURSOR, bounds_of, filtered, placed
from casino.api.api_problems import Problem
from casino.api.callers import ApiView
from casino.api.openapi import answers, asked, list_of, object_schema, texts_asked

_SCHEMA = {"type": "object", "required": ["finding", "check", "article", "state"]}
_CASE = ("case_state", "case_due", "case_owed", "case_paid", "responsible")


class FindingsApi(ApiView):
    """Findings, in the order in which they were recorded."""

    http_method_names = ("get", "head")

    def operation(self, method: str) -> dict[str, object]:
        """The list by its filters."""
        filters = [name for one in FindingAdmin.list_filter for name in one.parameters]
        page = object_schema(
            ("items", CURSOR, "more"),
            items=list_of(_SCHEMA),
            cursor={"type": "string"},
            more={"type": "boolean"},
        )
        return {
            "parameters": [*asked(CURSOR, "limit", "q"), *texts_asked(*filters)],
            "responses": answers(200, page),
        }

    def get(self, request: HttpRequest) -> Response:
        """A page of them."""
        _reader(request)
        after, limit = bounds_of(request)
        listed = cast("FindingAdmin", admin.site._registry[Finding])
        leaves = placed(filtered(request, listed), after, limit)
        pks = [one.entry_id for one in leaves[:limit]]
        rows = {row.pk: row for row in listed.get_queryset(request).filter(pk__in=pks)}
        items = _as_objects(request, [rows[pk] for pk in pks])
        last = leaves[:limit][-1].idx if leaves else after
        return Response({"items": items, CURSOR: str(last), "more": len(leaves) > limit})


class FindingApi(ApiView):
    """One finding."""

    http_method_names = ("get", "head")

    def operation(self, method: str) -> dict[str, object]:
        """By the id of its entry."""
        return {"parameters": asked("entry_id"), "responses": answers(200, _SCHEMA)}

    def get(self, request: HttpRequest, entry_id: UUID) -> Response:
        """The finding."""
        _reader(request)
        listed = cast("FindingAdmin", admin.site._registry[Finding])
        found = list(listed.get_queryset(request).filter(pk=entry_id))
        if not found:
            raise Problem(404, "not-found")
        return Response(_as_objects(request, found)[0])


def _reader(request: HttpRequest) -> None:
    if not reads_findings(request):
        raise Problem(403, "not-allowed")


def _as_objects(request: HttpRequest, findings: list[Finding]) -> list[dict[str, object]]:
    """Findings as they are read; how a case stands whoever may read all of them is shown."""
    worked: dict[UUID, dict[str, object]] = {}
    if reads_all(request):
        of = with_case(Finding.objects.filter(pk__in=[row.pk for row in findings]))
        worked = {row.pop("pk"): row for row in of.values("pk", *_CASE)}
    return [_as_object(row) | worked.get(row.pk, {}) for row in findings]


def _as_object(finding: Finding) -> dict[str, object]:
    say = words()
    return {
        "finding": str(finding.pk),
        "key": finding.key,
        "case": getattr(finding, "case", None),
        "state": getattr(finding, "superseded_why", None) or audit_queries.OPEN,
        "severity": finding.severity,
        "rulebook": finding.rulebook,
        "article": finding.article,
        "cited": cited(finding.rulebook, finding.article),
        "check": finding.check_name,
        "statement": say.statement(finding.check_name),
        "heading": say.finding(finding),
        "gaming_day": finding.gaming_day.isoformat(),
        "table": finding.table_code or None,
        "partida": finding.partida_id or None,
        "where": finding.where,
        "observed": finding.observed,
        "expected": finding.expected,
        "evidence": finding.evidence,
        "owed_cents": finding.owed_cents,
        "owed_to": finding.owed_to or None,
        "recorded_at": finding.recorded_at.isoformat(),
    }
