"""Steps of cases as lists and forms. A step is taken from its finding's page."""

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from audit.case_events import (
    CaseEvent,
    ExplanationAsked,
    FindingDecided,
    FindingNoted,
    FindingSettled,
    FootageMarked,
)
from audit.case_state import allowed_for, step_of
from audit.models import CaseNote, CaseStep, Finding
from audit.pages.audit_access import readable
from audit.pages.findings.case_section import same_cause, worked
from audit.pages.findings.heading_moments import lines_of
from audit.pages.findings.people_present import moments_of
from casino import clock
from casino.admin.record_admin import PartidaFilter
from casino.admin.seal_records import SealAdmin
from casino.events.event import Event
from casino.law.rulebook.rulebook_file import counted_as
from casino.models import BookEntry
from casino.recording import Actor, Receipt
from casino.web.display.cells import AT_TABLE, cell, titled
from casino.web.display.list_filters import DayFilter, FormFilter, StaffFilter, TableFilter
from casino.web.entries.entry_page import Leading
from casino.web.words.kind_words import kind_word

if TYPE_CHECKING:
    from audit.case_state import Worked

CASE: Final = cell("case", _("case"))
OF: Final = "of"  # in an address: the finding whose case it is
ALSO: Final = "also"  # a box: another finding of the same cause
_AROUND: Final = timedelta(minutes=5)  # recordings begin and end so much before and after


class CaseFilter(FormFilter):
    """One case, by its number."""

    title = _("case")
    parameters = ("case",)
    field = "case"


class CaseAdmin(SealAdmin):
    """What is done about findings: nothing of it is corrected, the next step says otherwise."""

    section = "oversight"
    recordable = True
    list_filter = (CaseFilter, DayFilter, TableFilter, PartidaFilter, StaffFilter)
    found_by = ("case", "finding")
    search_help_text = _("case, partida, number, person")
    record_template = "audit/case_form.html"

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody from a list: a step is taken from its finding."""
        return False

    def beginning(self, request: HttpRequest, kind: type[Event], by: Actor) -> dict[str, object]:
        """The finding it is of is not asked for, where the address names it."""
        finding = _finding(request)
        if finding is None or not issubclass(kind, CaseEvent):
            return super().beginning(request, kind, by)
        return {"given": step_of(finding), "values": _suggested(finding, kind)}

    def around_form(self, request: HttpRequest, kind: type[Event]) -> dict[str, object]:
        """The finding, and the others of the same cause."""
        finding = _finding(request)
        if finding is None or not issubclass(kind, CaseEvent):
            return {}
        others = same_cause(request, finding, kind)
        chosen = set(request.POST.getlist(ALSO))
        return {
            "about": {**lines_of([finding])[0], "case": finding.case},
            "list_url": reverse("admin:audit_finding_change", args=[finding.pk]),
            "also": ALSO,
            "same_cause": [
                {**line, "case": one.case, "chosen": str(one.pk) in chosen}
                for line, one in zip(lines_of(others, moments=False), others, strict=True)
            ],
        }

    def others(self, request: HttpRequest, kind: type[Event]) -> list[dict[str, object]]:
        """Of those the ones that were ticked."""
        chosen = set(request.POST.getlist(ALSO))
        finding = _finding(request) if chosen else None
        if finding is None or not issubclass(kind, CaseEvent):
            return []
        own = {"owed_cents": None} if kind is FindingDecided else {}  # each owes what it owes
        return [
            {**step_of(one), **own}
            for one in same_cause(request, finding, kind)
            if str(one.pk) in chosen
        ]

    def after(self, receipt: Receipt) -> str | None:
        """Back to the finding."""
        row = self.model._default_manager.filter(pk=receipt.entry_id).first()
        return None if row is None else _page_of(row.finding)

    def leading(self, request: HttpRequest, entry: BookEntry) -> list[Leading]:
        """To the finding."""
        row = self.model._default_manager.filter(pk=entry.pk).first()
        url = None if row is None else _page_of(row.finding)
        return [Leading(_("The finding"), url, "search")] if url else []


@admin.register(CaseStep)
class CaseStepAdmin(CaseAdmin):
    """Steps of cases, the newest first."""

    place = 3
    kinds = CaseStep.events
    cells = (
        CASE,
        "step",
        AT_TABLE,
        cell("responsible", _("responsible")),
        cell("answer_by", _("answer until")),
    )

    @admin.display(description=_("step"))
    def step(self, step: CaseStep) -> str | SafeString:
        """Which step it is."""
        return titled(kind_word(step.kind))


@admin.register(CaseNote)
class CaseNoteAdmin(CaseAdmin):
    """Inspectors' notes, for inspectors."""

    place = 4
    kinds = (FindingNoted,)
    cells = (CASE, AT_TABLE)


def _finding(request: HttpRequest) -> "Worked | None":
    """The finding an address names, with how its case stands; None for none he may read."""
    with suppress(ValueError):
        asked = UUID(request.GET.get(OF, ""))
        found = readable(request, Finding.objects.filter(pk=asked)).first()
        return None if found is None else worked(found)
    return None


def _suggested(finding: "Worked", kind: type[CaseEvent]) -> dict[str, object]:
    """What its form begins with."""
    if kind is FindingSettled:
        left = finding.case_owed - finding.case_paid
        return {
            "paid_cents": left if left > 0 else None,
            "paid_to": finding.owed_to or None,
            "owner": finding.where.get("owner") if finding.owed_to == "player" else None,
        }
    if kind is ExplanationAsked:
        allowed = allowed_for(counted_as(finding.severity, finding.rulebook))
        now = clock.now().replace(second=0, microsecond=0)
        return {"answer_by": None if allowed is None else now + allowed}
    if kind is FootageMarked:
        moment = moments_of([finding]).get(finding.pk)
        at = finding.occurred_at if moment is None else moment.at.replace(microsecond=0)
        return {"recorded_from": at - _AROUND, "recorded_until": at + _AROUND}
    return {}


def _page_of(key: str) -> str | None:
    found = Finding.objects.filter(key=key).order_by("-n").first()
    return None if found is None else reverse("admin:audit_finding_change", args=[found.pk])
