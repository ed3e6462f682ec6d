"""What a short look at the book sees, raises once, and cures."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.models import Finding, Verification, VerificationRun
from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.runs.house_days import PATIENCE, REST, day_ends_at, first_day
from audit.watch import watch_book as watched
from audit.watch.watch_book import ask_for_nightly, nightly_job, watch_book
from audit.watch.watching import look_around
from casino import clock
from casino.models import JobOutbox, JobTry
from casino.recording import record_many
from tests.factories.records import burnt, recorded, submission
from tests.factories.verified_books import (
    ORIGIN,
    a_whole_book,
    guarded_again,
    placed,
    sealed,
    unguarded,
)
from tests.jobs_inline import do_jobs

Connect = Callable[..., psycopg.Connection]
pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.share]
A_DAY = timedelta(days=1)


@pytest.fixture
def book(connect_as: Connect, tmp_path: Path, settings: Any, fresh_db: str) -> Path:
    """A whole book; the folder in which it is published."""
    a_whole_book(connect_as, tmp_path / "public", settings)
    return tmp_path / "public"


@pytest.fixture
def superuser(connect_as: Connect, book: Path) -> psycopg.Connection:
    return connect_as("postgres", autocommit=True)


def done(superuser: psycopg.Connection, tables: str, statement: str) -> None:
    """Something a superuser does, with the triggers off meanwhile."""
    superuser.execute("SET session_replication_role = replica")
    superuser.execute(unguarded(*tables.split()))
    superuser.execute(statement)
    guarded_again(superuser.cursor(), *tables.split())


def open_findings() -> list[tuple[str, dict[str, Any]]]:
    rows = standing().filter(rulebook="house", article="house.book").order_by("n")
    return [(row.check_name, row.where | {"problem": row.observed.get("problem")}) for row in rows]


def look() -> int:
    return watch_book(clock.now())


def test_a_book_in_order_raises_nothing(book: Path) -> None:
    assert look() == 0
    assert Finding.objects.count() == 0
    assert VerificationRun.objects.count() == 0


def aged(superuser: psycopg.Connection, seconds: int) -> None:
    """All was recorded, and given its place, so much earlier."""
    for table, column in (("book_entry", "recorded_at"), ("book_tree", "made_at")):
        done(superuser, table, f"UPDATE {table} SET {column} = {column} - interval '{seconds} s'")


def test_an_entry_without_a_place_for_a_minute_is_raised_once_and_cured(
    superuser: psycopg.Connection,
) -> None:
    aged(superuser, 50)
    assert look() == 0
    aged(superuser, 20)
    assert look() == 1
    assert look() == 0
    (found,) = standing().filter(check_name=house_checks.SEALED_IN_TIME)
    assert (found.where, found.severity) == ({"step": "sequencer"}, "warning")
    assert "waits_since" in found.observed
    placed()
    assert look() == 0
    assert open_findings() == []


def test_a_tree_nobody_signed_for_a_minute_is_raised_and_cured(
    superuser: psycopg.Connection, connect_as: Connect
) -> None:
    placed()
    assert look() == 0
    aged(superuser, 70)
    assert look() == 1
    assert open_findings() == [(house_checks.SEALED_IN_TIME, {"step": "signer", "problem": None})]
    sealed(connect_as)
    assert look() == 0
    assert open_findings() == []


def test_a_house_that_never_had_a_signer_is_not_late(
    connect_as: Connect, settings: Any, tmp_path: Path
) -> None:
    recorded(burnt())
    placed()
    superuser = connect_as("postgres", autocommit=True)
    aged(superuser, 3600)
    settings.BOOK_PUBLIC = ""
    assert look() == 0
    settings.BOOK_PUBLIC = str(tmp_path)
    assert look() == 1


def test_a_signer_that_refuses_is_raised_with_its_reason(book: Path) -> None:
    refused = book / "refused"
    refused.write_text(json.dumps({"why": "the tree shrank from 24 to 7", "since": "now"}), "utf-8")
    assert look() == 1
    (found,) = standing().filter(check_name=house_checks.SEALED_IN_TIME)
    assert found.where == {"step": "refused"}
    assert found.observed == {"why": "the tree shrank from 24 to 7"}
    refused.write_text("half", "utf-8")
    assert look() == 0
    refused.unlink()
    look()
    assert open_findings() == []


@pytest.mark.parametrize(
    ("tables", "statement", "problem"),
    [
        ("book_pending", "DELETE FROM book_pending", "entry-forgotten"),
        ("book_leaf", "DELETE FROM book_leaf WHERE idx = 3", "entry-forgotten"),
        ("book_leaf", "DELETE FROM book_leaf WHERE idx = 25", "tree-size"),
        (
            "book_stream",
            "UPDATE book_stream SET head_n = head_n - 1 WHERE name = 'table/BJ-01'",
            "heads-do-not-add-up",
        ),
        (
            "book_tree book_checkpoint",
            "UPDATE book_tree SET root = decode(repeat('00', 32), 'hex')"
            " WHERE size = (SELECT max(size) FROM book_checkpoint)",
            "checkpoint-root",
        ),
    ],
)
def test_what_was_taken_away_is_seen_at_the_next_look_and_looked_for(
    superuser: psycopg.Connection, tables: str, statement: str, problem: str
) -> None:
    done(superuser, tables, statement)
    assert look() >= 1
    assert look() == 0
    assert (house_checks.BOOK_WHOLE, problem) in [
        (check, where["problem"]) for check, where in open_findings()
    ]
    before = open_findings()
    run = VerificationRun.objects.get()
    do_jobs(topic="book-verification")
    # A whole verification meets the same again, and tells where.
    assert [each for each in before if each not in open_findings()] == []
    assert Verification.objects.get(run=run.run).problems >= 1
    assert look() == 0


def test_a_book_restored_from_an_older_copy_is_short_of_what_was_published(
    superuser: psycopg.Connection, book: Path
) -> None:
    note = (book / "checkpoint").read_text("utf-8")
    origin, size, rest = note.split("\n", 2)
    (book / "checkpoint").write_text(f"{origin}\n{int(size) + 9}\n{rest}", "utf-8")
    assert look() == 1
    assert open_findings() == [(house_checks.BOOK_WHOLE, {"problem": "short-by"})]
    assert note.startswith(ORIGIN)


def test_a_clock_that_ran_back_is_raised_at_the_entry_and_stays(
    superuser: psycopg.Connection,
) -> None:
    done(
        superuser,
        "book_entry",
        "UPDATE book_entry SET recorded_at = recorded_at - interval '2 s'"
        " WHERE stream_id = (SELECT id FROM book_stream WHERE name = 'table/BJ-01') AND n = 5",
    )
    assert look() == 1
    assert look() == 0
    assert open_findings() == [
        (house_checks.CLOCK_STEADY, {"stream": "table/BJ-01", "n": 5, "problem": "clock-fell"})
    ]
    (found,) = standing().filter(check_name=house_checks.CLOCK_STEADY)
    assert found.severity == "warning"


def test_a_second_is_no_fall(superuser: psycopg.Connection) -> None:
    done(
        superuser,
        "book_entry book_tree",
        "UPDATE book_entry e SET recorded_at = b.recorded_at - interval '900 ms' FROM book_entry b"
        " WHERE b.stream_id = e.stream_id AND b.n = e.n - 1 AND e.n = 5",
    )
    assert look() == 0


def test_a_tree_made_before_the_smaller_one_is_raised(superuser: psycopg.Connection) -> None:
    done(
        superuser,
        "book_tree",
        "UPDATE book_tree SET made_at = made_at - interval '1 h'"
        " WHERE size = (SELECT max(size) FROM book_tree)",
    )
    assert look() == 1
    do_jobs(topic="book-verification")
    assert open_findings() == [
        (house_checks.CLOCK_STEADY, {"problem": "clock-fell-in-tree"}),
    ]


def test_a_schema_that_changed_is_raised_line_by_line_and_cured(
    superuser: psycopg.Connection,
) -> None:
    superuser.execute("GRANT UPDATE ON casino_burn TO app")
    assert look() == 3  # the guard, a line that is gone, a line that is new
    assert look() == 0
    rows = standing().filter(check_name=house_checks.SCHEMA_UNCHANGED)
    assert {row.observed["problem"] for row in rows} == {"guard-missing", "schema-differs"}
    assert any("UPDATE" in row.observed["told"] for row in rows)
    do_jobs(topic="book-verification")
    assert len(open_findings()) == 3
    superuser.execute("REVOKE UPDATE ON casino_burn FROM app")
    assert look() == 0
    assert open_findings() == []


def test_a_schema_accepted_without_a_migration_stays_a_finding(
    superuser: psycopg.Connection,
) -> None:
    superuser.execute("CREATE INDEX of_my_own ON casino_burn (cards)")
    call_command("schema", "--record", "--accept", stdout=StringIO())
    assert look() == 1
    (found,) = standing().filter(check_name=house_checks.SCHEMA_UNCHANGED)
    assert found.observed["problem"] == "schema-unexplained"
    assert found.where["stream"] == "house"
    look()
    assert len(open_findings()) == 1


@pytest.fixture
def live_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Move the clock to a moment."""
    file = tmp_path / "clock"
    monkeypatch.setenv("CLOCK_FILE", str(file))

    def move(moment: datetime) -> datetime:
        file.write_text("0", "ascii")
        file.write_text(str(int((moment - clock.now()).total_seconds()) + 1), "ascii")
        return clock.now()

    return move


def test_the_book_is_verified_once_after_each_gaming_day(book: Path, live_at: Any) -> None:
    day = first_day()
    assert day is not None
    now = live_at(day_ends_at(day) + REST - timedelta(minutes=1))
    ask_for_nightly(now)
    assert VerificationRun.objects.count() == 0
    now = live_at(day_ends_at(day) + REST)
    for _ in range(3):
        look_around(now)
    run = VerificationRun.objects.get()
    assert (run.why, run.job) == ("nightly", nightly_job(day))
    do_jobs(topic="book-verification")
    row = Verification.objects.get()
    assert (row.why, row.problems, row.run) == ("nightly", 0, run.run)
    look_around(now + timedelta(hours=3))
    assert JobOutbox.objects.filter(topic="book-verification").count() == 1
    assert open_findings() == []


def test_a_night_without_a_verification_is_said_and_made_up_for(book: Path, live_at: Any) -> None:
    day = first_day()
    assert day is not None
    now = live_at(day_ends_at(day) + REST)
    look_around(now)
    do_jobs(topic="book-verification")
    late = live_at(day_ends_at(day + A_DAY) + REST + PATIENCE - timedelta(minutes=1))
    look_around(late)
    assert open_findings() == []
    late = live_at(day_ends_at(day + A_DAY) + REST + PATIENCE)
    look_around(late)
    look_around(late)
    expected = {"day": (day + A_DAY).isoformat(), "problem": None}
    assert open_findings() == [(house_checks.BOOK_VERIFIED, expected)]
    do_jobs(topic="book-verification")
    assert open_findings() == []
    assert Verification.objects.count() == 2


def test_a_verification_that_was_given_up_is_said(book: Path) -> None:
    ask_for_nightly(clock.now() + A_DAY)
    run = VerificationRun.objects.get()
    JobTry.objects.create(
        key=run.job,
        topic="book-verification",
        tries=3,
        began_at=clock.now(),
        worker="w",
        trouble="killed",
        failed_at=clock.now(),
    )
    look_around()
    assert VerificationRun.objects.get(run=run.run).state == "failed"
    assert standing().filter(check_name=house_checks.JOB_DONE).count() == 1


def test_two_looks_at_the_same_moment_raise_once(
    superuser: psycopg.Connection, connect_as: Connect
) -> None:
    superuser.execute("GRANT UPDATE ON casino_burn TO app")
    other = connect_as("app")
    other.execute("SELECT pg_advisory_xact_lock(hashtextextended('house.book', 0))")
    assert look() == 0
    other.rollback()
    assert look() == 3


@pytest.mark.check
def test_a_look_reads_the_end_of_the_book_only(connect_as: Connect, tmp_path: Path) -> None:
    """However long the book, the plans touch no table from one end to the other."""
    for _ in range(4):
        record_many([submission(burnt(table=f"BJ-0{n % 5}")) for n in range(500)])
        placed()
    owner = connect_as("owner", autocommit=True)
    owner.execute("ANALYZE book_entry, book_leaf, book_tree, book_stream, book_pending")
    with CaptureQueriesContext(connection) as queries:
        look()
    assert len(queries) < 120
    for statement, values in (
        (watched._SUMS, ()),
        (watched._FORGOTTEN, (100,)),
        (watched._FELL, (100,)),
        (watched._FELL_IN_TREE, (100,)),
        (watched._WAITS, (watched.LATE,)),
        (watched._UNSIGNED, (watched.LATE,)),
    ):
        with connection.cursor() as cursor:
            cursor.execute("SET enable_seqscan = off")
            cursor.execute("EXPLAIN (ANALYZE, COSTS off) " + statement, values)
            plan = "\n".join(line for (line,) in cursor.fetchall())
            cursor.execute("RESET enable_seqscan")
        assert "Seq Scan on book_entry" not in plan, plan
        assert "Seq Scan on book_leaf" not in plan, plan
