"""The servers tests may ask for, and the databases in them. Loaded by conftest.py as a plug-in.

One private PostgreSQL server serves a whole session, all its xdist workers included. The first test
that needs a database starts it; a session without such a test starts none. It has the roles of
production, and forgets everything when the session ends, on Ctrl-C too. `owner` migrates one
template; each worker gets a copy of it, and tests connect as `app`. Nothing flushes:

- ``db`` or ``@pytest.mark.django_db``: the worker's database, rolled back after each test.
- ``fresh_db`` (and in its stead ``transactional_db``, ``live_server``): a copy of the template of
  the test's own, dropped afterwards. For what must commit: two connections, definer functions,
  jobs, children.
- ``@recorded_once``: a fixture recorded once for a whole module, in a database that stands in for
  the worker's, and that ``fresh_db`` copies. See stages.py.
- ``connect_as("owner")``: a psycopg connection to the test's database as any role, ``"postgres"``
  (the superuser) included.
- ``database_environment``: DATABASE_URL and its sisters, for a child process.
- ``@pytest.mark.both_servers``: the test runs on the embedded server, and in `make check` and
  `make soak` on Debian's PostgreSQL 15 too.
  LIVRO_TEST_SERVER=debian runs the whole session on Debian's.
- ``durable_cluster``: a server of the test's own, with fsync, that it may kill and start again.
- ``broker``: an empty queue on the session's server, as a BROKER_URL.
"""

import fcntl
import itertools
import math
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final

import psycopg
import pytest
from psycopg import sql

from casino.local import roles
from casino.local.cluster import SUPERUSER, Cluster
from casino.local.keeper import LOCK, kept, let_go, programs_named
from casino.local.local_places import open_folder
from casino.local.programs import DEBIAN
from tests.leftovers import spare
from tests.servers_django import (
    EARNEST,
    connect_to,
    connected_to,
    connections_at,
    count_nothing_unasked,
    find_static_files_once,
    hash_quickly,
    migrate,
    serve_in_roles,
)

DEFAULT_SERVER: Final = os.environ.get("LIVRO_TEST_SERVER") or "embedded"
MEMORY: Final = Path("/dev/shm")
PLENTY: Final = 6 * 1024**3  # bytes left, of which a session takes a third at most
TEMPLATE: Final = "book_template"
QUEUE_TEMPLATE: Final = "queue_template"
# A session's folder, and the process whose end ends it: the controller tells its xdist workers.
FOLDER: Final = pytest.StashKey[Path]()
# Whoever asks for one of these has a database of his own.
OWN_DATABASE: Final = frozenset({"fresh_db", "transactional_db", "live_server"})
CONTROLLER: Final = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Agree on the session's folder; it is made when the first test needs a server."""
    config.addinivalue_line(
        "markers", "both_servers: runs on the embedded PostgreSQL and on Debian's 15"
    )
    given: dict[str, Any] = getattr(config, "workerinput", {})
    if "livro_folder" in given:
        config.stash[FOLDER] = Path(given["livro_folder"])
        config.stash[CONTROLLER] = given["livro_controller"]
    else:
        config.stash[FOLDER] = quick_folder() / f"livro-tests-{os.getpid()}"
        config.stash[CONTROLLER] = os.getpid()


def quick_folder() -> Path:
    """Where the session's server lies: in memory where there is plenty, else among passing files.

    Most of what a test of its own database costs is the making of some thousand small files.
    """
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and not os.environ.get("TMPDIR")
    if roomy and min(shutil.disk_usage(MEMORY).free, memory_left()) >= PLENTY:
        return MEMORY
    return Path(tempfile.gettempdir())


def memory_left() -> int:
    """How many bytes programs may still take; 0 where nobody says."""
    with suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell an xdist worker which session it belongs to."""
    node.workerinput["livro_folder"] = str(node.config.stash[FOLDER])
    node.workerinput["livro_controller"] = node.config.stash[CONTROLLER]


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the session's servers. Were we killed instead, their keepers would notice."""
    folder = config.stash[FOLDER]
    if config.stash[CONTROLLER] == os.getpid() and folder.exists():
        for server in ("embedded", "debian"):
            let_go(folder / server)
        shutil.rmtree(folder, ignore_errors=True)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test marked `both_servers` runs on the older server too, from `make check` on."""
    if metafunc.definition.get_closest_marker("both_servers"):
        if "database_server" not in metafunc.fixturenames:
            metafunc.fixturenames.append("database_server")
        marks = [pytest.mark.needs_tool(str(DEBIAN / "postgres")), pytest.mark.check]
        both = [
            pytest.param("embedded", id="postgres-18"),
            pytest.param("debian", id="postgres-15", marks=marks),
        ]
        metafunc.parametrize("database_server", both, indirect=True, scope="session")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Refuse what would flush the database: the book lets nobody."""
    asked = getattr(item, "fixturenames", ())
    for mark in item.iter_markers("django_db"):
        if mark.args or set(mark.kwargs) - {"databases"}:
            pytest.fail("nothing flushes here: ask for the fixture fresh_db instead", pytrace=False)
        if OWN_DATABASE & set(asked):
            pytest.fail("fresh_db is enough: leave the mark django_db out", pytrace=False)


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Keep the other workers of the session waiting."""
    open_folder(folder)
    with (folder / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def database_server(request: pytest.FixtureRequest) -> Cluster:
    """The session's PostgreSQL server, with the roles of production."""
    server = getattr(request, "param", DEFAULT_SERVER)
    folder = request.config.stash[FOLDER]
    with one_at_a_time(folder):
        cluster = kept(folder / server, request.config.stash[CONTROLLER], server)
    spare(int((folder / server / "keeper").read_text("ascii")))
    return cluster


def pytest_collection() -> None:
    """Modules of tests read rulebooks while they are collected, when there is no database yet."""
    no_figures_set()


@pytest.fixture(autouse=True)
def figures_asked_for() -> None:
    """Each test begins in a process that asked the book for set figures a moment ago and found
    none; one that sets some has it asked anew (`tests.factories.figures_set`).
    """
    no_figures_set()


def no_figures_set() -> None:
    """What a process keeps that asked the book a moment ago, and found none set."""
    from casino.importing.law_in_use import Kept, keep

    keep(Kept(until=math.inf))


def worker_of(request: pytest.FixtureRequest) -> str:
    """The name of this xdist worker; "main" without xdist."""
    return str(getattr(request.config, "workerinput", {}).get("workerid", "main"))


@pytest.fixture(scope="session")
def book_template(database_server: Cluster, request: pytest.FixtureRequest) -> str:
    """The name of the database `owner` migrated; nobody may connect to it, everybody copies it."""
    with one_at_a_time(request.config.stash[FOLDER]):
        make_template(database_server)
    return TEMPLATE


def make_template(server: Cluster) -> None:
    """Make the database that everybody copies, where it is not there yet."""
    with server.connect() as connection:
        if not exists(connection, TEMPLATE):
            make_database(connection, TEMPLATE, "owner", "template0")
            roles.allow(connection, TEMPLATE)
            migrate(roles.addresses(server, TEMPLATE))
            # Tests connect as `app`, and their pages are answered as the roles of the services.
            connection.execute("GRANT web, machines, worker, watch TO app")
            settle_template(connection, TEMPLATE)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Of the whole gate the controller makes the template while its workers collect the tests."""
    config = session.config
    if os.environ.get("SHARE") == "fifth" and config.getoption("numprocesses", None):
        Thread(target=_template_beforehand, args=[config.stash[FOLDER]], daemon=True).start()


def _template_beforehand(folder: Path) -> None:
    with one_at_a_time(folder):
        make_template(kept(folder / DEFAULT_SERVER, os.getpid(), DEFAULT_SERVER))


def exists(connection: psycopg.Connection, database: str) -> bool:
    """Whether there is such a database, finished."""
    asked = "SELECT datistemplate FROM pg_database WHERE datname = %s"
    found = connection.execute(asked, [database]).fetchone()
    if found == (False,):  # its making was interrupted
        drop_database(connection, database)
    return found == (True,)


def make_database(connection: psycopg.Connection, database: str, owner: str, template: str) -> None:
    """CREATE DATABASE as a copy of another."""
    names = map(sql.Identifier, (database, owner, template))
    connection.execute(
        sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {} STRATEGY file_copy").format(*names)
    )


def settle_template(connection: psycopg.Connection, database: str) -> None:
    """Let nobody in any more: a database with a guest in it cannot be copied."""
    name = sql.Identifier(database)
    connection.execute(
        sql.SQL("ALTER DATABASE {} IS_TEMPLATE true ALLOW_CONNECTIONS false").format(name)
    )


def drop_database(connection: psycopg.Connection, database: str) -> None:
    """Drop a database whoever is still in it."""
    connection.execute(
        sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(database))
    )


# Where this worker's tests begin and end: the database's name by alias.
HOME: dict[str, str] = {}
# A line into that database, and what it held after the last test: nothing a test does stays there.
COMMITTED: list[psycopg.Connection] = []
LEFT: list[int] = []
# One count for a process: another server's databases come and go in between.
MADE = itertools.count(1)


class Databases:
    """Makes copies of the template and drops them; `current` is the one tests now connect to."""

    def __init__(self, server: Cluster, worker: str) -> None:
        self.server = server
        self.worker = worker
        self.current = ""

    def copy(self, template: str, owner: str = "owner") -> str:
        """A new database with all the template has. Takes about a tenth of a second."""
        name = f"{owner}_{self.worker}_{next(MADE)}_{os.getpid()}"
        with self.server.connect() as connection:
            make_database(connection, name, owner, template)
            if owner == "owner":
                roles.allow(connection, name)
            else:
                connection.execute(
                    sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(name))
                )
        return name

    def drop(self, name: str) -> None:
        """Remove one, whoever is connected to it."""
        with self.server.connect() as connection:
            drop_database(connection, name)


@pytest.fixture(scope="session")
def databases(database_server: Cluster, request: pytest.FixtureRequest) -> Databases:
    """This worker's databases on the session's server."""
    return Databases(database_server, worker_of(request))


@pytest.fixture(scope="session")
def django_db_setup(
    databases: Databases,
    book_template: str,
    django_test_environment: None,
    django_db_blocker: Any,
) -> Generator[None]:
    """In the stead of pytest-django's: Django connects to this worker's copy of the template."""
    databases.current = databases.copy(book_template)
    addresses = roles.addresses(databases.server, databases.current)
    hash_quickly()
    serve_in_roles()
    count_nothing_unasked()
    find_static_files_once()
    home = databases.current
    with django_db_blocker.unblock(), connections_at(addresses):
        HOME.update(connected_to())
        with databases.server.connect(home) as watching:
            COMMITTED.append(watching)
            LEFT[:] = rows_left()
            yield
            COMMITTED.clear()
        HOME.clear()
    databases.drop(home)


def rows_left() -> list[int]:
    """How many entries and accounts the worker's database holds: what a test did is rolled back."""
    query = "SELECT (SELECT count(*) FROM book_entry), (SELECT count(*) FROM casino_account)"
    return [count for one in COMMITTED for row in one.execute(query) for count in row]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """A test that leaves Django connected elsewhere fails by name, not the hundred after it."""
    yield
    if HOME and (left := connected_to()) != HOME:
        connect_to(HOME)
        pytest.fail(f"{item.nodeid} left Django connected to {left}", pytrace=False)
    if COMMITTED and (rows := rows_left()) != LEFT:
        LEFT[:] = rows
        pytest.fail(f"{item.nodeid} committed into the worker's database: {rows}", pytrace=False)


@pytest.fixture
def earnest_hashing(django_db_setup: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords and codes are hashed as in a casino."""
    from casino.security import HouseArgon2

    for name, value in EARNEST.items():
        monkeypatch.setattr(HouseArgon2, name, value)


@pytest.fixture
def from_eight(settings: Any, request: pytest.FixtureRequest) -> None:
    """The house's day begins at eight, whenever the tests are run (see `day_starts`)."""
    if OWN_DATABASE & set(request.fixturenames):
        request.getfixturevalue("fresh_db")  # who connects to it sets the day's beginning too
    settings.HOUSE_DAY_STARTS = "08:00"


@pytest.fixture
def fresh_db(
    databases: Databases,
    book_template: str,
    stage_set: Any,
    django_db_setup: None,
    django_db_blocker: Any,
) -> Generator[str]:
    """A database of the test's own, by name: what it commits is really committed."""
    before = databases.current
    databases.current = databases.copy(stage_set.name if stage_set else book_template)
    addresses = roles.addresses(databases.server, databases.current)
    with django_db_blocker.unblock(), connections_at(addresses):
        yield databases.current
    databases.drop(databases.current)
    databases.current = before


@pytest.fixture
def english() -> Generator[None]:
    """What is said here is said in English, whatever was spoken in this process before."""
    from django.utils import translation

    with translation.override("en"):
        yield


@pytest.fixture
def transactional_db(fresh_db: str) -> None:
    """In the stead of pytest-django's, which flushes: the book refuses that."""


@pytest.fixture
def db(request: pytest.FixtureRequest) -> None:
    """In the stead of pytest-django's: the worker's database, or the test's own if it has one."""
    own = OWN_DATABASE & set(request.fixturenames)
    request.getfixturevalue("fresh_db" if own else "_django_db_helper")


@pytest.fixture
def database_environment(
    databases: Databases, django_db_setup: None, request: pytest.FixtureRequest
) -> dict[str, str]:
    """Our environment with the addresses of the test's database, for a child process.

    Ask for `fresh_db` too: a child sees only what was committed.
    """
    if OWN_DATABASE & set(request.fixturenames):
        request.getfixturevalue("fresh_db")
    return roles.without_addresses() | roles.addresses(databases.server, databases.current)


Connect = Callable[..., psycopg.Connection]


@pytest.fixture
def connect_as(databases: Databases, django_db_setup: None) -> Generator[Connect]:
    """Connect to the test's database as a role: ``connect_as("app", autocommit=True)``."""
    opened: list[psycopg.Connection] = []

    def connect(role: str, **options: Any) -> psycopg.Connection:
        server = databases.server
        if role == SUPERUSER:
            address = server.superuser_url(databases.current)
        else:
            address = server.url(role, roles.passwords(server)[role], databases.current)
        opened.append(psycopg.connect(address, **options))
        return opened[-1]

    yield connect
    for connection in opened:
        connection.close()


@pytest.fixture
def durable_cluster(request: pytest.FixtureRequest) -> Generator[Cluster]:
    """A server of the test's own that keeps what it promises; roles and databases are there."""
    server = getattr(request, "param", DEFAULT_SERVER)
    home = open_folder(Path(tempfile.mkdtemp(prefix="livro-durable-")))
    cluster = Cluster(home, programs_named(server))
    try:
        cluster.start()
        roles.prepare(cluster)
        yield cluster
    finally:
        cluster.kill()  # a clean stop would take seconds to write down what nobody reads again
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def broker(databases: Databases, request: pytest.FixtureRequest) -> Generator[str]:
    """BROKER_URL of an empty queue on the session's server."""
    server = databases.server
    with one_at_a_time(request.config.stash[FOLDER]), server.connect() as connection:
        if not exists(connection, QUEUE_TEMPLATE):
            make_database(connection, QUEUE_TEMPLATE, "broker", "template0")
            roles.load_queue(server, QUEUE_TEMPLATE)
            settle_template(connection, QUEUE_TEMPLATE)
    name = databases.copy(QUEUE_TEMPLATE, "broker")
    yield roles.queue_address(server, name)
    databases.drop(name)
