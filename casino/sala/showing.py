"""A page of the floor: its own words, and what every page of the floor shows around them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid5

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst

from casino import clock
from casino.admin import field_words, permits
from casino.admin.entry_page import author_of
from casino.admin.kind_words import kind_word
from casino.admin.offices import offices_of
from casino.models import BookEntry, PrivateValue, Staff
from casino.recording.authority import ADMIN, HEAD, MANAGER, PIT, never_corrected

RECORDED: Final = "recorded"  # in an address: the key of the form that was recorded
AGAIN: Final = "again"  # in an address: it had been recorded before
MOST: Final = 60  # records of one form
_RANKS: Final = (MANAGER, HEAD, PIT, permits.INSPECTOR, permits.AUDITOR, ADMIN)


@dataclass(frozen=True, slots=True)
class Me:
    """Whose session it is: number, name (the number, where it is not known), office in words."""

    staff: str
    name: str
    office: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """What one form recorded: when, and each kind of record with how many there are of it.

    `entries` are the ids, for those who want to correct one; `again` where it was sent twice.
    """

    at: datetime
    told: tuple[tuple[str, int], ...]
    entries: tuple[tuple[str, str], ...]
    again: bool


def shown(
    request: HttpRequest, template: str, context: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    """The page."""
    around: dict[str, Any] = {"now": clock.now()}
    if request.user.is_authenticated:
        around |= {"me": me(request), "recorded": recorded(request)}
    return TemplateResponse(request, template, {**around, **context}, status=status)


def me(request: HttpRequest) -> Me:
    """Who is logged in, and as what he records."""
    staff = request.user.get_username()
    held = offices_of(request)
    office = next((rank for rank in _RANKS if rank in held), "")
    return Me(staff, _name_of(staff) or staff, str(field_words.word(office)) if office else "")


def _name_of(staff: str) -> str:
    """What a person is called, where it was told and was not erased."""
    told = PrivateValue.objects.filter(
        field="name", entry__kind="staff-registered/1", entry__stream__name="house",
        entry_id__in=_registrations(staff),
    )  # fmt: skip
    values = told.order_by("-entry_id").values_list("value", flat=True)
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
        if permits.may_read_entry(request, entry.kind, entry.partida_id, author_of(entry))
    ]
    if not entries:
        return None
    told: dict[str, int] = {}
    for entry in entries:
        word = str(capfirst(kind_word(entry.kind)))
        told[word] = told.get(word, 0) + 1
    ids = tuple(
        (str(entry.pk), str(capfirst(kind_word(entry.kind))))
        for entry in entries
        if not never_corrected(entry.kind)
    )
    again = AGAIN in request.GET
    return Recorded(entries[0].recorded_at, tuple(told.items()), ids, again)


def entries_of(key: UUID) -> list[BookEntry]:
    """The entries a form with this key wrote, in its own order."""
    keys = {uuid5(key, str(place)): place for place in range(MOST)}
    found = BookEntry.objects.filter(key__in=keys).select_related("stream")
    return sorted(found, key=lambda entry: keys[entry.key])
