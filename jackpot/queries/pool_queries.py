"""What a pool is worth: its last seal, and whatever came since, in true order.

Chips lie on the projection of contributions and are summed up there; starts, wins, payments,
adjustments and corrections are few and are gone through one by one. Every reading is bounded by the
heads of the streams as they stood at one moment, so it is a cut through the book and can be made
again.

Law: PT art. 40, 41, 44, 49, 50.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from casino.law.rulebook.rulebook_file import load_law
from casino.queries import heads
from jackpot.events import pool_stream
from jackpot.models import (
    JackpotAdjustment,
    JackpotPayment,
    JackpotSeal,
    JackpotStart,
    JackpotWin,
    JackpotWinnerRow,
)
from jackpot.progressive.amounts import MICROCENTS, displayed_cents
from jackpot.progressive.meter import (
    Adjusted,
    Meter,
    MeterEvent,
    Paid,
    Started,
    Withdrawn,
)
from jackpot.progressive.payout import Payout, Winner
from jackpot.progressive.running_meter import Pool, WonNow
from jackpot.queries.chip_queries import changes_since, chips_since
from jackpot.queries.versions import Version, version_at, versions
from jackpot.rules.law_readings import payout_readings

RULEBOOK = "pt"


@dataclass(frozen=True, slots=True)
class PoolNow:
    """A pool at one moment: its meter and payouts, what was read, the terms there are.

    `reach` is the last entry of each stream that was read. A hit's name is its number in the pool's
    stream, as text.
    """

    jackpot: str
    pool: Pool
    reach: Mapping[str, int]
    versions: tuple[Version, ...]

    @property
    def meter(self) -> Meter:
        """The meter. Units: microcents."""
        return self.pool.meter

    @property
    def displayed_cents(self) -> int:
        """What the display has to show."""
        return displayed_cents(self.meter.running)


def displayed(jackpot: str, using: str = "default") -> int:
    """What a display has to show: the last seal and what came since. Units: cents."""
    return pool_now(jackpot, using=using).displayed_cents


def payout_of(jackpot: str, hit: int, using: str = "default") -> Payout | None:
    """What the win told in that entry of the pool's stream comes to, step by step.

    None where there is no such win, or no terms it was played by. It follows from the order of the
    book alone, so whoever asks gets the same answer, whenever he asks. Law: PT art. 43, 50.
    """
    # From the last seal before the win: a later one knows its sum and no longer its steps.
    until = heads(using)
    stream = pool_stream(jackpot)
    if until.get(stream, 0) < hit:
        return None
    now = pool_now(jackpot, until={**until, stream: hit}, using=using)
    return now.pool.payouts.get(str(hit))


def pool_now(
    jackpot: str, *, until: Mapping[str, int] | None = None, using: str = "default"
) -> PoolNow:
    """A pool as the book tells it, up to the entries named (all there are)."""
    reach = dict(heads(using) if until is None else until)
    last = reach.get(pool_stream(jackpot), 0)
    found = versions(jackpot, last, using)
    seals = JackpotSeal.objects.using(using).filter(jackpot=jackpot, n__lte=last)
    seal = seals.order_by("-n").first()
    since = {} if seal is None else seal.up_to
    pool = Pool(None if seal is None else meter_at(jackpot, seal, using))
    listed = recorded_since(jackpot, 0 if seal is None else seal.n, last, found, using)
    course = [(row.recorded_at, event) for row, event in listed]
    changes = changes_since(jackpot, found, since, reach, using)
    course += [(change.recorded_at, change.event) for change in changes]
    course.sort(key=itemgetter(0))
    events: list[tuple[int, int, MeterEvent]] = [
        (place, 0, event) for place, (_, event) in enumerate(course, start=1)
    ]
    marks = [at for at, _ in course]
    chips = chips_since(jackpot, found, since, reach, marks, using)
    events += [(one.bucket, 1, one.event) for one in chips]
    pool.take_all(event for _, _, event in sorted(events, key=lambda one: one[:2]))
    return PoolNow(jackpot, pool, reach, found)


def meter_at(jackpot: str, seal: JackpotSeal, using: str) -> Meter:
    """The meter as a seal tells it."""
    held = {str(hit): cents * MICROCENTS for hit, cents in seal.held}
    hits = JackpotWin.objects.using(using).filter(jackpot=jackpot, n__lt=seal.n)
    due = dict.fromkeys(map(str, hits.values_list("n", flat=True)), 0) | held
    rows = JackpotPayment.objects.using(using).filter(jackpot=jackpot, hit_n__in=map(int, held))
    paid = list(rows.order_by("n")) if held else []
    return Meter.resumed(
        started=seal.started_cents * MICROCENTS,
        contributed=seal.contributed_microcents,
        adjusted=seal.adjusted_microcents,
        paid=seal.paid_cents * MICROCENTS,
        due=due,
        paid_out=[_paid(row) for row in paid if row.n < seal.n],
        owed=_owed(jackpot, paid, using),
        emptied_by="" if seal.emptied_by is None else str(seal.emptied_by),
    )


def _owed(jackpot: str, listed: Iterable[JackpotPayment], using: str) -> dict[str, dict[str, int]]:
    """What the winners of these wins are due where one was paid in parts, in cents.

    A seal tells of no winner what he is due, and hardly anybody is paid in parts.
    """
    times = Counter((row.hit_n, row.owner, row.box) for row in listed if not row.again)
    payouts = {
        hit: payout_of(jackpot, hit, using)
        for hit in sorted({hit for (hit, _, _), n in times.items() if n > 1})
    }
    return {str(hit): one.owed_cents for hit, one in payouts.items() if one is not None}


def winner_name(owner: str, box: int) -> str:
    """A winner within a hit."""
    return f"{owner}/{box}"


def recorded_since(
    jackpot: str, since: int, until: int, versions: tuple[Version, ...], using: str
) -> Iterator[tuple[Any, MeterEvent]]:
    """Starts, wins, payments and adjustments in the order of the pool's stream, each as its row."""

    def rows(model: Any) -> list[Any]:
        return list(model.objects.using(using).filter(jackpot=jackpot, n__gt=since, n__lte=until))

    listed = [*rows(JackpotStart), *rows(JackpotPayment), *rows(JackpotAdjustment)]
    wins = rows(JackpotWin)
    winners: dict[int, list[Winner]] = {}
    for row in rows(JackpotWinnerRow) if wins else ():
        winners.setdefault(row.n, []).append(Winner(row.owner, row.box, row.code, row.seat))
    for row in sorted([*listed, *wins], key=lambda one: int(one.n)):
        yield row, _event(row, versions, winners)


def _paid(jackpot_payment: JackpotPayment) -> Paid:
    return Paid(
        entry=str(jackpot_payment.n),
        hit=str(jackpot_payment.hit_n),
        winner=winner_name(jackpot_payment.owner, jackpot_payment.box),
        cents=jackpot_payment.paid_cents,
        again=jackpot_payment.again is True,
    )


def _event(row: Any, found: tuple[Version, ...], winners: Mapping[int, list[Winner]]) -> MeterEvent:
    entry = str(row.n)
    if isinstance(row, JackpotStart):
        return Started(entry=entry, start_cents=row.start_cents)
    if isinstance(row, JackpotPayment):
        return _paid(row)
    if isinstance(row, JackpotAdjustment):
        if row.hit_n is not None:
            return Withdrawn(entry=entry, hit=str(row.hit_n))
        return Adjusted(entry=entry, microcents=row.microcents, reason=row.reason)
    version = version_at(found, row.occurred_at, row.recorded_at)
    return WonNow(
        entry=entry,
        winners=tuple(winners.get(row.n, ())),
        prizes=None if version is None else version.terms.prizes,
        readings=payout_readings(load_law(RULEBOOK).on(row.gaming_day)),
        recorded_microcents=row.running_microcents,
    )
