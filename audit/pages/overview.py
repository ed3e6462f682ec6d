"""The overview: what is open, how the room stands, when it was last looked at."""

from collections.abc import Sequence
from datetime import date

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format, number_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from audit import audit_queries, figure_svg
from audit.models import Finding
from audit.pages.audit_access import readable, reads_all, reads_findings, replays
from audit.pages.findings.heading_moments import lines_of
from audit.pages.mails.mail_pages import unread
from audit.pages.page_words import counted, findings
from audit.pages.pool_replay import pool_states
from audit.reconcile.runs_due import days_never_reconciled
from audit.watch.alerts import alerts
from casino import clock
from casino.admin.site import Panel
from casino.floor.tables.todo_lists import patience_of, todos_of
from casino.house_day import gaming_day_now

SHOWN = 6  # newest findings
WAITING = 6  # things that wait for whoever asks


def panel(request: HttpRequest) -> Panel | None:
    """The auditor's part of the first page; None for whoever may read no finding."""
    if not reads_findings(request):
        return None
    today, now = gaming_day_now(), clock.now()
    todos = todos_of(request, now, patience=patience_of(request, settings.TODO_PATIENCE))
    mine = readable(request, Finding.objects.all())
    values: dict[str, object] = {
        "gravities": _gravities(mine),
        "newest": lines_of(
            list(audit_queries.newest_first(audit_queries.open_findings(mine))[:SHOWN])
        ),
        "today": today,
        "now": now,
        "todos": todos[:WAITING],
        "more_todos": max(len(todos) - WAITING, 0),
    }
    if reads_all(request):
        by_day = audit_queries.open_by_day(today)
        values |= {
            "alerts": alerts(now),
            "unread": unread(request),
            "partidas": audit_queries.open_partidas(),
            "last": audit_queries.last_run(),
            "pools": list(pool_states()),
            "may_replay": replays(request),
            "missing": days_never_reconciled(now)[::-1],
            "chart": _chart(by_day),
            "by_day": _table(by_day),
        }
    return Panel("audit/overview.html", values, is_headed=True)


def _gravities(mine: audit_queries.Findings) -> list[dict[str, object]]:
    list_url = reverse("admin:audit_finding_changelist")
    return [
        {
            "tone": gravity,
            "word": counted(gravity, tally.number),
            "number": number_format(tally.number, force_grouping=True),
            "more": not tally.exact,
            "none": tally.number == 0,
            "url": f"{list_url}?severity={gravity}&state={audit_queries.OPEN}",
        }
        for gravity, tally in audit_queries.open_by_gravity(mine).items()
    ]


def _chart(by_day: Sequence[audit_queries.DayTally]) -> SafeString:
    bars = [
        figure_svg.Bar(
            label=str(tally.day.day),
            sublabel=_below(tally.day, first=place == 0),
            parts=tally.by_gravity,
            title=f"{date_format(tally.day, 'SHORT_DATE_FORMAT')}: {_in_words(tally)}",
        )
        for place, tally in enumerate(by_day)
    ]
    # Everything in it is ours or escaped by charts.
    return mark_safe(figure_svg.stacked_bars(bars, _("Open findings by gaming day")))  # noqa: S308


def _below(day: date, *, first: bool) -> str:
    """The weekday; the month where one begins."""
    return date_format(day, "M" if first or day.day == 1 else "D").rstrip(".").lower()


def _table(by_day: Sequence[audit_queries.DayTally]) -> list[dict[str, object]]:
    return [
        {"day": tally.day, "numbers": [tally.by_gravity.get(g, 0) for g in audit_queries.GRAVITIES]}
        for tally in by_day
    ]


def _in_words(tally: audit_queries.DayTally) -> str:
    parts = [
        f"{number} {counted(g, number)}"
        for g in audit_queries.GRAVITIES
        if (number := tally.by_gravity.get(g, 0))
    ]
    return ", ".join(parts) or findings(0)
