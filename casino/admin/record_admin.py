"""One ModelAdmin for every projection: list, one entry, record, correct. Never a change, never a
delete.

Django's own editing views are not reachable here: there is no address for them, and every write
goes through `casino.recording`.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final
from uuid import UUID

from django.contrib.admin import display
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import JSONField, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise, lazystr
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.access import access_policy
from casino.access.private_looks import kept_of, looked_at, note_look
from casino.admin.list_rows import projection_source
from casino.admin.paging import KeysetAdmin, KeysetChangeList
from casino.admin.search.sought_words import sought_in
from casino.events.event import Event
from casino.events.partidas import PartidaOpened
from casino.models import BookEntry, Partida
from casino.recording import Actor, Receipt
from casino.recording.attaching import ATTACHMENTS
from casino.recording.authority import policy_of
from casino.web.display.cells import CODED, titled, when
from casino.web.display.list_filters import CodeFilter, DayFilter, StaffFilter, TableFilter
from casino.web.entries.entry_files import file_answer
from casino.web.entries.entry_notes import notes_of
from casino.web.entries.entry_page import (
    PAGES,
    UNREADABLE,
    Leading,
    author_of,
    entry_context,
    event_and_author,
    unreadable_context,
    values_of,
)
from casino.web.entries.entry_standing import Standings, marked, struck
from casino.web.entries.timeline_links import linked
from casino.web.forms.event_forms import initial_values
from casino.web.forms.prefill import suggested
from casino.web.forms.record_form import (
    TEMPLATE,
    RecordingRequest,
    announce,
    onwards,
    record_form_view,
)
from casino.web.list_files.list_answer import NO_FILTER, list_answer, refused_list
from casino.web.words import field_words
from casino.web.words.coded_words import NAMED_WORDS
from casino.web.words.kind_words import kind_word

_OFFERED: Final = 60  # partidas: what is older is typed
# What a list was narrowed to is where its next record begins.
_CARRIED: Final = ("table", "partida", "deck", "shuffler", "incident", "complaint")


class PartidaFilter(CodeFilter):
    """One partida, by its name."""

    title = _("Partida")
    parameters = ("partida",)
    field = "partida_id"

    def offered(self) -> Sequence[tuple[str, str]]:
        """The newest he may read, at the table that is asked for where one is."""
        rows = Partida.objects.order_by("-pk")
        if access_policy.reads(self.request, PartidaOpened.kind) != "all":
            rows = rows.filter(partida_id__in=access_policy.own_partidas(self.request))
        if table := self.request.GET.get("table", "").replace("\0", "").strip():
            rows = rows.filter(table_code__in={table, table.upper()})
        names = rows.values_list("partida_id", flat=True)[:_OFFERED]
        return [(name, "") for name in dict.fromkeys(names)]


def _ordered_by(of_list: "RecordAdmin", column: object) -> object:
    """The column of the table a column of a list is sorted by; None where it is none."""
    shown = getattr(of_list, column, None) if isinstance(column, str) else column
    return getattr(shown, "admin_order_field", None)


class RecordChangeList(KeysetChangeList):
    """A page of a projection, with how each of its entries stands to its corrections."""

    def get_results(self, request: HttpRequest) -> None:
        """The page; corrections are looked up once for all its rows."""
        super().get_results(request)
        rows: list[Any] = list(self.result_list)
        standings = Standings((row.stream, row.n) for row in rows)
        games = {getattr(row, "partida_id", "") for row in rows}
        notes = notes_of(request, games - {None, ""})
        for row in rows:
            known = standings.of(row.stream, row.n)
            row.standing_now = self.model_admin.holding(row.n) if known == "holds" else known
            row.notes_now = [note for note in notes if str(row.pk) in note.evidence]


class RecordAdmin(KeysetAdmin):
    """A projection. `kinds` are the events that stand on it, `cells` its columns of a list.

    `found_by` are columns in which a search looks for parts of what they hold, beside those every
    list has. With `found_as` the search of the whole house looks through it, and names what it
    finds by that column; `private_cells` are the private fields its cells show.
    """

    kinds: ClassVar[tuple[type[Event], ...]] = ()
    cells: ClassVar[tuple[object, ...]] = ()
    found_by: ClassVar[tuple[str, ...]] = ()
    found_as: ClassVar[str] = ""
    private_cells: ClassVar[tuple[str, ...]] = ()
    found_by_uuid: ClassVar[tuple[str, ...]] = ("pk",)
    recordable: ClassVar[bool] = True
    own_by_author: ClassVar[bool] = True
    list_filter: ClassVar[Any] = (DayFilter, TableFilter, PartidaFilter, StaffFilter)
    list_display_links: Any = ("occurred",)
    change_list_template = "admin/casino/projection.html"
    record_template: ClassVar[str] = TEMPLATE
    counts_by_two: ClassVar[bool] = False  # only once another person has approved it
    search_fields = ("partida_id",)
    search_help_text = _("part of a number, name or word")

    def __init__(self, model: Any, admin_site: Any) -> None:
        super().__init__(model, admin_site)
        # What the entry says that was handed out, where its list is.
        NAMED_WORDS.setdefault(("of_list", self.list_name), self.list_words)
        for kind in self.kinds:
            PAGES.setdefault(
                kind.kind, f"admin:{self.opts.app_label}_{self.opts.model_name}_change"
            )

    @property
    def list_name(self) -> str:
        """What an entry calls this list when it was handed out."""
        return str(self.opts.model_name)

    @property
    def list_words(self) -> Promise:
        """What people call it, in the language of whoever reads."""
        return lazystr(self.opts.verbose_name_plural)

    # -- Who may what -------------------------------------------------------------------------

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether he may read any of these kinds."""
        return any(access_policy.reads(request, kind.kind) != "none" for kind in self.kinds)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whether he may write any of them."""
        return bool(self.writable(request))

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody changes what was recorded."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody deletes it."""
        return False

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whoever may see one."""
        return self.has_view_permission(request) or self.has_add_permission(request)

    def writable(self, request: HttpRequest) -> list[type[Event]]:
        """The kinds he may write here."""
        if not self.recordable:
            return []
        return [kind for kind in self.kinds if access_policy.actor(request, kind.kind) is not None]

    # -- The list -----------------------------------------------------------------------------

    def get_list_display(self, request: HttpRequest) -> Any:
        """When, the projection's own columns, by whom, how it stands."""
        return ("occurred", *self.cells, "by_whom", "standing")

    def get_sortable_by(self, request: HttpRequest) -> tuple[str, ...]:
        """The columns that are columns of its table, but for coded words: their codes are sorted
        otherwise than what the reader sees.
        """
        there = {
            field.name
            for field in self.opts.concrete_fields
            if not isinstance(field, JSONField) and field.name not in CODED
        }
        shown = self.get_list_display(request)
        return tuple(one for one in shown if _ordered_by(self, one) in there)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Our list page."""
        return RecordChangeList

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows he may read."""
        rows = super().get_queryset(request)
        how = {access_policy.reads(request, kind.kind) for kind in self.kinds}
        if "all" in how:
            return rows
        return rows.filter(access_policy.own(request, by_author=self.own_by_author))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Every word of it, wherever a row holds it (`sought_words`)."""
        sought = sought_in(request, search_term)
        if sought is None:
            return queryset.none(), False
        for word in sought:
            fits = word.within(self.model, self.found_by, self.found_by_uuid)
            queryset = queryset.filter(fits)
        return queryset, False

    @display(description=_("happened"), ordering="occurred_at")
    def occurred(self, row: Any) -> SafeString:
        """When, struck through where it no longer counts."""
        shown = when(row)
        return format_html("<s>{}</s>", shown) if struck(row.standing_now) else shown

    @display(description=_("recorded by"), ordering="staff")
    def by_whom(self, row: Any) -> SafeString:
        """Who recorded it, and as what."""
        return format_html(
            '{} <span class="below">{}</span>',
            linked("person", row.staff),
            field_words.word(row.office),
        )

    @display(description=_("standing"))
    def standing(self, row: Any) -> SafeString:
        """Whether it counts, and what was found of it."""
        return marked(row.standing_now, row.notes_now)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """The list, and the way to a new record: of the same game where the list is of one."""
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}_add"
        at = {key: request.GET[key] for key in _CARRIED if request.GET.get(key)}
        add_url = reverse(name) + (f"?{urlencode(at)}" if at else "")
        context: dict[str, object] = {"add_url": add_url, **(extra_context or {})}
        if access_policy.takes_lists(request):
            context["csv_url"] = self.file_address(request)
        return super().changelist_view(request, context)

    def csv_view(self, request: HttpRequest) -> HttpResponseBase:
        """Exactly what the list shows under the same address, all of it, as a file."""
        if not (self.has_view_permission(request) and access_policy.takes_lists(request)):
            raise PermissionDenied
        try:
            listed = self.get_changelist_instance(request)
        except IncorrectLookupParameters:  # a file of all of it would not be that filter
            return refused_list(request, str(NO_FILTER))
        assert isinstance(listed, KeysetChangeList)
        return list_answer(request, projection_source(listed, self.list_name))

    # -- The pages ----------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        """The list, a new record, one entry, its correction. No other of Django's addresses."""
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        guard = self.admin_site.admin_view
        return [
            path("", guard(self.changelist_view), name=f"{name}_changelist"),
            path("csv/", guard(self.csv_view), name=f"{name}_csv"),
            path("add/", guard(self.add_view), name=f"{name}_add"),
            path("<uuid:entry_id>/", guard(self.entry_view), name=f"{name}_change"),
            path("<uuid:entry_id>/correct/", guard(self.correct_view), name=f"{name}_correct"),
            path("<uuid:entry_id>/files/<str:digest>/", guard(self.file_view), name=f"{name}_file"),
        ]

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Record something new: of which kind is in the address where the projection holds
        several.
        """
        kinds = self.writable(request)
        if not kinds:
            raise PermissionDenied
        asked = request.GET.get("kind", "")
        kind = next((each for each in kinds if each.kind.split("/")[0] == asked), None)
        if kind is None and asked in {each.kind.split("/")[0] for each in self.kinds}:
            raise PermissionDenied  # another of this list is his to write
        if kind is None and len(kinds) > 1:
            return self._choice_of(request, kinds)
        kind = kind or kinds[0]
        by = access_policy.actor(request, kind.kind)
        assert by is not None
        outcome = record_form_view(
            request,
            RecordingRequest(
                kind=kind,
                by=by,
                beginning=self.beginning(request, kind, by),
                context=self._around(request, titled(kind_word(kind.kind)))
                | self.around_form(request, kind),
                others=self.others(request, kind),
                template=self.record_template,
            ),
        )
        return self._onwards(request, outcome) if isinstance(outcome, Receipt) else outcome

    def suggested(self, request: HttpRequest, kind: type[Event], by: Actor) -> dict[str, object]:
        """What a new record's form begins with."""
        return suggested(request, kind, by)

    def beginning(self, request: HttpRequest, kind: type[Event], by: Actor) -> dict[str, object]:
        """How its form begins (`EventForm`)."""
        return {"values": self.suggested(request, kind, by)}

    def around_form(self, request: HttpRequest, kind: type[Event]) -> dict[str, object]:
        """What stands around its form beside what does around every form."""
        return {"counts_by_two": self.counts_by_two}

    def others(self, request: HttpRequest, kind: type[Event]) -> list[dict[str, object]]:
        """What it is recorded of as well (`RecordingRequest.others`)."""
        return []

    def correct_view(self, request: HttpRequest, entry_id: UUID) -> HttpResponse:
        """Record the same event again as it should have been: it waits for a second person."""
        entry = self.entry_for(request, entry_id)
        by = access_policy.actor(request, entry.kind)
        if by is None or not (self.recordable and policy_of(entry.kind).correctable):
            raise PermissionDenied
        event, author = event_and_author(entry)
        private = looked_at(request, entry, author)
        beginning = {
            "values": initial_values(event) | (private or {}),
            "kept": kept_of(entry) if private is None else {},
            "occurred_at": entry.occurred_at,
            "correcting": True,
        }
        context = self._around(
            request, gettext("Correct: %(what)s") % {"what": kind_word(entry.kind)}
        )
        context["values"] = values_of(event, private or {})
        outcome = record_form_view(
            request,
            RecordingRequest(
                kind=type(event), by=by, beginning=beginning, context=context, target=entry
            ),
        )
        return self._onwards(request, outcome) if isinstance(outcome, Receipt) else outcome

    def entry_view(self, request: HttpRequest, entry_id: UUID) -> HttpResponse:
        """One entry as the book keeps it."""
        entry = self.entry_for(request, entry_id)
        context = self._around(request, titled(kind_word(entry.kind)))
        try:
            context |= entry_context(request, entry)
        except UNREADABLE:
            context |= unreadable_context(request, entry)
            return TemplateResponse(request, "admin/casino/unreadable.html", context)
        by = access_policy.actor(request, entry.kind)
        if by is not None and self.recordable and context["correctable"]:
            name = f"admin:{self.opts.app_label}_{self.opts.model_name}_correct"
            context["correct_url"] = reverse(name, args=[entry.pk])
        context["ways"] += self.leading(request, entry)
        return TemplateResponse(request, "admin/casino/record.html", context)

    def leading(self, request: HttpRequest, entry: BookEntry) -> list[Leading]:
        """Where a page of this projection leads on to, beside what every entry's does."""
        return []

    def file_view(self, request: HttpRequest, entry_id: UUID, digest: str) -> HttpResponse:
        """One of an entry's files, for whoever may read its private values."""
        entry = self.entry_for(request, entry_id)
        if not access_policy.reads_private(request, entry.kind, author_of(entry)):
            raise PermissionDenied
        answer = file_answer(entry, digest)
        note_look(request, entry.kind, [ATTACHMENTS], entry.pk)
        return answer

    def entry_for(self, request: HttpRequest, entry_id: UUID) -> BookEntry:
        """An entry of this projection that he may read."""
        entry = BookEntry.objects.select_related("stream").filter(pk=entry_id).first()
        if entry is None or entry.kind not in {kind.kind for kind in self.kinds}:
            raise Http404
        author = author_of(entry)
        if access_policy.may_read_entry(request, entry.kind, entry.partida_id, author):
            return entry
        if not access_policy.his_table_for(request, entry):
            raise PermissionDenied
        return entry

    def _choice_of(self, request: HttpRequest, kinds: Sequence[type[Event]]) -> HttpResponse:
        query = request.GET.copy()
        links = []
        for kind in kinds:
            query["kind"] = kind.kind.split("/")[0]
            links.append((f"?{query.urlencode()}", titled(kind_word(kind.kind))))
        context = self._around(request, titled(self.opts.verbose_name)) | {"links": links}
        return TemplateResponse(request, "admin/casino/kinds.html", context)

    def _around(self, request: HttpRequest, title: str) -> dict[str, Any]:
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"
        return {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title,
            "list_url": reverse(name) if self.has_view_permission(request) else "",
        }

    def _onwards(self, request: HttpRequest, receipt: Receipt) -> HttpResponse:
        announce(request, receipt)
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}_change"
        return onwards(self.after(receipt) or reverse(name, args=[receipt.entry_id]))

    def after(self, receipt: Receipt) -> str | None:
        """Where it goes on after a record, if not with its page."""
        return None
