"""What was done to the book's seal, in the admin: keys, epochs, the schema, losses made good."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from casino.access import access_policy
from casino.admin.book_records import BookAdmin
from casino.events.sealing import (
    BookRestored,
    DocumentSealAsked,
    EpochApproved,
    EpochBegun,
    SchemaRecorded,
    SigningKeyNamed,
)
from casino.models import (
    BookEntry,
    DocumentSeal,
    Epoch,
    EpochApproval,
    Restoration,
    SchemaRecord,
    SigningKey,
)
from casino.web.display.cells import cell
from casino.web.display.list_filters import DayFilter, StaffFilter
from casino.web.entries.entry_page import Leading, author_of


class SealAdmin(BookAdmin):
    """A projection of the house, of no table."""

    list_filter: ClassVar[Any] = (DayFilter, StaffFilter)

    def get_list_display(self, request: HttpRequest) -> Any:
        """Without its standing: nothing here is corrected."""
        return ("occurred", *self.cells, "by_whom")


@admin.register(SigningKey)
class SigningKeyAdmin(SealAdmin):
    """Keys that sign checkpoints."""

    place = 60
    recordable = True
    kinds = (SigningKeyNamed,)
    cells = (cell("vkey"), cell("reason"))
    found_by = ("vkey",)


@admin.register(Epoch)
class EpochAdmin(SealAdmin):
    """New names of the book, each waiting for a second person's word."""

    place = 70
    recordable = True
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
class RestorationAdmin(SealAdmin):
    """Entries that were lost and put back."""

    place = 100
    kinds = (BookRestored,)
    cells = (cell("size"), cell("entries"), cell("source"), cell("reason"))


@admin.register(DocumentSeal)
class DocumentSealAdmin(SealAdmin):
    """Documents whose seal was asked for."""

    place = 110
    kinds = (DocumentSealAsked,)
    cells = (cell("document"), cell("sha256"))
    found_by = ("document", "sha256")


def _approval(stream: str, n: int) -> str:
    """Who approved of the epoch begun there; '' for nobody."""
    found = EpochApproval.objects.filter(begun_stream=stream, begun_n=n)
    return found.values_list("staff", flat=True).first() or ""
