"""Lists taken out of the house as a file: each is an entry of the book, as every copy is."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from audit.events import ExportMade
from audit.exporting.bundle_export import record_export
from casino import sealed
from casino.access import access_policy


def handed_out(request: HttpRequest, of: str, count: int) -> None:
    """Record that somebody takes this list of so many rows. Raises: PermissionDenied, Refused."""
    by = access_policy.actor(request, ExportMade.kind)
    if by is None:
        raise PermissionDenied
    newest = sealed.latest()
    event = ExportMade(
        extent="list",
        of_list=of,
        entries=count,
        size=0 if newest is None else newest.size,
        root=None if newest is None else newest.root.hex(),
        openings=False,
    )
    record_export(event, by)
