"""How fast a file of rounds is read, judged and written, and how much memory that takes.

    python -m tests.bench.import_file [--rounds 30000] [--repeat 3]

Makes a server of its own (durable) and takes the way of *Importar jogadas*: a file is brought, read
by its bounded process, judged, confirmed by a second person, and written by two processes, as the
jobs of a worker are. Each turn brings another file, in a process of its own. Asked: 1,500 rounds a
second written, within 300 MB at any size.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final
from uuid import UUID

from tests.bench.crew import say
from tests.bench.durable import durable_server

DAY: Final = date(2026, 11, 12)
FOR_EVER: Final = float("inf")
TABLES: Final = 10


def main() -> None:
    """Bring so many files in turn, each in a process of its own; print what each took."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=30_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--write", help=argparse.SUPPRESS)
    parser.add_argument("--seat", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.write is not None:
        _write(asked.write, asked.seat)
        return
    if asked.one is not None:
        _one(asked.one, asked.rounds)
        return
    with durable_server("") as server:
        say(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {asked.rounds} rounds a file")
        for turn in range(asked.repeat):
            file = server.home / f"rounds-{turn}.jsonl"
            _play(file, turn, asked.rounds)
            command = (sys.executable, "-m", "tests.bench.import_file", "--one", str(file))
            subprocess.run([*command, "--rounds", str(asked.rounds)], check=True)


def _play(file: Path, turn: int, rounds: int) -> None:
    """Rounds nobody played before, a line each."""
    from casino.reading.round_writer import round_as_object
    from casino.simulation import evening

    with file.open("wb") as into:
        for one, _ in evening(turn + 1, TABLES, rounds // TABLES, 0.0, DAY):
            into.write(json.dumps(round_as_object(one)).encode() + b"\n")


@contextmanager
def _writers(key: str) -> Iterator[Callable[[], None]]:
    """As many processes as a worker gives a file, ready to write; the end of all of them."""
    command = [sys.executable, "-m", "tests.bench.import_file", "--write", key, "--seat"]
    writers = [
        subprocess.Popen([*command, str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for n in range(2)
    ]
    for one in writers:
        assert one.stdout is not None
        one.stdout.readline()  # it is there

    def begin() -> None:
        for one in writers:
            assert one.stdin is not None
            one.stdin.close()

    yield begin
    assert [one.wait() for one in writers] == [0] * len(writers)


def _write(key: str, seat: int) -> None:
    import django

    django.setup()
    from django.conf import settings

    settings.DEBUG = False
    from casino.importing import write_confirmed

    say("ready")
    sys.stdin.read()
    assert write_confirmed.write(UUID(key), FOR_EVER, seat)


def _one(file: Path, rounds: int) -> None:
    import django

    django.setup()
    from django.conf import settings

    settings.DEBUG = False  # else Django writes every statement down
    from casino.importing import judging, staging
    from casino.models import BookEntry
    from casino.recording import Actor
    from tests.factories.people import CAST, appoint

    for office in ("chefia_da_sala", "fiscal_chefe"):
        appoint(CAST[office], office)
    before = BookEntry.objects.count()
    say(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB")
    by, other = (Actor(CAST[one], one, "admin") for one in ("chefia_da_sala", "fiscal_chefe"))
    with file.open("rb") as lines:
        staged = staging.bring("rounds", lines, file.name, by)
    began, used = time.perf_counter(), time.process_time()
    assert judging.judge(staged.pk, FOR_EVER)
    wall, own = time.perf_counter() - began, time.process_time() - used
    say(f"  judged: {rounds / wall:.0f} a second ({rounds / own:.0f} of this process's own)")
    staging.confirm(staged.pk, other)
    with _writers(str(staged.pk)) as begin:
        began = time.perf_counter()
        begin()
    wall = time.perf_counter() - began
    say(f"  written: {rounds / wall:.0f} a second, by {staging.WRITERS} processes")
    assert BookEntry.objects.count() == before + 1 + rounds
    ours, child = (
        resource.getrusage(who).ru_maxrss / 1024
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    say(f"  memory at most: {ours:.0f} MB, the process that reads {child:.0f} MB")


if __name__ == "__main__":
    main()
