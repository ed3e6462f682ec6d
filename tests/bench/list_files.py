"""How long a list takes to be taken out as a file, and how much memory: rounds, in each form.

    python -m tests.bench.list_files [--rounds 100000] [--repeat 3]

Makes a server of its own (durable), fills the book with so many rounds, and takes their list out
through Django's test client: everything but the network. Each file is made in a process of its own,
so that its memory is its own: what the process held before, and at most. The peer is `psql` copying
the same columns out as CSV, in turns with ours. docs/benchmarks/lists.md keeps the figures. Asked:
a spreadsheet of 100,000 rows within 20 s and 150 MB; CSV at half the speed of psql or more, within
80 MB at any size.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from typing import Any, Final

import psycopg

from tests.bench.crew import say
from tests.bench.durable import DurableServer, durable_server

ROUNDS: Final = "/admin/casino/round/csv/"
COLUMNS: Final = (
    "occurred_at, gaming_day, table_code, partida_id, round, shoe, number, dealer, rulebook, boxes,"
    " staked_cents, returned_cents, bank, voided, staff, office, recorded_at, stream, n, entry_id"
)


def main() -> None:
    """Fill the book, take the files out in turns, print what they took."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--server", default="")
    parser.add_argument("--one", default="", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        _one(asked.one)
        return
    with durable_server(asked.server) as server:
        import django

        django.setup()
        _fill(asked.rounds, server)
        found: dict[str, list[dict[str, float]]] = {}
        for _ in range(asked.repeat):
            for form in ("copy", "csv", "json", "xlsx", "zip"):
                made = _copied(server) if form == "copy" else _taken(form)
                if made:
                    found.setdefault(form, []).append(made)
        say(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {asked.rounds} rows")
        for form, times in found.items():
            middle = {
                key: round(statistics.median(one[key] for one in times), 2) for key in times[0]
            }
            say(f"{form}: {json.dumps(middle)}")


def _fill(rounds: int, server: DurableServer) -> None:
    from tests.factories.findings import people
    from tests.factories.rounds_at_size import Months, fill

    with psycopg.connect(server.cluster.superuser_url("casino"), autocommit=True) as book:
        fill(book, Months(10, 10, rounds // 100))
        book.execute("ANALYZE")
    people()


def _copied(server: DurableServer) -> dict[str, float]:
    """What psql takes for the same columns, from the same server, into nothing."""
    asked = (
        f"\\copy (SELECT {COLUMNS} FROM casino_round ORDER BY gaming_day DESC, entry_id DESC) TO "
    )
    began = time.perf_counter()
    subprocess.run(
        [
            "psql",
            "-X",
            "-q",
            server.addresses["READER_DATABASE_URL"],
            "-c",
            asked + "/dev/null CSV HEADER",
        ],
        check=True,
    )
    return {"seconds": time.perf_counter() - began}


def _taken(form: str) -> dict[str, float] | None:
    """The same in a process of its own; None where the list is too long for this form."""
    made = subprocess.run(
        [sys.executable, "-m", "tests.bench.list_files", "--one", form],
        check=True,
        stdout=subprocess.PIPE,
    )
    found: dict[str, float] | None = json.loads(made.stdout)
    return found


def _one(form: str) -> None:
    """Take the list out twice, a page of it first; print what the second took."""
    import django

    django.setup()
    from tests.factories.findings import client_of

    client = client_of("inspetor")
    _read(client, f"?table=none&as={form}")
    before = _memory()
    began, used = time.perf_counter(), time.process_time()
    size = _read(client, f"?as={form}")
    took = {
        "seconds": time.perf_counter() - began,
        "processor": time.process_time() - used,
        "size": size,
        "memory_before_mb": before,
        "memory_most_mb": _memory(),
    }
    sys.stdout.write(json.dumps(took if size else None))


def _read(client: Any, query: str) -> int:
    """The bytes of a file, read and thrown away; 0 where it is refused."""
    answer = client.get(ROUNDS + query, SERVER_NAME="localhost")
    if answer.status_code == 400:
        return 0
    assert answer.status_code == 200, answer.status_code
    size = sum(map(len, answer.streaming_content))
    answer.close()
    return size


def _memory() -> int:
    """The most this process has held, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
