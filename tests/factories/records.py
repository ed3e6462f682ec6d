"""Records that the book's tests tell: one cast, one evening, one table."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from casino import clock
from casino.events.shoes import CardBurned
from casino.events.shufflers import ShufflerLoaded
from casino.events.staff import StaffRegistered
from casino.house_day import house_day_at
from casino.recording import Actor, Receipt, Source, Submission, Supersedes, record

PIT = Actor("S-0187", "fiscal_de_banca", "admin")
HEAD = Actor("S-0021", "fiscal_chefe", "admin")
MANAGER = Actor("S-0003", "chefia_da_sala", "admin")
EVENING = datetime(2026, 11, 20, 21, 15, tzinfo=UTC)
PARTIDA = "BJ-06/2026-11-20/1"


def burnt(cards: int = 1, table: str = "BJ-06", shoe: int = 1) -> CardBurned:
    """So many cards were burnt."""
    return CardBurned(table=table, partida=f"{table}/2026-11-20/1", shoe=shoe, cards=cards)


def loaded(packets: int = 3, day: str = "2026-11-20") -> ShufflerLoaded:
    """Six decks went into the machine."""
    return ShufflerLoaded(
        table="BJ-06",
        partida=f"BJ-06/{day}/1",
        shuffler="CSM-04",
        decks=("D-1", "D-2", "D-3", "D-4", "D-5", "D-6"),
        packets=packets,
        operator="P-104",
    )


def tonight() -> str:
    """The gaming day it is now: for what waits, which is what was recorded lately."""
    day = house_day_at(clock.now())
    return day.isoformat()


def hired(name: str | None = "Ana Matos") -> StaffRegistered:
    """Somebody was put on the books."""
    return StaffRegistered(staff="S-0187", name=name)


def recorded(
    event: object,
    *,
    key: UUID | None = None,
    by: Actor = PIT,
    occurred_at: datetime = EVENING,
    supersedes: Supersedes | None = None,
) -> Receipt:
    """Record an event, with a new key unless one is given."""
    return record(
        event,
        key=key or uuid4(),
        by=by,
        occurred_at=occurred_at,
        source=Source(),
        supersedes=supersedes,
    )


def submission(event: object, *, key: UUID | None = None, by: Actor = PIT) -> Submission:
    """The same, for a batch."""
    return Submission(event, key or uuid4(), by, EVENING)


def corrects(receipt: Receipt, reason: str = "typing-error") -> Supersedes:
    """A correction of what that receipt stands for."""
    return Supersedes(receipt.n, receipt.leaf, reason)


def soon() -> datetime:
    """A minute from now: when a confirmation's time runs out."""
    return clock.now() + timedelta(seconds=60)
