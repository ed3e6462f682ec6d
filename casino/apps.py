"""Tells Django about this package: the floor, and the book it keeps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.db import connections
from django.http import HttpRequest

from casino.events.event import Event
from casino.extensions import Extension

if TYPE_CHECKING:
    from prometheus_client.core import Metric

    from casino.admin.search.found_groups import FoundGroup
    from casino.admin.site import Panel, RailLink
    from casino.extensions import BookQuestion, PartidaJudge
    from casino.floor.tables.todo_lists import Todo
    from casino.importing.sheet_columns import Sheet
    from casino.law.rulebook.rulebook import RecordedSet
    from casino.models import BookEntry
    from casino.previewing import Previews
    from casino.web.entries.entry_page import Leading


class CasinoConfig(Extension):
    """Casino: the floor, and the book it keeps."""

    name = "casino"

    def ready(self) -> None:
        """Keep the house's own rulebooks too, and read each with the figures set in the book; let
        `manage.py check --database default` ask for the book's guards and a fit server. Raises:
        ImproperlyConfigured, for one that is no rulebook.
        """
        keep_own_rulebooks()
        read_figures_set()
        register(Tags.database)(guards_are_there)

    def event_kinds(self) -> Mapping[str, type[Event]]:
        """What is recorded on the floor."""
        from casino.events.kinds import KINDS

        return KINDS

    def jobs(self) -> Mapping[str, str]:
        """What was held on a tablet is written; files that were brought are judged and written."""
        return {
            "held-record": "casino.tasks.write_held",
            "import-judging": "casino.tasks.judge_import",
            "import-writing": "casino.tasks.write_import",
        }

    def book_questions(self) -> Mapping[str, BookQuestion]:
        """That nobody confirms a file of his own; that a table's name is no page's."""
        from casino.floor.tables.table_name import named_as_a_page
        from casino.importing.import_questions import second_person

        return {"import-confirmed/1": second_person, "table-registered/1": named_as_a_page}

    def first_day_sheets(self) -> Sequence[Sheet]:
        """People, offices, tables, limits, machines, cards."""
        from casino.importing.first_day_sheets import SHEETS

        return SHEETS

    def partida_judges(self) -> Sequence[PartidaJudge]:
        """The rulebook's judge, and the house's."""
        from casino.law.checks.table.house_controls import judge_house
        from casino.law.partida_judge import judge_partida

        return judge_partida, judge_house

    def previews(self) -> Sequence[Previews]:
        """A deck or a machine in use, people nobody knows."""
        from casino.access import decks_in_use
        from casino.web.forms import people_choices

        return decks_in_use.previewed, people_choices.previewed

    def todos(self, now: datetime, tables: Collection[str] | None) -> Iterable[Todo]:
        """What waits on the floor; files, requests, acts and offices that wait for a person, of no
        table.
        """
        from casino.floor.tables import (
            todo_acts,
            todo_directory,
            todo_floor,
            todo_imports,
            todo_requests,
        )

        yield from todo_floor.waiting(now, tables)
        if tables is None:
            yield from todo_imports.waiting(now)
            yield from todo_requests.waiting(now)
            yield from todo_acts.waiting(now)
            yield from todo_directory.waiting()

    def figures(self, now: datetime) -> Iterable[Metric]:
        """Records, jobs, the seal."""
        from casino.web.monitoring.house_figures import of_floor

        return of_floor(now)

    def urls(self) -> Sequence[ModuleType]:
        """The timelines; imports; the machine; where programs ask how the house is."""
        from casino.admin.host import host_urls
        from casino.admin.imports import import_urls
        from casino.admin.timeline import timeline_urls
        from casino.web.monitoring import monitoring_urls

        return timeline_urls, import_urls, host_urls, monitoring_urls

    def api_nouns(self) -> Mapping[str, str]:
        """What is recorded on the floor."""
        from casino.api.api_nouns import NOUNS

        return NOUNS

    def rail(self) -> Sequence[RailLink]:
        """The machines that call; the directory; imports; the machine the house runs on; the
        security log.
        """
        from casino.admin.directory_page import RAIL as DIRECTORY
        from casino.admin.host.host_page import RAIL as HOST
        from casino.admin.imports.import_urls import RAIL as IMPORTS
        from casino.admin.security_events import RAIL as SECURITY
        from casino.api.machines_page import RAIL

        return (RAIL, DIRECTORY, *IMPORTS, HOST, SECURITY)

    def finders(self) -> Sequence[Callable[[HttpRequest, str], FoundGroup | None]]:
        """An entry by its number; people."""
        from casino.admin.search.found_groups import colleagues, entries

        return entries, colleagues

    def public_links(self) -> Sequence[RailLink]:
        """For who has lost password or second factor."""
        from casino.admin.site import RailLink
        from casino.web.login.new_login_page import LINK

        return (RailLink(LINK, "login-new", "person"),)

    def panels(self) -> Sequence[Callable[[HttpRequest], Panel | None]]:
        """What an administrator may decide on."""
        from casino.floor.tables.todo_requests import panel

        return (panel,)

    def entry_links(self) -> Sequence[Callable[[HttpRequest, BookEntry], Leading | None]]:
        """The entry's game in time, and its summary."""
        from casino.admin.timeline.timeline_pages import summary_way, timeline_way

        return timeline_way, summary_way


def keep_own_rulebooks() -> None:
    """Those of the folder RULEBOOKS names, if any. Raises: ImproperlyConfigured."""
    from casino.law.rulebook.law_text import LawError
    from casino.law.rulebook.rulebook_file import keep_also

    if not settings.RULEBOOKS:
        return
    try:
        keep_also(Path(settings.RULEBOOKS))
    except LawError as error:
        from django.utils.translation import gettext, override

        with override("pt-pt"):
            in_portuguese = error.text(gettext)
        raise ImproperlyConfigured(f"RULEBOOKS: {in_portuguese} / {error}") from error


def read_figures_set() -> None:
    """Whoever asks for a rulebook is given the figures set in the book with it."""
    from casino.law.rulebook.rulebook_file import read_sets_by

    def in_the_book() -> tuple[RecordedSet, ...]:
        from casino.importing.law_in_use import sets_now  # once the models are there

        return sets_now()

    read_sets_by(in_the_book)


def guards_are_there(databases: Sequence[str] | None = None, **_: object) -> list[CheckMessage]:
    """One error for each guard that is missing, for what makes machine or server unfit, and for a
    book that is for training where the program is not, or the other way round.

    Only the application's own connection is asked: `migrate`, which runs as the owner, must be able
    to put them there.
    """
    if "default" not in (databases or ()):
        return []
    from casino.guards import missing_guards
    from casino.machine.server_fit import unfit_machine, unfit_server

    unfit = [*unfit_machine(), *unfit_server(connections["default"])]
    missing = list(missing_guards(connections["default"]))
    other = "" if missing else _why_not_this_book()
    return [
        *(Error(each, id="casino.E002") for each in unfit),
        *(Error(each, id="casino.E001") for each in missing),
        *([Error(other, id="casino.E003")] if other else []),
    ]


def _why_not_this_book() -> str:
    """Asked where the book is there: of a database without tables nothing is known."""
    from casino.demo.training_book import why_not_this_book

    return why_not_this_book(connections["default"])
