"""Writers at work, and the server or one of its processes killed beneath them."""

import contextlib
import os
import random
import signal
import time
from pathlib import Path
from typing import Final

from casino.local.cluster import Cluster
from tests.faults.kills.stack import Stack
from tests.faults.kills.whole_book import receipts
from tests.gate import size
from tests.patience import PATIENCE

WRITERS: Final = range(1, 1 + size(2, 4, 4))
LATEST: Final = 1.5  # seconds after all were seen writing
SEED: Final = int(os.environ.get("KILL_SEED") or random.SystemRandom().randrange(10**6))
# Of whoever writes into the book: pages, machines, jobs, commands.
BACKENDS: Final = """
SELECT pid FROM pg_stat_activity WHERE usename IN ('app', 'web', 'machines', 'worker')
"""


def named(writer: int) -> str:
    """What a writer is called."""
    return f"writer-{writer}"


def all_go_on(stack: Stack) -> float:
    """Wait until each writer has new receipts; the seconds it took."""
    before = [len(each) for each in receipts(stack.folder, WRITERS)]

    def all_have_more() -> bool:
        now = [len(each) for each in receipts(stack.folder, WRITERS)]
        return all(have > had for have, had in zip(now, before, strict=True))

    return stack.wait("every writer to go on", all_have_more)


def strike(cluster: Cluster, how: str, rng: random.Random) -> list[int]:
    """kill -9; the process numbers that were hit, the server's first one first."""
    assert cluster.process is not None
    first = cluster.process.pid
    if how == "one backend":
        with cluster.connect() as connection:
            until = time.monotonic() + PATIENCE
            while not (backends := [pid for (pid,) in connection.execute(BACKENDS)]):
                assert time.monotonic() < until, "nobody came back to the database"
                time.sleep(0.05)
        victim = rng.choice(backends)
        os.kill(victim, signal.SIGKILL)
        return [victim]
    others = Path(f"/proc/{first}/task/{first}/children").read_text("ascii").split()
    cluster.kill()
    if how == "first process":
        return [first]
    for pid in map(int, others):
        with contextlib.suppress(ProcessLookupError):  # it noticed by itself
            os.kill(pid, signal.SIGKILL)
    return [first, *map(int, others)]
