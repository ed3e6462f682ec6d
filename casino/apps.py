"""Tells Django about this package: the floor, and the book it keeps."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections


class CasinoConfig(AppConfig):
    """Casino: the floor, and the book it keeps."""

    name = "casino"

    def ready(self) -> None:
        """Let `manage.py check --database default` ask for the book's guards."""
        register(Tags.database)(guards_are_there)


def guards_are_there(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """One error for each guard that is missing.

    Only the application's own connection is asked: `migrate`, which runs as the owner, must be able
    to put them there.
    """
    if "default" not in (databases or ()):
        return []
    from casino.guards import missing_guards

    return [Error(each, id="casino.E001") for each in missing_guards(connections["default"])]
