"""Mistakes a tired programmer makes, one at a time: each must fail the tests that are named for it.

planted_bugs.toml holds them: where (file and function), what is changed there (changes.py), what
that breaks and the tests that must notice. A bug is planted in memory, in a process forked for it.
Where a function was written anew and a bug has lost its place, `python -m tests.faults FILE NAME`
lists the changes there are.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.faults.changes import changed
from tests.faults.planting import Bug, Nursery, bug, nursery, verdict
from tests.gate import ROOT, drawn

TABLE: Final = Path(__file__).parent / "planted_bugs.toml"
BUGS: Final = [bug(value) for value in tomllib.loads(TABLE.read_text(encoding="utf-8"))["bug"]]
LEAST: Final = 60
MOST: Final = 1  # of one room in `make test`
# What is planted where: no part of the program is left without.
ROOMS: Final = {
    "casino/law/": 20,
    "casino/tlog/": 5,
    "casino/signer/": 3,
    "casino/events/": 2,
    "casino/reading/": 2,
    "jackpot/progressive/": 6,
    "jackpot/rules/": 3,
    "audit/verifier/": 6,
    "audit/watch/": 2,
    "audit/exposure/": 2,
    "audit/sampling/": 4,
    "audit/exporting/": 1,
    "audit/verifying/": 1,
    "audit/reconcile/": 1,
    "casino/local/": 1,
}


def room(one: Bug) -> str:
    """The part of the program a bug is in; of the law, its subject."""
    place = "/".join(one.file.split("/")[:2])
    return one.file.partition("_")[0] if place == "casino/law" else place


ASKED: Final = drawn(BUGS, MOST, kind=room)


def called(one: Bug) -> str:
    """What a bug is called."""
    return one.id


def test_there_are_enough_bugs_in_every_part_of_the_program() -> None:
    assert len(BUGS) >= LEAST
    assert [name for name, count in Counter(one.id for one in BUGS).items() if count > 1] == []
    for place, least in ROOMS.items():
        assert sum(one.file.startswith(place) for one in BUGS) >= least, place
    for one in BUGS:
        assert one.breaks.endswith("."), one.id
        assert one.tests, one.id


@pytest.mark.parametrize("one", BUGS, ids=called)
def test_a_bug_has_a_place_in_the_program(one: Bug) -> None:
    source = (ROOT / one.file).read_text(encoding="utf-8")
    compile(changed(source, one.name, one.change), one.file, "exec")


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    """One process for all bugs, with pytest in it."""
    with nursery(tmp_path_factory.mktemp("nursery")) as found:
        yield found


def test_without_a_bug_the_named_tests_pass(warm: Nursery) -> None:
    named = sorted({test for one in ASKED for test in one.tests})
    found = verdict(warm.ask(tests=named), named)
    assert {test: how for test, how in found.items() if how != "survived"} == {}


@pytest.mark.share
@pytest.mark.parametrize("one", ASKED, ids=called)
def test_a_bug_is_noticed(warm: Nursery, one: Bug) -> None:
    found = verdict(warm.plant(one), one.tests)
    assert found == dict.fromkeys(one.tests, "noticed"), f"{one.id}: {one.breaks}"
