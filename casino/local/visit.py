"""A visit to the house's database: beside a running `make run`, or with the server just for it."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from casino.local import addresses, ports, roles
from casino.local.apart import Rights, personal
from casino.local.cluster import SUPERUSER, Cluster, server_environment
from casino.local.local_places import CHECKOUT, Account, state_of
from casino.local.local_trouble import Trouble
from casino.local.lock import Taken, alone
from casino.local.programs import packaged


@contextmanager
def visited(state: Path) -> Iterator[Cluster]:
    """The server of this checkout, up: whoever runs it already, or we for as long as it takes."""
    cluster = Cluster(state, packaged(state))
    try:
        with alone(state):
            cluster.start()
            try:
                roles.prepare(cluster)
                yield cluster
            finally:
                cluster.stop()
    except Taken as taken:
        port = ports.remembered(state / "port")
        if port is None or not taken.note:
            raise
        cluster.port = port
        yield cluster


def psql(role: str) -> int:
    """Open psql on the book's database. The exit code is psql's own. Raises: Trouble."""
    if role not in (*roles.ROLES, SUPERUSER):
        raise Trouble(f"There is no role {role}: {', '.join((*roles.ROLES, SUPERUSER))}.")
    with visited(state_of()) as cluster:
        secret = (
            cluster.superuser_file.read_text("ascii")
            if role == SUPERUSER
            else roles.passwords(cluster)[role]
        )
        database = roles.QUEUE if role == roles.QUEUE else roles.BOOK
        command = [cluster.programs.named("psql"), "-h", ports.LOOPBACK, "-p", str(cluster.port)]
        values = {**os.environ, **server_environment(), "PGPASSWORD": secret}
        return followed([*command, "-U", role, database], values)


def manage(words: Sequence[str]) -> int:
    """Run `manage.py` with the addresses of every role. Gives its exit code. Raises: Trouble."""
    needs = addresses.wanted()
    command = [sys.executable, str(CHECKOUT / "manage.py"), *words]
    state = state_of()
    if not needs.server:
        return followed(command, addresses.environment(addresses.known(None, needs), state))
    with visited(state) as cluster:
        return followed(command, addresses.environment(addresses.known(cluster, needs), state))


def signer(words: Sequence[str]) -> int:
    """Run a command of the signer, as its account. Gives its exit code. Raises: Trouble."""
    needs = addresses.wanted()
    state = state_of()
    if not (state / "signer" / "origin").exists():
        raise Trouble("There is no signer yet: `make run` makes one.")
    if not needs.book:
        return _signer(addresses.known(None, needs), state, words)
    with visited(state) as cluster:
        return _signer(addresses.known(cluster, needs), state, words)


def _signer(known: dict[str, str], state: Path, words: Sequence[str]) -> int:
    rights = Rights.kept(state)
    command = [rights.python, "-m", "casino.signer", *words]
    values = {
        **addresses.of_the_signer(known, state),
        **personal(state / "own" / "signer", "signer"),
    }
    return followed(command, values, rights.of("signer"))


def followed(
    command: Sequence[str], environment: dict[str, str], account: Account | None = None
) -> int:
    """Run a program in our terminal and wait for it, Ctrl-C and all."""
    rights: dict[str, Any] = account.as_arguments() if account else {}
    with subprocess.Popen(  # noqa: S603
        list(command), env=environment, cwd=CHECKOUT if account else None, **rights
    ) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # it got the same Ctrl-C; what to do about it is its own business
