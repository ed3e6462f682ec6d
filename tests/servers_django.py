"""Django's side of the test databases: where its connections go, and how a template is migrated.

Nothing of Django is imported until a test asks: most tests of the law never do.
"""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo

import psycopg
from psycopg import sql

from casino.local.local_places import CHECKOUT
from casino.local.roles import VARIABLES, without_addresses

# Which role each of settings.DATABASES stands for.
ALIASES: Final = {"default": "app", "owner": "owner", "sequencer": "sequencer", "reader": "reader"}
WHERE: Final = ("NAME", "USER", "PASSWORD", "HOST", "PORT")


def migrate(addresses: Mapping[str, str]) -> None:
    """Migrate as `owner`, in a process of its own: afterwards no connection is left open."""
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--database=owner", "--skip-checks", "-v0"],
        cwd=CHECKOUT,
        env={**without_addresses(), **addresses},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"the migrations did not run:\n{done.stdout}{done.stderr}"


# How the house hashes, kept here while its tests hash quickly.
EARNEST: Final[dict[str, int]] = {}
QUICK: Final = {"time_cost": 1, "memory_cost": 8, "parallelism": 1}


def hash_quickly() -> None:
    """The house's own hasher with the least it can be asked for: a login takes a millisecond.

    A test of how secrets are kept asks for the fixture `earnest_hashing`.
    """
    from casino.security import HouseArgon2

    for name, value in QUICK.items():
        EARNEST.setdefault(name, getattr(HouseArgon2, name))
        setattr(HouseArgon2, name, value)


def find_static_files_once() -> None:
    """Every browser of Django's looks through all static files before its first page: hundreds of
    files, thousands of times. In tests it looks once for all of a process.
    """
    from whitenoise.middleware import WhiteNoiseMiddleware

    look, found = WhiteNoiseMiddleware.add_files_from_finders, dict[str, object]()

    def looked(self: Any) -> None:
        if not found:
            look(self)
            found.update(self.files)
        self.files.update(found)

    WhiteNoiseMiddleware.add_files_from_finders = looked


@contextmanager
def as_role(role: str) -> Iterator[None]:
    """Django's connection does as a role of the running house, which `app` may become in tests.

    By the driver's own cursor: no statement is counted. A server that is away is left to what asks.
    """
    from django.db import DatabaseError, connection

    try:
        connection.ensure_connection()
        line = connection.connection
        psycopg.Cursor(line).execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
    except (DatabaseError, psycopg.Error):
        yield
        return
    try:
        yield
    finally:
        with suppress(psycopg.Error):  # closed, or its transaction is to be rolled back
            psycopg.Cursor(line).execute("RESET ROLE")


def serve_in_roles() -> None:
    """Every page of every test is answered as `web`, every machine as `machines`: what they lack of
    rights, some test sees.
    """
    from django.core.handlers.base import BaseHandler

    from casino.api.machines_connection import is_of_a_machine

    answer = BaseHandler.get_response

    def get_response(self: Any, request: Any) -> Any:
        with as_role("machines" if is_of_a_machine(request) else "web"):
            return answer(self, request)

    BaseHandler.get_response = get_response


def count_nothing_unasked() -> None:
    """Of what waits no page makes a list by itself, as if one had just been made: what a page asks
    the book besides is measured. A test of the count sets TODO_PATIENCE to 0.
    """
    from django.conf import settings

    from casino import clock
    from casino.floor.tables import todo_lists

    settings.TODO_PATIENCE = 100 * 365 * 24 * 3600
    todo_lists.kept.setdefault("", todo_lists.Kept(b"", clock.now(), []))


@cache
def day_starts(zone: str) -> str:
    """When the house's day begins during this session: at eight, or at three of a morning.

    Many stories tell of the last hours of tonight's games. Told at half past eight, they would
    begin on the day before, so whoever runs the tests in a morning has a house that begins earlier.
    """
    here = datetime.now(ZoneInfo(zone)).hour
    return "03:00" if 6 <= here < 13 else "08:00"


@contextmanager
def connections_at(addresses: Mapping[str, str]) -> Iterator[None]:
    """Let every connection of Django go to these addresses, and afterwards where it went before."""
    from django.conf import settings as house
    from django.db import connections

    # Without DEBUG there is none, and whoever logs in needs one.
    house.SECRET_KEY = "only for tests"
    house.SECURE_SSL_REDIRECT = False
    for cookie in ("SESSION", "CSRF", "LANGUAGE"):  # by plain HTTP no browser takes such a name
        name = getattr(house, f"{cookie}_COOKIE_NAME").removeprefix("__Host-")
        setattr(house, f"{cookie}_COOKIE_NAME", name)
    house.HOUSE_DAY_STARTS = day_starts(house.HOUSE_TIME_ZONE)
    house.SHIELD_SECONDS = 0  # whoever tests it sets it
    house.SECOND_FACTOR = False  # so too
    # What the floor sends is written at once; a test of what can be taken back says otherwise.
    house.SALA_HOLD_SECONDS = 0
    house.WEBHOOK_HOSTS = ["srij.example"]  # of the examples of every kind
    house.ALERTS_PATIENCE = 0  # a story told by the writer is on the next page
    connections.close_all()
    with _addressed(addresses):
        try:
            yield
        finally:
            connections.close_all()


@contextmanager
def _addressed(addresses: Mapping[str, str]) -> Iterator[None]:
    """What connects from now on connects there."""
    from django.db import connections

    from casino.machine.environment_values import database_from

    before: dict[str, dict[str, Any]] = {}
    for alias, settings in connections.settings.items():
        before[alias] = {key: settings.get(key) for key in WHERE}
        there = database_from(addresses[VARIABLES[ALIASES[alias]]])
        settings.update({key: there[key] for key in WHERE})
    try:
        yield
    finally:
        for alias, settings in connections.settings.items():
            settings.update(before[alias])


def connected_to() -> dict[str, str]:
    """The database's name by alias."""
    from django.db import connections

    return {alias: str(settings["NAME"]) for alias, settings in connections.settings.items()}


def connect_to(names: Mapping[str, str]) -> None:
    """Databases of the same server by these names."""
    from django.db import connections

    connections.close_all()
    for alias, name in names.items():
        connections.settings[alias]["NAME"] = name


class Lines:
    """Django's connections to one set of addresses, which stay open while others are in use."""

    def __init__(self, addresses: Mapping[str, str]) -> None:
        self.addresses = addresses
        self.held: dict[str, Any] = {}

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Django's connections are these; those it had are put aside meanwhile."""
        aside = _exchanged(self.held)
        with _addressed(self.addresses):
            try:
                yield
            finally:
                self.held = _exchanged(aside)

    def close(self) -> None:
        """End them: a database with a guest in it cannot be copied."""
        for line in self.held.values():
            line.close()


def _exchanged(given: Mapping[str, Any]) -> dict[str, Any]:
    """Give Django these connections, and return those it had."""
    from django.db import connections

    had = {line.alias: line for line in connections.all(initialized_only=True)}
    for alias in had:
        del connections[alias]
    for alias, line in given.items():
        connections[alias] = line
    return had
