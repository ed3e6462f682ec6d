"""`reconcile_file` with several workers: the same result, and an orderly end whatever happens."""

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pytest

from tests.audit.round_lines import (
    ROOT,
    a_round,
    breach_of_play,
    command,
    run_process,
    surroundings,
    written,
)
from tests.gate import drawn, size


@pytest.mark.parametrize("how", drawn(["jsonl", "csv", "table"], 1))
def test_many_workers_say_what_one_says(tmp_path: Path, how: str) -> None:
    records: list[Any] = []
    for n in range(size(1_600, 3_000, 3_000)):
        record = a_round(n, 0 if n % 50 == 0 else 2000, shoe=n // 40 + 1, number=n % 40 + 1)
        if n % 40 == 30:
            record["warning_card_at"] = 0
        records.append(b"{}" if n % 777 == 776 else breach_of_play(n) if n % 97 == 0 else record)
    records.append(records[5])
    path = written(tmp_path / "r.jsonl", *records)
    one, two, three = (run_process(path, "--format", how, "--workers", n) for n in "123")

    assert one.code == 2
    assert one == two == three


class Running:
    """A run that reads a pipe: it is under way for as long as the pipe is open."""

    def __init__(self, tmp_path: Path, *args: str) -> None:
        fifo = tmp_path / "fifo"
        os.mkfifo(fifo)
        options = ["--format", "jsonl", "--workers", "2", *args]
        # Nobody reads what it writes until it has ended, so that goes to files.
        self._out, self._err = (tempfile.TemporaryFile() for _ in range(2))  # noqa: SIM115
        self.process = subprocess.Popen(
            command(str(fifo), *options),
            cwd=ROOT,
            env=surroundings(),
            stdout=self._out,
            stderr=self._err,
        )
        self.feed: IO[bytes] = fifo.open("wb")

    def give(self, rounds: range) -> None:
        """Feed it rounds, all with a finding."""
        for n in rounds:
            self.feed.write(json.dumps(a_round(n, 0)).encode() + b"\n")
        self.feed.flush()

    def workers(self) -> list[int]:
        """The processes it started; waits until there are two."""
        pid = self.process.pid
        listed = Path(f"/proc/{pid}/task/{pid}/children")
        wait_until(lambda: len(listed.read_text().split()) >= 2)
        return [int(child) for child in listed.read_text().split()]

    def end(self) -> tuple[int, str, str]:
        """Close the pipe; how it ended and what it wrote."""
        with suppress(BrokenPipeError):
            self.feed.close()
        code = self.process.wait(30)
        written = []
        for file in (self._out, self._err):
            file.seek(0)
            written.append(file.read().decode())
        return code, written[0], written[1]

    def forget(self) -> None:
        """End it, if it has not ended, and close what is open."""
        self.process.kill()
        self.process.wait()
        with suppress(BrokenPipeError):
            self.feed.close()
        self._out.close()
        self._err.close()


def wait_until(so: Callable[[], bool]) -> None:
    """Wait for something, ten minutes at most: however busy the machine is."""
    until = time.monotonic() + 600
    while not so():
        assert time.monotonic() < until, "waited too long"
        time.sleep(0.02)


def gone(pid: int) -> bool:
    """Whether a process has ended (a zombie nobody has waited for has)."""
    try:
        return ") Z" in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Start runs; none is left when the test ends."""
    started: list[Running] = []

    def start(*args: str) -> Running:
        started.append(Running(tmp_path, *args))
        return started[-1]

    yield start
    for run in started:
        run.forget()


pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc"),
    pytest.mark.share,
]


def test_a_killed_worker_ends_the_run_with_2(running: Callable[..., Running]) -> None:
    run = running()
    run.give(range(2000))
    os.kill(run.workers()[0], signal.SIGKILL)
    with suppress(BrokenPipeError):  # where it gave up already
        run.give(range(2000, 6000))
    code, out, err = run.end()

    assert code == 2
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert json.loads(out.splitlines()[-1])["complete"] is False


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_nothing(
    running: Callable[..., Running], tmp_path: Path, sent: signal.Signals, code: int
) -> None:
    target = tmp_path / "out.jsonl"
    target.write_text("before")
    run = running("--output", str(target))
    run.give(range(2000))
    workers = run.workers()
    assert any(name.endswith(".part") for name in os.listdir(tmp_path))
    run.process.send_signal(sent)
    ended, out, err = run.end()

    assert (ended, out, err) == (code, "", "")
    wait_until(lambda: all(gone(worker) for worker in workers))
    assert sorted(os.listdir(tmp_path)) == ["fifo", "out.jsonl"]
    assert target.read_text() == "before"


def test_a_killed_run_leaves_no_workers_and_no_half_file(
    running: Callable[..., Running], tmp_path: Path
) -> None:
    target = tmp_path / "out.jsonl"
    run = running("--output", str(target))
    run.give(range(2000))
    workers = run.workers()
    run.process.kill()
    run.end()

    wait_until(lambda: all(gone(worker) for worker in workers))
    assert not target.exists()


@pytest.mark.check
def test_memory_does_not_grow_with_the_file(
    running: Callable[..., Running],
) -> None:
    run = running("--list", "undecided")  # many findings, none of them written

    def memory_after(rounds: range) -> int:
        run.give(rounds)
        pids = (run.process.pid, *run.workers())
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE")

    few, many = size(2_000, 4_000, 4_000), size(6_000, 12_000, 200_000)
    before = memory_after(range(few))
    after = memory_after(range(few, many))
    code, _, err = run.end()

    assert (code, err) == (1, "")
    # What is remembered of each round: its id, and where it stood in its shoe.
    assert after - before < 12_000_000 + 100 * many
    assert after < 300_000_000
