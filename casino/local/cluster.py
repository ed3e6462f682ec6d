"""One PostgreSQL server of our own: made, started, stopped, killed, started again.

It listens on the loopback address and nowhere else, has no socket in the file system, and asks
everybody for a password. What is secret lies in a folder only its owner may enter.
"""

import contextlib
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote

import psycopg

from casino.local import children, ports
from casino.local.local_places import (
    Account,
    forget,
    handed_over,
    identity,
    open_folder,
    private_folder,
    server_account,
    write_private,
)
from casino.local.local_trouble import Trouble
from casino.local.programs import Programs

SUPERUSER: Final = "postgres"
START: Final = 300  # seconds a server may take to come up; after a kill it first reads its log
TRIES: Final = 12  # a killed server's children may hold the data for a moment
STOP: Final = 20  # seconds for a quick, clean stop

# A throwaway server forgets everything at the first loss of power, and is quicker for it.
THROWAWAY: Final = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off")
# Each new connection proves its password again: in a throwaway server with the fewest rounds.
FEW_ROUNDS: Final = "scram_iterations=1"
FEW_ROUNDS_SINCE: Final = 16
DURABLE: Final = ("fsync=on", "full_page_writes=on", "synchronous_commit=on")


@dataclass(slots=True)
class Cluster:
    """A server whose files lie in `home`: data/, secrets/, server.log and the port it had last."""

    home: Path
    programs: Programs
    durable: bool = True
    account: Account | None = field(default_factory=server_account)
    port: int = 0
    process: subprocess.Popen[bytes] | None = None

    @property
    def data(self) -> Path:
        """The server's own folder; only its account may enter it."""
        return self.home / "data"

    @property
    def log(self) -> Path:
        """What the server says."""
        return self.home / "server.log"

    @property
    def superuser_file(self) -> Path:
        """The superuser's password: the launcher's alone, mode 0600."""
        return self.home / "secrets" / "superuser"

    def url(self, role: str, password: str, database: str, scheme: str = "postgres") -> str:
        """How a program is told to connect."""
        who = f"{quote(role, safe='')}:{quote(password, safe='')}"
        return f"{scheme}://{who}@{ports.LOOPBACK}:{self.port}/{database}"

    def superuser_url(self, database: str = SUPERUSER) -> str:
        """The launcher's own way in."""
        return self.url(SUPERUSER, self.superuser_file.read_text("ascii"), database)

    def connect(self, database: str = SUPERUSER) -> psycopg.Connection:
        """Connect as the superuser; every statement stands for itself."""
        return psycopg.connect(self.superuser_url(database), autocommit=True, connect_timeout=5)

    def start(self) -> None:
        """Make the server where there is none, start it, and wait until it answers.

        Raises: Trouble, when it does not come up; the text ends with what the server said.
        """
        if not (self.data / "PG_VERSION").exists():
            self.make()
        self.must_fit()
        taken: set[int] = set()
        for attempt in range(TRIES):
            self.port = self.next_port(taken)
            said = self.launch()
            if said is None:
                ports.remember(self.home / "port", self.port)
                return
            if "Address already in use" in said:
                taken.add(self.port)
            elif not any(sign in said for sign in ("lock file", "shared memory", "starting up")):
                raise Trouble(f"The database server did not start ({self.log}):\n{said}")
            else:
                time.sleep(0.25 * (attempt + 1))
        raise Trouble(f"The database server did not start; {self.log} says why.")

    def next_port(self, taken: set[int]) -> int:
        """The port of the last time, if it is still free; else one of this server's own."""
        before = ports.remembered(self.home / "port")
        if before is not None and before not in taken and ports.is_free(before):
            return before
        return ports.choose(identity(self.home), frozenset(taken))

    def launch(self) -> str | None:
        """Start the program. None when it answers; else it has ended, and this is what it said."""
        before = self.log.stat().st_size if self.log.exists() else 0
        settings = (
            f"port={self.port}",
            f"listen_addresses={ports.LOOPBACK}",
            "unix_socket_directories=",
            "password_encryption=scram-sha-256",
            "timezone=UTC",
            "log_timezone=UTC",
            "max_connections=200",
            "log_checkpoints=off",
            *(DURABLE if self.durable else THROWAWAY),
        )
        if not self.durable and self.programs.major >= FEW_ROUNDS_SINCE:
            settings += (FEW_ROUNDS,)
        command = [self.programs.named("postgres"), "-D", str(self.data)]
        for setting in settings:
            command += ["-c", setting]
        with self.log.open("ab") as log:
            self.process = children.start(
                command,
                log=log,
                environment=server_environment(),
                cwd=self.home,
                account=self.account,
                on_our_death=signal.SIGINT,
            )
        process = self.process
        up = children.wait_for(lambda: children.has_ended(process) or self.answers(), START)
        if up and not children.has_ended(process):
            return None
        self.stop()
        return self.log.read_bytes()[before:].decode(errors="replace")

    def answers(self) -> bool:
        """Whether it lets the superuser in."""
        try:
            self.connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def make(self) -> None:
        """Make an empty cluster: everybody is asked for a password, every page has a checksum.

        An interrupted attempt leaves no half server behind: the folder gets its name at the end.
        """
        open_folder(self.home)
        private_folder(self.home / "secrets")
        password = secrets.token_urlsafe(24)
        making = self.home / "data.new"
        forget(making)
        private_folder(making, self.account)
        provider = ["--locale-provider=builtin"] if self.programs.major >= 17 else []
        with handed_over(self.home / "initial-password", password, self.account) as file:
            done = subprocess.run(  # noqa: S603
                [
                    self.programs.named("initdb"),
                    *("-D", str(making), "-U", SUPERUSER, f"--pwfile={file}"),
                    *("--auth=scram-sha-256", "--data-checksums", "--encoding=UTF8"),
                    *(*provider, "--locale=C.UTF-8", "--text-search-config=simple"),
                    *(() if self.durable else ("--no-sync",)),
                ],
                capture_output=True,
                text=True,
                check=False,
                env=server_environment(),
                cwd=self.home,
                **(self.account.as_arguments() if self.account else {}),
            )
        if done.returncode:
            raise Trouble(f"The database could not be made:\n{done.stdout}{done.stderr}")
        write_private(self.superuser_file, password)
        making.rename(self.data)

    def must_fit(self) -> None:
        """Raises: Trouble, when the data were written by another major version."""
        wrote = (self.data / "PG_VERSION").read_text("ascii").strip()
        if wrote != str(self.programs.major):
            raise Trouble(
                f"The data in {self.data} were written by PostgreSQL {wrote}; this is"
                f" {self.programs.major}. Dump them with the old one, or `make clean`."
            )

    def stop(self) -> None:
        """Stop it quickly and cleanly: connections are cut, everything committed is on disk."""
        if self.process is not None:
            children.end(self.process, signal.SIGINT, STOP)
            self.process = None

    def look(self, announce: Callable[[str], None]) -> None:
        """Start it again when it has ended. Raises: Trouble, when it does not come up."""
        children.keep_short(self.log)
        if self.process is not None and children.has_ended(self.process):
            children.kill_group(self.process)
            announce(f"The database server ended and is started again: {self.log}")
            self.process.wait()
            self.process = None
            self.start()

    def kill(self) -> None:
        """Kill -9 of the server, as a test does it or the machine runs out of memory."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            self.process.wait()
            self.process = None


def server_environment() -> dict[str, str]:
    """The server needs nothing of ours: no PG* variable, no language."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
