"""Partidas written into the book as the doors write them, for the tests of the reconciler."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.ids import uuid7
from casino.recording import (
    Actor,
    Receipt,
    Source,
    Submission,
    Supersedes,
    record,
    record_many,
)
from tests.factories.rounds import a_round, box, main
from tests.factories.usual_events import opening, second_word

PIT = Actor("S-0187", "fiscal_de_banca", "admin")
MANAGER = Actor("S-0001", "chefia_da_sala", "admin")
DAY = "2025-11-20"
EVENING = datetime(2025, 11, 20, 21, tzinfo=UTC)
NAMES = UUID("00000000-0000-4000-8000-00000000beef")


def partida_of(table: str = "BJ-01", day: str = DAY, number: int = 1) -> str:
    """The name of a partida."""
    return f"{table}/{day}/{number}"


def evening_of(day: str) -> datetime:
    """Nine in the evening of a gaming day."""
    return datetime.fromisoformat(f"{day}T21:00:00+00:00")


def record_events(event: Any, at: datetime = EVENING, by: Actor = PIT, **known: Any) -> Receipt:
    """Record one event as somebody of the floor does."""
    return record(
        event, key=known.pop("key", uuid7()), by=by, occurred_at=at, source=Source(), **known
    )


def opened(table: str = "BJ-01", day: str = DAY, number: int = 1, **known: Any) -> PartidaOpened:
    """A table dealt from a shoe of six decks of its own, under the Portuguese rules."""
    own = "D" if table == "BJ-01" else f"D{table[-2:]}"
    where = {"table": table, "partida": partida_of(table, day, number)}
    return replace(opening(where, [f"{own}-{n}" for n in range(1, 7)]), **known)


def closed(table: str = "BJ-01", day: str = DAY, number: int = 1) -> PartidaClosed:
    """The same table closes."""
    return PartidaClosed(table=table, partida=partida_of(table, day, number))


def played(
    name: str,
    *,
    table: str = "BJ-01",
    day: str = DAY,
    number: int = 1,
    returned: int = 2000,
    place: int | None = None,
    shoe: int = 1,
    **known: Any,
) -> RoundPlayed:
    """A round that 18 won against 17; lawful where `returned` is 2000 cents for a stake of 1000.

    `name` gives it its UUID, `place` its number in its shoe.
    """
    one = a_round(box(1, "TS 8D", main(1000, returned)), bank="TH 7C", day=day)
    return replace(
        one,
        round=str(uuid5(NAMES, f"{table}/{day}/{number}/{name}")),
        table=table,
        partida=partida_of(table, day, number),
        shoe=shoe if place else None,
        number=place,
        **known,
    )


def record_all(events: Iterable[Any], at: datetime = EVENING, by: Actor = PIT) -> list[Receipt]:
    """Record several events in one transaction, a second apart."""
    return record_many(
        [
            Submission(event, uuid7(), by, at + timedelta(seconds=place), Source())
            for place, event in enumerate(events)
        ]
    )


def an_evening(
    table: str = "BJ-01",
    day: str = DAY,
    *,
    rounds: int = 3,
    wrong: Sequence[int] = (),
    close: bool = True,
) -> list[Receipt]:
    """A partida whole: opened, so many rounds, closed; in the rounds of `wrong` 500 cents lack."""
    events: list[Any] = [opened(table, day)]
    events += [
        played(
            f"r{n}",
            table=table,
            day=day,
            returned=1500 if n in wrong else 2000,
            shoe=1 + (n - 1) // 4,  # the cards are always the same, and a game has so many decks
            place=1 + (n - 1) % 4,
        )
        for n in range(1, rounds + 1)
    ]
    events += [closed(table, day)] if close else []
    return record_all(events, evening_of(day))


def correct(
    wrong: Receipt, event: Any, at: datetime = EVENING, approve: bool = True, by: Actor = PIT
) -> Receipt:
    """Ask for a correction of an entry; a second person approves it."""
    pending = record_events(
        event, at, by, supersedes=Supersedes(wrong.n, wrong.leaf, "typing_error")
    )
    if approve:
        where = {name: getattr(event, name, None) for name in ("table", "partida")}
        record_events(
            second_word(where, pending, wrong, reason="typing_error"),
            at,
            MANAGER,
        )
    return pending
