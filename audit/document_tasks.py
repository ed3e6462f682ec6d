"""Jobs that make documents: they speak the words of the pages, so they stand above them."""

from datetime import date
from uuid import UUID

from audit.demo.demo_letters import write_letters
from audit.reports.issuing import go_on
from audit.reports.report_entries import Asked
from audit.reports.request_report import request_report
from casino.recording import Actor
from casino.tasks import job


@job("audit.document_tasks.make_report")
def make_report(job: str, *, request: str) -> bool:
    """Make a report, or go on with it where the last beginning stopped."""
    return go_on(UUID(request))


@job("audit.document_tasks.write_demo_letters")
def write_demo_letters(job: str, *, day: str) -> bool:
    """Have the letters of the demo's evening made, and send them once they are."""
    evening = date.fromisoformat(day)

    def ask(name: str, entry: UUID, key: UUID, by: Actor) -> None:
        request_report(key, Asked(name, evening, evening, findings=(str(entry),)), "pt", by)

    return write_letters(evening, ask)
