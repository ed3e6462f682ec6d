"""What waits for a second person: the list a fiscal-chefe keeps open on his own device."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from casino import clock
from casino.access import access_policy
from casino.models import Attestation, BookEntry, Incident, ShufflerLoad, ShufflerUnload
from casino.recording.second_persons import acted
from casino.web.display.money_and_time import moment
from casino.web.entries.entry_standing import Standings, struck
from casino.web.second_person.passkey_pages import witness_of
from casino.web.second_person.witness_page import site_context
from casino.web.words.kind_words import kind_word
from casino.web.words.languages import house_language
from casino.witnessing import passkeys_of, text_of

# How far back a list reaches that is meant for tonight.
LOOKS_BACK: Final = timedelta(hours=24)
IN_TIME: Final = timedelta(minutes=10)
MOST: Final = 100


@dataclass(frozen=True, slots=True)
class Waiting:
    """One act that nobody has confirmed yet."""

    what: str
    text: str
    at: str
    late: bool
    confirm_url: str
    code_url: str


@never_cache
def presence_view(request: HttpRequest) -> HttpResponse:
    """The acts that wait, the oldest first; his own are not among them."""
    user = witness_of(request)
    context = {
        **site_context(request),
        "title": gettext("Presence asked"),
        "waiting": list(_waiting(request, user.staff)),
        "has_passkey": bool(passkeys_of(user.staff)),
        "minutes": int(IN_TIME.total_seconds()) // 60,
    }
    return TemplateResponse(request, "admin/casino/presence.html", context)


def _waiting(request: HttpRequest, staff: str) -> Iterator[Waiting]:
    places = sorted(_places(request))[:MOST]
    standings = Standings((stream, n) for _, stream, n, _ in places)
    ids = [entry_id for _, stream, n, entry_id in places if not struck(standings.of(stream, n))]
    entries = BookEntry.objects.select_related("stream").in_bulk(ids)
    for entry_id in ids:
        entry = entries[entry_id]
        if not acted(entry, staff):
            yield _shown(entry)


def _places(request: HttpRequest) -> Iterator[tuple[object, str, int, object]]:
    """When and where in the book the acts stand that may be his to confirm."""
    since = clock.now() - LOOKS_BACK
    seen = Attestation.objects.filter(
        witnessed_stream=OuterRef("stream"), witnessed_n=OuterRef("n")
    )
    # Of incidents those in which cards of the machine were handled (51).
    handled = Q(level="damaged_card") & ~Q(shuffler="")
    asked: tuple[tuple[Any, str, Q], ...] = (
        (ShufflerLoad, "shuffler-loaded/1", Q()),
        (ShufflerUnload, "shuffler-unloaded/1", Q()),
        (Incident, "incident-reported/1", handled),
    )
    for model, kind, which in asked:
        how = access_policy.reads(request, kind)
        if how == "none":
            continue
        rows: QuerySet[Any] = model.objects.filter(
            ~Exists(seen),
            which,
            gaming_day__gte=(since - LOOKS_BACK).date(),
            recorded_at__gte=since,
        )
        if how == "own":
            rows = rows.filter(access_policy.own(request))
        yield from rows.values_list("recorded_at", "stream", "n", "pk")


def _shown(entry: BookEntry) -> Waiting:
    return Waiting(
        what=kind_word(entry.kind),
        text=text_of(entry, house_language()),
        at=moment(entry.recorded_at),
        late=clock.now() > entry.recorded_at + IN_TIME,
        confirm_url=reverse("admin:casino_presence_confirm", args=[entry.pk]),
        code_url=reverse("admin:casino_witness", args=[entry.pk]),
    )
