"""The real stack for tests that stop and kill its parts."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from audit.runs.code_version import code_version
from casino.local import roles
from casino.local.cluster import Cluster
from tests.faults.kills.stack import Stack
from tests.servers_django import connections_at, migrate


@pytest.fixture(
    params=[
        "pgmq",
        pytest.param("rabbitmq", marks=pytest.mark.needs_tool("rabbitmq-server")),
    ]
)
def queue(request: pytest.FixtureRequest) -> str:
    """BROKER_URL of one of the brokers."""
    if request.param == "pgmq":
        return str(request.getfixturevalue("broker"))
    return str(request.getfixturevalue("rabbitmq").url)


@pytest.fixture
def stack(
    fresh_db: str,
    database_environment: dict[str, str],
    queue: str,
    tmp_path: Path,
    settings: Any,
) -> Generator[Stack]:
    """The outbox's loop and a worker with two children, at work."""
    settings.CODE_VERSION = "of this test"
    code_version.cache_clear()
    environment = database_environment | {
        "BROKER_URL": queue,
        "BROKER_VISIBILITY": "20",
        "ROUNDS_IN_PART": "25",
        "CODE_VERSION": "of this test",
    }
    with Stack(tmp_path, environment) as services:
        services.start_outbox()
        services.start_worker()
        yield services
        # A connection of ours would keep the database from being dropped.
        connection.close()
    code_version.cache_clear()


@pytest.fixture
def book(durable_cluster: Cluster, django_db_blocker: Any) -> Generator[Cluster]:
    """A server that keeps what it promises, with an empty book in it; Django is connected to it."""
    there = roles.addresses(durable_cluster)
    migrate(there)
    with django_db_blocker.unblock(), connections_at(there):
        yield durable_cluster
