"""The workers: parts of a file judged by several processes, handed back in the order of the file.

At most a few parts per worker are under way, so memory does not depend on the file. A worker that
dies ends the run with Unusable; workers end with the process that started them, whatever ends it.
"""

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Final

from audit.rounds_file import Unusable
from audit.rounds_file.judging import Judge, Judged
from audit.rounds_file.source import Part

PARTS_EACH: Final = 3  # under way per worker: one judged, one waiting, one on its way back

_desk: Judge | None = None


def judged_in_order(
    parts: Iterable[Part], judge: Judge, workers: int
) -> Generator[tuple[Part, Judged]]:
    """Every part with its judgement, in the order of the parts.

    With one worker the work is done here, without another process. Raises: Unusable, when a
    worker died.
    """
    if workers <= 1:
        for part in parts:
            yield part, judge.part(part)
        return
    # Forked workers share the law and the program in memory; where there is no fork they read
    # their own.
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    gc.freeze()
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context(method), _sit_down, (judge,))
    try:
        yield from _in_order(pool, parts, workers * PARTS_EACH)
        pool.shutdown(wait=True)
    except BrokenProcessPool as error:
        raise Unusable("a worker process died; nothing after this point was judged") from error
    finally:
        _send_home(pool, others)


def _in_order(
    pool: ProcessPoolExecutor, parts: Iterable[Part], under_way: int
) -> Iterator[tuple[Part, Judged]]:
    waiting: deque[tuple[Part, Future[Judged]]] = deque()
    for part in parts:
        waiting.append((part, pool.submit(_work, part)))
        if len(waiting) >= under_way:
            first, future = waiting.popleft()
            yield first, future.result()
    while waiting:
        first, future = waiting.popleft()
        yield first, future.result()


def _sit_down(judge: Judge) -> None:
    """Begin a worker: Ctrl-C is the leader's affair, and nobody works on after the leader is
    gone.
    """
    global _desk  # noqa: PLW0603 - a worker process has one desk, given once
    _desk = judge
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_leave_with_the_leader, daemon=True).start()


def _leave_with_the_leader() -> None:
    leader = multiprocessing.parent_process()
    if leader is not None:
        wait([leader.sentinel])
        os._exit(1)


def _work(part: Part) -> Judged:
    assert _desk is not None
    return _desk.part(part)


def _send_home(pool: ProcessPoolExecutor, others: set[BaseProcess]) -> None:
    """End every worker of this pool now; after a run that came to its end there is none left."""
    pool.shutdown(wait=False, cancel_futures=True)
    ours = set(multiprocessing.active_children()) - others
    for process in ours:
        process.terminate()
    for process in ours:
        process.join(5)
