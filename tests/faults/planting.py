"""Asks the nursery: is this bug noticed, by each of the tests that must notice it?"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.faults.nursery import NOTICED
from tests.gate import ROOT

# The named tests run as `make test` runs them, and the same cases whatever the commit draws.
LEFT_OUT: Final = ("REQUIRE_TOOLS", "DJANGO_SETTINGS_MODULE", "PYTEST_ADDOPTS")
BARE: Final = {
    "GATE": "test",
    "DRAW": "planted",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "COLUMNS": "500",
}


class Bug(NamedTuple):
    """One mistake, where it stands and who must notice it."""

    id: str
    file: str
    name: str
    change: str
    breaks: str
    tests: tuple[str, ...]


def bug(values: dict[str, Any]) -> Bug:
    """One row of a table of bugs: `at` is the file, a colon and the name within it."""
    file, _, name = values["at"].partition(":")
    return Bug(
        values["id"], file, name, values["change"], values["breaks"], tuple(values.get("tests", ()))
    )


class Nursery:
    """The process that forks for each bug."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def ask(self, **asked: Any) -> dict[str, Any]:
        """What came of it: `ran` (test, ended, why, seconds) and `broken`."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def plant(self, one: Bug) -> dict[str, Any]:
        """Run the tests of a bug with the bug in the program."""
        return self.ask(file=one.file, name=one.name, change=one.change, tests=one.tests)


@contextmanager
def nursery(work: Path, root: Path = ROOT) -> Iterator[Nursery]:
    """Start one for the program at `root`; `work` takes its settings of pytest."""
    ini = work / "bare.ini"
    ini.write_text("[pytest]\n")
    environment = {name: each for name, each in os.environ.items() if name not in LEFT_OUT}
    for name in [name for name in environment if name.startswith("PYTEST_XDIST")]:
        del environment[name]
    environment |= {**BARE, "PYTHONPATH": os.pathsep.join((str(root), str(ROOT)))}
    command = [sys.executable, "-m", "tests.faults.nursery", str(ini)]
    with subprocess.Popen(
        command,
        cwd=root,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Nursery(process)
        assert process.stdin is not None
        process.stdin.close()


def verdict(values: dict[str, Any], tests: Sequence[str]) -> dict[str, str]:
    """Of each named test: `noticed`, `survived`, or how it broke down."""
    return {test: _verdict(values, test) for test in tests}


def _verdict(values: dict[str, Any], test: str) -> str:
    if values["broken"]:
        return f"broke down: {values['broken'][0]}"
    ran = [each for each in values["ran"] if of(each["test"], test)]
    failed = [each for each in ran if each["ended"] == "failed"]
    if not ran:
        return "broke down: it did not run"
    if any(each["ended"] == "error" for each in ran):
        return "broke down: its stage could not be set"
    if any(NOTICED.match(each["why"]) for each in failed):
        return "noticed"
    if failed:
        return f"broke down: {failed[0]['why']}"
    if any(each["ended"] != "passed" for each in ran):
        return "broke down: it was left out"
    return "survived"


def of(ran: str, named: str) -> bool:
    """Whether what ran is the named test or one of its cases."""
    return ran == named or ran.startswith((f"{named}[", f"{named}::"))
