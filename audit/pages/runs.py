"""A reconciliation: how far it has come while it runs, what it came to once it ended."""

from hashlib import sha256
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import condition

from audit import queries
from audit.models import Reconciliation, RunSheet
from audit.pages.access import reads_all
from audit.pages.moments import moment_words
from audit.pages.present import moments_of
from audit.pages.words import (
    OWED_TO,
    RUN_REASONS,
    PageWords,
    book_word,
    day,
    gravity_word,
    money,
    words,
)
from casino.admin.field_words import rulebook_word
from casino.admin.offices import offices_of

SHOWN = 10  # findings shown of a run
COMPARED = 200  # differences shown of a comparison
CHANGED = {
    "appear": _lazy("would appear"),
    "vanish": _lazy("would vanish"),
    "change": _lazy("would be said otherwise"),
}
ASK_AGAIN = 5  # seconds after which a page without script asks again


def _allowed(request: HttpRequest) -> None:
    if not (request.user.is_active and offices_of(request) and reads_all(request)):
        raise Http404


def _sheet(run: UUID) -> RunSheet | None:
    return RunSheet.objects.filter(run=run).first()


def _tag(request: HttpRequest, run: UUID) -> str | None:
    """The ETag of a run's progress: it changes with every part."""
    sheet = _sheet(run)
    if sheet is None:
        return None
    return f'"{sha256(repr(queries.progress_of(sheet)).encode()).hexdigest()[:16]}"'


def run_page(request: HttpRequest, run: UUID) -> HttpResponse:
    """One reconciliation."""
    _allowed(request)
    begun = Reconciliation.objects.filter(run=run).order_by("-pk").first()
    sheet = _sheet(run)
    about = begun or sheet
    if about is None:
        raise Http404
    result = None if begun is None else queries.result_of(begun)
    progress = None if sheet is None else queries.progress_of(sheet)
    under_way = result is None and sheet is not None and sheet.state == "open"
    say = words()
    raised = list(queries.newest_first(queries.raised_by(about))[:SHOWN])
    moments = moments_of(raised)
    return render(
        request,
        "audit/run.html",
        {
            **admin.site.each_context(request),
            "title": scope_of(about),
            "run": run,
            "begun": about,
            "laws": [
                (book_word(one["rulebook"]), one["sha256"])
                for one in getattr(about, "laws", None) or ()
                if one["sha256"]
            ],
            "reason": RUN_REASONS.get(about.reason, about.reason),
            "result": result,
            "progress": progress,
            "under_way": under_way,
            "ask_again": ASK_AGAIN,
            "comparison": _comparison(sheet, say),
            "progress_url": reverse("run-progress", args=[run]),
            "findings": [
                {
                    "finding": f,
                    "told": say.finding(f),
                    "when": moment_words(moments.get(f.pk)),
                    "gravity": gravity_word(f.severity, f.rulebook),
                }
                for f in raised
            ],
        },
    )


def _comparison(sheet: RunSheet | None, say: PageWords) -> dict[str, Any] | None:
    """What a run under another rulebook came to, as its page shows it."""
    if sheet is None or not sheet.compared:
        return None
    told = sheet.compared
    return {
        "counts": told["counts"],
        "owed": [
            (OWED_TO[whom], money(told["owed_now"][whom]), money(told["owed_then"][whom]))
            for whom in OWED_TO
        ],
        "differences": [
            {
                "word": CHANGED[one["change"]],
                "partida": (one["then"] or one["now"])["partida"],
                "rule": say.statement((one["then"] or one["now"])["check"]),
                "now": _cited(one["now"]),
                "then": _cited(one["then"]),
            }
            for one in told["differences"][:COMPARED]
        ],
        "left": sum(told["counts"][name] for name in CHANGED) - len(told["differences"][:COMPARED]),
    }


def _cited(one: dict[str, Any] | None) -> str:
    if one is None:
        return ""
    owed = f", {money(one['owed_cents'])}" if one["owed_to"] else ""
    return f"{one['article']}{owed}"


@condition(etag_func=_tag)
def run_progress(request: HttpRequest, run: UUID) -> HttpResponse:
    """How far a run has come, for the page's own script. 304 while nothing has changed."""
    _allowed(request)
    sheet = _sheet(run)
    if sheet is None:
        raise Http404
    progress = queries.progress_of(sheet)
    return JsonResponse({
        "state": progress.state,
        "per_cent": progress.per_cent,
        "said": _("%(done)s of %(parts)s parts") % {"done": progress.done, "parts": progress.parts},
    })  # fmt: skip


def scope_of(run: Reconciliation | RunSheet) -> str:
    """What a run looks at; of one under another rulebook, which, and that it is a comparison."""
    if run.rulebook:
        return _("%(run)s: comparison under %(rulebook)s") % {
            "run": _scope_of(run),
            "rulebook": rulebook_word(run.rulebook),
        }
    return _scope_of(run)


def _scope_of(run: Reconciliation | RunSheet) -> str:
    if run.partida_id:
        return _("Reconciliation of %(what)s") % {"what": run.partida_id}
    if run.from_day is None or run.to_day is None:
        return _("Reconciliation")
    if run.from_day == run.to_day:
        return _("Reconciliation of %(what)s") % {"what": day(run.from_day)}
    return _("Reconciliation from %(first)s to %(last)s") % {
        "first": day(run.from_day),
        "last": day(run.to_day),
    }
