"""Jobs that make documents: they speak the words of the pages, so they stand above them."""

from uuid import UUID

from audit.reports.issuing import go_on
from audit.reports.packs.pack_making import make_pack
from casino.tasks import job


@job("audit.document_tasks.make_report")
def make_report(job: str, *, request: str) -> bool:
    """Make a report or a pack, or go on with it where the last beginning stopped."""
    return go_on(UUID(request), make_pack)
