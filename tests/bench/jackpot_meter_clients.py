"""The clients of tests.bench.jackpot_meter: each at a table of its own, all at one pool.

A client collects five chips a round, one transaction each, in one of several `WAYS`. Those with a
row-locked meter keep the same rows and raise one row of `bench_meter` beside them.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from multiprocessing.connection import Connection as Pipe
from typing import Any, Final
from uuid import uuid4

import psycopg
from psycopg.types.json import Jsonb

from tests.bench.book_clients import uuid7

POOL: Final = "JP-1"
DAY: Final = date(2026, 11, 20)
EVENING: Final = datetime(2026, 11, 20, 21, 15, tzinfo=UTC)
BOXES: Final = (1, 2, 3, 4, 5)
STAKE, RATE = 250, 25_000
ROUND_MICROCENTS: Final = len(BOXES) * STAKE * RATE

# The five rows of a round, as the projection of contributions keeps them.
_CHIPS: Final = (
    "INSERT INTO {table} (id, entry_id, stream, n, gaming_day, table_code, partida_id,"
    " occurred_at, recorded_at, staff, office, supersedes_leaf, told_by, jackpot, box, owner, chip,"
    " chips, stake_cents)"
    " SELECT id, %(entry)b, %(stream)b, %(n)b, %(day)b, %(table)b, %(partida)b, %(occurred)b,"
    " {at}, 'S-0187', 'fiscal_de_banca', '', 'increment', 'JP-1', box, 'J' || box, 1, 1, 250"
    " FROM unnest(%(ids)b::uuid[], %(boxes)b::bigint[]) chip (id, box)"
)
_KEPT: Final = _CHIPS.format(table="bench_contribution", at="clock_timestamp()")
_PROJECTION: Final = _CHIPS.format(table="jackpot_contribution", at="%(at)b")
_SHARE: Final = "SELECT pg_advisory_xact_lock_shared(hashtextextended('jackpot/JP-1', 0))"
_RAISE: Final = "UPDATE bench_meter SET microcents = microcents + %(worth)b WHERE jackpot = 'JP-1'"
_LOOK: Final = "SELECT microcents FROM bench_meter WHERE jackpot = 'JP-1' FOR UPDATE"

# What `record()` sends for an increment, statement by statement.
_KNOWN: Final = "SELECT FROM book_entry WHERE key = ANY(ARRAY[%(key)b::uuid]) LIMIT 1"
_APPEND: Final = (
    "SELECT entry_n, entry_leaf, entry_at FROM ledger_append(%(stream)b, 'admin',"
    " 'fiscal_de_banca', 'S-0187', ARRAY[%(entry)b::uuid], ARRAY[%(key)b::uuid],"
    " '{jackpot-incremented/1}', ARRAY[%(payload)b], ARRAY[%(occurred)b], ARRAY[%(day)b::date],"
    " ARRAY[%(table)b], ARRAY[%(partida)b], '{0}')"
)
_INCREMENT: Final = (
    "INSERT INTO jackpot_increment (entry_id, stream, n, gaming_day, table_code, partida_id,"
    " occurred_at, recorded_at, staff, office, supersedes_leaf, jackpot, chips, owners, chip_cents)"
    " VALUES (%(entry)b, %(stream)b, %(n)b, %(day)b, %(table)b, %(partida)b, %(occurred)b, %(at)b,"
    " 'S-0187', 'fiscal_de_banca', '', 'JP-1', 5, %(owners)b, 250)"
)
_TOUCH: Final = "SELECT outbox_touch('partida-touched', %(partida)b, %(told)b, %(occurred)b)"


@dataclass
class Client:
    """One client: its connection and its table."""

    connection: psycopg.Connection
    table: str
    payload: str
    written: int = 0

    def rows(self) -> None:
        """Five rows, beside everybody else."""
        with self.connection.transaction():
            self.connection.execute(_SHARE)
            self.connection.execute(_KEPT, self._round())

    def rows_and_meter(self) -> None:
        """Five rows; then the meter's one row, which is locked until the disk has it."""
        values = self._round()
        with self.connection.transaction():
            self.connection.execute(_KEPT, values)
            self.connection.execute(_RAISE, values)

    def meter_and_rows(self) -> None:
        """The meter is read and locked first, as in read, reckon, write."""
        values = self._round()
        with self.connection.transaction():
            self.connection.execute(_LOOK).fetchone()
            self.connection.execute(_KEPT, values)
            self.connection.execute(_RAISE, values)

    def book(self) -> None:
        """The entry through the door and all that belongs to it."""
        values = self._round()
        with self.connection.transaction():
            self.connection.execute(_KNOWN, values)
            self.connection.execute(_SHARE)
            self._entry(values)

    def book_and_meter(self) -> None:
        """The same, and the meter's one row at the end."""
        values = self._round()
        with self.connection.transaction():
            self.connection.execute(_KNOWN, values)
            self._entry(values)
            self.connection.execute(_RAISE, values)

    def meter_and_book(self) -> None:
        """The same, the meter locked first."""
        values = self._round()
        with self.connection.transaction():
            self.connection.execute(_KNOWN, values)
            self.connection.execute(_LOOK).fetchone()
            self._entry(values)
            self.connection.execute(_RAISE, values)

    def record(self) -> None:
        """`record()` whole: the event's form, authority and own job included."""
        from tests.factories.pools import increment
        from tests.factories.records import recorded

        laid = ((box, f"J{box}", 1) for box in BOXES)
        recorded(increment(*laid, table=self.table, chip_cents=STAKE))

    def _entry(self, values: dict[str, Any]) -> None:
        found = self.connection.execute(_APPEND, values).fetchone()
        assert found is not None
        values["n"], _, values["at"] = found
        self.connection.execute(_INCREMENT, values)
        self.connection.execute(_PROJECTION, values)
        self.connection.execute(_TOUCH, values)

    def _round(self) -> dict[str, Any]:
        self.written += 1
        partida = f"{self.table}/{DAY}/1"
        return {
            "entry": uuid7(),
            "key": uuid4(),
            "stream": f"table/{self.table}",
            "n": self.written,
            "day": DAY,
            "table": self.table,
            "partida": partida,
            "occurred": EVENING,
            "ids": [uuid4() for _ in BOXES],
            "boxes": list(BOXES),
            "payload": self.payload,
            "owners": Jsonb([f"J{box}" for box in BOXES]),
            "told": Jsonb({"partida": partida}),
            "worth": ROUND_MICROCENTS,
        }


WAYS: Final[dict[str, Callable[[Client], None]]] = {
    "rows": Client.rows,
    "rows, meter": Client.rows_and_meter,
    "meter, rows": Client.meter_and_rows,
    "book": Client.book,
    "book, meter": Client.book_and_meter,
    "meter, book": Client.meter_and_book,
    "record": Client.record,
}


def table_of(number: int) -> str:
    """The table of a client."""
    return f"BJ-{number + 6:02d}"


def payload_of(table: str) -> str:
    """The canonical payload of a round's increment."""
    from casino.reading.payload import payload_of as made
    from casino.tlog.canonical import canonical
    from tests.factories.pools import increment

    laid = ((box, f"J{box}", 1) for box in BOXES)
    return canonical(made(increment(*laid, table=table, chip_cents=STAKE))).decode()


def serve(number: int, address: str, found: Pipe) -> None:
    """Say so once ready; then write whenever told to, and answer with the seconds each took.

    Told: the way, the moment (time.monotonic) to begin at and the one to end at. `None` ends it.
    """
    import django

    django.setup()
    table = table_of(number)
    with psycopg.connect(address, autocommit=True) as connection:
        client = Client(connection, table, payload_of(table))
        found.send("ready")
        while (task := found.recv()) is not None:
            way, begin, end = task
            write = WAYS[way]
            time.sleep(max(0.0, begin - time.monotonic()))
            took: list[float] = []
            now = time.monotonic()
            while now < end:
                write(client)
                before, now = now, time.monotonic()
                took.append(now - before)
            found.send(took)
