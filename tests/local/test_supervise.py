"""Services that end, hang, ignore us or leave children behind; and we, who may be killed too."""

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from casino.local import children, services
from casino.local.local_places import CHECKOUT
from casino.local.local_trouble import Trouble
from casino.local.services import Service
from casino.local.supervise import Supervisor, run_step
from tests.local.processes import running_with, wait_until_gone
from tests.patience import PATIENCE, wait_until

IDLE = "import time\nwhile True: time.sleep(1)"
STUBBORN = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + IDLE
# A program whose own child would outlive it.
PARENT = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {STUBBORN!r}])\n{IDLE}"


class Watched:
    """A supervisor of small programs; `said` is what it recorded."""

    def __init__(self, folder: Path) -> None:
        self.mark = f"LIVRO_TEST_{uuid.uuid4().hex}"
        self.said: list[str] = []
        values = {"PATH": os.environ["PATH"], self.mark: "1", "PYTHONUNBUFFERED": "1"}
        self.supervisor = Supervisor(
            folder=folder,
            say=self.said.append,
            command=lambda one: [sys.executable, *one.command],
            environment=lambda one: values,
        )

    def start(self, *, patience: float = 1, **programs: str) -> None:
        """Start services by name, each a piece of Python, without a heartbeat."""
        self.supervisor.start(
            [service(name, code, patience=patience) for name, code in programs.items()]
        )

    def alive(self, name: str) -> bool:
        """Whether that one runs."""
        process = self.of(name).process
        return process is not None and not children.has_ended(process)

    def of(self, name: str) -> object:
        """That one as the supervisor sees it."""
        return next(one for one in self.supervisor.running if one.service.name == name)

    def looked(self, sign: str) -> bool:
        """Look once more; whether the sign was said by now."""
        self.supervisor.look()
        return any(sign in text for text in self.said)


def service(name: str, code: str, **options: object) -> Service:
    """A service made of a piece of Python."""
    return Service(name=name, command=("-c", code), needs=(), **{"patience": 1, **options})


@pytest.fixture
def watched(tmp_path: Path):
    one = Watched(tmp_path)
    yield one
    one.supervisor.kill()
    wait_until_gone(one.mark, "the services of the test")


def test_what_ends_is_started_again(watched: Watched) -> None:
    watched.start(web=IDLE, worker=IDLE)
    first = watched.of("worker").process.pid
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: watched.looked("worker ended (SIGKILL); it starts again in 0 s"))
    wait_until(lambda: not watched.supervisor.look() and watched.alive("worker"))
    assert watched.of("worker").process.pid != first
    assert len(watched.said) == 1, "nobody else was touched"


def test_what_keeps_ending_is_tried_ever_more_rarely(watched: Watched) -> None:
    watched.start(worker="raise SystemExit(3)")
    wait_until(lambda: watched.looked("again in 2 s"))
    assert [text.split("(")[1].split(")")[0] for text in watched.said] == ["exit code 3"] * 3
    assert [text.split("again in ")[1].split(" s")[0] for text in watched.said] == ["0", "1", "2"]


def test_what_ends_while_the_house_opens_is_a_fault(watched: Watched) -> None:
    watched.start(sequencer="raise SystemExit('no such command')")
    wait_until(lambda: not watched.alive("sequencer"))
    with pytest.raises(Trouble, match=r"sequencer ended at once:\nno such command"):
        watched.supervisor.must_all_live()


def test_a_worker_that_hangs_is_killed_and_started_again(watched: Watched) -> None:
    """Its process lives and even ignores us; only its work stays out."""
    beats = f"import os, time\nopen(os.environ['HEARTBEAT_FILE'], 'w').close()\n{STUBBORN}"
    watched.supervisor.start([service("worker", beats, heartbeat=1.5)])
    first = watched.of("worker").process.pid
    began = time.monotonic()
    wait_until(lambda: watched.looked("worker did nothing for 2 s and was killed"))
    assert time.monotonic() - began > 1, "not before its time"
    wait_until(lambda: not watched.supervisor.look() and watched.alive("worker"))
    assert watched.of("worker").process.pid != first


def test_a_worker_that_works_is_left_alone(watched: Watched) -> None:
    beats = "import os, time\nwhile True: open(os.environ['HEARTBEAT_FILE'], 'w'); time.sleep(0.02)"
    watched.supervisor.start([service("worker", beats, heartbeat=PATIENCE)])
    worker = watched.of("worker")
    wait_until(worker.pulse.exists, needs=[worker.process])
    worker.started -= 2 * PATIENCE  # only what it has done since keeps it alive
    for _ in range(5):
        before = worker.pulse.stat().st_mtime_ns
        wait_until(lambda before=before: worker.pulse.stat().st_mtime_ns > before)
        watched.supervisor.look()
    assert watched.said == []
    assert watched.alive("worker")


def test_all_are_asked_to_end_and_waited_for(watched: Watched, tmp_path: Path) -> None:
    ended = tmp_path / "ended"
    polite = (
        "import signal, sys, time\n"
        f"def end(*_): time.sleep(0.3); open({str(ended)!r}, 'a').write(NAME + ' '); sys.exit()\n"
        f"signal.signal(signal.SIGTERM, end)\nopen({str(tmp_path)!r} + '/' + NAME, 'w')\n{IDLE}"
    )
    names = ("web", "worker", "sequencer")
    watched.start(patience=PATIENCE, **{name: f"NAME = {name!r}\n{polite}" for name in names})
    wait_until(lambda: all((tmp_path / name).exists() for name in names))
    watched.supervisor.stop()
    assert sorted(ended.read_text().split()) == sorted(names)
    assert watched.said == []


def test_what_does_not_end_in_its_time_is_killed_with_its_children(
    watched: Watched, tmp_path: Path
) -> None:
    deaf = tmp_path / "deaf"
    stubborn = STUBBORN.replace(IDLE, f"open({str(deaf)!r}, 'w')\n{IDLE}")
    watched.start(patience=PATIENCE, worker=PARENT)
    watched.start(web=stubborn)
    wait_until(lambda: deaf.exists() and len(running_with(watched.mark)) == 3)
    watched.supervisor.stop()
    wait_until_gone(watched.mark)
    assert watched.said == ["The service web did not end in time and was killed."]


def test_killed_ourselves_we_leave_nobody_behind(tmp_path: Path) -> None:
    mark = f"LIVRO_TEST_{uuid.uuid4().hex}"
    ours = (
        "import os, pathlib, sys, time\nfrom casino.local import children\n"
        f"log = open({str(tmp_path / 'log')!r}, 'wb')\n"
        f"for code in ({IDLE!r}, {STUBBORN!r}):\n"
        "    children.start([sys.executable, '-c', code], log=log, environment=os.environ,\n"
        "        cwd=pathlib.Path('/'), on_our_death=9)\n"
        f"print('up', flush=True)\n{IDLE}"
    )
    with subprocess.Popen(
        [sys.executable, "-c", ours],
        cwd=CHECKOUT,
        env={**os.environ, mark: "1"},
        stdout=subprocess.PIPE,
    ) as launcher:
        assert launcher.stdout is not None
        assert launcher.stdout.readline() == b"up\n"
        wait_until(lambda: len(running_with(mark)) == 3)
        launcher.kill()
    wait_until_gone(mark)


def test_a_step_that_fails_says_why(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with pytest.raises(Trouble, match=r"migrate failed \(exit code 1\):\nno table"):
        run_step("migrate", [sys.executable, "-c", "raise SystemExit('no table')"], {}, log)
    run_step("migrate", [sys.executable, "-c", "print('well')"], {}, log)
    assert log.read_text() == "well\n"


def test_every_service_is_told_only_what_it_needs() -> None:
    values = {one.name: set(one.needs) for one in services.SERVICES}
    assert not any("OWNER_DATABASE_URL" in needs for needs in values.values())
    assert [name for name, needs in values.items() if "SEQUENCER_DATABASE_URL" in needs] == [
        "sequencer"
    ]
    assert [name for name, needs in values.items() if "SIGNER_DATABASE_URL" in needs] == ["signer"]
    assert [one.name for one in services.SERVICES if one.alone] == ["signer"]
    assert "BROKER_URL" not in values["web"], "a page writes to the outbox, never to the queue"


def test_every_place_in_a_command_is_filled() -> None:
    for one in services.SERVICES:
        words = services.command_line(one, own="/own", socket=7)
        assert not any("{" in word for word in words)
    assert [one.name for one in services.chosen("web,beat")] == ["web", "beat"]


def test_a_long_log_is_put_aside_while_it_is_written(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    with log.open("ab", buffering=0) as writer:
        writer.write(b"old\n" * 10)
        children.keep_short(log, longest=20)
        writer.write(b"new\n")
        children.keep_short(log, longest=20)
    assert log.read_text() == "new\n"
    assert (tmp_path / "web.log.old").read_text() == "old\n" * 10
