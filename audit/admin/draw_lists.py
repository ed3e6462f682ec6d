"""Draws as lists of the admin: commitments, results. Both are recorded on pages of their own."""

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from audit.draw_events import DrawCommitted, DrawMade
from audit.models import DrawCommitment, DrawResult
from casino.admin.seal_records import SealAdmin
from casino.models import BookEntry
from casino.web.display.cells import cell
from casino.web.entries.entry_page import Leading


def _to_draw(number: int | None) -> list[Leading]:
    if number is None:
        return []
    return [Leading(_("Draw"), reverse("draw", args=[number]), "filter")]


@admin.register(DrawCommitment)
class DrawCommitmentAdmin(SealAdmin):
    """What inspectors committed to."""

    section = ""  # the page of draws leads to them
    kinds = (DrawCommitted,)
    cells = (
        cell("draw", _("draw")),
        cell("from_day", _("from the gaming day")),
        cell("to_day", _("to the gaming day")),
        cell("commitment", _("commitment")),
    )
    found_by = ("commitment",)

    def leading(self, request: HttpRequest, entry: BookEntry) -> list[Leading]:
        """To the draw."""
        found = DrawCommitment.objects.filter(pk=entry.pk).values_list("draw", flat=True)
        return _to_draw(found.first())


@admin.register(DrawResult)
class DrawResultAdmin(SealAdmin):
    """What they drew."""

    section = ""
    kinds = (DrawMade,)
    cells = (
        cell("draw", _("draw")),
        cell("population", _("rounds drawn from")),
        cell("size", _("entries under the root")),
    )

    def leading(self, request: HttpRequest, entry: BookEntry) -> list[Leading]:
        """To the draw."""
        found = DrawResult.objects.filter(pk=entry.pk).values_list("draw", flat=True)
        return _to_draw(found.first())
