"""A page of the floor: its own words, and what every page of the floor shows around them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid5

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from casino import clock, holding, kept_entries
from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.events.event import Event
from casino.events.event_policy import ADMIN, AUDITOR, HEAD, INSPECTOR, MANAGER, PIT
from casino.floor import form_state
from casino.floor.form_state import MOST, held_on
from casino.floor.persons.quick_change import idle_seconds
from casino.floor.record_words import has_label, record_word
from casino.floor.table_links import page_of
from casino.models import BookEntry, HeldRecord, PrivateValue, Staff
from casino.recording.authority import policy_of
from casino.recording.withdrawing import why_never
from casino.web.entries.entry_page import author_of
from casino.web.forms.people_choices import people_of
from casino.web.forms.shield import is_too_soon
from casino.web.words import field_words
from casino.web.words.kind_words import kind_word

RECORDED: Final = "recorded"  # in an address: the key of the form that was recorded
AGAIN: Final = "again"  # in an address: it had been recorded before
LATE: Final = "late"  # in an address: it was to be taken back, and could not be any more
UNDONE: Final = "undone"  # in an address: what was held was taken back
_RANKS: Final = (MANAGER, HEAD, PIT, INSPECTOR, AUDITOR, ADMIN)


@dataclass(frozen=True, slots=True)
class Me:
    """Whose session it is: number, name (the number, where it is not known), office in words."""

    staff: str
    name: str
    office: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """What one form recorded: when, and each kind of record with how many there are of it.

    `entries` are the ids and what each holds, for those who want to correct one; `again` where it
    was sent twice; `despite` where something of it was recorded over a warning; `receipt` the
    receipt of its only entry, '' where there are several. `withdrawable` are those of them that may
    be said not to have happened. `late` is who wrote it, where it was to be taken back too late.
    """

    at: datetime
    counts: tuple[tuple[str, int], ...]
    entries: tuple[tuple[str, str], ...]
    again: bool
    despite: bool = False
    receipt: str = ""
    label: str = ""
    withdrawable: tuple[tuple[str, str], ...] = ()
    late: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """What a form sent that is not written yet: each kind of record with how many, for how long.

    `mine`, where whoever looks may take it back; `why` it cannot be written, '' for what can.
    `table` is '' where it is of none.
    """

    key: str
    table: str
    at: datetime
    counts: tuple[tuple[str, int], ...]
    seconds: int
    mine: bool
    why: str
    url: str  # where it is taken back, or said to be read


def shown(
    request: HttpRequest, template: str, context: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    """The page."""
    own = context.get("own")
    around: dict[str, Any] = {
        "now": clock.now(),
        "idle": idle_seconds(),
        "side": form_state.side_of(request) if own is None else own.side,
        "too_soon": request.method == "POST" and is_too_soon(request.POST),
    }
    if request.user.is_authenticated:
        around |= {
            "me": me(request),
            "recorded": recorded(request),
            "people": people_of(request),
            "held": held(request),
            "of_no_table": "table" not in _named(request),
            "undone": UNDONE in request.GET and request.method == "GET",
            "from_sheet": form_state.paper_of(request) if own is None else own.paper,
        }
    return TemplateResponse(request, template, {**around, **context}, status=status)


def _named(request: HttpRequest) -> Mapping[str, Any]:
    """What the page's address names."""
    return request.resolver_match.kwargs if request.resolver_match is not None else {}


def me(request: HttpRequest) -> Me:
    """Who is logged in, and as what he records."""
    staff = request.user.get_username()
    held = offices_of(request)
    office = next((rank for rank in _RANKS if rank in held), "")
    name = people_of(request).name_read(staff) or _name_of(staff) or staff
    return Me(staff, name, str(field_words.word(office)) if office else "")


def _name_of(staff: str) -> str:
    """What a person is called, where it was recorded and was not erased."""
    rows = PrivateValue.objects.filter(
        field="name",
        entry__kind="staff-registered/1",
        entry__stream__name="house",
        entry_id__in=_registrations(staff),
    )
    values = rows.order_by("-entry_id").values_list("value", flat=True)
    return next((str(value) for value in values if value), "")


def _registrations(staff: str) -> Any:
    return Staff.objects.filter(person=staff).values("entry_id")


def recorded(request: HttpRequest) -> Recorded | None:
    """What the form named in the address recorded, as far as whoever asks may read it."""
    try:
        key = UUID(request.GET.get(RECORDED, ""))
    except ValueError:
        return None
    entries = [
        entry
        for entry in entries_of(key)
        if access_policy.may_read_entry(request, entry.kind, entry.partida_id, author_of(entry))
    ]
    if not entries:
        return None
    events = {
        recorded.entry_id: recorded.event
        for recorded in kept_entries.entries([one.pk for one in entries]).values()
    }
    named = [(entry, str(entry.pk), record_word(events[str(entry.pk)])) for entry in entries]
    ids = tuple((pk, words) for entry, pk, words in named if policy_of(entry.kind).correctable)
    gone = tuple(
        (pk, words)
        for entry, pk, words in named
        if why_never(entry) is None or page_of(entry) is not None  # its page leads to that one
    )
    return Recorded(
        entries[0].recorded_at,
        counted([events[str(entry.pk)] for entry in entries]),
        ids,
        AGAIN in request.GET,
        any(getattr(event, "despite", ()) for event in events.values()),
        receipt_url(entries[0]) if len(entries) == 1 else "",
        _label_url(events[str(entries[0].pk)], entries[0]) if len(entries) == 1 else "",
        gone,
        _writer(request, entries[0]) if LATE in request.GET else "",
    )


def _writer(request: HttpRequest, entry: BookEntry) -> str:
    """Who recorded it, in words."""
    who = author_of(entry)
    known = people_of(request).everybody.get(who)
    return who if known is None else known.words


def counted(events: Iterable[Any]) -> tuple[tuple[str, int], ...]:
    """What each event tells, in words; of several of a kind the kind, with how many there are."""
    said = [(event.kind, record_word(event)) for event in events]
    kinds = Counter(kind for kind, _ in said)
    values = {
        str(capfirst(kind_word(kind))) if kinds[kind] > 1 else words: kinds[kind]
        for kind, words in said
    }
    return tuple(values.items())


def held(request: HttpRequest) -> list[Held]:
    """What is held at the page's table, and what could not be written there.

    On a page of no table, what whoever looks sent.
    """
    who = request.user.get_username()
    return [
        Held(
            key=str(row.key),
            table=row.table_code,
            at=row.made_at,
            counts=counted(holding.events_of(row)),
            seconds=holding.seconds_left(row),
            mine=row.failed_at is not None or row.staff == who,
            why=said_why(row),
            url=_take_back_url(row.table_code),
        )
        for row in held_on(request)
    ]


def _take_back_url(table: str) -> str:
    if not table:
        return reverse("sala:take_back_duty")
    return reverse("sala:take_back", args=[table])


def said_why(held_record: HeldRecord) -> str:
    """Why it could not be written, in the reader's language; '' where nothing went wrong."""
    if held_record.trouble is None:
        return ""
    template, values = held_record.trouble["template"], held_record.trouble["values"]
    return gettext(template).format(**values)


def _label_url(event: Event, entry: BookEntry) -> str:
    """The label of what it puts aside, '' where nothing is."""
    return reverse("sala:label", args=[entry.pk]) if has_label(event) else ""


def receipt_url(entry: BookEntry) -> str:
    """An entry's receipt, to be printed."""
    return reverse("admin:casino_bookentry_receipt", args=[entry.pk])


def entries_of(key: UUID) -> list[BookEntry]:
    """The entries a form with this key wrote, in its own order."""
    keys = {uuid5(key, str(place)): place for place in range(MOST)}
    found = BookEntry.objects.filter(key__in=keys).select_related("stream")
    return sorted(found, key=lambda entry: keys[entry.key])
