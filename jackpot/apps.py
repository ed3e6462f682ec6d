"""Tells Django about this package, the progressive prize, and the house what it adds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from types import ModuleType
from typing import TYPE_CHECKING

from django.http import HttpRequest

from casino.events.event import Event
from casino.extensions import Extension

if TYPE_CHECKING:
    from casino.admin.site import RailLink
    from casino.extensions import BookQuestion, PartidaJudge
    from casino.floor.away.blank_sheets import Sheet as PaperSheet
    from casino.floor.table_links import TableLinks
    from casino.floor.tables.todo_lists import Todo
    from casino.importing.sheet_columns import Sheet
    from casino.law.dossier import RecordedEvent
    from casino.models import BookEntry
    from casino.previewing import Previews
    from casino.web.entries.entry_page import Leading


class JackpotConfig(Extension):
    """Jackpot: the progressive prize."""

    name = "jackpot"

    def event_kinds(self) -> Mapping[str, type[Event]]:
        """What is recorded of pools."""
        from jackpot.events import KINDS

        return KINDS

    def book_questions(self) -> Mapping[str, BookQuestion]:
        """Whether a pool's story bears what comes next."""
        from jackpot import pool_questions

        return {
            "terms-confirmed/1": pool_questions.confirmation,
            "jackpot-started/1": pool_questions.start,
            "jackpot-won/1": pool_questions.win,
            "jackpot-paid/1": pool_questions.payment,
            "jackpot-adjusted/1": pool_questions.adjustment,
        }

    def jobs(self) -> Mapping[str, str]:
        """Meters are sealed at the day's end."""
        return {"jackpot-sealing": "jackpot.tasks.seal_pool"}

    def first_day_sheets(self) -> Sequence[Sheet]:
        """The pools with their terms, and their prizes."""
        from jackpot.queries.first_day_pools import SHEETS

        return SHEETS

    def paper_sheets(self) -> Sequence[PaperSheet]:
        """Chips collected, prizes won and paid."""
        from jackpot.floor.paper_sheets import SHEETS

        return SHEETS

    def partida_judges(self) -> Sequence[PartidaJudge]:
        """What was staked, won and paid."""
        from jackpot.rules import judge_jackpot

        return (judge_jackpot,)

    def previews(self) -> Sequence[Previews]:
        """What an event of a pool would open, as the book stands."""
        from jackpot.queries import meter_preview

        return (meter_preview.previewed,)

    def around_partida(
        self, partida: str, entries: Collection[RecordedEvent[Event]], using: str
    ) -> set[tuple[str, int]]:
        """What stands in its pools' streams."""
        from jackpot.queries.around_partida import of_partida

        return of_partida(partida, entries, using)

    def table_links(self) -> TableLinks | None:
        """The prize of a table."""
        from jackpot.floor import at_tables

        return at_tables

    def todos(self, now: datetime, tables: Collection[str] | None) -> Iterable[Todo]:
        """What waits at the pools."""
        from jackpot.floor import jackpot_todo

        return jackpot_todo.waiting(now, tables)

    def urls(self) -> Sequence[ModuleType]:
        """The pools' pages, and their screens on the floor."""
        from jackpot import urls
        from jackpot.floor import jackpot_floor_urls

        return jackpot_floor_urls, urls

    def api_nouns(self) -> Mapping[str, str]:
        """Every kind of a pool's record; seals are read alone."""
        return {
            "jackpot-incremented/1": "jackpot-increments",
            "terms-approved/1": "jackpot-terms",
            "terms-confirmed/1": "jackpot-terms-confirmations",
            "jackpot-started/1": "jackpot-starts",
            "jackpot-won/1": "jackpot-wins",
            "jackpot-paid/1": "jackpot-payments",
            "jackpot-adjusted/1": "jackpot-adjustments",
            "jackpot-read/1": "jackpot-readings",
            "jackpot-sealed/1": "jackpot-seals",
        }

    def rail(self) -> Sequence[RailLink]:
        """The pools."""
        from jackpot.urls import RAIL

        return RAIL

    def entry_links(self) -> Sequence[Callable[[HttpRequest, BookEntry], Leading | None]]:
        """A win's payment sheet, the terms, the meter."""
        from jackpot.pages.pool_pages import curve_way, sheet_way, terms_way

        return sheet_way, terms_way, curve_way
