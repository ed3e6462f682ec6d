"""The entries a report reads: of some kinds, of some gaming days, of one table or all."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from audit.answers import Stretch
from audit.reports import report_cells as cells
from audit.reports.report_draft import Column
from audit.reports.report_draft import Row as Shown
from casino.admin.timeline.timeline_lines import Line, lines_of
from casino.admin.timeline.timeline_reading import Page, Row, row_of
from casino.extensions import event_kinds
from casino.house_day import day_begins
from casino.queries import ENTRIES

MOST: Final = 10_000  # entries of one report
_OF_KINDS: Final = """
WHERE e.gaming_day BETWEEN %s AND %s AND e.kind = ANY(%s)
    AND (%s = '' OR e.table_code = %s) AND (%s = '' OR s.name = %s)
    AND position(%s::bytea IN e.entry) > 0
ORDER BY e.occurred_at, e.id LIMIT %s
"""
_NAMED: Final = """
WHERE (s.name, e.n) IN (SELECT * FROM unnest(%s::text[], %s::bigint[]))
ORDER BY e.occurred_at, e.id
"""


class PackFile(NamedTuple):
    """A file of an evidence pack: its name there, its size in bytes, its SHA-256 in hex."""

    name: str
    size: int
    sha256: str


class Asked(NamedTuple):
    """What a report is of: gaming days from `first` to `last`, both in; a table, a jackpot,
    findings (or a payment of a jackpot) by the ids of their entries; '' and () where not asked.

    Of the manifest of an evidence pack (`pack`, a word of PACK_WORDS): its partida, the checkpoint
    whoever asked had kept, the files it lists, and the entries of what is in it, by stream and
    number. Of a letter `findings` is the entry it is made from, `reply_to` the reference it
    answers.
    """

    report: str
    first: date
    last: date
    table: str = ""
    jackpot: str = ""
    findings: tuple[str, ...] = ()
    pack: str = ""
    partida: str = ""
    kept: str = ""
    files: tuple[PackFile, ...] = ()
    cited: tuple[tuple[str, int], ...] = ()
    reply_to: str = ""

    @property
    def stretch(self) -> Stretch:
        """The days and the table, as figures are added up over them."""
        return Stretch(self.first, self.last, self.table)

    def days(self) -> Q:
        """The days and the table, as a condition on the rows of a projection."""
        days = Q(gaming_day__range=(self.first, self.last))
        return days & Q(table_code=self.table) if self.table else days


class TooMuch(ValueError):
    """More than one report holds; the text says what to ask instead."""


def readable_by(office: str) -> list[str]:
    """The kinds of which an office reads every entry."""
    return [kind for kind, event in event_kinds().items() if office in event.policy.whole_readers]


Some = TypeVar("Some")


def at_most(several: Sequence[Some] | QuerySet[Any, Some]) -> list[Some]:
    """All of them. Raises: TooMuch."""
    listed = list(several[: MOST + 1])
    if len(listed) > MOST:
        raise TooMuch(
            _("More than %(most)s records: ask for fewer days, or for one table.")
            % {"most": cells.whole(MOST)["text"]}
        )
    return listed


def entries_of(
    asked: Asked, kinds: Sequence[str], stream: str = "", holding: bytes = b""
) -> list[Row]:
    """The entries of these kinds in the order in which they happened; of one stream alone, and
    those alone whose bytes hold some, where that is asked. Raises: TooMuch.
    """
    with connection.cursor() as cursor:
        days: list[Any] = [asked.first, asked.last, list(kinds), asked.table, asked.table]
        cursor.execute(ENTRIES + _OF_KINDS, [*days, stream, stream, holding, MOST + 1])
        return [row_of(one) for one in at_most(cursor.fetchall())]


def columns() -> list[Column]:
    """The columns of a register of entries."""
    return [
        Column(_("When"), 11),
        Column(_("Entry"), 12),
        Column(_("What"), 13),
        Column(_("What was recorded"), 40),
        Column(_("By"), 12),
        Column(_("Standing"), 12),
    ]


def shown(rows: Iterable[Row], asked: Asked) -> list[Shown]:
    """Entries as lines of a register; with the day, where it is of several."""
    return [_line(line, line.row, asked) for line in _lines(rows) if line.row is not None]


def values_by_entry(rows: Iterable[Row]) -> dict[tuple[str, int], str]:
    """What was recorded, in brief, by stream and number."""
    lines = [(line.row, line) for line in _lines(rows)]
    return {(row.stream, row.n): _values(line) for row, line in lines if row is not None}


def moment_of(at: datetime, asked: Asked) -> cells.Cell:
    """When something happened: without the day in the report of one night alone."""
    days = asked.first != asked.last or asked.report != "game"
    return (cells.dated if days else cells.hour)(at, day_begins(asked.first))


def _lines(rows: Iterable[Row]) -> Iterator[Line]:
    return lines_of(Page(tuple(rows), earlier=False, later=False), (), None, {})


def _values(line: Line) -> str:
    return "; ".join(f"{name}: {cells.clean(value)}" for name, value in line.summary)


def _line(line: Line, row: Row, asked: Asked) -> Shown:
    return Shown(
        [
            moment_of(row.place.at, asked),
            cells.entry(row.stream, row.n),
            cells.text(line.what),
            cells.text(_values(line)),
            cells.text(f"{line.staff} {line.office}".strip()),
            cells.text(_standing(line)),
        ],
        (row.stream, row.n),
    )


def _standing(line: Line) -> str:
    said = [cells.clean(line.standing) if line.standing else _("holds")]
    if line.late:
        said.append(_("recorded %(time)s later") % {"time": line.late})
    if line.paper:
        said.append(line.paper)
    if line.despite:
        said.append(_("over a warning"))
    if line.corrects:
        n, reason = line.corrects
        said.append(_("corrects n.º %(n)s: %(reason)s") % {"n": n, "reason": reason})
    if line.corrected_by:
        n, reason = line.corrected_by
        said.append(_("corrected by n.º %(n)s: %(reason)s") % {"n": n, "reason": reason})
    if line.withdrawn:
        said.append(cells.clean(line.withdrawn))
    return "; ".join(said)


def entries_named_rows(marks: Iterable[tuple[str, int]]) -> list[Row]:
    """Entries by stream and number, in the order in which they happened."""
    named = sorted(set(marks))
    with connection.cursor() as cursor:
        cursor.execute(
            ENTRIES + _NAMED, [[stream for stream, _n in named], [n for _stream, n in named]]
        )
        return [row_of(one) for one in cursor.fetchall()]
