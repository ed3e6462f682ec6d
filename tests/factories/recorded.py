"""What the book holds, read back."""

from typing import Any

from casino.models import BookEntry
from casino.queries import load_entry


def events_of(kind: str) -> list[Any]:
    """The events of a kind in the book, in its order."""
    entries = BookEntry.objects.filter(kind=kind).order_by("pk")
    events = [load_entry(entry.pk) for entry in entries]
    return [one.event for one in events if one is not None]


def the_event(kind: str) -> Any:
    """The one event of a kind in the book."""
    events = events_of(kind)
    assert len(events) == 1, events
    return events[0]


def entries() -> int:
    """How much the book holds."""
    return BookEntry.objects.count()


def last_entry(kind: str) -> BookEntry:
    """The newest entry of a kind."""
    entry = BookEntry.objects.select_related("stream").filter(kind=kind).order_by("-pk").first()
    assert entry is not None
    return entry
