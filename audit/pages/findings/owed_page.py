"""What is owed by unresolved findings, added up by player, table, dealer and day."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from audit import sums_owed as owed
from audit.audit_queries import OPEN
from audit.pages.audit_access import exports, reads_all
from audit.pages.law.stretch import Asked, asked_of
from audit.pages.page_words import day
from audit.sums_owed import Owed, Row, grouped
from casino.web.display.csv_answer import Cell, file_named
from casino.web.display.money_and_time import money
from casino.web.list_files.list_answer import list_answer
from casino.web.list_files.list_source import ListSource, columns_of

SHOWN: Final = 200  # lines of a sum on the page, the largest; the file has all
HEAD: Final = (
    *("by", "who", "partida", "table", "gaming_day", "findings", "owed_to", "owed_cents"),
    *("settled_cents", "left_cents"),
)


class Line(NamedTuple):
    """One line of a sum: who or what, of which game, where its findings are, and the amounts."""

    who: str
    game: str
    url: str
    findings: int
    to_players: str
    to_house: str
    paid: str
    left: str


def owed_page(request: HttpRequest) -> HttpResponse:
    """The sums of some days."""
    if not reads_all(request):
        raise PermissionDenied
    asked = asked_of(request)
    found = owed.rows(asked.stretch)
    total = _sum(found)
    nobody = _("not told")
    groups = [
        (_("Player"), _lines(found, lambda row: (row.player or nobody, row.partida), asked)),
        (_("Table"), _lines(found, lambda row: (row.table or nobody, ""), asked)),
        (_("Dealer"), _lines(found, lambda row: (row.dealer or nobody, ""), asked)),
        (_("Gaming day"), _lines(found, lambda row: (row.day.isoformat(), ""), asked)),
    ]
    return render(
        request,
        "audit/owed.html",
        {
            **admin.site.each_context(request),
            **asked.context(),
            "title": _("Sums owed"),
            "query": asked.query,
            "judged": None,
            "total": total,
            "players": money(total.to_players),
            "house": money(total.to_house),
            "paid": money(total.paid),
            "left": money(total.left),
            "groups": [
                (what, lines[:SHOWN], len(lines[SHOWN:])) for what, lines in groups if found
            ],
            "in_part": total.findings > owed.MOST,
            "most": owed.MOST,
            "list_url": _list(asked),
            "file_rows": sum(1 for _row in _cells(found)),
            "csv_url": f"{reverse('owed-csv')}?{asked.address()}" if exports(request) else "",
        },
    )


def owed_csv(request: HttpRequest) -> HttpResponseBase:
    """The same sums as a file: a row for each sum, to players and to the house apart."""
    if not exports(request):
        raise PermissionDenied
    asked = asked_of(request)
    stretch = asked.stretch
    rows = list(_cells(owed.rows(stretch)))
    days = (stretch.first.isoformat(), stretch.last.isoformat())
    source = ListSource(
        of="owed",
        name=file_named("owed", *days, stretch.table),
        title=_("Sums owed"),
        columns=columns_of(HEAD),
        rows=rows,
        count=len(rows),
        narrowed=asked.in_words,
        first=stretch.first,
        last=stretch.last,
    )
    return list_answer(request, source)


_BY: Final[dict[str, Callable[[Row], tuple[str, str, str, str]]]] = {
    "player": lambda row: (row.player, row.partida, row.table, row.day.isoformat()),
    "table": lambda row: (row.table, "", row.table, ""),
    "dealer": lambda row: (row.dealer, "", "", ""),
    "day": lambda row: (row.day.isoformat(), "", "", row.day.isoformat()),
}


def _cells(found: Sequence[Row]) -> Iterator[Sequence[Cell]]:
    for by, key in _BY.items():
        for named, sums in sorted(grouped(found, key).items()):
            for owed_to, cents, paid in (
                ("player", sums.to_players, sums.paid_players),
                ("house", sums.to_house, sums.paid_house),
            ):
                if cents:
                    yield [by, *named, sums.findings, owed_to, cents, paid, cents - paid]


def _sum(found: Sequence[Row]) -> Owed:
    return grouped(found, lambda row: "").get("", Owed())


def _lines(
    found: Sequence[Row], by_what: Callable[[Row], tuple[str, str]], asked: Asked
) -> list[Line]:
    """The largest sum first."""
    first = {by_what(row): row for row in reversed(found)}
    sums = sorted(
        grouped(found, by_what).items(),
        key=lambda item: (-item[1].to_players - item[1].to_house, item[0]),
    )
    return [
        Line(
            day(first[named].day) if who == first[named].day.isoformat() else who,
            game,
            _list_of(asked, first[named], who, game),
            owed.findings,
            money(owed.to_players) if owed.to_players else "",
            money(owed.to_house) if owed.to_house else "",
            money(owed.paid) if owed.paid else "",
            money(owed.left) if owed.left else "",
        )
        for named, owed in sums
        for who, game in (named,)
    ]


def _list_of(asked: Asked, row: Row, who: str, game: str) -> str:
    """The findings of a line, where the list can be narrowed to them: a game, a table, a day."""
    if game and row.player:
        of = _("%(player)s of %(game)s") % {"player": row.player, "game": game}
        return f"{reverse('admin:audit_finding_changelist')}?{asked.address(state=OPEN, person=of)}"
    if game:
        return f"{_list(asked)}&q={game}"
    if who == row.table:
        return f"{_list(asked._replace(stretch=asked.stretch._replace(table=row.table)))}"
    if who == row.day.isoformat():
        one = asked.stretch._replace(first=row.day, last=row.day)
        return _list(asked._replace(stretch=one))
    return ""


def _list(asked: Asked) -> str:
    return f"{reverse('admin:audit_finding_changelist')}?{asked.address(state=OPEN)}"
