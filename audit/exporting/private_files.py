"""What the book only commits to: names, contacts, free text, files. For who may read it.

The role that reads the book may not read these: they are fetched as the application, after the
entries. One that is erased meanwhile is left out, as if it had been erased before.
"""

import json
from collections.abc import Sequence

from audit.exporting.folder import Digested, Folder
from audit.exporting.read_book import Shown
from casino.models import Attachment, PrivateValue

OPENINGS = "private/openings.jsonl"
FILES = "private/attachments"
NAMES_FILES = b'"attachments":['


class Openings:
    """Writes the private values of entries as they come by, and then the files they name."""

    def __init__(self, folder: Folder, digested: Digested, using: str) -> None:
        self._folder = folder
        self._lines = digested
        self._using = using
        self._files: set[str] = set()

    def take(self, shown: Sequence[Shown]) -> None:
        """Write what some entries commit to, in the order of their index and of the fields."""
        by_row = {each.row: each.idx for each in shown}
        values = PrivateValue.objects.using(self._using).filter(
            entry_id__in=by_row, salt__isnull=False
        )
        for index, field, salt, value in sorted(
            (by_row[row], field, bytes(salt or b"").hex(), value)
            for row, field, salt, value in values.values_list("entry_id", "field", "salt", "value")
        ):
            named = {"field": field, "index": index, "salt": salt, "value": value}
            self._lines.write(json_of(named) + b"\n")
        for each in shown:
            if NAMES_FILES in each.entry:
                self._files |= files_named(each.entry)

    def write_files(self) -> None:
        """Write every file that was named and is not erased, one at a time."""
        for digest in sorted(self._files):
            kept = Attachment.objects.using(self._using).filter(sha256=digest)
            content = kept.values_list("content", flat=True).first()
            if content is not None:
                self._folder.write(f"{FILES}/{digest}", bytes(content))


def json_of(value: object) -> bytes:
    """The canonical bytes of what a record may hold; what it may not is written all the same."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def files_named(entry: bytes) -> set[str]:
    """The digests of the files that an entry names; none where it is no entry."""
    try:
        named = json.loads(entry)["payload"]["attachments"]
        return {each for each in named if len(each) == 64 and int(each, 16) >= 0}
    except (ValueError, LookupError, TypeError):
        return set()
