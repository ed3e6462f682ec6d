"""Private values and files put back with the entries that commit to them, and erased again.

An older backup brings back what was erased since: what the book says is gone, goes.
"""

import hmac
import json
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Any, Final

from django.db import transaction

from audit.exporting.bundle_reader import Bundle
from casino import clock
from casino.events import Malformed
from casino.extensions import event_kinds
from casino.models import BookEntry
from casino.reading.payload import event_in_book
from casino.recording import attaching
from casino.recording.attached_files import File
from casino.tlog.canonical import canonical

BATCH: Final = 500
ERASED: Final = "erased/1"

_AT: Final = """
SELECT l.idx, e.id, e.entry FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id
WHERE l.idx = ANY(%s)
"""
_PUT_VALUE: Final = """
INSERT INTO casino_private_value (entry_id, field, salt, value) VALUES (%s, %s, %s, %s::jsonb)
ON CONFLICT (entry_id, field) DO NOTHING
"""
_PUT_FILE: Final = """
INSERT INTO casino_attachment (sha256, media_type, size, content, stored_at)
VALUES (%s, %s, %s, %s, %s) ON CONFLICT (sha256) DO NOTHING
"""
_ERASE: Final = """
WITH gone AS (
    SELECT convert_from(entry, 'UTF8')::jsonb -> 'payload' AS erasure
    FROM book_entry WHERE kind = 'erased/1'
)
UPDATE casino_private_value v SET salt = NULL, value = NULL
FROM gone JOIN book_stream s ON s.name = gone.erasure #>> '{entry,stream}'
JOIN book_entry e ON e.stream_id = s.id AND e.n = (gone.erasure #>> '{entry,n}')::bigint
WHERE v.entry_id = e.id AND v.field = gone.erasure ->> 'field' AND v.salt IS NOT NULL
"""


def put_openings(cursor: Any, bundle: Bundle) -> int:
    """Put back the private values and files a bundle was made with, where there are none; how many.

    Then erase again what the book says was erased. Raises: ExportRefused, for a value that is not
    the one its entry commits to.
    """
    done = 0
    for some in _batches(bundle.openings()):
        cursor.execute(_AT, [[each["index"] for each in some]])
        entries = {idx: (row, bytes(entry)) for idx, row, entry in cursor.fetchall()}
        for each in some:
            row, entry = entries.get(each["index"], (None, b""))
            salt = bytes.fromhex(each["salt"])
            if not _commits(entry, each["field"], salt, each["value"]):
                raise bundle.damaged(f"{each['index']}: {each['field']}")
            value = json.dumps(each["value"])
            cursor.execute(_PUT_VALUE, [row, each["field"], salt, value])
            done += cursor.rowcount
    for digest, content in bundle.files():
        try:
            file = File(content)
        except Malformed as malformed:
            raise bundle.damaged(digest) from malformed
        if file.sha256 != digest:
            raise bundle.damaged(digest)
        listed = [file.sha256, file.media_type, file.size, file.content, clock.now()]
        cursor.execute(_PUT_FILE, listed)
        done += cursor.rowcount
    cursor.execute(_ERASE)
    return done


def erase_files_again() -> None:
    """Let go of every file whose erasure the book tells. The projections must be whole by now."""
    with transaction.atomic():
        attaching.erase(
            [
                event_in_book(event_kinds()[ERASED], json.loads(bytes(entry))["payload"])
                for entry in BookEntry.objects.filter(kind=ERASED).values_list("entry", flat=True)
            ]
        )


def _commits(entry: bytes, field: str, salt: bytes, value: Any) -> bool:
    """Whether the entry holds the commitment to this value under this salt."""
    try:
        found = json.loads(entry)["payload"][field]
        return bool(found == {"hmac_sha256": hmac.new(salt, canonical(value), sha256).hexdigest()})
    except (ValueError, LookupError, TypeError):
        return False


def _batches(openings: Iterator[dict[str, object]]) -> Iterator[list[dict[str, Any]]]:
    while some := list(islice(openings, BATCH)):
        yield some
