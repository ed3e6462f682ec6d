"""Entries of a copy of the book as checks read them, and the figures two persons set in it.

A copy is a bundle, an unpacked evidence pack, or a file of entries, one JSON object a line
(docs/bundle.md). Whether its entries stand under a signature `audit.verifier` says.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, TypedDict, TypeVar, cast

from audit.attested import Book
from audit.cited_law import proved_in
from audit.rounds_file import Unusable
from casino.events import Malformed
from casino.events.event import HOUSE, Event
from casino.law.dossier import AnyRecorded, RecordedEvent, Signed
from casino.law.rulebook.figure_sets import KINDS, paired
from casino.law.rulebook.rulebook import RecordedSet
from casino.reading.file_trouble import why
from casino.reading.payload import event_in_book
from casino.tlog.canonical import ENVELOPE_NULLS, canonical
from casino.tlog.merkle import leaf_hash

E = TypeVar("E", bound=Event)
_OF_SETS: Final = {one.kind: one for one in KINDS}
_UNREADABLE: Final = (ValueError, TypeError, LookupError, AttributeError, RecursionError)


class Body(TypedDict):
    """An entry as it is written, if it is one: what reads it meets whatever stands there."""

    at: str
    day: str
    kind: str
    n: int
    occurred: str
    payload: Mapping[str, object]
    stream: str
    supersedes: Mapping[str, int] | None
    who: Mapping[str, str]


def recorded(event_class: type[E], body: Body, leaf: str) -> RecordedEvent[E]:
    """An entry as a check sees it; its id is its place, for no row of it is here."""
    who = body["who"]
    return RecordedEvent(
        entry_id=f"{body['stream']}/{body['n']}",
        stream=body["stream"],
        n=int(body["n"]),
        leaf=leaf,
        occurred_at=datetime.fromisoformat(body["occurred"]),
        recorded_at=datetime.fromisoformat(body["at"]),
        gaming_day=datetime.fromisoformat(body["day"]).date(),
        by=Signed(who["staff"], who["office"], who["door"]),
        event=event_in_book(event_class, body["payload"]),
    )


def sets_of(place: Path) -> tuple[RecordedSet, ...]:
    """The figures set in a copy of the book that count, in its order. Raises: Unusable."""
    try:
        bodies = list(_bodies(place))
        found = {body["n"]: _recorded(body) for body in bodies if body["stream"] == HOUSE}
    except OSError as error:
        raise Unusable(
            "{path} cannot be opened: {reason}", path=str(place), reason=why(error)
        ) from error
    except (Malformed, *_UNREADABLE) as error:
        raise Unusable(
            "{path} is no copy of the book: {reason}", path=str(place), reason=str(error)
        ) from error
    return paired(found.values()).counting


def _recorded(body: Body) -> AnyRecorded:
    leaf = leaf_hash(canonical(body, nulls=ENVELOPE_NULLS)).hex()
    return recorded(_OF_SETS[body["kind"]], body, leaf)


def _bodies(place: Path) -> Iterator[Body]:
    """Entries of the kinds sets are made of: in the copy, and with a pack's sealed reports."""
    inner = place / "livro"
    for body in Book(inner if inner.is_dir() else place).manifest(*_OF_SETS):
        yield cast("Body", body)
    for body in proved_in(place) if inner.is_dir() else ():
        if body["kind"] in _OF_SETS:
            yield cast("Body", body)
