"""Keeps services running: starts again what ends or hangs, stops everything in order."""

import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from casino.local import children
from casino.local.local_places import CHECKOUT, Account
from casino.local.local_trouble import Trouble
from casino.local.services import Service

LONGEST_PAUSE: Final = 30  # seconds before a service that keeps ending is tried again
SETTLED: Final = 60  # seconds after which a service counts as running well
TAIL: Final = 2_000  # bytes of a log shown when a service fails

Say = Callable[[str], None]


@dataclass(slots=True)
class Running:
    """A service, and the process it is now."""

    service: Service
    log: Path
    pulse: Path
    process: subprocess.Popen[bytes] | None = None
    started: float = 0
    failures: int = 0
    again_at: float = 0

    def tail(self) -> str:
        """The end of its log."""
        return self.log.read_bytes()[-TAIL:].decode(errors="replace").strip()

    def silent_for(self) -> float:
        """Seconds since it last got work done, or since it was started."""
        touched = self.pulse.stat().st_mtime if self.pulse.exists() else 0
        return min(time.time() - touched, time.monotonic() - self.started)


@dataclass(slots=True)
class Supervisor:
    """All services of a house. `command` and `environment` say how each is started, `account` as
    whom; in its folder of `own` it may write, `folder` is that of the logs.
    """

    folder: Path
    say: Say
    command: Callable[[Service], Sequence[str]]
    environment: Callable[[Service], Mapping[str, str]]
    account: Callable[[Service], Account | None] = lambda service: None
    own: Callable[[Service], Path] | None = None
    pass_fds: Sequence[int] = ()
    running: list[Running] = field(default_factory=list)

    def start(self, services: Sequence[Service]) -> None:
        """Start all; the last first, for the web server comes when all behind it is there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for service in reversed(services):
            log = self.folder / f"{service.name}.log"
            own = self.own(service) if self.own else self.folder
            one = Running(service, log, own / f"{service.name}.pulse")
            self.running.insert(0, one)
            self.launch(one)

    def launch(self, running: Running) -> None:
        """Start one service."""
        values = {**self.environment(running.service), "HEARTBEAT_FILE": str(running.pulse)}
        with running.log.open("ab") as log:
            running.process = children.start(
                self.command(running.service),
                log=log,
                environment=values,
                cwd=CHECKOUT,
                account=self.account(running.service),
                on_our_death=signal.SIGKILL,
                pass_fds=self.pass_fds,
            )
        running.started = time.monotonic()

    def must_all_live(self) -> None:
        """Raises: Trouble, when one ended: while the house opens that is a fault, not bad luck."""
        for one in self.running:
            if one.process is None or children.has_ended(one.process):
                raise Trouble(f"The service {one.service.name} ended at once:\n{one.tail()}")

    def look(self) -> None:
        """Start again what has ended or hangs; call it about once a second."""
        now = time.monotonic()
        for one in self.running:
            children.keep_short(one.log)
            if one.process is None:
                if now >= one.again_at:
                    self.launch(one)
            elif children.has_ended(one.process):
                children.kill_group(one.process)
                self.failed(one, f"ended ({outcome(one.process.wait())})")
            elif one.service.heartbeat and one.silent_for() > one.service.heartbeat:
                children.end(one.process, signal.SIGKILL, 5)
                self.failed(one, f"did nothing for {one.service.heartbeat:.0f} s and was killed")

    def failed(self, running: Running, how: str) -> None:
        """Note a failure and when to try again: at once, then after 1, 2, 4 ... seconds."""
        if time.monotonic() - running.started > SETTLED:
            running.failures = 0
        pause = min(LONGEST_PAUSE, 2**running.failures // 2)
        running.failures += 1
        running.process = None
        running.again_at = time.monotonic() + pause
        self.say(
            f"The service {running.service.name} {how}; it starts again in {pause} s: {running.log}"
        )

    def stop(self) -> None:
        """Ask all to end, in order; what does not in its time is killed with all it started."""
        for one in self.running:
            if one.process is not None:
                one.process.send_signal(one.service.stop)
        for one in self.running:
            if one.process is not None:
                if not children.bury(one.process, one.service.patience):
                    self.say(f"The service {one.service.name} did not end in time and was killed.")
                one.process = None

    def kill(self) -> None:
        """Kill all at once."""
        for one in self.running:
            if one.process is not None:
                children.end(one.process, signal.SIGKILL, 5)
                one.process = None


def outcome(code: int) -> str:
    """How a process ended, in words."""
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


def run_step(
    name: str,
    command: Sequence[str],
    environment: Mapping[str, str],
    log: Path,
    account: Account | None = None,
) -> None:
    """Run a program to its end. Raises: Trouble, with the end of what it said, when it failed."""
    with log.open("wb") as said:
        process = children.start(
            command,
            log=said,
            environment=environment,
            cwd=CHECKOUT,
            account=account,
            on_our_death=signal.SIGKILL,
        )
    try:
        code = process.wait()
    finally:
        children.end(process, signal.SIGKILL, 5)
    if code:
        said_last = log.read_bytes()[-TAIL:].decode(errors="replace").strip()
        raise Trouble(f"{name} failed ({outcome(code)}):\n{said_last}")
