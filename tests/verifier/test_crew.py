"""Several processes that read: they tell what one tells, in its order, or that one is gone."""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from audit.verifier import command, crew, entries
from audit.verifier.crew import Crew
from audit.verifier.files import Folder
from audit.verifier.following import Full
from audit.verifier.report import Report
from tests.gate import ROOT, drawn, size
from tests.verifier.checked import checked
from tests.verifier.maker import Book, play
from tests.verifier.mutations import MUTATIONS
from tests.verifier.stage import Stage

ENTRIES = 2_000  # at least: eight tiles, of which the last is not full


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    book = play(Book(seed=11), ENTRIES, every=150)
    return Stage(book, tmp_path_factory.mktemp("crew") / "bundle")


@pytest.fixture(autouse=True)
def every_book_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "LEAST", 1)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The tiles that the first process read itself."""
    read: list[int] = []
    check = Full._check

    def seen(self: Full, n: int, *batch: Any) -> None:
        read.append(n)
        check(self, n, *batch)

    monkeypatch.setattr(Full, "_check", seen)
    return read


def children() -> set[str]:
    """Processes this one has begun and that still are."""
    text = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text()
    return set(text.split())


@pytest.mark.check
@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("processes", [2, 3, 64])
def test_a_sound_book_is_read_by_others(stage: Stage, alone: list[int], processes: int) -> None:
    policy, before = stage.book.policy(quorum="srij"), children()
    one = checked(stage.place, policy=policy)
    tiles = -(-one.report.figures["size"] // 256)
    assert (one.code, alone) == (0, [*range(tiles)])
    alone.clear()
    several = checked(stage.place, policy=policy, processes=processes)
    assert (several.code, several.report.lines) == (0, one.report.lines)
    assert several.report.figures == one.report.figures
    assert alone == []
    assert children() == before


@pytest.mark.parametrize("kind", drawn(MUTATIONS, 9))
def test_what_is_told_does_not_hang_on_how_many_read(stage: Stage, kind: str) -> None:
    for seed in drawn(range(size(2, 2, 20)), 1):
        mutated = MUTATIONS[kind](stage.book, stage.files, random.Random(f"{kind} {seed}"))
        one, several = (stage.look(mutated, processes=number) for number in (1, 3))
        assert several == one._replace(report=several.report), seed
        assert several.report.lines == one.report.lines, seed
        assert several.report.counts == one.report.counts, seed
        assert several.report.figures == one.report.figures, seed


def test_an_entry_and_its_hash_must_agree(stage: Stage, alone: list[int]) -> None:
    name = "tile/0/002"
    (stage.place / name).write_bytes(bytes(8192))
    found = checked(stage.place, processes=2)
    (stage.place / name).write_bytes(stage.files[name])
    assert (found.code, found.files(), alone) == (1, {name}, [2])


def test_streams_beyond_what_is_followed_are_told_the_same(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "MAX_STREAMS", 1)
    one, several = (checked(stage.place, processes=number) for number in (1, 2))
    assert one.code == several.code == 1
    assert "entry-form" in one.codes & several.codes


def test_a_reader_in_trouble_leaves_the_tile_to_the_first_process(
    stage: Stage, alone: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    examined = Crew._examined

    def troubled(self: Crew, folder: Folder, n: int, again: Any) -> bytes:
        if n == 3:
            raise MemoryError
        return examined(self, folder, n, again)

    monkeypatch.setattr(Crew, "_examined", troubled)
    assert (checked(stage.place, processes=2).code, alone) == (0, [3])


@pytest.mark.parametrize("tile", [0, 5])
def test_a_reader_that_is_killed_is_told(
    stage: Stage,
    tile: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    examined, before = Crew._examined, children()

    def killed(self: Crew, folder: Folder, n: int, again: Any) -> bytes:
        if n == tile:
            os.kill(os.getpid(), signal.SIGKILL)
        return examined(self, folder, n, again)

    monkeypatch.setattr(Crew, "_examined", killed)
    asked = [str(stage.place), "--language", "en", "--processes"]
    assert command.main([*asked, "2"]) == 3
    said = capsys.readouterr().out
    assert "One of the processes that read the bundle ended too soon" in said
    assert said.endswith("BAD INPUT: nothing can be said.\n")
    assert command.main([*asked, "1"]) == 0
    assert children() == before


def test_a_small_book_is_read_by_one(
    stage: Stage, alone: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    size = checked(stage.place).report.figures["size"]
    for least, count in ((size, 2), (size + 1, 0)):
        monkeypatch.setattr(crew, "LEAST", least)
        assert Crew(Folder(str(stage.place), Report()), size, [], 2).count == count


@pytest.mark.parametrize("number", ["0", "-1", "x", "", "1.5", "²"])
def test_how_many_is_a_whole_number(stage: Stage, number: str) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main([str(stage.place), "--processes", number])
    assert ended.value.code == 3


def test_who_interrupts_it_while_readers_begin_leaves_none_behind(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = multiprocessing.context.ForkProcess.start

    def interrupted(self: Any) -> None:
        begin(self)
        signal.raise_signal(signal.SIGINT)  # this thread's own: who runs the tests may have others

    monkeypatch.setattr(multiprocessing.context.ForkProcess, "start", interrupted)
    monkeypatch.setattr(Crew, "_work", lambda *_: time.sleep(60))
    before, handler = children(), signal.signal(signal.SIGINT, signal.default_int_handler)
    crew_ = Crew(Folder(str(stage.place), Report()), ENTRIES, [], 2)
    try:
        with pytest.raises(KeyboardInterrupt), crew_:
            pass
    finally:
        signal.signal(signal.SIGINT, handler)
    assert (len(crew_.readers), children()) == (2, before)


def test_it_can_be_interrupted(stage: Stage) -> None:
    """As a terminal does it: all of the processes are recorded at once."""
    waits = (
        "import os, sys, time\n"
        "from audit.verifier import command, crew\n"
        "crew.LEAST = 1\n"
        "def wait(*_):\n    os.write(1, b'reading\\n')\n    time.sleep(3600)\n"
        "crew.Crew._examined = wait\n"
        "sys.exit(command.main(sys.argv[1:]))\n"
    )
    run = [sys.executable, "-c", waits, str(stage.place), "--processes", "2", "--language", "en"]
    with subprocess.Popen(
        run, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
    ) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["reading\n"] * 2
        os.killpg(process.pid, signal.SIGINT)
        said, wrong = process.communicate(timeout=600)
    assert (process.returncode, wrong) == (3, "")
    assert "It was interrupted before the end." in said
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
