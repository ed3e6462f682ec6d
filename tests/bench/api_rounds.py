"""How many rounds a second the API takes: in batches, one by one, and a burst sent again.

    python -m tests.bench.api_rounds [--devices 40] [--seconds 20] [--burst 12800] [--repeat 3]

Opens a house of its own as `make run` does, and lets the machines of `simulate_devices` post to it,
each at its own table and on a connection of its own. First batches of 200 from 8 machines, offered
at 400 rounds a second; then as many as it takes; then single rounds from 8; then the burst: a fifth
of its messages doubled, all of them shuffled. Each `--repeat` times. Prints the figures, and looks
for every acknowledged round in the house's lists. docs/benchmarks/api.md keeps them. Asked: batches
400 rounds/s and 95 of 100 within 1 s, from the moment each was due; single 60/s, 95 of 100 within
150 ms; the burst within 300 s, each round once.
"""

import argparse
import os
import platform
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from casino.local import addresses, services
from casino.local.local_places import open_folder
from casino.local.run_house import House
from casino.simulation.devices.in_the_book import in_the_book
from casino.simulation.devices.planned_messages import CALM, Trouble
from casino.simulation.devices.playing import (
    Machine,
    Plan,
    Tally,
    play,
    players_of,
    tally_of,
)
from tests.bench.thirty_tablets import spent

AT_ONCE: Final = 8
BATCH: Final = 200
RATE: Final = 400
DAY: Final = date(2026, 10, 15)
MOST: Final = 600.0  # seconds a part may take
BURST: Final = Trouble(doubled=0.2, skew=90, offline=True)


def say(line: str) -> None:
    """One figure."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Run it and print what it took; exit with 1 where a round is missing or doubled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--burst", type=int, default=12_800)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--parts", default="paced,open,single,burst")
    asked = parser.parse_args()
    home = open_folder(Path(tempfile.mkdtemp(prefix="livro-bench-")))
    settings = "casino.settings"
    os.environ.update(LIVRO_STATE=str(home), DEMO="0", PORT="", DJANGO_SETTINGS_MODULE=settings)
    house = House(home, services.SERVICES)
    try:
        house.open()
        whole = measure(asked, house)
    finally:
        house.close()
        shutil.rmtree(home, ignore_errors=True)
    sys.exit(0 if whole else 1)


def measure(asked: argparse.Namespace, house: House) -> bool:
    """Every part, so many times; whether the book holds each round once."""
    os.environ.update(addresses.environment(house.known, house.state))
    import django

    django.setup()
    from casino.management.commands.simulate_devices import made_machines
    from casino.models import Round

    url, each = house.address.rstrip("/"), asked.burst // asked.devices
    seconds = int(asked.seconds)
    parts = {
        "paced": (AT_ONCE, Plan(0, DAY, RATE * seconds // AT_ONCE, BATCH, rate=RATE)),
        "open": (AT_ONCE, Plan(0, DAY, 200 * seconds, BATCH)),
        "single": (AT_ONCE, Plan(0, DAY, 40 * seconds)),
        "burst": (asked.devices, Plan(0, DAY, each, 40, trouble=BURST)),
    }
    say(f"{platform.machine()}, {os.cpu_count()} cores, {asked.devices} machines")
    whole, rounds = Tally(), 0
    for turn in range(asked.repeat):
        for name in asked.parts.split(","):
            count, plan = parts[name]
            day = DAY + timedelta(days=turn)
            plan = Plan(turn, day, plan.rounds, plan.batch, rate=plan.rate, trouble=plan.trouble)
            machines, reader = made_machines(url, count, DAY)
            before = spent(house)
            tally, took = played(machines, plan, MOST if plan.trouble is not CALM else seconds)
            used = {one: after - before[one] for one, after in spent(house).items()}
            rounds += len(tally.entries)
            whole.add(tally)
            say(f"{name}: {figures(tally, took)}; load {os.getloadavg()[0]:.1f}")
            each = (f"{one} {1000 * of / len(tally.entries):.1f}" for one, of in used.items())
            say(f"  milliseconds of the processor a round: {', '.join(each)}")
    found, there = in_the_book(reader, whole.entries), Round.objects.count()
    say(f"acknowledged {rounds}, in the lists once {found.once}, in the book {there}")
    for line in whole.wrong:
        say(line)
    return found.whole and rounds == there == len(whole.entries) and not whole.wrong


def played(machines: Sequence[Machine], plan: Plan, seconds: float) -> tuple[Tally, float]:
    """Let the machines send it; what became of it, and the seconds it took."""
    players = players_of(machines, plan)
    for one in players:
        one.turns = list(one.turns)  # played before it is timed
    took = play(players, seconds)
    return tally_of(players), took


def figures(tally: Tally, took: float) -> str:
    """Rounds a second, and how long until a message was acknowledged."""
    waits = sorted(tally.took)
    p95, rate = waits[int(len(waits) * 0.95)], len(tally.entries) / took
    return (
        f"{len(tally.entries)} rounds in {took:.1f} s, {rate:.0f} a second; p50"
        f" {statistics.median(waits) * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms,"
        f" most {waits[-1] * 1000:.0f} ms; sent once more {tally.again}"
    )


if __name__ == "__main__":
    main()
