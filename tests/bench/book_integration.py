"""How long entries take into the tree, beside what only hashing them takes.

    python -m tests.bench.book_integration [--rounds 8] [--batch 10000] [--rate 50] [--seconds 30]

Makes a server of its own (durable) and plays rounds: `--batch` entries are recorded at 100 tables,
hashed by themselves (leaf, tree and root in Python, from memory), given their places by the
sequencer (database, tiles and root included), and hashed again. The ratio is of entries a second,
in the same round. Then a backlog of all that size at once; then the sequencer's loop beside a
writer of `--rate` records a second, and how old each record was when its root stood.
docs/benchmarks keeps the figures.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import threading
import time
from typing import Any, Final, NamedTuple

import psycopg

from casino.ids import uuid7
from casino.tlog.merkle import Frontier, leaf_hash
from tests.bench.durable import durable_server
from tests.servers_django import connections_at

TABLES: Final = 100
TOGETHER: Final = 200  # entries a transaction while the book is filled
APPEND: Final = (
    "SELECT entry_leaf FROM ledger_append(%s, 'bench', 'fiscal_de_banca', 'S-0187', %s, %s, %s, %s,"
    " array_fill(now(), ARRAY[%s]), array_fill(current_date, ARRAY[%s]), %s, %s,"
    " array_fill(0, ARRAY[%s])::bigint[])"
)


class Round(NamedTuple):
    """Entries a second: hashed alone, and integrated."""

    hashing: float
    integrating: float

    @property
    def ratio(self) -> float:
        return self.integrating / self.hashing


def main() -> None:
    """Run it and print the figures."""
    asked = _asked()
    with durable_server(asked.server) as server:
        import django

        django.setup()
        address = server.addresses["DATABASE_URL"]
        with connections_at(server.addresses):
            with psycopg.connect(address) as app:
                rounds = [_round(app, asked.batch) for _ in range(asked.rounds)]
                _record_rounds(rounds, asked.batch)
                _backlog(app, asked.rounds * asked.batch)
            delays = _delays(address, asked.rate, asked.seconds)
    _record_delays(delays, asked.rate)


def _record(app: psycopg.Connection, table: str, count: int) -> None:
    """Write entries of about 600 bytes to a table's stream, in one transaction."""
    ids, keys = ([uuid7() for _ in range(count)] for _ in range(2))
    payload = {"cards": 1, "partida": f"{table}/2026-11-20/1", "shoe": 1, "table": table}
    payload["told"] = "x" * 150
    partida, text = str(payload["partida"]), json.dumps(payload, separators=(",", ":"))
    columns = (["card-burned/1"] * count, [text] * count)
    same = ([table] * count, [partida] * count)
    app.execute(
        APPEND, [f"table/{table}", ids, keys, *columns, count, count, *same, count]
    ).fetchall()
    app.commit()


def _fill(app: psycopg.Connection, count: int) -> None:
    for at in range(0, count, TOGETHER):
        table = f"BJ-{at // TOGETHER % TABLES:02d}"
        _record(app, table, min(TOGETHER, count - at))


def _waiting(app: psycopg.Connection) -> list[bytes]:
    found = app.execute(
        "SELECT e.entry FROM book_pending p JOIN book_entry e ON e.id = p.entry_id"
        " ORDER BY e.stream_id, e.n"
    ).fetchall()
    app.commit()
    return [entry for (entry,) in found]


def _round(app: psycopg.Connection, batch: int) -> Round:
    from casino.sequencer import integrate

    _fill(app, batch)
    entries = _waiting(app)
    before = _hashing(entries)
    began = time.perf_counter()
    assert integrate(batch) == batch
    integrating = time.perf_counter() - began
    after = _hashing(entries)
    return Round(batch * 2 / (before + after), batch / integrating)


def _hashing(entries: list[bytes]) -> float:
    began = time.perf_counter()
    tree = Frontier()
    for entry in entries:
        tree.append(leaf_hash(entry))
    tree.root()
    return time.perf_counter() - began


def _backlog(app: psycopg.Connection, count: int) -> None:
    """How long the loop takes until nothing waits."""
    from casino import sequencer

    _fill(app, count)
    before = _size(app)
    done = threading.Event()
    began = time.perf_counter()
    sequencer.run(done.is_set, rest=lambda _: done.set())
    seconds = time.perf_counter() - began
    assert _size(app) - before == count
    _say(f"a backlog of {count}: {seconds:.1f} s, {count / seconds:.0f} entries/s")


def _size(app: psycopg.Connection) -> int:
    (size,) = app.execute("SELECT coalesce(max(size), 0) FROM book_tree").fetchone() or (0,)
    app.commit()
    return int(size)


def _delays(address: str, rate: int, seconds: int) -> list[float]:
    """How many seconds after its recording each record's root stood, by the server's clock."""
    from casino import sequencer

    writing = threading.Event()
    writing.set()
    loop = threading.Thread(target=sequencer.run, args=(lambda: not writing.is_set(),))
    loop.start()
    with psycopg.connect(address) as app:
        first = _size(app)
        began = time.monotonic()
        for number in range(rate * seconds):
            time.sleep(max(0.0, began + number / rate - time.monotonic()))
            _record(app, f"BJ-{number % TABLES:02d}", 1)
        time.sleep(1)
        writing.clear()
        loop.join()
        found = app.execute(
            "SELECT extract(epoch FROM (SELECT made_at FROM book_tree t WHERE t.size > l.idx"
            " ORDER BY t.size LIMIT 1) - e.recorded_at)::float8"
            " FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id WHERE l.idx >= %s",
            [first],
        ).fetchall()
    assert len(found) == rate * seconds
    return sorted(delay for (delay,) in found)


def _record_rounds(rounds: list[Round], batch: int) -> None:
    _say(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores,")
    _say(f"CPython {platform.python_version()}, load {os.getloadavg()[0]:.1f}; entries/s:")
    for each in rounds:
        _say(
            f"  hashing {each.hashing:8.0f}   integrated {each.integrating:7.0f}   {each.ratio:.3f}"
        )
    hashing, integrating, ratio = (
        statistics.median(getattr(each, name) for each in rounds)
        for name in ("hashing", "integrating", "ratio")
    )
    _say(
        f"{len(rounds)} rounds of {batch}, medians: hashing {hashing:.0f}/s,"
        f" integrated {integrating:.0f}/s, ratio {ratio:.3f}"
    )


def _record_delays(delays: list[float], rate: int) -> None:
    at = {share: delays[int(len(delays) * share / 100)] for share in (50, 99)}
    _say(
        f"merge delay at {rate} records/s, {len(delays)} records: median {at[50]:.2f} s,"
        f" p99 {at[99]:.2f} s, longest {delays[-1]:.2f} s"
    )


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _asked() -> Any:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--batch", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--server", default="embedded")
    return parser.parse_args()


if __name__ == "__main__":
    main()
