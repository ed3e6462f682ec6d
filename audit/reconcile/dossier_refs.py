"""Which entries a game was judged on, named so that another can gather the same from a copy.

A game's own entries are all that a copy has of it up to a number; what lies around it and in the
house is chosen by the book's tables, so it is named here, entry by entry. Moments of a correction
that counts from its first record on are told, for the entry's own bytes say another.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import date, datetime
from typing import TypedDict

from casino.events.event import Event
from casino.events.tables import LimitsSet
from casino.law.dossier import Dossier, RecordedEvent
from casino.models import BookEntry


class OfStream(TypedDict):
    """Entries of one stream, by their numbers."""

    stream: str
    numbers: list[int]


class KnownSince(TypedDict):
    """An entry and the moment since which it counts as recorded."""

    stream: str
    n: int
    at: str


class GameRefs(TypedDict):
    """What one game was judged on, beside what the house told of its day; `own` are how many."""

    partida: str
    own: int
    replaced: list[OfStream]
    around: list[OfStream]
    elsewhere: list[OfStream]
    known: list[KnownSince]


class HouseRefs(TypedDict):
    """What the house told that bears on a gaming day."""

    day: str
    entries: list[OfStream]
    known: list[KnownSince]


class Refs(TypedDict):
    """What some games were judged on."""

    games: list[GameRefs]
    house: list[HouseRefs]


def game_refs(dossier: Dossier) -> GameRefs:
    """The entries of a dossier, by their names."""
    return {
        "partida": dossier.partida,
        "own": len(dossier.entries),
        "replaced": by_stream(dossier.replaced),
        "around": by_stream(dossier.around),
        "elsewhere": by_stream(dossier.elsewhere),
        "known": _known([one for one in dossier.around if isinstance(one.event, LimitsSet)]),
    }


def house_refs(day: date, entries: Collection[RecordedEvent[Event]]) -> HouseRefs:
    """The house's entries of a day, by their names."""
    return {"day": day.isoformat(), "entries": by_stream(entries), "known": _known(entries)}


def by_stream(entries: Iterable[RecordedEvent[Event]]) -> list[OfStream]:
    """Entries by stream and number, each once, in their order."""
    found: dict[str, set[int]] = defaultdict(set)
    for one in entries:
        found[one.stream].add(one.n)
    return [{"stream": stream, "numbers": sorted(found[stream])} for stream in sorted(found)]


def marks(refs: Iterable[OfStream]) -> list[tuple[str, int]]:
    """The same as pairs, in their order."""
    return [(one["stream"], n) for one in refs for n in one["numbers"]]


def _known(entries: Collection[RecordedEvent[Event]]) -> list[KnownSince]:
    """Those that count from another moment on than their own."""
    own: dict[tuple[str, int], datetime] = {}
    for of in by_stream(entries):
        rows = BookEntry.objects.filter(stream__name=of["stream"], n__in=of["numbers"])
        own |= {(of["stream"], n): at for n, at in rows.values_list("n", "recorded_at")}
    return [
        {"stream": one.stream, "n": one.n, "at": one.recorded_at.isoformat()}
        for one in entries
        if one.recorded_at != own.get((one.stream, one.n))
    ]
