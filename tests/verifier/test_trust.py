"""Keys that change, books that were lost: what the book itself may say of whom to believe."""

from pathlib import Path
from typing import Any

import pytest

from audit.verify import __main__ as plain
from casino.tlog.note import SigningKey
from tests.verifier.checked import Found, checked
from tests.verifier.lost_books import NEW, OLD, SECOND, THIEF, lost_book
from tests.verifier.maker import Book, key, play


def signed_by(*turns: tuple[str, list[SigningKey]]) -> Book:
    """A book in which something is recorded, and signed by somebody, again and again."""
    book = Book()
    for text, keys in turns:
        if text == "named":
            name_key(book, NEW, OLD)
        elif text == "added":
            name_key(book, NEW, None)
        else:
            book.add("card-burned/1", {"cards": 1})
        book.sign(keys=keys)
    return book


def by_two(
    book: Book,
    new: SigningKey,
    old: SigningKey | None,
    *,
    second: str = "S-0300",
    decision: str = "approved",
) -> dict[str, Any]:
    """A key named by one person, and the word of another on it."""
    values = {"vkey": new.verifier().text(), "reason": "yearly"}
    values |= {} if old is None else {"replaces": old.verifier().text()}
    act = book.add("signing-key-named/2", values, stream="house", staff="A-0001")
    if second:
        words = {"act": act, "decision": decision}
        book.add("house-act-decided/1", words, stream="house", staff=second)
    return act


def name_key(book: Book, new: SigningKey, old: SigningKey | None, **where: Any) -> None:
    values = {"vkey": new.verifier().text(), "reason": "yearly"}
    if old is not None:
        values["replaces"] = old.verifier().text()
    book.add("signing-key-named/1", values, **({"stream": "house"} | where))


SOUND = {
    "overlap": [("", [OLD]), ("named", [OLD, NEW]), ("", [NEW])],
    "later": [("", [OLD]), ("named", [OLD]), ("", [OLD, NEW]), ("", [NEW])],
    "both for long": [("named", [OLD, NEW]), ("", [OLD, NEW]), ("", [OLD, NEW])],
    "one more": [("added", [OLD]), ("", [OLD]), ("", [NEW]), ("", [OLD])],
}
UNSOUND = {
    "never named": ([("", [OLD]), ("", [NEW])], 2),
    "named by itself alone": ([("", [OLD]), ("named", [NEW]), ("", [NEW])], 2),
    "the old one once more": ([("named", [OLD, NEW]), ("", [NEW]), ("", [OLD])], 3),
    "a stranger": ([("", [OLD]), ("", [THIEF]), ("", [OLD])], 2),
}


@pytest.mark.parametrize("turns", SOUND)
def test_a_key_is_changed_by_overlap(turns: str, tmp_path: Path) -> None:
    book = signed_by(*SOUND[turns])
    place = book.write(tmp_path / "bundle")
    assert checked(place, policy=book.policy([OLD, NEW])).code == 0
    # Who has the older key alone learns of the new one, and is sent to ask about it.
    found, alone = checked(place, policy=book.policy([OLD])), SOUND[turns][-1][1] == [NEW]
    assert (found.code, found.codes) == ((2, {"key-not-listed"}) if alone else (0, set()))
    assert checked(place).code == 0, "the bundle's own list has both"


@pytest.mark.parametrize("turns", SOUND)
def test_a_key_the_book_names_is_said_aloud(turns: str, tmp_path: Path) -> None:
    book = signed_by(*SOUND[turns])
    index = next(n for n, entry in enumerate(book.entries) if b"signing-key-named/1" in entry)
    values = {"key": NEW.verifier().text(), "old": OLD.verifier().text(), "size": index + 1}
    added = turns == "one more"
    for logs in ([OLD], [NEW], [OLD, NEW]):
        found = checked(book.write(tmp_path / f"{turns}{len(logs)}"), policy=book.policy(logs))
        if added and logs == [NEW]:
            continue  # what it did not replace it does not vouch for
        code = "key-added" if added else "key-named"
        details = values | {"staff": "S-0187", "old": None if added else values["old"]}
        assert [
            (line.index, line.stream, line.n, line.details)
            for line in found.report.lines
            if line.code == code
        ] == [(index, "house", 1, details)]


def judged(book: Book, place: Path, logs: list[SigningKey]) -> tuple[Found, int, set[str]]:
    """What the quick verifier says, and how the one that is read ends, and with which codes."""
    found = checked(book.write(place), policy=book.policy(logs))
    (place.parent / "policy").write_text(book.policy(logs))
    report = plain.Report()
    plain.verify(str(place), report, str(place.parent / "policy"))
    return found, report.verdict(), {code for code, _ in report.lines}


def test_a_key_two_persons_named_takes_over(tmp_path: Path) -> None:
    book = signed_by(("", [OLD]))
    by_two(book, NEW, OLD)
    book.sign(keys=[OLD, NEW])
    book.add("card-burned/1", {"cards": 1})
    book.sign(keys=[NEW])
    found, code, codes = judged(book, tmp_path / "bundle", [OLD, NEW])
    assert (found.code, code, "key-named" in codes) == (0, 0, True)
    (line,) = (each for each in found.report.lines if each.code == "key-named")
    assert (line.index, line.n, line.details["staff"]) == (2, 2, "A-0001 + S-0300")
    found, code, _ = judged(book, tmp_path / "old", [OLD])
    assert (found.code, found.codes, code) == (2, {"key-not-listed"}, 2)


@pytest.mark.parametrize(
    ("how", "quick", "read"),
    [
        ({"second": ""}, {"checkpoint-unsigned"}, 1),
        ({"decision": "refused"}, {"checkpoint-unsigned"}, 1),
        ({"second": "A-0001"}, {"checkpoint-unsigned", "same-person"}, 1),
        ({"second": "a-0001"}, {"checkpoint-unsigned", "same-person"}, 1),
    ],
)
def test_a_key_that_one_person_named_signs_for_nobody(
    how: dict[str, str], quick: set[str], read: int, tmp_path: Path
) -> None:
    book = signed_by(("", [OLD]))
    by_two(book, NEW, OLD, **how)
    book.sign(keys=[OLD, NEW])
    found, code, _ = judged(book, tmp_path / "both", [OLD])
    assert ("checkpoint-unsigned" in found.codes, code) == (False, 0), "the old one signed it too"
    assert ("key-waits" in found.notes) == (how.get("decision") is None)
    book.add("card-burned/1", {"cards": 1})
    book.sign(keys=[NEW])
    found, code, _ = judged(book, tmp_path / "alone", [OLD])
    assert (found.code, found.codes, code) == (1, quick, read)


def test_the_second_person_s_first_word_stands(tmp_path: Path) -> None:
    for first, second, ends in (("refused", "approved", 1), ("approved", "refused", 0)):
        book = signed_by(("", [OLD]))
        act = by_two(book, NEW, OLD, decision=first)
        words = {"act": act, "decision": second}
        book.add("house-act-decided/1", words, stream="house", staff="S-0301")
        book.sign(keys=[OLD, NEW])
        book.add("card-burned/1", {"cards": 1})
        book.sign(keys=[NEW])
        found, code, _ = judged(book, tmp_path / first, [OLD, NEW] if not ends else [OLD])
        assert (found.code, code) == (ends, ends)


def test_one_person_s_word_is_enough_until_a_book_asks_for_two(tmp_path: Path) -> None:
    third = key(OLD.name, 9)
    book = signed_by(("", [OLD]), ("named", [OLD, NEW]), ("", [NEW]))
    by_two(book, third, NEW)
    book.sign(keys=[NEW, third])
    found, code, _ = judged(book, tmp_path / "both ways", [OLD, NEW, third])
    assert (found.code, code) == (0, 0)
    name_key(book, THIEF, third)
    book.sign(keys=[third, THIEF])
    book.add("card-burned/1", {"cards": 1})
    book.sign(keys=[THIEF])
    found, code, codes = judged(book, tmp_path / "too late", [OLD, NEW, third])
    assert (found.code, found.codes) == (1, {"key-alone", "checkpoint-unsigned"})
    assert (code, {"key-alone", "checkpoint-unsigned"} <= codes) == (1, True)


def test_one_administrator_makes_nobody_believe_a_key_of_his_own(tmp_path: Path) -> None:
    book = play(Book(seed=2), 100, every=40)
    kept, size = book.notes[max(book.notes)], len(book.entries)
    name_key(book, THIEF, OLD, staff="A-0001")
    book.sign(keys=[OLD])
    book.keys = [THIEF]
    play(book, 60, every=20)
    place = book.write(tmp_path / "bundle")
    found = checked(place, policy=book.policy([OLD]), older=[kept])
    assert (found.code, found.codes) == (2, {"key-not-listed"})
    assert found.lines[0].details == {"key": THIEF.verifier().text()}
    assert {"key-named", "older-kept"} <= found.notes
    events = found.report.figures
    assert events["keys"] == events["keys_not_listed"] == [THIEF.verifier().text()]
    (line,) = (each for each in found.report.lines if each.code == "key-named")
    assert (line.index, line.details["staff"], line.details["size"]) == (size, "A-0001", size + 1)


def test_the_keys_of_the_book_are_those_that_signed_its_end(tmp_path: Path) -> None:
    both = signed_by(("", [OLD]), ("named", [OLD, NEW]))
    events = checked(both.write(tmp_path / "both"), policy=both.policy([OLD])).report.figures
    old, new = (each.verifier().text() for each in (OLD, NEW))
    assert (events["keys"], events["keys_not_listed"]) == (sorted([old, new]), [new])
    # One that is listed and did not sign is none of them.
    book = signed_by(("", [OLD]))
    events = checked(book.write(tmp_path / "one"), policy=book.policy([OLD, NEW])).report.figures
    assert (events["keys"], events["keys_not_listed"]) == ([old], [])
    events = checked(book.write(tmp_path / "none"), policy=book.policy([THIEF])).report.figures
    assert events["keys"] == []


def test_a_policy_of_today_believes_what_the_older_key_signed(tmp_path: Path) -> None:
    for n, turns in enumerate(("overlap", "later", "both for long")):
        book = signed_by(*SOUND[turns])
        assert checked(book.write(tmp_path / str(n)), policy=book.policy([NEW])).code == 0
    # But it does not make a stranger's book a sound one that he names it in his own.
    forged = signed_by(("named", [OLD]), ("", [OLD]))
    found = checked(forged.write(tmp_path / "forged"), policy=forged.policy([NEW]))
    assert (found.code, found.codes) == (1, {"checkpoint-unsigned"})


@pytest.mark.parametrize("turns", UNSOUND)
def test_no_other_way_makes_a_key_believed(turns: str, tmp_path: Path) -> None:
    listed, size = UNSOUND[turns]
    book = signed_by(*listed)
    found = checked(book.write(tmp_path / "bundle"), policy=book.policy([OLD]))
    assert (found.code, found.codes) == (1, {"checkpoint-unsigned"})
    assert found.lines[0].details["size"] == size


def test_a_key_is_named_in_the_houses_stream_and_as_keys_are_written(tmp_path: Path) -> None:
    book = Book()
    name_key(book, NEW, OLD, stream="table/BJ-06")
    book.add("signing-key-named/1", {"vkey": "no key", "reason": "x"}, stream="house")
    book.add("signing-key-named/1", {"vkey": 7, "reason": "x"}, stream="house")
    book.sign()
    found = checked(book.write(tmp_path / "bundle"))
    assert (found.codes, found.indices()) == ({"house-form"}, {0, 1, 2})


# A book that was lost.


def test_two_persons_may_say_that_a_book_was_lost(tmp_path: Path) -> None:
    _, after = lost_book()
    place = after.write(tmp_path / "bundle")
    for policy in (None, after.policy(), after.policy([OLD])):
        found = checked(place, policy=policy)
        assert (found.code, "epoch" in found.notes) == (0, True)
    # A policy with nothing but the new name's key cannot answer for what came before.
    found = checked(place, policy=after.policy([key(SECOND)]))
    assert (found.code, found.codes) == (2, {"epoch-unsigned"})


def test_what_was_lost_is_missing_and_what_was_not_must_be_there(tmp_path: Path) -> None:
    before, after = lost_book()
    place = after.write(tmp_path / "bundle")
    kept = [size for size in before.notes if size in after.notes and size <= 60]
    lost = [size for size in before.notes if size not in kept]
    assert checked(place, older=[before.notes[size] for size in kept]).code == 0
    for size in lost:
        found = checked(place, older=[before.notes[size]])
        assert (found.code, found.codes) == (2, {"older-lost"}), size
    size = len(before.entries)
    found = checked(place, receipts=[before.receipt(size - 1)])
    assert (found.code, found.codes) == (2, {"receipt-lost"})
    assert checked(place, receipts=[before.receipt(0)]).code == 0
    # What is of after the new beginning was not lost: it is owed.
    later = after.receipt(len(after.entries) - 1).replace('"leaf":"', '"leaf":"0000')
    later = later[: later.index("0000") + 64] + later[later.index('","n"') :]
    found = checked(place, receipts=[later])
    assert (found.code, found.codes) == (1, {"receipt-wrong"})


def test_what_was_signed_after_what_is_declared_lost_was_not_declared(tmp_path: Path) -> None:
    before, after = lost_book()
    place = after.write(tmp_path / "bundle")
    play(before, 10)  # the house went on signing the old book, and says nothing of it
    note = before.notes[max(before.notes)]
    found = checked(place, older=[note])
    assert found.code == 1
    assert found.codes <= {"older-differs"}


@pytest.mark.parametrize(
    ("wrong", "codes"),
    [
        ({"approver": None}, {"origin-changed"}),
        ({"approver": "S-0001"}, {"origin-changed", "same-person"}),
        ({"origin": "livro.example/sala-3"}, {"origin-changed"}),
        ({"lost_origin": "livro.example/outra"}, {"origin-changed"}),
        ({"lost_size": 3}, {"origin-changed"}),
        ({"lost_size": "3"}, {"origin-changed", "house-form"}),
    ],
)
def test_a_book_changes_its_name_in_no_other_way(
    wrong: dict[str, Any], codes: set[str], tmp_path: Path
) -> None:
    _, after = lost_book(**wrong)
    found = checked(after.write(tmp_path / "bundle"))
    assert (found.code, found.codes) == (1, codes)
