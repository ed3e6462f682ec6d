"""A pool as the house tells of it: terms and their second person, a start, chips, wins, pay."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from casino.events.round.round_played import RoundPlayed
from casino.recording import Actor, Receipt
from jackpot.events import (
    JackpotChip,
    JackpotIncremented,
    JackpotPaid,
    JackpotStarted,
    JackpotWinner,
    JackpotWon,
    TermsApproved,
    TermsConfirmed,
    TermsLine,
)
from tests.factories.records import HEAD, MANAGER, recorded
from tests.factories.rounds import a_round, box, main, wager
from tests.factories.usual_events import opening, ref, terms

POOL: Final = "JP-1"
TOP: Final = "four_aces_same_suit"
SEVENS: Final = "three_sevens_same_suit"
ACE_JACK: Final = "AS-JS"
OPENED: Final = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
SINCE: Final = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)
START_CENTS: Final = 2_500_000
SYSTEM: Final = Actor("jackpot", "sistema", "job")


def terms_of(jackpot: str = POOL, **otherwise: Any) -> TermsApproved:
    """Lawful terms of these combinations."""
    lines = (
        TermsLine(code=TOP, share_millionths=1_000_000),
        TermsLine(code=SEVENS, share_millionths=100_000),
        TermsLine(code=ACE_JACK, fixed_cents=5_000),
    )
    return terms(jackpot, **{"valid_from": SINCE, "lines": lines, **otherwise})


def approve(jackpot: str = POOL, *, at: datetime = SINCE, **otherwise: Any) -> Receipt:
    """Terms, confirmed by another person."""
    receipt = recorded(terms_of(jackpot, **otherwise), by=MANAGER, occurred_at=at)
    recorded(TermsConfirmed(jackpot=jackpot, confirms=ref(receipt)), by=HEAD, occurred_at=at)
    return receipt


def start(jackpot: str = POOL, cents: int = START_CENTS, **known: Any) -> Receipt:
    """The starting value."""
    known.setdefault("reason", "first")
    return recorded(JackpotStarted(jackpot=jackpot, start_cents=cents, **known), by=MANAGER)


def opened(table: str = "BJ-06", jackpots: tuple[str, ...] = (POOL,)) -> str:
    """A partida whose side stakes feed these pools."""
    partida = f"{table}/2026-11-20/1"
    event = opening({"table": table, "partida": partida}, ["D-1"], jackpots=jackpots)
    recorded(event, occurred_at=OPENED)
    return partida


def at_two_tables() -> None:
    """A pool marked by hand, started, played for at two tables."""
    approve()
    start()
    for table in ("BJ-06", "BJ-07"):
        opened(table)


def increment(
    *chips: tuple[int, str, int], table: str = "BJ-06", jackpot: str = POOL, **known: Any
) -> JackpotIncremented:
    """Chips collected by hand: box, owner, how many."""
    return JackpotIncremented(
        table=table,
        partida=f"{table}/2026-11-20/1",
        jackpot=jackpot,
        chips=tuple(JackpotChip(box=where, owner=owner, n=n) for where, owner, n in chips),
        **known,
    )


def staked(*chips: tuple[int, str, int], table: str = "BJ-06", place: int = 1) -> RoundPlayed:
    """A round whose own record tells the chips."""
    boxes = [
        box(
            where,
            "TS 8D",
            main(1000, 2000, owner),
            wager("jackpot", 250 * n, 0, owner, chip=n),
        )
        for where, owner, n in chips
    ]
    played = a_round(*boxes, shoe=1, number=place, bank="TH 7C")
    names = {"round": str(UUID(int=place + 4096 * hash_of(table), version=4))}
    return replace(played, table=table, partida=f"{table}/2026-11-20/1", **names)


def hash_of(table: str) -> int:
    """A number of a table's name."""
    return int(table.rpartition("-")[2])


def won(
    *winners: tuple[str, int, str], table: str = "BJ-06", jackpot: str = POOL, **known: Any
) -> JackpotWon:
    """Owner, box and combination of each."""
    return JackpotWon(
        table=table,
        partida=f"{table}/2026-11-20/1",
        jackpot=jackpot,
        winners=tuple(
            JackpotWinner(owner=owner, box=where, code=code, seat=where)
            for owner, where, code in winners
        ),
        **known,
    )


def paid(
    hit: Receipt, owner: str, where: int, code: str, cents: int, table: str = "BJ-06", **known: Any
) -> JackpotPaid:
    """One winner's money."""
    return JackpotPaid(
        table=table,
        partida=f"{table}/2026-11-20/1",
        jackpot=hit.stream.removeprefix("jackpot/"),
        hit=ref(hit),
        owner=owner,
        box=where,
        code=code,
        paid_cents=cents,
        **known,
    )
