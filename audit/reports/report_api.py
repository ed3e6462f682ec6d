"""Sealed reports asked for by the API, in the name of whoever is logged in: no machine asks.

The key of the request is the report's own: sent again, it is the same report.
"""

from typing import cast
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework.response import Response

from audit.events import ReportIssued
from audit.models import ReportRequest
from audit.pages.api.requests_api import check_texts, texts_in
from audit.reports.report_reading import REPORTS
from audit.reports.request_report import ReportRefused, Wanted, asked_of_form, request_report
from casino.access import access_policy
from casino.api.api_problems import Problem
from casino.api.callers import ApiView
from casino.api.json_bodies import object_of
from casino.api.openapi import Json, answers, asked, body_of_json, list_of, object_schema
from casino.api.records_api import KEY, key_of
from casino.recording import Actor

_DAY = {"type": "string", "format": "date"}
_TEXT = {"type": "string", "maxLength": 200}
_OPTIONAL = ("table", "jackpot", "language")
_SAID = {"type": "object", "required": ["report", "state", "page"]}


class ReportsApi(ApiView):
    """``POST /api/v1/reports``."""

    http_method_names = ("post",)

    def operation(self, method: str) -> dict[str, object]:
        """Which report, of which days."""
        names = [name for name, each in REPORTS.items() if each.asks != "pack"]
        sent = object_schema(
            ("report", "from", "to"),
            **cast("dict[str, Json]", {"from": _DAY, "to": _DAY}),
            report={"type": "string", "enum": names},
            table=_TEXT,
            jackpot=_TEXT,
            language=_TEXT,
            findings=list_of(_TEXT, maxItems=50),
        )
        example = {"report": names[0], "from": "2026-11-20", "to": "2026-11-20", "table": "BJ-06"}
        return {
            "parameters": asked(KEY),
            "requestBody": body_of_json(sent, example),
            "responses": answers(202, _SAID),
        }

    def post(self, request: HttpRequest) -> Response:
        """Ask for it; a job makes it."""
        by, key = _asker(request), key_of(request)
        body: object = request.data  # type: ignore[attr-defined]  # DRF's request
        given = object_of(body, "$", {"report", "from", "to"}, {"findings", *_OPTIONAL})
        findings = given.pop("findings", [])
        check_texts(findings, "$.findings")
        texts = texts_in(given)
        wanted = Wanted(
            texts["report"],
            texts["from"],
            texts["to"],
            table=texts.get("table", ""),
            jackpot=texts.get("jackpot", ""),
            language=texts.get("language", "pt"),
            findings=cast("list[str]", findings),
        )
        try:
            with transaction.atomic():
                order = request_report(key, asked_of_form(wanted), wanted.language, by)
                if order.request != key:  # a form gone back to asks for another; a program erred
                    raise Problem(422, "key-reused", _reused(key))
        except ReportRefused as refused:
            raise Problem(422, "report-refused", str(refused)) from refused
        place = reverse("api:reports-one", args=[order.request])
        return Response(_as_object(order), 202, headers={"Location": place})


class ReportApi(ApiView):
    """``GET /api/v1/reports/<id>``: one's own."""

    http_method_names = ("get", "head")

    def operation(self, method: str) -> dict[str, object]:
        """By its id."""
        return {"parameters": asked("entry_id"), "responses": answers(200, _SAID)}

    def get(self, request: HttpRequest, entry_id: UUID) -> Response:
        """How far it is; its files are taken from its page."""
        by = _asker(request)
        order = ReportRequest.objects.filter(request=entry_id, by_staff=by.staff).first()
        if order is None:
            raise Problem(404, "not-found")
        return Response(_as_object(order))


def _reused(key: UUID) -> str:
    words = gettext("The key %(key)s is of another report. A new request has a new key.")
    return words % {"key": key}


def _asker(request: HttpRequest) -> Actor:
    by = access_policy.actor(request, ReportIssued.kind)
    if by is None:
        raise Problem(403, "not-allowed")
    return by


def _as_object(order: ReportRequest) -> dict[str, object]:
    return {
        "report": str(order.request),
        "state": order.state,
        "number": order.number or None,
        "refusal": order.refusal or None,
        "page": reverse("report", args=[order.request]),
    }
