"""How fast the book takes in records, as ratios of a plain insert and of a global chain.

    python -m tests.bench.book_append [--seconds 0.5] [--rounds 40] [--clients 8] [--streams 100]

Makes a durable server of its own; clients are processes (book_clients.py) that write for some
seconds in one way, then in the next, many short rounds over; the medians are told, of the ratios
those within a round. Ways: a plain
insert; the book's door with everything that belongs to an entry; `record()` whole; a book that is
one chain; the door while one table's stream is held by somebody who never ends.
docs/benchmarks/append.md keeps the figures.
"""

import argparse
import contextlib
import os
import statistics
import sys
import threading
from collections import defaultdict
from collections.abc import Generator
from typing import Final

import psycopg

from casino.local.cluster import Cluster
from tests.bench import book_clients
from tests.bench.book_clients import HEAD, PLAIN
from tests.bench.crew import Clients, Measured, record_ratio, say
from tests.bench.durable import durable_server
from tests.faults.kills.stack import Stack

TABLES: Final = f"""
CREATE TABLE {PLAIN} (LIKE book_entry INCLUDING INDEXES);
CREATE TABLE {HEAD} (n bigint, hash bytea);
INSERT INTO {HEAD} VALUES (0, NULL);
GRANT INSERT ON {PLAIN} TO app;
GRANT SELECT, UPDATE ON {HEAD} TO app;
"""


@contextlib.contextmanager
def blocked(address: str, table: str) -> Generator[None]:
    """One table's stream held by a transaction that never ends, and a writer who waits for it."""
    with psycopg.connect(address) as holder, psycopg.connect(address) as waiter:
        book_clients.keep_waiting(holder, table)
        waiter.execute("SET lock_timeout = 0")
        waiting = threading.Thread(target=book_clients.keep_waiting, args=(waiter, table))
        waiting.start()
        yield
        holder.rollback()
        waiting.join()
        waiter.rollback()


def measure(asked: argparse.Namespace, address: str) -> dict[str, list[Measured]]:
    """Every way in turn, round after round."""
    tables = [f"BJ-{number:03d}" for number in range(1, asked.streams + 1)]
    found: dict[str, list[Measured]] = defaultdict(list)
    clients = Clients(book_clients.serve, address, asked.clients)
    for way in book_clients.WAYS:  # everybody has met every table, every plan is made
        clients.write((way, tables), 2)
    for turn in range(asked.rounds):
        for way in book_clients.WAYS:
            found[way].append(clients.write((way, tables), asked.seconds))
        found["others"].append(clients.write(("door", tables[1:]), asked.seconds))
        with blocked(address, tables[0]):
            found["blocked"].append(clients.write(("door", tables[1:]), asked.seconds))
        say(
            f"round {turn + 1}, load {os.getloadavg()[0]:.1f}: "
            + ", ".join(f"{way} {of_way[-1].rate:.0f}/s" for way, of_way in found.items())
        )
    clients.close()
    return found


def record(found: dict[str, list[Measured]]) -> None:
    """Medians, and the ratios that were asked for."""
    rates = {way: statistics.median(each.rate for each in of_way) for way, of_way in found.items()}
    for way, of_way in found.items():
        median = statistics.median(each.median for each in of_way)
        p99 = statistics.median(each.p99 for each in of_way)
        say(f"{way:13} {rates[way]:7.0f}/s   median {median:6.2f} ms   p99 {p99:6.2f} ms")
    for over, under, goal in (
        ("door, atomic", "plain, atomic", 0.50),
        ("door", "plain", 0.50),
        ("door, steps", "plain, atomic", None),
        ("record", "plain, atomic", None),
        ("door, atomic", "chain, atomic", 2),
        ("door", "chain", 2),
        ("blocked", "others", 0.95),
    ):
        record_ratio(found, over, under, goal)


def slow_down(cluster: Cluster, milliseconds: float) -> None:
    """Let every flush wait, as a slower disk would; who commits meanwhile shares it, as there."""
    with cluster.connect() as superuser:
        superuser.execute("ALTER SYSTEM SET commit_siblings = 0")
        superuser.execute(f"ALTER SYSTEM SET commit_delay = {round(milliseconds * 1000)}".encode())
        superuser.execute("SELECT pg_reload_conf()")
    say(f"a flush waits {milliseconds} ms more")


def main() -> None:
    """Run it and print what it took."""
    asked = _asked()
    with durable_server(asked.server) as server:
        version = server.with_tables(TABLES)
        say(f"PostgreSQL {version}, fsync on, {asked.clients} clients, {asked.streams} streams")
        if asked.sync_ms:
            slow_down(server.cluster, asked.sync_ms)
        with Stack(server.home, os.environ) as services:
            if asked.sequencer:
                services.start("sequencer", "manage.py", "sequencer")
            record(measure(asked, server.addresses["DATABASE_URL"]))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--streams", type=int, default=100)
    parser.add_argument("--sync-ms", type=float, default=0, help="a disk that is slower by so much")
    parser.add_argument("--sequencer", action="store_true", help="the tree grows meanwhile")
    parser.add_argument("--server", choices=("embedded", "debian"), default="embedded")
    return parser.parse_args(sys.argv[1:])


if __name__ == "__main__":
    main()
