"""The house's services as real processes, started and killed by a test.

Nothing here waits for a fixed time: a test says what it waits for, and waits as patience.py does.
What the processes said is kept and printed where a wait was in vain.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from casino.local.local_places import CHECKOUT
from tests.patience import PATIENCE, InVain, wait_until

WORKER: Final = (
    *("-m", "celery", "-A", "casino.celery", "worker", "--queues=book,default,reports"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=WARNING"),
)
OUTBOX: Final = ("manage.py", "outbox")


class Stack:
    """Processes of one test; all are gone when it is left."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.environment = {**environment, "PYTHONUNBUFFERED": "1"}
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> "Stack":
        return self

    def __exit__(self, *_: object) -> None:
        for name in list(self.running):
            self.kill(name)

    def start(self, name: str, *command: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start a service in a session of its own."""
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *command],
                cwd=CHECKOUT,
                env={**self.environment, **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.running[name] = process
        return process

    def start_outbox(self) -> subprocess.Popen[bytes]:
        """The loop that sends decided jobs."""
        return self.start("outbox", *OUTBOX)

    def start_worker(self, name: str = "worker", processes: int = 2) -> subprocess.Popen[bytes]:
        """A worker with so many children; its pid stands for all of them."""
        host = f"--hostname={name}@{os.getpid()}"
        return self.start(name, *WORKER, f"--concurrency={processes}", host)

    def kill(self, name: str) -> int:
        """kill -9 of a service and all its children; the pid it had."""
        process = self.running.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return process.pid

    def stop(self, name: str) -> int:
        """End a service as an operator does (SIGTERM); its exit code."""
        process = self.running.pop(name)
        process.terminate()
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise InVain(f"{name} did not end when asked:\n{self.said()}") from None

    def children(self, name: str = "worker") -> list[int]:
        """The pids of a service's own children."""
        threads = Path(f"/proc/{self.running[name].pid}/task")
        listed = [file.read_text("ascii") for file in threads.glob("*/children")]
        return [int(pid) for pid in " ".join(listed).split()]

    def wait(self, what: str, holds: Callable[[], object]) -> float:
        """Wait until something holds, as long as all services live; the seconds it took.

        Raises: InVain, with what was said.
        """
        began = time.monotonic()
        wait_until(holds, what, seen=self.said, needs=self.running.values())
        return time.monotonic() - began

    def said(self) -> str:
        """The end of what each service said."""
        return "\n".join(
            f"--- {log.name}\n{log.read_text('utf-8', 'replace')[-3000:]}"
            for log in sorted(self.folder.glob("*.log"))
        )
