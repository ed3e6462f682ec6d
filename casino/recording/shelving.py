"""From entries to rows: which shelves a fact stands on, and filling them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from casino.models.shelf import EntryView, Lock, ShelfBase, Shelving
from casino.models.supersession import Supersession
from casino.models.supersession import rows_of as supersession_rows
from casino.recording.preparing import Prepared
from casino.recording.submission import Submission


@cache
def shelves() -> dict[str, tuple[Shelving, ...]]:
    """The shelves of every fact, by kind, from all packages in the order of settings.SHELVES."""
    found: dict[str, list[Shelving]] = defaultdict(list)
    for name in settings.SHELVES:
        for fact, shelvings in import_string(name).items():
            found[fact.kind].extend(shelvings)
    return {kind: tuple(shelvings) for kind, shelvings in found.items()}


def locks_of(fact: Any) -> set[Lock]:
    """The locks its shelves need before the stream's head is taken."""
    asking = [locks for _, _, locks in shelves().get(fact.kind, ()) if locks is not None]
    return {lock for locks in asking for lock in locks(fact)}


def rows_for(fact: Any, entry: EntryView, shelving: Shelving) -> Iterable[ShelfBase]:
    """What one shelf makes of one entry, not yet stored."""
    model, rows_of, _ = shelving
    for ordinal, columns in enumerate(rows_of(fact, entry)):
        yield model(**{**model.shared(entry), **model.key_of(entry, ordinal), **columns})


def make_room(prepared: Iterable[Prepared]) -> None:
    """Prepare the shelves that are kept in parts, in a transaction of its own."""
    days: dict[type[ShelfBase], set[date]] = defaultdict(set)
    for one in prepared:
        for model, _, _ in shelves().get(one.kind, ()):
            if model.in_parts:
                days[model].add(one.gaming_day)
    for model, of_model in days.items():
        with transaction.atomic():
            model.make_room(of_model)


def fill_shelves(entries: Sequence[tuple[Submission, EntryView]]) -> None:
    """Put the rows of new entries on their shelves."""
    rows: dict[type[ShelfBase], list[ShelfBase]] = defaultdict(list)
    for submission, view in entries:
        for shelving in shelves().get(view.kind, ()):
            rows[shelving[0]].extend(rows_for(submission.fact, view, shelving))
        if submission.supersedes is not None:
            target = submission.supersedes
            for columns in supersession_rows(view, target.n, target.reason):
                rows[Supersession].append(Supersession(**Supersession.shared(view), **columns))
    for model, of_model in rows.items():
        model.put(of_model)
