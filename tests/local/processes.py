"""What still runs of something a test has started, and waiting for it to be gone."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from casino.local.children import wait_for


def running_with(word: str) -> list[int]:
    """Processes, ours left out, that have the word in their command line or their environment."""
    return [pid for pid in all_processes() if pid != os.getpid() and mentions(pid, word)]


def all_processes() -> Iterator[int]:
    """Every process number of this machine."""
    return (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())


def mentions(pid: int, word: str) -> bool:
    """Whether a living process was started with that word."""
    found = b""
    for name in ("cmdline", "environ"):
        try:
            found += Path(f"/proc/{pid}/{name}").read_bytes()
        except OSError:
            continue
    return word.encode() in found


def gone(word: str, seconds: float = 20) -> bool:
    """Wait until nothing with that word runs any more."""
    return wait_for(lambda: not running_with(word), seconds)


def until(condition: Callable[[], bool], seconds: float = 30, what: str = "") -> float:
    """Wait for a condition; gives the seconds it took. Raises: AssertionError after `seconds`."""
    began = time.monotonic()
    assert wait_for(condition, seconds), what or "it did not happen in time"
    return time.monotonic() - began


PYTHON = sys.executable
