"""A verification of the book: how far it has come while it runs, what it came to once it ended."""

from hashlib import sha256
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_safe

from audit.models import Verification
from audit.pages.audit_access import reads_book, reads_findings
from audit.pages.book.book_page import open_url
from audit.pages.book.problem_words import problems_of, unseen_of
from audit.verifying.problem_texts import heading, proof
from audit.verifying.request_verification import Progress, progress

ASK_AGAIN = 5  # seconds after which a page without script asks again


def _asked(request: HttpRequest, run: UUID) -> Progress | None:
    if not reads_book(request):
        raise PermissionDenied
    return progress(run)


def _tag(request: HttpRequest, run: UUID) -> str | None:
    """The ETag of its progress: it changes with every part."""
    if not reads_book(request):
        return None
    found = progress(run)
    return None if found is None else f'"{sha256(repr(found).encode()).hexdigest()[:16]}"'


@require_safe
def verification_page(request: HttpRequest, run: UUID) -> HttpResponse:
    """One verification."""
    progress = _asked(request, run)
    result = Verification.objects.filter(run=run).order_by("-pk").first()
    if progress is None and result is None:
        raise Http404
    under_way = result is None and progress is not None and not progress.ended
    return TemplateResponse(
        request,
        "audit/verification.html",
        {
            **admin.site.each_context(request),
            "title": _("Verification of the book"),
            "run": run,
            "progress": progress,
            "said": "" if progress is None else said(progress),
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
@condition(etag_func=_tag)
def verification_progress(request: HttpRequest, run: UUID) -> HttpResponse:
    """How far it has come, for the page's own script. 304 while nothing has changed."""
    progress = _asked(request, run)
    if progress is None:
        raise Http404
    return JsonResponse(
        {
            "state": "ended" if progress.ended else "open",
            "per_cent": progress.percent,
            "said": said(progress),
        }
    )


def said(progress: Progress) -> str:
    """How far it has come, in words."""
    if progress.state == "waiting":
        return _("waits for a worker")
    values = {
        "what": progress.phase_words,
        "entries": number_format(progress.entries, force_grouping=True),
        "size": number_format(progress.size, force_grouping=True),
    }
    if progress.size:
        return _("%(what)s: %(entries)s of %(size)s entries read") % values
    return str(progress.phase_words)
