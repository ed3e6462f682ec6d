"""The book itself: how long it is, what of it is signed and by whom, when it was last verified."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from audit import audit_queries
from audit.models import Finding, Verification, VerificationRun
from audit.models.audit_jobs import OPEN
from audit.pages.audit_access import reads_book, reads_findings, verifies
from audit.pages.book.book_state import COUNTED, BookState, book_state, signatures_of
from audit.runs import house_checks
from audit.verifying.kept_checkpoint import said_of_kept
from audit.verifying.problem_texts import proof, without_problem
from audit.verifying.run_verification import ask_for_verification
from casino import sealed

MOST_KEPT: Final = 262_144  # characters of a checkpoint that was kept


def _reader(request: HttpRequest) -> None:
    if not reads_book(request):
        raise PermissionDenied


@require_safe
def book_page(request: HttpRequest) -> HttpResponse:
    """How the book stands."""
    _reader(request)
    state = book_state()
    signatures = None if state.newest is None else signatures_of(state.newest)
    verified = _verified(request)
    trouble = signatures is not None and signatures.trouble
    return TemplateResponse(
        request,
        "audit/book.html",
        {
            **admin.site.each_context(request),
            "title": _("The book"),
            "state": state,
            "figures": _figures(state),
            "signatures": signatures,
            "well": state.well and not trouble and not verified["findings"].number,
            **verified,
        },
    )


def _figures(state: BookState) -> Mapping[str, object]:
    """The numbers as they are said."""
    more = state.waiting > COUNTED
    return {
        "entries": number_format(state.entries, force_grouping=True),
        "tree": number_format(state.tree, force_grouping=True),
        "waiting": number_format(min(state.waiting, COUNTED), force_grouping=True),
        "waiting_more": more,
        "waits": "" if state.waits_since is None else ago(state.waits_since, state.now),
        "unsealed": number_format(state.unsealed, force_grouping=True),
        "unsealed_for": ""
        if state.unsealed_since is None
        else ago(state.unsealed_since, state.now),
        "covered_ago": ""
        if state.newest is None or state.newest.newest_at is None
        else ago(state.newest.newest_at, state.now),
    }


def _verified(request: HttpRequest) -> Mapping[str, Any]:
    """When the book was verified, what is open of it, and the verification under way."""
    asked = VerificationRun.objects.defer("carried", "found").order_by("-asked_at").first()
    under_way = asked if asked is not None and asked.state == OPEN else None
    held = Finding.objects.filter(rulebook=house_checks.RULEBOOK, article=house_checks.BOOK)
    findings = audit_queries.tallies([audit_queries.open_findings(held).order_by("-n")])[0]
    last = Verification.objects.order_by("-pk").first()
    return {
        "last": last,
        "last_came_to": without_problem(last.kept) if last and not last.problems else "",
        "last_proves": proof(last.size, last.kept) if last and not last.problems else "",
        "under_way": under_way,
        "findings": findings,
        "findings_url": open_url() if reads_findings(request) else "",
        "may_verify": verifies(request),
    }


def open_url() -> str:
    """The list of the open findings about the book itself."""
    listed = reverse("admin:audit_finding_changelist")
    return f"{listed}?article={house_checks.BOOK}&state={audit_queries.OPEN}"


def ago(then: datetime, now: datetime) -> str:
    """How long, in the largest unit that says something: ``12 seconds``, ``3 hours``."""
    seconds = max(int((now - then).total_seconds()), 0)
    if seconds < 120:
        return ngettext("%(n)s second", "%(n)s seconds", seconds) % {"n": seconds}
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86_400
    if minutes < 120:
        return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}
    if hours < 48:
        return ngettext("%(n)s hour", "%(n)s hours", hours) % {"n": hours}
    return ngettext("%(n)s day", "%(n)s days", days) % {"n": days}


@require_safe
def checkpoint_file(request: HttpRequest) -> HttpResponse:
    """The newest checkpoint as a signed note, with what witnesses signed."""
    _reader(request)
    newest = sealed.latest()
    if newest is None:
        raise Http404
    return text_file(newest.note, "checkpoint")


@require_safe
def policy_file(request: HttpRequest) -> HttpResponse:
    """The keys the house says it signs with."""
    _reader(request)
    text = sealed.policy_text()
    if not text:
        raise Http404
    return text_file(text, "policy")


def kept_text(text: str) -> str:
    """A checkpoint that was kept, however a form or the mail ended its lines; '' for none."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").strip("\n")
    return f"{lines}\n" if lines.strip() else ""


def checkpoint_brought(request: HttpRequest) -> str:
    """The checkpoint a form brings, pasted or as a file; '' for none."""
    brought = request.FILES.get("checkpoint_file")
    if brought is not None:
        return kept_text(brought.read(MOST_KEPT).decode("utf-8", "replace"))
    return kept_text(request.POST.get("checkpoint", "")[:MOST_KEPT])


def text_file(text: str, name: str) -> HttpResponse:
    """A text to be put away as a file of this name."""
    answer = HttpResponse(text, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "private, no-store"
    return answer


@require_POST
def verify_now(request: HttpRequest) -> HttpResponse:
    """Have the whole book verified: somebody else does it, the page shows how far it is.

    Held against a checkpoint that whoever asks kept outside the house, if he brings one.
    """
    if not verifies(request):
        raise PermissionDenied
    kept = checkpoint_brought(request)
    if kept or "compare" in request.POST:
        try:
            tone, said = said_of_kept(kept)
        except ValueError:
            messages.error(
                request,
                _(
                    "That is no checkpoint: three lines, an empty line and signatures, as the house"
                    " gave it out. Nothing was started."
                ),
            )
            return HttpResponseRedirect(reverse("book"))
        if "compare" in request.POST:
            levels = {"kept": messages.SUCCESS, "breach": messages.ERROR}
            messages.add_message(request, levels.get(tone, messages.WARNING), said)
            return HttpResponseRedirect(reverse("book"))
    run: UUID = ask_for_verification(request.user.get_username(), "asked", older=kept)
    return HttpResponseRedirect(reverse("book-verification", args=[run]))
