"""A pool in the book, from its chips to its seal, and what its replay finds."""

from dataclasses import replace
from typing import Any

from audit.models import Finding, PoolReplay, PoolReplayRun, entries_of
from audit.pools.replaying import REPLAY
from audit.pools.replays_due import ask_for_replay
from audit.pools.report_replay import pool_findings
from casino import clock
from casino.recording import Receipt, Supersedes
from jackpot import queries
from jackpot.events import JackpotRead
from jackpot.seal_meter import event_of, seal
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    SYSTEM,
    TOP,
    increment,
    paid,
    ref,
    staked,
    start,
    won,
)
from tests.factories.records import HEAD, recorded
from tests.factories.usual_events import second_word
from tests.jobs_inline import do_jobs


def looked(**shown: Any) -> Receipt:
    """Somebody reads the display, and tells it at once."""
    return recorded(JackpotRead(jackpot=POOL, **shown), occurred_at=clock.now())


def chips(*laid: tuple[int, str, int], table: str = "BJ-06", shows: int | None = None) -> Receipt:
    """Chips collected by hand; what the display showed then is recorded at once."""
    event = increment(*laid, table=table, chip_cents=250, display_cents=shows)
    return recorded(event) if shows is None else recorded(event, occurred_at=clock.now())


def replay(jackpot: str = POOL) -> PoolReplay:
    """Replay a pool now; what the book says of it."""
    number = ask_for_replay(jackpot)
    do_jobs(topic=REPLAY)
    run = PoolReplayRun.objects.get(run=number)
    assert run.state == "finished"
    return PoolReplay.objects.get(run=run.run)


def raised(jackpot: str = POOL) -> list[tuple[str, str]]:
    """What stands about the pool: article and check, the entry that explains it."""
    found = pool_findings(jackpot).order_by("n")
    return [(row.article, place_of(row)) for row in found]


def place_of(row: Finding) -> str:
    """The last of the entries a finding names, as stream and number; "" for none."""
    last = max(entries_of(row), key=lambda one: one.recorded_at, default=None)
    return "" if last is None else f"{last.stream.name} {last.n}"


def at(receipt: Receipt) -> str:
    return f"{receipt.stream} {receipt.n}"


def a_whole_evening() -> None:
    """Chips at two tables, two wins, paid; a new start; a correction."""
    chips((1, "J1", 1), (2, "J2", 1))
    recorded(staked((1, "J1", 1)))
    wrong = chips((3, "J3", 5), table="BJ-07")
    hit = recorded(
        won(("J5", 5, ACE_JACK), running_microcents=queries.pool_now(POOL).meter.running)
    )
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    seal(POOL)
    correction = recorded(
        increment((3, "J3", 1), table="BJ-07", chip_cents=250),
        supersedes=Supersedes(wrong.n, wrong.leaf, "typing-error"),
    )
    word = second_word("BJ-07", correction, wrong)
    recorded(word, by=HEAD)
    full = recorded(won(("J2", 2, TOP), table="BJ-07"))
    due_cents = queries.payout_of(POOL, full.n)
    assert due_cents is not None
    recorded(paid(full, "J2", 2, TOP, due_cents.paid_cents, table="BJ-07"))
    start(reason="after_full_payout", hit=ref(full))
    chips((1, "J1", 1))
    looked(display_cents=queries.displayed(POOL))
    seal(POOL)


def false_seal(off: int) -> Receipt:
    """A seal that says another value than the book makes, and adds up all the same."""
    recorded_of = event_of(queries.pool_now(POOL))
    wrong = replace(
        recorded_of,
        microcents=recorded_of.microcents + off,
        contributed_microcents=recorded_of.contributed_microcents + off,
    )
    return recorded(wrong, by=SYSTEM)
