"""The roles of the house on a server of our own: passwords, rights, databases, and the queue.

The rights stand in roles.sql, which an operator runs on a real server as it is run here.
"""

import json
import os
import secrets
import stat
import subprocess
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql

from casino.local import services
from casino.local.cluster import Cluster, server_environment
from casino.local.local_places import write_private
from casino.local.local_trouble import Trouble

ROLES: Final = services.ROLES
VARIABLES: Final = services.VARIABLES
BOOK: Final = "casino"
QUEUE: Final = "broker"
SCRIPT: Final = Path(__file__).with_name("roles.sql")

MAY_CONNECT: Final = tuple(role for role in VARIABLES if role != "owner")


def passwords(cluster: Cluster) -> dict[str, str]:
    """Every role's password, made up the first time. Raises: Trouble, if others can read them."""
    file = cluster.home / "secrets" / "roles.json"
    kept: dict[str, str] = {}
    if file.exists():
        if stat.S_IMODE(file.stat().st_mode) & 0o077:
            raise Trouble(f"Others may read the passwords in {file}: `chmod 600` it.")
        kept = json.loads(file.read_text("utf-8"))
    if fresh := {role: secrets.token_urlsafe(24) for role in ROLES if role not in kept}:
        kept |= fresh  # a house that was made before a role was has its others still
        write_private(file, json.dumps(kept))
    return kept


def prepare(cluster: Cluster) -> None:
    """Make roles and databases on a running server, or bring them up to date.

    Raises: Trouble, when a statement is refused.
    """
    environment = server_environment() | {
        f"{role.upper()}_PASSWORD": password for role, password in passwords(cluster).items()
    }
    run_psql(cluster, SCRIPT, "postgres", cluster.superuser_file.read_text("ascii"), environment)
    load_queue(cluster, QUEUE)


def run_psql(
    cluster: Cluster, script: Path, role: str, password: str, environment: Mapping[str, str]
) -> None:
    """Run a script as a role; the first refusal stops it. Raises: Trouble, with what was said."""
    command = [cluster.programs.named("psql"), "--no-psqlrc", "--quiet", "--no-align"]
    command += ["--set", "ON_ERROR_STOP=1", "--file", str(script)]
    command += ["-h", "127.0.0.1", "-p", str(cluster.port), "-U", role, "postgres"]
    done = subprocess.run(  # noqa: S603
        command,
        env={**environment, "PGPASSWORD": password},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Trouble(f"{script.name} was refused: {done.stderr.strip()}")


def load_queue(cluster: Cluster, database: str) -> None:
    """Load pgmq's tables and functions into a database of `broker`, unless they are there.

    The SQL comes with the Python package, which is looked for but not imported.
    Raises: Trouble, where the package is not installed.
    """
    with psycopg.connect(
        cluster.url("broker", passwords(cluster)["broker"], database)
    ) as connection:
        found = connection.execute("SELECT to_regnamespace('pgmq') IS NOT NULL").fetchone()
        if found == (True,):
            return
        spec = find_spec("pgmq")
        if spec is None or spec.origin is None:
            raise Trouble("The package pgmq is not installed: kombu[pgmq] brings it.")
        script = Path(spec.origin).with_name("sql") / "pgmq.sql"
        connection.execute(script.read_bytes())


def allow(connection: psycopg.Connection, database: str) -> None:
    """Let the roles of the house into a database of `owner`, and nobody else.

    A database made from a template copies its tables with their rights, but not these.
    """
    name = sql.Identifier(database)
    roles = sql.SQL(", ").join(map(sql.Identifier, MAY_CONNECT))
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name))
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(name, roles))


def addresses(cluster: Cluster, database: str = BOOK) -> dict[str, str]:
    """How each role reaches a database of the book, by the name of its environment variable."""
    known = passwords(cluster)
    return {
        variable: cluster.url(role, known[role], database) for role, variable in VARIABLES.items()
    }


def queue_address(cluster: Cluster, database: str = QUEUE) -> str:
    """BROKER_URL for the queue in one of the databases of `broker`."""
    return cluster.url("broker", passwords(cluster)["broker"], database, scheme="pgmq")


def without_addresses() -> dict[str, str]:
    """Our environment without any address of a database: a child gets only what it is given."""
    hidden = {*VARIABLES.values(), "BROKER_URL"}
    return {name: value for name, value in os.environ.items() if name not in hidden}
