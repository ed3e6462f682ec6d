"""A private RabbitMQ node for tests: own name, own ports, own data, the loopback address only.

``rabbitmq`` (needs_tool "rabbitmq-server") is one node for each xdist worker. A test may stop it,
kill it and start it again; afterwards it runs again and its queues are gone. ``each_broker`` runs a
test twice, with the BROKER_URL of the queue of `make run` and of RabbitMQ.
"""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Final

import pytest

from casino.local import children, ports
from tests.leftovers import keep
from tests.patience import PATIENCE, wait_until

SERVER: Final = "/usr/lib/rabbitmq/bin/rabbitmq-server"
QUEUES: Final = ("book", "default", "reports")


class RabbitMQ:
    """A node whose files lie in `home`; `url` is its BROKER_URL."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.password = secrets.token_urlsafe(16)
        self.port, self.distribution, self.epmd_port = self.three_ports()
        self.url = f"amqp://livro:{self.password}@127.0.0.1:{self.port}//"
        self.process: subprocess.Popen[bytes] | None = None
        self.epmd: subprocess.Popen[bytes] | None = None

    def three_ports(self) -> list[int]:
        """Free ports for AMQP, for Erlang's distribution, and for its port mapper."""
        found: list[int] = []
        for _ in range(3):
            found.append(ports.choose(secrets.token_hex(6), frozenset(found)))
        return found

    def environment(self) -> dict[str, str]:
        """Everything the node would otherwise share with another one on this machine."""
        (self.home / "rabbitmq.conf").write_text(
            f"listeners.tcp.1 = 127.0.0.1:{self.port}\n"
            f"default_user = livro\ndefault_pass = {self.password}\n"
            "log.console = false\n"
        )
        (self.home / "plugins").write_text("[].\n")
        (self.home / "env.conf").write_text("")
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
            "RABBITMQ_NODENAME": f"livro{self.port}@localhost",
            "RABBITMQ_CONF_ENV_FILE": str(self.home / "env.conf"),
            "RABBITMQ_CONFIG_FILE": str(self.home / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.home / "plugins"),
            "RABBITMQ_MNESIA_BASE": str(self.home / "data"),
            "RABBITMQ_LOG_BASE": str(self.home / "log"),
            "RABBITMQ_DIST_PORT": str(self.distribution),
            "ERL_EPMD_PORT": str(self.epmd_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            # Bound to the loopback address too: left alone it listens everywhere.
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
            # The script then becomes the server, instead of watching over it.
            "RUNNING_UNDER_SYSTEMD": "true",
        }

    def start(self) -> None:
        """Start the node, or start it again, and wait until it takes messages."""
        values = self.environment()
        with (self.home / "said").open("ab") as log:
            if self.epmd is None:
                command = ["epmd", "-address", "127.0.0.1", "-port", str(self.epmd_port)]
                self.epmd = self.child(command, values, log)
            self.process = self.child([SERVER], values, log)
        said = (self.home / "said").read_text
        wait_until(self.answers, "RabbitMQ's answer", needs=[self.process], seen=said, pause=0.1)

    def child(self, command: list[str], values: dict[str, str], log: object) -> subprocess.Popen:
        """One of the two programs; both die with us."""
        return children.start(
            command,
            log=log,
            environment=values,
            cwd=self.home,
            on_our_death=signal.SIGKILL,
        )

    @contextlib.contextmanager
    def channel(self) -> Iterator[object]:
        """A channel of a connection of our own."""
        import amqp

        where = f"127.0.0.1:{self.port}"
        with (
            amqp.Connection(where, userid="livro", password=self.password) as connection,
            connection.channel() as channel,
        ):
            yield channel

    def answers(self) -> bool:
        """Whether it lets us in."""
        try:
            with self.channel():
                return True
        except OSError:
            return False

    def clear(self) -> None:
        """Remove the house's queues and all that waits in them."""
        with self.channel() as channel:
            for queue in QUEUES:
                channel.queue_delete(queue)

    def stop(self) -> None:
        """Ask the node to stop, and wait."""
        if self.process is not None:
            children.end(self.process, signal.SIGTERM, PATIENCE)
            self.process = None

    def kill(self) -> None:
        """Kill -9."""
        if self.process is not None:
            children.end(self.process, signal.SIGKILL, 5)
            self.process = None

    def close(self) -> None:
        """End the node and the port mapper."""
        self.kill()
        if self.epmd is not None:
            children.end(self.epmd, signal.SIGKILL, 5)


@pytest.fixture(scope="session")
def rabbitmq_node() -> Generator[RabbitMQ]:
    """This worker's node; started when the first test asks."""
    home = Path(tempfile.mkdtemp(prefix="livro-rabbitmq-"))
    node = RabbitMQ(home)
    try:
        node.start()
        yield node
    finally:
        node.close()
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def rabbitmq(rabbitmq_node: RabbitMQ) -> Generator[RabbitMQ]:
    """The node, running and without queues. Mark the test `needs_tool("rabbitmq-server")`."""
    yield rabbitmq_node
    if rabbitmq_node.process is None:
        rabbitmq_node.start()
    keep(rabbitmq_node.process.pid)
    rabbitmq_node.clear()


@pytest.fixture(
    params=["pgmq", pytest.param("rabbitmq", marks=pytest.mark.needs_tool("rabbitmq-server"))]
)
def each_broker(request: pytest.FixtureRequest) -> str:
    """BROKER_URL of an empty broker: once on the embedded server, once on RabbitMQ."""
    if request.param == "pgmq":
        return str(request.getfixturevalue("broker"))
    return str(request.getfixturevalue("rabbitmq").url)
