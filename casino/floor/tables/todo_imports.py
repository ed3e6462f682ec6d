"""Files of rounds that wait for a second person."""

from collections.abc import Iterator
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from casino.floor.tables.todo_lists import Todo
from casino.importing.staging import CONFIRMS, WAITS
from casino.models import StagedImport
from casino.models.held import FIRST_DAY, WAITING


def waiting(now: datetime) -> Iterator[Todo]:
    """Each for whoever may confirm it, and did not bring it."""
    rows = StagedImport.objects.filter(state=WAITING, brought_at__gt=now - WAITS)
    for one in rows.order_by("brought_at"):
        yield Todo(
            what="import",
            words=_("File of a first day to be confirmed")
            if one.content == FIRST_DAY
            else _("File of rounds to be confirmed"),
            do=_("See what it holds"),
            url=reverse("import", args=[one.pk]),
            key=str(one.pk),
            since=one.brought_at,
            until=one.brought_at + WAITS,
            offices=CONFIRMS[one.content],
            never=frozenset({one.by_staff.casefold()}),
        )
