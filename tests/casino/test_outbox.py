"""Jobs: sent once they are due, sent again until their effect stands, given up when they kill."""

import ast
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError, connection

from casino import clock, tasks
from casino.models import JobOutbox, JobTry, WaitingFile
from casino.recording.writing import add_job

ROOT = Path(__file__).resolve().parent.parent.parent
TOPIC = "reconciliation"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """What a broker was given."""
    messages: list[tuple[str, dict[str, Any]]] = []

    def send_task(name: str, kwargs: dict[str, Any], **_: Any) -> None:
        messages.append((name, kwargs))

    monkeypatch.setattr(tasks.current_app, "send_task", send_task)
    return messages


@pytest.mark.django_db
def test_a_due_job_is_sent_once(sent: list[Any]) -> None:
    add_job(TOPIC, "one", {"reason": "asked"})
    add_job(TOPIC, "one", {"reason": "nightly"})
    add_job(TOPIC, "later", {}, due_at=clock.now() + timedelta(hours=1))
    assert tasks.publish_due() == 1
    assert sent == [("audit.tasks.reconcile", {"job": "one", "reason": "asked"})]
    assert tasks.publish_due() == 0


@pytest.mark.django_db
def test_a_job_that_did_not_end_is_sent_again(
    sent: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    add_job(TOPIC, "one", {})
    assert tasks.publish_due() == 1
    monkeypatch.setattr(tasks, "STALE", timedelta(0))
    assert tasks.publish_one()
    assert JobOutbox.objects.get(key="one").attempts == 2
    tasks.done("one")
    assert not tasks.publish_one()
    assert len(sent) == 2


@pytest.mark.django_db
def test_a_broker_that_is_away_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OSError("connection refused")

    monkeypatch.setattr(tasks.current_app, "send_task", away)
    add_job(TOPIC, "one", {})
    with pytest.raises(OSError, match="refused"):
        tasks.publish_one()
    row = JobOutbox.objects.get(key="one")
    assert (row.attempts, row.published_at) == (0, None)


@pytest.mark.usefixtures("fresh_db")
def test_the_loop_outlives_its_broker(monkeypatch: pytest.MonkeyPatch, sent: list[Any]) -> None:
    add_job(TOPIC, "one", {})
    answers: Iterator[Any] = iter([OSError("away"), OSError("away"), None])
    send = tasks.current_app.send_task

    def sometimes(*args: Any, **known: Any) -> None:
        trouble = next(answers)
        if trouble:
            raise trouble
        send(*args, **known)

    monkeypatch.setattr(tasks.current_app, "send_task", sometimes)
    rests: list[float] = []
    tasks.run_outbox(lambda: len(rests) == 3, rests.append)
    assert len(sent) == 1
    assert rests == [2 * tasks.IDLE, 4 * tasks.IDLE, tasks.IDLE]


@pytest.mark.usefixtures("fresh_db")
def test_two_pollers_never_take_the_same_job(connect_as: Any) -> None:
    add_job(TOPIC, "one", {})
    add_job(TOPIC, "two", {})
    connection.close()
    claim = "SELECT key FROM outbox_claim(clock_timestamp(), 10, interval '60 s')"
    first, second = connect_as("app"), connect_as("app")
    assert sorted(key for (key,) in first.execute(claim)) == ["one", "two"]
    assert second.execute(claim).fetchall() == []
    first.rollback()
    assert len(second.execute(claim).fetchall()) == 2


def a_job(*answers: Any) -> Any:
    """A task that gives these answers in turn; an exception is raised."""
    left = iter(answers)

    @tasks.job(f"tests.{id(left)}")
    def do(job: str) -> bool:
        answer = next(left)
        if isinstance(answer, BaseException):
            raise answer
        return bool(answer)

    return do


@pytest.mark.django_db
def test_a_job_is_done_when_it_says_so() -> None:
    add_job(TOPIC, "one", {})
    task = a_job(False, True)
    task(job="one")
    assert JobOutbox.objects.get(key="one").done_at is None
    assert not JobTry.objects.exists(), "it came back in good order"
    task(job="one")
    assert JobOutbox.objects.get(key="one").done_at is not None
    task(job="one")  # has no third answer: it is not asked again
    task(job="nobody's")


@pytest.mark.django_db
def test_a_job_that_was_begun_too_often_is_given_up() -> None:
    add_job(TOPIC, "one", {})
    for times in range(1, tasks.TRIES + 1):
        assert tasks.begin("one")  # and the worker died
        assert JobTry.objects.get(key="one").tries == times
    assert not tasks.begin("one")
    assert JobTry.objects.get(key="one").failed_at is not None
    assert JobOutbox.objects.get(key="one").done_at is not None, "it is not sent any more"


@pytest.mark.django_db
def test_a_job_that_got_on_is_counted_anew() -> None:
    add_job(TOPIC, "one", {})
    for _ in range(3 * tasks.TRIES):
        assert tasks.begin("one")
        tasks.got_on("one")


@pytest.mark.django_db
def test_its_own_failures_count_and_the_servers_do_not() -> None:
    add_job(TOPIC, "one", {})
    with pytest.raises(ZeroDivisionError):
        a_job(ZeroDivisionError("by zero"))(job="one")
    tried = JobTry.objects.get(key="one")
    assert (tried.tries, tried.trouble) == (1, "ZeroDivisionError: by zero")


@pytest.mark.usefixtures("fresh_db")
def test_a_server_that_went_away_is_nobodys_failure() -> None:
    add_job(TOPIC, "one", {})
    for _ in range(2 * tasks.TRIES):
        with pytest.raises(OperationalError):
            a_job(OperationalError("server closed the connection"))(job="one")
    assert JobTry.objects.get(key="one").tries == 0


@pytest.mark.usefixtures("fresh_db")
def test_a_job_in_somebodys_hands_is_not_begun_again(connect_as: Any) -> None:
    add_job(TOPIC, "one", {})
    other = connect_as("app", autocommit=True)
    other.execute("SELECT pg_advisory_lock(hashtextextended('one', 1))")
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    for _ in range(2 * tasks.TRIES):
        assert not tasks.begin("one"), "sent again while it is being done"
    assert not JobTry.objects.exists()
    other.close()  # whoever had it died
    a_job(True)(job="one")
    assert JobOutbox.objects.get(key="one").done_at is not None
    held = connect_as("postgres", autocommit=True).execute(
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database ="
        " (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    assert held.fetchone() == (0,)


def test_nothing_else_in_the_house_sends_a_job() -> None:
    sending = {"delay", "apply_async", "send_task", "delay_on_commit"}
    found = []
    for package in ("casino", "jackpot", "audit"):
        for path in (ROOT / package).rglob("*.py"):
            found += [
                path.relative_to(ROOT).as_posix()
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.Attribute) and node.attr in sending
            ]
    assert found == ["casino/tasks.py"]


@pytest.mark.django_db
def test_files_that_waited_for_a_day_are_forgotten() -> None:
    now = clock.now()
    ages = {timedelta(hours=23): "kept", timedelta(hours=25): "gone"}
    for age, name in ages.items():
        WaitingFile.objects.create(
            id=uuid4(), staff="S-0187", name=name, content=b"x", sent_at=now - age
        )
    tasks.forget_done_jobs()
    assert [each.name for each in WaitingFile.objects.all()] == ["kept"]
