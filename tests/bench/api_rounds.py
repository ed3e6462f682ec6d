"""How many rounds a second the API takes: in batches, one by one, and a burst sent again.

    python -m tests.bench.api_rounds [--devices 40] [--seconds 20] [--burst 12800]

Opens a house of its own as `make run` does, with as many machines, each at its own table and on a
connection of its own. First batches of 200 rounds from 8 machines at once, then single rounds from
8, then the burst: a fifth of its messages doubled, all of them shuffled. Prints the figures and
counts what is in the book. docs/benchmarks/api.md keeps them. Asked: batches 400 rounds/s and 95 of
100 within 1 s; single 60/s, 95 of 100 within 150 ms; the burst within 300 s, each round once.
"""

import argparse
import http.client
import json
import os
import platform
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from casino.local import addresses, services
from casino.local.local_places import open_folder
from casino.local.run_house import House

AT_ONCE: Final = 8
BATCH: Final = 200
DAY: Final = date(2026, 10, 15)
Rounds = list[dict[str, Any]]


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


class Device:
    """One machine on one connection; its messages in their order, and how long each took."""

    def __init__(self, port: int, number: str, secret: str, rounds: Rounds) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.rounds, self.message, self.took = rounds, 0, list[float]()
        body = f"grant_type=client_credentials&client_id={number}&client_secret={secret}"
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        self.connection.request("POST", "/api/token", body, form)
        self.token = json.load(self.connection.getresponse())["access_token"]

    def send(self, path: str, body: object, message: int) -> int:
        """Send one message until it is taken; how many rounds it held."""
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Message-Number": str(message),
            "Message-Sent-At": datetime.now(UTC).isoformat(),
        }
        began = time.perf_counter()
        while True:
            try:
                self.connection.request("POST", f"/api/v1/{path}", json.dumps(body), headers)
                answer = self.connection.getresponse()
                text = answer.read()
            except (ConnectionError, http.client.HTTPException):
                self.connection.close()  # it was idle for too long: the same again
                continue
            if answer.status in (200, 201):
                break
            if answer.status not in (409, 503):
                raise SystemExit(f"{answer.status} {text[:400]!r}")
        self.took.append(time.perf_counter() - began)
        return len(body["rounds"]) if isinstance(body, dict) and "rounds" in body else 1

    def next(self, count: int) -> int:
        """Send the next rounds it has not sent yet; 0 where there are none."""
        part, self.rounds = self.rounds[:count], self.rounds[count:]
        self.message += 1
        if not part:
            return 0
        if count == 1:
            return self.send("rounds", part[0], self.message)
        return self.send("rounds/batch", {"rounds": part}, self.message)


def measure(asked: argparse.Namespace, house: House) -> bool:
    """All three; whether the book holds each round once."""
    os.environ.update(addresses.environment(house.known, house.state))
    import django

    django.setup()
    from casino.api.machine_tokens import make_machine
    from casino.models import Round
    from casino.reading.round_writer import round_as_object
    from casino.simulation import evening
    from tests.factories.people import appoint

    port = urlsplit(house.address).port or 80
    each = max(1_500, 2 * asked.burst // asked.devices)
    devices: list[Device] = []
    for place in range(asked.devices):
        rounds = [round_as_object(one) for one, _ in evening(place, 1, each, 0.01, DAY)]
        table, number = f"BJ-{place + 1:02d}", f"DEV-{place + 1:02d}"
        renamed = json.loads(json.dumps(rounds).replace(str(rounds[0]["table"]), table))
        appoint(number, "dispositivo")
        _, secret = make_machine(number, [table], ("rounds",), "S-0001")
        devices.append(Device(port, number, secret, renamed))
    say(f"{platform.machine()}, {os.cpu_count()} cores, {asked.devices} machines")
    sent = timed("batches of 200", devices[:AT_ONCE], asked.seconds, BATCH)
    sent += timed("one by one", devices[AT_ONCE : 2 * AT_ONCE], asked.seconds, 1)
    sent += burst(asked, devices[2 * AT_ONCE :])
    found = Round.objects.count()
    say(f"rounds sent {sent}, in the book {found}")
    return sent == found


def at_once(devices: Sequence[Device], work: Callable[[Device], None]) -> float:
    """Each in a thread of its own; how long all of it took."""
    began = time.perf_counter()
    threads = [threading.Thread(target=work, args=[one]) for one in devices]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - began


def timed(name: str, devices: Sequence[Device], seconds: float, count: int) -> int:
    """Messages of so many rounds for so long; how many rounds were taken."""
    taken: list[int] = []
    until = time.perf_counter() + seconds

    def work(device: Device) -> None:
        device.took.clear()
        while time.perf_counter() < until and (rounds := device.next(count)):
            taken.append(rounds)

    took = at_once(devices, work)
    waits = sorted(one for device in devices for one in device.took)
    p95 = waits[int(len(waits) * 0.95)]
    say(
        f"{name}: {sum(taken) / took:.0f} rounds/s, p50 {statistics.median(waits) * 1000:.0f} ms,"
        f" p95 {p95 * 1000:.0f} ms"
    )
    return sum(taken)


def burst(asked: argparse.Namespace, devices: Sequence[Device]) -> int:
    """What was kept for four hours: shuffled, a fifth of it twice; how many rounds there were."""
    of_each = asked.burst // len(devices)

    def work(device: Device) -> None:
        rounds = device.rounds[:of_each]
        parts = [rounds[at : at + 40] for at in range(0, len(rounds), 40)]
        messages = list(enumerate(parts, start=1))
        drawn = random.Random(len(rounds))
        messages += drawn.sample(messages, len(messages) // 5)
        drawn.shuffle(messages)
        for number, part in messages:
            device.send("rounds/batch", {"rounds": part}, number)

    took = at_once(devices, work)
    rounds = of_each * len(devices)
    say(f"burst: {rounds} rounds from {len(devices)} machines in {took:.0f} s")
    return rounds


if __name__ == "__main__":
    main()
