"""A report is asked for: what no report can be of is refused in words, and nothing is begun."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple, get_args
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import Min
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audit.letter_events import LetterLanguage
from audit.models import Finding, ReportRequest, RunSheet
from audit.models.audit_jobs import FAILED, FINISHED, OPEN
from audit.pages.book.book_page import kept_text
from audit.pages.page_words import PACK_WORDS
from audit.pools.replays_due import pools
from audit.reports.check_document import checkpoint_of
from audit.reports.issuing import LANGUAGES, TOPIC
from audit.reports.letters import LETTERS
from audit.reports.report_entries import Asked
from audit.reports.report_reading import REPORTS, Report
from audit.runs.days_asked import DaysRefused, days_asked
from casino import clock
from casino.house_day import gaming_day_now
from casino.models import BookEntry, Partida, Table
from casino.queries import day_of, table_of
from casino.recording import Actor
from casino.recording.writing import add_job
from casino.tasks import is_done
from jackpot.models import JackpotPayment

MOST_OPEN: Final = 2  # of one person at once
MOST_FINDINGS: Final = 50
MOST_DAYS: Final = 31  # of a pack with reports
MOST_REFERENCE: Final = 80


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
    pack: str = ""
    partida: str = ""
    kept: str = ""


def asked_of_form(wanted: Wanted) -> Asked:
    """What is asked, checked. Raises: ReportRefused."""
    report = REPORTS.get(wanted.report)
    if report is None or (report.asks == "pack") != bool(wanted.pack):
        raise ReportRefused(_("Choose one of the reports."))
    if wanted.language not in LANGUAGES:
        raise ReportRefused(_("Choose one of the languages offered."))
    first, last = _days(wanted, report)
    if report.asks == "payment":
        return _of_payment(wanted, first, last)
    if report.asks == "run":
        return _of_run(wanted, first, last)
    if report.asks == "pack":
        return _pack_of_form(wanted, first, last)
    table, jackpot = wanted.table.strip(), wanted.jackpot.strip()
    _must_be_table(table)
    if report.asks == "jackpot" and jackpot not in pools():
        raise ReportRefused(_("Say which jackpot: this report is of one."))
    if report.asks == "days" and table:
        raise ReportRefused(_("This report is of the whole house: leave the table out."))
    return Asked(
        wanted.report,
        first,
        last,
        table,
        jackpot if report.asks == "jackpot" else "",
        _findings(wanted.findings) if wanted.report == "nonconformity" else (),
    )


def _must_be_table(table: str) -> None:
    if table and ("\0" in table or not Table.objects.filter(table_code=table).exists()):
        raise ReportRefused(_("No table %(table)s is registered.") % {"table": table[:40]})


def _pack_of_form(wanted: Wanted, first: date, last: date) -> Asked:
    """An evidence pack, checked. Raises: ReportRefused."""
    pack, table, partida = wanted.pack, wanted.table.strip(), wanted.partida.strip()
    asked = Asked("manifest", first, last, table, pack=pack, kept=_kept(wanted.kept))
    if pack not in PACK_WORDS:
        raise ReportRefused(_("Choose what the pack is of."))
    if pack == "finding":
        findings = _findings(wanted.findings)
        if len(findings) != 1:
            raise ReportRefused(_("There is no such finding."))
        of = Finding.objects.get(pk=UUID(findings[0]))
        day, table = of.gaming_day, of.table_code
        return asked._replace(first=day, last=day, table=table, findings=findings)
    if pack == "game":
        if "\0" in partida or not Partida.objects.filter(partida_id=partida).exists():
            raise ReportRefused(_("There is no game %(game)s.") % {"game": partida[:60]})
        day, table = day_of(partida), table_of(partida)
        return asked._replace(first=day, last=day, table=table, partida=partida)
    _must_be_table(table)
    if pack == "copy_table" and not table:
        raise ReportRefused(_("Say which table: this copy is of one."))
    if pack == "days" and (last - first).days >= MOST_DAYS:
        raise ReportRefused(_("A pack with reports holds 31 days at most."))
    if pack in ("copy_book", "copy_table"):  # whatever days the form held
        begun = BookEntry.objects.aggregate(day=Min("gaming_day"))["day"] or first
        asked = asked._replace(first=begun, last=gaming_day_now())
    return asked._replace(table="") if pack == "copy_book" else asked


def _kept(text: str) -> str:
    """The checkpoint he had kept, '' for none. Raises: ReportRefused."""
    kept = kept_text(text)
    try:
        if kept:
            checkpoint_of(kept)
    except ValueError:
        raise ReportRefused(
            _("That is no checkpoint: three lines, an empty line and signatures. Nothing was made.")
        ) from None
    return kept


def reply_to_of(given: str) -> str:
    """The reference a letter answers, checked. Raises: ReportRefused."""
    found = given.strip()
    if len(found) > MOST_REFERENCE or not found.isprintable():
        raise ReportRefused(
            _(
                "The reference a letter answers is one line of %(n)s characters at most, without"
                " invisible characters."
            )
            % {"n": MOST_REFERENCE}
        )
    return found


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


def _of_payment(wanted: Wanted, first: date, last: date) -> Asked:
    """The one payment that is named, or the only one of the days. Raises: ReportRefused."""
    payments = JackpotPayment.objects.filter(gaming_day__range=(first, last))
    if wanted.findings:
        try:
            payments = JackpotPayment.objects.filter(pk=UUID(wanted.findings[0]))
        except ValueError:
            payments = JackpotPayment.objects.none()
    elif wanted.jackpot:
        payments = payments.filter(jackpot=wanted.jackpot.replace("\0", "?"))
    found = list(payments[:2])
    if len(found) != 1:
        raise ReportRefused(
            _("In these days more than one prize was paid: open the payment and ask from there.")
            if found
            else _("In these days no prize of a jackpot was paid.")
        )
    paid = found[0]
    day, named = paid.gaming_day, (str(paid.pk),)
    return Asked(wanted.report, day, day, paid.table_code, paid.jackpot, named)


def _of_run(wanted: Wanted, first: date, last: date) -> Asked:
    """The one comparison that is named, or the only one of the days. Raises: ReportRefused."""
    sheets = RunSheet.objects.exclude(rulebook="")
    if wanted.findings:
        try:
            sheets = sheets.filter(run=UUID(wanted.findings[0]))
        except ValueError:
            sheets = sheets.none()
    else:
        sheets = sheets.filter(from_day=first, to_day=last, state=FINISHED)
    found = list(sheets[:2])
    if len(found) != 1:
        raise ReportRefused(
            _("Of these days more than one comparison was made: open it and ask from there.")
            if found
            else _("Of these days no comparison with another law was made: ask for one first.")
        )
    sheet = found[0]
    if sheet.state == OPEN:
        raise ReportRefused(_("The comparison has not ended: wait until it has."))
    if not sheet.compared:
        raise ReportRefused(_("This comparison did not end: ask for it again."))
    if sheet.compared.get("looked_at", {}).get("games") == 0:
        raise ReportRefused(
            _("This comparison looked at no game: there is nothing to set beside anything.")
        )
    if sheet.partida_id:
        first = last = day_of(sheet.partida_id)
        table = table_of(sheet.partida_id)
    else:
        first, last = sheet.from_day or first, sheet.to_day or last
        table = sheet.tables[0] if len(sheet.tables) == 1 else ""
    return Asked(wanted.report, first, last, table, findings=(str(sheet.run),))


def request_report(request: UUID, asked: Asked, language: str, by: Actor) -> ReportRequest:
    """Decide on a report. The same `request` again is the same report, and with something else
    asked (a page gone back to) another. Raises: ReportRefused.
    """
    if language not in (get_args(LetterLanguage) if asked.report in LETTERS else LANGUAGES):
        raise ReportRefused(_("Choose one of the languages offered."))
    wanted = {
        "report": asked.report,
        "report_language": language,
        "from_day": asked.first,
        "to_day": asked.last,
        "of_table": asked.table,
        "of_jackpot": asked.jackpot,
        "findings": list(asked.findings),
        "pack_of": asked.pack,
        "of_partida": asked.partida,
        "kept": asked.kept,
        "reply_to": asked.reply_to,
    }
    with transaction.atomic():
        mine = ReportRequest.objects.select_for_update().filter(by_staff=by.staff, pack=None)
        before = mine.filter(request=request).values(*wanted).first()
        if before is not None and before != wanted:
            request = uuid5(request, repr(wanted))
        under_way = {order.request for order in mine.filter(state=OPEN)}
        if request not in under_way and len(under_way) >= MOST_OPEN:
            raise ReportRefused(
                _("Two of your reports are still being made: wait until one is there.")
            )
        by_whom = {"by_staff": by.staff, "by_office": by.office, "by_door": by.door}
        order, new = ReportRequest.objects.get_or_create(
            request=request, defaults={**wanted, **by_whom, "asked_at": clock.now()}
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
