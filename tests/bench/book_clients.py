"""The clients of tests.bench.book_append: processes that write at full speed when they are told to.

A client knows several ways to write one round, each one transaction: see `WAYS`. It keeps a plain
connection as `app` and, for `record`, Django's own.
"""

import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from multiprocessing.connection import Connection as Pipe
from typing import Any, Final
from uuid import UUID, uuid4

import psycopg

DAY: Final = date(2025, 11, 20)
EVENING: Final = datetime(2025, 11, 20, 21, tzinfo=UTC)
PLAIN: Final = "bench_plain"  # a table with the columns and indexes of book_entry, and no more
HEAD: Final = "bench_head"  # the one head of a chain all writers share
CHAIN: Final = 0x6265_6E63  # the advisory lock of that chain

_INSERT: Final = (
    f"INSERT INTO {PLAIN} (id, stream_id, n, key, kind, gaming_day, table_code, partida_id,"
    " occurred_at, recorded_at, entry, leaf_hash)"
    " VALUES (%b, %b, %b, %b, %b, %b, %b, %b, %b, clock_timestamp(), %b, %b)"
)
_APPEND: Final = (
    "ledger_append(%(stream)b, 'admin', 'fiscal_de_banca', 'S-0187', ARRAY[%(id)b::uuid],"
    " ARRAY[%(key)b::uuid], '{round-played/1}', ARRAY[%(payload)b], ARRAY[%(occurred)b],"
    " ARRAY[%(day)b::date], ARRAY[%(table)b], ARRAY[%(partida)b], '{0}')"
)
_COLUMNS: Final = (
    "casino_round (entry_id, stream, n, gaming_day, table_code, partida_id, occurred_at,"
    " recorded_at, staff, office, supersedes_leaf, round, shoe, number, dealer, rulebook, boxes,"
    " staked_cents, returned_cents, bank, voided)"
)
_ROW: Final = (
    "%(id)b, %(stream)b, {n}, %(day)b, %(table)b, %(partida)b, %(occurred)b, {at}, 'S-0187',"
    " 'fiscal_de_banca', '', %(id)b, 1, 1, '', 'pt', 1, 1000, 2000, 'TH 7C', ''"
)
_ADD: Final = "outbox_add('bench', 'bench/' || {id}, '{{}}', {id}, {at})"

# A statement that is its own transaction: the entry with all that belongs to it.
_DOOR: Final = (
    f"WITH e AS MATERIALIZED (SELECT * FROM {_APPEND}),"
    f" shelf AS (INSERT INTO {_COLUMNS} SELECT {_ROW.format(n='entry_n', at='entry_at')} FROM e)"
    f" SELECT e.*, {_ADD.format(id='entry_id', at='entry_at')} FROM e"
)
_CHAIN: Final = (
    f"WITH l AS MATERIALIZED (SELECT pg_advisory_xact_lock({CHAIN})),"
    f" e AS MATERIALIZED (SELECT a.* FROM l CROSS JOIN LATERAL {_APPEND} a),"
    f" head AS (UPDATE {HEAD} SET n = n + 1, hash = e.entry_leaf FROM e),"
    f" shelf AS (INSERT INTO {_COLUMNS} SELECT {_ROW.format(n='entry_n', at='entry_at')} FROM e)"
    f" SELECT e.*, {_ADD.format(id='entry_id', at='entry_at')} FROM e"
)

# The same in the statements that casino.recording sends, one after the other.
_STEPS: Final = (
    "SELECT FROM book_entry WHERE key = ANY(ARRAY[%(key)b::uuid]) LIMIT 1",
    f"SELECT entry_n, entry_leaf, entry_at FROM {_APPEND}",
    f"INSERT INTO {_COLUMNS} VALUES ({_ROW.format(n='%(n)b', at='%(at)b')})",
    f"SELECT {_ADD.format(id='%(id)b::uuid', at='%(at)b')}",
)


@dataclass
class Client:
    """One client: its connection, its own dice, and the round everybody tells."""

    number: int
    connection: psycopg.Connection
    rng: random.Random
    round_text: str  # canonical payload, of table BJ-001
    bytes_of_entry: bytes
    written: int = 0
    recorded: dict[str, dict[str, Any]] = field(default_factory=dict)  # by table

    def plain(self, table: str) -> None:
        """One row of an entry's size, in a statement that is its own transaction."""
        self.written += 1
        partida = partida_of(table)
        values = (
            uuid7(),
            int(table[-3:]),
            self.written * 100 + self.number,
            uuid4(),
            "round-played/1",
            DAY,
            table,
            partida,
            EVENING,
            self.bytes_of_entry,
            self.rng.randbytes(32),
        )
        self.connection.execute(_INSERT, values)

    def plain_atomic(self, table: str) -> None:
        """The same between BEGIN and COMMIT, three messages there and back."""
        with self.connection.transaction():
            self.plain(table)

    def door(self, table: str) -> None:
        """Entry, head, pending, projection and job, in a statement that is its own transaction."""
        self.connection.execute(_DOOR, self._entry(table)).fetchone()

    def door_atomic(self, table: str) -> None:
        """The same statement between BEGIN and COMMIT."""
        with self.connection.transaction():
            self.door(table)

    def door_steps(self, table: str) -> None:
        """The same as casino.recording does it: six messages there and back."""
        values = self._entry(table)
        known, append, projection, job = _STEPS
        with self.connection.transaction():
            self.connection.execute(known, values)
            found = self.connection.execute(append, values).fetchone()
            assert found is not None
            values["n"], _, values["at"] = found
            self.connection.execute(projection, values)
            self.connection.execute(job, values)

    def chain(self, table: str) -> None:
        """As `door`, in a book that is one chain for the whole house."""
        self.connection.execute(_CHAIN, self._entry(table)).fetchone()

    def chain_atomic(self, table: str) -> None:
        """The same statement between BEGIN and COMMIT."""
        with self.connection.transaction():
            self.chain(table)

    def _entry(self, table: str) -> dict[str, Any]:
        if table not in self.recorded:
            self.recorded[table] = {
                "stream": f"table/{table}",
                "table": table,
                "partida": partida_of(table),
                "payload": self.round_text.replace("BJ-001", table),
                "day": DAY,
                "occurred": EVENING,
            }
        return {**self.recorded[table], "id": uuid7(), "key": uuid4()}

    def record(self, table: str) -> None:
        """All of it by `record()`, the event's form, authority and own job included."""
        from casino.recording import Source, record
        from tests.factories.evenings import PIT, played

        self.written += 1
        event = played(f"{self.number}/{self.written}", table=table)
        record(event, key=uuid4(), by=PIT, occurred_at=EVENING, source=Source())


WAYS: Final[dict[str, Callable[[Client, str], None]]] = {
    "plain": Client.plain,
    "plain, atomic": Client.plain_atomic,
    "door": Client.door,
    "door, atomic": Client.door_atomic,
    "door, steps": Client.door_steps,
    "record": Client.record,
    "chain": Client.chain,
    "chain, atomic": Client.chain_atomic,
}


def partida_of(table: str) -> str:
    """The partida of a table of the bench."""
    return f"{table}/{DAY}/1"


def uuid7() -> UUID:
    """The house's own; imported late, for Django's settings are made by the bench."""
    from casino.ids import uuid7 as made

    return made()


def recorded_round() -> str:
    """The canonical payload of the round everybody tells, at table BJ-001."""
    from casino.reading.payload import payload_of
    from casino.tlog.canonical import canonical
    from tests.factories.evenings import played

    return canonical(payload_of(played("bench", table="BJ-001"))).decode()


def serve(number: int, address: str, found: Pipe) -> None:
    """Say so once ready; then write whenever told to and answer with the seconds each transaction
    took. `None` ends it.

    Told: the way, the tables, the moment (time.monotonic) to begin at and the one to end at.
    """
    import django

    django.setup()
    with psycopg.connect(address, autocommit=True) as connection:
        client = Client(number, connection, random.Random(number), recorded_round(), b"")
        client.bytes_of_entry = _sample(client)
        found.send("ready")
        while (task := found.recv()) is not None:
            way, tables, begin, end = task
            time.sleep(max(0.0, begin - time.monotonic()))
            found.send(_write(client, WAYS[way], tables, end))


def _sample(client: Client) -> bytes:
    """The bytes of an entry as the door makes them: what a plain row holds too."""
    client.record(f"BJ-{client.number + 1:03d}")  # makes the month's partition too
    found = client.connection.execute("SELECT entry FROM book_entry ORDER BY id LIMIT 1").fetchone()
    assert found is not None
    assert json.loads(found[0])["kind"] == "round-played/1"
    return bytes(found[0])


def _write(
    client: Client, write: Callable[[Client, str], None], tables: Sequence[str], end: float
) -> list[float]:
    took: list[float] = []
    now = time.monotonic()
    while now < end:
        write(client, client.rng.choice(tables))
        before, now = now, time.monotonic()
        took.append(now - before)
    return took


def keep_waiting(connection: psycopg.Connection, table: str) -> Any:
    """Lock one table's stream as a writer does who never ends; undone by `rollback`."""
    return connection.execute("SELECT ledger_lock(%b)", [f"table/{table}"]).fetchone()
