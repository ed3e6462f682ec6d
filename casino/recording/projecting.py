"""From entries to rows: which projections an event stands on, and filling them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache

from django.apps import apps
from django.db import transaction

from casino.events.event import Event
from casino.models.projection import EntryView, Lock, ProjectionBase
from casino.models.supersession import Supersession
from casino.models.supersession import rows_of as supersession_rows
from casino.recording.preparing import Prepared
from casino.recording.submission import Submission


@cache
def projections() -> dict[str, tuple[type[ProjectionBase], ...]]:
    """The projections of every event, by kind, of all packages."""
    found: dict[str, list[type[ProjectionBase]]] = defaultdict(list)
    for model in apps.get_models():
        if issubclass(model, ProjectionBase):
            for event in model.events:
                found[event.kind].append(model)
    return {kind: tuple(models) for kind, models in found.items()}


def locks_of(event: Event) -> set[Lock]:
    """The locks its projections need before the stream's head is taken."""
    return {lock for model in projections().get(event.kind, ()) for lock in model.locks_of(event)}


def rows_for(
    event: Event, entry: EntryView, model: type[ProjectionBase]
) -> Iterable[ProjectionBase]:
    """What one projection makes of one entry, not yet stored."""
    for ordinal, columns in enumerate(model.rows_of(event, entry)):
        yield model(**{**model.shared(entry), **model.key_of(entry, ordinal), **columns})


def make_room(prepared: Iterable[Prepared]) -> None:
    """Prepare the projections that are kept in parts, in a transaction of its own."""
    days: dict[type[ProjectionBase], set[date]] = defaultdict(set)
    for one in prepared:
        for model in projections().get(one.kind, ()):
            if model.in_parts:
                days[model].add(one.gaming_day)
    for model, of_model in days.items():
        with transaction.atomic():
            model.make_room(of_model)


def fill_projections(recorded: Sequence[tuple[Submission, EntryView]]) -> None:
    """Put the rows of new entries on their projections."""
    rows: dict[type[ProjectionBase], list[ProjectionBase]] = defaultdict(list)
    for submission, view in recorded:
        for model in projections().get(view.kind, ()):
            rows[model].extend(rows_for(submission.event, view, model))
        if submission.supersedes is not None:
            target = submission.supersedes
            for columns in supersession_rows(view, target.n, target.reason):
                rows[Supersession].append(Supersession(**Supersession.shared(view), **columns))
    for model, of_model in rows.items():
        model.put(of_model)
