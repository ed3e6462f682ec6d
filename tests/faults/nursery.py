"""A process that has pytest in it already and forks for each bug: what it costs is its tests alone.

Run as ``python -m tests.faults.nursery FOLDER``: reads one request a line, a JSON object with the
file, the name, the change (changes.py) and the tests; answers one line each. The child takes the
module with the change in it from memory and runs the tests bare, without the plug-ins that need a
database; nothing is written, neither into the tree nor into a copy of it.
"""

import ast
import gc
import json
import os
import re
import resource
import sys
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

import pytest

from tests.faults.callers import Callers
from tests.faults.changes import NoSuchPlace, changed

# Seconds of processor time for one bug's tests: what never ends has broken down, however slow the
# machine is.
SECONDS: Final = 120
# How a test that noticed something ends, in contrast to one that could not run.
NOTICED: Final = re.compile(r"AssertionError|assert |Failed: ")
# What the tests use and the project does not change; with it in memory a child starts at once.
# Nothing of the project itself: it would have been taken from there without the change.
KNOWN: Final = (
    "hypothesis.stateful",
    "hypothesis.extra",
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "cryptography.hazmat.primitives.serialization",
    "jsonschema",
    "pymerkle",
    "rfc8785",
    "orjson",
    "psycopg",
    "django.db.models",
    "xdist",
    "zoneinfo",
    "decimal",
    "fractions",
    "statistics",
    "zipfile",
    "tomllib",
)


class Mistaken(SourceFileLoader):
    """Loads one module with the change in it."""

    tree: ast.Module

    def get_code(self, fullname: str) -> CodeType:
        """What the changed source comes to."""
        code: CodeType = compile(self.tree, self.path, "exec", dont_inherit=True)
        return code


class Finder:
    """Stands before all other finders, and finds the one module."""

    def __init__(self, file: str, tree: ast.Module) -> None:
        self.name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self.tree = tree
        self.asked = False

    def find_spec(
        self, name: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As importlib asks it."""
        if name != self.name:
            return None
        found = PathFinder.find_spec(name, path, target)
        if found is not None and found.origin:
            self.asked = True
            found.loader = Mistaken(name, found.origin)
            found.loader.tree = self.tree
        return found


class Seen:
    """What pytest reports of each test."""

    def __init__(self) -> None:
        self.ran: list[dict[str, Any]] = []
        self.broken: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One stage of one test."""
        if report.when == "call" or report.failed:
            value = getattr(report.longrepr, "reprcrash", None)
            why = str(value.message if value else report.longrepr) if report.failed else ""
            self.ran.append(
                {
                    "test": report.nodeid,
                    "ended": report.outcome if report.when == "call" else "error",
                    "why": why[:400],
                    "seconds": round(report.duration, 4),
                }
            )

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A module of tests that could not be read."""
        if report.failed:
            self.broken.append(str(report.longrepr)[-400:])


def without_a_book() -> None:
    """Rulebooks are their files' alone here: no book is asked for figures that were set."""
    from casino.law.rulebook import rulebook_file

    rulebook_file.read_sets_by = lambda reader: None


def one(asked: dict[str, Any], ini: str) -> dict[str, Any]:
    """Run the tests of one bug in this process, which ends afterwards."""
    finder = None
    if asked.get("change"):
        source = Path(asked["file"]).read_text(encoding="utf-8")
        try:
            finder = Finder(asked["file"], changed(source, asked["name"], asked["change"]))
        except (NoSuchPlace, IndexError, KeyError) as unknown:
            return {"broken": [f"{type(unknown).__name__}: {unknown}"], "ran": []}
        sys.meta_path.insert(0, finder)  # type: ignore[arg-type]
    without_a_book()
    seen, callers = Seen(), Callers()
    options = ["-c", ini, "--rootdir", ".", "-q", "--tb=short", "-p", "no:cacheprovider"]
    plugins = [seen, callers] if asked.get("callers") else [seen]
    with suppress(SystemExit):
        pytest.main([*options, *asked.get("options", ()), *asked["tests"]], plugins=plugins)
    if finder is not None and not finder.asked and not seen.broken:
        seen.broken.append(f"{finder.name} was never imported")
    return {"broken": seen.broken, "ran": seen.ran, "callers": callers.tests}


def forked(asked: dict[str, Any], ini: str) -> dict[str, Any]:
    """Run one in a child and take its word."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            silent = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(silent, stream)
            seconds = asked.get("seconds", SECONDS)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            with os.fdopen(writing, "w") as out:
                out.write(json.dumps(one(asked, ini)))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as text_iowrapper:
        answer = text_iowrapper.read()
    _, ended = os.waitpid(child, 0)
    if not answer:
        return {"broken": [f"the process ended before its tests did: {ended}"], "ran": []}
    answered: dict[str, Any] = json.loads(answer)
    return answered


def main() -> None:
    """Serve until nobody asks any more."""
    ini = sys.argv[1]
    for name in KNOWN:
        with suppress(Exception):  # what is not installed, the tests will miss themselves
            import_module(name)
    gc.freeze()  # what is here already stays; a child ends before it has much to collect
    gc.disable()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(forked(json.loads(line), ini)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
