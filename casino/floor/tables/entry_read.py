"""One record of a table, read on the floor: what it holds, who told it, what was found of it."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.access.private_looks import looked_at
from casino.events.event_policy import FLOOR, HEADS, OVERSEERS
from casino.events.round.round_played import RoundPlayed
from casino.floor.floor_access import floor_page
from casino.floor.floor_page import receipt_url, shown
from casino.floor.record_words import corrected_here, has_label, record_word
from casino.floor.rounds.round_on_record import words_of
from casino.floor.tables.recorded_lately import LATE
from casino.models import BookEntry
from casino.recording.withdrawing import why_never
from casino.web.entries.entry_files import files_of
from casino.web.entries.entry_notes import notes_of
from casino.web.entries.entry_page import (
    UNREADABLE,
    author_of,
    event_and_author,
    page_name,
    round_shown,
    signed_by,
    url_of,
    values_of,
)
from casino.web.entries.entry_standing import SAID, Standings, struck
from casino.web.entries.round_complaints import complaints_about
from casino.web.words.field_words import word
from casino.web.words.kind_words import kind_word
from casino.web.words.withdrawn_words import withdrawn_words


def readable_entry(request: HttpRequest, entry_id: UUID) -> BookEntry:
    """An entry of a table that whoever asks may read. Raises: Http404."""
    entry = BookEntry.objects.select_related("stream").filter(pk=entry_id).first()
    if entry is None or not entry.table_code:
        raise Http404
    if not access_policy.may_read_entry(request, entry.kind, entry.partida_id, author_of(entry)):
        raise Http404
    return entry


@floor_page(FLOOR | OVERSEERS, reads_only=True)
def entry_view(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """The record, for whoever may read it; it is put right on a page of its own."""
    entry = readable_entry(request, entry_id)
    standings = Standings([(entry.stream.name, entry.n)])
    standing = standings.of(entry.stream.name, entry.n)
    context = _around(request, entry, standings)
    try:
        event, author = event_and_author(entry)
    except UNREADABLE:
        data = {"what": kind_word(entry.kind), "unreadable": True}
        return shown(request, "sala/entry.html", context | data)
    may = access_policy.actor(request, entry.kind) is not None
    private = looked_at(request, entry, author)
    context |= {
        "what": record_word(event),
        "values": values_of(event, private or {}),
        "files": files_of(entry, page_name(entry.kind), seen=private is not None),
        "has_label": has_label(event),
        "corrigible": standing == "holds" and corrected_here(type(event)) and may,
        "withdrawable": standing == "withdrawal asked"
        or (standing in ("holds", "approved") and why_never(entry) is None and may),
    }
    if isinstance(event, RoundPlayed):
        context |= round_shown(entry, event) | {"signed": {"staff": context["who"]}}
        elsewhere = context["corrigible"] and words_of(event) is None  # no taps stand for it
        context["corrigible"] = context["corrigible"] and not elsewhere
        context["complaints_read"] = [
            (one.complaint, reverse("sala:complaint_read", args=[one.table_code, one.complaint]))
            for one in complaints_about(request, entry.partida_id, event)
        ]
        context["corrected_at"] = url_of(entry.kind, entry.pk) if elsewhere else ""
    return shown(request, "sala/entry.html", context)


def _around(request: HttpRequest, entry: BookEntry, standings: Standings) -> dict[str, object]:
    """What is said of an entry whatever its bytes tell."""
    who, office = signed_by(entry)
    standing = standings.of(entry.stream.name, entry.n)
    links = standings.corrections(entry.stream.name, entry.n)
    notes = notes_of(request, [entry.partida_id] if entry.partida_id else [])
    above = offices_of(request) & (HEADS | OVERSEERS)
    return {
        "table": entry.table_code,
        "entry": entry,
        "kind": kind_word(entry.kind),
        "late": entry.recorded_at - entry.occurred_at >= LATE,
        "who": who,
        "office": word(office) if office else "",
        "standing": SAID[standing][1] if standing != "holds" else "",
        "struck": struck(standing),
        "corrections": [
            (reverse("sala:entry", args=[link.entry_id]), link.n, link.staff)
            for link in links
            if not link.withdraws
        ],
        "withdrawals": [
            withdrawn_words(link, entry.recorded_at) for link in links if link.withdraws
        ],
        "notes": [note for note in notes if str(entry.pk) in note.evidence],
        "receipt": receipt_url(entry),
        "in_the_book": url_of(entry.kind, entry.pk) if above else "",
    }
