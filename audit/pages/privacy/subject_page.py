"""What is held of one person, for the answer to his request; and its erasure, where he asks."""

from collections import Counter
from datetime import timedelta
from typing import Final
from uuid import UUID, uuid4

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from audit.models import ErasureProposal, SubjectRequest
from audit.pages.privacy.looks_page import look_rows, looks_at
from audit.pages.privacy.privacy_words import kept_for, kept_words, source_of, value_words
from audit.retention.held_values import HeldValue, Keeping, values_of
from audit.retention.proposing import value_named
from audit.retention.subject_search import Found, search
from audit.retention_events import ErasureProposed
from casino import clock
from casino.access import access_policy
from casino.access.private_looks import looked_at
from casino.events import Malformed
from casino.models import BookEntry
from casino.recording import Refused, record
from casino.recording.submission import Source
from casino.web.entries.entry_page import author_of, url_of
from casino.web.forms.record_form import announce, refusal_text
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word

ANSWERED_IN: Final = timedelta(days=30)  # RGPD art. 12, n.º 3: a month
VALUE: Final = "value"  # boxes: which values are to be erased


@require_http_methods(["GET", "HEAD", "POST"])
def subject_page(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """Where he occurs, by record and field, why and until when; whoever looked at it.

    Whoever opens it searches, and is in the log of looks for it. No value but the one that was
    searched for is shown: the records show theirs.
    """
    row = SubjectRequest.objects.filter(pk=entry_id).first()
    if access_policy.actor(request, ErasureProposed.kind) is None:
        raise PermissionDenied
    if row is None:
        raise Http404
    entry = BookEntry.objects.select_related("stream").get(pk=entry_id)
    private = looked_at(request, entry, author_of(entry))
    if private is None:
        raise PermissionDenied
    subject = str(private.get("subject", ""))
    found = search(subject, row.about) if subject else Found(frozenset(), Counter())
    values = [
        value
        for value in values_of(found.entries)
        if access_policy.reads(request, value.kind) == "all"
    ]
    if request.method == "POST":
        return _proposed(request, row, values)
    keeping = Keeping(values)
    looks = looks_at(request, found.entries, staff=row.about == "staff")
    return TemplateResponse(
        request,
        "audit/subject.html",
        {
            **admin.site.each_context(request),
            "title": _("What is held of a person"),
            "row": row,
            "asks": field_words.word(row.asks),
            "about": field_words.word(row.about),
            "subject": subject,
            "answer_by": row.received_on + ANSWERED_IN,
            "today": clock.now(),
            "values": [_row(value, keeping, row.asks) for value in values],
            "named_in": [
                (capfirst(kind_word(kind)), times) for kind, times in found.named.most_common()
            ],
            "looks": look_rows(request, looks),
            "proposals": [
                (one, reverse("erasure", args=[one.pk]))
                for one in ErasureProposal.objects.filter(request=row.request).order_by("n")
            ],
            "erases": row.asks == "erasure",
            "entry_url": url_of(entry.kind, entry.pk),
            "box": VALUE,
        },
    )


def _row(value: HeldValue, keeping: Keeping, asks: str) -> dict[str, object]:
    kept = keeping.why(value, on_request=asks == "erasure")
    return {
        **value_words(value),
        "day": value.gaming_day,
        "url": url_of(value.kind, value.entry_id),
        "kept_for": kept_for(value.period),
        "source": source_of(value.period),
        "kept": "" if kept is None else kept_words(kept),
        "box": f"{value.entry_id}/{value.field}",
    }


def _proposed(request: HttpRequest, row: SubjectRequest, values: list[HeldValue]) -> HttpResponse:
    """A proposal of what was ticked, for another person to erase."""
    here = HttpResponseRedirect(reverse("subject", args=[row.pk]))
    by = access_policy.actor(request, ErasureProposed.kind)
    if by is None:
        raise PermissionDenied
    ticked = set(request.POST.getlist(VALUE))
    asked = [value for value in values if f"{value.entry_id}/{value.field}" in ticked]
    if not asked:
        messages.error(request, _("Nothing was ticked: tick what is to be erased."))
        return here
    try:
        event = ErasureProposed(
            basis="data_subject_request",
            values=tuple(map(value_named, asked)),
            request=row.request,
        )
        now = clock.now()
        receipt = record(event, key=uuid4(), by=by, occurred_at=now, source=Source())
    except (Refused, Malformed) as refused:
        messages.error(request, refusal_text(refused))
        return here
    announce(request, receipt)
    return HttpResponseRedirect(reverse("erasure", args=[receipt.entry_id]))
