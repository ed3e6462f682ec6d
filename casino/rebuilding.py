"""The projections made again out of the book, or compared with it.

Every projection follows from its entries alone. `compare` says where a projection tells something
else than the book does (a row somebody slipped in, one that is gone, one that was changed);
`rebuild` empties a projection and fills it again, as the owner, in one transaction.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Any, Final, NamedTuple

from django.db import connections, transaction
from django.db.models import Q
from psycopg import sql

from casino.events import Malformed
from casino.events.corrections import WithdrawalAsked
from casino.events.event import Event
from casino.extensions import event_kinds
from casino.models.projection import EntryView, ProjectionBase
from casino.models.supersession import Supersession
from casino.models.supersession import rows_of as supersession_rows
from casino.queries import streamed
from casino.reading.payload import event_in_book
from casino.recording.projecting import projections, rows_for

BATCH: Final = 2_000

_ENTRIES: Final = """
SELECT e.id, s.name, e.n, e.kind, e.gaming_day, e.table_code, e.partida_id, e.occurred_at,
       e.recorded_at, e.leaf_hash, e.entry
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
WHERE e.kind = ANY(%s) ORDER BY e.stream_id, e.n
"""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a projection and the book disagree: which row, and how."""

    projection: str
    entry_id: str
    what: str


class TableDigest(NamedTuple):
    """How many rows a projection has, and the SHA-256 of what they tell."""

    rows: int
    sha256: str


def projection_models() -> dict[str, type[ProjectionBase]]:
    """Every projection by the name of its table."""
    models = {model._meta.db_table: model for of in projections().values() for model in of}
    models[Supersession._meta.db_table] = Supersession
    return dict(sorted(models.items()))


def compare(model: type[ProjectionBase], *, using: str = "default") -> Iterator[Difference]:
    """Every difference between a projection and the book."""
    name = model._meta.db_table
    fed_by = kinds_of(model)
    for batch in _batches(_made(model, fed_by, using, strict=False), BATCH):
        stored: dict[object, ProjectionBase] = {
            row.pk: row
            for row in model._default_manager.using(using).filter(
                Q(("entry_id__in", {entry.entry_id for entry, _ in batch})),
                gaming_day__in={entry.gaming_day for entry, _ in batch},
            )
        }
        for entry, rows in batch:
            if rows is None:
                yield Difference(name, str(entry.entry_id), "the entry cannot be read")
            for row in rows or ():
                found = stored.pop(row.pk, None)
                if found is None:
                    yield Difference(name, str(entry.entry_id), "missing")
                else:
                    for column in unlike(row, found):
                        yield Difference(name, str(entry.entry_id), column)
        for row in stored.values():
            yield Difference(name, str(row.entry_id), "not in the book")  # type: ignore[attr-defined]
    yield from strangers(model, fed_by, using)


def rebuild(model: type[ProjectionBase]) -> tuple[TableDigest, TableDigest]:
    """Empty a projection and fill it again: what stood there before, and what stands there now."""
    fed_by = kinds_of(model)
    with transaction.atomic(using="owner"):
        with connections["owner"].cursor() as cursor:
            table = sql.Identifier(model._meta.db_table)
            # Pages may go on reading what stood there before.
            cursor.execute(sql.SQL("LOCK TABLE {} IN EXCLUSIVE MODE").format(table))
            before = _digest(model)
            cursor.execute(sql.SQL("DELETE FROM {}").format(table))
        for batch in _batches(_made(model, fed_by, "owner"), BATCH):
            rows = [row for _, of_entry in batch for row in of_entry or ()]
            if model.in_parts:
                model.make_room({row.gaming_day for row in rows}, "owner")
            model._default_manager.using("owner").bulk_create(rows)
        return before, _digest(model)


def _digest(model: type[ProjectionBase]) -> TableDigest:
    """What a projection tells as it stands, in an order that follows from its rows alone."""
    digest, count = sha256(), 0
    rows = model._default_manager.using("owner").order_by("stream", "n", "pk", "gaming_day")
    for row in rows.iterator(BATCH):
        digest.update(json.dumps(_columns(row), default=str, sort_keys=True).encode())
        count += 1
    return TableDigest(count, digest.hexdigest())


def kinds_of(model: type[ProjectionBase]) -> list[str]:
    """The kinds of event that have rows on a projection."""
    if model is Supersession:
        return sorted(event_kinds())
    return sorted(event.kind for event in model.events)


Made = tuple[EntryView, list[ProjectionBase] | None]


def _made(
    model: type[ProjectionBase], fed_by: Sequence[str], using: str, *, strict: bool = True
) -> Iterator[Made]:
    """Every entry that feeds a projection, with the rows it makes there.

    An entry whose payload is no event of its kind (somebody wrote it past the writer) raises where
    `strict`, and makes None else.
    """
    for entry, body in entries(fed_by, using):
        try:
            yield entry, list(_rows(model, entry, body))
        except (Malformed, LookupError, TypeError):
            if strict:
                raise
            yield entry, None


def _rows(
    model: type[ProjectionBase], entry: EntryView, body: Mapping[str, object]
) -> Iterator[ProjectionBase]:
    if model is Supersession:
        yield from _supersession(entry, body)
        if entry.kind != WithdrawalAsked.kind:
            return
    event = event_in(body)
    yield from rows_for(event, entry, model)


def rows_of_entry(
    event: Event, entry: EntryView, body: Mapping[str, object]
) -> Iterator[ProjectionBase]:
    """Every row an entry makes, on whatever projection; `event` is what `event_in` gives.

    Raises: Malformed, LookupError, TypeError.
    """
    yield from _supersession(entry, body)
    for model in projections()[entry.kind]:
        yield from rows_for(event, entry, model)


def _supersession(entry: EntryView, body: Mapping[str, Any]) -> Iterator[ProjectionBase]:
    if body["supersedes"] is not None:
        reason = body["payload"]["correction_reason"]
        for columns in supersession_rows(entry, body["supersedes"]["n"], reason):
            yield Supersession(**Supersession.shared(entry), **columns)


def event_in(body: Mapping[str, Any]) -> Any:
    """The event an entry tells. Its private values are withheld."""
    return event_in_book(event_kinds()[body["kind"]], body["payload"])


def entries(
    of_kinds: Sequence[str], using: str = "default"
) -> Iterator[tuple[EntryView, dict[str, object]]]:
    """Entries of the book with their bodies, in the order of their streams, not all at once."""
    with streamed(_ENTRIES, [list(of_kinds)], using) as cursor:
        for row in cursor:
            body = json.loads(bytes(row[10]))
            yield view_of(row, body), body


def view_of(row: tuple[Any, ...], body: Mapping[str, Any]) -> EntryView:
    """An entry as a projection sees it: of columns in the order of `_ENTRIES`, and its body."""
    who, corrected = body["who"], body["supersedes"]
    return EntryView(
        entry_id=row[0],
        stream=row[1],
        n=row[2],
        leaf=bytes(row[9]).hex(),
        kind=row[3],
        gaming_day=row[4],
        table_code=row[5],
        partida_id=row[6],
        occurred_at=row[7],
        recorded_at=row[8],
        staff=who["staff"],
        office=who["office"],
        door=who["door"],
        supersedes=corrected["leaf"] if corrected else "",
    )


def _columns(projected: ProjectionBase) -> dict[str, Any]:
    return {
        # What was just made may hold a UUID as its text; what was stored never does.
        field.attname: _plain(field.to_python(getattr(projected, field.attname)))
        for field in projected._meta.concrete_fields
    }


def _plain(value: object) -> object:
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value


def unlike(projected_made: ProjectionBase, projected: ProjectionBase) -> list[str]:
    """The columns in which a stored row differs from the one the entry makes."""
    expected, stored = _columns(projected_made), _columns(projected)
    return [column for column in expected if expected[column] != stored[column]]


def strangers(
    model: type[ProjectionBase], fed_by: Sequence[str], using: str
) -> Iterator[Difference]:
    """Rows that stand for an entry of another kind or day, or for none."""
    table = sql.Identifier(model._meta.db_table)
    with connections[using].cursor() as cursor:
        cursor.execute(
            sql.SQL(
                "SELECT r.entry_id FROM {} r LEFT JOIN book_entry e ON e.id = r.entry_id"
                " WHERE e.id IS NULL OR NOT e.kind = ANY(%s) OR r.gaming_day <> e.gaming_day"
            ).format(table),
            [list(fed_by)],
        )
        for (entry_id,) in cursor.fetchall():
            yield Difference(model._meta.db_table, str(entry_id), "not in the book")


def _batches(made: Iterator[Made], size: int) -> Iterator[list[Made]]:
    while batch := list(islice(made, size)):
        yield batch
