"""Runs and reports asked for by the API, in the name of whoever is logged in: no machine asks."""

from collections.abc import Mapping
from typing import Final, cast
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework.response import Response

from audit.audit_queries import progress_of
from audit.models import RunSheet
from audit.pages.audit_access import asks_runs
from audit.reconcile.opening import Asked
from audit.reconcile.run_wanted import RunKeyReused, RunRefused, Wanted, asked_of, touched, want
from casino.api.api_problems import Problem
from casino.api.callers import ApiView
from casino.api.json_bodies import object_of
from casino.api.openapi import answers, asked, body_of_json, list_of, object_schema
from casino.api.records_api import KEY, key_of
from casino.events import Malformed
from casino.events.round.field_form import shown
from casino.reading.strict_json import field_path

_DAY = {"type": "string", "format": "date"}
_TEXT = {"type": "string", "maxLength": 200}
_TEXTS = {"type": "object", "additionalProperties": _TEXT}
_WHOLE = {"type": "integer"}
# What the API says of a comparison; its differences are on the run's page, one by one.
_COMPARED: Final = ("counts", "owed_now", "owed_then", "looked_at", "whole", "sums", "digest")
LONGEST: Final = 200
_OPTIONAL = ("rulebook", "law_day")
RUN = object_schema(
    ("from", "to"),
    **{"from": _DAY, "to": _DAY},
    tables=list_of(_TEXT, maxItems=100),
    rulebook=_TEXT,
    law_day=_TEXT,
    readings=_TEXTS,
)
_COUNTS = ("days", "games", "rounds", "otherwise", "unjudged")


class RunsApi(ApiView):
    """``POST /api/v1/runs``: days judged again; with a rulebook, what would hold by it.

    Its key is the run's for ever: sent again, it is the same run.
    """

    http_method_names = ("post",)
    only_looked_at = False

    def operation(self, method: str) -> dict[str, object]:
        """A run, or what it would look at."""
        counts = object_schema(_COUNTS, **dict.fromkeys(_COUNTS, _WHOLE))
        run = object_schema(("run",), run={"type": "string", "format": "uuid"})
        example = {"from": "2026-11-20", "to": "2026-11-20", "tables": ["BJ-06"]}
        answer = answers(200, counts) if self.only_looked_at else answers(202, run)
        parameters = asked() if self.only_looked_at else asked(KEY)
        body = body_of_json(RUN, example)
        return {"parameters": parameters, "requestBody": body, "responses": answer}

    def post(self, request: HttpRequest) -> Response:
        """Ask for it, or look at it."""
        if not asks_runs(request):
            raise Problem(403, "not-allowed")
        wanted = _wanted(request.data)  # type: ignore[attr-defined]  # DRF's request
        try:
            run: Asked = asked_of(wanted, request.user.get_username())
            counts = touched(run)
            if self.only_looked_at:
                return Response(dict(zip(_COUNTS, counts, strict=True)))
            wanted_run = want(run, key_of(request))
        except RunRefused as refused:
            raise Problem(422, "run-refused", str(refused)) from refused
        except RunKeyReused as reused:
            words = gettext("The key %(key)s is of another run. A new request has a new key.")
            raise Problem(422, "key-reused", words % {"key": reused}) from reused
        place = reverse("api:runs-one", args=[wanted_run])
        return Response({"run": str(wanted_run)}, 202, headers={"Location": place})


class RunApi(ApiView):
    """``GET /api/v1/runs/<id>``: how far it has come."""

    http_method_names = ("get", "head")

    def operation(self, method: str) -> dict[str, object]:
        """By its id."""
        found = {"type": "object", "required": ["run", "state"]}
        return {"parameters": asked("entry_id"), "responses": answers(200, found)}

    def get(self, request: HttpRequest, entry_id: UUID) -> Response:
        """Its state, and its page."""
        if not asks_runs(request):
            raise Problem(403, "not-allowed")
        sheet = RunSheet.objects.filter(run=entry_id).first()
        values: dict[str, object] = {"run": str(entry_id), "state": "waiting"}
        if sheet is not None:
            progress = progress_of(sheet)
            values |= {"state": progress.state, "per_cent": progress.per_cent}
            if sheet.compared:
                values["compared"] = {
                    name: sheet.compared[name] for name in _COMPARED if name in sheet.compared
                }
        return Response(values | {"page": reverse("run", args=[entry_id])})


def _wanted(body: object) -> Wanted:
    """What was sent, as a form sends it. Raises: Malformed."""
    given = object_of(body, "$", {"from", "to"}, {"tables", "readings", *_OPTIONAL})
    tables, readings = given.pop("tables", []), given.pop("readings", {})
    if not isinstance(readings, dict):
        raise Malformed("$.readings", "found {found}; asked is an object", found=shown(readings))
    check_texts(tables, "$.tables")
    texts, by_name = texts_in(given), texts_in(readings, "$.readings")
    return Wanted(
        texts["from"],
        texts["to"],
        cast("list[str]", tables),
        texts.get("rulebook", ""),
        by_name,
        texts.get("law_day", ""),
    )


def texts_in(given: Mapping[str, object], path: str = "$") -> dict[str, str]:
    """Short texts by their names; `path` is where they stand. Raises: Malformed."""
    for name, value in given.items():
        check_text(value, field_path(path, name))
    return cast("dict[str, str]", dict(given))


def check_texts(values: object, path: str) -> None:
    """A list of short texts. Raises: Malformed."""
    if not isinstance(values, list):
        raise Malformed(path, "found {found}; asked is a list", found=shown(values))
    for at, value in enumerate(values):
        check_text(value, f"{path}[{at}]")


def check_text(value: object, path: str) -> None:
    """A short text. Raises: Malformed."""
    if not isinstance(value, str) or len(value) > LONGEST or "\0" in value:
        raise Malformed(
            path,
            "found {found}; asked is a text of 1 to {longest} characters",
            found=shown(value),
            longest=LONGEST,
        )
