"""The one way to a private value on a page or in a download: whoever is shown one is noted.

`docs/trust.md` says what the log of looks holds against whom. A test sees that nobody asks the
table of private values for a reader but here.
"""

from collections.abc import Iterable
from uuid import UUID

from django.http import HttpRequest

from casino import clock
from casino.access import access_policy
from casino.extensions import event_kinds
from casino.models import BookEntry, PrivateLook, PrivateValue

_LONGEST = 200  # characters of an address that are kept


def looked_at(request: HttpRequest, entry: BookEntry, author: str) -> dict[str, object] | None:
    """The private values of an entry that were not erased, by field, for whoever may see them.

    None for whoever may not. What is shown is in the log before it is shown.
    """
    if not access_policy.reads_private(request, entry.kind, author):
        return None
    values = kept_of(entry)
    note_look(request, entry.kind, values, entry.pk)
    return values


def kept_of(entry: BookEntry) -> dict[str, object]:
    """The same, for a program that shows them to nobody: a correction takes them over unseen."""
    if not getattr(event_kinds()[entry.kind], "private", ()):
        return {}
    kept = PrivateValue.objects.filter(entry_id=entry.pk, salt__isnull=False)
    return dict(kept.values_list("field", "value"))


def note_look(
    request: HttpRequest, kind: str, fields: Iterable[str], entry_id: UUID | None = None
) -> None:
    """Note that whoever asks is shown these fields of an entry; of many entries, without one."""
    put_look(request.user.get_username(), request.path, kind, fields, entry_id)


def put_look(
    staff: str, page: str, kind: str, fields: Iterable[str], entry_id: UUID | None = None
) -> None:
    """The same of somebody who asks on no page: where a copy is taken by a command or a job."""
    now = clock.now()
    PrivateLook.objects.bulk_create(
        PrivateLook(
            at=now, staff=staff, entry=entry_id, kind=kind, field=each, page=page[:_LONGEST]
        )
        for each in fields
    )
