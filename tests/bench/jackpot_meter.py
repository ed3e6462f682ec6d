"""How fast a pool takes in contributions, as ratios of a meter that is one locked row.

    python -m tests.bench.jackpot_meter [--seconds 1] [--rounds 30] [--clients 8] [--sync-ms 0]

Makes a durable server of its own; clients are processes (jackpot_meter_clients.py), each at a table
of its own, that collect five chips a round in one way for a while, then in the next, many rounds
over; the medians are recorded, of the ratios those within a round. Afterwards everything is
counted: what was acknowledged has to be there, to the microcent. docs/benchmarks/meter.md keeps the
figures.
"""

import argparse
import os
import random
import statistics
import sys
from collections import Counter, defaultdict
from typing import Final

from tests.bench import jackpot_meter_clients
from tests.bench.book_append import slow_down
from tests.bench.crew import Clients, Measured, record_ratio, say
from tests.bench.durable import durable_server
from tests.bench.jackpot_meter_clients import POOL, ROUND_MICROCENTS, WAYS

TABLES: Final = """
CREATE TABLE bench_contribution (LIKE jackpot_contribution INCLUDING INDEXES);
CREATE TABLE bench_meter (jackpot text PRIMARY KEY, microcents bigint) WITH (fillfactor = 10);
INSERT INTO bench_meter VALUES ('JP-1', 0);
GRANT SELECT, INSERT ON bench_contribution TO app;
GRANT SELECT, UPDATE ON bench_meter TO app;
"""
RATIOS: Final = (
    ("rows", "rows, meter", 1.5),
    ("rows", "meter, rows", None),
    ("book", "book, meter", 1.15),
    ("book", "meter, book", None),
    ("record", "book, meter", None),
)


def measure(asked: argparse.Namespace, address: str) -> dict[str, list[Measured]]:
    """Every way in turn, round after round; then everything is counted."""
    crew, order = Clients(jackpot_meter_clients.serve, address, asked.clients), random.Random(0)
    written: Counter[str] = Counter()
    found: dict[str, list[Measured]] = defaultdict(list)
    for way in WAYS:  # every plan is made
        crew.write((way,), 2)
        written[way] += crew.written
    for turn in range(asked.rounds):
        for way in order.sample(list(WAYS), len(WAYS)):
            found[way].append(crew.write((way,), asked.seconds))
            written[way] += crew.written
        say(
            f"round {turn + 1}, load {os.getloadavg()[0]:.1f}: "
            + ", ".join(f"{way} {found[way][-1].rate:.0f}/s" for way in WAYS)
        )
    crew.close()
    count(written)
    return found


def count(written: Counter[str]) -> None:
    """Whatever was acknowledged is there, once."""
    from django.db import connection

    from jackpot import queries
    from tests.factories.pools import START_CENTS

    def number(statement: str) -> int:
        with connection.cursor() as cursor:
            cursor.execute(statement)
            (found,) = cursor.fetchone()
        return int(found)

    metered = sum(rounds for way, rounds in written.items() if "meter" in way)
    meter = number("SELECT microcents FROM bench_meter")
    bare = sum(rounds for way, rounds in written.items() if "rows" in way)
    rows = number("SELECT count(*) FROM bench_contribution")
    count = sum(rounds for way, rounds in written.items() if "rows" not in way)
    pool = queries.pool_now(POOL).meter.running
    lost = (
        metered - meter / ROUND_MICROCENTS,
        bare - rows / 5,
        count - (pool - START_CENTS * 1_000_000) / ROUND_MICROCENTS,
    )
    say(f"rounds: {sum(written.values())}; lost (locked row, rows, pool in the book): {lost}")


def record(found: dict[str, list[Measured]]) -> None:
    """Medians, and the ratios that were asked for."""
    for way, of_way in found.items():
        rate = statistics.median(each.rate for each in of_way)
        median = statistics.median(each.median for each in of_way)
        p99 = statistics.median(each.p99 for each in of_way)
        worst = max(each.p99 for each in of_way)
        say(
            f"{way:12} {rate:7.0f}/s   median {median:6.2f} ms   p99 {p99:6.2f} ms"
            f" (of the worst round {worst:.1f})"
        )
    for over, under, goal in RATIOS:
        record_ratio(found, over, under, goal)


def main() -> None:
    """Run it and print what it took."""
    asked = _asked()
    with durable_server(asked.server) as server:
        version = server.with_tables(TABLES)
        say(f"PostgreSQL {version}, fsync on, {asked.clients} clients, one pool")
        if asked.sync_ms:
            slow_down(server.cluster, asked.sync_ms)
        begin(asked.clients)
        record(measure(asked, server.addresses["DATABASE_URL"]))


def begin(count: int) -> None:
    """A pool with terms and a start, and a partida at every client's table."""
    import django

    django.setup()
    from tests.factories.pools import approve, opened, start

    approve()
    start()
    for number in range(count):
        opened(jackpot_meter_clients.table_of(number))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--sync-ms", type=float, default=0, help="a disk that is slower by so much")
    parser.add_argument("--server", choices=("embedded", "debian"), default="embedded")
    return parser.parse_args(sys.argv[1:])


if __name__ == "__main__":
    main()
