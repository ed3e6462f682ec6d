"""What every projection has in common: it stands for one entry of the book and nothing else.

A projection's rows are written by `casino.recording` in the entry's own transaction and can be
thrown away and made again by `manage.py rebuild`. The application may insert and read them; nobody
changes one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self
from uuid import UUID, uuid5

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.event import Event

Category = Literal["book", "projection", "reference", "operational", "erasable", "log"]


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry of the book as a projection sees it: everything but the payload, which is the event.

    `leaf` and `supersedes` (the leaf of the entry this one corrects, '' for none) are 64 lower-case
    hex digits; `table_code` and `partida_id` are '' where the event has none.
    """

    entry_id: UUID
    stream: str
    n: int
    leaf: str
    kind: str
    gaming_day: date
    table_code: str
    partida_id: str
    occurred_at: datetime
    recorded_at: datetime
    staff: str
    office: str
    door: str
    supersedes: str = ""


class Lock(NamedTuple):
    """A lock a projection needs before the stream's head: its name, and whether others may share
    it.
    """

    name: str
    shared: bool


# Who changes what counts (an approved correction) shares it; who sums it up holds it alone.
WHAT_COUNTS: Final = "what-counts"


class ProjectionBase(models.Model):
    """The columns that every projection copies from its entry.

    `events` are those that stand on it. Where its columns are not simply the event's fields of the
    same names, it says so in `rows_of`.
    """

    events: ClassVar[tuple[type[Event], ...]] = ()
    category: ClassVar[Category] = "projection"
    in_parts: ClassVar[bool] = False  # partitioned by gaming day

    stream = models.TextField(_("stream"), editable=False)
    n = models.BigIntegerField(_("number in the stream"), editable=False)
    gaming_day = models.DateField(_("gaming day"), editable=False)
    table_code = models.TextField(_("table"), editable=False)
    partida_id = models.TextField(_("partida"), editable=False)
    occurred_at = models.DateTimeField(_("occurred at"), editable=False)
    recorded_at = models.DateTimeField(_("recorded at"), editable=False)
    staff = models.TextField(_("recorded by"), editable=False)
    office = models.TextField(_("office"), editable=False)
    supersedes_leaf = models.TextField(_("corrects"), editable=False)

    class Meta:
        abstract = True

    @staticmethod
    def shared(entry: EntryView) -> dict[str, object]:
        """The shared columns of an entry's rows."""
        return {
            "entry_id": entry.entry_id,
            "stream": entry.stream,
            "n": entry.n,
            "gaming_day": entry.gaming_day,
            "table_code": entry.table_code,
            "partida_id": entry.partida_id,
            "occurred_at": entry.occurred_at,
            "recorded_at": entry.recorded_at,
            "staff": entry.staff,
            "office": entry.office,
            "supersedes_leaf": entry.supersedes,
        }

    @classmethod
    def rows_of(cls, event: Any, entry: EntryView) -> Iterator[Mapping[str, object]]:
        """What it makes of an event: the columns of each row beside the shared ones."""
        yield same(event, cls)

    @classmethod
    def locks_of(cls, event: Any) -> Iterable[Lock]:
        """The locks it needs before the stream's head."""
        return ()

    @classmethod
    def key_of(cls, entry: EntryView, ordinal: int) -> dict[str, object]:
        """The primary key of the entry's `ordinal`-th row, where it is not the entry itself."""
        return {}

    @classmethod
    def make_room(cls, days: Iterable[date], using: str = "default") -> None:
        """Prepare the table for rows of these gaming days, where it is `in_parts`."""

    @classmethod
    def put(cls, rows: Sequence[Self]) -> None:
        """Store the rows of new entries."""
        cls._default_manager.bulk_create(rows)


class Projection(ProjectionBase):
    """A projection with exactly one row an entry."""

    entry = models.OneToOneField(
        "casino.BookEntry",
        primary_key=True,
        on_delete=models.DO_NOTHING,
        related_name="+",
        editable=False,
    )

    class Meta:
        abstract = True


class ProjectionRow(ProjectionBase):
    """A projection with any number of rows an entry; the same entry makes the same keys again."""

    id = models.UUIDField(primary_key=True, editable=False)
    entry = models.ForeignKey(
        "casino.BookEntry", on_delete=models.DO_NOTHING, related_name="+", editable=False
    )

    class Meta:
        abstract = True

    @classmethod
    def key_of(cls, entry: EntryView, ordinal: int) -> dict[str, object]:
        """A key made of the entry and the row's place in it."""
        return {"id": uuid5(entry.entry_id, f"{cls._meta.db_table}/{ordinal}")}


@cache
def own_columns(model: type[ProjectionBase]) -> Mapping[str, bool]:
    """A projection's columns beside the shared ones; whether each holds texts that are '' if
    unknown.
    """
    shared = {field.name for field in ProjectionBase._meta.get_fields()} | {"entry", "id"}
    return {
        field.name: isinstance(field, models.TextField)
        for field in model._meta.concrete_fields
        if field.name not in shared
    }


def same(event: Any, model: type[ProjectionBase]) -> dict[str, object]:
    """The columns of `model` that are named like fields of `event`, as the event tells them."""
    return {
        name: _kept(getattr(event, name), is_text)
        for name, is_text in own_columns(model).items()
        if hasattr(event, name)
    }


def blank(value: str | None) -> str:
    """A text column's value: '' for what is unknown."""
    return "" if value is None else value


def _kept(value: object, is_text: bool) -> object:
    if value is None and is_text:
        return ""
    return list(value) if isinstance(value, tuple) else value
