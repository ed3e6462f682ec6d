"""When nothing is put back: somebody else's bundle, a damaged one, a book that has gone on."""

import shutil
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.core.management import CommandError
from django.db import connections

from audit.exporting import Scope, export_bundle, putting_back
from audit.exporting.bundle_reader import Bundle
from casino import sequencer
from casino.tlog.checkpoint import Checkpoint
from casino.tlog.merkle import Frontier, leaf_hash
from casino.tlog.note import SigningKey, signed
from casino.tlog.policy import Policy
from tests.audit.recovering import (
    HOUSE,
    Past,
    book_as_it_is,
    bundle_of,
    guarded,
    past,
    recovered,
    refused,
    seal,
)
from tests.factories.records import burnt, recorded
from tests.factories.sealed_book import ORIGIN, Connect, Seal, seal_events

__all__ = ["past", "seal"]
pytestmark = [pytest.mark.usefixtures("fresh_db", "english"), pytest.mark.share]


def test_entries_recorded_after_the_restore_are_named_and_left_alone(
    seal: Seal, past: Past, tmp_path: Path
) -> None:
    seal_events(5)
    seal.sign()
    older = past.keep()
    seal_events(3)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    past.back_to(older)
    seal_events(2)
    words = refused(bundle)
    assert "2 entries of the database stand where the bundle has others" in words
    assert "5: table/BJ-06/6\n6: table/BJ-06/7" in words
    assert "record these anew" in words
    sequencer.integrate()  # now they even have places
    assert "5: table/BJ-06/6" in refused(bundle)


def test_a_record_sent_again_after_the_restore_stands_in_the_way(
    seal: Seal, past: Past, tmp_path: Path
) -> None:
    key = uuid4()
    older = past.keep()
    recorded(burnt(table="BJ-08"))
    recorded(burnt(table="BJ-07"), key=key)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    past.back_to(older)
    recorded(burnt(table="BJ-01"))
    recorded(burnt(table="BJ-07"), key=key)
    assert "table/BJ-07/1" in refused(bundle)


@pytest.mark.check
def test_many_conflicts_are_counted(seal: Seal, past: Past, tmp_path: Path) -> None:
    older = past.keep()
    seal_events(30)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    past.back_to(older)
    seal_events(30)
    words = refused(bundle)
    assert words.startswith("30 entries")
    assert words.count("table/BJ-06/") == putting_back.NAMED
    assert "(+ 10)" in words


def test_an_altered_entry_is_named_and_not_mended(
    seal: Seal, past: Past, tmp_path: Path, connect_as: Connect
) -> None:
    seal_events(5)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    with connect_as("postgres") as superuser:
        superuser.execute("ALTER TABLE book_entry DISABLE TRIGGER book_entry_rows")
        superuser.execute("UPDATE book_entry SET entry = entry || ' '::bytea WHERE n = 3")
        superuser.execute("ALTER TABLE book_entry ENABLE ALWAYS TRIGGER book_entry_rows")
    assert "2: table/BJ-06/3" in refused(bundle)


def test_another_tree_in_the_database_is_refused(
    seal: Seal, past: Past, tmp_path: Path, connect_as: Connect
) -> None:
    seal_events(300)
    seal.sign()
    older = past.keep()
    seal_events(1)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    past.back_to(older)
    with connect_as("postgres") as superuser:
        superuser.execute("ALTER TABLE book_tile DISABLE TRIGGER book_tile_rows")
        superuser.execute("UPDATE book_tile SET hashes = overlay(hashes PLACING '\\x00' FROM 9)")
        superuser.execute("ALTER TABLE book_tile ENABLE ALWAYS TRIGGER book_tile_rows")
    assert "another tree at tile/0/0" in refused(bundle)


@pytest.fixture
def older_and_bundle(seal: Seal, past: Past, tmp_path: Path) -> Callable[[], Path]:
    """A book in which entries are missing, and the bundle that has them."""

    def make() -> Path:
        seal_events(3)
        seal.sign()
        older = past.keep()
        seal_events(300, people=1)
        seal.sign()
        bundle = bundle_of(tmp_path / "bundle")
        past.back_to(older)
        return bundle

    return make


def _flip(file: Path, at: int) -> None:
    content = bytearray(file.read_bytes())
    content[at] ^= 1
    file.write_bytes(content)


@pytest.mark.check
@pytest.mark.parametrize(
    ("file", "at"),
    [
        ("tile/entries/000", 200),
        ("tile/entries/001.p/48", -30),
        ("checkpoints.jsonl", 30),
        ("checkpoints.jsonl", -20),
        ("private/openings.jsonl", -20),
    ],
)
def test_a_bundle_with_a_changed_byte_is_refused(
    older_and_bundle: Callable[[], Path], file: str, at: int
) -> None:
    bundle = older_and_bundle()
    _flip(bundle / file, at)
    assert "table/BJ-06" not in refused(bundle)


def test_a_bundle_without_one_of_its_files_is_refused(
    older_and_bundle: Callable[[], Path], tmp_path: Path
) -> None:
    bundle = older_and_bundle()
    for gone in ("tile/entries/000", "ids", "checkpoints.jsonl", "bundle.json"):
        broken = tmp_path / gone.replace("/", "-")
        shutil.copytree(bundle, broken)
        (broken / gone).unlink()
        assert refused(broken)
    recovered(bundle)


def test_a_cut_bundle_is_refused(older_and_bundle: Callable[[], Path]) -> None:
    bundle = older_and_bundle()
    file = bundle / "checkpoints.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(True)[:-1]))
    assert "is damaged: checkpoints.jsonl" in refused(bundle)


def test_only_what_our_own_key_signed_is_put_back(
    seal: Seal, older_and_bundle: Callable[[], Path], tmp_path: Path
) -> None:
    bundle = older_and_bundle()
    stranger = SigningKey.generate(ORIGIN)
    theirs = tmp_path / "theirs"
    theirs.write_text(Policy((stranger.verifier(),)).text())
    assert "is not signed with a key of the policy" in refused(bundle, policy=theirs)
    theirs.write_text("quorum none\n")
    assert "is not signed with a key of the policy" in refused(bundle, policy=theirs)
    (seal.public / "policy").unlink()
    assert "Name the keys" in refused(bundle)
    ours = tmp_path / "ours"
    ours.write_text(Policy((stranger.verifier(), seal.key.verifier())).text())
    assert "301 entries put back" in recovered(bundle, policy=ours)


def test_part_of_the_book_puts_nothing_back(seal: Seal, past: Past, tmp_path: Path) -> None:
    older = past.keep()
    seal_events(5)
    seal.sign()
    part = export_bundle(tmp_path / "part", Scope("range", first=0, end=5), HOUSE).place
    past.back_to(older)
    assert "does not show the whole book" in refused(part)
    assert "is no bundle" in refused(tmp_path)


def test_a_book_in_use_is_not_touched(
    seal: Seal, past: Past, tmp_path: Path, connect_as: Connect
) -> None:
    older = past.keep()
    seal_events(2)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    past.back_to(older)
    busy = connect_as("app")
    busy.execute("SELECT ledger_lock('house')")
    with connections["owner"].cursor() as cursor:
        cursor.execute("SET lock_timeout = '200ms'")
    assert "stop every service" in _refused_while(busy, bundle)


def _refused_while(busy: psycopg.Connection, bundle: Path) -> str:
    with pytest.raises(CommandError) as error:
        recovered(bundle)
    busy.rollback()
    assert guarded()
    return str(error.value)


@pytest.mark.check
def test_a_book_that_would_be_left_unguarded_is_not_touched(
    older_and_bundle: Callable[[], Path], connect_as: Connect
) -> None:
    bundle = older_and_bundle()
    with connect_as("postgres") as superuser:
        superuser.execute("ALTER TABLE book_leaf DISABLE TRIGGER book_leaf_rows")
    before = book_as_it_is()
    with pytest.raises(CommandError, match=r"without its guards; nothing was changed: .*book_leaf"):
        recovered(bundle)
    assert book_as_it_is() == before


@pytest.mark.check
@pytest.mark.parametrize("kept", [3, 5, 8])
def test_a_bundle_of_another_book_than_was_signed_is_refused(
    seal: Seal, past: Past, tmp_path: Path, kept: int
) -> None:
    """Of the same size, or larger; whether or not the bundle has a checkpoint of that size."""
    older = past.keep()
    seal_events(3)
    seal.sign()
    seal_events(5)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    past.back_to(older)
    text = Checkpoint(ORIGIN, kept, b"\1" * 32).text()
    (seal.public / "checkpoint").write_text(signed(text, [seal.key]))
    before = book_as_it_is()
    assert f"At {kept} entries the bundle is another book" in refused(bundle)
    assert book_as_it_is() == before
    leaves = [leaf_hash(each.entry) for some in Bundle(bundle).entries() for each in some]
    tree = Frontier()
    for leaf in leaves[:kept]:
        tree.append(leaf)
    text = Checkpoint(ORIGIN, kept, tree.root()).text()
    (seal.public / "checkpoint").write_text(signed(text, [seal.key]))
    assert "8 entries put back" in recovered(bundle)
