"""Mutants of the law, the book and the meter, drawn by the commit: the tests kill most of them.

Any change of changes.py in any function, each asked of the tests that come through the function,
quickest first, until one of them fails. Not every survivor is a hole: some change nothing that can
be seen. They are printed by place, and their share has a bound that was measured
(docs/benchmarks/mutants.md). MUTANTS=<number> draws another number of them.
"""

import ast
import os
from collections.abc import Iterator
from hashlib import sha256
from typing import Final, NamedTuple

import pytest

from tests.faults.changes import names, scope, usual
from tests.faults.planting import Nursery, nursery
from tests.gate import DRAW, ROOT

pytestmark = pytest.mark.soak

MUTANTS: Final = int(os.environ.get("MUTANTS") or 120)
FIRST: Final = 25  # tests asked at once, before all the others that come through the function
SECONDS: Final = 300  # of processor time for one mutant's tests: without end is noticed, too


class Part(NamedTuple):
    """A part of the program, its tests, and the share of mutants they kill at least."""

    rooms: tuple[str, ...]
    tests: tuple[str, ...]
    least: float


PARTS: Final = {
    "law": Part(("casino/law",), ("tests/law",), 0.75),
    "book": Part(
        ("casino/tlog", "casino/events", "casino/reading"),
        (
            "tests/tlog",
            "tests/casino/test_events_form.py",
            "tests/casino/test_round_reader.py",
            "tests/casino/test_round_form.py",
            "tests/casino/test_strict_json.py",
            "tests/casino/test_lines.py",
        ),
        0.75,
    ),
    "meter": Part(
        ("jackpot/progressive",),
        (
            "tests/jackpot/test_amounts.py",
            "tests/jackpot/test_chances.py",
            "tests/jackpot/test_combinations.py",
            "tests/jackpot/test_identified.py",
            "tests/jackpot/test_meter.py",
            "tests/jackpot/test_meter_machine.py",
            "tests/jackpot/test_pt_38_44_terms.py",
            "tests/jackpot/test_pt_39_48_stakes.py",
            "tests/jackpot/test_pt_42_43_46_combinations.py",
            "tests/jackpot/test_pt_49_50_paid.py",
            "tests/jackpot/test_pt_50_payout.py",
            "tests/law/test_pt_41_44_under_way.py",
            "tests/law/test_pt_41_50_whole_pool.py",
            "tests/law/test_pt_43_44_50_jackpot_missed.py",
            "tests/law/test_pt_43_50_jackpot_paid.py",
        ),
        0.75,
    ),
}


class Mutant(NamedTuple):
    """One change somewhere."""

    file: str
    name: str
    change: str

    def __str__(self) -> str:
        return f"{self.file}:{self.name}: {self.change}"


def mutants(rooms: tuple[str, ...]) -> Iterator[Mutant]:
    """Every mutant of some rooms."""
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            tree, file = ast.parse(path.read_text(encoding="utf-8")), str(path.relative_to(ROOT))
            for name in names(tree):
                yield from (Mutant(file, name, change) for change in usual(scope(tree, name)))


def lot(one: Mutant) -> bytes:
    """The lot of a mutant, by the commit."""
    return sha256(f"{DRAW} {one}".encode()).digest()


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    """One process for all mutants."""
    with nursery(tmp_path_factory.mktemp("nursery")) as found:
        yield found


class Known(NamedTuple):
    """Which tests come through a function, and how long each takes."""

    callers: dict[str, list[str]]
    seconds: dict[str, float]

    def asked(self, one: Mutant) -> list[str]:
        """The tests of a mutant, quickest first.

        What runs at import only is asked of all that come through its module.
        """
        by_name = self.callers.get(f"{one.file}:{one.name}")
        by_file = (
            test
            for place, tests in self.callers.items()
            if place.startswith(f"{one.file}:")
            for test in tests
        )
        found = set(by_name or by_file) & self.seconds.keys()
        return sorted(found, key=lambda test: (self.seconds[test], test))


def known(warm: Nursery, part: Part) -> Known:
    """Run the tests of a part once, soundly, and look whom they call."""
    values = warm.ask(tests=part.tests, callers=True, seconds=3600)
    assert values["broken"] == []
    seconds = {each["test"]: each["seconds"] for each in values["ran"] if each["ended"] == "passed"}
    return Known(values["callers"], seconds)


def survives(warm: Nursery, one: Mutant, tests: list[str]) -> bool:
    """Whether all of them pass."""
    for some in (tests[:FIRST], tests[FIRST:]):
        if some:
            values = warm.ask(**one._asdict(), tests=some, options=["-x"], seconds=SECONDS)
            if values["broken"] or any(
                each["ended"] in ("failed", "error") for each in values["ran"]
            ):
                return False
    return True


@pytest.mark.parametrize("name", PARTS)
def test_most_mutants_are_killed(warm: Nursery, name: str) -> None:
    part = PARTS[name]
    found = known(warm, part)
    chosen = sorted(mutants(part.rooms), key=lot)[:MUTANTS]
    assert len(chosen) == MUTANTS
    left = [one for one in chosen if survives(warm, one, found.asked(one))]
    killed = 1 - len(left) / len(chosen)
    said = "\n".join(map(str, left))
    print(f"\n{name}: {killed:.0%} of {len(chosen)} mutants killed. Survivors:\n{said}")  # noqa: T201
    assert killed >= part.least, said
