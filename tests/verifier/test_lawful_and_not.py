"""Near misses: what a sound house may do without being blamed, and what only looks like it."""

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from tests.verifier.checked import checked
from tests.verifier.followed import followed
from tests.verifier.lost_books import OLD, lost_book
from tests.verifier.maker import BEGINNING, Book, instant, play


def test_who_approves_of_an_epoch_once_more_changes_nothing(tmp_path: Path) -> None:
    _, after = lost_book()
    index = next(i for i, one in enumerate(after.entries) if b'"epoch-begun/1"' in one)
    begun = json.loads(after.entries[index + 1])["payload"]["begun"]
    after.add("epoch-approved/1", {"begun": begun}, stream="house", staff="S-0003")
    after.sign()
    assert checked(after.write(tmp_path / "bundle")).code == 0


def test_files_are_erased_by_the_name_of_their_field() -> None:
    book = Book()
    values = book.add("incident-reported/1", {"incident": "IN-1"}, files=[b"a picture"])
    bare = book.add("incident-reported/1", {"incident": "IN-2"})
    how = {"field": "attachments", "legal_basis": "request"}
    book.add("erased/1", {"entry": values, **how}, staff="S-0001")
    assert followed(book) == []
    book.add("erased/1", {"entry": bare, **how}, staff="S-0001")
    assert followed(book) == [("erasure-wrong", 3)]


@pytest.mark.parametrize(
    ("minutes", "recorded"),
    [
        (2, None),
        (3, "time-late"),
        (15, "time-late"),
        (16, "time-unproved"),
        (9000, "time-unproved"),
    ],
)
def test_what_came_late_into_the_tree_is_said(minutes: int, recorded: str | None) -> None:
    """A new stream names no checkpoint: nothing else would tell that its entry is back-dated."""
    book = Book()
    book.add("card-burned/1", {"cards": 1})
    book.sign()
    late = instant(BEGINNING + timedelta(seconds=1) - timedelta(minutes=minutes))
    book.add("card-burned/1", {"cards": 2}, stream="table/BJ-07", cp=None, at=late)
    assert followed(book, notes=True) == ([] if recorded is None else [(recorded, 1)])


def test_a_declared_loss_excuses_nothing_that_was_not_lost(tmp_path: Path) -> None:
    before, after = lost_book()
    place = after.write(tmp_path / "bundle")
    left = max(size for size in before.notes if size <= 60)
    stolen = json.loads(before.receipt(10)) | {"leaf": "0" * 64}
    found = checked(
        place, policy=after.policy(), receipts=[json.dumps(stolen, separators=(",", ":"))]
    )
    assert left == 60
    assert (found.code, found.codes) == (1, {"receipt-wrong"})
    # Another root for the very checkpoint that is said to be lost.
    size = max(before.notes)
    forged = before.copy()
    forged.notes[size] = _with_another_root(forged)
    found = checked(place, policy=after.policy([OLD]), older=[forged.notes[size]])
    assert found.code == 1


def _with_another_root(book: Book) -> str:
    from casino.tlog.checkpoint import Checkpoint
    from casino.tlog.note import signed

    return signed(Checkpoint(book.origin, max(book.notes), b"\1" * 32).text(), book.keys)


def test_another_houses_checkpoint_says_nothing_of_this_book(tmp_path: Path) -> None:
    book, other = play(Book(seed=7), 40), play(Book(seed=8, origin="livro.example/outra"), 40)
    place = book.write(tmp_path / "bundle")
    found = checked(place, older=[other.notes[max(other.notes)]])
    assert (found.code, found.codes) == (2, {"older-other-book"})


def test_a_folder_nobody_may_look_into_hides_no_tampering(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = play(Book(seed=9), 40)
    place = book.write(tmp_path / "bundle")
    name = next(place.glob("tile/entries/*.p/*"))
    name.write_bytes(name.read_bytes().replace(b'"cards":', b'"Cards":', 1))
    (place / "closed").mkdir()
    look = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("closed/"):
            raise PermissionError(path)  # root, who runs some of the tests, may look everywhere
        return look(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert checked(place).code == 1


def test_a_corrections_own_proof_is_of_its_own_place() -> None:
    """It names two streams and two numbers: its own, and those of what it corrects."""
    from audit.verifier.envelope import place_of

    book = Book()
    first = book.add("card-burned/1", {"cards": 1})
    book.add("card-burned/1", {"cards": 2}, supersedes=first)
    assert [place_of(entry) for entry in book.entries] == [("table/BJ-06", 1), ("table/BJ-06", 2)]
    assert place_of(book.entries[1].replace(b'"v":1', b'"v":2')) == ("table/BJ-06", 2)
    assert place_of(b'{"n":1,"stream":"table/BJ-06"}') == (None, None)
