"""The workers: parts of a file judged by several processes, handed back in the order of the file.

Each worker has a pipe of its own and one part at a time, so that a worker that is killed at any
moment is noticed at the end of its pipe, and nobody waits for it. Memory does not depend on the
file: only a few parts are under way. Workers leave when their pipe ends, whatever ends their
leader.
"""

import gc
import multiprocessing
import signal
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final

from audit.rounds_file import Unusable
from audit.rounds_file.judge_lines import Judge, Judged
from audit.rounds_file.line_source import Part
from casino.events.phrases import Phrase

AHEAD: Final = 4  # parts per worker that may be done or under way beyond the next one to hand back
PATIENCE: Final = 5  # seconds for a worker to leave by itself
DIED: Final = Phrase("a worker process died; nothing after this point was judged")


def judged_in_order(
    parts: Iterable[Part], judge: Judge, workers: int
) -> Generator[tuple[Part, Judged]]:
    """Every part with its judgement, in the order of the parts.

    With one worker the work is done here, without another process.
    Raises: Unusable, when a worker died.
    """
    if workers <= 1:
        for part in parts:
            yield part, judge.part(part)
        return
    gc.freeze()  # workers are copies of this process: what is here now stays shared between them
    crew = WorkerPool()
    try:
        for _ in range(workers):
            crew.hire(judge)
        yield from crew.judge(iter(parts))
    finally:
        crew.dismiss()


@dataclass
class WorkerPool:
    """Some workers, and which part each has in hand (by the order of the parts)."""

    processes: list[BaseProcess] = field(default_factory=list)
    idle: list[Connection] = field(default_factory=list)
    busy: dict[Connection, tuple[int, Part]] = field(default_factory=dict)

    def hire(self, judge: Judge) -> None:
        """Start one more worker."""
        # Forked workers share the law and the program; where there is no fork they read their own.
        methods = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
        ours, theirs = context.Pipe()
        others = [*self.idle, ours]
        process = context.Process(  # type: ignore[attr-defined] # each kind of context has it
            target=_work, args=(theirs, others, judge), daemon=True
        )
        process.start()
        theirs.close()
        self.processes.append(process)
        self.idle.append(ours)

    def judge(self, parts: Iterator[Part]) -> Iterator[tuple[Part, Judged]]:
        """Every part with its judgement, in order."""
        window = len(self.idle) * AHEAD
        done: dict[int, tuple[Part, Judged]] = {}
        given = handed_back = 0
        more = True
        while True:
            while more and self.idle and given < handed_back + window:
                part = next(parts, None)
                if part is None:
                    more = False
                else:
                    self._give(given, part)
                    given += 1
            while handed_back in done:
                yield done.pop(handed_back)
                handed_back += 1
            if self.busy:
                done.update(self._collect())
            elif not more and not done:
                return

    def _give(self, number: int, part: Part) -> None:
        worker = self.idle.pop()
        try:
            worker.send(part)
        except OSError as error:
            raise Unusable.because(DIED) from error
        self.busy[worker] = number, part

    def _collect(self) -> Iterator[tuple[int, tuple[Part, Judged]]]:
        for worker in wait(list(self.busy)):
            assert isinstance(worker, Connection)
            try:
                judged = worker.recv()
            except (EOFError, OSError) as error:
                raise Unusable.because(DIED) from error
            number, part = self.busy.pop(worker)
            self.idle.append(worker)
            yield number, (part, judged)

    def dismiss(self) -> None:
        """Send every worker home: those without work leave by themselves, the others at once."""
        for process in self.processes if self.busy else ():
            process.terminate()
        for connection in (*self.idle, *self.busy):
            connection.close()
        for process in self.processes:
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()


def _work(pipe: Connection, others: list[Connection], judge: Judge) -> None:
    """A worker's life: Ctrl-C is the leader's affair, and there is no work without a leader."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in others:
        other.close()  # a copy of the leader's end would keep a pipe open after the leader is gone
    try:
        while True:
            pipe.send(judge.part(pipe.recv()))
    except (EOFError, OSError):
        return
