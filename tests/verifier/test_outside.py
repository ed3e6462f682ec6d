"""What an inspector keeps outside the house: receipts, older checkpoints, his own list of keys."""

import base64
import json
from datetime import timedelta
from pathlib import Path

import pytest

from tests.verifier.checked import Found, checked
from tests.verifier.maker import Book, canonical, key, play

PART = {"kind": "table", "table": "BJ-01"}


@pytest.fixture(scope="module")
def book() -> Book:
    return play(Book(seed=5), 300, every=30)


@pytest.fixture(scope="module")
def bundle(book: Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return book.write(tmp_path_factory.mktemp("bundles") / "full")


@pytest.fixture(scope="module")
def part(book: Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return book.write(tmp_path_factory.mktemp("bundles") / "part", PART)


def recorded(receipt: str, **changed: object) -> str:
    """A receipt that says something else."""
    return canonical(json.loads(receipt) | changed).decode()


# Receipts.


def test_a_receipt_is_honoured_in_the_book_and_in_its_tables_part(
    book: Book, bundle: Path, part: Path
) -> None:
    index = next(i for i, entry in enumerate(book.entries) if b'"stream":"table/BJ-01"' in entry)
    for place in (bundle, part):
        for origin in (True, False):
            found = checked(place, receipts=[book.receipt(index, origin)])
            assert (found.code, "receipt-kept" in found.notes) == (0, True)


@pytest.mark.parametrize(
    ("changed", "code", "what"),
    [
        ({"leaf": "0" * 64}, 1, "receipt-wrong"),
        ({"recorded": "2026-11-20T19:00:00.000000Z"}, 1, "receipt-wrong"),
        ({"n": 9999}, 1, "receipt-missing"),
        ({"stream": "table/BJ-99"}, 1, "receipt-missing"),
        ({"origin": "livro.example/outra"}, 2, "receipt-other-book"),  # though it is there
        ({"origin": "livro.example/outra", "n": 9999}, 2, "receipt-other-book"),
    ],
)
def test_a_receipt_that_is_not_honoured(
    book: Book, bundle: Path, changed: dict[str, object], code: int, what: str | None
) -> None:
    found = checked(bundle, receipts=[recorded(book.receipt(10), **changed)])
    assert (found.code, found.codes) == (code, {what})


@pytest.mark.parametrize(("seconds", "code"), [(-121, 1), (-120, 2), (60, 2)])
def test_a_record_younger_than_the_bundle_is_asked_of_a_newer_one(
    book: Book, bundle: Path, seconds: int, code: int
) -> None:
    moment = (book.now + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    found = checked(bundle, receipts=[recorded(book.receipt(10), n=9999, recorded=moment)])
    assert found.code == code


def test_a_part_does_not_answer_for_what_it_leaves_out(book: Book, part: Path) -> None:
    index = next(i for i, entry in enumerate(book.entries) if b'"stream":"table/BJ-02"' in entry)
    found = checked(part, receipts=[book.receipt(index)])
    assert (found.code, found.codes) == (2, {"receipt-not-shown"})
    # The end of its own table's stream may have been left out, too.
    index = next(i for i, entry in enumerate(book.entries) if b'"stream":"table/BJ-01"' in entry)
    found = checked(part, receipts=[recorded(book.receipt(index), n=9999)])
    assert (found.code, found.codes) == (2, {"receipt-not-shown"})
    # But another entry in its place is another entry.
    found = checked(part, receipts=[recorded(book.receipt(index), leaf="0" * 64)])
    assert (found.code, found.codes) == (1, {"receipt-wrong"})


@pytest.mark.parametrize(
    "receipt",
    ["{}", "{", '{"format":"livro-da-sala-receipt/2"}', "{} {}", "/nowhere/at/all", "[1]"],
)
def test_what_is_no_receipt_is_bad_input(bundle: Path, receipt: str) -> None:
    assert checked(bundle, receipts=[receipt]).code == 3


def test_many_receipts_in_one_file(book: Book, bundle: Path, tmp_path: Path) -> None:
    file = tmp_path / "receipts"
    file.write_text("\n".join(book.receipt(index) for index in range(20)) + "\n")
    found = checked(bundle, receipts=[str(file)])
    assert (found.code, found.report.counts["receipt-kept"]) == (0, 20)
    file.write_text(book.receipt(1) + "\nnothing\n")
    assert checked(bundle, receipts=[str(file)]).code == 3


# Older checkpoints.


def test_the_book_continues_every_checkpoint_there_was(book: Book, bundle: Path) -> None:
    found = checked(bundle, older=[*book.notes.values()])
    assert (found.code, found.report.counts["older-kept"]) == (0, len(book.notes))


def test_a_book_cut_short_is_short_by_so_many(book: Book, tmp_path: Path) -> None:
    size = len(book.entries)
    cut = book.copy()
    cut.openings = [each for each in cut.openings if each["index"] < 200]
    shorter = cut.rewritten(lambda index, body: body if index < 200 else None)
    place = shorter.write(tmp_path / "short")
    assert checked(place).code == 0, "without anything from outside nobody can tell"
    found = checked(place, older=[book.notes[max(book.notes)]])
    assert (found.code, found.codes) == (2, {"older-longer"})
    assert found.lines[0].details["short"] == size - 200


def test_a_newer_checkpoint_beside_an_older_copy_accuses_nobody(book: Book, tmp_path: Path) -> None:
    march = book.copy()
    place = march.write(tmp_path / "march")
    april = play(book.copy(), 100, every=30)
    for note in [april.notes[size] for size in april.notes if size > len(book.entries)]:
        found = checked(place, policy=book.policy(), older=[note])
        assert (found.code, found.codes) == (2, {"older-longer"})


def test_two_books_under_one_key_are_told_by_when_a_witness_saw_the_longer_one(
    book: Book, tmp_path: Path
) -> None:
    longer = play(book.copy(), 100, every=30)
    note = longer.notes[max(longer.notes)]
    shorter = book.copy()
    shorter.now = longer.now + timedelta(minutes=5)
    shorter.add("card-burned/1", {"cards": 1})
    shorter.sign()
    found = checked(shorter.write(tmp_path / "shorter"), older=[note])
    assert (found.code, found.codes) == (1, {"older-forked"})
    assert found.lines[0].details["short"] == len(longer.entries) - len(shorter.entries)


def test_a_checkpoint_of_another_name_or_key_says_nothing_of_this_book(
    book: Book, bundle: Path
) -> None:
    same = book.copy()
    same.origin, same.keys = "livro.example/outra", [key("livro.example/outra")]
    same.notes.clear()
    found = checked(bundle, older=[same.sign()])
    assert (found.code, found.codes) == (2, {"older-other-book"})
    same.origin, same.keys = book.origin, [key(book.origin, 77)]
    for policy in (None, book.policy()):
        found = checked(bundle, policy=policy, older=[same.sign()])
        assert (found.code, found.codes) == (2, {"older-unsigned"})


def test_rewritten_history_does_not_continue_what_was_kept(book: Book, tmp_path: Path) -> None:
    def change(index: int, body: dict[str, object]) -> dict[str, object]:
        return body | {"occurred": "2026-11-20T10:00:00.000000Z"} if index == 100 else body

    place = book.rewritten(change).write(tmp_path / "other")
    assert checked(place, policy=book.policy()).code == 0
    before, after = max(s for s in book.notes if s <= 100), min(s for s in book.notes if s > 100)
    assert checked(place, older=[book.notes[before]]).code == 0
    found = checked(place, policy=book.policy(), older=[book.notes[after]])
    assert (found.code, found.codes) == (1, {"older-differs"})


def test_a_part_compares_where_it_brings_the_tiles(book: Book, tmp_path: Path) -> None:
    long = play(Book(seed=6), 700, every=30)
    place = long.write(tmp_path / "part", {"kind": "range", "from": 690, "to": 700})
    sizes = sorted(long.notes)
    found = checked(place, older=[long.notes[sizes[-1]]])
    assert (found.code, "older-kept" in found.notes) == (0, True)
    early = next(size for size in sizes if 256 < size < 512)
    found = checked(place, older=[long.notes[early]])
    assert (found.code, found.codes) == (2, {"older-not-shown"})


def test_a_stranger_cannot_accuse_the_house_with_a_note_of_his_own(
    book: Book, bundle: Path
) -> None:
    forged = book.rewritten(lambda index, body: body if index else None)
    forged.keys = [key(book.origin, 99)]
    note = forged.sign()
    found = checked(bundle, policy=book.policy(), older=[note])
    assert (found.code, found.codes) == (2, {"older-unsigned"})
    # Without a policy nobody says whose keys are true: then the difference counts.
    assert checked(bundle, older=[note]).codes == {"older-differs"}


@pytest.mark.parametrize("text", ["no note\n", "", "a\r\rb", "\ufeff"])
def test_what_is_no_checkpoint_is_bad_input(bundle: Path, text: str) -> None:
    found = checked(bundle, older=[text])
    assert (found.code, found.codes) == (3, {"older-form"})


# What an editor on Windows, or the mail, makes of what he kept.


@pytest.mark.parametrize(("mark", "end"), [("\ufeff", "\n"), ("", "\r\n"), ("\ufeff", "\r\n")])
def test_how_lines_end_in_what_he_kept_is_forgiven(
    mark: str, end: str, book: Book, bundle: Path, tmp_path: Path
) -> None:
    def kept(text: str) -> str:
        return mark + text.replace("\n", end)

    slips = tmp_path / "slips"
    slips.write_bytes(kept(f"{book.receipt(1)}\n{book.receipt(2)}\n").encode())
    note, policy = book.notes[min(book.notes)], book.policy(quorum="none")
    found = checked(bundle, policy=kept(policy), older=[kept(note)], receipts=[str(slips)])
    assert (found.code, found.codes) == (0, set())
    assert found.report.counts["receipt-kept"] == 2
    assert found.report.counts["older-kept"] == 1


def test_in_a_bundle_nothing_is_forgiven(book: Book, bundle: Path, tmp_path: Path) -> None:
    for number, name in enumerate(("checkpoint", "policy", "checkpoints.jsonl")):
        for wrong in (b"\xef\xbb\xbf%s", None):
            place = book.write(tmp_path / f"{number}{wrong is None}")
            data = (place / name).read_bytes()
            changed = wrong % data if wrong else data.replace(b"\n", b"\r\n")
            (place / name).write_bytes(changed)
            assert checked(place, policy=book.policy()).code == 1, (name, wrong)


# His own policy.


def test_a_key_of_his_own_that_signed_nothing(book: Book, bundle: Path, part: Path) -> None:
    other = book.policy([key(book.origin, 9)])
    found = checked(bundle, policy=other)
    assert (found.code, found.codes) == (1, {"checkpoint-unsigned"})
    found = checked(part, policy=other)
    assert (found.code, found.codes) == (2, {"key-unknown"})


def test_another_casinos_book_is_not_this_one(bundle: Path, book: Book) -> None:
    renamed = book.policy([key("livro.example/outra")])
    assert "origin-unknown" in checked(bundle, policy=renamed).codes


def test_the_keys_of_a_bundle_are_said_to_be_its_own(book: Book, bundle: Path) -> None:
    assert "keys-from-bundle" in checked(bundle).notes
    assert "keys-from-bundle" not in checked(bundle, policy=book.policy()).notes
    assert checked(bundle).report.figures["keys"] == [book.keys[0].verifier().text()]


@pytest.mark.parametrize("policy", ["", "quorum\n", "log x\nquorum none\n", "quorum none\nx\n"])
def test_what_is_no_policy_is_bad_input(bundle: Path, policy: str) -> None:
    assert checked(bundle, policy=policy).code == 3


def with_witness(seen: bool, tmp_path: Path) -> tuple[Book, Found]:
    book = Book()
    book.add("card-burned/1", {"cards": 1})
    book.sign(seen=True)
    book.add("card-burned/1", {"cards": 1})
    book.sign(seen=seen)
    place = book.write(tmp_path / str(seen))
    return book, checked(place, policy=book.policy(quorum="srij"))


def test_a_quorum_that_was_met_and_one_that_was_not_yet(tmp_path: Path) -> None:
    assert with_witness(True, tmp_path)[1].code == 0
    book, found = with_witness(False, tmp_path)
    assert (found.code, found.codes) == (2, {"quorum-unmet"})
    assert found.lines[0].details == {"witnessed": 1, "size": 2}
    # What the house itself names as a quorum is only worth a word.
    book.quorum = "srij"
    found = checked(book.write(tmp_path / "own"))
    assert (found.code, "quorum-unmet-by-own" in found.notes) == (0, True)


def test_a_false_cosignature_is_seen(tmp_path: Path) -> None:
    book = Book()
    book.add("card-burned/1", {"cards": 1})
    note = book.sign(seen=True)
    line = note.rstrip("\n").rsplit("\n", 1)[1]
    other = Book(origin="livro.example/outra", witness=book.witness)
    other.add("card-burned/1", {"cards": 2})
    forged = other.sign(seen=True).rstrip("\n").rsplit("\n", 1)[1]
    book.notes[1] = note.replace(line, forged)
    found = checked(book.write(tmp_path / "bundle"))
    assert (found.code, found.codes, found.files()) == (
        1,
        {"signature-wrong"},
        {"checkpoints.jsonl"},
    )


def test_a_cosignature_that_is_half_a_witnesss(tmp_path: Path) -> None:
    book = Book()
    book.add("card-burned/1", {"cards": 1})
    note = book.sign(seen=True)
    line = note.rstrip("\n").rsplit("\n", 1)[1]
    _, name, text = line.split(" ")
    raw = base64.b64decode(text)
    other_key = base64.b64encode(bytes([raw[0] ^ 1]) + raw[1:]).decode()
    for forged, code, found_code in (
        (f"\u2014 {name} {other_key}", 2, "cosignature-unknown"),
        (f"\u2014 testemunha.exemplo {text}", 1, "signature-wrong"),
    ):
        book.notes[1] = note.replace(line, forged)
        found = checked(book.write(tmp_path / found_code))
        assert (found.code, found.codes) == (code, {found_code})
        assert found.files() == {"checkpoints.jsonl"}
    # Of a witness nobody here knows nothing is said.
    book.notes[1] = note.replace(line, f"\u2014 outra.example {other_key}")
    assert checked(book.write(tmp_path / "another")).code == 0


def test_an_entry_that_a_witness_saw_before_it_was_recorded(tmp_path: Path) -> None:
    for skew, code in ((-120, 0), (-121, 1)):
        book = Book(skew=timedelta(seconds=skew))
        book.add("card-burned/1", {"cards": 1})
        book.sign(seen=True)
        found = checked(book.write(tmp_path / str(skew)))
        assert found.code == code
        assert found.codes == ({"time-after-witness"} if code else set())


def test_a_witness_of_a_larger_tree_has_seen_the_smaller_one_too(tmp_path: Path) -> None:
    book = Book()
    book.add("card-burned/1", {"cards": 1})
    book.sign()
    book.add("card-burned/1", {"cards": 2})
    book.skew = timedelta(seconds=-130)
    book.sign(seen=True)
    found = checked(book.write(tmp_path / "bundle"))
    assert (found.code, found.codes, found.indices()) == (1, {"time-after-witness"}, {0, 1})


def test_the_demonstration_key_is_called_by_its_name(tmp_path: Path) -> None:
    book = Book(origin="demo.invalid/0123456789ab")
    book.add("card-burned/1", {"cards": 1})
    book.sign()
    assert "demo-key" in checked(book.write(tmp_path / "bundle")).notes
