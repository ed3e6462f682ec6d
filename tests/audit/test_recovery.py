"""Lost entries put back from a bundle: the same bytes in the same places, projections and all."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections

from casino import sequencer
from casino.events.event import EntryRef
from casino.models import Attachment, BookEntry, BookStream, PrivateValue
from casino.models.sealing_projections import Restoration
from casino.recording import Submission, record_many
from casino.recording.attached_files import File
from tests.audit.recovering import (
    Past,
    book_as_it_is,
    bundle_of,
    guarded,
    must_be_whole,
    past,
    pending,
    recovered,
    seal,
    up_to,
)
from tests.factories.erasures import erased
from tests.factories.records import EVENING, MANAGER, PIT, burnt, hired, recorded
from tests.factories.sealed_book import Connect, Seal, seal_events

__all__ = ["past", "seal"]
pytestmark = [pytest.mark.usefixtures("fresh_db", "english"), pytest.mark.share]


@pytest.mark.both_servers
@pytest.mark.parametrize(("before", "after"), [(300, 500), (255, 2), (1, 255)])
def test_lost_entries_come_back_byte_for_byte(
    seal: Seal, past: Past, tmp_path: Path, before: int, after: int
) -> None:
    seal_events(before)
    seal.sign()
    older = past.keep()
    seal_events(after - 1, "BJ-07")
    seal.sign()
    seal_events(1)
    newest = seal.sign()
    seal.cosign(newest, 1_800_000_000)
    bundle = bundle_of(tmp_path / "bundle")
    lost = book_as_it_is()
    past.back_to(older)
    said = recovered(bundle)
    assert f"{after} entries put back" in said
    assert guarded()
    assert up_to(before + after, book_as_it_is()) == up_to(before + after, lost)
    heads = dict(BookStream.objects.values_list("name", "head_n"))
    assert heads["table/BJ-06"] == before + 1
    restored = Restoration.objects.get()
    assert (restored.size, restored.root) == (before + after, newest.root.hex())
    assert (restored.entries, restored.source) == (after, "bundle")
    must_be_whole()
    assert seal.sign().size > newest.size


@pytest.mark.check
def test_an_empty_book_comes_back_whole(seal: Seal, past: Past, tmp_path: Path) -> None:
    older = past.keep()
    seal_events(30, people=2)
    seal_events(3, "BJ-09")
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    lost = book_as_it_is()
    past.back_to(older)
    recovered(bundle)
    assert up_to(35, book_as_it_is()) == up_to(35, lost)
    must_be_whole()


def test_what_was_written_but_had_no_place_gets_the_one_it_had(
    seal: Seal, past: Past, tmp_path: Path
) -> None:
    seal_events(10)
    seal.sign()
    seal_events(4, "BJ-07")  # committed, not in the tree when the backup was made
    recorded(hired(), by=MANAGER)
    older = past.keep()
    seal_events(3)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    lost = book_as_it_is()
    past.back_to(older)
    assert pending() == 5
    said = recovered(bundle)
    assert "3 entries put back, 5 more given their old places" in said
    assert up_to(18, book_as_it_is()) == up_to(18, lost)
    must_be_whole()


@pytest.mark.check
def test_what_waits_and_is_not_in_the_bundle_gets_a_later_place(
    seal: Seal, past: Past, tmp_path: Path, connect_as: Connect
) -> None:
    seal_events(10)
    older_tree = past.keep()
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    past.back_to(older_tree)
    seal_events(5)  # goes on in the same stream, after what waits
    assert pending() == 15
    recovered(bundle)
    assert pending() == 5 + 1  # the restoration is recorded, too; no projection lacked anything
    sequencer.integrate()
    numbers = BookEntry.objects.filter(stream__name="table/BJ-06").order_by("n")
    assert list(numbers.values_list("n", flat=True)) == list(range(1, 16))
    with connections["reader"].cursor() as cursor:
        cursor.execute("SELECT idx FROM book_leaf ORDER BY idx")
        assert [idx for (idx,) in cursor.fetchall()] == list(range(16))
    must_be_whole()


def test_nothing_is_done_where_nothing_is_missing(seal: Seal, tmp_path: Path) -> None:
    seal_events(10)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    before = book_as_it_is()
    assert "Nothing is missing" in recovered(bundle)
    assert book_as_it_is() == before
    assert guarded()


@pytest.mark.check
def test_a_second_run_finds_nothing_missing(seal: Seal, past: Past, tmp_path: Path) -> None:
    older = past.keep()
    seal_events(3)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    past.back_to(older)
    recovered(bundle)
    said = recovered(bundle)
    assert "Nothing is missing" in said
    assert "--finish" in said, "the shelves may be what an interrupted one left undone"


@pytest.mark.check
def test_an_interrupted_recovery_is_finished(
    seal: Seal, past: Past, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = past.keep()
    seal_events(3, people=1)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    past.back_to(older)
    module = "audit.management.commands.recover_entries"
    with monkeypatch.context() as cut:
        cut.setattr(f"{module}.call_command", _power_cut)
        with pytest.raises(KeyboardInterrupt):
            recovered(bundle)
    assert guarded()
    assert BookEntry.objects.count() == 4
    assert not Restoration.objects.exists()
    assert "told in house" in recovered(bundle, finish=True)
    assert Restoration.objects.count() == 1
    assert "finished already" in recovered(bundle, finish=True)
    assert Restoration.objects.count() == 1, "it is told once"
    must_be_whole()


def _power_cut(*args: Any, **options: Any) -> None:
    raise KeyboardInterrupt


def test_an_entry_taken_out_of_the_middle_is_put_back(
    seal: Seal, tmp_path: Path, connect_as: Connect
) -> None:
    seal_events(6)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    before = book_as_it_is()
    with connect_as("postgres", autocommit=True) as superuser:
        for table in ("book_leaf", "book_entry"):
            superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER {table}_rows")
        superuser.execute("DELETE FROM casino_burn WHERE n = 3")
        third = "(SELECT id FROM book_entry WHERE n = 3 AND table_code <> '')"
        superuser.execute(f"DELETE FROM casino_naming WHERE entry_id IN {third}")
        superuser.execute("DELETE FROM book_leaf WHERE idx = 2")
        superuser.execute("DELETE FROM book_entry WHERE n = 3 AND table_code <> ''")
        for table in ("book_leaf", "book_entry"):
            superuser.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_rows")
    assert "1 entry put back, 0 more" in recovered(bundle)
    assert up_to(6, book_as_it_is()) == up_to(6, before)
    must_be_whole()


def test_private_values_come_back_with_an_opened_bundle(
    seal: Seal, past: Past, tmp_path: Path
) -> None:
    older = past.keep()
    recorded(hired("Ana Matos"), by=MANAGER)
    note = File(b"What was seen.\n")
    record_many([Submission(burnt(), uuid4(), PIT, EVENING, files=(note,))])
    seal.sign()
    shut = bundle_of(tmp_path / "shut", openings=False)
    opened = bundle_of(tmp_path / "opened")
    kept = PrivateValue.objects.get()
    past.back_to(older)
    assert "2 private values" in recovered(opened)
    again = PrivateValue.objects.get()
    assert (again.value, bytes(again.salt), again.entry_id) == (
        "Ana Matos",
        bytes(kept.salt),
        kept.entry_id,
    )
    assert bytes(Attachment.objects.get().content) == note.content
    recorded(hired("Rui Sá"), by=MANAGER)
    assert "Nothing is missing" in recovered(shut)


def test_what_was_erased_after_the_backup_is_erased_again(
    seal: Seal, past: Past, tmp_path: Path
) -> None:
    person = recorded(hired("Ana Matos"), by=MANAGER)
    note = File(b"What was seen.\n")
    (paper,) = record_many([Submission(burnt(), uuid4(), PIT, EVENING, files=(note,))])
    seal.sign()
    older = past.keep()
    early = bundle_of(tmp_path / "early")
    for receipt, field in ((person, "name"), (paper, "attachments")):
        named = EntryRef(stream=receipt.stream, n=receipt.n, leaf=receipt.leaf)
        erased(named, field)
    seal.sign()
    assert json.loads((early / "private/openings.jsonl").read_text())["value"] == "Ana Matos"
    bundle = bundle_of(tmp_path / "bundle", openings=False)
    past.back_to(older)
    assert PrivateValue.objects.get().value == "Ana Matos"
    recovered(bundle)
    assert PrivateValue.objects.get().value is None
    assert Attachment.objects.get().content is None
