"""A throwaway server that lives exactly as long as another process: the test session.

The keeper starts the server, writes `ready` when roles and databases stand, and waits. It stops the
server and removes all its files when it is told to (SIGTERM) or when the process it watches is
gone, however that one ended.
"""

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from casino.local import children, roles
from casino.local.cluster import Cluster
from casino.local.local_places import CHECKOUT, forget, open_folder, state_of
from casino.local.local_trouble import Trouble
from casino.local.programs import Programs, debian, packaged

READY: Final = "ready"
LOCK: Final = "lock"  # beside the servers of a session: who starts one, or makes a template
SECONDS: Final = 90  # to copy the programs, make a server and its roles, on a busy machine


def programs_named(server: str) -> Programs:
    """The programs of one kind of server: "embedded" or "debian".

    Raises: Trouble, where they are not installed.
    """
    return debian() if server == "debian" else packaged(state_of())


def keep(home: Path, pid: int, server: str) -> None:
    """Keep a throwaway server in `home` until process `pid` is gone or SIGTERM comes."""
    open_folder(home)
    (home / "keeper").write_text(str(os.getpid()), "ascii")
    asked, recording = os.pipe()
    signal.signal(signal.SIGTERM, lambda *_: os.write(recording, b"."))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cluster = Cluster(home, programs_named(server), durable=False)
    try:
        watched = os.pidfd_open(pid)
        cluster.start()
        roles.prepare(cluster)
        said = home / f"{READY}.new"
        said.write_text(str(cluster.port), "ascii")
        said.rename(home / READY)  # whoever waits for it finds it written to its end
        select.select([asked, watched], [], [])
    except ProcessLookupError:
        pass  # gone already
    finally:
        cluster.stop()
        forget(home)
        with contextlib.suppress(OSError):  # the other server of the session still lies there
            (home.parent / LOCK).unlink(missing_ok=True)
            home.parent.rmdir()


def kept(home: Path, pid: int, server: str) -> Cluster:
    """The server of this session, started by whoever asks first. Call it under a lock.

    Raises: Trouble, when it does not come up; the text ends with what was said.
    """
    cluster = Cluster(home, programs_named(server), durable=False)
    if not (home / READY).exists():
        open_folder(home)
        said = home / "keeper.log"
        command = [sys.executable, "-m", "casino.local", "keep"]
        command += [str(home), "--while", str(pid), "--server", server]
        with said.open("wb") as log:
            keeper = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=CHECKOUT,
                start_new_session=True,
            )
        up = children.wait_for(
            lambda: (home / READY).exists() or keeper.poll() is not None, SECONDS
        )
        if not up or keeper.poll() is not None:
            raise Trouble(f"No server for the tests: {said.read_text('utf-8', 'replace')}")
        # It outlives us on purpose; Python need not remind us of it.
        keeper.returncode = 0
    cluster.port = int((home / READY).read_text("ascii"))
    return cluster


def let_go(home: Path, seconds: float = 15) -> None:
    """Tell the keeper of `home` to stop, and wait until its files are gone."""
    with contextlib.suppress(OSError, ValueError):
        os.kill(int((home / "keeper").read_text("ascii")), signal.SIGTERM)
        until = time.monotonic() + seconds
        while home.exists() and time.monotonic() < until:
            time.sleep(children.PAUSE)
