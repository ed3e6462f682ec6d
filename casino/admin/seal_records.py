"""What was done to the book's seal, in the admin: keys, epochs, the schema, losses made good."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from casino.access import access_policy
from casino.admin.book_records import BookAdmin
from casino.events.event_policy import ADMIN
from casino.events.sealing import (
    BY_TWO,
    BookRestored,
    DocumentSealAsked,
    EpochApproved,
    EpochBegun,
    HouseActDecided,
    PepperChanged,
    SchemaRecorded,
    SigningKeyNamed,
    SigningKeyNamedAlone,
)
from casino.models import (
    BookEntry,
    DocumentSeal,
    Epoch,
    EpochApproval,
    HouseActDecision,
    PepperChange,
    Restoration,
    SchemaRecord,
    SigningKey,
)
from casino.models.projection import Projection
from casino.web.display.cells import cell
from casino.web.display.list_filters import DayFilter, StaffFilter
from casino.web.entries.entry_page import Leading, author_of
from casino.web.login.factor_page import ask_again
from casino.web.words import field_words


class SealAdmin(BookAdmin):
    """A projection of the house, of no table."""

    list_filter: ClassVar[Any] = (DayFilter, StaffFilter)

    def get_list_display(self, request: HttpRequest) -> Any:
        """Without its standing: nothing here is corrected."""
        return ("occurred", *self.cells, "by_whom")

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Recorded by whoever has just shown that it is he: keys and epochs are grave."""
        if request.method == "POST" and self.writable(request):
            if (asked := ask_again(request)) is not None:
                return asked
        return super().add_view(request, form_url, extra_context)


class ByTwoAdmin(SealAdmin):
    """Acts that count once a second person has approved them."""

    recordable = True
    counts_by_two = True

    @admin.display(description=_("decided by"))
    def decided(self, act: Projection) -> str:
        """Who decided on it, and how."""
        found = _decision(act.stream, act.n)
        if found is None:
            waits = _asks_two(act.entry.kind, act.office)
            return str(_("nobody yet") if waits else _("no second person was asked for"))
        return f"{found.staff} ({field_words.word(found.decision)})"

    def leading(self, request: HttpRequest, entry: BookEntry) -> list[Leading]:
        """To the decision, for whoever may take it."""
        by = access_policy.actor(request, HouseActDecided.kind)
        row = self.model._default_manager.get(pk=entry.pk)
        waits = _asks_two(entry.kind, row.office) and _decision(row.stream, row.n) is None
        if by is None or by.staff == row.staff or not waits:
            return []
        url = f"{reverse('admin:casino_houseactdecision_add')}?act={entry.pk}"
        return [Leading(_("Approve or refuse"), url, "kept")]


@admin.register(SigningKey)
class SigningKeyAdmin(ByTwoAdmin):
    """Keys that sign checkpoints, each waiting for a second person's word."""

    place = 60
    kinds = (SigningKeyNamed, SigningKeyNamedAlone)
    cells = (cell("vkey"), cell("reason"), "decided")
    found_by = ("vkey",)


@admin.register(PepperChange)
class PepperChangeAdmin(ByTwoAdmin):
    """Other peppers of personal codes, each waiting for a second person's word."""

    place = 62
    kinds = (PepperChanged,)
    cells = (cell("pepper"), cell("reason"), "decided")


@admin.register(HouseActDecision)
class HouseActDecisionAdmin(SealAdmin):
    """Second persons' words on acts upon the house's keys."""

    place = 65
    recordable = True
    kinds = (HouseActDecided,)
    cells = (cell("act_n", _("entry of the act")), cell("decision"))


@admin.register(Epoch)
class EpochAdmin(SealAdmin):
    """New names of the book, each waiting for a second person's word."""

    place = 70
    recordable = True
    counts_by_two = True
    kinds = (EpochBegun,)
    cells = (cell("origin"), cell("lost_origin"), cell("lost_size"), "approved")
    found_by = ("origin", "lost_origin")

    @admin.display(description=_("approved by"))
    def approved(self, epoch: Epoch) -> str:
        """Who approved it."""
        return _approval(epoch.stream, epoch.n) or str(_("nobody yet"))

    def leading(self, request: HttpRequest, entry: BookEntry) -> list[Leading]:
        """To the approval, for whoever may give it."""
        by = access_policy.actor(request, EpochApproved.kind)
        if by is None or by.staff == author_of(entry) or _approval(entry.stream.name, entry.n):
            return []
        url = f"{reverse('admin:casino_epochapproval_add')}?begun={entry.pk}"
        return [Leading(_("Approve"), url, "kept")]


@admin.register(EpochApproval)
class EpochApprovalAdmin(SealAdmin):
    """Second persons' words on epochs."""

    place = 80
    recordable = True
    kinds = (EpochApproved,)
    cells = (cell("begun_n", _("entry of the new name")),)


@admin.register(SchemaRecord)
class SchemaRecordAdmin(SealAdmin):
    """What the database looked like."""

    place = 90
    kinds = (SchemaRecorded,)
    cells = (cell("sha256"), cell("server"))
    found_by: ClassVar[tuple[str, ...]] = ("sha256",)


@admin.register(Restoration)
class RestorationAdmin(ByTwoAdmin):
    """Restored databases, and entries that were lost and put back."""

    place = 100
    kinds = (BookRestored,)
    cells = (cell("size"), cell("entries"), cell("source"), cell("reason"), "decided")


@admin.register(DocumentSeal)
class DocumentSealAdmin(SealAdmin):
    """Documents whose seal was asked for."""

    place = 110
    kinds = (DocumentSealAsked,)
    cells = (cell("document"), cell("sha256"))
    found_by = ("document", "sha256")


def _asks_two(kind: str, office: str) -> bool:
    """Whether it counts once a second person has approved it: what a program records does not."""
    return kind in BY_TWO and office == ADMIN


def _decision(stream: str, n: int) -> HouseActDecision | None:
    """What a second person said of the act recorded there."""
    return HouseActDecision.objects.filter(act_stream=stream, act_n=n).first()


def _approval(stream: str, n: int) -> str:
    """Who approved of the epoch begun there; '' for nobody."""
    found = EpochApproval.objects.filter(begun_stream=stream, begun_n=n)
    return found.values_list("staff", flat=True).first() or ""
