"""Which entries name a deck, a machine or a person: a row for each that an entry names, once.

Table and partida stand beside every entry in the book itself. A round names only its dealer, and
has a column for him on its own projection: a hundred thousand rounds need no second row each.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, Self

import psycopg
from django.db import connection, models
from django.utils.translation import gettext_lazy as _
from psycopg import sql

from casino.events.event import Event
from casino.events.kinds import KINDS
from casino.events.naming import Thing, named_in
from casino.events.round.round_played import RoundPlayed
from casino.models.projection import EntryView, ProjectionRow
from casino.models.projection_columns import text

AUTHOR: Final = "author"


class Naming(ProjectionRow):
    """An entry names something. `role` is the first field that names it, or ``"author"``."""

    events = tuple(event for event in KINDS.values() if event is not RoundPlayed)

    thing = text(_("what is named"))
    code = text(_("name"))
    role = text(_("as what"))
    kind = text(_("kind"))

    class Meta:
        db_table = "casino_naming"
        verbose_name = _("name in an entry")
        verbose_name_plural = _("names in entries")
        indexes = (
            models.Index(
                fields=["thing", "code", "kind", "occurred_at", "entry"], name="naming_in_time"
            ),
            models.Index(fields=["entry"], name="naming_entry"),
        )

    def __str__(self) -> str:
        return f"{self.thing} {self.code}"

    @classmethod
    def rows_of(cls, event: Event, entry: EntryView) -> Iterator[dict[str, object]]:
        """Each thing once, as what it is named first; the author last."""
        seen: set[tuple[Thing, str]] = set()
        for thing, code, role in (*named_in(event), ("person", entry.staff, AUTHOR)):
            if (thing, code) not in seen:
                seen.add((thing, code))
                yield {"thing": thing, "code": code, "role": role, "kind": entry.kind}

    @classmethod
    def put(cls, rows: Sequence[Self]) -> None:
        """Store the rows of new entries: a column is a value, however many rows there are.

        Almost every entry has some; as values one by one they took a third of its time.
        """
        if rows:
            statement, names = _insertion()
            values = [[getattr(row, name) for row in rows] for name in names]
            with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
                cursor.execute(statement, values)


@cache
def _insertion() -> tuple[sql.Composed, tuple[str, ...]]:
    """The statement that puts rows here, and the columns whose values it takes, as arrays."""
    fields = Naming._meta.concrete_fields
    names = tuple(field.attname for field in fields)  # its columns are called the same
    arrays = [sql.SQL(f"%b::{field.db_type(connection)}[]") for field in fields]
    statement = sql.SQL("INSERT INTO {} ({}) SELECT * FROM unnest({})").format(
        sql.Identifier(Naming._meta.db_table),
        sql.SQL(", ").join([sql.Identifier(name) for name in names]),
        sql.SQL(", ").join(arrays),
    )
    return statement, names
