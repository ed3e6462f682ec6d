"""Waiting without measuring the machine: a test waits until something holds, not so many seconds.

How long a thing takes says how busy the machine is. So a wait ends when its condition holds, or at
once when a process it depends on has ended, and otherwise only after `PATIENCE` seconds in which
nothing changed: minutes, that no healthy machine needs. What was seen last is part of the failure.
LIVRO_PATIENCE=<seconds> shortens it for whoever is mending such a test.

Where Python or Playwright asks for a time-out of its own (`subprocess.run`, `Thread.join`,
`expect`), it is given `PATIENCE` too, never a number of its own.
"""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

PATIENCE: Final = float(os.environ.get("LIVRO_PATIENCE") or 300)  # seconds without any change
PAUSE: Final = 0.02  # seconds between two looks
GLANCE: Final = 1.0  # seconds between two looks at what there is to see, which may be long

T = TypeVar("T")
Seen = Callable[[], object]


class InVain(AssertionError):
    """What was waited for did not come about."""


def wait_until(
    holds: Callable[[], T],
    what: str = "what was waited for",
    *,
    seen: Seen | None = None,
    needs: Iterable[subprocess.Popen] = (),
    pause: float = PAUSE,
) -> T:
    """Look again and again until `holds` gives something true; gives that.

    Args:
        holds: the condition. It may raise nothing.
        what: its name in the failure.
        seen: what there is to see meanwhile: a count, a log. Each change begins the patience anew,
            and the last of it is printed.
        needs: processes without which the condition cannot come true any more.
        pause: seconds between two looks.

    Raises: InVain.
    """
    needed, look = list(needs), seen or (lambda: None)
    last, since, looked = None, time.monotonic(), 0.0
    while True:
        ended = [process for process in needed if process.poll() is not None]
        if found := holds():  # asked once more after an end: it may have been the last thing done
            return found
        if ended:
            text = ", ".join(f"{process.args} with {process.returncode}" for process in ended)
            raise InVain(f"{what}: in vain, there ended {text}{_tail(look())}")
        now = time.monotonic()
        if now - looked >= GLANCE:
            shown, looked = look(), now
            if shown != last:
                last, since = shown, now
        if now - since > PATIENCE:
            raise InVain(f"{what}: in vain, nothing changed for {PATIENCE:.0f} s{_tail(look())}")
        time.sleep(pause)


def joined(*threads: threading.Thread) -> None:
    """Wait for threads to end. Raises: InVain."""
    for thread in threads:
        thread.join(PATIENCE)
        if thread.is_alive():
            raise InVain(f"the thread {thread.name} did not end within {PATIENCE:.0f} s")


def _tail(shown: object) -> str:
    """The end of what was seen."""
    return "" if shown is None else f"\nlast seen: {str(shown)[-6000:]}"
