"""What runs while the house is open: one line a service."""

import signal
import sys
from dataclasses import dataclass
from typing import Final

# Filled in when a service is started; {socket} is the one the launcher listens on for the web,
# {own} the service's own folder.
SOCKET: Final = "{socket}"
BEAT_FILE: Final = "{own}/schedule"
ROLES: Final = (
    *("owner", "app", "web", "machines", "worker", "watch"),
    *("reader", "sequencer", "signer", "broker"),
)
# What each role's address is called in the environment (settings.py reads them).
VARIABLES: Final = {
    "app": "DATABASE_URL",
    "web": "WEB_DATABASE_URL",
    "machines": "MACHINES_DATABASE_URL",
    "worker": "WORKER_DATABASE_URL",
    "watch": "WATCH_DATABASE_URL",
    "owner": "OWNER_DATABASE_URL",
    "sequencer": "SEQUENCER_DATABASE_URL",
    "reader": "READER_DATABASE_URL",
    "signer": "SIGNER_DATABASE_URL",
}
QUEUE: Final = "BROKER_URL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A program that should always run, and what it is told.

    `needs` are the addresses it gets, and so all it can reach. `patience` are the seconds it has to
    end when asked. A service with a `heartbeat` touches the file HEARTBEAT_FILE when it gets work
    done, and is started again when it has not for that many seconds. One that is `alone` is
    recorded nothing else of the house. Whoever reads sessions or codes is told the house's `keys`.
    """

    name: str
    command: tuple[str, ...]
    needs: tuple[str, ...]
    patience: float = 10
    stop: signal.Signals = signal.SIGTERM
    heartbeat: float | None = None
    alone: bool = False
    keys: bool = False


# Asked to stop in this order: first what brings in new work, last what others wait for. PostgreSQL,
# which is no service but a server, is started before all of them and stopped when the last is gone.
SERVICES: Final = (
    Service(
        name="web",
        command=(
            *("-m", "gunicorn", "casino.wsgi:application", f"--bind=fd://{SOCKET}"),
            *("--worker-class=casino.web_worker.DeadlineWorker", "--workers=2", "--threads=4"),
            "--timeout=60",
            *("--graceful-timeout=8", "--no-control-socket"),
        ),
        needs=("WEB_DATABASE_URL", "MACHINES_DATABASE_URL", "READER_DATABASE_URL"),
        keys=True,
    ),
    Service(
        name="beat",
        command=(
            *("-m", "celery", "-A", "casino.celery", "beat", "--loglevel=INFO"),
            *("--pidfile=", f"--schedule={BEAT_FILE}"),
        ),
        needs=(QUEUE,),
    ),
    Service(name="outbox", command=("manage.py", "outbox"), needs=("WATCH_DATABASE_URL", QUEUE)),
    Service(
        name="worker",
        command=(
            # A fixed short name: queues are named after it, and their names may not be long.
            *("-m", "celery", "-A", "casino.celery", "worker", "--hostname=worker@house"),
            *("--queues=book,default,reports", "--concurrency=2", "--loglevel=INFO"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ),
        needs=("WORKER_DATABASE_URL", "READER_DATABASE_URL", QUEUE),
        patience=15,
        heartbeat=150,
        keys=True,
    ),
    Service(
        name="sequencer",
        command=("manage.py", "sequencer"),
        needs=("WATCH_DATABASE_URL", "SEQUENCER_DATABASE_URL"),
    ),
    Service(
        name="signer",
        command=("-m", "casino.signer", "run"),
        needs=("SIGNER_DATABASE_URL",),
        alone=True,
    ),
)


def chosen(names: str | None) -> tuple[Service, ...]:
    """The services of a comma-separated list; all of them without one."""
    if names is None:
        return SERVICES
    asked = set(names.split(","))
    return tuple(service for service in SERVICES if service.name in asked)


def command_line(
    service: Service, *, own: str, socket: int, python: str = sys.executable
) -> list[str]:
    """The command with its places filled in."""
    values = {"own": own, "socket": str(socket)}
    return [python, *(word.format(**values) for word in service.command)]
