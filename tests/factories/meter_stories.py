"""What happens to a pool, one meter event at a time."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from audit.pools.carrying import left, taken_up
from casino.law.rulebook.rulebook_file import law_of_file
from jackpot.progressive.meter import Adjusted, Contributed, MeterEvent, Paid, Read, Started
from jackpot.progressive.running_meter import WonNow
from jackpot.rules.law_readings import Graces, graces
from jackpot.rules.whole import WholePool
from tests.factories.prize_tables import prizes, winners

DISPLAY = "jackpot_display_shows_the_meter"
RESTART = "jackpot_is_started_when_due"
CLAIM = "jackpot_claim_is_within_the_money"
START = 2_500_000  # cents
TABLE = prizes(4, ("four_aces_same_suit", "100 %"), ("three_sevens", "10 %"), ("pair", 5_000))
PAIR, TOP = "1 pair", "5 four_aces_same_suit"
Make = Callable[[str], MeterEvent]


def start(cents: int = START) -> Make:
    return lambda name: Started(entry=name, start_cents=cents)


def chips(n: int = 1) -> Make:
    return lambda name: Contributed(entry=name, stake_cents=250, rate_millionths=25_000, chips=n)


def read(cents: int) -> Make:
    return lambda name: Read(entry=name, display_cents=cents)


def won(text: str, meter: int | None = None, *, terms: bool = True) -> Make:
    table = TABLE if terms else None
    return lambda name: WonNow(
        entry=name, winners=tuple(winners(text)), prizes=table, recorded_microcents=meter
    )


def paid(hit: str, winner: str, cents: int, *, again: bool = False) -> Make:
    return lambda name: Paid(entry=name, hit=hit, winner=winner, cents=cents, again=again)


def adjusted(microcents: int) -> Make:
    return lambda name: Adjusted(entry=name, microcents=microcents, reason="counting_error")


EVENING = datetime(2026, 11, 20, 20, tzinfo=UTC)
ALLOWED = graces(law_of_file("pt").on(date(2026, 11, 20)))
# Seconds after eight, what was recorded then and, of what was recorded later, when it was.
At = tuple[float, Make] | tuple[float, Make, float]


def timed(*story: At, stopped_after: int = 0, allowed: Graces = ALLOWED) -> WholePool:
    """A story whose moments are recorded."""
    pool = WholePool("JP-1")
    for place, (seconds, make, *looked) in enumerate(story, start=1):
        at, before = EVENING + timedelta(seconds=seconds), looked[0] if looked else seconds
        when = EVENING + timedelta(seconds=before)
        pool.take(make(f"e{place}"), at=at, allowed=allowed, looked=when)
        if place == stopped_after:
            pool = taken_up("JP-1", json.loads(json.dumps(left(pool))))
    pool.ended()
    return pool


def found_in(*story: At) -> list[tuple[str, str]]:
    """The checks that were not met in such a story, each with the entry that explains it."""
    return [(one.check.name, one.breach.evidence[-1]) for one in timed(*story).said]
