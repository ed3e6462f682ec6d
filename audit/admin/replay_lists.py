"""Replays of the pools of the progressive, as a list: what each came to."""

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from audit.events import JackpotReplayed
from audit.models import PoolReplay
from casino.admin.seal_records import SealAdmin
from casino.models import BookEntry
from casino.web.display.cells import cell
from casino.web.display.list_filters import DayFilter
from casino.web.display.status_marks import mark
from casino.web.entries.entry_page import Leading


@admin.register(PoolReplay)
class PoolReplayAdmin(SealAdmin):
    """Replays, the newest first."""

    section, place = "oversight", 15
    kinds = (JackpotReplayed,)
    list_filter = (DayFilter, "jackpot")
    cells = (cell("jackpot"), cell("entries"), "came_to", cell("why"), cell("asked_by"))
    found_by = ("jackpot",)

    @admin.display(description=_("came to"))
    def came_to(self, pool_replay: PoolReplay) -> SafeString:
        """Whether anything was found."""
        if not pool_replay.problems:
            return mark("kept", str(_("difference 0")))
        text = ngettext("%(n)s problem", "%(n)s problems", pool_replay.problems)
        return mark("breach", text % {"n": pool_replay.problems})

    def leading(self, request: HttpRequest, entry: BookEntry) -> list[Leading]:
        """To what stands of the pool."""
        row = PoolReplay.objects.filter(pk=entry.pk).first()
        if row is None:
            return []
        where = f"{reverse('admin:audit_finding_changelist')}?jackpot={row.jackpot}"
        again = reverse("jackpot-replay", args=[row.jackpot])
        return [
            Leading(_("Findings about it"), where, "search"),
            Leading(_("Replay of jackpot %(code)s") % {"code": row.jackpot}, again, "running"),
        ]
