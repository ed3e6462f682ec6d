"""A PostgreSQL server for one benchmark: durable, migrated, and gone at the end with its files."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import psycopg

from casino.local import roles
from casino.local.cluster import Cluster
from casino.local.keeper import programs_named
from casino.local.local_places import open_folder
from tests.servers_django import migrate


@dataclass(frozen=True, slots=True)
class DurableServer:
    """The server, its addresses by role, and the folder in which everything of the run lies."""

    home: Path
    cluster: Cluster
    addresses: dict[str, str]

    def with_tables(self, tables: str) -> int:
        """Make what the benchmark compares with, too. Gives PostgreSQL's major version."""
        with psycopg.connect(self.addresses["OWNER_DATABASE_URL"], autocommit=True) as owner:
            owner.execute(tables)
            return owner.info.server_version // 10_000


@contextlib.contextmanager
def durable_server(programs: str) -> Generator[DurableServer]:
    """A migrated server of these programs; the process's own settings name it from here on."""
    home = open_folder(Path(tempfile.mkdtemp(prefix="livro-bench-")))
    cluster = Cluster(home, programs_named(programs))
    try:
        cluster.start()
        roles.prepare(cluster)
        addresses = roles.addresses(cluster)
        migrate(addresses)
        os.environ.update(addresses, DEBUG="1", DJANGO_SETTINGS_MODULE="casino.settings")
        yield DurableServer(home, cluster, addresses)
    finally:
        cluster.stop()
        shutil.rmtree(home, ignore_errors=True)
