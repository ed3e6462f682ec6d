"""Where a table's page leads: to the screens of the floor, and of packages above it.

What such a package adds stands in its `Extension.table_links`, for the floor never names it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from django.http import HttpRequest

from casino.events.event import Event
from casino.extensions import extensions
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


class TableLinks(Protocol):
    """What a package above the floor adds to it."""

    @property
    def KINDS(self) -> frozenset[str]:  # noqa: N802 - a module's constant
        """The kinds of a partida that it keeps in other streams than the table's."""

    def ways(self, request: HttpRequest, table_view: "TableView") -> list[Way]:
        """The buttons of a table's page."""

    def alerts(self, tables: Collection[str], now: datetime) -> Mapping[str, list["Alert"]]:
        """By table what it has to say there, be it open or closed."""

    def missing(self, game: "GameView", held: Collection[str]) -> list["Item"]:
        """What a game's closing still lacks, for a holder of these offices."""

    def summed(self, game: "GameView") -> list[Way]:
        """What a game came to of its own, line by line ('' for no page)."""

    def pools(self) -> list[str]:
        """The pools a table may be opened with."""

    def page_of(self, entry: BookEntry) -> tuple[str, str] | None:
        """Address and words of the page that shows one of its acts, None for another's."""

    def after_witness(self, entry: BookEntry) -> tuple[str, str] | None:
        """The same for where one goes on to once a second person confirmed it."""

    def record_word(self, event: Event) -> str:
        """One line for a record of its own kinds, '' for another's."""

    def figures(self, table_view: "TableView") -> list[tuple[str, str]]:
        """What stands among a table's figures, each a label and its value."""


def ways_at(request: HttpRequest, table_view: "TableView") -> list[Way]:
    """To the screens of rooms above the floor that belong to this table, for whoever asks."""
    return [way for links in _links() for way in links.ways(request, table_view)]


def alerts_at(tables: Collection[str], now: datetime) -> dict[str, list["Alert"]]:
    """By table, what rooms above the floor have to say there."""
    found: dict[str, list[Any]] = {}
    for links in _links() if tables else ():
        values: Mapping[str, list[Any]] = links.alerts(tables, now)
        for table, alerts in values.items():
            found.setdefault(table, []).extend(alerts)
    return found


def missing_at(game: "GameView", held: Collection[str]) -> list["Item"]:
    """What rooms above the floor still miss at a game's closing."""
    return [item for links in _links() for item in links.missing(game, held)]


def summed_at(game: "GameView") -> list[Way]:
    """What a game came to by rooms above the floor."""
    return [line for links in _links() for line in links.summed(game)]


def pools_offered() -> list[str]:
    """The pools a table may be opened with."""
    return sorted({pool for links in _links() for pool in links.pools()})


def kinds_elsewhere() -> frozenset[str]:
    """What rooms above the floor tell of a partida in other streams than its table's."""
    return frozenset().union(*(links.KINDS for links in _links()))


def page_of(entry: BookEntry) -> tuple[str, str] | None:
    """Where a room above the floor shows an act of its own, and what that is called."""
    found = (links.page_of(entry) for links in _links())
    return next((way for way in found if way is not None), None)


def way_after(entry: BookEntry) -> tuple[str, str] | None:
    """Where a room above the floor goes on once its act was witnessed, and what that is called."""
    found = (links.after_witness(entry) for links in _links())
    return next((way for way in found if way is not None), None)


def words_elsewhere(event: Event) -> str:
    """What a room above the floor says of a record of its own; '' for another's."""
    return next((said for links in _links() if (said := links.record_word(event))), "")


def figures_at(table_view: "TableView") -> list[tuple[str, str]]:
    """What rooms above the floor have to show among a table's figures."""
    return [figure for links in _links() for figure in links.figures(table_view)]


def _links() -> list[TableLinks]:
    found = (package.table_links() for package in extensions())
    return [links for links in found if links is not None]
