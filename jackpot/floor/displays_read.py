"""What a pool's display showed: whether anybody told it in a game, and the screen on which he does.

No article says how often a display is read, so nobody is held to it: who closes a table, and who
looks at its page, is reminded while nobody did. What is read otherwise than the records make it is
warned of before it is recorded.

Law: PT art. 41.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino import clock
from casino.events.event_policy import FLOOR
from casino.floor.act_forms import asked
from casino.floor.floor_access import floor_page
from casino.floor.game_pages import no_game, table_url
from casino.floor.recording_views import Act, record_form_view
from casino.floor.stated_moments import MomentForm, moment_of_form
from casino.queries import that_count
from casino.recording.authority import writers_of
from jackpot.events import JackpotRead
from jackpot.floor.pool_standing import Standing, standing_at
from jackpot.models import JackpotIncrement, JackpotReading

TEMPLATE: Final = "jackpot_sala/read.html"


class ReadForm(MomentForm):
    """What the display shows, and when somebody looked."""

    def __init__(self, data: Mapping[str, object] | None) -> None:
        super().__init__(data)
        self.fields.update(asked(JackpotRead, "display_cents"))


@floor_page(FLOOR & writers_of(JackpotRead.kind))
def read_view(request: HttpRequest, table: str, jackpot: str) -> HttpResponse:
    """One amount, one button; beside it what it has to be."""
    on = standing_at(table, jackpot, clock.now())
    if on is None:
        return no_game(request, table)
    return record_form_view(
        request,
        screen="jackpot_read",
        acts=lambda data: [_read(on, data)],
        form=ReadForm(request.POST or None),
        template=TEMPLATE,
        context={"table": table, "on": on, "article": on.state.cites["41"]},
        done=table_url(table),
        tables=(table,),
    )


def _read(on: Standing, data: Mapping[str, Any]) -> Act:
    """The reading. Raises: Malformed."""
    moment = moment_of_form(data, data["at"], on.state.opened_at)
    event = JackpotRead(**on.at, jackpot=on.jackpot, display_cents=data["display_cents"])
    return Act(event, occurred_at=moment)


def unread(jackpot: str, *, table: str, partida: str, since: datetime | None) -> bool:
    """Whether nobody recorded it at this table in this game, open since then.

    A reading that names no game counts from then on where it was made at this table or at none.
    """
    of_the_room = Q(partida_id="", table_code__in=("", table))
    if since is not None:
        of_the_room &= Q(occurred_at__gte=since)
    readings = JackpotReading.objects.filter(Q(partida_id=partida) | of_the_room, jackpot=jackpot)
    if that_count(readings).exists():
        return False
    increments = JackpotIncrement.objects.filter(partida_id=partida, jackpot=jackpot)
    return not that_count(increments.filter(display_cents__isnull=False)).exists()


def reading_form(table: str, jackpot: str) -> str:
    """Where a reading is recorded at a table."""
    return reverse("jackpot_sala:read", args=[table, jackpot])
