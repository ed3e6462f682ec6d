"""A verification as a job: in parts, once, whoever dies; what it finds is recorded and cured."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import transaction

from audit.models import Finding, FindingSupersession, Verification, VerificationRun
from audit.reconcile.opening import Asked
from audit.reconcile.request_run import ask_for
from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.verifying.problems import Problem, gravity_of
from audit.verifying.run_verification import VERIFICATION, ask_for_verification
from audit.verifying.walking import PHASES
from casino import sequencer
from casino.models import BookEntry, JobOutbox, JobTry
from casino.recording import record_many
from tests.audit.attacks_on_book import ATTACKS
from tests.factories.findings import rests_on
from tests.factories.records import burnt, submission
from tests.factories.verified_books import a_whole_book, guarded_again, unguarded
from tests.gate import ROOT
from tests.jobs_inline import do_jobs

Connect = Callable[..., psycopg.Connection]
pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.share]


@pytest.fixture
def book(connect_as: Connect, tmp_path: Path, settings: Any, fresh_db: str) -> None:
    a_whole_book(connect_as, tmp_path / "public", settings)


def done(connect_as: Connect, *names: str) -> None:
    """Attacks that stay."""
    superuser = connect_as("postgres", autocommit=True)
    for attack in (ATTACKS[name] for name in names):
        superuser.execute("SET session_replication_role = replica")
        superuser.execute(unguarded(*attack.tables))
        for statement in attack.done:
            superuser.execute(statement)
        guarded_again(superuser.cursor(), *attack.tables)


def verified(why: str = "asked") -> Verification:
    run = ask_for_verification("S-0003", why)  # type: ignore[arg-type]
    do_jobs(topic="book-verification")
    return Verification.objects.get(run=run)


def of_the_book() -> dict[str, Finding]:
    rows = standing().filter(rulebook="house", article="house.book").order_by("n")
    return {row.observed["problem"]: row for row in rows}


def test_a_sound_book_is_verified_and_the_book_says_so(book: None) -> None:
    run = ask_for_verification("S-0003")
    waiting = VerificationRun.objects.get(run=run)
    assert (waiting.state, waiting.began_at, waiting.percent) == ("open", None, 0)
    assert waiting.asked_by == "S-0003"
    do_jobs(topic="book-verification")
    ended = VerificationRun.objects.get()
    assert (ended.state, ended.percent, ended.problems, ended.unseen) == ("finished", 100, 0, [])
    assert (ended.size, ended.entries) == (26, 28)
    row = Verification.objects.get()
    assert (row.size, row.entries, row.problems, row.why, row.run) == (26, 28, 0, "asked", run)
    assert len(row.root) == 64
    assert of_the_book() == {}


def test_asking_again_while_one_is_under_way_makes_no_second(book: None) -> None:
    first = ask_for_verification("S-0003")
    assert ask_for_verification("S-0021") == first
    do_jobs(topic="book-verification")
    assert ask_for_verification("S-0021") != first
    assert JobOutbox.objects.filter(topic="book-verification").count() == 2


def test_what_was_asked_for_in_a_transaction_that_failed_was_not_asked_for(book: None) -> None:
    with transaction.atomic():
        ask_for_verification("S-0003")
        transaction.set_rollback(True)
    assert not VerificationRun.objects.exists()
    assert not JobOutbox.objects.filter(topic="book-verification").exists()


def test_a_problem_is_of_the_check_it_belongs_to() -> None:
    checks = {
        "root-differs": "book_whole",
        "cp-unknown": "book_whole",
        "shelf-missing": "shelves_follow_the_book",
        "private-gone": "private_values_kept",
        "file-differs": "private_values_kept",
        "guard-missing": "schema_unchanged",
        "schema-differs": "schema_unchanged",
        "clock-fell": "clock_steady",
        "time-fell": "clock_steady",
    }
    assert {code: Problem(code).check for code in checks} == checks
    assert gravity_of("a-code-nobody-knows") == "problem"


def test_each_problem_is_a_finding_of_the_book_with_its_place(
    book: None, connect_as: Connect
) -> None:
    done(connect_as, "a row of a shelf", "a name without an erasure", "a head moved back")
    verified()
    found = of_the_book()
    assert found.keys() >= {"shelf-differs", "private-gone", "stream-head"}
    row = found["shelf-differs"]
    entry = BookEntry.objects.get(stream__name="table/BJ-06", n=1)
    assert rests_on(row) == [str(entry.id)]
    assert (row.gaming_day, row.table_code, row.partida_id) == (
        entry.gaming_day,
        "BJ-06",
        entry.partida_id,
    )
    assert row.where == {"stream": "table/BJ-06", "n": 1}
    assert row.observed == {"problem": "shelf-differs", "shelf": "casino_burn", "column": "cards"}
    assert (row.check_name, row.severity) == (house_checks.PROJECTIONS_FOLLOW, "breach")
    assert found["private-gone"].check_name == house_checks.PRIVATE_KEPT
    assert found["stream-head"].check_name == house_checks.BOOK_WHOLE


def test_the_same_problem_is_raised_once_and_cured_when_it_is_gone(
    book: None, connect_as: Connect
) -> None:
    done(connect_as, "a row of a shelf")
    verified()
    verified("nightly")
    assert Finding.objects.filter(article="house.book").count() == 1
    # A reconciliation of that day has nothing to say of the book itself.
    day = of_the_book()["shelf-differs"].gaming_day
    ask_for(Asked(reason="asked", from_day=day, to_day=day))
    do_jobs(topic="reconciliation")
    assert of_the_book().keys() == {"shelf-differs"}
    connect_as("owner", autocommit=True).execute("UPDATE casino_burn SET cards = 2 WHERE cards = 9")
    cured = verified()
    assert of_the_book() == {}
    assert FindingSupersession.objects.get().run == cured.run
    done(connect_as, "a row of a shelf")
    verified()
    assert of_the_book().keys() == {"shelf-differs"}


@pytest.mark.check
def test_columns_that_were_altered_to_nonsense_keep_no_verification_from_ending(
    book: None, connect_as: Connect
) -> None:
    superuser = connect_as("postgres", autocommit=True)
    superuser.execute(
        "SET session_replication_role = replica;" + unguarded("book_entry", "book_stream")
    )
    superuser.execute(
        "UPDATE book_entry SET partida_id = E'no\\npartida', table_code = '', kind = 'x/1',"
        " occurred_at = '1990-01-02Z', gaming_day = '1989-12-30' WHERE n = 1;"
        "UPDATE book_entry SET entry = '\\x00ff' WHERE n = 2;"
        "UPDATE book_stream SET name = 'table/' || repeat('9', 39) WHERE name = 'table/BJ-01'"
    )
    row = verified()
    assert row.problems > 20
    assert len(of_the_book()) > 3


@pytest.mark.check
@pytest.mark.parametrize("stream", ["house", "reconciler"])
def test_a_book_that_takes_no_record_any_more_is_told_with_the_run(
    book: None, connect_as: Connect, stream: str
) -> None:
    verified()
    done(connect_as, "a row of a shelf")
    verified()
    done(connect_as, "a name without an erasure")
    superuser = connect_as("postgres", autocommit=True)
    superuser.execute("SET session_replication_role = replica;" + unguarded("book_stream"))
    superuser.execute("UPDATE book_stream SET head_n = head_n - 1 WHERE name = %s", [stream])
    guarded_again(superuser.cursor(), "book_stream")
    run = ask_for_verification("S-0003")
    do_jobs(topic="book-verification")
    row = VerificationRun.objects.get(run=run)
    assert row.state == "finished"
    assert row.problems >= 3
    assert {"stream-head", "private-gone", "book-refuses"} <= {each["code"] for each in row.found}
    assert Verification.objects.filter(run=run).exists() == (stream == "reconciler")
    assert ("private-gone" in of_the_book()) == (stream == "house")


def test_it_is_done_in_parts_each_of_which_goes_on(book: None) -> None:
    run = ask_for_verification()
    seen = []
    for part in range(200):
        assert VERIFICATION.do_part(run, part, 0.001)
        found = VerificationRun.objects.get(run=run)
        seen.append((found.phase, found.percent))
        if found.state == "finished":
            break
    assert seen[-1] == ("", 100)
    assert len(seen) > 2
    assert [percent for _, percent in seen] == sorted(percent for _, percent in seen)
    assert {phase for phase, _ in seen[:-1]} <= {phase.name for phase in PHASES}
    row = VerificationRun.objects.get(run=run)
    assert row.carried is None
    keys = JobOutbox.objects.filter(topic="book-verification").order_by("id")
    assert [each.args["part"] for each in keys] == list(range(len(seen)))
    assert Verification.objects.count() == 1


def test_a_part_that_is_done_twice_changes_nothing(book: None) -> None:
    run = ask_for_verification()
    assert VERIFICATION.do_part(run, 0, 0.001)
    assert not VERIFICATION.do_part(run, 0)
    jobs = JobOutbox.objects.filter(topic="book-verification").count()
    assert VERIFICATION.do_part(run, 1)
    assert not VERIFICATION.do_part(run, 1)
    assert not VERIFICATION.do_part(run, 2)
    assert not VERIFICATION.do_part(uuid4(), 0)
    assert Verification.objects.count() == 1
    assert JobOutbox.objects.filter(topic="book-verification").count() == jobs


def test_another_program_begins_anew(book: None) -> None:
    run = ask_for_verification()
    VERIFICATION.do_part(run, 0, 0.001)
    VerificationRun.objects.update(code_version="another", carried={"not": "its own"})
    assert VERIFICATION.do_part(run, 1)
    assert Verification.objects.get().entries == 28


@pytest.mark.check
def test_two_workers_with_the_same_part_tell_it_once(
    book: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask_for_verification()
    begun = VERIFICATION.take_up

    def overtaken(row: VerificationRun) -> Any:
        monkeypatch.setattr(VERIFICATION, "take_up", begun)
        assert VERIFICATION.do_part(run, 0)  # the other one is quicker
        return begun(row)

    monkeypatch.setattr(VERIFICATION, "take_up", overtaken)
    assert not VERIFICATION.do_part(run, 0)
    assert Verification.objects.count() == 1


WORKER = """
import os, sys, time
import django
django.setup()
from audit.verifying.walking import Verification
step = Verification.step
def slowly(verification):
    step(verification)
    print("step", flush=True)
    time.sleep(3600)
if sys.argv[2] == "slow":
    Verification.step = slowly
from casino.celery import app
import audit.tasks
app.tasks["audit.tasks.verify_book"](job=sys.argv[1], run=sys.argv[3], part=0)
"""


@pytest.mark.check
def test_a_worker_that_was_killed_leaves_nothing_half_done(
    book: None, database_environment: dict[str, str]
) -> None:
    run = ask_for_verification()
    job = JobOutbox.objects.get(topic="book-verification").key
    environment = {**database_environment, "DJANGO_SETTINGS_MODULE": "casino.settings"}

    def worker(how: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", WORKER, job, how, str(run)]
        return subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )

    with worker("slow") as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "step\n"
        os.kill(killed.pid, signal.SIGKILL)
    assert Verification.objects.count() == 0
    assert VerificationRun.objects.get().part == 0
    deadline = time.monotonic() + 600
    while Verification.objects.count() == 0 and time.monotonic() < deadline:
        with worker("quick") as second:
            second.wait()
    assert Verification.objects.get().problems == 0
    assert JobTry.objects.count() == 0
    assert VerificationRun.objects.get(run=run).state == "finished"


@pytest.mark.check
def test_a_verification_of_many_parts_comes_to_what_one_does(
    fresh_db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        record_many([submission(burnt(table=f"BJ-0{n % 5}")) for n in range(200)])
        sequencer.integrate()
    whole = verified()
    run, part = ask_for_verification(), 0
    while VERIFICATION.do_part(run, part, 0.0001):
        part += 1
    in_parts = Verification.objects.get(run=run)
    assert part > 5
    # The first verification itself stands in the book by then, and a finding of each unseen thing.
    assert in_parts.entries == whole.entries + 1
    assert (in_parts.root, in_parts.size, in_parts.problems) == (whole.root, whole.size, 0)
