"""Timelines: everything recorded that names a table, a partida, a deck, a machine or a person.

In the order in which it happened, the moment of recording beside it. What was corrected stays in
its place, struck through and readable, beside what took its place; where a game was on and nothing
was recorded for long, the page says so. Who else has something to say of a game is named in
settings (TIMELINE_NOTES): functions ``(request, partidas) -> list[Note]``.
"""

import dataclasses
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Final
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from casino.access import access_policy
from casino.access.private_looks import looked_at
from casino.admin.timeline.timeline_lines import lines_of, partida_of
from casino.admin.timeline.timeline_partida import procedures_of
from casino.admin.timeline.timeline_reading import Page, Place, Reader, Row, Thing, Way, read
from casino.admin.timeline.timeline_shuffler import dossier_of_machine
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.extensions import event_kinds, extensions
from casino.house_day import day_begins
from casino.models import BookEntry, Closing, Staff
from casino.queries import that_count
from casino.web.display.cells import titled
from casino.web.entries.entry_notes import notes_of
from casino.web.entries.entry_page import Leading, author_of
from casino.web.entries.timeline_links import NAMES, opens, timeline_url
from casino.web.forms.people_choices import people_of
from casino.web.words.kind_words import kind_word

GAMES: Final = 50  # so many of his own games at a table a fiscal de banca is led to
_BETWEEN: Final = "~"
View = Callable[..., HttpResponse]


def page_of(thing: Thing) -> View:
    """The view of one kind of thing."""

    def view(request: HttpRequest, name: str) -> HttpResponse:
        return _timeline(request, thing, name)

    guarded: View = admin.site.admin_view(view)
    return guarded


def timeline_way(request: HttpRequest, entry: BookEntry) -> Leading | None:
    """From an entry's page to the timeline of its partida, or of its table."""
    if entry.partida_id and opens(request, "partida", entry.partida_id):
        url = timeline_url("partida", entry.partida_id)
    elif entry.table_code:
        url = timeline_url("table", entry.table_code)
    else:
        return None
    return Leading(_("Timeline"), url, "older") if url else None


def summary_way(request: HttpRequest, entry: BookEntry) -> Leading | None:
    """From a game's opening or closing to what it came to, for those the floor is open to."""
    if entry.kind not in (PartidaOpened.kind, PartidaClosed.kind):
        return None
    if access_policy.reads(request, entry.kind) == "none":
        return None
    game = urlencode({"game": entry.partida_id})
    url = f"{reverse('sala:summary', args=[entry.table_code])}?{game}"
    return Leading(_("What the game came to"), url, "entry")


def _timeline(request: HttpRequest, thing: Thing, name: str) -> HttpResponse:
    if "\0" in name:  # no text of the book can hold it
        raise Http404
    reader = _reader(request, thing, name)
    kind, day = request.GET.get("kind", ""), request.GET.get("day", "")
    start, way = _start(request, thing, day)
    page = read(thing, name, reader, kinds=(kind,) if kind else (), start=start, way=way)
    games = _own_games(thing, name, reader)
    whole = start is None and not kind
    if not page.rows and whole and not games:
        raise Http404
    partidas = {name} if thing == "partida" else {partida_of(row) for row in page.rows} - {""}
    notes = notes_of(request, partidas)
    gaps = _closed(partidas) if thing in ("partida", "table") and not kind else None
    since = start.at if start is not None and way == "after" and thing == "partida" else None
    context = {
        **admin.site.each_context(request),
        "title": f"{NAMES[thing]} {_named(request, thing, name)}",
        "thing": thing,
        "name": name,
        "lines": list(lines_of(page, notes, gaps, _games(request, thing, partidas), since)),
        "notes": notes if thing == "partida" else [],
        "games": games,
        "kinds": _kinds(reader, thing),
        "kind": kind,
        "day": day,
        "ways": [
            way for package in extensions() for way in package.timeline_links(request, thing, name)
        ],
        "machine": dossier_of_machine(request, name) if thing == "shuffler" and whole else None,
        "procedures": procedures_of(name) if thing == "partida" and whole else None,
        **_links(request, page),
    }
    return TemplateResponse(request, "admin/casino/timeline.html", context)


def _named(request: HttpRequest, thing: Thing, name: str) -> str:
    """What it is called: a person by his number and, for whoever may see it, his name."""
    if thing != "person":
        return name
    registered = that_count(Staff.objects.filter(person=name)).values("pk")
    entry = BookEntry.objects.filter(pk__in=registered).order_by("-pk").first()
    if entry is not None:
        called = (looked_at(request, entry, author_of(entry)) or {}).get("name")
        if called:
            return f"{name} · {called}"
    known = people_of(request).everybody.get(name)
    return name if known is None else known.words


def _reader(request: HttpRequest, thing: Thing, name: str) -> Reader:
    """What whoever asks may read of it. Raises: PermissionDenied, where that is nothing."""
    how = access_policy.readable_kinds(request, event_kinds())
    whole = [kind for kind, each in how.items() if each == "all"]
    own = [kind for kind, each in how.items() if each == "own"]
    partidas = access_policy.own_partidas(request) if own else []
    if thing == "partida":
        if name in partidas:
            whole, own = [*whole, *own], []
        elif access_policy.reads(request, "partida-opened/1") != "all":
            raise PermissionDenied
    if not how:
        raise PermissionDenied
    return Reader(whole=whole, own=own, partidas=partidas, me=request.user.get_username())


def _start(request: HttpRequest, thing: Thing, day: str) -> tuple[Place | None, Way]:
    """Where the page starts: as its address says, else at the beginning, or the end, of it all."""
    asked: tuple[Way, Way] = ("after", "before")
    for way in asked:
        moment, _between, entry_id = request.GET.get(way, "").partition(_BETWEEN)
        with suppress(ValueError):
            at = datetime.fromisoformat(moment)
            if at.tzinfo is not None and entry_id:
                return Place(at.astimezone(UTC), UUID(entry_id)), way
    with suppress(ValueError, OverflowError):
        return Place(day_begins(date.fromisoformat(day)), UUID(int=0)), "after"
    return None, "after" if thing == "partida" else "before"


def _links(request: HttpRequest, page: Page) -> dict[str, str]:
    """The addresses of the pages before and after."""
    kept = {name: request.GET[name] for name in ("kind",) if request.GET.get(name)}

    def to(way: Way, row: Row) -> str:
        place = f"{row.place.at.isoformat()}{_BETWEEN}{row.place.id}"
        return "?" + urlencode({**kept, way: place})

    return {
        "earlier": to("before", page.rows[0]) if page.rows and page.earlier else "",
        "later": to("after", page.rows[-1]) if page.rows and page.later else "",
    }


def _games(request: HttpRequest, thing: Thing, partidas: set[str]) -> dict[str, str]:
    """The addresses of these games' timelines: of those he may open, and not of the one shown."""
    others = () if thing == "partida" else partidas
    return {one: timeline_url("partida", one) for one in others if opens(request, "partida", one)}


def _own_games(thing: Thing, name: str, reader: Reader) -> list[str]:
    """The games at a table that are his who may not read all of it, the newest first."""
    if thing != "table" or not reader.own:
        return []
    there = [partida for partida in reader.partidas if partida.startswith(f"{name}/")]
    return sorted(there, reverse=True)[:GAMES]


def _kinds(reader: Reader, thing: Thing) -> list[tuple[str, str]]:
    """The kinds one may ask for: of a table or a partida those that tell of one."""
    kinds = reader.whole if thing == "table" else [*reader.whole, *reader.own]
    if thing in ("table", "partida"):
        kinds = [
            kind
            for kind in kinds
            if thing in {field.name for field in dataclasses.fields(event_kinds()[kind])}
        ]
    return sorted(((kind, titled(kind_word(kind))) for kind in kinds), key=lambda one: one[1])


def _closed(partidas: set[str]) -> dict[str, datetime]:
    """When these games were closed, those that were."""
    rows = that_count(Closing.objects.filter(partida_id__in=partidas)).order_by("occurred_at")
    return dict(rows.values_list("partida_id", "occurred_at"))
