"""What a package adds to the house, said in its AppConfig.

The floor never imports who looks at it: it asks every `Extension` among the installed apps, in
their order. Each method imports what it answers with, so that a process loads no more than it asks
for; a package overrides those to which it has something to add.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING

from django.apps import AppConfig, apps

from casino.events.event import Event

if TYPE_CHECKING:
    from types import ModuleType
    from uuid import UUID

    from django.http import HttpRequest
    from django.urls import URLPattern
    from prometheus_client.core import Metric

    from casino.admin.search.found_groups import FoundGroup
    from casino.admin.site import Panel, RailLink
    from casino.floor.away.blank_sheets import Sheet as PaperSheet
    from casino.floor.table_links import TableLinks
    from casino.floor.tables.board_tiles import DayFound
    from casino.floor.tables.todo_lists import Todo
    from casino.importing.sheet_columns import Sheet
    from casino.law.dossier import Dossier, RecordedEvent
    from casino.law.partida_judge import PartidaJudgement
    from casino.law.rulebook.rulebook import Law
    from casino.models import BookEntry
    from casino.previewing import Previews
    from casino.recording.preparing import Prepared
    from casino.web.entries.entry_notes import Note
    from casino.web.entries.entry_page import Leading

    # One that is about to be written and those before it in its batch. Raises: Refused.
    BookQuestion = Callable[[Prepared, Sequence[Prepared]], None]
    PartidaJudge = Callable[[Dossier, Law], PartidaJudgement]


class Extension(AppConfig):
    """A package of the house."""

    def event_kinds(self) -> Mapping[str, type[Event]]:
        """What it may write in the book, by kind."""
        return {}

    def book_questions(self) -> Mapping[str, BookQuestion]:
        """What it asks of the book before one of its kinds is written; the streams' heads are
        locked then.
        """
        return {}

    def jobs(self) -> Mapping[str, str]:
        """The tasks of its jobs, by topic.

        A topic that is an event's kind follows each such event, where it stands in the auditor's
        stream with that name before it; "partida-touched" follows every event of a partida, at most
        once a minute; the others are decided on by jobs.
        """
        return {}

    def first_day_sheets(self) -> Sequence[Sheet]:
        """What of it a house's first day is brought in, sheet by sheet, as it is recorded."""
        return ()

    def partida_judges(self) -> Sequence[PartidaJudge]:
        """Who judges what was recorded of a partida, beside its rounds."""
        return ()

    def previews(self) -> Sequence[Previews]:
        """Who foresees what an event opens that no partida shows."""
        return ()

    def around_partida(
        self, partida: str, entries: Collection[RecordedEvent[Event]], using: str
    ) -> set[tuple[str, int]]:
        """The entries outside a partida that belong to it: stream and number."""
        return set()

    def table_links(self) -> TableLinks | None:
        """What it shows at a table."""
        return None

    def table_alerts(
        self, tables: Collection[str], now: datetime
    ) -> Mapping[str, Sequence[object]]:
        """What is due at the tables, by table."""
        return {}

    def paper_sheets(self) -> Sequence[PaperSheet]:
        """Its registers on paper, for an hour without the house."""
        return ()

    def day_findings(self, day: date) -> Mapping[str, DayFound]:
        """What it found of a gaming day and still holds, by table ('' for what is of none)."""
        return {}

    def timeline_links(self, request: HttpRequest, thing: str, name: str) -> Sequence[Leading]:
        """Where a thing's timeline leads on to: a partida, a table, by its name."""
        return ()

    def todos(self, now: datetime, tables: Collection[str] | None) -> Iterable[Todo]:
        """What waits for somebody, at these tables or anywhere."""
        return ()

    def house_words(self) -> Mapping[str, str]:
        """What its own articles and checks are called on pages (English msgids), by their names."""
        return {}

    def list_handed_out(self, request: HttpRequest, of: str, count: int) -> None:
        """Record that a list leaves the house. Raises: PermissionDenied, Refused."""

    def figures(self, now: datetime) -> Iterable[Metric]:
        """What of it is watched from outside (/metrics)."""
        return ()

    def urls(self) -> Sequence[ModuleType]:
        """The modules of its addresses."""
        return ()

    def api_nouns(self) -> Mapping[str, str]:
        """Its kinds that the API offers, and what their records are called in addresses."""
        return {}

    def api_routes(self) -> Sequence[URLPattern]:
        """Its addresses below the API's beside those of its kinds."""
        return ()

    def rail(self) -> Sequence[RailLink]:
        """Its links in the admin's rail."""
        return ()

    def floor_links(self) -> Sequence[RailLink]:
        """Its links on the floor's first page."""
        return ()

    def finders(self) -> Sequence[Callable[[HttpRequest, str], FoundGroup | None]]:
        """What the search of the whole house looks for beside lists (`RecordAdmin.found_as`)."""
        return ()

    def public_links(self) -> Sequence[RailLink]:
        """Its links on the entrance's page, to what is open to everybody."""
        return ()

    def panels(self) -> Sequence[Callable[[HttpRequest], Panel | None]]:
        """Its panels on the admin's first page."""
        return ()

    def request_panels(self) -> Sequence[Callable[[HttpRequest, BookEntry], Panel | None]]:
        """What stands beside a request that another person decides on, of its entry."""
        return ()

    def entry_links(self) -> Sequence[Callable[[HttpRequest, BookEntry], Leading | None]]:
        """Where an entry's page leads on to."""
        return ()

    def matter_links(self, request: HttpRequest, kind: str, entry_id: UUID) -> Sequence[Leading]:
        """Where a screen of the floor about an incident or a complaint leads on to, from an entry
        of this kind.
        """
        return ()

    def timeline_notes(self, request: HttpRequest, partidas: Collection[str]) -> Sequence[Note]:
        """What it has to say of games, entry by entry."""
        return ()


def matter_links(request: HttpRequest, *entries: tuple[str, UUID]) -> list[Leading]:
    """Where a screen about an incident or a complaint leads on to, from entries by kind and id."""
    return [
        link for of in entries for one in extensions() for link in one.matter_links(request, *of)
    ]


@cache
def extensions() -> tuple[Extension, ...]:
    """The packages of the house, the floor first."""
    return tuple(one for one in apps.get_app_configs() if isinstance(one, Extension))


@cache
def event_kinds() -> dict[str, type[Event]]:
    """Every kind of event of every package, and its class."""
    return {kind: event for one in extensions() for kind, event in one.event_kinds().items()}


@cache
def jobs() -> dict[str, str]:
    """The task of every topic."""
    return {topic: task for one in extensions() for topic, task in one.jobs().items()}


@cache
def book_questions() -> dict[str, BookQuestion]:
    """What is asked of the book, by kind."""
    return {kind: ask for one in extensions() for kind, ask in one.book_questions().items()}


@cache
def partida_judges() -> tuple[PartidaJudge, ...]:
    """Everybody who judges a partida."""
    return tuple(judge for one in extensions() for judge in one.partida_judges())
