"""A reconciliation: how far it has come while it runs, what it came to once it ended."""

from collections.abc import Mapping
from uuid import UUID

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page

from audit import audit_queries
from audit.events import ReconciliationFinished, ReconciliationStarted
from audit.models import Reconciliation, ReconciliationResult, RunSheet
from audit.models.audit_jobs import OPEN
from audit.pages.audit_access import reads_all
from audit.pages.findings.comparison_page import comparison_of
from audit.pages.findings.heading_moments import lines_of
from audit.pages.page_words import RUN_REASONS, book_word, day, law
from audit.reconcile.run_wanted import waiting
from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.models import BookEntry
from casino.web.entries.entry_page import Leading, body_of
from casino.web.entries.entry_standing import Standings, struck
from casino.web.words import figure_words
from casino.web.words.field_words import rulebook_word
from casino.web.words.withdrawn_words import withdrawn_words

SHOWN = 10  # findings shown of a run
ASK_AGAIN = 5  # seconds after which a page without script asks again


def _allowed(request: HttpRequest) -> None:
    if not (request.user.is_active and offices_of(request) and reads_all(request)):
        raise Http404


def run_page(request: HttpRequest, run: UUID) -> HttpResponse:
    """One reconciliation."""
    _allowed(request)
    begun = Reconciliation.objects.filter(run=run).order_by("-pk").first()
    sheet = RunSheet.objects.filter(run=run).first()
    asked_by = begun.asked_by if begun is not None else ""
    if sheet is None and begun is None:
        sheet, asked_by = _waiting(run)
    about = begun or sheet
    if about is None:
        raise Http404
    result = None if begun is None else audit_queries.result_of(begun)
    progress = None if sheet is None else audit_queries.progress_of(sheet)
    under_way = result is None and sheet is not None and sheet.state == "open"
    raised = list(audit_queries.newest_first(audit_queries.raised_by(about))[:SHOWN])
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
            "readings": _readings(about),
            "asked_by": asked_by,
            "progress": progress,
            "said": _said(progress),
            "under_way": under_way,
            "ask_again": ASK_AGAIN,
            "comparison": (comparison := comparison_of(request, sheet)),
            "would_hold": _would_hold(result, comparison),
            **_withdrawal(request, begun, result),
            "progress_url": reverse("run-progress", args=[run]),
            "findings": lines_of(raised),
        },
    )


def _would_hold(
    result: ReconciliationResult | None, comparison: Mapping[str, object] | None
) -> object:
    """How many findings a comparison came to: those it compares, not what is found of the auditing
    itself, which no rulebook changes.
    """
    compared = comparison and comparison["would_hold"]
    return compared if compared is not None else result and result.findings


def _withdrawal(
    request: HttpRequest, begun: Reconciliation | None, result: ReconciliationResult | None
) -> dict[str, object]:
    """How a run stands that wrote findings under another rulebook; the way to withdraw it.

    Since 0.7 none writes any, and there is nothing to be withdrawn of it.
    """
    if begun is None or not begun.rulebook:
        return {}
    standings = Standings([(begun.stream, begun.n)])
    standing = standings.of(begun.stream, begun.n)
    asked = standings.corrections(begun.stream, begun.n)
    wrote = audit_queries.raised_by(begun).exists() or bool(result and result.superseded)
    may = (
        wrote
        and standing == "holds"
        and access_policy.withdraws(request, ReconciliationStarted.kind)
    )
    return {
        "struck": struck(standing),
        "wrote": wrote,
        "withdrawn": withdrawn_words(asked[-1], begun.recorded_at, ReconciliationStarted.kind)
        if asked
        else "",
        "decision_url": reverse("admin:casino_supersession_change", args=[asked[-1].entry_id])
        if asked
        else "",
        "withdraw_url": reverse("admin:casino_bookentry_withdraw", args=[begun.pk]) if may else "",
    }


@conditional_page
def run_progress(request: HttpRequest, run: UUID) -> HttpResponse:
    """How far a run has come, for the page's own script. 304 while nothing has changed."""
    _allowed(request)
    sheet = RunSheet.objects.filter(run=run).first() or _waiting(run)[0]
    if sheet is None:
        raise Http404
    progress = audit_queries.progress_of(sheet)
    values = {"state": progress.state, "per_cent": progress.per_cent, "said": _said(progress)}
    return JsonResponse(values)


def _waiting(run: UUID) -> tuple[RunSheet | None, str]:
    """A run that was asked for and no worker has begun, with who asked."""
    return next((one for one in waiting() if one[0].run == run), (None, ""))


def _said(progress: audit_queries.Progress | None) -> str:
    """How far a run has come, in words."""
    if progress is None or not progress.parts:
        return _("waits for a worker") if progress and progress.state == OPEN else ""
    return _("%(done)s of %(parts)s parts") % {"done": progress.done, "parts": progress.parts}


def scope_of(run: Reconciliation | RunSheet) -> str:
    """What a run looks at; of one under another rulebook, which, and that it is a comparison."""
    if not run.rulebook:
        return _scope_of(run)
    return _("%(run)s: comparison under %(rulebook)s") % {
        "run": _scope_of(run),
        "rulebook": ", ".join([rulebook_word(run.rulebook), *taken(run)]),
    }


def _readings(run: Reconciliation | RunSheet) -> list[tuple[str, str]]:
    """The readings a run took otherwise: each with what it then says."""
    book, taken_so = law(run.rulebook), run.readings or {}
    return [
        (name, figure_words.meaning(book.readings[name], choice))
        for name, choice in sorted(taken_so.items())
        if book is not None and name in book.readings
    ]


def run_way(request: HttpRequest, entry: BookEntry) -> Leading | None:
    """From the page of the entry that a run began, or ended, to the run's own."""
    if entry.kind not in (ReconciliationStarted.kind, ReconciliationFinished.kind):
        return None
    run = body_of(entry)["payload"]["run"]
    return Leading(_lazy("The run"), reverse("run", args=[run]), "running")


def taken(run: Reconciliation | RunSheet) -> list[str]:
    """How a run's rulebook was taken otherwise than it is in force: readings, a day."""
    texts = [_("reading: %(means)s") % {"means": means} for _name, means in _readings(run)]
    if run.law_day is not None:
        texts.append(_("as it stood on %(day)s") % {"day": day(run.law_day)})
    return texts


def _scope_of(run: Reconciliation | RunSheet) -> str:
    if run.tables:
        text = ngettext("%(run)s, table %(tables)s", "%(run)s, tables %(tables)s", len(run.tables))
        return text % {"run": _of_days(run), "tables": ", ".join(run.tables)}
    return _of_days(run)


def _of_days(run: Reconciliation | RunSheet) -> str:
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
