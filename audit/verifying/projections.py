"""Every row of every projection against its entry; an entry once, whatever projections it feeds."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db.models import Q

from audit.verifying.phase import Phase, fetch
from casino.events import Malformed
from casino.models.projection import EntryView, ProjectionBase
from casino.rebuilding import event_in, kinds_of, projection_models, rows_of_entry, unlike, view_of

BATCH: Final = 1_000  # entries of one step
ROWS: Final = 20_000  # rows of one step

_ENTRIES: Final = """
SELECT e.id, s.name, e.n, e.kind, e.gaming_day, e.table_code, e.partida_id, e.occurred_at,
       e.recorded_at, e.leaf_hash, e.entry, e.stream_id
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
WHERE (e.stream_id, e.n) > (%s, %s) ORDER BY e.stream_id, e.n LIMIT %s
"""


class Projections(Phase):
    """What the entries make against what is there."""

    name = "shelves"

    carried = ("after",)
    after: Sequence[int] = (0, 0)  # stream and number of the last entry that was looked at

    def begin(self, kept: Mapping[str, object] | None) -> None:
        """Begin with the first entry of the first stream."""
        super().begin(kept)
        models = projection_models().values()
        self.fed_by = [(model, frozenset(kinds_of(model))) for model in models]

    def step(self) -> bool:
        """Some entries, and their rows on every projection."""
        entries = fetch(self.using, _ENTRIES, *self.after, BATCH)
        made: dict[type[ProjectionBase], dict[object, ProjectionBase]] = defaultdict(dict)
        views: dict[object, EntryView] = {}
        for row in entries:
            view = self._make(row, made)
            if view is not None:
                views[view.entry_id] = view
            self.after = row[11], row[2]
        for model, kinds in self.fed_by:
            fed = [view for view in views.values() if view.kind in kinds]
            self._compare(model, made[model], fed)
        self.verification.done += len(entries)
        return len(entries) < BATCH

    def _make(
        self, row: tuple[Any, ...], made: dict[type[ProjectionBase], dict[object, ProjectionBase]]
    ) -> EntryView | None:
        """Make the rows of an entry; the entry as projections see it, None where it tells no
        event.
        """
        where = {"stream": row[1], "n": row[2], "entry": row[0]}
        try:
            body = json.loads(bytes(row[10]))
            view = view_of(row, body)
            event = event_in(body)
            rows = list(rows_of_entry(event, view, body))
        except (Malformed, LookupError, TypeError, ValueError):
            self.report("shelf-entry-unreadable", **where)
            return None
        for column, text in zip(("table_code", "partida_id"), _names_of(event), strict=True):
            if getattr(view, column) != text:
                self.report("column", **where, column=column)
        for each in rows:
            made[type(each)][each.pk] = each
        return view

    def _compare(
        self,
        model: type[ProjectionBase],
        made: dict[object, ProjectionBase],
        fed: Sequence[EntryView],
    ) -> None:
        stored = {row.pk: row for row in self._stored(model, fed)} if fed else {}
        values = {view.entry_id: view for view in fed}
        for key, row in made.items():
            found = stored.pop(key, None)
            if found is None:
                self._report(model, row, values, "missing")
                continue
            for column in unlike(row, found):
                self._report(model, row, values, "differs", column)
        for row in stored.values():
            self._report(model, row, values, "stray")

    def _stored(
        self, model: type[ProjectionBase], fed: Iterable[EntryView]
    ) -> Iterable[ProjectionBase]:
        days = {view.gaming_day for view in fed}
        ids = [view.entry_id for view in fed]
        rows = model._default_manager.using(self.using)
        return rows.filter(Q(("entry_id__in", ids)), gaming_day__in=days)

    def _report(
        self,
        model: type[ProjectionBase],
        projected: ProjectionBase,
        values: dict[Any, EntryView],
        how: str,
        column: str | None = None,
    ) -> None:
        entry_id = projected.entry_id  # type: ignore[attr-defined]
        view = values.get(entry_id)
        self.report(
            f"shelf-{how}",
            stream=None if view is None else view.stream,
            n=None if view is None else view.n,
            entry=entry_id,
            shelf=model._meta.db_table,
            column=column,
        )


def _names_of(event: Any) -> tuple[str, str]:
    """The table and the partida an event is of, '' for none, as its entry's columns hold them."""
    return (
        getattr(event, "table_code", None) or getattr(event, "table", None) or "",
        getattr(event, "partida_id", None) or getattr(event, "partida", None) or "",
    )


class OrphanRows(Phase):
    """Rows that stand for no entry, or for one that has none on that projection or on that day."""

    name = "strangers"

    carried = ("projection", "after")
    projection = 0
    after: Sequence[str] | None = None  # its last row that was looked at

    def step(self) -> bool:
        """Some rows of a projection."""
        models = list(projection_models().values())
        model = models[self.projection]
        keys = ["gaming_day", "entry_id"] if model.in_parts else [str(model._meta.pk.column)]
        rows = self._rows(model, keys)
        for row in rows:
            entry_id, stray = row[-2:]
            self.after = [str(value) for value in row[: len(keys)]]
            if stray:
                self.report("shelf-stray", entry=entry_id, shelf=model._meta.db_table)
        if len(rows) < ROWS:
            self.projection, self.after = self.projection + 1, None
        return self.projection == len(models)

    def _rows(self, model: type[ProjectionBase], keys: Sequence[str]) -> list[tuple[Any, ...]]:
        """Rows in the order of their keys: the keys, the entry, whether the row is a stranger."""
        named = ", ".join(f"r.{key}" for key in keys)
        begun = "" if self.after is None else f"WHERE ({named}) > ({', '.join(['%s'] * len(keys))})"
        statement = (
            # Every name in it is a model's own.
            f"SELECT {named}, r.entry_id, e.id IS NULL OR NOT e.kind = ANY(%s)"  # noqa: S608
            f" OR r.gaming_day <> e.gaming_day FROM (SELECT * FROM {model._meta.db_table} r {begun}"
            f" ORDER BY {named} LIMIT %s) r LEFT JOIN book_entry e ON e.id = r.entry_id"
            f" ORDER BY {named}"
        )
        return fetch(self.using, statement, kinds_of(model), *(self.after or ()), ROWS)
