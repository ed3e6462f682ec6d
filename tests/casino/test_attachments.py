"""Files of records: kept by their digest with the record or not at all, and erased for good."""

import json
import threading
from hashlib import sha256
from typing import Any
from uuid import uuid4

import pytest
from django.db import InternalError, ProgrammingError, connection, transaction

from casino.events import Malformed
from casino.events.event import EntryRef
from casino.events.incidents import IncidentReported
from casino.models import Attachment, BookEntry
from casino.recording import (
    File,
    FileErased,
    KeyReused,
    NothingToErase,
    Receipt,
    Source,
    Submission,
    record,
    record_many,
)
from casino.recording.attached_files import LARGEST_FILE, media_type_of
from tests.factories.erasures import ERASER, erasing
from tests.factories.erasures import erased as erased_by_two
from tests.factories.records import EVENING, PIT, burnt, corrects
from tests.servers import Connect

PNG = b"\x89PNG\r\n\x1a\n" + b"a picture of a card"
NOTE = "Carta danificada às 22:10: 7♦".encode()


def incident(number: int = 1) -> IncidentReported:
    return IncidentReported(
        table="BJ-06",
        incident=f"IN-2026-{number:04d}",
        category="damaged_card",
        reason="torn",
        people=(),
    )


def recorded(event: Any, *files: bytes, **how: Any) -> Receipt:
    how = {"key": uuid4(), "by": PIT, "occurred_at": EVENING, "source": Source()} | how
    return record(event, files=tuple(File(content) for content in files), **how)


def erased(receipt: Receipt, field: str = "attachments") -> Receipt:
    entry = EntryRef(stream=receipt.stream, n=receipt.n, leaf=receipt.leaf)
    return erased_by_two(entry, field)


def content_of(content: bytes) -> bytes | None:
    kept = Attachment.objects.get(pk=sha256(content).hexdigest()).content
    return None if kept is None else bytes(kept)


def payload_of(receipt: Receipt) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(bytes(BookEntry.objects.get(pk=receipt.entry_id).entry))
    return dict(body["payload"])


# -- What kind of file it is -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"%PDF-1.7\n...", "application/pdf"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg"),
        (PNG, "image/png"),
        (NOTE, "text/plain"),
        (b"\xef\xbb\xbfum texto\r\ncom BOM\t", "text/plain"),
        (b" %PDF-1.7", "text/plain"),  # not at the very beginning: text like any other
        (b"MZ\x90\x00", None),
        (b"GIF89a\x01\x00", None),
        (b"PK\x03\x04", None),
        (b"<svg xmlns='x'/>", None),
        (b"  \n<!DOCTYPE html>", None),
        ("em latin-1: é".encode("latin-1"), None),
        (b"a\x00b", None),
        (b"\x1b[2J", None),
        (b"\xef\xbb\xbf", None),
        (b"   \n", None),
    ],
)
def test_a_files_kind_follows_from_its_bytes(content: bytes, kind: str | None) -> None:
    assert media_type_of(content) == kind


def test_eight_megabytes_are_kept_and_one_byte_more_is_not() -> None:
    assert File(b"a" * LARGEST_FILE).size == LARGEST_FILE
    with pytest.raises(Malformed, match="larger than 8 MB"):
        File(b"a" * (LARGEST_FILE + 1))
    with pytest.raises(Malformed, match="empty"):
        File(b"")
    with pytest.raises(Malformed, match="asked is a PDF"):
        File(b"MZ\x90\x00")


# -- Kept with the record --------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_record_names_its_files_and_they_are_kept() -> None:
    receipt = recorded(incident(), PNG, NOTE, PNG)
    assert payload_of(receipt)["attachments"] == [
        sha256(PNG).hexdigest(),
        sha256(NOTE).hexdigest(),
    ]
    assert content_of(PNG) == PNG
    kept = Attachment.objects.get(pk=sha256(NOTE).hexdigest())
    assert (kept.media_type, kept.size) == ("text/plain", len(NOTE))


@pytest.mark.django_db
def test_a_record_that_is_refused_keeps_no_file() -> None:
    key = uuid4()
    recorded(burnt(), key=key)
    with pytest.raises(KeyReused):
        recorded(incident(), PNG, key=key)
    assert not Attachment.objects.exists()


@pytest.mark.django_db
def test_the_same_record_sent_again_is_one_and_another_file_is_another_record() -> None:
    key = uuid4()
    first = recorded(incident(), PNG, key=key)
    assert recorded(incident(), PNG, key=key).entry_id == first.entry_id
    assert Attachment.objects.count() == 1
    with pytest.raises(KeyReused):
        recorded(incident(), NOTE, key=key)
    with pytest.raises(KeyReused):
        recorded(incident(), key=key)


@pytest.mark.django_db
def test_a_file_is_kept_once_however_many_records_name_it() -> None:
    recorded(incident(1), PNG)
    recorded(incident(2), PNG)
    assert Attachment.objects.count() == 1


@pytest.mark.django_db
def test_the_database_lets_no_file_be_changed() -> None:
    recorded(incident(), PNG)
    for change in ("content = 'x'", "size = 1", "media_type = 'text/html'"):
        with pytest.raises((ProgrammingError, InternalError)), transaction.atomic():
            connection.cursor().execute(f"UPDATE casino_attachment SET {change}")
    with pytest.raises(ProgrammingError), transaction.atomic():
        Attachment.objects.all().delete()
    assert content_of(PNG) == PNG


# -- Erased ----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_erased_the_content_is_gone_and_the_entry_stands() -> None:
    receipt = recorded(incident(), PNG, NOTE)
    before = bytes(BookEntry.objects.get(pk=receipt.entry_id).entry)
    erased(receipt)
    assert content_of(PNG) is None
    assert content_of(NOTE) is None
    assert bytes(BookEntry.objects.get(pk=receipt.entry_id).entry) == before


@pytest.mark.django_db
def test_what_another_entry_names_stays_until_its_own_are_erased_too() -> None:
    first, second = recorded(incident(1), PNG, NOTE), recorded(incident(2), PNG)
    erased(first)
    assert content_of(PNG) == PNG
    assert content_of(NOTE) is None
    erased(second)
    assert content_of(PNG) is None


@pytest.mark.django_db
def test_a_correction_that_kept_the_file_is_another_entry() -> None:
    original = recorded(incident(), PNG)
    correction = recorded(
        incident(2), attachments=(sha256(PNG).hexdigest(),), supersedes=corrects(original)
    )
    erased(original)
    assert content_of(PNG) == PNG
    erased(correction)
    assert content_of(PNG) is None


@pytest.mark.django_db
def test_both_entries_of_one_batch_are_erased() -> None:
    receipts = [recorded(incident(1), PNG), recorded(incident(2), PNG)]
    events = erasing(
        (EntryRef(stream=one.stream, n=one.n, leaf=one.leaf), "attachments") for one in receipts
    )
    record_many([Submission(event, uuid4(), ERASER, EVENING) for event in events])
    assert content_of(PNG) is None


@pytest.mark.django_db
def test_what_has_no_file_or_no_longer_is_not_erased() -> None:
    with pytest.raises(NothingToErase):
        erased(recorded(burnt()))
    by_digest_alone = recorded(incident(), attachments=("ab" * 32,))
    with pytest.raises(NothingToErase):
        erased(by_digest_alone)
    receipt = recorded(incident(2), PNG)
    recorded(incident(3), PNG)
    erased(receipt)
    with pytest.raises(NothingToErase):
        erased(receipt)  # though the file is there still, for the other
    with pytest.raises(NothingToErase):
        erased(recorded(incident(4), NOTE), field="no_such_field")


@pytest.mark.django_db
def test_an_erased_file_does_not_come_back() -> None:
    erased(recorded(incident(), PNG))
    before = BookEntry.objects.count()
    with pytest.raises(FileErased, match=sha256(PNG).hexdigest()):
        recorded(incident(2), PNG, NOTE)
    assert BookEntry.objects.count() == before
    assert not Attachment.objects.filter(pk=sha256(NOTE).hexdigest()).exists()


def test_who_names_a_file_is_found_by_its_own_index(fresh_db: str, connect_as: Connect) -> None:
    """Asked where it is the only index: in a book of one entry any other would do as well."""
    from casino.recording.attaching import _NAMING

    condition = _NAMING.partition("WHERE ")[2].partition("AND NOT EXISTS")[0]
    with connect_as("owner") as book:
        found = book.execute(
            "SELECT pg_get_expr(indpred, indrelid) FROM pg_index"
            " WHERE indexrelid = 'book_entry_with_files'::regclass"
        ).fetchone()
        assert found is not None
        book.execute("CREATE TABLE looked (entry bytea)")
        book.execute(f"CREATE INDEX its_own ON looked ((1)) WHERE {found[0]}".encode())
        book.execute("SET LOCAL enable_seqscan = off")
        asked = f"EXPLAIN SELECT FROM looked e WHERE {condition}".encode()
        plan = book.execute(asked, ["ab" * 32]).fetchall()
        assert "its_own" in "\n".join(line for (line,) in plan)
        book.rollback()


def test_whoever_attaches_and_whoever_erases_see_each_other(fresh_db: str) -> None:
    """Another record names the file while its erasure waits: then it stays."""
    receipt = recorded(incident(1), PNG)
    done = threading.Event()

    def erase() -> None:
        try:
            erased(receipt)
        finally:
            connection.close()
            done.set()

    with transaction.atomic():
        recorded(IncidentReported(incident="IN-9", category="other", reason="x", people=()), PNG)
        other = threading.Thread(target=erase)
        other.start()
        assert not done.wait(0.5)  # it waits for this transaction
    other.join(300)
    assert done.is_set()
    assert content_of(PNG) == PNG
