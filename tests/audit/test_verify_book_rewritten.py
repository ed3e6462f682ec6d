"""History rewritten and signed again, a tail cut off, and a book that is written to meanwhile."""

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connections, transaction

from audit.verifying.walking import verify
from casino import sequencer
from casino.recording import record_many
from casino.tlog.canonical import ENVELOPE_NULLS, canonical
from casino.tlog.checkpoint import Checkpoint
from casino.tlog.merkle import Frontier, leaf_hash
from casino.tlog.note import signed
from tests.audit.attacks_on_book import said
from tests.factories.records import MANAGER, burnt, hired, recorded, submission
from tests.factories.verified_books import (
    KEY,
    ORIGIN,
    a_whole_book,
    guarded_again,
    placed,
    policy,
    sealed,
    unguarded,
    vandal,
)

Connect = Callable[..., psycopg.Connection]
pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.both_servers, pytest.mark.share]


@pytest.fixture
def book(connect_as: Connect, tmp_path: Path, settings: Any, fresh_db: str) -> str:
    """A whole book, sealed and published; the note of its first checkpoint."""
    return a_whole_book(connect_as, tmp_path / "public", settings)


@pytest.fixture
def as_vandal(databases: Any, book: str) -> Iterator[str]:
    """The alias of a superuser's connection."""
    with vandal(databases) as alias:
        yield alias


def rewritten(cursor: Any) -> None:
    """All of history anew: other cards, what follows from it, signed with the true key."""
    cursor.execute(
        "SELECT l.idx, e.id, s.name, e.entry FROM book_leaf l"
        " JOIN book_entry e ON e.id = l.entry_id JOIN book_stream s ON s.id = e.stream_id"
        " ORDER BY l.idx"
    )
    entries = cursor.fetchall()
    cursor.execute("SELECT size FROM book_checkpoint")
    signed_at = {size for (size,) in cursor.fetchall()}
    tree, last, roots = Frontier(), dict[str, str](), dict[int, str]()
    for index, entry_id, stream, entry in entries:
        body = json.loads(bytes(entry))
        body["prev"] = last.get(stream)
        if body["cp"] is not None:
            body["cp"]["root"] = roots[body["cp"]["size"]]
        if index == 2:
            body["payload"]["cards"] = 9
            cursor.execute("UPDATE casino_burn SET cards = 9 WHERE entry_id = %s", [entry_id])
        data = canonical(body, nulls=ENVELOPE_NULLS)
        cursor.execute("UPDATE book_entry SET entry = %s WHERE id = %s", [data, entry_id])
        tree.append(leaf_hash(data))
        last[stream], roots[index + 1] = leaf_hash(data).hex(), tree.root().hex()
        cursor.execute(
            "UPDATE book_tree SET root = %s, frontier = %s WHERE size = %s",
            [tree.root(), tree.to_bytes(), tree.size],
        )
        if tree.size in signed_at:
            note = signed(Checkpoint(ORIGIN, tree.size, tree.root()).text(), [KEY])
            cursor.execute(
                "UPDATE book_checkpoint SET root = %s, note = %s WHERE size = %s",
                [tree.root(), note, tree.size],
            )
    for stream, leaf in last.items():
        cursor.execute(
            "UPDATE book_stream SET head_hash = decode(%s, 'hex') WHERE name = %s", [leaf, stream]
        )


def test_history_rewritten_and_signed_again_is_found_by_a_checkpoint_somebody_kept(
    connect_as: Connect, databases: Any, fresh_db: str
) -> None:
    kept = []
    for _ in range(3):
        record_many([submission(burnt(table=f"BJ-0{n % 2}")) for n in range(5)])
        placed()
        kept.append(sealed(connect_as, witnessed=False))
    tables = ["book_entry", "book_tree", "book_checkpoint", "book_stream", "casino_burn"]
    with vandal(databases) as alias, transaction.atomic(using=alias):
        with connections[alias].cursor() as cursor:
            cursor.execute(unguarded(*tables))
            rewritten(cursor)
            guarded_again(cursor, *tables)
        alone = verify(alias, policy=policy())
        assert [each.code for each in alone.report.problems] == ["no-schema-record"]
        for note in kept:
            verification = verify(alias, policy=policy(), older=[("mine", note)])
            assert [each.code for each in verification.report.of("problem")] == ["older-differs"]
        transaction.set_rollback(True, using=alias)
    for note in kept:
        assert verify(policy=policy(), older=[("mine", note)]).report.count() == 0


def test_a_book_whose_end_was_cut_off_is_short_by_what_was_published(as_vandal: str) -> None:
    tables = [
        "book_entry",
        "book_leaf",
        "book_tree",
        "book_checkpoint",
        "book_cosignature",
        "book_stream",
        "book_pending",
        "job_outbox",
        "casino_burn",
        "casino_naming",
        "casino_staff",
        "casino_private_value",
    ]
    with transaction.atomic(using=as_vandal), connections[as_vandal].cursor() as cursor:
        cursor.execute(unguarded(*tables))
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(
            "CREATE TEMP TABLE gone AS SELECT e.id, e.stream_id FROM book_entry e"
            " LEFT JOIN book_leaf l ON l.entry_id = e.id WHERE coalesce(l.idx, 99) >= 25;"
            "DELETE FROM casino_burn WHERE entry_id IN (SELECT id FROM gone);"
            "DELETE FROM casino_naming WHERE entry_id IN (SELECT id FROM gone);"
            "DELETE FROM casino_staff WHERE entry_id IN (SELECT id FROM gone);"
            "DELETE FROM casino_private_value WHERE entry_id IN (SELECT id FROM gone);"
            "DELETE FROM book_pending; DELETE FROM book_leaf WHERE idx >= 25;"
            "DELETE FROM book_entry WHERE id IN (SELECT id FROM gone);"
            "DELETE FROM book_tree WHERE size > 25; DELETE FROM book_checkpoint WHERE size > 25;"
            "DELETE FROM book_cosignature WHERE size > 25;"
            "UPDATE book_stream s SET head_n = e.n, head_hash = e.leaf_hash FROM book_entry e"
            " WHERE e.stream_id = s.id AND NOT EXISTS (SELECT FROM book_entry x"
            " WHERE x.stream_id = s.id AND x.n > e.n);"
            "DELETE FROM book_stream s WHERE NOT EXISTS"
            " (SELECT FROM book_entry e WHERE e.stream_id = s.id)"
        )
        guarded_again(cursor, *tables)
        (found,) = verify(as_vandal).report.problems
        assert (found.code, found.details["entries"]) == ("short-by", 1)
        transaction.set_rollback(True, using=as_vandal)


def test_a_book_that_is_written_to_meanwhile_raises_nothing(book: str) -> None:
    writing = threading.Event()
    writing.set()

    def write(writer: int) -> int:
        try:
            for turn in range(15):
                record_many([submission(burnt(table=f"BJ-1{(writer + n) % 3}")) for n in range(3)])
                recorded(hired(f"Person {writer} {turn}"), by=MANAGER)
        finally:
            connections.close_all()
        return 60

    def integrate() -> None:
        try:
            sequencer.run(lambda: not writing.is_set(), rest=lambda _: None)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        loop = pool.submit(integrate)
        writers = [pool.submit(write, writer) for writer in range(3)]
        walks = [verify()]
        while not all(writer.done() for writer in writers):
            walks.append(verify())
        writing.clear()
        loop.result()
        assert [writer.result() for writer in writers] == [60, 60, 60]
    assert [said(verification) for verification in walks if verification.report.problems] == []
    assert len(walks) > 1
