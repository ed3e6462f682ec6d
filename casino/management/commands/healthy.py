"""``manage.py healthy SERVICE``: whether a service gets its work done, for whoever watches it.

A process that lives proves nothing: asked is what it was started for. Run beside the service, with
its environment (compose.yaml does). Ends with 0 where it is healthy, else with 1 and the reason.
"""

import http.client
import os
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino.signer import signer_state
from casino.web.monitoring.readiness import outbox, sequencer

PORT: Final = 8000
ANSWERS_IN: Final = 10  # seconds
READY: Final = "/readyz/records"
LONGEST: Final = 500  # bytes of an answer
PULSE: Final = 150  # seconds: beat gives a worker something to do every thirty
SCHEDULED: Final = 400  # seconds: beat writes its schedule down every three minutes


def web() -> str | None:
    """It can record: its database answers, with the tables it wants."""
    host = settings.ALLOWED_HOSTS[0].removeprefix(".").replace("*", "localhost")
    asked = http.client.HTTPConnection("127.0.0.1", PORT, timeout=ANSWERS_IN)
    try:
        asked.request("GET", READY, headers={"Host": host})
        answer = asked.getresponse()
        said = answer.read(LONGEST).decode(errors="replace")
    except OSError as trouble:
        return f"no answer on port {PORT}: {trouble}"
    finally:
        asked.close()
    return None if answer.status == 200 else f"the answer was {answer.status} {said}".strip()


def worker() -> str | None:
    """It did a job a moment ago: beat sees to it that there is one."""
    return _touched(Path(os.environ["HEARTBEAT_FILE"]), PULSE)


def beat() -> str | None:
    """It wrote down its schedule a moment ago."""
    return _touched(Path(os.environ["BEAT_FILE"]), SCHEDULED)


def signer() -> str | None:
    """It refuses nothing, and no tree that grew waits for its checkpoint."""
    return signer_state.trouble(os.environ)


CHECKS: Final[dict[str, Callable[[], str | None]]] = {
    check.__name__: check for check in (web, worker, beat, outbox, sequencer, signer)
}


def _touched(file: Path, seconds: int) -> str | None:
    """Whether a file, or one whose name begins so, was written to so recently."""
    written = [each.stat().st_mtime for each in file.parent.glob(f"{file.name}*")]
    if not written:
        return f"{file} was never written"
    age = time.time() - max(written)
    return None if age <= seconds else f"{file} was last written {age:.0f} s ago"


class Command(BaseCommand):
    """Asks one service's check."""

    help = "Says whether a service of the house gets its work done; run beside it."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.add_argument("service", choices=sorted(CHECKS))

    def handle(self, *args: object, **options: Any) -> None:
        """Ask, and end with the right number."""
        trouble = CHECKS[options["service"]]()
        if trouble is not None:
            raise CommandError(f"{options['service']}: {trouble}")
        self.stdout.write(f"{options['service']}: healthy")
