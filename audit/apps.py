"""Tells Django about this package, which audits the floor, and the house what it adds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from types import ModuleType
from typing import TYPE_CHECKING

from django.http import HttpRequest

from casino.events.event import Event
from casino.extensions import Extension

if TYPE_CHECKING:
    from uuid import UUID

    from django.urls import URLPattern
    from prometheus_client.core import Metric

    from casino.admin.search.found_groups import FoundGroup
    from casino.admin.site import Panel, RailLink
    from casino.extensions import BookQuestion
    from casino.floor.tables.board_tiles import DayFound
    from casino.floor.tables.todo_lists import Todo
    from casino.models import BookEntry
    from casino.web.entries.entry_notes import Note
    from casino.web.entries.entry_page import Leading
    from jackpot.pages.pool_notes import PoolNoteOf


class AuditConfig(Extension):
    """Audit: what was done, against the law."""

    name = "audit"

    def event_kinds(self) -> Mapping[str, type[Event]]:
        """What the auditor records."""
        from audit.events import KINDS

        return KINDS

    def book_questions(self) -> Mapping[str, BookQuestion]:
        """What only the book can answer of a case's step, a draw, an erasure; where webhooks go."""
        from audit import case_questions
        from audit.draws import draw_questions
        from audit.mailing import webhooks
        from audit.retention import retention_questions

        return {
            **case_questions.QUESTIONS,
            **retention_questions.QUESTIONS,
            "draw-committed/1": draw_questions.commitment,
            "draw-made/1": draw_questions.result,
            "webhook-set/1": webhooks.host_allowed,
        }

    def jobs(self) -> Mapping[str, str]:
        """Reconciliations, verifications, replays, reports; what people of the demo ask for."""
        return {
            "partida-closed/1": "audit.tasks.reconcile_partida",
            "partida-touched": "audit.tasks.reconcile_if_late",
            "days-imported": "audit.tasks.reconcile_imported",
            "reconciler/corrected/1": "audit.tasks.reconcile_withdrawn",
            "reconciliation": "audit.tasks.reconcile",
            "reconciliation-hand": "audit.tasks.lend_a_hand",
            "book-verification": "audit.tasks.verify_book",
            "jackpot-replay": "audit.tasks.replay_pool",
            "demo-draw": "audit.tasks.draw_for_demo",
            "demo-cases": "audit.tasks.work_demo_cases",
            "demo-pack": "audit.document_tasks.pack_for_demo",
            "demo-reaudit": "audit.document_tasks.sheet_for_demo",
            "report": "audit.document_tasks.make_report",
            "demo-letters": "audit.document_tasks.write_demo_letters",
        }

    def table_alerts(
        self, tables: Collection[str], now: datetime
    ) -> Mapping[str, Sequence[object]]:
        """What is due, and what was found."""
        from audit.watch.alerts import of_tables

        return of_tables(tables, now)

    def day_findings(self, day: date) -> Mapping[str, DayFound]:
        """The open findings of that day."""
        from audit.watch.day_findings import of_day

        return of_day(day)

    def timeline_links(self, request: HttpRequest, thing: str, name: str) -> Sequence[Leading]:
        """To a report of the night, and of a game to its cards."""
        from audit.pages.findings.cards_page import cards_way
        from audit.reports.report_pages import report_ways

        cards = cards_way(request, name) if thing == "partida" else None
        return [*report_ways(request, thing, name), *([] if cards is None else [cards])]

    def todos(self, now: datetime, tables: Collection[str] | None) -> Iterable[Todo]:
        """What the house owes."""
        from audit.retention import erasures_waiting
        from audit.watch import watch_cases, watch_letters, watch_todo

        rooms = (watch_todo, watch_cases, watch_letters, erasures_waiting)
        return [todo for room in rooms for todo in room.waiting(now, tables)]

    def house_words(self) -> Mapping[str, str]:
        """Its articles and checks of the house's own auditing."""
        from audit.runs.house_checks import WORDS

        return WORDS

    def list_handed_out(self, request: HttpRequest, of: str, count: int) -> None:
        """It is recorded. Raises: PermissionDenied, Refused."""
        from audit.exporting.lists import handed_out

        handed_out(request, of, count)

    def figures(self, now: datetime) -> Iterable[Metric]:
        """Findings, runs, the watch, mails."""
        from audit.watch.watch_figures import of_audit

        return of_audit(now)

    def api_nouns(self) -> Mapping[str, str]:
        """What is done about findings."""
        return {
            "finding-assigned/1": "finding-assignments",
            "explanation-asked/1": "explanation-requests",
            "explanation-given/1": "explanations",
            "finding-noted/1": "finding-notes",
            "footage-marked/1": "footage-marks",
            "finding-decided/1": "finding-decisions",
            "finding-settled/1": "finding-settlements",
            "finding-reopened/1": "finding-reopenings",
        }

    def api_routes(self) -> Sequence[URLPattern]:
        """Findings, the book, runs, reports."""
        from audit.admin.api_routes import ROUTES

        return ROUTES

    def urls(self) -> Sequence[ModuleType]:
        """The auditor's pages, and the manual."""
        from audit.manual import manual_pages
        from audit.pages import urls
        from audit.reports import report_urls

        return urls, report_urls, manual_pages

    def rail(self) -> Sequence[RailLink]:
        """The auditor's pages, and the manual."""
        from audit.manual.manual_pages import LINK
        from audit.pages.urls import RAIL
        from audit.reports.report_urls import RAIL as REPORTS

        return [*RAIL, *REPORTS, LINK]

    def floor_links(self) -> Sequence[RailLink]:
        """The manual."""
        from audit.manual.manual_pages import LINK

        return (LINK,)

    def finders(self) -> Sequence[Callable[[HttpRequest, str], FoundGroup | None]]:
        """Articles of the law; findings by their case or article."""
        from audit.admin.found_findings import articles_found, findings_found

        return articles_found, findings_found

    def public_links(self) -> Sequence[RailLink]:
        """Where anybody verifies a document."""
        from audit.reports.report_urls import PUBLIC

        return PUBLIC

    def panels(self) -> Sequence[Callable[[HttpRequest], Panel | None]]:
        """The overview."""
        from audit.pages.overview import panel

        return (panel,)

    def request_panels(self) -> Sequence[Callable[[HttpRequest, BookEntry], Panel | None]]:
        """What figures of a rulebook that are asked for would change."""
        from audit.pages.law.figure_changes import panel

        return (panel,)

    def entry_links(self) -> Sequence[Callable[[HttpRequest, BookEntry], Leading | None]]:
        """An entry's proof, the rounds it puts in doubt, its run, its letter, who looked at it."""
        from audit.pages.book.proof_page import proof_way
        from audit.pages.findings.exposure_page import exposure_way
        from audit.pages.privacy.looks_page import looks_way
        from audit.pages.privacy.proposing_page import proposing_way
        from audit.pages.run_pages import run_way
        from audit.reports.letter_pages import letter_way
        from audit.reports.report_pages import payout_way

        return (
            *(proof_way, exposure_way, run_way, payout_way, letter_way),
            *(looks_way, proposing_way),
        )

    def matter_links(self, request: HttpRequest, kind: str, entry_id: UUID) -> Sequence[Leading]:
        """The letters that are made of it."""
        from audit.reports.letter_pages import letter_ways

        return letter_ways(request, kind, entry_id)

    def timeline_notes(self, request: HttpRequest, partidas: Collection[str]) -> Sequence[Note]:
        """What was found in them."""
        from audit.pages.findings.finding_notes import findings_of

        return findings_of(request, partidas)

    def pool_notes(self) -> Sequence[PoolNoteOf]:
        """When a pool was replayed last."""
        from audit.pages.pool_replay import replay_note

        return (replay_note,)
