"""Private values and files: what was opened fits, what was erased is gone."""

from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.verifier.checked import Found, checked
from tests.verifier.maker import Book, canonical


def incident(book: Book, **private: Any) -> dict[str, Any]:
    return book.add("incident-reported/1", {"table": "BJ-06"}, private=private)


def erase(book: Book, entry: dict[str, Any], field: str) -> None:
    values = {"entry": entry, "field": field, "legal_basis": "rgpd-17", "table": "BJ-06"}
    book.add("erased/1", values, staff="S-0001")


def handed_out(book: Book, tmp_path: Path) -> Found:
    book.sign()
    return checked(book.write(tmp_path / str(len(book.entries))))


def counts(found: Found) -> tuple[int, ...]:
    events = found.report.figures
    return events["opened"], events["withheld"], events["erased"]


def test_values_of_any_form_are_opened(tmp_path: Path) -> None:
    book = Book()
    incident(book, text='ª\n"x"', people=["José", {"a": [1, True]}], count=3, yes=False)
    incident(book, text="")
    found = handed_out(book, tmp_path)
    assert (found.code, counts(found)) == (0, (5, 0, 0))


def test_one_that_is_not_opened_is_counted(tmp_path: Path) -> None:
    book = Book()
    incident(book, text="a", name="b")
    book.openings.pop()
    found = handed_out(book, tmp_path)
    assert (found.code, counts(found)) == (0, (1, 1, 0))


def test_what_was_taken_out_of_an_opened_copy_is_named(tmp_path: Path) -> None:
    book = Book()
    incident(book, text="a", name="b")
    entry = incident(book, text="c", name="d")
    book.add("note/1", {}, files=[b"one"])
    gone = incident(book, text="e")
    erase(book, gone, "text")
    book.openings = [
        each
        for each in book.openings
        if (each["index"], each["field"]) not in {(1, "name"), (3, "text")}
    ]
    book.files.clear()
    found = handed_out(book, tmp_path)
    listed = [
        (line.index, line.stream, line.n, line.details["field"])
        for line in found.report.lines
        if line.code == "withheld"
    ]
    assert found.code == 0
    assert listed == [
        (1, entry["stream"], entry["n"], "name"),
        (2, "table/BJ-06", 3, "attachments"),
    ]
    # A copy that was made without any says how many there are, and names none.
    found = checked(book.write(tmp_path / "closed", openings=False))
    assert "withheld" not in found.notes
    assert found.report.figures["withheld"] == 4


def test_one_that_was_erased_is_gone(tmp_path: Path) -> None:
    book = Book()
    entry = incident(book, text="a", name="b")
    erase(book, entry, "text")
    kept = book.copy()
    book.openings = [each for each in book.openings if each["field"] != "text"]
    found = handed_out(book, tmp_path)
    assert (found.code, counts(found)) == (0, (1, 0, 1))
    found = handed_out(kept, tmp_path / "x")
    assert (found.code, found.codes) == (1, {"opening-erased"})
    assert found.lines[0].details == {"field": "text"}
    assert found.indices() == {0}


def test_an_opening_fits_its_commitment(tmp_path: Path) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"value": "A"}, "opening-wrong"),
        ({"value": ["a"]}, "opening-wrong"),
        ({"salt": "0" * 64}, "opening-wrong"),
        ({"field": "name"}, "opening-unasked"),
        ({"index": 1}, "opening-unasked"),
        ({"index": 7}, "opening-unasked"),
        ({"salt": "0" * 63}, "opening-form"),
        ({"salt": "A" * 64}, "opening-form"),
        ({"more": 1}, "opening-form"),
    ]
    for changed, code in wrong:
        book = Book()
        incident(book, text="a")
        book.add("card-burned/1", {"cards": 1})
        book.openings[0] |= changed
        book.sign()
        files = book.files_of()
        files["private/openings.jsonl"] = canonical(book.openings[0]) + b"\n"
        book.openings.clear()
        place = book.write(tmp_path / f"{code}{len(str(changed))}{sorted(changed)}")
        (place / "private/openings.jsonl").write_bytes(files["private/openings.jsonl"])
        digest = sha256(files["private/openings.jsonl"]).hexdigest()
        data = (place / "bundle.json").read_bytes()
        old = sha256(b"").hexdigest()
        (place / "bundle.json").write_bytes(data.replace(old.encode(), digest.encode()))
        found = checked(place)
        assert (found.code, found.codes) == (1, {code}), changed


def test_what_only_looks_like_a_commitment_asks_for_no_opening(tmp_path: Path) -> None:
    book = Book()
    digest = "0" * 64
    shapes = [{"hmac_sha256": digest, "x": 1}, {"hmac_sha256": 1}, {"hmac_sha256": "0"}, [digest]]
    for shape in shapes:
        book.add("note/1", {"text": shape})
    book.add("note/1", {"inner": {"text": {"hmac_sha256": digest}}})
    found = handed_out(book, tmp_path)
    assert (found.code, counts(found)) == (0, (0, 0, 0))


def test_a_file_is_the_one_that_was_named(tmp_path: Path) -> None:
    book = Book()
    book.add("note/1", {}, files=[b"one", b"two"])
    found = handed_out(book, tmp_path)
    assert (found.code, found.report.figures["files"]) == (0, 2)
    book.files = {sha256(b"one").hexdigest(): b"another"}
    found = checked(book.write(tmp_path / "another"))
    assert (found.code, found.codes) == (1, {"attachment-wrong"})


def test_a_file_is_gone_when_the_last_that_named_it_had_it_erased(tmp_path: Path) -> None:
    book = Book()
    first = book.add("note/1", {}, files=[b"one"])
    second = book.add("note/1", {}, files=[b"one"])
    erase(book, first, "attachments")
    found = handed_out(book, tmp_path)
    assert (found.code, counts(found)) == (0, (0, 0, 0)), "the second still has it"
    erase(book, second, "attachments")
    found = handed_out(book, tmp_path)
    assert (found.code, found.codes) == (1, {"attachment-erased"})
    book.files.clear()
    assert checked(book.write(tmp_path / "gone")).code == 0
