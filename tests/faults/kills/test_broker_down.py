"""A broker that is away while the evening goes on: nobody notices, and nothing is lost."""

import socket
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Generator
from itertools import islice
from pathlib import Path

import pytest
from django.db import connection

from audit.models import ReconciliationResult
from audit.reconcile.opening import Asked
from audit.reconcile.request_run import ask_for
from audit.runs.current_findings import standing
from casino.local import roles
from casino.local.cluster import Cluster
from casino.local.local_places import CHECKOUT
from casino.models import BookEntry, JobOutbox
from casino.simulation.devices.planned_messages import rounds_of
from casino.simulation.devices.playing import Plan
from tests.factories.evenings import an_evening
from tests.faults.kills.devices_playing import DAY, TROUBLE, Playing
from tests.faults.kills.stack import OUTBOX, Stack
from tests.gate import size
from tests.rabbitmq import RabbitMQ

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("fresh_db")]
AWAY = size(5, 60, 600)  # seconds in which machines go on posting
PLAN = Plan(seed=11, day=DAY, rounds=20_000, batch=3, error_rate=0.05, rate=15, trouble=TROUBLE)


@pytest.fixture
def rabbitmq_of_its_own(tmp_path: Path) -> Generator[RabbitMQ]:
    """A node of this test's own.

    Not the session's: a quorum queue that was deleted and declared again, as that one's are between
    two tests, does not come back after kill -9 (RabbitMQ 3.10). The house deletes no queue.
    """
    home = tmp_path / "rabbitmq"
    home.mkdir()
    node = RabbitMQ(home)
    try:
        node.start()
        yield node
    finally:
        node.close()


@pytest.fixture(
    params=[
        "durable_cluster",
        pytest.param("rabbitmq_of_its_own", marks=pytest.mark.needs_tool("rabbitmq-server")),
    ],
    ids=["pgmq", "rabbitmq"],
)
def broker_of_its_own(request: pytest.FixtureRequest) -> Cluster | RabbitMQ:
    """A broker that can be killed without the book's database."""
    found: Cluster | RabbitMQ = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def services(
    database_environment: dict[str, str], broker_of_its_own: Cluster | RabbitMQ, tmp_path: Path
) -> Generator[Stack]:
    """The outbox's loop and a worker, on that broker."""
    there = broker_of_its_own
    url = there.url if isinstance(there, RabbitMQ) else roles.queue_address(there)
    values = {"BROKER_URL": url, "BROKER_VISIBILITY": "20", "CODE_VERSION": "of this test"}
    with Stack(tmp_path, database_environment | values) as stack:
        stack.start_outbox()
        stack.start_worker()
        yield stack
        connection.close()


@pytest.fixture
def playing(services: Stack) -> Generator[Playing]:
    """Machines that post rounds, one in twenty of them wrong."""
    machines = Playing(services, PLAN)
    try:
        yield machines
    finally:
        machines.close()


def all_done() -> bool:
    """Whether every job that follows a closing is done."""
    jobs = JobOutbox.objects.filter(topic="partida-closed/1")
    return jobs.exists() and not jobs.filter(done_at=None).exists()


def test_an_evening_without_a_broker(
    services: Stack, broker_of_its_own: Cluster | RabbitMQ
) -> None:
    an_evening("BJ-01", rounds=2, wrong=[1])
    services.wait("the first evening", all_done)
    broker_of_its_own.kill()
    tables = size(5, 5, 60)
    for table in range(2, tables + 1):
        an_evening(f"BJ-{table:02d}", rounds=2, wrong=[2])  # raises nothing
        time.sleep(size(1, 1, 10))  # the time it is away
    assert not all_done()
    broker_of_its_own.start()
    services.wait("the backlog", all_done)
    wrong = standing().filter(check_name="nearer_to_twenty_one_wins")
    assert wrong.count() == tables
    assert ReconciliationResult.objects.count() >= tables


def test_machines_notice_no_broker_that_is_away(
    services: Stack, playing: Playing, broker_of_its_own: Cluster | RabbitMQ
) -> None:
    playing.goes_on(by=24)
    broker_of_its_own.kill()
    began = time.monotonic()
    while time.monotonic() - began < AWAY:
        playing.goes_on(by=12)
    tally = playing.ended()
    assert set(tally.answers) <= {200, 201, 409, 422}
    # Nobody opened or closed these games: their day is wanted judged while nobody can be told so.
    job = ask_for(Asked(reason="asked", from_day=DAY, to_day=DAY))
    playing.must_all_stand(tally)
    assert JobOutbox.objects.get(key=job).done_at is None
    broker_of_its_own.start()
    wrong = {
        label.round: label.article
        for place, one in enumerate(playing.machines)
        for _, label in islice(
            rounds_of(place, one.table, PLAN.seed, PLAN.rounds, PLAN.error_rate, DAY),
            len(playing.players[place].tally.entries),
        )
        if label is not None
    }
    assert wrong
    services.wait("the backlog", lambda: not JobOutbox.objects.filter(done_at=None).exists())
    rounds = BookEntry.objects.filter(kind="round-played/1").select_related("stream")
    at = {(one.stream.name, one.n): str(one.key) for one in rounds}
    found: dict[str, set[str]] = defaultdict(set)
    for row in standing():
        for ref in row.evidence:
            found[at.get((ref["stream"], ref["n"]), "")].add(row.article)
    assert {key: found[key] for key, article in wrong.items() if article not in found[key]} == {}


def test_a_reconciliation_beside_a_queue_that_never_answers_ends_as_ever(
    fresh_db: str, database_environment: dict[str, str], tmp_path: Path
) -> None:
    """The outbox holds a job's row while it waits for the queue, less long than others wait."""
    with socket.create_server(("127.0.0.1", 0)) as silent, Stack(tmp_path, {}) as stack:
        broker = f"amqp://x:y@127.0.0.1:{silent.getsockname()[1]}//"
        stack.start("outbox", *OUTBOX, **database_environment, BROKER_URL=broker)
        for _ in range(4):
            command = [sys.executable, "manage.py", "reconcile", "--from", "2024-01-01"]
            ended = subprocess.run(
                command, cwd=CHECKOUT, env=database_environment, capture_output=True, text=True
            )
            assert ended.returncode == 0, ended.stderr
            assert "Traceback" not in ended.stderr
        stack.wait("the outbox to have tried", lambda: "no job could be sent" in stack.said())
    connection.close()
