"""`make run`, started in a state folder of its own."""

import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from casino.local import roles
from casino.local.cluster import Cluster
from casino.local.keeper import programs_named
from casino.local.local_places import CHECKOUT
from tests.patience import PATIENCE


class Opened:
    """`make run` with a state folder of its own, and no demo evening."""

    def __init__(self, state: Path, *only: str) -> None:
        self.state = state
        command = [sys.executable, "-m", "casino.local", "run"]
        self.process = subprocess.Popen(
            command + ([f"--only={','.join(only)}"] if only else []),
            cwd=CHECKOUT,
            env={**roles.without_addresses(), "LIVRO_STATE": str(state), "DEMO": "0"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.said = ""

    def wait(self) -> "Opened":
        """Wait until it says it is open."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if "Ctrl-C closes it" in line:  # the last: what lay read ahead would be lost
                return self
        raise AssertionError(f"the house did not open:\n{self.said}")

    @property
    def address(self) -> str:
        """Where its pages are."""
        found = re.search(r"http://127\.0\.0\.1:\d+/", self.said)
        assert found is not None, self.said
        return found[0]

    def page(self) -> int:
        """The status of its first page."""
        with urllib.request.urlopen(self.address, timeout=PATIENCE) as answer:
            return int(answer.status)

    def ask(self, number: signal.Signals) -> int:
        """Send a signal; gives the exit code."""
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=PATIENCE)
        self.said += rest
        return self.process.returncode

    def cluster(self) -> Cluster:
        """Its server, as somebody who may read its secrets."""
        cluster = Cluster(self.state, programs_named("embedded"))
        cluster.port = int((self.state / "port").read_text())
        return cluster
