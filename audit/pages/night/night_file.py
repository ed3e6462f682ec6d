"""A night's tables as a file: a row for each table, as the night's page adds them up."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from audit import sums_owed
from audit.answers import Stretch
from audit.audit_queries import GRAVITIES
from audit.night.night_queries import chips_off, found_on, off_cents, tables_of
from audit.night.table_night import TableNight
from audit.night.what_counts import WhatCounts
from audit.pages.audit_access import exports
from audit.pages.night.night_page import day_of_night
from audit.sums_owed import Owed
from casino.web.display.csv_answer import Cell, file_named
from casino.web.list_files.list_answer import list_answer
from casino.web.list_files.list_source import ListSource, columns_of

HEAD: Final = (
    "table", "gaming_day", "partidas", "opened_at", "closed_at", "rounds", "staked_cents",
    "returned_cents", "result_cents", "opening_cents", "fills_cents", "credits_cents",
    "closing_cents", "chips_result_cents", "drop_cents", "chips_off_cents", "breaches",
    "deviations", "warnings", "notes", "owed_players_cents", "owed_house_cents", "dealers",
    "fiscais",
)  # fmt: skip


@require_safe
def night_csv(request: HttpRequest, day: str) -> HttpResponseBase:
    """The tables of one gaming day. Raises: Http404 for what is no day of a book."""
    if not exports(request):
        raise PermissionDenied
    asked = day_of_night(day)
    rows = list(_rows(asked))
    source = ListSource(
        of="night",
        name=file_named("night", asked.isoformat()),
        title=_("The night of %(day)s") % {"day": date_format(asked, "SHORT_DATE_FORMAT")},
        columns=columns_of(HEAD),
        rows=rows,
        count=len(rows),
        narrowed={_("Gaming day"): date_format(asked, "SHORT_DATE_FORMAT")},
        first=asked,
        last=asked,
    )
    return list_answer(request, source)


def _rows(day: date) -> Iterator[list[Cell]]:
    """Of every table that was open, or of which something was found or is owed."""
    there = {one.table: one for one in tables_of(day, WhatCounts())}
    found, off = found_on(day).by_table, chips_off(day)
    owed: dict[str, Owed] = {}
    for row in sums_owed.rows(Stretch(day, day)):
        owed[row.table] = owed.get(row.table, Owed()).plus(row.owed)
    for code in sorted({*there, *found, *owed}):
        sums, gravities = owed.get(code, Owed()), found.get(code, {})
        yield [
            *_played(there.get(code, TableNight(code, ())), day),
            sum(map(off_cents, off[code])) if code in off else None,
            *(gravities.get(gravity, 0) for gravity in GRAVITIES),
            sums.to_players,
            sums.to_house,
            *_people(there.get(code)),
        ]


def _played(table: TableNight, day: date) -> list[Cell]:
    """Its games, hours and money; the moment it closed is unknown while a game is open."""
    spans, counts = table.open, table.counts
    ends = [span.until for span in spans]
    closed = None if None in ends else max(filter(None, ends), default=None)
    return [
        table.table,
        day.isoformat(),
        " ".join(game.partida for game in table.games),
        spans[0].since.isoformat() if spans else None,
        None if closed is None else closed.isoformat(),
        table.rounds,
        table.staked,
        table.returned,
        table.result,
        counts.opening,
        counts.fills,
        counts.credits,
        counts.closing,
        counts.result,
        counts.drop,
    ]


def _people(table: TableNight | None) -> list[Cell]:
    """Who dealt and who answered for it, by staff number."""
    if table is None:
        return [None, None]
    return [
        " ".join(sorted({post.person for post in posts}))
        for posts in (table.dealers, table.fiscais)
    ]
