"""Two copies of a book compared: from which entry on they differ, and which say otherwise."""

from pathlib import Path
from typing import Any

import pytest

from audit.verifier import command
from audit.verifier.compare import compare
from audit.verifier.report import BadInput, Report
from tests.verifier.maker import Book, play

Recorded = list[tuple[str, int | None]]


@pytest.fixture(scope="module")
def book() -> Book:
    return play(Book(seed=31), 400, every=40)


@pytest.fixture(scope="module")
def march(book: Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return book.write(tmp_path_factory.mktemp("copies") / "march")


def a_round(book: Book, at: int = 0) -> int:
    """The index of a round, from some entry on."""
    return next(i for i, e in enumerate(book.entries) if i >= at and b'"round-played/1"' in e)


def compared(older: Path, newer: Path) -> tuple[int, Recorded, Report]:
    report = Report()
    compare(str(older), str(newer), report)
    return report.verdict(), [(line.code, line.index) for line in report.lines], report


def test_a_newer_copy_of_the_same_book_continues_the_older(
    book: Book, march: Path, tmp_path: Path
) -> None:
    april = play(book.copy(), 300, every=40).write(tmp_path / "april")
    assert compared(march, april)[:2] == (0, [("copy-same", None)])
    code, listed, report = compared(april, march)
    assert (code, listed) == (2, [("copy-shorter", None), ("copy-same", None)])
    assert report.lines[0].details == {"short": 300}


def test_an_amount_rewritten_is_one_entry_however_many_follow_from_it(
    book: Book, march: Path, tmp_path: Path
) -> None:
    index = a_round(book, 150)

    def change(at: int, body: dict[str, Any]) -> dict[str, Any]:
        return body | {"payload": body["payload"] | {"number": 1}} if at == index else body

    newer = play(book.rewritten(change), 50).write(tmp_path / "newer")
    code, listed, report = compared(march, newer)
    assert (code, listed) == (1, [("copy-rewritten", index), ("copy-changed", index)])
    assert report.lines[1].details == {"fields": "payload.number", "now": index}


def test_one_left_out_and_one_put_in_are_named(book: Book, march: Path, tmp_path: Path) -> None:
    index = a_round(book, 150)
    shorter = book.rewritten(lambda at, body: None if at == index else body)
    code, listed, _ = compared(march, shorter.write(tmp_path / "shorter"))
    assert code == 1
    assert listed[:2] == [("copy-rewritten", index), ("copy-dropped", index)]
    assert [each for each in listed if each[0] in ("copy-changed", "copy-added")] == []
    # The other way round the same entry was put in.
    code, listed, _ = compared(tmp_path / "shorter", march)
    assert (code, ("copy-added", index) in listed) == (1, True)


def test_parts_are_compared_where_they_show_the_same(
    book: Book, march: Path, tmp_path: Path
) -> None:
    index = next(
        i for i, e in enumerate(book.entries) if b"round-played" in e and b"table/BJ-01" in e
    )

    def change(at: int, body: dict[str, Any]) -> dict[str, Any]:
        return body | {"payload": body["payload"] | {"number": 1}} if at == index else body

    part = book.write(tmp_path / "part", {"kind": "table", "table": "BJ-01"})
    assert compared(part, march)[0] == 0
    newer = book.rewritten(change).write(tmp_path / "newer")
    code, listed, _ = compared(part, newer)
    assert (code, listed[:2]) == (1, [("copy-rewritten", index), ("copy-changed", index)])
    other = book.write(tmp_path / "other", {"kind": "table", "table": "BJ-02"})
    assert compared(part, other)[:2] == (2, [("copy-apart", None)])


def test_copies_of_two_books_are_said_to_be(march: Path, tmp_path: Path) -> None:
    other = play(Book(origin="livro.example/outra", seed=32), 50).write(tmp_path / "other")
    code, listed, _ = compared(march, other)
    assert (code, listed[0]) == (1, ("copy-other-book", None))


def test_what_is_no_copy_is_bad_input(march: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        compared(tmp_path, march)


def test_as_it_is_typed(
    book: Book, march: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = a_round(book, 150)

    def change(at: int, body: dict[str, Any]) -> dict[str, Any]:
        return body | {"payload": body["payload"] | {"number": 1}} if at == index else body

    newer = book.rewritten(change).write(tmp_path / "newer")
    asked = ["--compare", str(march), str(newer), "--language", "en"]
    assert command.main(asked) == 1
    text = capsys.readouterr().out
    assert f"PROBLEM: index {index}, " in text
    assert "REWRITTEN FROM HERE ON" in text
    assert "THE NEWER COPY DOES NOT CONTINUE THE OLDER" in text.splitlines()[-1]
    assert command.main(["--compare", str(march), str(march), "--language", "en"]) == 0
    assert command.main(["--compare", str(tmp_path), str(march)]) == 3
