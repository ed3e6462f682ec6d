"""The entries a report reads: of some kinds, of some gaming days, of one table or all."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db import connection
from django.utils.translation import gettext as _

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
ORDER BY e.occurred_at, e.id LIMIT %s
"""
_NAMED: Final = """
WHERE (s.name, e.n) IN (SELECT * FROM unnest(%s::text[], %s::bigint[]))
ORDER BY e.occurred_at, e.id
"""


class Asked(NamedTuple):
    """What a report is of: gaming days from `first` to `last`, both in; a table, a jackpot,
    findings by the ids of their entries; '' and () where it was not asked. Of a letter `findings`
    is the entry it is made from, `reply_to` the reference it answers.
    """

    report: str
    first: date
    last: date
    table: str = ""
    jackpot: str = ""
    findings: tuple[str, ...] = ()
    reply_to: str = ""


class TooMuch(ValueError):
    """More than one report holds; the text says what to ask instead."""


def readable_by(office: str) -> list[str]:
    """The kinds of which an office reads every entry."""
    return [kind for kind, event in event_kinds().items() if office in event.policy.whole_readers]


def entries_of(asked: Asked, kinds: Sequence[str], stream: str = "") -> list[Row]:
    """The entries of these kinds in the order in which they happened. Raises: TooMuch."""
    table = asked.table
    with connection.cursor() as cursor:
        cursor.execute(
            ENTRIES + _OF_KINDS,
            [asked.first, asked.last, list(kinds), table, table, stream, stream, MOST + 1],
        )
        found = cursor.fetchall()
    if len(found) > MOST:
        raise TooMuch(
            _("More than %(most)s records: ask for fewer days, or for one table.")
            % {"most": f"{MOST:,}".replace(",", " ")}
        )
    return [row_of(one) for one in found]


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
    listed = tuple(rows)
    lines = lines_of(Page(listed, earlier=False, later=False), (), None, {})
    return [_line(line, line.row, asked) for line in lines if line.row is not None]


def _line(line: Line, row: Row, asked: Asked) -> Shown:
    begins = day_begins(asked.first)
    days = asked.first != asked.last or asked.report != "game"
    values = "; ".join(f"{name}: {cells.clean(value)}" for name, value in line.summary)
    return Shown(
        [
            cells.dated(row.place.at, begins) if days else cells.hour(row.place.at, begins),
            {"n": row.n, "text": f"{row.stream} {row.n}"},
            cells.text(line.what),
            cells.text(values),
            cells.text(f"{line.staff} {line.office}".strip()),
            cells.text(_standing(line)),
        ],
        (row.stream, row.n),
    )


def _standing(line: Line) -> str:
    said = [cells.clean(line.standing) if line.standing else _("holds")]
    if line.late:
        said.append(_("recorded %(time)s later") % {"time": line.late})
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
