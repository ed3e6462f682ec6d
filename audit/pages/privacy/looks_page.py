"""Who looked at private values: by person, by record. Never the value, nor what may not be read."""

from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_safe

from audit.exporting.private_files import NAMES_FILES
from audit.retention_events import ErasureProposed
from casino.access import access_policy
from casino.events.staff import StaffRegistered
from casino.extensions import event_kinds
from casino.models import BookEntry, PrivateLook
from casino.web.display.money_and_time import moment
from casino.web.entries.entry_page import Leading, url_of
from casino.web.entries.timeline_links import linked
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word

LISTED: Final = 200


def _readable(request: HttpRequest) -> QuerySet[PrivateLook]:
    """Looks at kinds he may read whole: that an inspector noted something is no one else's."""
    how = access_policy.readable_kinds(request, event_kinds())
    return PrivateLook.objects.filter(kind__in=[kind for kind, of in how.items() if of == "all"])


def looks_at(entries: Collection[UUID], *, staff: bool) -> QuerySet[PrivateLook]:
    """The looks at these entries, and, of staff, at lists of all names: for the person's answer."""
    asked = Q(entry__in=list(entries))
    if staff:
        asked |= Q(entry=None, kind=StaffRegistered.kind)
    return PrivateLook.objects.filter(asked)


def look_rows(looks: QuerySet[PrivateLook]) -> list[dict[str, object]]:
    """The newest of them as lists show them."""
    return [
        {
            "at": moment(one.at),
            "who": linked("person", one.staff),
            "kind": capfirst(kind_word(one.kind)),
            "field": capfirst(field_words.label(one.field, one.kind)),
            "url": "" if one.entry is None else url_of(one.kind, one.entry),
            "page": one.page,
        }
        for one in looks.order_by("-id")[:LISTED]
    ]


@require_safe
def looks_page(request: HttpRequest) -> HttpResponse:
    """The newest looks, of one person (`staff`) or at one record (`entry`) where that is asked."""
    if access_policy.reads(request, ErasureProposed.kind) != "all":
        raise PermissionDenied
    looks, entry = _readable(request), _entry(request)
    staff = request.GET.get("staff", "").replace("\0", "").strip()
    if staff:
        looks = looks.filter(staff__iexact=staff)
    if entry is not None:
        looks = looks.filter(entry=entry)
    return TemplateResponse(
        request,
        "audit/looks.html",
        {
            **admin.site.each_context(request),
            "title": _("Looks at private values"),
            "staff": staff,
            "entry": entry,
            "looks": look_rows(looks),
            "more": looks.count() > LISTED,
            "listed": LISTED,
        },
    )


def _entry(request: HttpRequest) -> UUID | None:
    try:
        return UUID(request.GET.get("entry", ""))
    except ValueError:
        return None


def looks_way(request: HttpRequest, entry: BookEntry) -> Leading | None:
    """From a record that has something private to who looked at it."""
    if access_policy.reads(request, ErasureProposed.kind) != "all":
        return None
    private = getattr(event_kinds().get(entry.kind), "private", ())
    if not private and NAMES_FILES not in bytes(entry.entry):
        return None
    return Leading(_lazy("Who looked"), f"{reverse('looks')}?entry={entry.pk}", "person")
