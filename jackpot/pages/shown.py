"""What a public display shows of a pool, cheaply, however many displays ask.

A process keeps what it reckoned for at most a second without asking the book again; after that it
asks the heads of the streams, and reckons anew only where one of them moved. A display asks every
two seconds, so what it is told later was reckoned from a later book: no display sees a meter fall
because two processes know different moments. `cut` says how much of the book was read, `event`
when something last happened that may lower a meter; a display heeds both.

Law: PT art. 41, 44, 49, 50.
"""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from django.db.models import Q

from casino import clock
from casino.models import BookStream, Correction
from jackpot.events import pool_stream
from jackpot.models import (
    Contribution,
    JackpotAdjustment,
    JackpotPayment,
    JackpotStart,
    JackpotTermsConfirmation,
    JackpotWin,
)
from jackpot.progressive.amounts import MICROCENTS, displayed_cents
from jackpot.queries import PoolNow, Version, pool_now, version_at

WON: Final = timedelta(minutes=5)  # for which a win is shown
State = Literal["waiting", "running", "emptied"]
HOLD: Final = 1.0  # seconds for which what was reckoned is shown without asking the book
PATIENCE: Final = 2.0  # seconds one asker waits while another reckons
_LOWERS: Final = (JackpotStart, JackpotWin, JackpotPayment, JackpotAdjustment)
_LATELY: Final = timedelta(days=1)  # longer than any display looks at one page
_ALL_TABLES: Final = "table/"


class Busy(Exception):
    """The book did not answer in time."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A pool on a display. Units: cents.

    `state`: the meter ``"waiting"`` for its first start, ``"running"``, or ``"emptied"`` by a win
    and not started again. `pending_cents` is what was won and not yet paid out. `stake_cents`,
    `start_cents` and `limit_cents` are those of the terms in force, None where there are none, and
    `top` the combination that takes all by them, '' for none. `won` is the last win for as long as
    it is shown.
    """

    jackpot: str
    state: State
    cents: int
    pending_cents: int
    stake_cents: int | None
    start_cents: int | None
    limit_cents: int | None
    top: str
    won: "Won | None"
    cut: int
    event: int


@dataclass(frozen=True, slots=True)
class Won:
    """A win that stands: when it was recorded, what it comes to in cents, whether it took all."""

    at: datetime
    cents: int
    full: bool


@dataclass(slots=True)
class _Kept:
    """What was reckoned, when it was last found right, and by which heads."""

    heads: Mapping[str, bytes]
    now: PoolNow
    event: int
    won: Won | None
    right_at: float = field(default_factory=time.monotonic)


_KEPT: Final[dict[str, _Kept]] = {}
_THERE: Final[list[tuple[float, frozenset[str]]]] = []  # when it was asked, what pools there were
_ONE_AT_A_TIME: Final = threading.Lock()


def shown(jackpot: str) -> Shown | None:
    """What a display shows of a pool; None for one there is not. Raises: Busy."""
    kept = _fresh(jackpot)
    if kept is None:
        if _is_none(jackpot):
            return None
        if not _ONE_AT_A_TIME.acquire(timeout=PATIENCE):
            raise Busy
        try:
            kept = _fresh(jackpot) or _asked(jackpot)
        finally:
            _ONE_AT_A_TIME.release()
    return None if kept is None else _as_shown(kept)


def forget() -> None:
    """Forget what was reckoned: the book is another one (in tests)."""
    _KEPT.clear()
    _THERE.clear()


def _fresh(jackpot: str) -> _Kept | None:
    kept = _KEPT.get(jackpot)
    return kept if kept is not None and time.monotonic() - kept.right_at < HOLD else None


def _is_none(jackpot: str) -> bool:
    """Whether the book was asked just now what pools there are, and this is none of them.

    So whoever tries codes costs no question each, and keeps no display waiting.
    """
    return any(time.monotonic() - at < HOLD and jackpot not in names for at, names in _THERE)


def _asked(jackpot: str) -> _Kept | None:
    """What the book says now, reckoned anew where it moved."""
    began = time.monotonic()
    if jackpot not in _KEPT:
        if not _is_none(jackpot):
            _THERE[:] = [(began, frozenset(pools()))]
        if jackpot not in _THERE[0][1]:
            return None
    own = pool_stream(jackpot)
    streams = BookStream.objects.filter(Q(name=own) | Q(name__startswith=_ALL_TABLES))
    heads = {name: bytes(last or b"") for name, last in streams.values_list("name", "head_hash")}
    if own not in heads:
        return None
    kept = _KEPT.get(jackpot)
    if kept is not None and kept.heads == heads:
        kept.right_at = began
        return kept
    now = pool_now(jackpot)
    if not now.versions and not now.meter.begun:
        return None  # somebody's draft: terms nobody confirmed
    kept = _KEPT[jackpot] = _Kept(heads, now, _last_event(now), _last_win(now), began)
    return kept


def _as_shown(kept: _Kept) -> Shown:
    now, meter = kept.now, kept.now.meter
    moment = clock.now()
    version: Version | None = version_at(now.versions, moment, moment)
    state: State = "waiting"
    if meter.begun:
        state = "emptied" if meter.to_start else "running"
    own = pool_stream(now.jackpot)
    return Shown(
        jackpot=now.jackpot,
        state=state,
        cents=displayed_cents(meter.running),
        pending_cents=meter.held // MICROCENTS,
        stake_cents=None if version is None else version.terms.stake_cents,
        start_cents=None if version is None else version.terms.start_cents,
        limit_cents=None if version is None else version.limit_cents,
        top=_top_of(version),
        won=kept.won if kept.won is not None and moment - kept.won.at < WON else None,
        cut=sum(n for name, n in now.reach.items() if name == own or name.startswith(_ALL_TABLES)),
        event=kept.event,
    )


def _top_of(version: Version | None) -> str:
    """The combination that takes all, '' for none. Law: PT art. 43."""
    lines = () if version is None else version.terms.prizes.lines
    return next((line.code for line in lines if line.top), "")


def _last_win(now: PoolNow) -> Won | None:
    """The last win within what was read that nobody withdrew; None for none since the last seal."""
    wins = JackpotWin.objects.filter(jackpot=now.jackpot, n__in=[int(n) for n in now.pool.payouts])
    undone = JackpotAdjustment.objects.filter(jackpot=now.jackpot, hit_n__isnull=False)
    last = wins.exclude(n__in=undone.values("hit_n")).order_by("-n").first()
    if last is None:
        return None
    payout = now.pool.payouts[str(last.n)]
    return Won(last.recorded_at, payout.paid_cents, payout.full)


def _last_event(now: PoolNow) -> int:
    """When something last happened, within what was read, that may lower the meter; 0 for never.

    Microseconds since 1970. A start, a win, a payment, an adjustment; chips that were corrected.
    """
    last = now.reach.get(pool_stream(now.jackpot), 0)
    moments: list[datetime] = []
    for model in _LOWERS:
        rows = model._default_manager.filter(jackpot=now.jackpot, n__lte=last).order_by("-n")
        moments += rows.values_list("recorded_at", flat=True)[:1]
    moments += [
        one.recorded_at
        for one in Correction.objects.filter(
            decision="approved", recorded_at__gt=clock.now() - _LATELY
        )
        if one.n <= now.reach.get(one.stream, 0) and _of_chips(one)
    ]
    return int(max(moments).timestamp() * 1_000_000) if moments else 0


def _of_chips(correction: Correction) -> bool:
    both = (correction.original_n, correction.pending_n)
    return Contribution.objects.filter(stream=correction.original_stream, n__in=both).exists()


def pools() -> list[str]:
    """The pools there are: of confirmed terms, or started."""
    models: tuple[Any, ...] = (JackpotTermsConfirmation, JackpotStart)
    found = {
        name
        for model in models
        for name in model.objects.order_by().values_list("jackpot", flat=True).distinct()
    }
    return sorted(found)
