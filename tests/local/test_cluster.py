"""A server of our own: asked for passwords, alone on the loopback address, alive after kill -9."""

import shutil
import stat
import tempfile
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest

from casino.local import children, ports, roles
from casino.local.cluster import Cluster
from casino.local.keeper import programs_named
from casino.local.local_places import open_folder, write_private
from casino.local.local_trouble import Trouble
from tests.local.processes import wait_until_gone


@pytest.fixture
def home() -> Generator[Path]:
    """A folder the server's account can reach; pytest's own are closed to it."""
    folder = open_folder(Path(tempfile.mkdtemp(prefix="livro-cluster-")))
    yield folder
    wait_until_gone(str(folder), "the server of the test")
    shutil.rmtree(folder)


def connected(server: Cluster, role: str) -> psycopg.Connection:
    """Somebody in the book's database; nothing was ever migrated into this one."""
    address = server.url(role, roles.passwords(server)[role], "casino")
    return psycopg.connect(address, autocommit=True)


@pytest.mark.both_servers
@pytest.mark.parametrize("role", [*roles.ROLES, "postgres"])
@pytest.mark.parametrize("password", ["", "wrong"])
def test_nobody_comes_in_without_his_password(
    database_server: Cluster, role: str, password: str
) -> None:
    with pytest.raises(psycopg.OperationalError, match=r"password authentication|no password"):
        psycopg.connect(database_server.url(role, password, "casino"))


@pytest.mark.both_servers
def test_the_server_trusts_nobody(database_server: Cluster) -> None:
    with database_server.connect() as connection:
        asked = "SELECT DISTINCT auth_method FROM pg_hba_file_rules"
        assert connection.execute(asked).fetchall() == [("scram-sha-256",)]
        kept = "SELECT rolname FROM pg_authid WHERE rolpassword NOT LIKE 'SCRAM-SHA-256$%'"
        assert connection.execute(kept).fetchall() == []


@pytest.mark.both_servers
def test_it_listens_on_the_loopback_address_and_nowhere_else(database_server: Cluster) -> None:
    with database_server.connect() as connection:
        for setting, value in (
            ("listen_addresses", "127.0.0.1"),
            ("unix_socket_directories", ""),
            ("data_checksums", "on"),
            ("server_encoding", "UTF8"),
            ("TimeZone", "UTC"),
        ):
            found = connection.execute("SELECT current_setting(%s)", [setting]).fetchone()
            assert found == (value,), setting


def test_what_is_secret_can_be_read_by_its_owner_only(durable_cluster: Cluster) -> None:
    for file in (durable_cluster.superuser_file, durable_cluster.home / "secrets" / "roles.json"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    for folder in (durable_cluster.home / "secrets", durable_cluster.data):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder
    assert not (durable_cluster.home / "initial-password").exists()
    known = list(roles.passwords(durable_cluster).values())
    assert len(set(known)) == len(roles.ROLES)
    written = durable_cluster.log.read_text()
    assert not any(password in written for password in known)


def test_passwords_others_could_read_are_not_used(durable_cluster: Cluster) -> None:
    (durable_cluster.home / "secrets" / "roles.json").chmod(0o640)
    with pytest.raises(Trouble, match="Others may read"):
        roles.passwords(durable_cluster)


@pytest.mark.both_servers
def test_each_role_may_what_it_must(database_server: Cluster) -> None:
    asked = """
        SELECT rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls
        FROM pg_roles WHERE rolname = ANY(%s)"""
    with database_server.connect() as connection:
        rows = connection.execute(asked, [list(roles.ROLES)]).fetchall()
    assert {name: rights for name, *rights in rows} == {
        role: [False, role == "owner", False, False, False] for role in roles.ROLES
    }


@pytest.mark.share
@pytest.mark.both_servers
@pytest.mark.parametrize("role", ["app", "reader", "sequencer", "signer"])
@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE public.own (id int)",
        "CREATE TEMP TABLE book_entry (id int)",
        "CREATE SCHEMA own",
        "CREATE DATABASE own",
        "CREATE ROLE own",
        "SET session_replication_role = replica",
        "COPY (SELECT 1) TO PROGRAM 'true'",
    ],
)
def test_a_role_makes_nothing_of_its_own(
    database_server: Cluster, role: str, statement: str
) -> None:
    with connected(database_server, role) as connection:
        connection.execute("SET default_transaction_read_only = off")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement)


@pytest.mark.both_servers
@pytest.mark.parametrize(
    ("role", "settings"),
    [
        ("app", ("15s", "3s", "30s", "off", "public, pg_temp")),
        ("reader", ("15s", "3s", "30s", "on", "public, pg_temp")),
        ("sequencer", ("1min", "3s", "30s", "off", "public, pg_temp")),
        ("owner", ("0", "10s", "0", "off", "public, pg_temp")),
    ],
)
def test_a_role_is_kept_from_making_others_wait(
    database_server: Cluster, role: str, settings: tuple[str, ...]
) -> None:
    names = (
        "statement_timeout",
        "lock_timeout",
        "idle_in_transaction_session_timeout",
        "default_transaction_read_only",
        "search_path",
    )
    with connected(database_server, role) as connection:
        asked = "SELECT current_setting(name) FROM unnest(%s::text[]) AS name"
        found = connection.execute(asked, [list(names)]).fetchall()
    assert tuple(value for (value,) in found) == settings


@pytest.mark.both_servers
@pytest.mark.parametrize(
    ("role", "database"),
    [("broker", "casino"), ("app", "broker"), ("owner", "broker"), ("app", "postgres")],
)
def test_a_role_stays_out_of_what_is_not_its_own(
    database_server: Cluster, role: str, database: str
) -> None:
    password = roles.passwords(database_server)[role]
    with pytest.raises(psycopg.OperationalError, match="CONNECT privilege"):
        psycopg.connect(database_server.url(role, password, database))


@pytest.mark.check
def test_what_was_committed_survives_a_kill(durable_cluster: Cluster) -> None:
    address = roles.addresses(durable_cluster)["OWNER_DATABASE_URL"]
    with psycopg.connect(address) as connection:
        connection.execute("CREATE TABLE kept AS SELECT n FROM generate_series(1, 10000) AS n")
    before = durable_cluster.port
    durable_cluster.kill()
    assert (durable_cluster.data / "postmaster.pid").exists(), "a kill leaves its pid file behind"
    durable_cluster.start()
    assert durable_cluster.port == before, "the same address as before"
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT count(*), sum(n) FROM kept").fetchone() == (
            10_000,
            50_005_000,
        )


@pytest.mark.check
def test_an_interrupted_making_is_begun_again(home: Path) -> None:
    half = home / "data.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18")
    cluster = Cluster(home, programs_named("embedded"), durable=False)
    cluster.start()
    assert not half.exists()
    cluster.stop()


def test_data_of_another_version_are_left_alone(home: Path) -> None:
    cluster = Cluster(home, programs_named("embedded"), durable=False)
    cluster.data.mkdir()
    (cluster.data / "PG_VERSION").write_text("17\n")
    with pytest.raises(Trouble, match=r"written by PostgreSQL 17; this is 18"):
        cluster.start()


@pytest.mark.check
def test_two_servers_that_had_the_same_port_do_not_collide(home: Path) -> None:
    port = ports.choose("abcdef")
    pair = []
    for name in ("one", "other"):
        cluster = Cluster(open_folder(home / name), programs_named("embedded"), durable=False)
        (cluster.home / "port").write_text(str(port))
        pair.append(cluster)
    try:
        for cluster in pair:
            cluster.start()
        assert pair[0].port == port
        assert pair[1].port != port
        assert all(cluster.answers() for cluster in pair)
        assert pair[0].superuser_file.read_text() != pair[1].superuser_file.read_text()
    finally:
        for cluster in pair:
            cluster.stop()


def test_a_server_that_cannot_start_says_why(home: Path) -> None:
    cluster = Cluster(home, programs_named("embedded"), durable=False)
    cluster.make()
    with (cluster.data / "postgresql.conf").open("a") as settings:
        settings.write("no_such_setting = on\n")
    with pytest.raises(Trouble, match="no_such_setting"):
        cluster.start()


def test_a_private_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    (tmp_path / "secret.new").write_text("left by a crash")
    write_private(file, "first")
    write_private(file, "second")
    assert file.read_text() == "second"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_a_child_that_was_buried_is_not_killed_again(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as log:
        child = children.start(["true"], log=log, environment={}, cwd=tmp_path)
    child.wait()
    children.kill_group(child)
    assert children.bury(child, 0)
