"""Letters that were made and did not go out, and those of which no receipt came, as what waits.

Of several letters of one matter the newest goes out: an earlier one was made anew.

Until when is the house's own figure (`HOUSE_DEADLINES`). What the law asks to be communicated is
fulfilled by the notice, as it always was: a letter that lies about is no finding.
"""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from audit.letter_state import with_standing
from audit.models import Letter
from audit.watch.watch_owed import LOOKED_BACK
from casino.events.event_policy import HEADS
from casino.floor.tables.todo_lists import Todo
from casino.queries import that_count


def waiting(now: datetime, tables: Collection[str] | None = None) -> Iterator[Todo]:
    """Letters of the house that wait for somebody; none is of a table.

    One that was not sent waits at once, one that was sent once its receipt is overdue.
    """
    if tables is not None:
        return
    recent = that_count(Letter.objects.filter(recorded_at__gte=now - LOOKED_BACK))
    same = Letter.objects.filter(letter=OuterRef("letter"), matter=OuterRef("matter"))
    same = that_count(same)
    anew = Exists(same.filter(n__gt=OuterRef("n")))
    rows = with_standing(recent).annotate(anew=anew).filter(arrived=None)
    for row in rows.exclude(sent=None, anew=True).order_by("n"):
        since = row.sent or row.occurred_at
        until = since + settings.HOUSE_DEADLINES["letter" if row.sent is None else "receipt"]
        if row.sent is None or until <= now:
            yield Todo(
                what="letter",
                words=_("Letter not sent yet")
                if row.sent is None
                else _("Letter without a receipt"),
                do=_("Go to the letter"),
                url=reverse("report", args=[row.request]),
                of=row.document,
                since=since,
                until=until,
                offices=HEADS,
            )
