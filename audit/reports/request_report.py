"""A report is asked for: what no report can be of is refused in words, and nothing is begun."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audit.models import Finding, ReportRequest
from audit.models.audit_jobs import FAILED, OPEN
from audit.pools.replays_due import pools
from audit.reports.issuing import LANGUAGES, TOPIC
from audit.reports.report_entries import Asked
from audit.reports.report_reading import REPORTS, Report
from audit.runs.days_asked import DaysRefused, days_asked
from casino import clock
from casino.models import Table
from casino.recording import Actor
from casino.recording.writing import add_job
from casino.tasks import is_done

MOST_OPEN: Final = 2  # of one person at once
MOST_FINDINGS: Final = 50


class ReportRefused(ValueError):
    """No such report can be made; the text says why, and what to ask instead."""


class Wanted(NamedTuple):
    """What a form sent: texts as they came."""

    report: str
    first: str
    last: str
    table: str = ""
    jackpot: str = ""
    language: str = "pt"
    findings: Sequence[str] = ()


def asked_of_form(wanted: Wanted) -> Asked:
    """What is asked, checked. Raises: ReportRefused."""
    report = REPORTS.get(wanted.report)
    if report is None:
        raise ReportRefused(_("Choose one of the reports."))
    if wanted.language not in LANGUAGES:
        raise ReportRefused(_("Choose Portuguese or English."))
    first, last = _days(wanted, report)
    table, jackpot = wanted.table.strip(), wanted.jackpot.strip()
    if report.asks == "table" and not table:
        raise ReportRefused(_("Say which table: this report is of one."))
    if table and ("\0" in table or not Table.objects.filter(table_code=table).exists()):
        raise ReportRefused(_("No table %(table)s is registered.") % {"table": table[:40]})
    if report.asks == "jackpot" and jackpot not in pools():
        raise ReportRefused(_("Say which jackpot: this report is of one."))
    return Asked(
        wanted.report,
        first,
        last,
        table,
        jackpot if report.asks == "jackpot" else "",
        _findings(wanted.findings) if wanted.report == "nonconformity" else (),
    )


def _days(wanted: Wanted, report: Report) -> tuple[date, date]:
    try:
        first, last = days_asked(wanted.first, wanted.last)
    except DaysRefused as refused:
        raise ReportRefused(str(refused)) from None
    days = (last - first).days + 1
    if days > report.most_days:
        raise ReportRefused(
            ngettext(
                "This report holds %(n)s day at most.",
                "This report holds %(n)s days at most.",
                report.most_days,
            )
            % {"n": report.most_days}
        )
    return first, last


def _findings(named: Sequence[str]) -> tuple[str, ...]:
    try:
        ids = [UUID(one) for one in named][: MOST_FINDINGS + 1]
    except ValueError:
        raise ReportRefused(_("There is no such finding.")) from None
    if len(ids) > MOST_FINDINGS:
        raise ReportRefused(_("A report of non-conformity holds 50 findings at most."))
    if Finding.objects.filter(pk__in=ids).count() != len(set(ids)):
        raise ReportRefused(_("There is no such finding."))
    return tuple(map(str, ids))


def request_report(request: UUID, asked: Asked, language: str, by: Actor) -> ReportRequest:
    """Decide on a report. The same `request` again is the same report. Raises: ReportRefused."""
    with transaction.atomic():
        held = ReportRequest.objects.select_for_update().filter(by_staff=by.staff, state=OPEN)
        under_way = {order.request for order in held}
        if request not in under_way and len(under_way) >= MOST_OPEN:
            raise ReportRefused(
                _("Two of your reports are still being made: wait until one is there.")
            )
        order, new = ReportRequest.objects.get_or_create(
            request=request,
            defaults={
                "by_staff": by.staff,
                "by_office": by.office,
                "by_door": by.door,
                "report": asked.report,
                "report_language": language,
                "from_day": asked.first,
                "to_day": asked.last,
                "of_table": asked.table,
                "of_jackpot": asked.jackpot,
                "findings": list(asked.findings),
                "asked_at": clock.now(),
            },
        )
        if order.by_staff != by.staff:
            raise ReportRefused(_("Choose one of the reports."))
        if new:
            _send(order)
    return order


def make_again(order: ReportRequest) -> None:
    """Have the files of a report made again, or what failed tried again; from its JSON where it was
    read.
    """
    with transaction.atomic():
        held = ReportRequest.objects.select_for_update().get(request=order.request)
        if held.state == OPEN:
            return
        held.state, held.step, held.refusal, held.expires_at = OPEN, "", "", None
        held.turn += 1
        held.files.all().delete()
        held.save(update_fields=["state", "step", "refusal", "expires_at", "turn"])
        _send(held)


def given_up(order: ReportRequest) -> bool:
    """Whether a report is not made although it was begun: its job failed too often. It is then
    said to have failed, and can be asked for again.
    """
    if order.state != OPEN or not is_done(_job_of(order)):
        return False
    order.state, order.refusal = FAILED, _("It failed again and again; the worker's log says why.")
    held = ReportRequest.objects.filter(request=order.request, state=OPEN, turn=order.turn)
    return bool(held.update(state=order.state, refusal=order.refusal))


def _job_of(order: ReportRequest) -> str:
    return f"{TOPIC}/{order.request}/{order.turn}"


def _send(order: ReportRequest) -> None:
    add_job(TOPIC, _job_of(order), {"request": str(order.request)})
