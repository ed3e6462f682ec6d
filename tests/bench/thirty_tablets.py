"""How long thirty tablets wait for the floor's pages, in the middle of an evening.

    python -m tests.bench.thirty_tablets [--tablets 30] [--seconds 120] [--think 4] [--days 20]
        [--tls]

Opens a house of its own as `make run` does (PostgreSQL, web server, workers, everything), tells it
an evening under way at thirty tables over the book of some weeks (floor_book.py), logs a supervisor
in on each tablet (tablet.py) and lets them work: first with the time people take to read and tap,
then, unless `--think 0`, once more with none. Prints the figures, ends by itself, and leaves
nothing behind. With `--tls` it asks through nginx, as `make install` sets that up. Everything stays
on the loopback address. docs/benchmarks/tablets.md keeps the figures. Asked:
95 of 100 GETs within 150 ms, POSTs within 250 ms, a page within 60 KB gzipped.
"""

import argparse
import asyncio
import contextlib
import os
import platform
import shutil
import ssl
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from casino.local import addresses, services
from casino.local.local_places import open_folder
from casino.local.ports import LOOPBACK
from casino.local.run_house import House
from tests.bench.behind_nginx import nginx
from tests.bench.tablet import Answer, Browser, Supervisor

GET_ASKED, POST_ASKED, PAGE_ASKED = 0.150, 0.250, 60 * 1024
WARM: Final = 20.0  # seconds that do not count: every worker has met every table by then
TOUCHED: Final = 130.0  # a partida is looked at again two minutes after it was touched
DRAINED: Final = 600.0  # seconds the jobs that follow from the book's making may take
Address = tuple[int, ssl.SSLContext | None]
Recorded = list[tuple[float, str, Answer]]


def main() -> None:
    """Run it and print what it took; exit with 1 where an answer was no answer at all."""
    asked = _asked()
    home = open_folder(Path(tempfile.mkdtemp(prefix="livro-bench-")))
    os.environ.update(
        LIVRO_STATE=str(home),
        DEMO="0",
        PORT="",
        DJANGO_SETTINGS_MODULE="casino.settings",
        # The nightly reconciliation of the weeks before is not asked about here.
        BEAT_SECONDS="86400",
    )
    house = House(home, services.SERVICES)
    try:
        house.open()
        sessions = prepare(asked, house)
        assert house.door is not None
        port = house.door.getsockname()[1]
        with nginx(port) if asked.tls else contextlib.nullcontext((port, None)) as at:
            failed = measure(asked, house, sessions, at)
    finally:
        house.close()
        shutil.rmtree(home, ignore_errors=True)
    sys.exit(1 if failed else 0)


def prepare(asked: argparse.Namespace, house: House) -> dict[str, str]:
    """Fill the book, make the accounts; the session of each tablet by its table."""
    os.environ.update(addresses.environment(house.known, house.state))
    import django

    django.setup()
    import logging

    import psycopg
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from casino.models import Account
    from tests.bench import floor_book

    logging.disable(logging.INFO)
    assert house.cluster is not None
    size = floor_book.Size(asked.days, asked.tablets, asked.rounds)
    with psycopg.connect(house.cluster.superuser_url("casino"), autocommit=True) as book:
        floor_book.fill(book, size, say)
        rows = book.execute(
            "SELECT count(*), count(*) FILTER (WHERE kind = 'round-played/1'),"
            " pg_size_pretty(pg_database_size(current_database())) FROM book_entry"
        ).fetchone()
        assert rows is not None
        say(f"the book: {rows[0]} entries, {rows[1]} of them rounds, {rows[2]}")
        waited = drain(book)
        say(f"jobs done after {waited:.0f} s more")
    sessions = {}
    for table in size.codes:
        account = Account.objects.create_user(floor_book.pit_of(table), None, language="pt-pt")
        store = SessionStore()
        store[SESSION_KEY] = str(account.pk)
        store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        store[HASH_SESSION_KEY] = account.get_session_auth_hash()
        store.create()
        assert store.session_key is not None
        sessions[table] = store.session_key
    return sessions


def drain(book: Any) -> float:
    """Wait until the workers have done what followed from the filling; the seconds it took."""
    began = time.monotonic()
    time.sleep(TOUCHED)
    while time.monotonic() - began < DRAINED:
        open_jobs = book.execute(
            "SELECT count(*) FROM job_outbox WHERE done_at IS NULL AND due_at < now()"
        ).fetchone()
        pending = book.execute("SELECT count(*) FROM book_pending").fetchone()
        if open_jobs == (0,) and pending == (0,):
            break
        time.sleep(1)
    return time.monotonic() - began


def measure(asked: argparse.Namespace, house: House, sessions: dict[str, str], at: Address) -> int:
    """Both runs; how many answers were none."""
    say(machine(house) + (", TLS by nginx" if asked.tls else ""))
    failed = 0
    stop = threading.Event()
    playing = threading.Thread(target=play, args=(asked, stop))
    playing.start()
    try:
        for think in dict.fromkeys((asked.think, 0.0)):
            before = spent(house)
            listed, acts, connections = asyncio.run(run(sessions, at, think, asked.seconds))
            load, after = os.getloadavg()[0], spent(house)
            say(f"\nthinking {think} s on average, {asked.seconds} s, load {load:.1f}")
            failed += record(listed, asked.seconds, acts, connections)
            each = {name: 1000 * (after[name] - before[name]) / len(listed) for name in after}
            recorded_of = ", ".join(f"{name} {most:.0f} ms" for name, most in each.items())
            say(f"the processor's time by request, the warm-up's among it: {recorded_of}")
        if failed:
            say((house.logs / "web.log").read_text("utf-8", "replace")[-4000:])
        asyncio.run(weigh(sessions, at))
    finally:
        stop.set()
        playing.join()
    return failed


def play(asked: argparse.Namespace, stop: threading.Event) -> None:
    """Meanwhile each table plays a round every 75 seconds, as its card reader tells it."""
    from tests.bench import floor_book

    size = floor_book.Size(asked.days, asked.tablets, asked.rounds)
    for record_round in floor_book.rounds_to_come(size):
        if stop.wait(75 / asked.tablets):
            return
        record_round()


def _browser(at: Address, session: str, number: int = 0) -> Browser:
    """A tablet with an address of its own, of the loopback: limits by address are each one's."""
    return Browser(LOOPBACK, at[0], session, at[1], own=f"127.0.1.{number + 1}")


async def run(
    sessions: dict[str, str], at: Address, think: float, seconds: float
) -> tuple[Recorded, int, int]:
    """All tablets at once; what they were recorded after the warm-up, their acts, connections."""
    hands = [
        Supervisor(_browser(at, session, n), table, int(table[-2:]) % 2 == 0, think)
        for n, (table, session) in enumerate(sessions.items())
    ]
    counted = time.monotonic() + WARM
    await asyncio.gather(*(hand.work(counted + seconds) for hand in hands))
    listed = [one for hand in hands for one in hand.recorded if one[0] >= counted]
    return listed, sum(hand.acts for hand in hands), sum(hand.browser.connections for hand in hands)


def record(listed: Recorded, seconds: float, acts: int, connections: int) -> int:
    """The figures of a run; how many answers were none."""
    by_kind: dict[str, list[float]] = defaultdict(list)
    heaviest: dict[str, int] = defaultdict(int)
    for _, what, answer in listed:
        method = "all POSTs" if what.startswith("POST") else "all GETs"
        for name in (what, method):
            by_kind[name].append(answer.took)
            heaviest[name] = max(heaviest[name], answer.wire)
    say(
        f"{len(listed) / seconds:.1f} requests/s, {acts} acts recorded, {connections} connections;"
        f" statuses {dict(Counter(answer.status for _, _, answer in listed))}"
    )
    say(f"{'':20} {'count':>6} {'p50':>6} {'p95':>6} {'p99':>6} {'most':>6} ms, {'KB gz':>6}")
    for name in sorted(by_kind, key=lambda one: (one.startswith("all"), one)):
        met, heavy = _verdict(name, by_kind), heaviest[name] / 1024
        say(f"{name:20} {row(by_kind[name])}    {heavy:6.1f}{met}")
    return sum(answer.status >= 400 for _, _, answer in listed)


def _verdict(name: str, by_kind: dict[str, list[float]]) -> str:
    limit = {"all GETs": GET_ASKED, "all POSTs": POST_ASKED}.get(name)
    if limit is None:
        return ""
    met = percentile(by_kind[name], 95) <= limit
    return f"  asked p95 <= {limit * 1000:.0f}: {'met' if met else 'MISSED'}"


def row(took: Iterable[float]) -> str:
    """Count and percentiles in milliseconds."""
    ordered = sorted(took)
    shown = [1000 * percentile(ordered, part) for part in (50, 95, 99, 100)]
    return f"{len(ordered):6} " + " ".join(f"{one:6.0f}" for one in shown)


def percentile(took: Iterable[float], part: int) -> float:
    """The value that so many of a hundred do not exceed."""
    ordered = sorted(took)
    return ordered[min(len(ordered) - 1, max(0, -(-len(ordered) * part // 100) - 1))]


def spent(house: House) -> dict[str, float]:
    """Seconds of the processor by now: each service with its children, and the database server.

    The warm-up's are among them, and what the workers do at the same time.
    """
    assert house.supervisor is not None
    assert house.cluster is not None
    roots = {one.service.name: one.process.pid for one in house.supervisor.running if one.process}
    own = house.cluster.data / "postmaster.pid"
    roots["postgresql"] = int(own.read_text("ascii").split()[0])
    parents: dict[int, tuple[int, float]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            pid, rest = stat.read_text("utf-8", "replace").split(" ", 1)
            fields = rest.rpartition(") ")[2].split()
            ticks = sum(map(int, fields[11:15]))  # its own, and its children's that have ended
            parents[int(pid)] = int(fields[1]), ticks / os.sysconf("SC_CLK_TCK")
    return {name: _of_tree(root, parents) for name, root in roots.items()}


def _of_tree(root: int, parents: dict[int, tuple[int, float]]) -> float:
    children = [pid for pid, (parent, _) in parents.items() if parent == root]
    return parents.get(root, (0, 0.0))[1] + sum(_of_tree(one, parents) for one in children)


async def weigh(sessions: dict[str, str], at: Address) -> None:
    """What a tablet loads that has never been here: page, style sheets and scripts."""
    table, session = next(iter(sessions.items()))
    browser = _browser(at, session)
    for path in ("/sala/", f"/sala/{table}/", f"/sala/{table}/complaint/"):
        page = await browser.get(path)
        assets = [await browser.get(one) for one in dict.fromkeys(page.assets)]
        total = page.wire + sum(one.wire for one in assets)
        kept = {one.headers.get("cache-control", "") for one in assets}
        say(
            f"{path}: page {page.wire / 1024:.1f} KB"
            f" ({page.headers.get('content-encoding', 'plain')}), with"
            f" {len(assets)} style sheets and scripts {total / 1024:.1f} KB, asked <="
            f" {PAGE_ASKED // 1024}; these are kept by: {', '.join(sorted(kept))}"
        )
    await browser.close()


def machine(house: House) -> str:
    """Where it was measured."""
    assert house.cluster is not None
    web = next(one for one in services.SERVICES if one.name == "web")
    workers = [word for word in web.command if word.startswith(("--workers", "--threads"))]
    names = [
        line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if "model name" in line
    ]
    memory = next((line.split()[1] for line in _lines("/proc/meminfo")), "0")
    return (
        f"{os.cpu_count()} cores ({names[0] if names else platform.processor()}),"
        f" {int(memory) // 1024**2} GB, PostgreSQL {house.cluster.programs.major},"
        f" CPython {platform.python_version()}, gunicorn {' '.join(workers)},"
        f" load {os.getloadavg()[0]:.1f}"
    )


def _lines(path: str) -> list[str]:
    file = Path(path)
    return file.read_text("ascii", "replace").splitlines() if file.exists() else []


def say(text: str) -> None:
    """Print at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tablets", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--think", type=float, default=4, help="seconds between two taps, average")
    parser.add_argument("--days", type=int, default=20, help="evenings in the book before this one")
    parser.add_argument("--rounds", type=int, default=300, help="of each table, each evening")
    parser.add_argument("--tls", action="store_true", help="through nginx, as make install has it")
    return parser.parse_args(sys.argv[1:])


if __name__ == "__main__":
    main()
