"""A proposal of erasure: what it names, who stands behind it, and the word of the next person."""

from collections.abc import Mapping, Sequence
from typing import Final, TypedDict
from uuid import UUID, uuid4

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from audit.models import ErasureDecision, ErasureProposal
from audit.pages.privacy.privacy_words import PERIODS
from audit.retention.retention_periods import period_of
from audit.retention.retention_questions import is_refused, persons_of
from audit.retention_events import ErasureDecided, ErasureProposed
from casino import clock
from casino.access import access_policy
from casino.events import Malformed
from casino.events.event import EntryRef, Event
from casino.events.keeping import Erased
from casino.models import BookEntry, Erasure
from casino.recording import Actor, Refused, Submission, record_many
from casino.recording.second_persons import acted
from casino.web.display.money_and_time import moment
from casino.web.display.status_marks import mark
from casino.web.entries.entry_page import url_of
from casino.web.entries.timeline_links import linked
from casino.web.forms.record_form import announce, refusal_text
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word

READ: Final = "read"  # a box: that it cannot be undone was read


class NamedValue(TypedDict):
    """A value as the projection of proposals names it."""

    stream: str
    n: int
    leaf: str
    field: str


def _erased(proposal: ErasureProposal) -> dict[tuple[str, int, str], Erasure]:
    named = Q(pk__in=())
    for one in proposal.values:
        named |= Q(entry_stream=one["stream"], entry_n=one["n"], field=one["field"])
    rows = Erasure.objects.filter(named)
    return {(row.entry_stream, row.entry_n, row.field): row for row in rows}


def state_of(proposal: ErasureProposal) -> SafeString:
    """Waiting for how many, refused or carried out."""
    erased = len(_erased(proposal))
    if erased == len(proposal.values):
        return mark("kept", _("erased"))
    if is_refused(proposal):
        return mark("idle", _("refused"))
    waits = (
        _("waits for two persons"),
        _("waits for a second person"),
        _("agreed to, not erased yet"),
    )
    return mark("warning", waits[min(len(persons_of(proposal)), 2)])


@require_http_methods(["GET", "HEAD", "POST"])
def erasure_page(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """What is to be erased, by record and field; no value is shown."""
    if access_policy.reads(request, ErasureProposed.kind) != "all":
        raise PermissionDenied
    proposal = ErasureProposal.objects.filter(pk=entry_id).first()
    if proposal is None:
        raise Http404
    erased, me = _erased(proposal), request.user.get_username().casefold()
    values: list[NamedValue] = proposal.values
    left = [one for one in values if (one["stream"], one["n"], one["field"]) not in erased]
    open_still = bool(left) and not is_refused(proposal)
    others = persons_of(proposal) - {me}
    decides = access_policy.actor(request, ErasureDecided.kind)
    erases = access_policy.actor(request, Erased.kind)
    may_decide = open_still and decides is not None and me not in persons_of(proposal)
    own = open_still and any(_is_own(one, me) for one in left)
    may_erase = open_still and erases is not None and bool(others) and not own
    if request.method == "POST":
        if decides is None:
            raise PermissionDenied
        return _recorded(request, proposal, left, decides)
    words = ErasureDecision.objects.filter(proposed_n=proposal.n).order_by("n")
    return TemplateResponse(
        request,
        "audit/erasure.html",
        {
            **admin.site.each_context(request),
            "title": _("Proposal of erasure"),
            "proposal": proposal,
            "at": moment(proposal.recorded_at),
            "by": linked("person", proposal.staff),
            "basis": field_words.word(proposal.basis),
            "state": state_of(proposal),
            "words": [
                (
                    linked("person", one.staff),
                    moment(one.recorded_at),
                    field_words.word(one.decision),
                )
                for one in words
            ],
            "values": [_row(one, erased) for one in proposal.values],
            "may_decide": may_decide,
            "may_erase": may_erase,
            "own": own and erases is not None,
            "waits_for_another": open_still and me in persons_of(proposal) and not may_erase,
            "entry_url": url_of(ErasureProposed.kind, proposal.pk),
        },
    )


def _is_own(one: NamedValue, staff: str) -> bool:
    """Whether he recorded it: then another erases."""
    named = BookEntry.objects.select_related("stream").filter(stream__name=one["stream"])
    entry = named.filter(n=one["n"]).first()
    return entry is not None and acted(entry, staff)


def _row(one: NamedValue, erased: Mapping[tuple[str, int, str], Erasure]) -> dict[str, object]:
    entry = BookEntry.objects.filter(stream__name=one["stream"], n=one["n"]).first()
    field, kind = one["field"], "" if entry is None else entry.kind
    gone = erased.get((one["stream"], one["n"], field))
    return {
        "kind": capfirst(kind_word(kind)),
        "field": capfirst(field_words.label(field, kind)),
        "purpose": PERIODS[period_of(kind, field).name][1],
        "day": None if entry is None else entry.gaming_day,
        "url": "" if entry is None else url_of(kind, entry.pk),
        "erased": "" if gone is None else moment(gone.recorded_at),
        "erased_by": "" if gone is None else linked("person", gone.staff),
    }


def _recorded(
    request: HttpRequest, proposal: ErasureProposal, left: Sequence[NamedValue], by: Actor
) -> HttpResponse:
    """The next word, or the erasure of all that is left, in one act."""
    here = HttpResponseRedirect(reverse("erasure", args=[proposal.pk]))
    asked = request.POST.get("decision", "")
    if asked not in ("approved", "refused", "erase"):
        return here
    if asked == "erase" and READ not in request.POST:
        messages.error(request, _("Nothing was erased: tick that you have read what it means."))
        return here
    try:
        receipts = record_many(_submissions(request, proposal, left, by, asked))
    except (Refused, Malformed) as refused:
        messages.error(request, refusal_text(refused))
        return here
    if receipts:
        announce(request, receipts[-1])
    return here


def _submissions(
    request: HttpRequest,
    proposal: ErasureProposal,
    left: Sequence[NamedValue],
    by: Actor,
    asked: str,
) -> list[Submission]:
    now = clock.now()
    if asked in ("approved", "refused"):
        entry = BookEntry.objects.get(pk=proposal.pk)
        ref = EntryRef(stream=proposal.stream, n=proposal.n, leaf=bytes(entry.leaf_hash).hex())
        said = {"approved": "approved", "refused": "refused"}[asked]
        event: Event = ErasureDecided(proposed=ref, decision=said)  # type: ignore[arg-type]
        return [Submission(event, uuid4(), by, now)]
    erases = access_policy.actor(request, Erased.kind)
    if erases is None:
        raise PermissionDenied
    return [
        Submission(
            Erased(
                entry=EntryRef(stream=one["stream"], n=one["n"], leaf=one["leaf"]),
                field=one["field"],
                legal_basis=proposal.basis,
                reference=proposal.request or f"{proposal.stream}/{proposal.n}",
            ),
            uuid4(),
            erases,
            now,
        )
        for one in left
    ]
