"""What every event has in common: where it goes in the book, and that it checks itself.

An event is frozen, built with keywords, and refuses only what cannot have happened as written.
Where a field is left out nobody knows; see docs/events.md.
"""

from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Literal

from casino.events import Malformed
from casino.events.event_policy import Policy
from casino.events.round.round_form import gaming_day_of
from casino.events.shape import Part, check_fields
from casino.events.values import (
    Code,
    EntryNumber,
    PartidaName,
    Sha256,
    StreamName,
    Word,
)

HOUSE = "house"
RECONCILER = "reconciler"
POOLS = "jackpot/"  # what the streams of pools begin with
CASES = "cases"  # what people do about findings, and below what an inspector alone reads of it
NOTES = "notes"
OF_CASES = frozenset({CASES, NOTES})


@dataclass(frozen=True, slots=True, kw_only=True)
class OverriddenWarning(Part):
    """A warning somebody saw and recorded over: the check that warned, and his coded reason."""

    check: Word
    reason: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper(Part):
    """The sheet it was written on by hand before it was recorded: its number, the staff number of
    who wrote it, why. When it happened is what the sheet says; the entry's own moment says how late
    it was recorded, and no deadline is kept by it.
    """

    sheet: Code
    written_by: Code
    why: Literal["no_power", "no_network", "no_tablet", "server_down", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRef(Part):
    """An entry of the book, named so that nobody can take another for it."""

    stream: StreamName
    n: EntryNumber
    leaf: Sha256


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event of the house as a whole; the classes below say where else one may go.

    `kind` is its name and version for ever, `label` what an entry of it is called, `policy` who
    writes and reads it, `private` the fields the book keeps as commitments. `gaming_day` is None
    where it follows from the moment it occurred.
    """

    kind: ClassVar[str]
    label: ClassVar[str]
    policy: ClassVar[Policy] = Policy()
    private: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        check_fields(self, "$")
        self.check_whence()
        self.contradictions()

    def check_whence(self) -> None:
        """Table, partida and stream against each other. Raises: Malformed."""

    def contradictions(self) -> None:
        """What the other fields say against each other. Raises: Malformed."""

    @property
    def stream(self) -> str:
        """The book's stream this event is written to."""
        return HOUSE

    @property
    def table_code(self) -> str | None:
        """The table it tells of."""
        return None

    @property
    def partida_id(self) -> str | None:
        """The partida it belongs to."""
        return None

    @property
    def gaming_day(self) -> date | None:
        """The gaming day of its partida, read off the partida's name."""
        if self.table_code is None or self.partida_id is None:
            return None
        return gaming_day_of(self.table_code, self.partida_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseEvent(Event):
    """An event of the house that a warning may have been recorded over, perhaps from paper."""

    despite: tuple[OverriddenWarning, ...] = ()
    paper: Paper | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEvent(Event):
    """An event of one table."""

    table: Code
    despite: tuple[OverriddenWarning, ...] = ()
    paper: Paper | None = None

    @property
    def stream(self) -> str:
        """The table's stream."""
        return f"table/{self.table}"

    @property
    def table_code(self) -> str:
        """The table it tells of."""
        return self.table


@dataclass(frozen=True, slots=True, kw_only=True)
class PartidaEvent(TableEvent):
    """An event of one partida."""

    partida: PartidaName

    def check_whence(self) -> None:
        """The partida is of this table and of a day there is. Raises: Malformed."""
        gaming_day_of(self.table, self.partida)

    @property
    def partida_id(self) -> str:
        """The partida it belongs to."""
        return self.partida


@dataclass(frozen=True, slots=True, kw_only=True)
class SomewhereEvent(Event):
    """An event of a partida, of a table outside any partida, or of the house."""

    table: Code | None = None
    partida: PartidaName | None = None

    def check_whence(self) -> None:
        """A partida is recorded with its table. Raises: Malformed."""
        if self.partida is None:
            return
        if self.table is None:
            raise Malformed("$.table", "found none; a partida is told with its table")
        gaming_day_of(self.table, self.partida)

    @property
    def stream(self) -> str:
        """The table's stream, or the house's."""
        return HOUSE if self.table is None else f"table/{self.table}"

    @property
    def table_code(self) -> str | None:
        """The table it tells of."""
        return self.table

    @property
    def partida_id(self) -> str | None:
        """The partida it belongs to."""
        return self.partida


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorEvent(SomewhereEvent):
    """Such an event that a warning may have been recorded over, perhaps from paper."""

    despite: tuple[OverriddenWarning, ...] = ()
    paper: Paper | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryEvent(SomewhereEvent):
    """An event about an entry of the book; it stands in that entry's stream."""

    @property
    def about(self) -> EntryRef:
        """The entry it is about."""
        raise NotImplementedError

    def check_whence(self) -> None:
        """A table that is recorded is the table of that stream. Raises: Malformed.

        A stream of a pool or of cases tells of many tables, and each of its entries says of which;
        so does the auditor's.
        """
        there = table_of(self.about.stream)
        if is_of_many_tables(self.about.stream) or self.about.stream == RECONCILER:
            there = self.table
        if self.table is not None and self.table != there:
            raise Malformed(
                "$.table",
                "found table {found}; the entry stands in the stream {stream}",
                found=self.table,
                stream=self.about.stream,
            )
        SomewhereEvent.check_whence(self)

    @property
    def stream(self) -> str:
        """The stream of the entry it is about."""
        return self.about.stream

    @property
    def table_code(self) -> str | None:
        """The table it tells of: the entry's."""
        return self.table if is_of_many_tables(self.about.stream) else table_of(self.about.stream)


def is_of_many_tables(stream: str) -> bool:
    """Whether each entry of a stream says of which table it is."""
    return stream.startswith(POOLS) or stream in OF_CASES


def table_of(stream: str) -> str | None:
    """The table a stream belongs to, if to any."""
    return stream.removeprefix("table/") if stream.startswith("table/") else None
