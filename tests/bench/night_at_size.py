"""How long the night page takes in a book of a million rounds.

    python -m tests.bench.night_at_size [--rounds 1000000] [--days 25] [--tables 40] [--repeat 60]

Makes a server of its own (durable), fills the book with so many rounds and the findings of as many
nights, records one night's incidents, a short deck, chips, posts and duties through the one writer,
and asks for that night through Django's test client: everything but the network. Each page once to
warm up. Beside the time by the clock stands the processor time it took, which others on the machine
do not lengthen. Its peer is the least anybody can do for it: PostgreSQL alone adding up the rounds
of that night. The unit is the millisecond; what else the machine does is said by its load.
docs/benchmarks/night.md keeps the figures. Asked: 95 of 100 pages within 300 ms.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import psycopg

from tests.bench.crew import say
from tests.bench.durable import DurableServer, durable_server

ASKED: Final = 300  # milliseconds, at the 95th percentile
FINDINGS_A_DAY: Final = 950  # as tests/factories/findings_at_size.py spreads them
ADDED_UP: Final = """
SELECT table_code, dealer, count(*), sum(staked_cents), sum(returned_cents)
FROM casino_round WHERE gaming_day = %s GROUP BY 1, 2"""


def main() -> None:
    """Fill the book, ask for the pages, print what they took; exit with 1 beyond what is asked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--days", type=int, default=25)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=60)
    parser.add_argument("--server", default="")
    asked = parser.parse_args()
    with durable_server(asked.server) as server:
        import django

        django.setup()
        night = _fill(asked, server)
        raise SystemExit(_measure(asked, night))


def _fill(asked: argparse.Namespace, server: DurableServer) -> date:
    """The book; the night that is asked for, the last that is over."""
    from tests.factories.findings import people
    from tests.factories.findings_at_size import fill as fill_findings
    from tests.factories.rounds_at_size import Months, fill

    began = time.monotonic()
    months = Months(asked.days, asked.tables, asked.rounds // asked.days // asked.tables)
    with psycopg.connect(server.cluster.superuser_url("casino"), autocommit=True) as book:
        fill(book, months)
        fill_findings(book, asked.days * FINDINGS_A_DAY)
        row = book.execute("SELECT max(gaming_day) FROM casino_closing").fetchone()
        assert row is not None
    people()
    _live(row[0], asked.tables)
    say(
        f"{months.rounds} rounds, {months.tables * months.per} a night at {months.tables} tables,"
        f" filled in {time.monotonic() - began:.0f} s"
    )
    night: date = row[0]
    return night


def _live(night: date, tables: int) -> None:
    """What people record of a night: posts, chips, duties; a jam at every fourth table, a card
    short in a deck of all of them.
    """
    from casino.events.floor_life import ChipsCounted, DealerTookTable, TableHandedOver
    from casino.events.incidents import IncidentReported
    from casino.events.partidas import ChipCount
    from casino.events.shoes import PlayInterrupted
    from casino.events.staff import DutyBegun
    from casino.recording import Actor
    from tests.factories.evenings import record_events
    from tests.factories.usual_events import whole

    def at(hour: int, minute: int = 0) -> datetime:
        return datetime(night.year, night.month, night.day, 15, tzinfo=UTC) + timedelta(
            hours=hour, minutes=minute
        )

    chefe = Actor("S-0104", "fiscal_chefe", "admin")
    record_events(DutyBegun(staff="S-0104", office="fiscal_chefe", tables=()), at(0), chefe)
    for number in range(1, tables + 1):
        table = f"BJ-{number:02d}"
        where = {"table": table, "partida": f"{table}/{night}/1"}
        for hour in range(8):
            record_events(DealerTookTable(**where, pagador=f"P-{number:02d}{hour % 3}"), at(hour))
        record_events(TableHandedOver(**where, fiscal_de_banca=f"S-2{number:02d}"), at(4))
        for moment, hour in (("opening", 0), ("fill", 3), ("closing", 9)):
            counts = (ChipCount(value_cents=1_000, count=500 + hour),)
            record_events(ChipsCounted(**where, moment=moment, counts=counts), at(hour))
        if number % 4 == 0:
            jam = IncidentReported(
                **where, incident=f"I-{number}", category="payment_error", reason="other", people=()
            )
            record_events(jam, at(5))
            record_events(PlayInterrupted(**where, reason="incident"), at(5, 3))
    where = {"table": "BJ-01", "partida": f"BJ-01/{night}/1"}
    record_events(whole(where, "D-1", "exhibition"), at(0))
    short = {"cards": 51, "result": "missing", "missing_cards": ("7S",), "order_complete": False}
    record_events(whole(where, "D-1", "close", **short), at(8))


def _measure(asked: argparse.Namespace, night: date) -> int:
    from django.db import connection

    from tests.factories.findings import client_of

    inspector = client_of("inspetor")
    say(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; milliseconds: median and 95th by"
        " the clock, processor time of the program and of PostgreSQL"
    )

    def page(address: str) -> Callable[[], None]:
        def ask() -> None:
            answer = inspector.get(address, SERVER_NAME="localhost")
            assert answer.status_code == 200, (address, answer.status_code)

        return ask

    def added_up() -> None:
        with connection.cursor() as cursor:
            cursor.execute(ADDED_UP, [night])
            cursor.fetchall()

    last, week = night.isoformat(), (night - timedelta(days=6)).isoformat()
    slow = _timed("the night", page(f"/audit/night/{last}/"), asked.repeat)
    _timed("PostgreSQL alone: its rounds", added_up, asked.repeat)
    rates = f"/audit/rates/?from={week}&to={last}"
    _timed("rates of a week and the one before", page(rates), asked.repeat // 6)
    return int(slow > ASKED)


def _timed(what: str, ask: Callable[[], Any], repeat: int) -> float:
    """The 95th percentile by the clock, milliseconds."""
    ask()
    server, took, times = _backend(), [], max(repeat, 2)
    before = time.process_time(), _processor_time(server)
    for _ in range(times):
        began = time.perf_counter()
        ask()
        took.append(1_000 * (time.perf_counter() - began))
    own = 1_000 * (time.process_time() - before[0]) / times
    others = 1_000 * (_processor_time(server) - before[1]) / times
    slow = statistics.quantiles(took, n=20)[-1]
    say(f"{what}: {statistics.median(took):.0f}, {slow:.0f}; {own:.0f} and {others:.0f}")
    return slow


def _backend() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def _processor_time(process: int) -> float:
    """Of PostgreSQL's process that answers, in seconds; it is not ours, but of this machine."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
