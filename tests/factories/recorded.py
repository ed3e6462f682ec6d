"""What the book holds, read back."""

from typing import Any

from casino.models import BookEntry
from casino.queries import load_entry


def facts_of(kind: str) -> list[Any]:
    """The facts of a kind in the book, in its order."""
    entries = BookEntry.objects.filter(kind=kind).order_by("pk")
    events = [load_entry(entry.pk) for entry in entries]
    return [one.fact for one in events if one is not None]


def the_fact(kind: str) -> Any:
    """The one fact of a kind in the book."""
    facts = facts_of(kind)
    assert len(facts) == 1, facts
    return facts[0]


def entries() -> int:
    """How much the book holds."""
    return BookEntry.objects.count()


def last_entry(kind: str) -> BookEntry:
    """The newest entry of a kind."""
    entry = BookEntry.objects.select_related("stream").filter(kind=kind).order_by("-pk").first()
    assert entry is not None
    return entry
