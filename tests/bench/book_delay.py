"""How long a record waits for its place in the tree, and for a checkpoint that covers it.

    python -m tests.bench.book_delay [--rate 50] [--seconds 60] [--clients 4]

Makes a durable server of its own with the sequencer and the signer at work as in `make run`, and
clients (processes) that record rounds at random moments, so many a second together; now and then a
shuffler is loaded, which is signed at once. Read afterwards from the book itself, all by the
server's clock: from `recorded_at` to the first tree that has the entry, and the first checkpoint.
docs/benchmarks/append.md keeps the figures.
"""

import argparse
import multiprocessing
import os
import random
import sys
import time
from typing import Final
from uuid import uuid4

import psycopg

from tests.bench.durable import durable_server
from tests.faults.kills.stack import Stack
from tests.faults.kills.whole_book import ran

LOADED_EVERY: Final = 20.0  # seconds
WARMING: Final = 2.0  # seconds at the beginning that are not counted
DELAYS: Final = """
WITH waited AS (
    SELECT e.kind = 'shuffler-loaded/1' AS urgent,
        extract(epoch FROM t.made_at - e.recorded_at) AS tree,
        extract(epoch FROM c.signed_at - e.recorded_at) AS checkpoint
    FROM book_entry e JOIN book_leaf l ON l.entry_id = e.id
    CROSS JOIN LATERAL (SELECT made_at FROM book_tree WHERE size > l.idx ORDER BY size LIMIT 1) t
    LEFT JOIN LATERAL (
        SELECT signed_at FROM book_checkpoint WHERE size > l.idx ORDER BY size LIMIT 1) c ON true
    WHERE e.recorded_at > (SELECT min(recorded_at) FROM book_entry) + %s * interval '1 second'
)
SELECT urgent, count(*), percentile_disc(ARRAY[0.5, 0.99, 1]) WITHIN GROUP (ORDER BY tree),
    percentile_disc(ARRAY[0.5, 0.99, 1]) WITHIN GROUP (ORDER BY checkpoint)
FROM waited GROUP BY urgent ORDER BY urgent
"""


def write(number: int, rate: float, begin: float, end: float) -> None:
    """One client: records at random moments, `rate` a second; late ones follow at once."""
    import django

    django.setup()
    from casino.recording import Source, record
    from tests.factories.evenings import EVENING, PIT, played
    from tests.factories.records import loaded

    rng, now, written = random.Random(number), begin, 0
    load = begin + (LOADED_EVERY / 2 if number == 0 else end)
    while now < end:
        time.sleep(max(0.0, now - time.monotonic()))
        written += 1
        event = played(f"{number}/{written}", table=f"BJ-{rng.randint(1, 100):03d}")
        record(event, key=uuid4(), by=PIT, occurred_at=EVENING, source=Source())
        if now > load:
            load += LOADED_EVERY
            record(loaded(), key=uuid4(), by=PIT, occurred_at=EVENING, source=Source())
        now += rng.expovariate(rate)


def main() -> None:
    """Run it and print what it took."""
    asked = _asked()
    with durable_server(asked.server) as server:
        os.environ.update(
            SIGNER_HOME=str(server.home / "signer"),
            BOOK_PUBLIC=str(server.home / "public"),
            LOG_ORIGIN="book.example/sala/1",
        )
        ran("-m", "casino.signer", "init", environment=os.environ)
        with Stack(server.home, os.environ) as services:
            services.start("sequencer", "manage.py", "sequencer")
            services.start("signer", "-m", "casino.signer", "run")
            _write_all(asked)
            time.sleep(12)  # the last checkpoint
        _record(server.addresses["READER_DATABASE_URL"])


def _write_all(asked: argparse.Namespace) -> None:
    spawn = multiprocessing.get_context("spawn")
    begin = time.monotonic() + 5  # until then all have imported everything
    listed = (asked.rate / asked.clients, begin, begin + asked.seconds + WARMING)
    clients = [spawn.Process(target=write, args=(n, *listed)) for n in range(asked.clients)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
        assert client.exitcode == 0
    late = time.monotonic() - listed[-1]
    _say(f"{asked.rate}/s for {asked.seconds} s, ended {late:.1f} s late, load {_load()}")


def _record(address: str) -> None:
    with psycopg.connect(address) as reader:
        for urgent, count, tree, checkpoint in reader.execute(DELAYS, [WARMING]):
            _say(
                f"{count} {'loadings' if urgent else 'rounds'}: to the tree"
                f" {_seconds(tree)}; to a checkpoint {_seconds(checkpoint)}"
            )


def _seconds(found: list[float]) -> str:
    return "median {:.2f} s, p99 {:.2f} s, most {:.2f} s".format(*found)


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--server", choices=("embedded", "debian"), default="embedded")
    return parser.parse_args(sys.argv[1:])


if __name__ == "__main__":
    main()
