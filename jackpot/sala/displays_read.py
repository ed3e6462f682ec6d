"""Whether anybody told in a game what a pool's display showed: by a reading, or by an increment.

No article says how often a display is read, so nobody is held to it: who closes a table, and who
looks at its page, is reminded while nobody did.

Law: PT art. 41.
"""

from datetime import datetime
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse

from jackpot.models import JackpotIncrement, JackpotReading


def unread(jackpot: str, *, table: str, partida: str, since: datetime | None) -> bool:
    """Whether nobody told it at this table in this game, open since then.

    A reading that names no game counts from then on where it was made at this table or at none.
    """
    of_the_room = Q(partida_id="", table_code__in=("", table))
    if since is not None:
        of_the_room &= Q(occurred_at__gte=since)
    readings = JackpotReading.objects.filter(Q(partida_id=partida) | of_the_room, jackpot=jackpot)
    if readings.exists():
        return False
    increments = JackpotIncrement.objects.filter(partida_id=partida, jackpot=jackpot)
    return not increments.filter(display_cents__isnull=False).exists()


def reading_form(jackpot: str, partida: str) -> str:
    """Where a reading is told, begun with its pool and game."""
    told = urlencode({"partida": partida, "jackpot": jackpot})
    return f"{reverse('admin:jackpot_jackpotreading_add')}?{told}"
