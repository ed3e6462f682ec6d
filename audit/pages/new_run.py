"""A run asked for on a page: the record judged again, or what would hold by another reading.

Nothing begins before it was said what would be looked at, and asked for once more.
"""

import json
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Final, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from audit.pages.audit_access import asks_runs
from audit.pages.law.law_pages import ReadingShown, reading_shown
from audit.pages.page_words import cited, title
from audit.reconcile.opening import Asked
from audit.reconcile.run_wanted import (
    RunRefused,
    Touched,
    Wanted,
    asked_of,
    touched,
    versions,
    want,
)
from casino.house_day import gaming_day_now
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.models import Table

READING: Final = "reading."  # what the fields of readings begin with
SEEN: Final = "seen"  # the digest of what was shown to whoever asks


class Choices(NamedTuple):
    """A reading on the form: its field, and the choice taken of it, '' for the adopted."""

    name: str
    cited: str
    reading: ReadingShown
    chosen: str


@require_http_methods(["GET", "HEAD", "POST"])
def new_run(request: HttpRequest) -> HttpResponse:
    """The form; sent, what it would look at; sent again as it was shown, the run."""
    if not asks_runs(request):
        raise PermissionDenied
    wanted, refused = _wanted(request), ""
    found: Touched | None = None
    seen = ""
    if request.method == "POST":
        try:
            asked = asked_of(wanted, request.user.get_username())
            found, seen = touched(asked), _digest(asked)
            if request.POST.get(SEEN) == seen:
                return HttpResponseRedirect(reverse("run", args=[want(asked)]))
        except RunRefused as error:
            refused = str(error)
    law = load_law(wanted.rulebook) if wanted.rulebook in rulebook_ids() else None
    return TemplateResponse(
        request,
        "audit/new_run.html",
        {
            **admin.site.each_context(request),
            "title": _("What would hold otherwise") if wanted.rulebook else _("Reconcile again"),
            "wanted": wanted,
            "refused": refused,
            "found": found,
            "seen": seen,
            "tables": Table.objects.order_by("table_code")
            .values_list("table_code", flat=True)
            .distinct(),
            "law": law,
            "law_title": "" if law is None else title(law),
            "books": [
                (one, title(load_law(one)), one == wanted.rulebook) for one in rulebook_ids()
            ],
            **({} if law is None else _choices(law, wanted)),
        },
        status=400 if refused else 200,
    )


def _wanted(request: HttpRequest) -> Wanted:
    """What the form sent, or what its address fills it in with; else the last night."""
    given = request.POST if request.method == "POST" else request.GET
    day = "" if request.method == "POST" else (gaming_day_now() - timedelta(days=1)).isoformat()
    readings = {
        name.removeprefix(READING): str(choice)
        for name, choice in given.items()
        if name.startswith(READING) and choice
    }
    return Wanted(
        given.get("from", day),
        given.get("to", given.get("from", day)),
        given.getlist("table"),
        given.get("rulebook", ""),
        readings,
        given.get("law_day", ""),
    )


def _digest(asked: Asked) -> str:
    return sha256(json.dumps(asked.as_args(), sort_keys=True).encode()).hexdigest()


def _choices(law: Law, wanted: Wanted) -> Mapping[str, object]:
    """The readings a rulebook leaves open and the days it changed on: what was chosen first."""
    readings = [
        Choices(
            READING + name,
            ", ".join(cited(law.id, article) for article in reading.articles),
            reading_shown(law, reading, gaming_day_now()),
            wanted.readings.get(name, ""),
        )
        for name, reading in law.readings.items()
    ]
    days = versions(law)
    return {
        "readings": sorted(readings, key=lambda one: not one.chosen),
        "versions": days if len(days) > 1 else [],
    }
