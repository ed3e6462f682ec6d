"""Starting another program so that it never outlives us, and ending it with all it started."""

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

from casino.local.local_places import Account

PR_SET_PDEATHSIG: Final = 1
PR_SET_NO_NEW_PRIVS: Final = 38
PAUSE: Final = 0.05  # seconds between two looks
LONGEST_LOG: Final = 5_000_000  # bytes

_libc = ctypes.CDLL(None, use_errno=True)


def dies_with_us(how: signal.Signals) -> Callable[[], None]:
    """What a child does first: ask the kernel to signal it when we end, however we end.

    And never to give it more rights than it has, whatever program it runs.
    """
    parent = os.getpid()

    def ask() -> None:
        _libc.prctl(PR_SET_PDEATHSIG, int(how), 0, 0, 0)
        _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if os.getppid() != parent:  # we ended before it could ask
            os._exit(1)

    return ask


def start(
    command: Sequence[str],
    *,
    log: IO[bytes] | int,
    environment: Mapping[str, str],
    cwd: Path,
    account: Account | None = None,
    on_our_death: signal.Signals = signal.SIGTERM,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, so a Ctrl-C in the terminal reaches only us.

    Both its outputs go to `log`. When we end, even by kill -9, it gets `on_our_death`.
    """
    rights: dict[str, Any] = account.as_arguments() if account else {}
    return subprocess.Popen(  # noqa: S603
        list(command),
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        env=dict(environment),
        cwd=cwd,
        start_new_session=True,
        preexec_fn=dies_with_us(on_our_death),  # noqa: PLW1509  (we have one thread)
        pass_fds=pass_fds,
        **rights,
    )


def has_ended(child: subprocess.Popen[bytes]) -> bool:
    """Whether a child has ended, without burying it: until then its number is nobody else's."""
    if child.returncode is not None:
        return True
    found = os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    return found is not None


def end(child: subprocess.Popen[bytes], how: signal.Signals, seconds: float) -> bool:
    """Ask a child to end, wait, then kill all it left. Gives whether it ended when asked."""
    if child.returncode is None:
        child.send_signal(how)
    return bury(child, seconds)


def bury(child: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait for a child that was asked to end, then kill all it left. Gives whether it ended."""
    if child.returncode is not None:
        return True
    asked = wait_for(lambda: has_ended(child), seconds)
    kill_group(child)
    child.wait()
    return asked


def kill_group(child: subprocess.Popen[bytes]) -> None:
    """Kill everything in the session an unburied child leads, itself included."""
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)


def keep_short(log: Path, longest: int = LONGEST_LOG) -> None:
    """Put a log aside when it has grown long, and empty it: whoever writes it only ever appends."""
    if log.exists() and log.stat().st_size > longest:
        shutil.copyfile(log, log.with_name(log.name + ".old"))
        os.truncate(log, 0)


def wait_for(condition: Callable[[], bool], seconds: float) -> bool:
    """Look again and again until the condition holds; False when the time is over."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(PAUSE)
    return True
