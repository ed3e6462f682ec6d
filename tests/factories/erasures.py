"""A private value erased as the house has it done: proposed by one person, erased by another."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any, Final
from uuid import uuid4

from audit.retention_events import (
    ErasureDecided,
    ErasureProposed,
    ErasureSuspended,
    SuspensionLifted,
    ValueNamed,
)
from casino.events.event import EntryRef
from casino.events.keeping import Erased
from casino.recording import Actor, Receipt
from tests.factories.records import MANAGER, hired, recorded
from tests.factories.usual_events import ref

PROPOSER: Final = Actor("S-0991", "administrador", "admin")
ERASER: Final = Actor("S-0992", "chefia_da_sala", "admin")


def value(entry: EntryRef, field: str) -> ValueNamed:
    """A private value as proposals name it."""
    return ValueNamed(stream=entry.stream, n=entry.n, leaf=entry.leaf, field=field)


def proposed(*values: tuple[EntryRef, str], by: Actor = PROPOSER, **how: Any) -> Receipt:
    """The proposal; on the basis of an error where nothing else is said."""
    named = tuple(value(entry, field) for entry, field in values)
    return recorded(ErasureProposed(values=named, **{"basis": "recorded_in_error", **how}), by=by)


def erasing(values: Iterable[tuple[EntryRef, str]]) -> list[Erased]:
    """The erasure of each of these, once all of them were proposed."""
    values = list(values)
    proposed(*values)
    return [
        Erased(entry=entry, field=field, legal_basis="recorded_in_error") for entry, field in values
    ]


def privacy_in_the_book(event: Any) -> Any:
    """An event of erasures that the book takes as it stands: with numbers of its own."""
    number = f"N-{uuid4().hex[:12]}"
    if isinstance(event, ErasureProposed):
        named = value(ref(recorded(hired(), by=MANAGER)), "name")
        return ErasureProposed(basis="recorded_in_error", values=(named,))
    if isinstance(event, ErasureDecided):
        named = ref(recorded(hired(), by=MANAGER))
        return replace(event, proposed=ref(proposed((named, "name"))))
    if isinstance(event, SuspensionLifted):
        recorded(
            ErasureSuspended(suspension=number, ordered_by="house", reference="x"), by=PROPOSER
        )
        return replace(event, suspension=number)
    if isinstance(event, ErasureSuspended):
        long_ago = date(2001, 1, 1)
        return replace(
            event, suspension=number, of_partida=None, from_day=long_ago, to_day=long_ago
        )
    return replace(event, request=number)


def erased(entry: EntryRef, field: str) -> Receipt:
    """One value proposed, and erased by another person."""
    (event,) = erasing([(entry, field)])
    return recorded(event, by=ERASER)
