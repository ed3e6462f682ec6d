"""The night on one page: what was played, owed, found; what went wrong; who was there.

For whoever reads all. Nothing on it is kept: it is added up from the book whenever it is looked at.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final
from uuid import uuid4

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from audit import audit_queries, sums_owed
from audit.answers import Stretch, days_waiting
from audit.audit_queries import OPEN
from audit.models import Finding, Verification
from audit.night.case_queries import ComplaintSeen, cases_of, complaints_of
from audit.night.duty_spans import on_duty
from audit.night.four_columns import Case
from audit.night.night_queries import Found, chips_off, found_on, off_cents, tables_of
from audit.night.pool_night import PoolNight, pools_on
from audit.night.table_night import Counts, GameNight, Post, TableNight, open_time
from audit.night.what_counts import WhatCounts
from audit.pages.audit_access import exports, reads_all, reads_book
from audit.pages.findings.heading_moments import hour_words
from audit.pages.findings.people_present import Present, present_at
from audit.pages.night.night_words import (
    after,
    hour,
    length,
    refund_words,
    span_words,
    spans_words,
    stopped_words,
)
from audit.pages.page_words import cited, counted, gravity_word, words
from audit.sums_owed import Owed, Row
from casino import clock, sealed
from casino.house_day import day_begins, gaming_day_now
from casino.web.display.money_and_time import fine_money, moment, money
from casino.web.entries.entry_page import url_of
from casino.web.words.field_words import word
from casino.web.words.incident_words import category_word
from casino.web.words.kind_words import kind_word
from casino.web.words.languages import language
from jackpot.pages.amount_display import signed

FIRST_YEAR: Final = 2000  # no book is older
LINES: Final = 60  # of a sum on the page, the largest
DECKS: Final = 2  # of a case that are named


@require_safe
def night_today(request: HttpRequest) -> HttpResponse:
    """The last night that is over: that of the gaming day before this one."""
    if not reads_all(request):
        raise PermissionDenied
    return HttpResponseRedirect(reverse("night", args=[gaming_day_now() - timedelta(days=1)]))


@require_safe
def night_page(request: HttpRequest, day: str) -> HttpResponse:
    """One gaming day. Raises: Http404 for what is no day of a book."""
    if not reads_all(request):
        raise PermissionDenied
    asked = day_of_night(day)
    counting = WhatCounts()
    tables, found = tables_of(asked, counting), found_on(asked)
    rows = sums_owed.rows(Stretch(asked, asked))
    cases, more_cases = cases_of(asked, counting)
    complaints = complaints_of(asked, counting)
    today = gaming_day_now()
    context = {
        **admin.site.each_context(request),
        "title": _("The night"),
        "day": asked,
        "before": asked - timedelta(days=1),
        "after": asked + timedelta(days=1) if asked < today else None,
        "lasts": asked == today,
        "to_come": asked > today,
        "waiting": bool(days_waiting(Stretch(asked, asked))),
        "csv_url": reverse("night-csv", args=[asked]) if exports(request) else "",
        "pack_key": uuid4() if exports(request) and asked <= today else "",
        "report_language": language(),
        "file_rows": len(
            {*(one.table for one in tables), *(row.table for row in rows), *found.by_table}
        ),
        **_figures(tables, rows, found),
        **_tables(tables, rows, found),
        "chips": _all_chips(tables, asked),
        **_owed(rows, asked),
        "findings": _findings(found),
        "findings_left": found.number - len(found.gravest),
        "findings_url": _list(asked),
        "cases": [_case(one) for one in cases],
        "more_cases": more_cases,
        "complaints": [_complaint(one) for one in complaints],
        "duty": _duty(asked, counting),
        "pools": [_pool(one) for one in pools_on(asked, counting)],
        "book": _book() if reads_book(request) else None,
    }
    return render(request, "audit/night.html", context)


def day_of_night(day: str) -> date:
    """The gaming day of an address. Raises: Http404, for what is no day of a book."""
    try:
        asked = date.fromisoformat(day)
    except ValueError as error:
        raise Http404 from error
    if asked.isoformat() != day or not FIRST_YEAR <= asked.year <= date.max.year - 1:
        raise Http404
    return asked


def _list(day: date, **more: str) -> str:
    """The unresolved findings of that day."""
    query = {"from": day.isoformat(), "to": day.isoformat(), "state": OPEN, **more}
    return f"{reverse('admin:audit_finding_changelist')}?{urlencode(query)}"


# Tables


def _figures(tables: Sequence[TableNight], rows: Sequence[Row], found: Found) -> dict[str, object]:
    owed = _sum(rows)
    return {
        "rounds": sum(one.rounds for one in tables),
        "staked": money(sum(one.staked for one in tables)),
        "result": money(sum(one.result for one in tables)),
        "to_players": money(owed.to_players),
        "to_house": money(owed.to_house),
        "settled": money(owed.paid),
        "left": money(owed.left),
        "found": found.number,
        "gravities": _gravities(found.by_gravity),
    }


def _gravities(by_gravity: Mapping[str, int]) -> list[tuple[str, int, str]]:
    return [
        (gravity, number, counted(gravity, number))
        for gravity in audit_queries.GRAVITIES
        if (number := by_gravity.get(gravity, 0))
    ]


def _sum(rows: Iterable[Row]) -> Owed:
    total = Owed()
    for row in rows:
        total = total.plus(row.owed)
    return total


def _tables(tables: Sequence[TableNight], rows: Sequence[Row], found: Found) -> dict[str, object]:
    owed: dict[str, Owed] = {}
    for row in rows:
        owed[row.table] = owed.get(row.table, Owed()).plus(row.owed)
    codes = sorted({*(one.table for one in tables), *owed, *found.by_table})
    there = {one.table: one for one in tables}
    lines = [
        _table(there.get(code, TableNight(code, ())), owed.get(code, Owed()), found)
        for code in codes
    ]
    return {
        "tables": lines,
        "file_rows": len(lines),
        "posts": [_posts(one) for one in tables],
    }


def _table(table: TableNight, owed: Owed, found: Found) -> dict[str, object]:
    return {
        "code": table.table,
        "games": [game.partida for game in table.games],
        "open": spans_words(table.open),
        "length": length(open_time(table.open, clock.now())) if table.open else "",
        "rounds": table.rounds,
        "staked": money(table.staked),
        "returned": money(table.returned),
        "result": money(table.result),
        "gravities": _gravities(found.by_table.get(table.table, {})),
        "to_players": money(owed.to_players) if owed.to_players else "",
        "to_house": money(owed.to_house) if owed.to_house else "",
    }


def _posts(table: TableNight) -> dict[str, object]:
    return {
        "code": table.table,
        "dealers": [_post(one) for one in table.dealers],
        "fiscais": [_post(one) for one in table.fiscais],
    }


def _post(post: Post) -> dict[str, object]:
    return {"person": post.person, "when": spans_words(post.spans), "rounds": post.rounds}


def _all_chips(tables: Sequence[TableNight], day: date) -> list[dict[str, object]]:
    off = chips_off(day)
    return [
        _chips(one) | {"off": [_off(each) for each in off.get(one.table, ())]} for one in tables
    ]


def _off(finding: Finding) -> dict[str, str]:
    """By how much the chips of a game are off, and the page that says since when."""
    return {
        "amount": money(off_cents(finding)),
        "url": reverse("admin:audit_finding_change", args=[finding.pk]),
    }


def _chips(table: TableNight) -> dict[str, object]:
    counts: Counts = table.counts
    return {
        "code": table.table,
        "games": [_game(game) for game in table.games],
        "drop": _money(counts.drop),
        "opening": _money(counts.opening),
        "fills": money(counts.fills) if counts.fills else "",
        "credits": money(counts.credits) if counts.credits else "",
        "closing": _money(counts.closing),
        "by_rounds": money(table.result),
    }


def _game(game_night: GameNight) -> tuple[str, str]:
    """A game's number at its table, and the page of what it came to."""
    url = reverse("sala:summary", args=[game_night.table])
    return game_night.partida.rpartition("/")[2], f"{url}?{urlencode({'game': game_night.partida})}"


def _money(cents: int | None) -> str:
    """'' where it is not recorded."""
    return "" if cents is None else money(cents)


# What is owed, what was found


def _owed(rows: Sequence[Row], day: date) -> dict[str, object]:
    """The sums by player, the largest first."""
    players: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        players.setdefault((row.player, row.partida), []).append(row)
    sums = [(*who, _sum(of), of) for who, of in players.items()]
    sums.sort(key=lambda one: (-one[2].to_players - one[2].to_house, one[0], one[1]))
    lines = [
        {
            "player": player,
            "game": game,
            "table": of[0].table,
            "dealers": ", ".join(sorted({row.dealer for row in of if row.dealer})),
            "findings": owed.findings,
            "to_players": money(owed.to_players) if owed.to_players else "",
            "to_house": money(owed.to_house) if owed.to_house else "",
            "settled": money(owed.paid) if owed.paid else "",
            "left": money(owed.left) if owed.left else "",
            "url": _list(day, person=_("%(player)s of %(game)s") % {"player": player, "game": game})
            if player and game
            else "",
        }
        for player, game, owed, of in sums
    ]
    return {"owed": lines[:LINES], "owed_left": len(lines[LINES:])}


def _findings(found: Found) -> list[dict[str, object]]:
    say, there = words(), present_at(found.gravest)
    return [_finding(one, there.get(one.pk, Present()), say.finding(one)) for one in found.gravest]


def _finding(finding: Finding, present: Present, sentence: str) -> dict[str, object]:
    return {
        "tone": finding.severity,
        "gravity": gravity_word(finding.severity, finding.rulebook),
        "cited": cited(finding.rulebook, finding.article),
        "sentence": sentence,
        "table": finding.table_code,
        "at": hour_words(present.moment),
        "present": list(filter(None, (present.dealer, present.fiscal, *present.chefes))),
        "owed": money(finding.owed_cents) if finding.owed_cents else "",
        "owed_to": words().owed_to(finding.owed_to) if finding.owed_cents else "",
        "url": reverse("admin:audit_finding_change", args=[finding.pk]),
    }


# What went wrong


def _case(case: Case) -> dict[str, object]:
    named = category_word(case.what) if case.what else kind_word(case.kind)
    touched = case.touched
    return {
        "what": str(named),
        "number": case.number,
        "url": url_of(case.kind, case.entry_id),
        "table": case.table,
        "decks": ", ".join(case.decks[:DECKS]),
        "more_decks": len(case.decks[DECKS:]),
        "detected": hour(case.detected),
        "stopped": None if case.stopped is None else hour(case.stopped.at),
        "how": "" if case.stopped is None else stopped_words(case.detected, case.stopped),
        "reported": None if case.reported is None else moment(case.reported),
        "report_after": "" if case.reported is None else after(case.detected, case.reported),
        "touched": touched,
        "too_long": case.too_long,
        "staked": "" if touched is None else money(touched.staked),
        "rounds_url": reverse("exposure-entry", args=[case.entry_id]) if case.in_doubt else "",
        "refunds": [refund_words(one) for one in case.refunds],
    }


def _complaint(complaint: ComplaintSeen) -> dict[str, object]:
    return {
        "number": complaint.number,
        "url": url_of("complaint-received/1", complaint.entry_id),
        "subject": word(complaint.subject, "subject"),
        "table": complaint.table,
        "player": complaint.player,
        "game": complaint.partida,
        "at": hour(complaint.received),
        "amount": _money(complaint.amount),
        "outcome": word(complaint.outcome, "outcome") if complaint.outcome else "",
        "decided": "" if complaint.decided is None else moment(complaint.decided),
        "paid": _money(complaint.paid),
    }


# Who was there, the pools, the book


def _duty(day: date, counting: WhatCounts) -> list[dict[str, object]]:
    begins = day_begins(day)
    return [
        {
            "person": one.person,
            "office": word(one.office, "office"),
            "when": span_words(one.span, begins),
            "tables": ", ".join(one.tables),
            "ended": one.span.until is not None,
        }
        for one in on_duty(day, counting)
    ]


def _pool(pool: PoolNight) -> dict[str, object]:
    return {
        "code": pool.jackpot,
        "start": fine_money(pool.start),
        "end": fine_money(pool.end),
        "grown": signed(pool.grown) if pool.grown else money(0),
        "taken": signed(pool.taken) if pool.taken else "",
        "otherwise": signed(pool.otherwise) if pool.otherwise else "",
        "increments": pool.increments,
        "chips": pool.chips,
        "wins": pool.wins,
        "sealed": "" if pool.sealed is None else moment(pool.sealed),
        "prizes": [
            {
                "amount": money(one.cents),
                "player": one.owner,
                "game": one.partida,
                "at": hour(one.at),
                "url": url_of("jackpot-paid/1", one.entry_id),
            }
            for one in pool.prizes
        ],
    }


def _book() -> dict[str, object]:
    """How the book stands now: the newest checkpoint and the last verification."""
    newest, last = sealed.latest(), Verification.objects.order_by("-pk").first()
    return {
        "size": None if newest is None else newest.size,
        "root": "" if newest is None else newest.root.hex(),
        "signed": "" if newest is None or newest.newest_at is None else moment(newest.newest_at),
        "verified": "" if last is None else moment(last.recorded_at),
        "problems": None if last is None else last.problems,
        "entries": None if last is None else last.entries,
    }
