"""What a gaming day did to each pool of the progressive prize: chips, prizes, the meter.

Law: PT art. 40, 41, 44, 50.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Sum

from audit.pools.replays_due import begun_pools
from casino import clock
from casino.house_day import day_begins
from casino.queries import that_count
from jackpot.models import JackpotIncrement, JackpotPayment
from jackpot.queries.course import course


@dataclass(frozen=True, slots=True)
class Prize:
    """Paid to a winner: his number in the game, the box, cents, when."""

    owner: str
    box: int
    partida: str
    cents: int
    at: datetime
    entry_id: str


@dataclass(frozen=True, slots=True)
class PoolNight:
    """A pool over one gaming day. Units: microcents, prizes in cents.

    `grown` is what chips and increments added. `sealed` is when the day's last seal was recorded,
    None where there is none: `end` is then what the entries come to so far.
    """

    jackpot: str
    start: int
    end: int
    grown: int
    increments: int
    chips: int
    wins: int
    prizes: tuple[Prize, ...]
    sealed: datetime | None


def pools_on(day: date) -> Iterator[PoolNight]:
    """Every pool that was begun by then, by its code."""
    first = day_begins(day)
    last = min(day_begins(day + timedelta(days=1)), clock.now())
    if first >= last:
        return
    for jackpot in begun_pools():
        seen = course(jackpot, first, last, parts=1)
        if not seen.opening and not seen.points:
            continue
        rows = that_count(JackpotIncrement.objects.filter(jackpot=jackpot, gaming_day=day))
        counted = rows.aggregate(number=Count("pk"), chips=Sum("chips"))
        points = seen.points
        yield PoolNight(
            jackpot,
            seen.opening,
            points[-1].after if points else seen.opening,
            sum(one.change for one in points if one.kind == "chips"),
            counted["number"],
            counted["chips"] or 0,
            sum(one.kind == "win" for one in points),
            tuple(_prize(one.row) for one in points if one.kind == "payment"),
            max((one.at for one in points if one.kind == "seal"), default=None),
        )


def _prize(row: JackpotPayment) -> Prize:
    return Prize(row.owner, row.box, row.partida_id, row.paid_cents, row.occurred_at, str(row.pk))
