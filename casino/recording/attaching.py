"""Files of records in the database: kept in the record's own transaction, and erased.

A file is kept once, by its SHA-256, however many entries name it. Its content goes when the last
of them has had its files erased; the entries stay as they are.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from django.db import connection
from django.db.models import QuerySet

from casino import clock
from casino.events.keeping import Erased
from casino.models import Attachment, BookEntry, Erasure
from casino.models.projection import Lock
from casino.recording.preparing import Prepared
from casino.recording.refusals import FileErased
from casino.recording.submission import Submission

ATTACHMENTS: Final = "attachments"  # what of an entry is erased, and where its payload names files
# Whoever keeps a file and whoever erases one must see each other.
_LOCK: Final = "attachments"

# The first condition is that of the index book_entry_with_files, word by word.
_NAMING: Final = r"""
SELECT e.entry FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
WHERE position('\x226174746163686d656e7473223a'::bytea IN e.entry) > 0
    AND position(convert_to(%s, 'UTF8') IN e.entry) > 0
    AND NOT EXISTS (SELECT FROM casino_erasure x WHERE x.entry_stream = s.name
                    AND x.entry_n = e.n AND x.field = 'attachments')
"""


def digests_in(named_by: BookEntry | bytes) -> list[str]:
    """The SHA-256 of every file an entry names, in its order."""
    data = named_by if isinstance(named_by, bytes) else bytes(named_by.entry)
    named: list[str] = json.loads(data)["payload"].get(ATTACHMENTS, [])
    return named


def locks(submission: Submission) -> set[Lock]:
    """The lock this one needs before its stream's head, if any."""
    if submission.files:
        return {Lock(_LOCK, shared=True)}
    return {Lock(_LOCK, shared=False)} if _erases_files(submission.event) else set()


def keep(prepared: Iterable[Prepared]) -> None:
    """Store the files of new entries. Raises: FileErased, for one that was erased before."""
    now = clock.now()
    for one in prepared:
        files = {file.sha256: file for file in one.submission.files}
        if not files:
            continue
        Attachment.objects.bulk_create(
            (
                Attachment(
                    sha256=file.sha256,
                    media_type=file.media_type,
                    size=file.size,
                    content=file.content,
                    stored_at=now,
                )
                for file in files.values()
            ),
            ignore_conflicts=True,
        )
        erased = Attachment.objects.filter(sha256__in=files, content__isnull=True)
        gone = erased.order_by("sha256").values_list("sha256", flat=True).first()
        if gone is not None:
            raise FileErased(place=one.place, digest=gone)


def holds_files(entry: BookEntry) -> bool:
    """Whether any file of an entry could still be erased."""
    return not erased_of(entry) and _kept(digests_in(entry)).exists()


def erased_of(entry: BookEntry) -> bool:
    """Whether the entry's files were erased, whatever others still name them."""
    erased = Erasure.objects.filter(
        entry_stream=entry.stream.name, entry_n=entry.n, field=ATTACHMENTS
    )
    return erased.exists()


def erase(events: Collection[object]) -> None:
    """Let go of the files whose erasure has just been recorded, where no other entry names them."""
    for event in events:
        if isinstance(event, Erased) and _erases_files(event):
            entry = BookEntry.objects.get(stream__name=event.entry.stream, n=event.entry.n)
            digests = [each for each in digests_in(entry) if not _named(each)]
            _kept(digests).update(content=None)


def _erases_files(event: object) -> bool:
    return isinstance(event, Erased) and event.field == ATTACHMENTS


def _kept(digests: Sequence[str]) -> QuerySet[Attachment]:
    return Attachment.objects.filter(sha256__in=digests, content__isnull=False)


def _named(digest: str) -> bool:
    """Whether an entry names a file that has not had its own erased."""
    with connection.cursor() as cursor:
        cursor.execute(_NAMING, [digest])
        return any(digest in digests_in(bytes(entry)) for (entry,) in cursor.fetchall())
