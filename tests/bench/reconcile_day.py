"""How long a gaming day of the book takes to reconcile, by a worker with two processes.

    python -m tests.bench.reconcile_day [--rounds 100000] [--tables 40]

Makes a server of its own (durable), simulates an evening, records it through `record_many`, starts
the outbox's loop and a Celery worker on the embedded broker, asks for the day, and waits. Prints
the figures; docs/benchmarks/reconcile.md keeps them.
"""

import argparse
import os
import resource
import sys
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from casino.local import roles
from tests.bench.durable import durable_server
from tests.faults.kills.stack import Stack

DAY = date(2025, 11, 20)
BATCH = 500


def main() -> None:
    """Run it and print what it took."""
    asked = _asked()
    with durable_server(asked.server) as server:
        os.environ["BROKER_URL"] = roles.queue_address(server.cluster)
        import django

        django.setup()
        _record(asked)
        for _ in range(asked.repeat):
            _reconcile(asked, server.home)


def _record(asked: argparse.Namespace) -> None:
    from casino.recording import record_many

    began, count = time.monotonic(), 0
    for batch in _batches(asked):
        record_many(batch)
        count += len(batch)
    seconds = time.monotonic() - began
    _say(
        f"recorded {count} entries in {seconds:.1f} s: {count / seconds:.0f}/s, simulation included"
    )


def _batches(asked: argparse.Namespace) -> Iterator[list[Any]]:
    from casino.ids import uuid7
    from casino.recording import Actor, Source, Submission
    from casino.simulation.simulated_evening import evening
    from tests.factories.evenings import opened

    by, at = Actor("S-0187", "fiscal_de_banca", "import"), datetime(2025, 11, 20, 21, tzinfo=UTC)
    events: list[Any] = (
        []
        if not asked.openings
        else [
            opened(f"BJ-{n:02d}", dealing="shoe" if n % 2 else "shuffler")
            for n in range(1, asked.tables + 1)
        ]
    )
    each = asked.rounds // asked.tables
    rounds = (record for record, _ in evening(7, asked.tables, each, asked.errors, DAY))
    batch = [Submission(event, uuid7(), by, at, Source()) for event in events]
    for event in rounds:
        batch.append(Submission(event, uuid7(), by, at, Source("file", "bench")))
        if len(batch) >= BATCH:
            yield batch
            batch = []
    yield batch


def _reconcile(asked: argparse.Namespace, home: Path) -> None:
    from audit.models import ReconciliationResult, RunSheet
    from audit.reconcile.opening import Asked
    from audit.reconcile.request_run import ask_for

    with Stack(home, os.environ) as stack:
        stack.start_outbox()
        stack.start_worker(processes=asked.processes)
        stack.wait("a worker's children", lambda: len(stack.children()) >= asked.processes)
        time.sleep(3)  # they have imported everything by then
        began = time.monotonic()
        job = ask_for(Asked(reason="asked", from_day=DAY, to_day=DAY))
        stack.wait(
            "the run's end",
            lambda: RunSheet.objects.filter(job=job, state="finished").exists(),
        )
        seconds = time.monotonic() - began
        result = ReconciliationResult.objects.get(run=RunSheet.objects.get(job=job).run)
        memory = max(_peak(pid) for pid in stack.children())
    _say(
        f"reconciled {result.rounds} rounds in {seconds:.1f} s ({result.rounds / seconds:.0f}/s),"
        f" {asked.processes} processes, findings {result.findings}, raised {result.raised},"
        f" digest {result.digest[:16]}, peak {memory // 1024} MB a process,"
        f" ours {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB"
    )


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _peak(pid: int) -> int:
    """The most memory a process ever had, in KiB."""
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0])


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--errors", type=float, default=0.01)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument(
        "--openings",
        action="store_true",
        help="record that the tables opened, and nothing of their shoes: some sixteen thousand"
        " findings about what was not told",
    )
    parser.add_argument("--server", choices=("embedded", "debian"), default="embedded")
    return parser.parse_args(sys.argv[1:])


if __name__ == "__main__":
    main()
