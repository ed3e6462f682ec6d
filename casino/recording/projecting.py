"""From entries to rows: which projections an event stands on, and filling them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from casino.models.projection import EntryView, Lock, ProjectionBase, Projector
from casino.models.supersession import Supersession
from casino.models.supersession import rows_of as supersession_rows
from casino.recording.preparing import Prepared
from casino.recording.submission import Submission


@cache
def projections() -> dict[str, tuple[Projector, ...]]:
    """The projections of every event, by kind, from all packages in the order of
    settings.PROJECTIONS.
    """
    found: dict[str, list[Projector]] = defaultdict(list)
    for name in settings.PROJECTIONS:
        for event, shelvings in import_string(name).items():
            found[event.kind].extend(shelvings)
    return {kind: tuple(shelvings) for kind, shelvings in found.items()}


def locks_of(event: Any) -> set[Lock]:
    """The locks its projections need before the stream's head is taken."""
    asking = [locks for _, _, locks in projections().get(event.kind, ()) if locks is not None]
    return {lock for locks in asking for lock in locks(event)}


def rows_for(event: Any, entry: EntryView, projector: Projector) -> Iterable[ProjectionBase]:
    """What one projection makes of one entry, not yet stored."""
    model, rows_of, _ = projector
    for ordinal, columns in enumerate(rows_of(event, entry)):
        yield model(**{**model.shared(entry), **model.key_of(entry, ordinal), **columns})


def make_room(prepared: Iterable[Prepared]) -> None:
    """Prepare the projections that are kept in parts, in a transaction of its own."""
    days: dict[type[ProjectionBase], set[date]] = defaultdict(set)
    for one in prepared:
        for model, _, _ in projections().get(one.kind, ()):
            if model.in_parts:
                days[model].add(one.gaming_day)
    for model, of_model in days.items():
        with transaction.atomic():
            model.make_room(of_model)


def fill_projections(entries: Sequence[tuple[Submission, EntryView]]) -> None:
    """Put the rows of new entries on their projections."""
    rows: dict[type[ProjectionBase], list[ProjectionBase]] = defaultdict(list)
    for submission, view in entries:
        for projector in projections().get(view.kind, ()):
            rows[projector[0]].extend(rows_for(submission.event, view, projector))
        if submission.supersedes is not None:
            target = submission.supersedes
            for columns in supersession_rows(view, target.n, target.reason):
                rows[Supersession].append(Supersession(**Supersession.shared(view), **columns))
    for model, of_model in rows.items():
        model.put(of_model)
