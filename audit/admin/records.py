"""Findings and reconciliations as lists of the admin. Nobody adds, changes or deletes one here."""

from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from audit import audit_queries
from audit import sums_owed as owed
from audit.admin import (
    case_records,
    draw_lists,
    event_words,
    letter_lists,
    replay_lists,
    retention_lists,
    verification_lists,
)
from audit.admin.filters import (
    ArticleFilter,
    CaseStateFilter,
    GravityFilter,
    NamedFilter,
    OverdueFilter,
    ReadingFilter,
    ResponsibleFilter,
    RulebookFilter,
    StateFilter,
)
from audit.admin.finding_order import OrderFilter, in_order
from audit.admin.searching import searched
from audit.case_state import OPEN as CASE_OPEN
from audit.case_state import numbered, with_case
from audit.models import Finding, Reconciliation
from audit.models.saved_filters import LONGEST_NAME, LONGEST_QUERY
from audit.pages import audit_access
from audit.pages.findings.case_section import CASE_STATE, case_section
from audit.pages.findings.filters_page import kept, own_filters
from audit.pages.findings.finding_page import context_of
from audit.pages.findings.finding_rows import HEAD, rows_of
from audit.pages.findings.heading_moments import moment_words
from audit.pages.findings.people_present import Present, present_at
from audit.pages.page_words import RUN_REASONS, STATE, cited, gravity_word, tone_of, words
from audit.pages.run_pages import scope_of
from casino.admin.list_rows import source_of
from casino.admin.paging import FEW, KeysetAdmin, KeysetChangeList
from casino.web.display.list_filters import DayFilter, TableFilter
from casino.web.display.money_and_time import money
from casino.web.display.status_marks import mark
from casino.web.entries.entry_standing import Standing, Standings, marked, struck
from casino.web.list_files.list_answer import NO_FILTER, list_answer, refused_list
from casino.web.list_files.list_source import columns_of
from casino.web.words.languages import language

if TYPE_CHECKING:
    from audit.case_state import Worked

# They register draws, cases, letters, replays, erasures, verifications, copies handed out; and
# name the auditor's own words.
__all__ = [
    "case_records",
    "draw_lists",
    "event_words",
    "letter_lists",
    "replay_lists",
    "retention_lists",
    "verification_lists",
]


class FindingChangeList(KeysetChangeList):
    """A page of findings, with who was there at each; looked up once for all its rows.

    In another order than its own it is sorted whole, where it is not too long for that.
    """

    @property
    def order(self) -> str:
        """The order asked for; '' for the list's own."""
        asked = (one.order for one in self.form_filters if isinstance(one, OrderFilter))
        return next(asked, "")

    def ordered(self) -> audit_queries.Findings:
        """All of them in that order."""
        return in_order(self.queryset, "" if self.too_many_to_sort else self.order)

    def get_results(self, request: HttpRequest) -> None:
        """The page."""
        super().get_results(request)
        rows: list[Any] = list(self.result_list)
        there = present_at(rows)
        worked = with_case(Finding.objects.filter(pk__in=[row.pk for row in rows]))
        all_of_it = audit_access.reads_all(request)
        states = dict(worked.values_list("pk", "case_state")) if all_of_it else {}
        for row in rows:
            row.present = there.get(row.pk)
            row.case_state = states.get(row.pk, CASE_OPEN)


class RunChangeList(KeysetChangeList):
    """A page of runs, with how each stands that may have been withdrawn."""

    def get_results(self, request: HttpRequest) -> None:
        """The page."""
        super().get_results(request)
        rows: list[Any] = [row for row in self.result_list if row.rulebook]
        standings = Standings((row.stream, row.n) for row in rows)
        for row in rows:
            row.standing = standings.of(row.stream, row.n)


class ReadOnlyAdmin(KeysetAdmin):
    """What the auditor's runs wrote: read, never typed."""

    section = "oversight"

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody."""
        return False

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whoever may see one."""
        return self.has_view_permission(request)


@admin.register(Finding)
class FindingAdmin(ReadOnlyAdmin):
    """Findings: narrowed, searched, taken out as CSV, opened one by one."""

    place = 1
    keyset = ("gaming_day", "n")
    list_display = ("number", "rule", "at_table", "on_day", "sentence", "there", "owed", "state")
    list_display_links = ("sentence",)
    list_filter = (
        StateFilter, GravityFilter, RulebookFilter, ArticleFilter, ReadingFilter, TableFilter,
        DayFilter, NamedFilter, CaseStateFilter, ResponsibleFilter, OverdueFilter, OrderFilter,
    )  # fmt: skip
    search_fields = ("key",)
    search_help_text = _("article, table, partida, case, number, person, amount, words")
    change_list_template = "audit/findings.html"
    section: ClassVar[str] = "oversight"

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """By the matrix of permissions."""
        return audit_access.reads_findings(request)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """The list, with who was there."""
        return FindingChangeList

    def get_queryset(self, request: HttpRequest) -> audit_queries.Findings:
        """Those he may read, each with its state."""
        mine = audit_access.readable(request, Finding.objects.all())
        return numbered(audit_queries.with_state(mine))

    def get_search_results(
        self, request: HttpRequest, queryset: audit_queries.Findings, search_term: str
    ) -> tuple[audit_queries.Findings, bool]:
        """By what a finding is called, not by a substring of every column."""
        in_days = any(request.GET.get(name, "").strip() for name in DayFilter.parameters)
        return searched(queryset, search_term, in_days=in_days), False

    def get_urls(self) -> list[URLPattern]:
        """The admin's, and the CSV."""
        own = path("csv/", self.admin_site.admin_view(self.csv_view), name="audit_finding_csv")
        return [own, *super().get_urls()]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list, and a way to take out what it shows."""
        context = dict(extra_context or {})
        asked = kept(request.GET)
        context |= {
            "own_filters": own_filters(request),
            "filter_query": asked,
            "may_keep": bool(asked) and len(asked) <= LONGEST_QUERY,
            "longest_name": LONGEST_NAME,
            "most_sorted": FEW,
        }
        if audit_access.exports(request):
            context["csv_url"] = self.file_address(request)
        shown: HttpResponse = super().changelist_view(request, context)
        if isinstance(shown, TemplateResponse) and shown.context_data is not None:
            listed = shown.context_data["cl"]
            shown.context_data |= _owed_below(request, listed)
            persons = (one for one in listed.form_filters if isinstance(one, NamedFilter))
            shown.context_data["asks_game"] = next((one for one in persons if one.player), None)
        return shown

    def csv_view(self, request: HttpRequest) -> HttpResponseBase:
        """Exactly what the list shows under the same address, all of it, in its order."""
        if not audit_access.exports(request):
            raise PermissionDenied
        try:
            listed: Any = self.get_changelist_instance(request)
        except IncorrectLookupParameters:  # a file of all of them would not be that filter
            return refused_list(request, str(NO_FILTER))
        rows = rows_of(listed.ordered())
        return list_answer(request, source_of(listed, "findings", columns_of(HEAD), rows))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """One finding."""
        finding = self.get_object(request, object_id)
        if not self.has_view_permission(request, finding):
            raise PermissionDenied
        if finding is None:
            raise Http404
        context = {
            **self.admin_site.each_context(request),
            **context_of(finding),
            **case_section(request, finding),
            "reads_runs": audit_access.reads_all(request),
            "report_key": uuid4() if audit_access.exports(request) else "",
            "pack_key": uuid4(),
            "report_language": language(),
            "title": f"{cited(finding.rulebook, finding.article)} · {finding.table_code}",
            "opts": self.opts,
            **(extra_context or {}),
        }
        return TemplateResponse(request, "audit/finding.html", context)

    @admin.display(description=_("case"))
    def number(self, finding: "Worked") -> SafeString:
        """The number of its case; below it how grave it is, by its icon and its word."""
        gravity = gravity_word(finding.severity, finding.rulebook)
        return format_html(
            '<span class="nowrap">{}</span> <span class="below">{}</span>',
            finding.case or "–",
            mark(tone_of(finding.severity), gravity),
        )

    @admin.display(description=_("rule"))
    def rule(self, finding: Finding) -> str:
        """The article it cites."""
        return cited(finding.rulebook, finding.article).replace("n.º ", "n.º\u00a0")

    @admin.display(description=_("Table"))
    def at_table(self, finding: Finding) -> SafeString:
        """The table, where it is one's."""
        return format_html('<span class="nowrap">{}</span>', finding.table_code or "–")

    @admin.display(description=_("gaming day"))
    def on_day(self, finding: Finding) -> SafeString:
        """The gaming day, short."""
        shown = date_format(finding.gaming_day, "SHORT_DATE_FORMAT")
        return format_html('<span class="nowrap day">{}</span>', shown)

    @admin.display(description=_("finding"))
    def sentence(self, finding: Any) -> SafeString:
        """What happened; below it in which round, when, and the rule."""
        say = words()
        when = moment_words((getattr(finding, "present", None) or Present()).moment)
        return format_html(
            '{} <span class="below">{}</span> <span class="below">{}</span>',
            say.finding(finding),
            when,
            say.statement(finding.check_name),
        )

    @admin.display(description=_("who was there"))
    def there(self, finding: Any) -> SafeString | str:
        """Dealer, fiscal de banca and fiscal-chefe at that moment; who acted on a deck."""
        found = getattr(finding, "present", None)
        if found is None:
            return ""
        named = [found.dealer, found.fiscal, *found.chefes, *(one.by for one in found.acted)]
        values = dict.fromkeys(filter(None, named))
        shown = format_html_join(
            "\u00a0· ", '<span class="nowrap">{}</span>', ((one,) for one in values)
        )
        return format_html('<span class="quiet">{}</span>', shown)

    @admin.display(description=_("owed"))
    def owed(self, finding: Finding) -> SafeString | str:
        """How much, and to whom."""
        if not finding.owed_to:
            return ""
        return format_html(
            '<span class="nowrap">{}</span> <span class="quiet nowrap">{}</span>',
            money(finding.owed_cents),
            words().owed_to(finding.owed_to),
        )

    @admin.display(description=_("state"))
    def state(self, finding: Any) -> SafeString:
        """Open and how its case stands, or why it no longer holds."""
        state = finding.superseded_why or audit_queries.OPEN
        worked = state == audit_queries.OPEN and finding.case_state != CASE_OPEN
        tone, icon, word = CASE_STATE[finding.case_state] if worked else STATE[state]
        return mark(tone, str(word), icon)


def _would_hold(number: int) -> str:
    """How many findings would hold by what a comparison took for the law."""
    text = ngettext("%(n)s finding would hold", "%(n)s findings would hold", number)
    return text % {"n": number}


def _owed_below(request: HttpRequest, listed: Any) -> dict[str, Any]:
    """What stands below a list of findings: what all of it owes, and what of it is unresolved."""
    sums = owed.sums_of(listed.queryset) if listed.result_count else None
    if sums is None or not sums.all.findings:
        return {}
    return {
        "owed": sums,
        "owed_amounts": [
            (_("owed to players"), money(sums.all.to_players), money(sums.unresolved.to_players)),
            (_("owed to the house"), money(sums.all.to_house), money(sums.unresolved.to_house)),
        ],
        "owed_most": owed.MOST,
        "owed_url": reverse("owed") if audit_access.reads_all(request) else "",
    }


@admin.register(Reconciliation)
class ReconciliationAdmin(ReadOnlyAdmin):
    """Reconciliations, the newest first."""

    place = 2
    list_display = ("scope", "why", "asked", "recorded_at", "came_to")
    list_filter = (DayFilter,)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """By the matrix of permissions."""
        return audit_access.reads_all(request)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Each with what it came to."""
        return audit_queries.with_results(super().get_queryset(request))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """The list, with those that were withdrawn."""
        return RunChangeList

    @admin.display(description=_("asked for by"), empty_value="–")
    def asked(self, run: Any) -> SafeString | None:
        """Who asked for it; nobody by name where the house did."""
        return format_html('<span class="nowrap">{}</span>', run.asked_by) if run.asked_by else None

    @admin.display(description=_("reconciliation"))
    def scope(self, run: Any) -> SafeString:
        """What it looks at; leads to its page. Struck out where it was withdrawn."""
        form = '<a href="{}">{}</a>'
        standing: Standing = getattr(run, "standing", "holds")
        if struck(standing):
            form = f'<a href="{{}}"><s>{{}}</s></a> {marked(standing)}'
        return format_html(form, reverse("run", args=[run.run]), scope_of(run))

    list_display_links = None

    @admin.display(description=_("why"))
    def why(self, reconciliation: Reconciliation) -> str:
        """What made it run."""
        return str(RUN_REASONS.get(reconciliation.reason, reconciliation.reason))

    @admin.display(description=_("came to"))
    def came_to(self, run: Any) -> SafeString:
        """How many findings hold; that it has not ended."""
        if run.held is None:
            return mark("idle", str(_("not ended")), "running")
        if run.rulebook:  # whatever it came to counts nowhere
            return mark("note", _would_hold(run.held))
        if run.held:
            return mark("warning", f"{run.held} {Finding._meta.verbose_name_plural}")
        return mark("kept", str(_("nothing found")))
