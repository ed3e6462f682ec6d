"""Evenings on which a deck turned out not to be whole, written into the book.

BJ-01 opens at 20:00 UTC on 2025-11-20 with six decks shown whole; its rounds come every minute
from 21:00, each staking 10 euros on box 1 and 25 on box 3.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid5

from audit.exposure.defects import defect_of
from audit.exposure.read_rounds import Trail, trail_of
from casino import queries
from casino.events.round.round_played import RoundPlayed, Times
from casino.recording import Receipt
from tests.factories.evenings import NAMES, evening_of, opened, partida_of, record_events
from tests.factories.rounds import a_round, box, main
from tests.factories.usual_events import DECKS, whole

DAY = "2025-11-20"


def at(clock: str, day: str = DAY) -> datetime:
    """A moment of an evening, ``"21:10"``; before noon it is past midnight."""
    hours, minutes = map(int, clock.split(":"))
    midnight = evening_of(day).replace(hour=0)
    return midnight + timedelta(days=1 if hours < 12 else 0, hours=hours, minutes=minutes)


def where(table: str = "BJ-01", day: str = DAY) -> dict[str, str]:
    """Table and partida of an event."""
    return {"table": table, "partida": partida_of(table, day)}


def inspected(deck: str, clock: str, moment: Any = "exhibition", **known: Any) -> Receipt:
    """A deck looked through; whole unless said otherwise."""
    day, table = known.pop("day", DAY), known.pop("table", "BJ-01")
    return record_events(whole(where(table, day), deck, moment, **known), at(clock, day))


def open_table(table: str = "BJ-01", day: str = DAY, *, shown: bool = True, **known: Any) -> None:
    """A partida of six decks at 20:00, its decks shown a quarter of an hour later."""
    record_events(opened(table, day, **known), at("20:00", day))
    for deck in DECKS if shown else ():
        inspected(deck, "20:15", table=table, day=day)


def dealt(
    number: int, /, *, table: str = "BJ-01", day: str = DAY, timed: bool = True, **known: Any
) -> RoundPlayed:
    """The round begun so many minutes after 21:00, and over thirty seconds later."""
    begins = at("21:00", day) + timedelta(minutes=number)
    one = a_round(
        box(1, "TS 8D", main(1000, 2000)),
        box(3, "TC 6D", main(2500, 0)),
        bank="TH 7C",
        day=day,
        times=Times(stakes_closed=begins, first_card=begins) if timed else None,
    )
    values: dict[str, Any] = {"shoe": 1, "number": number} | known
    return replace(
        one,
        round=str(uuid5(NAMES, f"{table}/{day}/{number}")),
        partida=partida_of(table, day),
        table=table,
        **values,
    )


def deal(*numbers: int, **known: Any) -> list[Receipt]:
    """These rounds, each told half a minute after it began."""
    day = known.get("day", DAY)
    return [
        record_events(dealt(n, **known), at("21:00", day) + timedelta(minutes=n, seconds=30))
        for n in numbers
    ]


def short(deck: str = "D-2", clock: str = "23:00", **known: Any) -> Receipt:
    """A deck put in order, one card short."""
    values = {"cards": 51, "result": "missing", "missing_cards": ("7S",), "order_complete": False}
    return inspected(deck, clock, "close", **{**values, **known})


def trail(receipt: Receipt) -> Trail:
    """The trail of the defect an entry tells of."""
    recorded = queries.load_entry(receipt.entry_id)
    assert recorded is not None
    defect = defect_of(recorded)
    assert defect is not None
    return trail_of(defect)
