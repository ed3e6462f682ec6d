"""What the book keeps of itself in the admin: every entry, corrections, attestations, erasures."""

from collections.abc import Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.access import access_policy
from casino.admin.paging import KeysetAdmin, KeysetChangeList
from casino.admin.record_admin import PartidaFilter, RecordAdmin
from casino.events.corrections import Corrected
from casino.events.event import RECONCILER
from casino.events.keeping import Erased, ImportConfirmed, ProjectionRebuilt
from casino.events.witnessing import Witnessed
from casino.extensions import event_kinds
from casino.models import (
    Attestation,
    BookEntry,
    Correction,
    Erasure,
    ImportConfirmation,
    Rebuild,
    Supersession,
)
from casino.recording.withdrawing import RUN
from casino.web.display.cells import cell, when
from casino.web.display.list_filters import ChoiceFilter, DayFilter, StaffFilter, TableFilter
from casino.web.entries.entry_page import author_of
from casino.web.entries.receipt_page import receipt_file, receipt_page
from casino.web.entries.timeline_links import linked
from casino.web.second_person.decision_page import decide_view
from casino.web.second_person.withdrawal_page import withdraw_view
from casino.web.words.kind_words import kind_word
from casino.web.words.place_words import stream_word


class BookAdmin(RecordAdmin):
    """What nobody records through a form of its own."""

    section = "book"
    recordable = False


@admin.register(Attestation)
class AttestationAdmin(BookAdmin):
    """Second persons' confirmations."""

    section, place = "shuffler", 40
    kinds = (Witnessed,)
    cells = (
        cell("partida_id", _("partida")),
        cell("witness"),
        cell("held", _("office")),
        cell("act"),
        cell("method"),
    )
    found_by = ("witness",)


@admin.register(Correction)
class CorrectionAdmin(BookAdmin):
    """Corrections and withdrawals that were decided."""

    place = 30
    kinds = (Corrected,)
    cells = (
        cell("original_stream", _("stream")),
        cell("original_n", _("corrected entry")),
        cell("decision"),
        cell("reason"),
    )


@admin.register(Erasure)
class ErasureAdmin(BookAdmin):
    """Private values that were erased."""

    place = 40
    kinds = (Erased,)
    cells = ()


@admin.register(Rebuild)
class RebuildAdmin(BookAdmin):
    """Projections that were made again."""

    place = 50
    kinds = (ProjectionRebuilt,)
    cells = (cell("shelf", _("shelf")), cell("rows", _("rows")))


@admin.register(ImportConfirmation)
class ImportConfirmationAdmin(BookAdmin):
    """Files whose records a second person had written."""

    place = 55
    kinds = (ImportConfirmed,)
    cells = (cell("content"), cell("records"), cell("brought_by"), cell("file_sha256"))
    found_by = ("file_sha256", "brought_by")


class DecidedFilter(ChoiceFilter):
    """Whether a second person has decided."""

    title = _("State")
    parameters = ("decided",)

    def options(self) -> Sequence[tuple[str, object]]:
        """Waiting, or decided."""
        return (("no", _("waiting")), ("yes", _("decided")))

    def chosen(self, queryset: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Those with, or without, a decision."""
        decided = self.decided()
        return queryset.filter(decided if value == "yes" else ~decided)

    def decided(self) -> Exists:
        """Whether a row of the list was decided."""
        return Exists(
            Correction.objects.filter(pending_stream=OuterRef("stream"), pending_n=OuterRef("n"))
        )


@admin.register(Supersession)
class SupersessionAdmin(RecordAdmin):
    """Corrections and withdrawals asked for; each opens where a second person decides on it."""

    section, place = "book", 20
    recordable = False
    cells = (
        cell("table_code", _("table")),
        "what",
        cell("original_n", _("corrected entry")),
        cell("reason"),
    )
    list_filter = (DecidedFilter, DayFilter, TableFilter, PartidaFilter, StaffFilter)

    @admin.display(description=_("kind"))
    def what(self, row: Any) -> str:
        """What was recorded anew."""
        return kind_word(row.kind)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Whoever may read what is corrected."""
        return bool(access_policy.readable_kinds(request, _CORRECTABLE))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The corrections of kinds he may read."""
        return readable(request, KeysetAdmin.get_queryset(self, request), "staff")

    def entry_view(self, request: HttpRequest, entry_id: UUID) -> HttpResponse:
        """Both side by side, and the decision."""
        asked = Supersession.objects.filter(pk=entry_id).first()
        if asked is None:
            raise Http404
        if not access_policy.may_read_entry(request, asked.kind, asked.partida_id, asked.staff):
            raise PermissionDenied
        title = _("This did not happen") if asked.withdraws else _("Correction")
        if asked.stream == RECONCILER:
            title = _("Withdrawal of a run")
        return decide_view(request, asked, self._around(request, str(title)))

    def correct_view(self, request: HttpRequest, entry_id: UUID) -> HttpResponse:
        """A correction is corrected on its own page."""
        raise Http404


class KindFilter(ChoiceFilter):
    """One kind of entry, in every version of it."""

    title = _("Kind")
    parameters = ("kind",)

    def options(self) -> Sequence[tuple[str, object]]:
        """Every kind there is."""
        bare = dict.fromkeys(kind.split("/", 1)[0] for kind in event_kinds())
        return sorted(((f"{one}/1", kind_word(f"{one}/1")) for one in bare), key=lambda o: o[1])

    def chosen(self, queryset: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Those of the kind chosen, whichever version its form is."""
        name = value.removesuffix("1")
        return queryset.filter(kind__in=[kind for kind in event_kinds() if kind.startswith(name)])


@admin.register(BookEntry)
class BookEntryAdmin(RecordAdmin):
    """Every entry of the book that he may read."""

    section, place = "book", 10
    recordable = False
    cells = ("what", "where", "place_in_stream")
    list_filter = (KindFilter, DayFilter, TableFilter, PartidaFilter)
    found_by_uuid: ClassVar[tuple[str, ...]] = ("pk", "key")

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Whoever may read anything."""
        return bool(access_policy.readable_kinds(request, event_kinds()))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The entries he may read, without their bytes."""
        rows = KeysetAdmin.get_queryset(self, request).select_related("stream")
        return readable(request, rows, None)

    def keyset_of(self, changelist: KeysetChangeList) -> tuple[str, ...]:
        """As they were recorded; of certain days by day, or all since then would be walked over."""
        days = any(isinstance(each, DayFilter) and each.values for each in changelist.form_filters)
        return ("gaming_day", "pk") if days else self.keyset

    def get_list_display(self, request: HttpRequest) -> Any:
        """When, what, where; who wrote it stands in its bytes."""
        return ("occurred", *self.cells)

    @admin.display(description=_("happened"), ordering="occurred_at")
    def occurred(self, row: Any) -> SafeString:
        """When."""
        return when(row)

    @admin.display(description=_("kind"))
    def what(self, entry: BookEntry) -> str:
        """What kind of entry."""
        return kind_word(entry.kind)

    @admin.display(description=_("table"))
    def where(self, entry: BookEntry) -> str | SafeString:
        """Table or partida."""
        if entry.partida_id:
            return linked("partida", entry.partida_id)
        return linked("table", entry.table_code) if entry.table_code else "–"

    @admin.display(description=_("entry"))
    def place_in_stream(self, entry: BookEntry) -> SafeString:
        """Number and stream."""
        return format_html(
            '{} <span class="below">{}</span>', entry.n, stream_word(entry.stream.name)
        )

    def get_urls(self) -> list[URLPattern]:
        """Beside the list's own, every entry's receipt, and that it did not happen."""
        guard = self.admin_site.admin_view
        name = "casino_bookentry_receipt"
        return [
            path("<uuid:entry_id>/receipt/", guard(self.receipt_view), name=name),
            path("<uuid:entry_id>/receipt/file/", guard(self.receipt_file), name=f"{name}_file"),
            path(
                "<uuid:entry_id>/withdraw/",
                guard(self.withdraw_view),
                name="casino_bookentry_withdraw",
            ),
            *super().get_urls(),
        ]

    def withdraw_view(self, request: HttpRequest, entry_id: UUID) -> HttpResponse:
        """What it tells did not happen: it is asked to be withdrawn."""
        entry = self.entry_for(request, entry_id)
        of_run = entry.kind == RUN
        title = gettext("Withdrawal of a run") if of_run else gettext("This did not happen")
        return withdraw_view(request, entry, self._around(request, title))

    def receipt_view(self, request: HttpRequest, entry_id: UUID) -> HttpResponse:
        """A record's receipt, for its author and whoever may read it."""
        return receipt_page(request, self.entry_for(request, entry_id))

    def receipt_file(self, request: HttpRequest, entry_id: UUID) -> HttpResponse:
        """The same as a file."""
        return receipt_file(self.entry_for(request, entry_id))

    def entry_for(self, request: HttpRequest, entry_id: UUID) -> BookEntry:
        entry = BookEntry.objects.select_related("stream").filter(pk=entry_id).first()
        if entry is None:
            raise Http404
        if not access_policy.may_read_entry(
            request, entry.kind, entry.partida_id, author_of(entry)
        ):
            raise PermissionDenied
        return entry


_CORRECTABLE = tuple(event_kinds())


def readable(request: HttpRequest, queryset: QuerySet[Any], author: str | None) -> QuerySet[Any]:
    """Of rows with a kind, a partida and perhaps an author, those he may read."""
    how = access_policy.readable_kinds(request, event_kinds())
    whole = [kind for kind, each in how.items() if each == "all"]
    if len(whole) == len(event_kinds()):
        return queryset
    asked = Q(kind__in=whole)
    own = [kind for kind, each in how.items() if each == "own"]
    if author is None:  # then only by their partidas
        own = [kind for kind in own if not event_kinds()[kind].policy.author_reads]
    if own:
        # More than '' each, said aloud: of a long list the planner does not see it, and leaves the
        # index of partidas alone.
        mine = Q(partida_id__gt="", partida_id__in=access_policy.own_partidas(request))
        if author is not None:
            mine |= Q(**{author: request.user.get_username()})
        asked |= Q(kind__in=own) & mine
    return queryset.filter(asked)
