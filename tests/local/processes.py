"""What still runs of something a test has started, and waiting for it to be gone."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.patience import wait_until


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


def wait_until_gone(word: str, what: str = "all that was started") -> None:
    """Wait until nothing with that word runs any more. Raises: InVain, with what still does."""
    wait_until(lambda: not running_with(word), f"{what} to end", seen=lambda: recorded_of(word))


def recorded_of(word: str) -> list[str]:
    """The command lines of what still runs."""
    return [command_line(pid) for pid in running_with(word)]


def command_line(pid: int) -> str:
    """As `ps` shows it; nothing of a process that has ended meanwhile."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
    except OSError:
        return ""
    return f"{pid} {words.decode('utf-8', 'replace').strip()}"


PYTHON = sys.executable
