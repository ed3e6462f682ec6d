"""Where a table's page leads: to the screens of the floor, and of rooms above it.

What a room above the floor adds is named in settings (AT_A_TABLE), for the floor never names it: a
module with

- ``ways(request, look)``: the buttons of a table's page;
- ``alerts(tables, now)``: by table what it has to say there, be it open or closed;
- ``missing(scene, held)``: what a game's closing still lacks, for a holder of these offices;
- ``summed(scene)``: what a game came to of its own, line by line, each a `Way` ('' for no page);
- ``pools()``: the pools a table may be opened with;
- ``KINDS``: the kinds of a partida it keeps in other streams than the table's;
- ``page_of(entry)``: address and words of the page that shows one of them, None for another's;
- ``after_witness(entry)``: the same for where one goes on to once a second person confirmed it;
- ``record_word(event)``: one line for a record of its own kinds, '' for another's;
- ``figures(look)``: what stands among a table's figures, each a label and its value.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpRequest

from casino.models import BookEntry

if TYPE_CHECKING:
    from casino.floor.closing.still_words import Item
    from casino.floor.game_view import GameView
    from casino.floor.table_state import Alert, TableView


@dataclass(frozen=True, slots=True)
class Way:
    """A button that leads to a screen."""

    words: str
    url: str
    article: str


def ways_at(request: HttpRequest, table_view: "TableView") -> list[Way]:
    """To the screens of rooms above the floor that belong to this table, for whoever asks."""
    return [way for room in _rooms() for way in room.ways(request, table_view)]


def alerts_at(tables: Collection[str], now: datetime) -> dict[str, list["Alert"]]:
    """By table, what rooms above the floor have to say there."""
    found: dict[str, list[Any]] = {}
    for room in _rooms() if tables else ():
        values: Mapping[str, list[Any]] = room.alerts(tables, now)
        for table, alerts in values.items():
            found.setdefault(table, []).extend(alerts)
    return found


def missing_at(game: "GameView", held: Collection[str]) -> list["Item"]:
    """What rooms above the floor still miss at a game's closing."""
    return [item for room in _rooms() for item in room.missing(game, held)]


def summed_at(game: "GameView") -> list[Way]:
    """What a game came to by rooms above the floor."""
    return [line for room in _rooms() for line in room.summed(game)]


def pools_offered() -> list[str]:
    """The pools a table may be opened with."""
    return sorted({pool for room in _rooms() for pool in room.pools()})


def kinds_elsewhere() -> frozenset[str]:
    """What rooms above the floor tell of a partida in other streams than its table's."""
    return frozenset().union(*(room.KINDS for room in _rooms()))


def page_of(entry: BookEntry) -> tuple[str, str] | None:
    """Where a room above the floor shows an act of its own, and what that is called."""
    found = (room.page_of(entry) for room in _rooms())
    return next((way for way in found if way is not None), None)


def way_after(entry: BookEntry) -> tuple[str, str] | None:
    """Where a room above the floor goes on once its act was witnessed, and what that is called."""
    found = (room.after_witness(entry) for room in _rooms())
    return next((way for way in found if way is not None), None)


def words_elsewhere(event: Any) -> str:
    """What a room above the floor says of a record of its own; '' for another's."""
    return next((said for room in _rooms() if (said := room.record_word(event))), "")


def figures_at(table_view: "TableView") -> list[tuple[str, str]]:
    """What rooms above the floor have to show among a table's figures."""
    return [figure for room in _rooms() for figure in room.figures(table_view)]


def _rooms() -> list[Any]:
    return [import_module(name) for name in settings.AT_A_TABLE]
