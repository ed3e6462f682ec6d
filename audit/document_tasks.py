"""Jobs that make documents: they speak the words of the pages, so they stand above them."""

from datetime import date
from uuid import UUID, uuid5

from audit.demo.demo_letters import write_letters
from audit.demo.worked_cases import CHECK, WORKED
from audit.models import Finding, Reconciliation, ReportRequest, RunSheet
from audit.models.audit_jobs import FINISHED, OPEN
from audit.reports.issuing import go_on
from audit.reports.packs.pack_making import make_pack
from audit.reports.report_entries import Asked
from audit.reports.request_report import Wanted, asked_of_form, request_report
from casino.demo.cast import INSPECTOR
from casino.demo.recording_acts import NAMES
from casino.recording import Actor
from casino.tasks import job


@job("audit.document_tasks.make_report")
def make_report(job: str, *, request: str) -> bool:
    """Make a report or a pack, or go on with it where the last beginning stopped."""
    return go_on(UUID(request), make_pack)


@job("audit.document_tasks.pack_for_demo")
def pack_for_demo(job: str, *, day: str) -> bool:
    """The demo's inspector asks for the evidence of a finding of the evening that was worked."""
    found = Finding.objects.filter(gaming_day=date.fromisoformat(day), check_name=CHECK)
    finding = found.filter(table_code=WORKED).order_by("n").first()
    if finding is None:
        return False  # not reconciled yet
    wanted = Wanted("manifest", day, day, findings=[str(finding.pk)], pack="finding")
    request = uuid5(NAMES, f"pack/{day}")
    request_report(request, asked_of_form(wanted), "pt", Actor(*INSPECTOR.who))
    return True


@job("audit.document_tasks.sheet_for_demo")
def sheet_for_demo(job: str, *, day: str) -> bool:
    """The demo's inspector asks for the sealed sheet of the comparison that was asked for him."""
    asked = Reconciliation.objects.filter(asked_by=INSPECTOR.number, from_day=day).exclude(
        rulebook=""
    )
    ended = RunSheet.objects.filter(run__in=asked.values("run"), state=FINISHED).first()
    busy = ReportRequest.objects.filter(by_staff=INSPECTOR.number, state=OPEN).exists()
    if ended is None or busy:
        return False  # not judged yet; or two reports of his would keep a third from being asked
    wanted = Wanted("reaudit", day, day, findings=[str(ended.run)])
    request = uuid5(NAMES, f"reaudit/{day}")
    request_report(request, asked_of_form(wanted), "pt", Actor(*INSPECTOR.who))
    return True


@job("audit.document_tasks.write_demo_letters")
def write_demo_letters(job: str, *, day: str) -> bool:
    """Have the letters of the demo's evening made, and send them once they are."""
    evening = date.fromisoformat(day)

    def ask(name: str, entry: UUID, key: UUID, by: Actor) -> None:
        request_report(key, Asked(name, evening, evening, findings=(str(entry),)), "pt", by)

    return write_letters(evening, ask)
