"""Sealing a meter: what it is, told to the book with everything that made it.

A seal is a point to reckon from. It adds nothing: what it says follows from the entries before it,
and whoever replays them must come to the same.
"""

from typing import Final
from uuid import UUID, uuid4

from django.db import connection, transaction

from casino import clock
from casino.events.values import MAX_WHOLE
from casino.recording import Actor, Receipt, Source, record
from jackpot.events import HeldBack, JackpotSealed, SealedUpTo, pool_stream
from jackpot.models.locks import alone_on
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.meter import Meter
from jackpot.queries import PoolNow, pool_now

BY: Final = Actor("jackpot", "sistema", "job")


def most_of(meter: Meter) -> int:
    """The largest of the figures a meter consists of. Units: microcents."""
    parts = meter.running, meter.started, meter.contributed, meter.adjusted, meter.paid, meter.held
    return max(map(abs, parts))


def can_be_recorded(meter: Meter) -> bool:
    """Whether an event holds a meter: up to 90 million euros of each figure."""
    return most_of(meter) <= MAX_WHOLE


def recorded_running(meter: Meter) -> int | None:
    """What a win says that the meter ran at; None before its start, and for what none can hold."""
    return max(0, meter.running) if meter.begun and meter.running <= MAX_WHOLE else None


def seal(jackpot: str, *, key: UUID | None = None, job: str = "seal") -> Receipt | None:
    """Tell the book what a pool's meter is; None for one that has not begun. Law: PT art. 41.

    Nor is one sealed that no event can hold: the replay names the entry after which it was so.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            for lock in sorted(alone_on(jackpot)):
                cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [lock.name])
        now = pool_now(jackpot)
        if not now.meter.begun or not can_be_recorded(now.meter):
            return None
        return record(
            event_of(now),
            key=key or uuid4(),
            by=BY,
            occurred_at=clock.now(),
            source=Source("job", job),
        )


def event_of(now: PoolNow) -> JackpotSealed:
    """A pool as a seal tells it."""
    meter: Meter = now.meter
    own = pool_stream(now.jackpot)
    return JackpotSealed(
        jackpot=now.jackpot,
        microcents=meter.running,
        started_cents=meter.started // MICROCENTS,
        contributed_microcents=meter.contributed,
        adjusted_microcents=meter.adjusted,
        paid_cents=meter.paid // MICROCENTS,
        held=tuple(
            HeldBack(hit=int(hit), cents=due // MICROCENTS)
            for hit, due in sorted(meter.due.items(), key=lambda one: int(one[0]))
            if due
        ),
        up_to=tuple(
            SealedUpTo(stream=stream, n=n)
            for stream, n in sorted(now.reach.items())
            if stream == own or stream.startswith("table/")
        ),
        emptied_by=int(meter.emptied_by) if meter.emptied_by else None,
    )
