"""The queue of `make run`, and RabbitMQ beside it: sent, done, and done although a worker died."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import psycopg
import pytest

from casino.local import children, roles
from casino.local.cluster import Cluster
from casino.local.local_places import CHECKOUT
from casino.local.services import Service
from casino.local.supervise import Supervisor
from tests.local.processes import wait_until_gone
from tests.patience import PATIENCE, wait_until

WORKER = [
    *("-m", "celery", "-A", "tests.local.errands", "worker", "--hostname=worker@house"),
    *("--queues=book,default,reports", "--concurrency=1", "--loglevel=INFO"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat"),
]
VISIBILITY = 4  # seconds; 90 in the house, where no job may take longer than 60


class Workplace:
    """A broker, workers of it, and the file their jobs write to."""

    def __init__(self, folder: Path, broker: str) -> None:
        self.folder = folder
        self.book = folder / "book"
        self.recorded = {
            **roles.without_addresses(),
            "BROKER_URL": broker,
            "BROKER_VISIBILITY": str(VISIBILITY),
            # Taken from here, the client of pgmq would look for its queue in the book.
            "DATABASE_URL": "postgres://app@127.0.0.1:1/casino",
            "SECRET_KEY": "only for tests",
            "HEARTBEAT_FILE": str(folder / "pulse"),
            "LIVRO_TEST": str(folder),
        }

    def worker(self) -> subprocess.Popen[bytes]:
        """One worker with one child, as services.py starts it."""
        with (self.folder / "worker.log").open("ab") as log:
            command = [sys.executable, *WORKER]
            return children.start(
                command,
                log=log,
                environment=self.recorded,
                cwd=CHECKOUT,
                on_our_death=signal.SIGKILL,
            )

    def send(self, name: str, seconds: float = 0, queue: str = "default") -> None:
        """Queue a job, from a process of its own."""
        words = f"apply_async(({str(self.book)!r}, {name!r}, {seconds}), queue={queue!r})"
        code = f"from tests.local.errands import run; run.{words}"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=CHECKOUT, env=self.recorded, capture_output=True
        )
        assert done.returncode == 0, done.stderr.decode()

    def noted(self, line: str) -> int:
        """How often jobs wrote lines that begin so."""
        lines = self.book.read_text().splitlines() if self.book.exists() else []
        return sum(found.startswith(line) for found in lines)

    def wait(self, condition: Callable[[], bool], what: str = "the job") -> None:
        """Wait for it. Raises: InVain, with what the workers said last."""
        wait_until(condition, what, seen=self.recorded_last)

    def recorded_last(self) -> str:
        """What the jobs wrote, and the end of what the workers said."""
        written = self.book.read_text() if self.book.exists() else "nothing was begun"
        return f"{written}\n{(self.folder / 'worker.log').read_text()[-3000:]}"


@pytest.fixture
def workplace(each_broker: str, tmp_path: Path) -> Generator[Workplace]:
    place = Workplace(tmp_path, each_broker)
    workers: list[subprocess.Popen[bytes]] = []
    start = place.worker
    place.worker = lambda: workers.append(start()) or workers[-1]  # type: ignore[method-assign]
    yield place
    for worker in workers:
        children.end(worker, signal.SIGKILL, 5)
    wait_until_gone(str(tmp_path), "the workers of the test")


@pytest.mark.check
def test_jobs_of_every_queue_are_done(workplace: Workplace) -> None:
    for queue in ("book", "default", "reports"):
        workplace.send(queue, queue=queue)
    worker = workplace.worker()
    workplace.wait(lambda: workplace.noted("end") == 3)
    assert (workplace.folder / "pulse").exists(), "the launcher sees that work is done"
    assert children.end(worker, signal.SIGTERM, PATIENCE), "a worker ends when asked"


@pytest.mark.check
def test_a_job_is_done_although_its_worker_was_killed(workplace: Workplace) -> None:
    workplace.send("long", seconds=3)
    first = workplace.worker()
    workplace.wait(lambda: workplace.noted("start long") == 1)
    children.end(first, signal.SIGKILL, 5)
    workplace.worker()
    workplace.wait(lambda: workplace.noted("end long") == 1)
    assert workplace.noted("start long") == 2


@pytest.mark.check
def test_a_job_is_done_although_the_child_that_did_it_was_killed(workplace: Workplace) -> None:
    workplace.send("long", seconds=3)
    workplace.worker()
    workplace.wait(lambda: workplace.noted("start long") == 1)
    child = int(workplace.book.read_text().split()[2])
    os.kill(child, signal.SIGKILL)
    workplace.wait(lambda: workplace.noted("end long") >= 1)


@pytest.mark.check
def test_a_worker_that_lost_its_idle_child_is_replaced(broker: str, tmp_path: Path) -> None:
    """An idle child holds the lock to the queue while it waits; killed, it takes it along.

    The worker then goes on taking messages and does none of them. The launcher sees that no work
    gets done, and starts another worker.
    """
    place = Workplace(tmp_path, broker)
    worker = Service(name="worker", command=tuple(WORKER), needs=(), heartbeat=15)
    said: list[str] = []
    supervisor = Supervisor(
        folder=tmp_path,
        say=said.append,
        command=lambda one: [sys.executable, *one.command],
        environment=lambda one: place.recorded,
    )
    supervisor.start([worker])
    try:
        place.send("before")
        place.wait(lambda: place.noted("end before") == 1)
        child = int(place.book.read_text().split()[2])
        os.kill(child, signal.SIGKILL)
        place.send("after")
        place.wait(lambda: not supervisor.look() and place.noted("end after") == 1)
    finally:
        supervisor.kill()
    assert len(said) <= 1, said
    wait_until_gone(str(tmp_path))


@pytest.mark.check
def test_a_job_for_a_queue_nobody_reads_is_refused(workplace: Workplace) -> None:
    with pytest.raises(AssertionError, match="nowhere"):
        workplace.send("lost", queue="nowhere")


def test_the_queue_lies_in_its_own_database(
    broker: str, database_server: Cluster, tmp_path: Path
) -> None:
    """Although DATABASE_URL, which pgmq's own client prefers, names the book's."""
    place = Workplace(tmp_path, broker)
    place.recorded["DATABASE_URL"] = roles.addresses(database_server)["DATABASE_URL"]
    place.send("one")
    with psycopg.connect(broker.replace("pgmq://", "postgres://")) as queue:
        assert queue.execute("SELECT count(*) FROM pgmq.q_default").fetchone() == (1,)
        assert queue.execute("SELECT current_user").fetchone() == ("broker",)
    with database_server.connect("casino") as book:
        assert book.execute("SELECT to_regnamespace('pgmq')").fetchone() == (None,)


def test_a_long_name_fits() -> None:
    from casino.broker import LONGEST_NAME, Channel

    channel = object.__new__(Channel)
    channel.queue_name_prefix = ""
    long = "0123456789abcdef" * 4 + ".reply.celery.pidbox"
    assert channel.canonical_queue_name("book") == "book"
    assert len(channel.canonical_queue_name(long)) <= LONGEST_NAME
    assert channel.canonical_queue_name(long) != channel.canonical_queue_name(long + "x")
