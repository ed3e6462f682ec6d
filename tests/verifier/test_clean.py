"""Honest books of all sizes and fates: not one of them is accused of anything."""

import random
from datetime import timedelta
from pathlib import Path

import pytest

from tests.bench.verify_million import write as write_quickly
from tests.gate import drawn, size
from tests.verifier.checked import checked
from tests.verifier.fates import FATES
from tests.verifier.maker import ORIGIN, Book, play, put

SIZES = [1, 2, 3, 7, 255, 256, 257, 511, 512, 513, 1000]
SEEDS = drawn(range(size(40, 40, 400)), 10)
SCOPES = [{"kind": "full"}, {"kind": "table", "table": "BJ-01"}]


def accused(place: Path, **also: object) -> list[object]:
    """What a sound bundle is accused of."""
    found = checked(place, **also)
    return [] if found.code == 0 else [found.code, *found.lines[:5]]


@pytest.mark.parametrize("size", SIZES)
def test_a_book_of_any_size_is_intact(size: int, tmp_path: Path) -> None:
    book = Book()
    for n in range(size):
        book.add("card-burned/1", {"cards": n % 3}, stream=f"table/BJ-0{n % 3 + 1}")
        if n % 97 == 5:
            book.sign()
    book.sign(seen=True)
    scopes = [*SCOPES, {"kind": "range", "from": size // 2, "to": size}]
    scopes.append({"kind": "range", "from": 0, "to": (size + 1) // 2})
    for n, scope in enumerate(scopes):
        place = book.write(tmp_path / str(n), scope)
        assert accused(place, policy=book.policy(quorum="srij")) == []
        assert checked(place).report.figures["size"] == size


@pytest.mark.parametrize("size", drawn([65_535, 65_536, 65_537], 1))
def test_where_a_second_row_of_tiles_begins(size: int, tmp_path: Path) -> None:
    write_quickly(tmp_path / "bundle", size)
    assert accused(tmp_path / "bundle") == []
    assert (tmp_path / "bundle" / "tile" / "2").exists() == (size >= 65_536)


def test_streams_that_never_began_and_checkpoints_on_one_another(tmp_path: Path) -> None:
    book = Book()
    book.add("staff-registered/1", {"staff": "S-1"}, stream="house")
    book.sign()
    book.add("staff-registered/1", {"staff": "S-2"}, stream="house")
    book.sign()
    assert accused(book.write(tmp_path / "full")) == []
    nothing = book.write(tmp_path / "table", {"kind": "table", "table": "BJ-99"})
    found = checked(nothing)
    assert (found.code, found.report.figures["entries"]) == (0, 0)


def test_words_of_every_script_and_every_escape(tmp_path: Path) -> None:
    book = Book()
    texts = ["ª º ç «»—", '\x1f\t\n\r"\\/', "\u007f\u2028\u2029\ufeff", "日本語 🂡", "\u0301x"]
    for text in texts:
        book.add("note/1", {"text": text})
    for number in (0, -1, 2**53 - 1, -(2**53) + 1, True, False, [], {}, [[]], [{"a": [0]}]):
        book.add("note/1", {"number": number})
    deep: object = 1
    for _ in range(31):
        deep = [deep]
    book.add("note/1", {"deep": deep})
    book.sign()
    assert accused(book.write(tmp_path / "bundle")) == []


# The fates of a book.


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_befalls_an_honest_book_it_is_intact(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    book = Book(seed=seed)
    book.skew = timedelta(seconds=dice.randrange(-100, 100))
    first = book.keys[0]
    for _ in range(dice.randrange(1, 5)):
        play(book, dice.randrange(1, 120), every=dice.choice([3, 20, 60]))
        dice.choice(FATES)(book)
        # A clock that was set back twice within one witness's minute is two clocks' worth.
        book.now += timedelta(seconds=dice.choice([200, 400]))
    play(book, dice.randrange(1, 60))
    size = len(book.entries)
    low = dice.randrange(size)
    scope = {"kind": "range", "from": low, "to": dice.randrange(low, size) + 1}
    full = book.write(tmp_path / "full", openings=dice.random() < 0.7)
    older = [dice.choice([*book.notes.values()]) for _ in range(3)]
    receipts = [book.receipt(dice.randrange(size), origin=dice.random() < 0.5) for _ in range(3)]
    assert accused(full, older=older, receipts=receipts) == []
    # Whether his policy is of today or of all days.
    for logs in ([book.keys[-1]], book.known_keys):
        assert accused(full, policy=book.policy(logs, "srij"), older=older) == []
    # One of the first day does until another key signs alone; then he is sent to ask about it.
    found = checked(full, policy=book.policy([first], "srij"), older=older)
    changed = first not in book.keys
    assert (found.code, found.codes) == ((2, {"key-not-listed"}) if changed else (0, set()))
    for n, part in enumerate([scope, {"kind": "table", "table": "BJ-01"}]):
        assert accused(book.write(tmp_path / f"part{n}", part)) == []
        assert accused(tmp_path / f"part{n}", policy=book.policy(quorum="srij")) == []


def test_a_clock_set_back_by_little_is_a_note_and_by_much_a_problem(tmp_path: Path) -> None:
    for seconds, code, notes in ((1, 0, set()), (2, 0, {"time-step"}), (120, 0, {"time-step"})):
        book = Book()
        book.add("card-burned/1", {"cards": 1})
        book.now -= timedelta(seconds=seconds) + book.step
        book.add("card-burned/1", {"cards": 1})
        book.sign()
        found = checked(book.write(tmp_path / str(seconds)))
        assert (found.code, found.notes - {"keys-from-bundle"}) == (code, notes)
    book = Book()
    book.add("card-burned/1", {"cards": 1})
    book.now -= timedelta(seconds=121) + book.step
    book.add("card-burned/1", {"cards": 1})
    book.sign()
    found = checked(book.write(tmp_path / "much"))
    assert (found.code, found.codes, found.indices()) == (1, {"time-fell"}, {1})


def test_an_opened_book_says_how_much_it_opened(tmp_path: Path) -> None:
    book = play(Book(seed=3), 400)
    opened = checked(book.write(tmp_path / "opened")).report.figures
    closed = checked(book.write(tmp_path / "closed", openings=False)).report.figures
    assert opened["withheld"] == 0 < opened["opened"]
    assert closed["opened"] == 0 < closed["erased"]
    assert closed["withheld"] == opened["opened"]
    assert opened["files"] == opened["files_named"] > closed["files"] == 0
    assert opened["origin"] == ORIGIN


def test_a_stranger_in_the_folder_is_told_and_changes_nothing(tmp_path: Path) -> None:
    book = play(Book(), 20)
    put(book.write(tmp_path / "bundle"), {"desktop.ini": b"x", "tile/0/.DS_Store": b""})
    found = checked(tmp_path / "bundle")
    assert (found.code, found.notes) == (0, {"stranger", "keys-from-bundle"})
    assert found.report.counts["stranger"] == 2
