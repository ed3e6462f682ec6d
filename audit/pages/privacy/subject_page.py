"""What is held of one person, for the answer to his request; and its erasure, where he asks."""

from collections import Counter
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from audit.letter_state import sent_as
from audit.models import ErasureProposal, SubjectRequest
from audit.pages.privacy.looks_page import look_rows, looks_at
from audit.pages.privacy.proposing_page import VALUE, propose_ticked, value_rows
from audit.retention.erasures_waiting import ANSWERED_IN
from audit.retention.held_values import values_of
from audit.retention.retention_periods import INSPECTOR
from audit.retention.subject_search import Found, search
from audit.retention_events import Basis
from casino import clock
from casino.access import access_policy
from casino.access.private_looks import looked_at
from casino.events.notices import NoticeSent
from casino.models import BookEntry
from casino.web.entries.entry_page import author_of, url_of
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word


@require_http_methods(["GET", "HEAD", "POST"])
def subject_page(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """Where he occurs, by record and field, why and until when; whoever looked at it.

    Whoever opens it searches, and is in the log of looks for it. No value but the one that was
    searched for is shown: the records show theirs.
    """
    asked = SubjectRequest.objects.filter(pk=entry_id).first()
    entry = BookEntry.objects.select_related("stream").filter(pk=entry_id).first()
    if asked is None or entry is None:
        raise Http404
    private = looked_at(request, entry, author_of(entry))
    if private is None:
        raise PermissionDenied
    subject = str(private.get("subject", ""))
    found = search(subject, asked.about) if subject else Found(frozenset(), Counter())
    # An inspector's own note is not the house's to hand out, nor to name.
    values = [value for value in values_of(found.entries) if value.period.name != INSPECTOR]
    entries = {value.entry_id for value in values}
    if request.method == "POST":
        return propose_ticked(request, values, "data_subject_request", asked.request)
    erases = asked.asks == "erasure"
    basis: Basis = "data_subject_request" if erases else "retention_over"
    proposals = ErasureProposal.objects.filter(request=asked.request).order_by("n")
    rows = value_rows(request, values, basis)
    return TemplateResponse(
        request,
        "audit/subject.html",
        {
            **admin.site.each_context(request),
            "title": _("What is held of a person"),
            "row": asked,
            "asks": field_words.word(asked.asks),
            "about": field_words.word(asked.about, "about"),
            "subject": subject,
            "answer_by": asked.received_on + ANSWERED_IN,
            "today": clock.now(),
            **_answers(request, asked.request),
            "values": rows,
            "may_propose": not all(row["kept"] for row in rows),
            "named_in": [(capfirst(kind_word(kind)), n) for kind, n in found.named.most_common()],
            "looks": look_rows(looks_at(entries, staff=asked.about == "staff")),
            "proposals": [(one, reverse("erasure", args=[one.pk])) for one in proposals],
            "erases": erases,
            "entry_url": url_of(entry.kind, entry.pk),
            "box": VALUE,
        },
    )


def _answers(request: HttpRequest, number: str) -> dict[str, object]:
    """With which notices it was answered; where that is recorded, for whoever may."""
    answers = [(one, url_of(NoticeSent.kind, one.pk)) for one in sent_as(number)]
    if answers or access_policy.actor(request, NoticeSent.kind) is None:
        return {"answers": answers}
    begun = urlencode({"reference": number, "to": "other"})
    return {"answer_url": f"{reverse('admin:casino_notice_add')}?{begun}"}
