"""No process outlives its test: what one leaves behind is ended, and fails that test by name.

Loaded by conftest.py as a plug-in. After each test it asks the kernel whether this process had
children meanwhile; where it had none, which is nearly always, that is all. Otherwise it looks for
what still runs:

- descendants of ours that the test or its fixtures started,
- and whatever carries the test's mark in its environment, though it has another parent by now.

What is ending already is given a little time; then it is killed by its number, its `Popen` objects
are waited for (a `ResourceWarning` of theirs would fail whichever test runs when they are
forgotten) and the test fails with the command lines. What a fixture of a wider scope starts lives
as long as that fixture; after the last test it is looked for too. ``spare(pid)`` excepts what ends
with the session: the database server, that all workers share.
"""

import gc
import os
import resource
import signal
import subprocess
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest

MARK: Final = "LIVRO_STARTED_BY"
GRACE: Final = float(os.environ.get("LIVRO_GRACE") or 20)  # seconds for what is ending already
PAUSE: Final = 0.02
PROC: Final = Path("/proc")
# Helpers of Python's own, one for a process, that end with it.
PYTHONS_OWN: Final = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")

_outer: Final = os.environ.get(MARK, "")  # of a test whose process we are
_kept: Final[set[int]] = set()  # of fixtures with a wider scope than a test
_spared: Final[set[int]] = set()  # of the session
_now: dict[str, Any] = {"number": 0, "buried": 0}


def spare(pid: int) -> None:
    """Except a process, and all it starts, for good: something else ends it."""
    _spared.add(pid)


def keep(pid: int) -> None:
    """Let a process live as long as the session, though a test started it: a node started again."""
    _kept.add(pid)


def mark(name: object) -> str:
    """The mark of one test of this process; with "" the beginning of all of them."""
    return f"<{os.getpid()}.{name}"


def children(pid: int) -> list[int]:
    """A process's own children, of all its threads."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as listed:
                found += map(int, listed.read().split())
    return found


def descendants(pid: int, without: set[int]) -> Iterator[int]:
    """Children and theirs, but for those in `without` and all below them."""
    for child in children(pid):
        if child not in without:
            yield child
            yield from descendants(child, without)


def marked(word: str, without: set[int]) -> Iterator[int]:
    """Processes whose environment holds that mark, but for those in `without` and all below."""
    wanted = f"{MARK}=".encode()
    for entry in PROC.iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                environment = (entry / "environ").read_bytes().split(b"\0")
                ours = (each for each in environment if each.startswith(wanted))
                if any(word.encode() in each for each in ours) and not below(entry, without):
                    yield int(entry.name)


def below(process: Path, these: set[int]) -> bool:
    """Whether a process is one of these, or descends from one."""
    pid = int(process.name)
    while pid > 1:
        if pid in these:
            return True
        pid = int((PROC / str(pid) / "stat").read_text("utf-8").rpartition(")")[2].split()[1])
    return False


def described(pid: int) -> str:
    """A process as a failure names it."""
    with suppress(OSError):
        words = (PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").strip()
        return f"{pid} {words.decode('utf-8', 'replace')[:300] or '(ended, and not waited for)'}"
    return ""


def left(word: str, without: set[int]) -> dict[int, str]:
    """What still runs of what carries a mark or descends from us, and how it is called."""
    found = {*descendants(os.getpid(), without), *marked(word, without)}
    named = {pid: described(pid) for pid in sorted(found)}
    return {
        pid: name
        for pid, name in named.items()
        if name and not any(own in name for own in PYTHONS_OWN)
    }


def end(pids: list[int]) -> None:
    """Kill them, and wait for those that are ours, as whoever started them should have."""
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    for each in gc.get_objects():
        if type(each) is subprocess.Popen and each.returncode is None and each.pid in pids:
            each.wait()
    for pid in pids:
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)


def end_leftovers(word: str, without: set[int]) -> str:
    """End what was left behind; its command lines, "" where nothing was."""
    until = time.monotonic() + GRACE
    while found := left(word, without):
        if time.monotonic() > until:
            end(list(found))
            return "\n".join(found.values())
        time.sleep(PAUSE)
    return ""


def buried() -> int:
    """Grows with every child that was waited for: each has touched some memory."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Generator[None, object, object]:
    """What a fixture of a wider scope starts belongs to no test."""
    if fixturedef.scope == "function":
        return (yield)
    before, of_a_test = set(children(os.getpid())), os.environ.get(MARK, "")
    os.environ[MARK] = f"{_outer}{mark('kept')}>"
    try:
        return (yield)
    finally:
        os.environ[MARK] = of_a_test
        _kept.update(set(children(os.getpid())) - before)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    """Mark what this test starts."""
    _now["number"] += 1
    _now["buried"] = buried()
    os.environ[MARK] = f"{_outer}{mark(_now['number'])}>"
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Look for what the test left, when all its fixtures are gone."""
    last = nextitem is None
    try:
        result = yield
    except Exception as error:
        if names := left_by_a_test(last=last):
            error.add_note(f"{item.nodeid} left processes behind:\n{names}")
        raise
    if names := left_by_a_test(last=last):
        whose = f"{item.nodeid}, or a fixture of its session," if last else item.nodeid
        pytest.fail(f"{whose} left processes behind:\n{names}", pytrace=False)
    return result


def left_by_a_test(*, last: bool) -> str:
    """What the test left that just ended, after the last one what the session left too; it is
    ended. "" where nothing was left.
    """
    started = set(children(os.getpid())) - _kept - _spared
    if not started and not last and buried() == _now["buried"]:
        return ""
    if last:
        return end_leftovers(mark(""), _spared)
    return end_leftovers(mark(f"{_now['number']}>"), _kept | _spared)
