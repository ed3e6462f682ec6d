"""The program that is read and the one the house runs say the same of whatever both judge."""

import random
from pathlib import Path
from typing import Any

import pytest

from audit.verifier.report import Report as QuickReport
from audit.verify import __main__ as plain
from audit.verify.words import WORDS
from tests.gate import drawn, size
from tests.verifier.checked import Found, checked
from tests.verifier.maker import Book, play, put
from tests.verifier.mutations import MUTATIONS, RESIGNED, Mutated, entries_file

SEEDS = drawn(range(size(23, 23, 460)), 1)
ENTRIES = size(1_500, 1_500, 5_000)
# What the plain one says that it does not judge: then it must not say more than the other.
NOT_JUDGED = ("attachment_swap", "opening_edit", "own_approval", "file_gone", "behind_a_hole")
# What both judge and call by the same name.
SHARED = {
    "entry-altered", "entry-form", "file-form", "evidence-missing", "evidence-wrong",
    "finding-of-no-run", "ids-differ", "run-changes", "run-not-ended", "watch-superseded",
    "stream-number", "stream-table", "key-twice", "older-differs", "older-forked", "older-kept",
    "older-longer",
    "older-other-book", "older-unsigned", "receipt-kept", "receipt-missing", "receipt-not-yet",
    "receipt-other-book", "receipt-wrong", "checkpoint-unsigned", "key-not-listed", "quorum-unmet",
    "key-alone",
    "signature-wrong", "time-fell", "time-before-checkpoint", "time-after-witness", "time-unproved",
}  # fmt: skip


def plainly(place: Path, mutated: Mutated, policy: str | None) -> tuple[int, set[Any]]:
    """What the plain one says: its exit code, and code and index of what both judge."""
    beside = place.with_name(f"{place.name}.beside")
    report = plain.Report()
    try:
        plain.verify(
            str(place),
            report,
            str(beside / "policy") if policy is not None else None,
            mutated.receipts,
            [str(beside / f"older{n}") for n in range(len(mutated.older))],
        )
    except plain.BadInput as refused:
        report.add(refused.args[0], file=refused.args[1])
        again = refused.args[0] in ("file-missing", "file-odd", "cut", "part")
        code = report.verdict() if again else 3
    else:
        code = report.verdict()
    assert {code for code, _ in report.lines} <= WORDS.keys()
    return code, {(c, t.get("index")) for c, t in report.lines if c in SHARED}


class Stage:
    """A bundle in a folder, altered for one look of each program and put back."""

    def __init__(self, book: Book, place: Path) -> None:
        self.book, self.files = book, book.files_of()
        self.place = put(place, self.files)

    def look(
        self, mutated: Mutated, policy: str | None = None
    ) -> tuple[Found, int, set[Any], set[Any]]:
        """The quick one's findings; the plain one's code; what each says of what both judge."""
        for name, data in mutated.files.items():
            (self.place / name).unlink() if data is None else put(self.place, {name: data})
        try:
            quick = checked(
                self.place, policy=policy, older=mutated.older, receipts=mutated.receipts
            )
            code, said = plainly(self.place, mutated, policy)
        finally:
            for name in mutated.files:
                if name in self.files:
                    put(self.place, {name: self.files[name]})
                else:
                    (self.place / name).unlink()
        theirs = {(line.code, line.index) for line in quick.report.lines if line.code in SHARED}
        return quick, code, said, theirs


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    book = play(Book(seed=17), ENTRIES, every=60)
    return Stage(book, tmp_path_factory.mktemp("both") / "bundle")


def first(said: set[Any]) -> int | None:
    """The first entry that is named."""
    return min((index for _, index in said if index is not None), default=None)


@pytest.mark.share
@pytest.mark.parametrize("kind", MUTATIONS)
@pytest.mark.parametrize("listed", [False, True])
def test_both_say_the_same(stage: Stage, kind: str, listed: bool) -> None:
    wrong = []
    for seed in drawn(SEEDS, 2) if kind in RESIGNED else SEEDS:
        mutated = MUTATIONS[kind](stage.book, stage.files, random.Random(f"{kind} {seed}"))
        policy = stage.book.policy(quorum="srij") if listed else None
        quick, code, said, theirs = stage.look(mutated, policy)
        if kind in NOT_JUDGED:
            if code != 0 and quick.code == 0:
                wrong.append((seed, quick.code, code, said - theirs))
        elif code != quick.code or first(said) != first(theirs):
            wrong.append((seed, quick.code, code, first(said), first(theirs), quick.lines[:4]))
    assert not wrong, "\n".join(map(str, wrong))


def test_both_find_the_book_sound(stage: Stage) -> None:
    for policy in (None, stage.book.policy(quorum="srij")):
        quick, code, said, theirs = stage.look(Mutated({}), policy)
        assert (quick.code, code) == (0, 0)
        assert said == theirs == set()
    assert isinstance(quick.report, QuickReport)


@pytest.mark.parametrize("cut", [0, 1, 2, 700, -1])
def test_a_file_of_entries_cut_short_is_a_damaged_copy(stage: Stage, cut: int) -> None:
    name = entries_file(stage.files, 300)
    quick, code, said, theirs = stage.look(Mutated({name: stage.files[name][:cut]}))
    assert (quick.code, code) == (1, 1)
    assert quick.report.only_wrong() == {"copy"}
    assert said == theirs
    assert {found for found, _ in said} == {"file-form"}
