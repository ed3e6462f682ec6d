"""Where a table's page leads: to the screens of the floor, and of rooms above it.

What a room above the floor adds is named in settings (AT_A_TABLE), for the floor never names it: a
module with ``ways(request, look)``, the buttons of a table's page; ``alerts(partidas, now)``, by
table what it has to say of the open partidas; ``after_witness(entry)``, where one goes on to once a
second person has confirmed an act of its own, None for another's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpRequest

from casino.models import BookEntry

if TYPE_CHECKING:
    from casino.sala.state import Alert, Look


@dataclass(frozen=True, slots=True)
class Way:
    """A button that leads to a screen."""

    words: str
    url: str
    article: str


def ways_at(request: HttpRequest, look: "Look") -> list[Way]:
    """To the screens of rooms above the floor that belong to this table, for whoever asks."""
    return [way for room in _rooms() for way in room.ways(request, look)]


def alerts_at(partidas: Mapping[str, str], now: datetime) -> dict[str, list["Alert"]]:
    """By table, what rooms above the floor have to say of the partidas open there."""
    found: dict[str, list[Any]] = {}
    for room in _rooms() if partidas else ():
        for table, alerts in room.alerts(partidas, now).items():
            found.setdefault(table, []).extend(alerts)
    return found


def way_after(entry: BookEntry) -> tuple[str, str] | None:
    """Where a room above the floor goes on once its act was witnessed, and what that is called."""
    found = (room.after_witness(entry) for room in _rooms())
    return next((way for way in found if way is not None), None)


def _rooms() -> list[Any]:
    return [import_module(name) for name in settings.AT_A_TABLE]
