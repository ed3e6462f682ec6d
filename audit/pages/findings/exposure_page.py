"""From a defect to the rounds it may have touched: since when, where, how much money."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from audit.exposure.defects import Defect, Span, defect_of
from audit.exposure.exposed_rounds import Both, Exposed, Sum, Totals
from audit.exposure.exposure_rows import HEAD, rows_of
from audit.exposure.read_rounds import Trail, defect_at, trail_of
from audit.pages.audit_access import exports, reads_all
from audit.pages.findings.exposure_words import ENDED_BY, FAULT, PHASE, PROVEN_BY, STANDING
from audit.pages.page_words import words
from casino import queries
from casino.events.event import Event
from casino.law.dossier import RecordedEvent
from casino.models import BookEntry
from casino.web.display.csv_answer import file_named
from casino.web.display.money_and_time import moment, money
from casino.web.entries.entry_notes import Note, notes_of
from casino.web.entries.entry_page import UNREADABLE, Leading, event_and_author, url_of
from casino.web.forms.form_fields import moment_of
from casino.web.list_files.list_answer import list_answer, refused_list
from casino.web.list_files.list_source import ListSource, columns_of
from casino.web.words.kind_words import kind_word

SHOWN: Final = 100  # rounds the page lists; the file has them all
SUMMED: Final = 20_000  # rounds the page reads for its sums: twenty evenings of a busy table
KINDS: Final = frozenset(
    {
        "incident-reported/1", "deck-inspected/1", "deck-withdrawn/1", "card-replaced/1",
        "shuffler-found-empty/1", "shuffler-loaded/1", "shuffler-unloaded/1",
    }
)  # fmt: skip
LONGEST: Final = 100


def exposure_way(request: HttpRequest, entry: BookEntry) -> Leading | None:
    """From the page of an entry that tells of a defect to the rounds in doubt."""
    if entry.kind not in KINDS or not reads_all(request):
        return None
    try:
        event_and_author(entry)
        recorded = queries.load_entry(entry.pk)
    except UNREADABLE:
        return None
    if recorded is None or defect_of(recorded) is None:
        return None
    return Leading(
        gettext_lazy("Rounds in doubt"), reverse("exposure-entry", args=[entry.pk]), "search"
    )


def _overseer(request: HttpRequest) -> None:
    if not reads_all(request):
        raise PermissionDenied


# The pages


@require_safe
def exposure_asked(request: HttpRequest) -> HttpResponse:
    """A deck and a moment, asked for in a form; with both, the rounds in doubt."""
    _overseer(request)
    deck, at = request.GET.get("deck", "").strip(), request.GET.get("at", "").strip()
    if not deck and not at:
        return _form(request, deck, at, "")
    try:
        defect = _asked(deck, at)
    except ValidationError as refused:
        return _form(request, deck, at, " ".join(refused.messages))
    file = f"{reverse('exposure-csv')}?{urlencode({'deck': deck, 'at': at})}"
    return _page(request, defect, file, {"deck": deck, "at": at})


@require_safe
def exposure_of_entry(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """The rounds in doubt for a defect an entry tells of."""
    _overseer(request)
    defect = _defect_of(entry_id)
    return _page(request, defect, reverse("exposure-entry-csv", args=[entry_id]), {})


@require_safe
def exposure_csv(request: HttpRequest, entry_id: UUID | None = None) -> HttpResponseBase:
    """The same rounds as a file, every box a row; it leaves the house, so few may have it."""
    if not exports(request):
        raise PermissionDenied
    if entry_id is not None:
        return _file(request, _defect_of(entry_id))
    try:
        defect = _asked(request.GET.get("deck", "").strip(), request.GET.get("at", "").strip())
    except ValidationError as refused:
        return refused_list(request, " ".join(refused.messages), status=404)
    return _file(request, defect)


def _file(request: HttpRequest, defect: Defect) -> HttpResponseBase:
    rows = [*rows_of(trail_of(defect))]
    of = "-".join(defect.decks) or defect.shuffler or defect.partida or ""
    name = file_named("exposure", of, defect.noticed.date().isoformat())
    source = ListSource(
        of="exposure",
        name=name,
        title=_("Rounds in doubt"),
        columns=columns_of(HEAD),
        rows=rows,
        count=len(rows),
        narrowed={_("Defect"): of, _("Noticed"): moment(defect.noticed)},
    )
    return list_answer(request, source)


def _defect_of(entry_id: UUID) -> Defect:
    """The defect an entry tells of. Raises: Http404."""
    try:
        recorded = queries.load_entry(entry_id)
    except UNREADABLE as error:
        raise Http404 from error
    defect = None if recorded is None else defect_of(recorded)
    if defect is None:
        raise Http404
    return defect


def _asked(deck: str, at: str) -> Defect:
    """The deck and the moment of a form. Raises: ValidationError."""
    if not deck or len(deck) > LONGEST or "\0" in deck:
        raise ValidationError(_("Say which deck, by its number."))
    if not at or len(at) > LONGEST or "\0" in at:
        raise ValidationError(_("Say when it was noticed."))
    try:
        # Where the clock showed it twice the later is meant: a round too many, none left out.
        return defect_at(deck, moment_of(at, "1"))
    except OverflowError as error:
        raise ValidationError(_("Say when it was noticed.")) from error


def _form(request: HttpRequest, deck: str, at: str, refused: str) -> HttpResponse:
    return TemplateResponse(
        request,
        "audit/exposure.html",
        {
            **admin.site.each_context(request),
            "title": _("Rounds in doubt"),
            "asked": {"deck": deck, "at": at},
            "refused": refused,
        },
        status=400 if refused else 200,
    )


def _page(
    request: HttpRequest, defect: Defect, csv_url: str, asked: dict[str, str]
) -> HttpResponse:
    trail = trail_of(defect)
    at_most = trail.at_most()
    context = {
        **admin.site.each_context(request),
        "title": _("Rounds in doubt"),
        "asked": asked,
        "trail": trail,
        **_defect(trail.defect),
        "spans": [_span(span, trail) for span in trail.spans],
        "csv_url": csv_url if exports(request) else "",
        "too_many": _sum(at_most) if at_most.rounds > SUMMED else None,
    }
    if at_most.rounds <= SUMMED:
        context |= _read(request, trail)
    return TemplateResponse(request, "audit/exposure.html", context)


def _read(request: HttpRequest, trail: Trail) -> dict[str, object]:
    """Every round read once: the sums, the first of them, and what is not recorded."""
    totals, first, more = Totals(), list[Exposed](), 0
    for one in trail.rounds():
        totals.add(one)
        if len(first) < SHOWN:
            first.append(one)
        else:
            more += 1
    notes = notes_of(request, {one.seen.partida for one in first})
    return {
        "figures": _figures(totals),
        "tables": _split(totals.tables),
        "partidas": _split(totals.partidas),
        "parts": [
            (_("By box"), _("Table"), _("Box"), _of_each(totals.boxes)),
            (_("By player"), _("Partida"), _("Player"), _of_each(totals.players)),
        ],
        "rounds": [_round(one, notes) for one in first],
        "more": more,
        **_silent(trail, totals),
    }


# What they show


def _defect(defect: Defect) -> dict[str, object]:
    recorded = defect.recorded
    return {
        "fault": FAULT[defect.fault],
        "noticed": moment(defect.noticed),
        "entry": None if recorded is None else _link(recorded),
    }


def _link(recorded: RecordedEvent[Event]) -> dict[str, str]:
    return {
        "kind": str(kind_word(recorded.event.kind)),
        "url": url_of(recorded.event.kind, recorded.entry_id),
        "n": str(recorded.n),
        "stream": recorded.stream,
    }


def _span(span: Span, trail: Trail) -> dict[str, object]:
    proof, end = span.proof, span.end
    return {
        "deck": span.deck,
        "proof": None
        if proof is None
        else {"by": PROVEN_BY[proof.by], "at": moment(proof.at), **_link(proof.recorded)},
        "first_use": trail.first_use.get(span.deck, ""),
        "end": None
        if end is None
        else {
            "by": ENDED_BY[end.by],
            "at": moment(end.at),
            "url": "" if end.recorded is None else _link(end.recorded)["url"],
        },
    }


def _figures(totals: Totals) -> dict[str, object]:
    return {
        "certain": _sum(totals.whole.certain),
        "possible": _sum(totals.whole.possible),
        "after": _sum(totals.noticed.certain),
    }


def _sum(total: Sum) -> dict[str, object]:
    return {
        "rounds": total.rounds,
        "staked": money(total.staked),
        "returned": money(total.returned),
        "result": money(total.result),
    }


def _both(name: str, both: Both) -> dict[str, object]:
    return {"name": name, "certain": _sum(both.certain), "possible": _sum(both.possible)}


def _silent(trail: Trail, totals: Totals) -> dict[str, object]:
    """What the book does not tell, and where a deck lay in doubt without a round."""
    unrecorded = trail.unrecorded()
    said = {one.partida for one in unrecorded} | totals.partidas.keys()
    quiet = [partida for partida in trail.whole_inside() if partida not in said]
    return {"unrecorded": unrecorded, "without_rounds": quiet}


def _split(sums: dict[str, Both]) -> list[dict[str, object]]:
    return [_both(name, both) for name, both in sorted(sums.items())]


def _of_each(sums: Mapping[tuple[str, Any], Both]) -> list[dict[str, Any]]:
    return [{"of": of, **_both(str(name), both)} for (of, name), both in sorted(sums.items())]


def _round(exposed: Exposed, notes: Sequence[Note]) -> dict[str, Any]:
    say, seen = words(), exposed.seen
    return {
        "url": url_of("round-played/1", seen.entry_id),
        "at": moment(seen.occurred_at),
        "partida": seen.partida,
        "place": f"{seen.shoe or '?'}/{seen.number or '?'}",
        "standing": STANDING[exposed.standing],
        "certain": exposed.standing == "certain",
        "phase": PHASE[exposed.phase],
        "after": exposed.phase == "after",
        "decks": ", ".join(exposed.decks),
        "bank": say.cards(seen.bank),
        "boxes": [
            {
                "number": box.number,
                "hands": _hands(box.hands),
                "staked": money(box.staked),
                "returned": money(box.returned),
            }
            for box in seen.boxes
        ],
        "staked": money(seen.staked),
        "returned": money(seen.returned),
        "findings": [note for note in notes if seen.entry_id in note.evidence],
    }


def _hands(hands: Sequence[str]) -> str:
    say = words()
    return " / ".join(say.cards(hand.split()) for hand in hands)
