"""S13: something was recorded wrongly. The original stays, readable; what is right is recorded
beside it, with a coded reason, and counts once a second person has approved it.

The record's values are listed in words; the one that is wrong is tapped, and it alone is asked for.
What is different is read once more before it is recorded.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.forms import BoundField
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext

from casino import clock
from casino.access import access_policy
from casino.access.private_looks import kept_of, looked_at
from casino.events.event import Event
from casino.events.event_policy import FLOOR
from casino.events.round.round_played import RoundPlayed
from casino.floor import form_state
from casino.floor.corrections.correct_round import correct_round
from casino.floor.floor_access import actor_of, floor_page, look_for_held
from casino.floor.floor_page import me, shown
from casino.floor.game_pages import check_table, table_url
from casino.floor.record_words import corrected_here
from casino.models import BookEntry
from casino.recording import Receipt
from casino.web.entries.entry_page import (
    UNREADABLE,
    author_of,
    event_and_author,
    values_of,
)
from casino.web.entries.entry_standing import Standings
from casino.web.forms.event_forms import OCCURRED, EventForm, initial_values
from casino.web.forms.record_form import READ, RecordingRequest, record_form_view
from casino.web.second_person.decision_page import compared
from casino.web.words.kind_words import kind_word

TEMPLATE: Final = "sala/correct.html"
WRONG: Final = "wrong"  # in an address: the fields that are put right
# What a record hangs on: seldom what is wrong.
_LAST: Final = frozenset({"table", "partida", "rulebook"})


@dataclass(frozen=True, slots=True)
class Line:
    """One value of a record: its field, what it tells ('' where nothing was recorded), whether it
    is asked for, and the address at which it is, beside those asked for already. `first` are the
    values that are listed first: they were recorded, and may be wrong.
    """

    field: BoundField
    shown: str
    asked: bool
    first: bool
    url: str


@floor_page(FLOOR)
def correct_view(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """The record's values, the field of the one that is wrong, the difference; then who decides."""
    entry = _entry(request, entry_id)
    by = actor_of(request, entry.kind)
    standings = Standings([(entry.stream.name, entry.n)])
    asked = standings.corrections(entry.stream.name, entry.n)
    waiting = next((link for link in asked if link.decision is None), None)
    standing = standings.of(entry.stream.name, entry.n)
    around = _around(request, entry)
    if standing in ("withdrawal asked", "withdrawn", "withdraws", "withdrew"):
        return HttpResponseRedirect(reverse("sala:withdraw", args=[entry.pk]))
    if request.method != "POST" and (waiting is not None or standing in ("corrected", "waiting")):
        last = asked[-1] if asked else None
        return shown(request, "sala/corrected.html", around | {"link": last, "standing": standing})
    event, author = event_and_author(entry)
    if isinstance(event, RoundPlayed):
        return correct_round(request, entry, event, around)
    seen = looked_at(request, entry, author)
    outcome = record_form_view(
        request,
        RecordingRequest(
            kind=type(event),
            by=replace(by, door="sala"),
            beginning={
                "values": initial_values(event) | (seen or {}),
                "kept": kept_of(entry) if seen is None else {},
                "occurred_at": entry.occurred_at,
                "correcting": True,
            },
            context=around,
            target=entry,
            template=TEMPLATE,
            read_again=True,
        ),
    )
    if isinstance(outcome, Receipt):
        response = HttpResponseRedirect(reverse("sala:correct", args=[entry.pk]))
        response.status_code = 303
        return response
    assert isinstance(outcome, TemplateResponse)
    context: Any = outcome.context_data
    form, private = context["form"], seen or {}
    shown_now = {OCCURRED.name: date_format(localtime(entry.occurred_at), "DATETIME_FORMAT")}
    wrong = _asked(request, form)
    context["lines"] = _lines(form, event, private, shown_now, wrong)
    context |= {"asks": bool(wrong), "here": _address(wrong)}
    if form.is_bound and form.is_valid():
        context["rows"] = _differences(form, event, private)
        context["moved"] = form.occurred_at != entry.occurred_at
    return outcome


def _asked(request: HttpRequest, form: EventForm) -> tuple[str, ...]:
    """The fields that are put right: those the address names, and those that were refused."""
    names = dict.fromkeys([*request.GET.getlist(WRONG), *form.errors])
    return tuple(name for name in names if name in form.fields)


def _address(asked: Collection[str]) -> str:
    """The page that asks for these fields."""
    return f"?{urlencode({WRONG: tuple(asked)}, doseq=True)}"


def _lines(
    form: EventForm,
    event: Event,
    private: dict[str, object],
    shown_now: dict[str, str],
    asked: Collection[str],
) -> list[Line]:
    """Every value of the record that he may put right, those that were recorded first."""
    values = {value.label: str(value.shown) for value in values_of(event, private)}
    lines = []
    for field in (one for group in form.groups() for one in group["fields"]):
        shown_as = shown_now.get(field.name) or values.get(str(field.label), "")
        first = bool(shown_as) and field.name not in _LAST
        url = _address([*asked, field.name])
        lines.append(Line(field, shown_as, field.name in asked, first, url))
    return lines


def _differences(
    form: EventForm, event: Event, private: dict[str, object]
) -> list[dict[str, object]]:
    """What is different, as whoever decides on it will see it; nothing he may not read."""
    rows = compared(event, form.event(), private, {})
    return [row for row in rows if row["changed"] and row["label"] not in form.kept_labels]


def _entry(request: HttpRequest, entry_id: UUID) -> BookEntry:
    """An entry of a table that can be corrected here. Raises: Http404, PermissionDenied."""
    entry = BookEntry.objects.select_related("stream").filter(pk=entry_id).first()
    if entry is None or not entry.table_code:
        raise Http404
    if not access_policy.his_table_for(request, entry):
        if not access_policy.may_read_entry(
            request, entry.kind, entry.partida_id, author_of(entry)
        ):
            raise PermissionDenied
        check_table(request, entry.table_code)
    look_for_held(request, entry.table_code)
    try:
        event, _ = event_and_author(entry)
    except UNREADABLE as error:
        raise Http404 from error
    if not corrected_here(type(event)):
        raise PermissionDenied(gettext("This record is not corrected here."))
    return entry


def _around(request: HttpRequest, entry: BookEntry) -> dict[str, object]:
    return {
        "table": entry.table_code,
        "title": gettext("Correct: %(what)s") % {"what": kind_word(entry.kind)},
        "now": clock.now(),
        "side": form_state.side_of(request),
        "read": READ,
        "me": me(request),
        "kind": capfirst(kind_word(entry.kind)),
        "entry": entry,
        "table_url": table_url(access_policy.his_table_for(request, entry) or entry.table_code),
    }
