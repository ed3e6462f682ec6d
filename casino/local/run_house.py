"""The house on this machine, opened and closed: server, tables, static files, demo, services."""

import contextlib
import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Final

import psycopg

from casino import __version__
from casino.local import addresses, apart, children, ports, roles, services
from casino.local.apart import Rights
from casino.local.cluster import Cluster
from casino.local.local_places import (
    CHECKOUT,
    identity,
    is_training,
    open_folder,
    state_of,
    write_private,
)
from casino.local.local_trouble import Trouble
from casino.local.lock import alone
from casino.local.programs import packaged, readable
from casino.local.services import Service
from casino.local.supervise import Supervisor, run_step

USUAL_PORT: Final = 8000
TRAINING_PORT: Final = 8100  # of a house to train in
OPENING: Final = 90  # seconds until the first page must have been served
SETTLING: Final = 4  # seconds every service must have lived by then
LOOK: Final = 1  # seconds between two looks at the services


class Stopped(BaseException):
    """Somebody asked us to stop: Ctrl-C, SIGTERM, or the terminal is gone."""


def announce(text: str) -> None:
    """Tell whoever typed the command."""
    print(text, flush=True)  # noqa: T201


def stop_asked(number: int, frame: FrameType | None) -> None:
    """What a signal does, wherever we are."""
    raise Stopped


@contextlib.contextmanager
def signals_stop_us() -> Iterator[None]:
    """Meanwhile Ctrl-C, SIGTERM and a closed terminal raise Stopped."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, stop_asked) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass(slots=True)
class House:
    """What is open of the house at this moment."""

    state: Path
    services: Sequence[Service]
    cluster: Cluster | None = None
    door: socket.socket | None = None
    supervisor: Supervisor | None = None
    known: dict[str, str] = field(default_factory=dict)
    rights: Rights = field(default_factory=Rights)

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        port = self.door.getsockname()[1] if self.door else usual_port()
        return f"http://{ports.LOOPBACK}:{port}/"

    @property
    def logs(self) -> Path:
        """Where every service and step writes what it says."""
        return self.state / "log"

    def open(self) -> None:
        """Start everything, from the database to the first page. Raises: Trouble."""
        needs = addresses.wanted()
        open_folder(self.state)
        self.logs.mkdir(mode=0o700, exist_ok=True)
        self.open_database(needs)
        self.known = addresses.known(self.cluster, needs)
        self.rights = apart.rights(self.state)
        self.step("migrate", "migrate", "--database=owner", "--verbosity=0")
        self.step("check", "check", "--database=default")
        self.collect_static()
        if needs.book and (is_training() or os.environ.get("DEMO") != "0"):
            self.load_demo()
        if has_command("schema"):
            self.look("schema", "schema", "--record")
        self.look("look_around", "look_around")
        self.prepare_signer()
        self.open_door()
        self.start_services()

    def open_database(self, needs: addresses.Wanted) -> None:
        """Start our own server, unless the environment names others for everything."""
        if not needs.server:
            announce("The database and the queue are those of the environment.")
            return
        self.cluster = Cluster(self.state, packaged(self.state))
        first = not self.cluster.data.exists()
        if first:
            announce("Making a database (the first time) ...")
        self.cluster.start()
        roles.prepare(self.cluster)
        announce(
            f"PostgreSQL {self.cluster.programs.major} on {ports.LOOPBACK}:{self.cluster.port}."
        )

    def step(self, name: str, *command: str) -> None:
        """Run one of the house's commands to its end, with every address."""
        values = addresses.environment(self.known, self.state)
        log = self.logs / f"{name}.log"
        run_step(f"manage.py {name}", [sys.executable, "manage.py", *command], values, log)

    def look(self, name: str, *command: str) -> None:
        """Run a command that looks for what is wrong: what it finds is said, and the house opens;
        records are taken above all.
        """
        try:
            self.step(name, *command)
        except Trouble as trouble:
            announce(str(trouble))

    def collect_static(self) -> None:
        """Gather style sheets and scripts, if one has changed since the last time."""
        stamp = self.state / "static.stamp"
        now = static_fingerprint(CHECKOUT)
        if not stamp.exists() or stamp.read_text("ascii") != now:
            self.step("collectstatic", "collectstatic", "--noinput", "--clear", "--verbosity=0")
            readable(self.state / "static")
            stamp.write_text(now, "ascii")

    def is_empty(self) -> bool:
        """Whether nothing was ever recorded."""
        with psycopg.connect(self.known["DATABASE_URL"]) as connection:
            found = connection.execute("SELECT EXISTS (SELECT FROM book_entry)").fetchone()
        return found == (False,)

    def load_demo(self) -> None:
        """Record the demo evening, or the rest of it after an interruption.

        Only ever in a database of our own that held nothing before; what is recorded already has
        its keys, and is not recorded twice.
        """
        mark = self.state / "demo"
        how_far = mark.read_text("ascii") if mark.exists() else ""
        if has_command("demo") and (how_far == "begun" or (how_far == "" and self.is_empty())):
            announce("Recording a demo evening (the first time) ...")
            mark.write_text("begun", "ascii")
            logins = self.state / "demo-logins"
            write_private(logins, "")
            self.step("demo", "demo", f"--logins={logins}")
            mark.write_text("done", "ascii")

    def prepare_signer(self) -> None:
        """Make the signer's folders, its first key and the log's name, or hand them over to the
        account it now has.
        """
        account = self.rights.of("signer")
        for name, mode in (("signer", 0o700), ("public", 0o755)):
            apart.hand_over(self.state / name, account, mode)
        # The worker lays there what the log's witnesses answer.
        apart.hand_over(self.state / "cosignatures", account, 0o775, self.rights.of("worker"))
        signer = next(one for one in services.SERVICES if one.name == "signer")
        if not (self.state / "signer" / "origin").exists():
            command = [self.rights.python, "-m", "casino.signer", "init"]
            log = self.logs / "signer-init.log"
            run_step("casino.signer init", command, self.environment(signer), log, account)

    def own(self, service: Service) -> Path:
        """The folder a service may write to."""
        return apart.own_folder(self.state, service.name, self.rights.of(service.name))

    def environment(self, service: Service) -> dict[str, str]:
        """A service's environment."""
        if service.alone:
            values = addresses.of_the_signer(self.known, self.state)
        else:
            values = addresses.environment(self.known, self.state, service.needs)
            values = {"HOUSE_URL": self.address.rstrip("/"), **values}
            if not service.keys:
                values = {n: value for n, value in values.items() if n not in addresses.KEYS}
            if not values.get("MAIL_HOST"):
                values["MAIL_FOLDER"] = str(self.own(service) / "mail")
            if service.name == "worker":
                values |= addresses.of_witnesses(self.state)
            if service.name == "web":
                token = addresses.secret(self.state, "mirror")
                values = {"MIRROR_TOKENS": f"demo:{token}", **values}
        if self.rights.of(service.name) is None:
            return values
        kept = {name: value for name, value in values.items() if not name.startswith("XDG_")}
        return {**kept, **apart.personal(self.own(service), service.name)}

    def open_door(self) -> None:
        """Listen for the web server: a browser that comes while it starts again must only wait."""
        self.door = listen(self.state / "web-port")

    def start_services(self) -> None:
        """Start all services and wait for the first page. Raises: Trouble, when one ends."""
        assert self.door is not None
        number = self.door.fileno()
        self.supervisor = Supervisor(
            folder=self.logs,
            say=announce,
            command=lambda one: services.command_line(
                one, own=str(self.own(one)), socket=number, python=self.rights.python
            ),
            environment=self.environment,
            account=lambda service: self.rights.of(service.name),
            own=self.own,
            pass_fds=(number,),
        )
        self.supervisor.start(self.services)
        self.wait_for_a_page(self.supervisor)

    def wait_for_a_page(self, supervisor: Supervisor) -> None:
        """Raises: Trouble, when a service ends first, or no page comes in a minute and a half."""
        last = "nothing"
        web = any(service.name == "web" for service in self.services)
        settled = time.monotonic() + SETTLING

        def served() -> bool:
            nonlocal last
            supervisor.must_all_live()
            if last != "200" and web:
                last = answer(self.address)
            return (last == "200" or not web) and time.monotonic() > settled

        if not children.wait_for(served, OPENING):
            log = self.logs / "web.log"
            raise Trouble(f"No page at {self.address}: the last answer was {last} ({log}).")

    def greet(self, seconds: float) -> None:
        """Print where it is and who may log in."""
        opened = f"The house is open after {seconds:.0f} s: {self.address}"
        texts = [f"\nLivro da Sala {__version__}. {opened}"]
        if is_training():
            texts.append(
                f"TRAINING: none of this is real. The exercises: {self.address}sala/training/"
            )
        logins = self.state / "demo-logins"
        if logins.exists():
            texts.append(logins.read_text("utf-8").rstrip())
        texts.append(self.whose_keys())
        texts += self.how_to_follow()
        texts.append(f"What the services say: {self.logs}")
        texts.append("Ctrl-C closes it; what was recorded stays.\n")
        # At once: whoever waits for the first line may close the house before the last.
        announce("\n".join(texts))

    def whose_keys(self) -> str:
        """Who could sign the book, in a line."""
        origin = (self.state / "signer" / "origin").read_text("utf-8").strip()
        account = self.rights.of("signer")
        if account is None:
            return (
                f"The book is signed as {origin}. One uid serves all ({self.rights.why}):"
                " DEMO KEY, every service could sign with it."
            )
        kind = " (DEMO KEY: LOG_ORIGIN names a log in earnest)" if is_demo(origin) else ""
        return f"The book is signed as {origin}{kind}; its keys are account {account.uid}'s alone."

    def how_to_follow(self) -> list[str]:
        """How an inspectorate on this machine mirrors the book, in lines; none before a key is
        published.
        """
        policy = self.state / "public" / "policy"
        words = policy.read_text("utf-8").split() if policy.exists() else []
        if "log" not in words:
            return []
        key, token = words[words.index("log") + 1], self.state / "secrets" / "mirror"
        add = f"add {self.address}log --key {key} --token-file {token}"
        return [f'An inspectorate mirrors it (docs/mirror.md): make inspectorate ARGS="{add}"']

    def watch(self) -> None:
        """Look after everything until somebody stops us."""
        while True:
            time.sleep(LOOK)
            if self.cluster is not None:
                self.cluster.look(announce)
            if self.supervisor is not None:
                self.supervisor.look()

    def close(self) -> None:
        """Stop everything, the server last. A second signal makes it quick instead of gentle."""
        try:
            if self.supervisor is not None:
                self.supervisor.stop()
        except Stopped:
            announce("At once, then.")
        finally:
            with contextlib.suppress(Stopped):
                self.let_all_go()

    def let_all_go(self) -> None:
        """Whatever still runs goes now; the server has its time to write down what it holds."""
        if self.supervisor is not None:
            self.supervisor.kill()
        if self.door is not None:
            self.door.close()
        if self.cluster is not None:
            self.cluster.stop()


def usual_port() -> int:
    """The web server's port where nobody asks for another."""
    return TRAINING_PORT if is_training() else USUAL_PORT


def listen(memory: Path) -> socket.socket:
    """Listen on the port of the environment (PORT), of the last time, the usual, or a free one.

    Raises: Trouble, when the port asked for is taken.
    """
    asked = os.environ.get("PORT", "")
    if asked:
        opened = try_to_listen(int(asked)) if asked.isdigit() else None
        if opened is None:
            raise Trouble(f"PORT={asked} is taken, or is no port.")
        return opened
    for port in (ports.remembered(memory), usual_port(), ports.choose(identity(memory))):
        opened = try_to_listen(port) if port else None
        if opened is not None:
            memory.write_text(str(port), "ascii")
            return opened
    raise Trouble("No port is free for the web server; PORT=... names one.")


def try_to_listen(port: int) -> socket.socket | None:
    """A listening socket on the loopback address, or None where the port is taken."""
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((ports.LOOPBACK, port))
        door.listen(128)
    except (OSError, OverflowError):
        door.close()
        return None
    return door


def has_command(name: str) -> bool:
    """Whether manage.py has a command of that name."""
    return any(CHECKOUT.glob(f"*/management/commands/{name}.py"))


def is_demo(origin: str) -> bool:
    """Whether a log of that name is a demonstration: every verifier says so."""
    return origin.startswith("demo.invalid/")


def answer(address: str) -> str:
    """The status of the page there, redirects followed; or why there is none yet."""
    try:
        with urllib.request.urlopen(address, timeout=5) as page:  # noqa: S310
            return str(page.status)
    except urllib.error.HTTPError as error:
        return str(error.code)
    except OSError as error:
        return str(error)


def static_fingerprint(checkout: Path) -> str:
    """Changes when a static file, or the set of installed packages, does."""
    files = [checkout / "requirements.txt", *checkout.glob("*/static/**/*")]
    listed = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in sorted(files)]
    return sha256(repr(listed).encode()).hexdigest()


def run(names: str | None) -> int:
    """`make run`: open the house, look after it, close it. The exit code is 0 when asked to stop.

    Raises: Trouble, when it cannot be opened; whatever was started is stopped again.
    """
    began = time.monotonic()
    state = state_of()
    with alone(state) as note, signals_stop_us():
        house = House(state, services.chosen(names))
        try:
            house.open()
            note.write_text(f"{house.address} (process {os.getpid()})", "utf-8")
            house.greet(time.monotonic() - began)
            house.watch()
        except Stopped:
            announce("\nClosing the house ...")
        finally:
            house.close()
    announce("Closed.")
    return 0
