"""S13: something was recorded wrongly. The original stays, readable; what is right is recorded
beside it, with a coded reason, and counts once a second person has approved it.
"""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from casino import clock
from casino.admin import permits
from casino.admin.entry_page import (
    UNREADABLE,
    author_of,
    fact_and_author,
    private_of,
    values_of,
)
from casino.admin.forms import told_of
from casino.admin.kind_words import kind_word
from casino.admin.record_form import Taking, take
from casino.admin.standing import Standings
from casino.facts.rounds import RoundPlayed
from casino.facts.shape import fields_of
from casino.models import BookEntry
from casino.recording import Receipt
from casino.recording.authority import never_corrected
from casino.sala.access import FLOOR, actor_of, floor_page
from casino.sala.games import check_table, table_url
from casino.sala.showing import me, shown

TEMPLATE = "sala/correct.html"


@floor_page(FLOOR)
def correct_view(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """The original and the form side by side; then what waits for whom."""
    entry = _entry(request, entry_id)
    by = actor_of(request, entry.kind)
    standings = Standings([(entry.stream.name, entry.n)])
    asked = standings.corrections(entry.stream.name, entry.n)
    waiting = next((link for link in asked if link.decision is None), None)
    standing = standings.of(entry.stream.name, entry.n)
    around = _around(request, entry)
    if request.method != "POST" and (waiting is not None or standing in ("corrected", "waiting")):
        last = asked[-1] if asked else None
        return shown(request, "sala/corrected.html", around | {"link": last, "standing": standing})
    fact, author = fact_and_author(entry)
    seen = permits.reads_private(request, entry.kind, author)
    told, kept = told_of(fact), private_of(entry)
    outcome = take(
        request,
        Taking(
            kind=type(fact),
            by=replace(by, door="sala"),
            beginning={
                "told": told | kept if seen else told,
                "kept": {} if seen else kept,
                "occurred_at": entry.occurred_at,
                "correcting": True,
            },
            context=around | {"values": values_of(fact, kept if seen else {})},
            target=entry,
            template=TEMPLATE,
        ),
    )
    if isinstance(outcome, Receipt):
        response = HttpResponseRedirect(reverse("sala:correct", args=[entry.pk]))
        response.status_code = 303
        return response
    return outcome


def corrected_here(kind: type[Any]) -> bool:
    """Whether facts of a kind are put right on this page: what somebody told of a table's game."""
    told_of_a_table = any(field.name == "despite" for field in fields_of(kind))
    return told_of_a_table and kind is not RoundPlayed and not never_corrected(kind.kind)


def _entry(request: HttpRequest, entry_id: UUID) -> BookEntry:
    """An entry of a table that can be corrected here. Raises: Http404, PermissionDenied."""
    entry = BookEntry.objects.select_related("stream").filter(pk=entry_id).first()
    if entry is None or not entry.table_code:
        raise Http404
    if not permits.his_table_for(request, entry):
        if not permits.may_read_entry(request, entry.kind, entry.partida_id, author_of(entry)):
            raise PermissionDenied
        check_table(request, entry.table_code)
    try:
        fact, _ = fact_and_author(entry)
    except UNREADABLE as error:
        raise Http404 from error
    if not corrected_here(type(fact)):
        raise PermissionDenied(gettext("This record is not corrected here."))
    return entry


def _around(request: HttpRequest, entry: BookEntry) -> dict[str, Any]:
    return {
        "table": entry.table_code,
        "title": gettext("Correct: %(what)s") % {"what": kind_word(entry.kind)},
        "now": clock.now(),
        "me": me(request),
        "kind": capfirst(kind_word(entry.kind)),
        "entry": entry,
        "table_url": table_url(permits.his_table_for(request, entry) or entry.table_code),
    }
