"""Random mutations of every kind of a bundle: each found, and found where it is."""

import random
from typing import Any

import pytest

from tests.gate import drawn, size
from tests.verifier.checked import Found, checked
from tests.verifier.maker import Book, play
from tests.verifier.mutations import MUTATIONS, RESIGNED, Mutated
from tests.verifier.stage import Stage

pytestmark = pytest.mark.share

# Of every kind; those that write the whole book anew take longer. 500 in all, or 10,000, of which
# `make test` takes a few of each kind, in a smaller book.
EACH, EACH_RESIGNED = size(23, 23, 460), size(8, 8, 160)
SHARE, LEAST = 3, size(78, 500, 10_000)
ENTRIES = size(2_000, 5_000, 5_000)


# A part of the evidence was taken away, or what was kept outside is younger than the bundle.
INCOMPLETE = ("file_gone", "end_cut", "manifest_edit")


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    book = play(Book(seed=7), ENTRIES, every=150)
    return Stage(book, tmp_path_factory.mktemp("stage") / "bundle")


def is_there(found: Found, mutated: Mutated) -> bool:
    """Whether what was done is named."""
    since = {int(code[6:]) for code in mutated.codes if code.startswith("since ")}
    ranges = [
        range(line.details["since"], line.details["size"])
        for line in found.lines
        if line.code == "root-wrong"
    ]
    return bool(
        mutated.indices & found.indices()
        or mutated.named & found.files()
        or mutated.codes & found.codes
        or any(index in each for index in since for each in ranges)
    )


def seeds(kind: str) -> list[int]:
    """The dice's seeds for the mutations of one kind."""
    return drawn(range(EACH_RESIGNED if kind in RESIGNED else EACH), SHARE)


@pytest.mark.parametrize("kind", MUTATIONS)
def test_it_is_found_and_found_where_it_is(stage: Stage, kind: str) -> None:
    missed: list[Any] = []
    for seed in seeds(kind):
        mutated = MUTATIONS[kind](stage.book, stage.files, random.Random(f"{kind} {seed}"))
        assert mutated.files, seed
        found = stage.look(mutated)
        # A witness's signature under a number that is not his key's may be another key of his.
        # A kept checkpoint that goes beyond the copy may be newer than it.
        unsure = found.codes in ({"cosignature-unknown"}, {"older-longer"})
        incomplete = kind in INCOMPLETE or unsure
        allowed = {1, 2, 3} if incomplete else {1, 3}
        if found.code not in allowed or not is_there(found, mutated):
            missed.append((seed, found.code, mutated.indices, mutated.named, found.lines[:5]))
    assert not missed, "\n".join(map(str, missed[:5]))


def test_there_are_as_many_kinds_and_mutations_as_there_should_be() -> None:
    assert set(RESIGNED) < MUTATIONS.keys()
    assert len(MUTATIONS) >= 12
    assert sum(len(seeds(kind)) for kind in MUTATIONS) >= LEAST


def test_the_bundle_itself_is_sound(stage: Stage) -> None:
    found = checked(stage.place, policy=stage.book.policy(quorum="srij"))
    assert (found.code, found.lines) == (0, [])
    assert found.report.figures["size"] >= ENTRIES
