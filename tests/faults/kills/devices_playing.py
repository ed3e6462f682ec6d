"""Machines that post rounds to a real web server, as `simulate_devices` lets them, while a test
kills what stands behind it.
"""

import secrets
import socket
import threading
from datetime import date
from typing import Final

from casino.management.commands.simulate_devices import made_machines
from casino.models import ApiMessage, BookEntry, Round
from casino.simulation.devices.in_the_book import in_the_book
from casino.simulation.devices.planned_messages import Trouble
from casino.simulation.devices.playing import Plan, Tally, play, players_of, tally_of
from tests.faults.kills.stack import Stack
from tests.patience import joined

DAY: Final = date(2026, 10, 15)
MACHINES: Final = 8
TROUBLE: Final = Trouble(lost=0.05, doubled=0.1, reused=0.02, skew=90)
FOR_EVER: Final = 36_000  # seconds: a test says when it is enough


class Playing:
    """Web server and sequencer as services of a stack, and machines of a house that was empty."""

    def __init__(self, stack: Stack, plan: Plan) -> None:
        self.stack = stack
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        url = f"http://127.0.0.1:{self.port}"
        self.machines, self.reader = made_machines(url, MACHINES, DAY)
        self.key = secrets.token_urlsafe(50)
        self.before = BookEntry.objects.count()
        self.start()
        stack.wait("the web server", lambda: self.reader.get("rounds?limit=1")[0] == 200)
        self.players = players_of(self.machines, plan)
        self.enough = threading.Event()
        self.thread = threading.Thread(
            target=play, args=(self.players, FOR_EVER, self.enough), name="machines"
        )
        self.thread.start()
        # A token is asked for once: a request for one that dies with the database counts as a try.
        stack.wait("every machine", lambda: all(one.tally.entries for one in self.players))

    def start(self) -> None:
        """The web server as the house runs it, and the sequencer."""
        self.stack.start(
            "web",
            *("-m", "gunicorn", "casino.wsgi:application", f"--bind=127.0.0.1:{self.port}"),
            *("--worker-class=casino.web_worker.DeadlineWorker", "--workers=2", "--threads=4"),
            "--no-control-socket",
            # With DEBUG whoever finds the database away would be answered otherwise.
            HTTPS="0",
            ALLOWED_HOSTS="127.0.0.1",
            SECRET_KEY=self.key,
        )
        self.stack.start("sequencer", "manage.py", "sequencer")

    @property
    def acknowledged(self) -> int:
        """How many rounds by now."""
        return sum(len(one.tally.entries) for one in self.players)

    def goes_on(self, by: int = 1) -> float:
        """Wait until so many rounds more are acknowledged; the seconds it took."""
        until = self.acknowledged + by
        return self.stack.wait("the machines to go on", lambda: self.acknowledged >= until)

    def close(self) -> None:
        """Let all lines go, whatever the test came to."""
        self.enough.set()
        self.reader.close()

    def ended(self) -> Tally:
        """Nothing new is begun; what was begun is acknowledged."""
        self.enough.set()
        joined(self.thread)
        return tally_of(self.players)

    def must_all_stand(self, tally: Tally) -> None:
        """Acknowledged is stored and stored is acknowledged, once: by the API, and in the book."""
        assert (tally.wrong, tally.open) == ([], 0)
        found = in_the_book(self.reader, tally.entries)
        assert found.whole, found
        rounds = BookEntry.objects.filter(kind="round-played/1")
        keys = {str(key) for key in rounds.values_list("key", flat=True)}
        assert keys == set(tally.entries)
        assert Round.objects.count() == len(keys) == BookEntry.objects.count() - self.before
        assert ApiMessage.objects.count() == tally.messages
