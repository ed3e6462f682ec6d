"""Private values against commitments, files against digests; what is gone was erased."""

import hmac
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple
from uuid import UUID

from audit.verifying.phase import Phase, Row, fetch
from audit.verifying.sealed_columns import body_of
from casino.events.keeping import Erased
from casino.reading.payload import COMMITMENT
from casino.tlog.canonical import NotCanonical, canonical

ATTACHMENTS: Final = "attachments"
VALUES: Final = 5_000  # rows of one step
FILES: Final = 200
BYTES: Final = 2**25  # of files, at one step

_KEPT: Final = """
SELECT entry_id, field, salt, value::text FROM casino_private_value WHERE entry_id = ANY(%s)
"""
_KEPT_OF: Final = """
SELECT p.salt IS NULL AND p.value IS NULL FROM casino_private_value p
JOIN book_entry e ON e.id = p.entry_id JOIN book_stream s ON s.id = e.stream_id
WHERE s.name = %s AND e.n = %s AND p.field = %s
"""
_ERASURES: Final = """
SELECT e.entry FROM casino_erasure x JOIN book_entry e ON e.id = x.entry_id
WHERE x.entry_stream = %s AND x.entry_n = %s AND x.field = %s
"""
_STRANGERS: Final = """
SELECT p.id, p.entry_id, p.field, e.entry FROM casino_private_value p
LEFT JOIN book_entry e ON e.id = p.entry_id WHERE p.id > %s ORDER BY p.id LIMIT %s
"""
_FILES_THERE: Final = "SELECT sha256 FROM casino_attachment WHERE sha256 = ANY(%s)"
_FILES: Final = """
SELECT sha256, size, content IS NULL FROM casino_attachment
WHERE sha256 > %s ORDER BY sha256 LIMIT %s
"""
_CONTENT: Final = "SELECT content FROM casino_attachment WHERE sha256 = %s"
# The first condition is that of an index.
_NAMING: Final = r"""
SELECT s.name, e.n, e.leaf_hash, e.entry FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
WHERE position('\x226174746163686d656e7473223a'::bytea IN e.entry) > 0
    AND position(convert_to(%s, 'UTF8') IN e.entry) > 0
"""
_FILES_ERASED: Final = """
SELECT t.entry FROM casino_erasure x JOIN book_stream s ON s.name = x.entry_stream
JOIN book_entry t ON t.stream_id = s.id AND t.n = x.entry_n WHERE x.field = 'attachments'
"""


class Value(NamedTuple):
    """What is kept of a private value; `salt` and `value` (JSON) are None once it was erased."""

    salt: bytes | None
    value: str | None


def check(phase: Phase, rows: Sequence[Row]) -> None:
    """Whatever these entries only commit to, name as a file, or say was erased."""
    committed = [(row, name, digest) for row in rows for name, digest in _commitments(row)]
    kept = _kept(phase.using, {row.id for row, _, _ in committed})
    for row, name, digest in committed:
        value = kept.get((row.id, name))
        if value is None:
            phase.report("private-missing", **row.place, field=name)
        elif value == Value(None, None):
            if not _was_erased(phase.using, row.stream, row.n, row.leaf, name):
                phase.report("private-gone", **row.place, field=name)
        elif not _opens(digest, value):
            phase.report("private-differs", **row.place, field=name)
    _files_named(phase, rows)
    for row in rows:
        if row.kind == Erased.kind and row.body is not None:
            _is_gone(phase, row)


def _commitments(row: Row) -> Iterator[tuple[str, str]]:
    """The fields of an entry that are commitments, with the digests."""
    payload = {} if row.body is None else row.body["payload"]
    for name, value in payload.items():
        if isinstance(value, dict) and value.keys() == {COMMITMENT}:
            yield name, str(value[COMMITMENT])


def _kept(using: str, ids: Iterable[UUID]) -> dict[tuple[UUID, str], Value]:
    asked = list(ids)
    if not asked:
        return {}
    return {
        (entry, field): Value(None if salt is None else bytes(salt), value)
        for entry, field, salt, value in fetch(using, _KEPT, asked)
    }


def _opens(digest: str, value: Value) -> bool:
    """Whether salt and value are those the book commits to."""
    if value.salt is None or value.value is None:
        return False
    try:
        data = canonical(json.loads(value.value))
    except (ValueError, NotCanonical):
        return False
    return hmac.compare_digest(hmac.digest(value.salt, data, "sha256").hex(), digest)


def _was_erased(using: str, stream: str, n: int, leaf: bytes, field: str) -> bool:
    """Whether the book says so: the entry is asked, the projection only says which one."""
    named = {"leaf": leaf.hex(), "n": n, "stream": stream}
    bodies = (body_of(bytes(entry)) for (entry,) in fetch(using, _ERASURES, stream, n, field))
    return any(
        body is not None
        and body.get("kind") == Erased.kind
        and body["payload"].get("entry") == named
        and body["payload"].get("field") == field
        for body in bodies
    )


def _is_gone(phase: Phase, row: Row) -> None:
    """What an entry says was erased is not there any more. Files are looked at as such."""
    value = row.body["payload"]
    entry, field = value.get("entry"), value.get("field")
    if not isinstance(entry, dict) or field == ATTACHMENTS:
        return
    stream, n = str(entry.get("stream")), entry.get("n")
    if not isinstance(n, int):
        return
    for (gone,) in fetch(phase.using, _KEPT_OF, stream, n, str(field)):
        if not gone:
            phase.report("private-kept", stream=stream, n=n, field=str(field))


def _files_named(phase: Phase, rows: Sequence[Row]) -> None:
    named: dict[str, Row] = {}
    for row in rows:
        for digest in files_of(row.body):
            named.setdefault(digest, row)
    if named:
        there = {digest for (digest,) in fetch(phase.using, _FILES_THERE, list(named))}
        for digest in named.keys() - there:
            phase.report("file-lost", **named[digest].place, sha256=digest)


def files_of(body: dict[str, Any] | None) -> list[str]:
    """The digests of the files an entry names."""
    listed = [] if body is None else body["payload"].get(ATTACHMENTS)
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []


class Files(Phase):
    """Private values no entry commits to; every file's content."""

    name = "files"

    carried = ("after_value", "after_file")
    after_value, after_file = 0, ""  # the last ones that were looked at

    def begin(self, kept: Mapping[str, Any] | None) -> None:
        """Begin with the private values."""
        super().begin(kept)
        erased = (body_of(bytes(entry)) for (entry,) in fetch(self.using, _FILES_ERASED))
        self.erased = {digest for body in erased for digest in files_of(body)}

    def step(self) -> bool:
        """Some values, then some files."""
        values = fetch(self.using, _STRANGERS, self.after_value, VALUES)
        for number, entry_id, field, entry in values:
            self.after_value = number
            body = None if entry is None else body_of(bytes(entry))
            value = None if body is None else body["payload"].get(field)
            if not isinstance(value, dict) or value.keys() != {COMMITMENT}:
                self.report("private-stray", entry=entry_id, field=field)
        if len(values) == VALUES:
            return False
        files, read = fetch(self.using, _FILES, self.after_file, FILES), 0
        for digest, size, gone in files:
            if read > BYTES:
                return False
            self.after_file, read = digest, read + size
            self._file(digest, size, gone=gone)
        return len(files) < FILES

    def _file(self, digest: str, size: int, *, gone: bool) -> None:
        if not gone:
            ((content,),) = fetch(self.using, _CONTENT, digest)
            data = bytes(content)
            if sha256(data).hexdigest() != digest or len(data) != size:
                self.report("file-differs", sha256=digest)
            if digest in self.erased and self._all_erased(digest):
                self.report("file-kept", sha256=digest)
        elif not self._all_erased(digest):
            self.report("file-gone", sha256=digest)

    def _all_erased(self, digest: str) -> bool:
        """Whether of every entry that names a file its files were erased; one at least does."""
        naming = [
            (stream, n, bytes(leaf))
            for stream, n, leaf, entry in fetch(self.using, _NAMING, digest)
            if digest in files_of(body_of(bytes(entry)))
        ]
        return bool(naming) and all(
            _was_erased(self.using, stream, n, leaf, ATTACHMENTS) for stream, n, leaf in naming
        )
