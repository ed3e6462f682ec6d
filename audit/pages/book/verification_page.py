"""A verification of the book: how far it has come while it runs, what it came to once it ended."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import conditional_page, require_safe

from audit.models import Verification, VerificationRun
from audit.models.audit_jobs import OPEN
from audit.pages.audit_access import reads_book, reads_findings
from audit.pages.book.book_page import open_url
from audit.pages.book.problem_words import problems_of, unseen_of
from audit.verifying.problem_texts import heading, proof

ASK_AGAIN = 5  # seconds after which a page without script asks again
# What is looked at, in this order, by the name that VerificationRun.phase holds.
PHASES: Final[Mapping[str, Promise]] = {
    "entries": _lazy("entries and tree"),
    "ends": _lazy("ends of the streams"),
    "waiting": _lazy("entries without a place"),
    "files": _lazy("attachments"),
    "shelves": _lazy("shelves"),
    "strangers": _lazy("rows of no entry"),
    "seal": _lazy("signed checkpoints"),
    "passkeys": _lazy("confirmations by passkey"),
    "findings": _lazy("findings and their runs"),
    "schema": _lazy("tables and rights"),
}


def _row(request: HttpRequest, run: UUID) -> VerificationRun | None:
    if not reads_book(request):
        raise PermissionDenied
    return VerificationRun.objects.filter(run=run).defer("carried", "found").first()


@require_safe
def verification_page(request: HttpRequest, run: UUID) -> HttpResponse:
    """One verification."""
    row = _row(request, run)
    result = Verification.objects.filter(run=run).order_by("-pk").first()
    if row is None and result is None:
        raise Http404
    under_way = result is None and row is not None and row.state == OPEN
    return TemplateResponse(
        request,
        "audit/verification.html",
        {
            **admin.site.each_context(request),
            "title": _("Verification of the book"),
            "run": run,
            "progress": row,
            "said": "" if row is None else _said(row),
            "result": result,
            "came_to": "" if result is None else heading(result.size, result.kept),
            "proves": "" if result is None or result.problems else proof(result.size, result.kept),
            "under_way": under_way,
            "ask_again": ASK_AGAIN,
            "progress_url": reverse("book-verification-progress", args=[run]),
            "problems": [] if under_way else problems_of(run),
            "unseen": [] if under_way else unseen_of(run),
            "reads_findings": reads_findings(request),
            "findings_url": open_url(),
        },
    )


@require_safe
@conditional_page
def verification_progress(request: HttpRequest, run: UUID) -> HttpResponse:
    """How far it has come, for the page's own script. 304 while nothing has changed."""
    row = _row(request, run)
    if row is None:
        raise Http404
    state = "open" if row.state == OPEN else "ended"
    return JsonResponse({"state": state, "per_cent": row.percent, "said": _said(row)})


def _said(under_way: VerificationRun) -> str:
    """How far it has come, in words."""
    if under_way.state == OPEN and under_way.began_at is None:
        return _("waits for a worker")
    values: dict[str, object] = {
        "what": PHASES.get(under_way.phase, ""),
        "entries": number_format(under_way.entries, force_grouping=True),
        "size": number_format(under_way.size, force_grouping=True),
    }
    if under_way.size:
        return _("%(what)s: %(entries)s of %(size)s entries read") % values
    return str(values["what"])
