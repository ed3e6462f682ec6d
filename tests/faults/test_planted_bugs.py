"""Mistakes a tired programmer makes, one at a time: each must fail the test that is named for it.

tests/faults/bugs holds them by room: the file, the lines as they stand, the lines as they would be
wrong, what that breaks and the tests that must notice. Every bug is planted in a copy of the
packages, never in the tree, and its tests run in a process of their own. Where a line was rewritten
since, write the mistake anew: `before` must stand in the file exactly once.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.gate import ROOT, size

BUGS: Final = Path(__file__).parent / "bugs"
COPIED: Final = ("casino", "audit", "jackpot", "tests", "docs", "locale")
LEAST: Final = 60  # bugs in all
# Each takes some seconds of its own process: `make test` plants every ninth, `make soak` all.
EVERY: Final = size(9, 9, 1)
LEAST_OF_THE_LAW: Final = 40  # of them in the engine
SECONDS: Final = 60  # one bug's tests at most; they take one or two
# The named tests ask for no settings of the project; without Django they start twice as fast.
BARE: Final = "bare.ini"
# How a test that noticed something ends, in contrast to one that could not run.
NOTICED: Final = re.compile(r"^FAILED \S.* - (?:AssertionError|assert |Failed: )", re.MULTILINE)
SUMMARY: Final = re.compile(r"^(?=.*\b\d+ (?:passed|failed)).* in [0-9.]+s", re.MULTILINE)

Bug = dict[str, Any]


def all_bugs() -> list[Bug]:
    """Every bug, in the order of the files."""
    return [
        bug
        for path in sorted(BUGS.glob("*.toml"))
        for bug in tomllib.loads(path.read_text(encoding="utf-8"))["bug"]
    ]


def planted(source: str, bug: Bug) -> str:
    """The file with the mistake in it, at the depth of the lines it replaces.

    Raises: AssertionError, where the lines do not stand in the file exactly once.
    """
    lines = source.splitlines()
    asked = [line.strip() for line in bug["before"].strip().splitlines()]
    stripped = [line.strip() for line in lines]
    found = [place for place in range(len(lines)) if stripped[place : place + len(asked)] == asked]
    assert len(found) == 1, (
        f"{bug['id']}: the line stands {len(found)} times in {bug['file']}, asked is once:"
        f" {bug['before'].strip()!r}. The code has changed: write the bug anew."
    )
    first = lines[found[0]]
    depth = first[: len(first) - len(first.lstrip())]
    wrong = [depth + line for line in bug["after"].strip("\n").splitlines()]
    lines[found[0] : found[0] + len(asked)] = wrong
    return "\n".join(lines) + "\n"


def run_tests(copy: Path, tests: list[str]) -> tuple[int, str]:
    """Run tests in the copy, in a process without plugins they do not need."""
    left_out = ("GATE", "DRAW", "REQUIRE_TOOLS", "DJANGO_SETTINGS_MODULE", "PYTEST_ADDOPTS")
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in left_out and not name.startswith("PYTEST_XDIST")
    }
    # A bug's file is compiled anew and leaves nothing behind that could pass for the sound one.
    environment |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(copy)}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    environment["COLUMNS"] = "500"  # the summary's lines are not cut short
    command = [sys.executable, "-m", "pytest", "-c", BARE, "-q", "-x", "-rf", "--tb=line"]
    command += ["-p", "no:cacheprovider", *tests]
    done = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages and their tests, once for all bugs of this process, compiled."""
    place = tmp_path_factory.mktemp("sound")
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", ".local", ".venv")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place / name, ignore=ignored)
    for name in ("manage.py", "pyproject.toml"):
        shutil.copy2(ROOT / name, place / name)
    (place / BARE).write_text("[pytest]\n")
    subprocess.run(
        [sys.executable, "-m", "compileall", "-q", "casino", "tests"], cwd=place, check=True
    )
    return place


@pytest.fixture
def with_bug(copy: Path, request: pytest.FixtureRequest) -> Iterator[Bug]:
    """The copy with one bug, and without it again."""
    bug: Bug = request.param
    path = copy / bug["file"]
    sound, stat = path.read_bytes(), path.stat()
    path.write_text(planted(sound.decode(), bug), encoding="utf-8")
    # Compiled code is held to its source by size and second: the bug must not share both.
    os.utime(path, (stat.st_mtime + 60, stat.st_mtime + 60))
    yield bug
    path.write_bytes(sound)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def test_there_are_enough_bugs_and_each_is_told_whole() -> None:
    bugs = all_bugs()
    ids = [bug["id"] for bug in bugs]
    assert len(ids) == len(set(ids))
    assert len(bugs[::EVERY]) >= LEAST
    assert sum(bug["file"].startswith("casino/regulation/") for bug in bugs) >= LEAST_OF_THE_LAW
    for bug in bugs:
        assert set(bug) == {"id", "file", "before", "after", "breaks", "tests"}, bug["id"]
        assert bug["breaks"].endswith("."), bug["id"]
        assert bug["tests"], bug["id"]
        assert bug["before"].strip() != bug["after"].strip(), bug["id"]


@pytest.mark.parametrize("bug", all_bugs(), ids=lambda bug: bug["id"])
def test_a_bug_stands_where_it_can_be_planted(bug: Bug) -> None:
    source = (ROOT / bug["file"]).read_text(encoding="utf-8")
    compile(planted(source, bug), bug["file"], "exec")


def test_without_a_bug_the_named_tests_pass(copy: Path) -> None:
    named = sorted({test for bug in all_bugs()[::EVERY] for test in bug["tests"]})
    code, output = run_tests(copy, named)
    assert code == 0, output[-4000:]


@pytest.mark.parametrize("with_bug", all_bugs()[::EVERY], ids=lambda bug: bug["id"], indirect=True)
def test_a_bug_is_noticed(copy: Path, with_bug: Bug) -> None:
    for test in with_bug["tests"]:
        code, output = run_tests(copy, [test])
        summary = SUMMARY.findall(output)
        assert code == 1, f"{test} passes although: {with_bug['breaks']}\n{output[-2000:]}"
        assert len(summary) == 1, output[-2000:]
        assert " failed" in f" {summary[0]}", summary
        assert "error" not in summary[0], f"it broke down instead: {output[-2000:]}"
        assert NOTICED.search(output), f"it broke down instead: {output[-2000:]}"
