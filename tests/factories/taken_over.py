"""The kept book of an earlier version (tests/upgrades), in a database brought to today's tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from audit.management.commands.restore_check import restored
from casino.local import roles
from tests.gate import ROOT
from tests.servers import Databases
from tests.servers_django import connections_at, migrate

KEPT: Final = ROOT / "tests" / "upgrades"


def in_order(version: str) -> list[int]:
    """A version's numbers."""
    return [int(part) for part in version.split(".")]


VERSIONS: Final = sorted((place.name for place in KEPT.iterdir()), key=in_order)


@contextmanager
def taken_over(version: str, databases: Databases, name: str) -> Iterator[Path]:
    """The book of that version in a database of its own; where it is kept. Django goes there."""
    place = KEPT / version
    with restored(place, name, keep=True):
        pass
    addresses = roles.addresses(databases.server, name)
    try:
        migrate(addresses)
        with connections_at(addresses):
            yield place
    finally:
        databases.drop(name)
