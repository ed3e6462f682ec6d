"""What a gaming day did to each pool of the progressive prize: chips, prizes, the meter.

A meter runs in the order in which the book was written. So a day is what was written from its first
entry of the pool to its last: the same as the day itself where records come as things happen.

Law: PT art. 40, 41, 44, 50.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Max, Min

from audit.night.what_counts import WhatCounts
from casino import clock
from casino.house_day import day_begins
from jackpot.models import (
    Contribution,
    JackpotAdjustment,
    JackpotIncrement,
    JackpotPayment,
    JackpotSeal,
    JackpotStart,
    JackpotWin,
)
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

    `start`, `grown` (what the chips added), `taken` (by wins, negative) and `otherwise` (starting
    values, adjustments, corrections) make `end`. `sealed` is when the day's last seal was recorded,
    None where there is none: `end` is then what the entries come to so far.
    """

    jackpot: str
    start: int
    end: int
    grown: int
    taken: int
    otherwise: int
    increments: int
    chips: int
    wins: int
    prizes: tuple[Prize, ...]
    sealed: datetime | None


def pools_on(day: date, counting: WhatCounts) -> Iterator[PoolNight]:
    """Every pool that was begun by then, by its code."""
    first = day_begins(day)
    last = min(day_begins(day + timedelta(days=1)), clock.now())
    if first >= last:
        return
    begun = JackpotStart.objects.filter(gaming_day__lte=day).order_by("jackpot")
    for jackpot in begun.values_list("jackpot", flat=True).distinct():
        written = _written(jackpot, day)
        seal = None if written else _last_seal(jackpot, day)
        if seal is not None:
            yield _at_rest(seal)
            continue
        seen = course(jackpot, *(written or (first, last)), parts=1)
        increments = counting.of(JackpotIncrement.objects.filter(jackpot=jackpot, gaming_day=day))
        points = seen.points
        start, end = seen.opening, points[-1].after if points else seen.opening
        grown = sum(one.change for one in points if one.kind == "chips")
        taken = sum(one.change for one in points if one.kind == "win")
        yield PoolNight(
            jackpot,
            start,
            end,
            grown,
            taken,
            end - start - grown - taken,
            len(increments),
            sum(one.chips for one in increments),
            sum(one.kind == "win" for one in points),
            tuple(_prize(one.row) for one in points if one.kind == "payment"),
            max((one.at for one in points if one.kind == "seal"), default=None),
        )


def _last_seal(jackpot: str, day: date) -> JackpotSeal | None:
    """The last seal of the days before."""
    seals = JackpotSeal.objects.filter(jackpot=jackpot, gaming_day__lt=day)
    return seals.order_by("-n").first()


def _at_rest(seal: JackpotSeal) -> PoolNight:
    """A pool of which nothing is recorded that day: its meter is that of the last seal."""
    at = seal.microcents
    return PoolNight(seal.jackpot, at, at, 0, 0, 0, 0, 0, 0, (), seal.recorded_at)


def _written(jackpot: str, day: date) -> tuple[datetime, datetime] | None:
    """When a day's first and last entry of a pool were recorded; None where it has none."""
    ends = [
        model.objects.filter(gaming_day=day, jackpot__in=jackpots).aggregate(
            first=Min("recorded_at"), last=Max("recorded_at")
        )
        for model, jackpots in (
            (Contribution, (jackpot, "")),
            (JackpotStart, (jackpot,)),
            (JackpotWin, (jackpot,)),
            (JackpotPayment, (jackpot,)),
            (JackpotAdjustment, (jackpot,)),
            (JackpotSeal, (jackpot,)),
        )
    ]
    there = [one for one in ends if one["first"] is not None]
    if not there:
        return None
    return min(one["first"] for one in there), max(one["last"] for one in there)


def _prize(paid: JackpotPayment) -> Prize:
    where = (paid.owner, paid.box, paid.partida_id)
    return Prize(*where, paid.paid_cents, paid.occurred_at, str(paid.pk))
