"""Values to be erased are ticked and proposed: those of one record, or of a request's page."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID, uuid4

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_http_methods

from audit.pages.privacy.privacy_words import kept_for, kept_words, source_of, value_words
from audit.retention.held_values import HeldValue, Keeping, values_of
from audit.retention.proposing import value_named
from audit.retention_events import Basis, ErasureProposed
from casino import clock
from casino.access import access_policy
from casino.events import Malformed
from casino.models import BookEntry
from casino.recording import Refused, Source, record
from casino.web.entries.entry_page import Leading, author_of, url_of
from casino.web.forms.record_form import announce, refusal_text

VALUE: Final = "value"  # boxes: which values are to be erased


def value_rows(
    request: HttpRequest, values: Sequence[HeldValue], basis: Basis
) -> list[dict[str, object]]:
    """Values as lists show them, each with why it is kept, '' where it may be erased."""
    keeping = Keeping(values)
    return [
        {
            **value_words(value),
            "day": value.gaming_day,
            "url": url_of(value.kind, value.entry_id)
            if access_policy.reads(request, value.kind) == "all"
            else "",
            "kept_for": kept_for(value.period),
            "source": source_of(value.period),
            "kept": kept_words(kept) if (kept := keeping.why(value, basis)) else "",
            "box": _box(value),
        }
        for value in values
    ]


def _box(value: HeldValue) -> str:
    return f"{value.entry_id}/{value.field}"


def propose_ticked(
    request: HttpRequest, values: Sequence[HeldValue], basis: Basis, number: str | None = None
) -> HttpResponse:
    """Record the proposal of those that were ticked, for another person to erase; or say why not.

    `number` is the request's, where somebody asked.
    """
    by = access_policy.actor(request, ErasureProposed.kind)
    if by is None:
        raise PermissionDenied
    ticked = set(request.POST.getlist(VALUE))
    asked = tuple(value_named(value) for value in values if _box(value) in ticked)
    if not asked:
        messages.error(request, _("Nothing was ticked: tick what is to be erased."))
        return HttpResponseRedirect(request.path)
    try:
        event = ErasureProposed(basis=basis, values=asked, request=number)
        receipt = record(event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source())
    except (Refused, Malformed) as refused:
        messages.error(request, refusal_text(refused))
        return HttpResponseRedirect(request.path)
    announce(request, receipt)
    return HttpResponseRedirect(reverse("erasure", args=[receipt.entry_id]))


@require_http_methods(["GET", "HEAD", "POST"])
def proposing_page(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """What was written into a record by mistake: somebody's name in a note, another's file."""
    if access_policy.actor(request, ErasureProposed.kind) is None:
        raise PermissionDenied
    entry = BookEntry.objects.filter(pk=entry_id).first()
    if entry is None:
        raise Http404
    if not access_policy.may_read_entry(request, entry.kind, entry.partida_id, author_of(entry)):
        raise PermissionDenied
    values = values_of([entry_id])
    if request.method == "POST":
        return propose_ticked(request, values, "recorded_in_error")
    rows = value_rows(request, values, "recorded_in_error")
    return TemplateResponse(
        request,
        "audit/erasure_new.html",
        {
            **admin.site.each_context(request),
            "title": _("Propose erasure"),
            "values": rows,
            "may_propose": any(not row["kept"] for row in rows),
            "erases": True,
            "box": VALUE,
        },
    )


def proposing_way(request: HttpRequest, entry: BookEntry) -> Leading | None:
    """From a record with something private to its erasure, for whoever may propose it."""
    if access_policy.actor(request, ErasureProposed.kind) is None or not values_of([entry.pk]):
        return None
    return Leading(_lazy("Propose erasure"), reverse("erasure-new", args=[entry.pk]), "close")
