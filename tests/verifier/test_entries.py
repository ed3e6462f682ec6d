"""How an entry follows the ones before it, and what it says of them."""

import json
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from audit.verify import __main__ as plain
from tests.verifier.checked import checked
from tests.verifier.followed import followed
from tests.verifier.maker import BEGINNING, WATCH, Book, canonical, ids_of, instant

pytestmark = pytest.mark.usefixtures("reader")


def one(payload: Any = None, **envelope: Any) -> Book:
    book = Book()
    book.add("card-burned/1", payload or {"cards": 1}, **envelope)
    return book


# Streams.


def two(**second: Any) -> Book:
    book = one()
    book.add("card-burned/1", {"cards": 2}, **second)
    return book


def test_numbers_and_chain_go_on_without_a_gap() -> None:
    assert followed(two()) == []
    assert followed(two(n=3)) == [("stream-number", 1)]
    assert followed(two(n=1)) == [("stream-number", 1)]
    assert followed(two(prev="0" * 64)) == [("stream-prev", 1)]
    assert followed(two(prev=None)) == [("stream-prev", 1)]
    assert followed(one(n=2)) == [("stream-number", 0)]
    assert followed(one(prev="0" * 64)) == [("stream-prev", 0)]


def test_after_a_break_what_follows_is_followed_again() -> None:
    book = two(n=7)
    book.add("card-burned/1", {"cards": 1})
    book.add("card-burned/1", {"cards": 1})
    assert followed(book) == [("stream-number", 1)]


def test_an_entry_that_cannot_be_read_breaks_nothing_else_if_it_says_where_it_stands() -> None:
    book = one()
    body = json.loads(book.entries[0]) | {"n": 2, "prev": book.heads["table/BJ-06"][1]}
    book.append(canonical(body).replace(b'"cards":1', b'"cards":1.5'), "table/BJ-06", 2)
    book.add("card-burned/1", {"cards": 1})
    assert followed(book) == [("entry-form", 1)]


def test_a_tables_stream_tells_of_that_table() -> None:
    assert followed(one({"table": "BJ-06"})) == []
    assert followed(one({"table": "BJ-07"})) == [("stream-table", 0)]
    assert followed(one({"table": "BJ-07"}, stream="house")) == []
    assert followed(one({"table": "BJ-07"}, stream="reconciler")) == []


# Checkpoints that entries name, and time.


def sealed(**second: Any) -> Book:
    """An entry, a checkpoint over it, an entry that names it or whatever else is asked."""
    book = one()
    book.sign()
    book.add("card-burned/1", {"cards": 2}, **second)
    return book


def test_a_checkpoint_that_is_named_is_one_that_was_there() -> None:
    root = sealed().tree
    assert followed(sealed()) == []
    assert followed(sealed(cp=None)) == []
    assert root.size == 2
    named = json.loads(sealed().entries[1])["cp"]
    assert followed(sealed(cp=named | {"root": "0" * 64})) == [("cp-unknown", 1)]
    assert followed(sealed(cp=named | {"size": 2})) == [("cp-ahead", 1)]
    book = one()
    for n in range(3):
        book.add("card-burned/1", {"cards": n})
    book.sign()
    book.add("card-burned/1", {"cards": 9}, cp=named)
    assert followed(book) == [("cp-unknown", 4)], "of a size at which none was signed"


def test_a_stream_never_names_an_older_checkpoint_again() -> None:
    book = sealed()
    first = json.loads(book.entries[1])["cp"]
    book.sign()
    book.add("card-burned/1", {"cards": 3})
    book.add("card-burned/1", {"cards": 4}, cp=first)
    book.add("card-burned/1", {"cards": 5}, stream="table/BJ-07", cp=first)
    assert followed(book) == [("cp-fell", 3)]
    book.add("card-burned/1", {"cards": 6}, cp=None)
    assert followed(book)[1:] == [("cp-fell", 5)]


@pytest.mark.parametrize(
    ("seconds", "recorded"), [(-119, []), (-120, []), (-121, [("time-before-checkpoint", 1)])]
)
def test_an_entry_is_not_older_than_what_its_checkpoint_covers(
    seconds: int, recorded: list[Any]
) -> None:
    at = instant(BEGINNING + timedelta(seconds=1 + seconds))
    assert followed(sealed(stream="table/BJ-07", at=at)) == recorded


@pytest.mark.parametrize(
    ("seconds", "recorded"),
    [
        (0, []),
        (-1, []),
        (-2, [("time-step", 1)]),
        (-120, [("time-step", 1)]),
        (-121, [("time-fell", 1)]),
    ],
)
def test_time_in_a_stream_falls_by_a_second_at_most(seconds: int, recorded: list[Any]) -> None:
    at = instant(BEGINNING + timedelta(seconds=1 + seconds))
    assert followed(two(at=at), notes=True) == recorded


# Corrections, witnesses, erasures.


def corrected(**second: Any) -> tuple[Book, dict[str, Any], dict[str, Any]]:
    book = Book()
    act = book.add("card-burned/1", {"cards": 1})
    fixed = book.add("card-burned/1", {"cards": 2}, **({"supersedes": act} | second))
    return book, act, fixed


def decide(
    book: Book, pending: Any, original: Any, decision: Any = "approved", staff: str = "S-0300"
) -> None:
    values = {"pending": pending, "original": original, "decision": decision, "reason": "seen"}
    book.add("corrected/1", values, staff=staff)


def test_a_correction_is_decided_by_another_person() -> None:
    for decision in ("approved", "refused"):
        book, act, fixed = corrected()
        decide(book, fixed, act, decision=decision)
        assert followed(book) == []
    book, act, fixed = corrected()
    decide(book, fixed, act, staff="S-0187")
    assert followed(book) == [("same-person", 2)]


def test_what_is_corrected_is_an_entry_of_the_same_kind_and_stream() -> None:
    book, act, _ = corrected()
    wrong = [act | {"leaf": "0" * 64}, act | {"n": 2}, act | {"n": 9}, act | {"stream": "house"}]
    for named in wrong:
        assert followed(corrected(supersedes=named)[0]) == [("reference-wrong", 1)], named
    book = Book()
    act = book.add("cards-shuffled/1", {"shoe": 1})
    book.add("card-burned/1", {"cards": 2}, supersedes=act)
    assert followed(book) == [("correction-form", 1)]
    without = corrected()[0]
    body = json.loads(without.entries.pop())
    del body["payload"]["correction_reason"]
    without.append(canonical(body), "table/BJ-06", 2)
    assert followed(without) == [("correction-form", 1)]


def test_one_correction_at_a_time() -> None:
    book, act, fixed = corrected()
    book.add("card-burned/1", {"cards": 3}, supersedes=act)
    assert followed(book) == [("correction-second", 2)], "while the first waits"
    book, act, fixed = corrected()
    decide(book, fixed, act)
    book.add("card-burned/1", {"cards": 3}, supersedes=act)
    assert followed(book) == [("correction-second", 3)], "after the first was approved"
    book, act, fixed = corrected()
    decide(book, fixed, act, decision="refused")
    again = book.add("card-burned/1", {"cards": 3}, supersedes=act)
    decide(book, again, act)
    assert followed(book) == [], "after it was refused"


def test_a_correction_is_corrected_once_it_holds() -> None:
    book, act, fixed = corrected()
    decide(book, fixed, act)
    book.add("card-burned/1", {"cards": 3}, supersedes=fixed)
    assert followed(book) == []
    book, act, fixed = corrected()
    book.add("card-burned/1", {"cards": 3}, supersedes=fixed)
    assert followed(book) == [("correction-undecided", 2)]
    book, act, fixed = corrected()
    decide(book, fixed, act, decision="refused")
    book.add("card-burned/1", {"cards": 3}, supersedes=fixed)
    assert followed(book) == [("correction-undecided", 3)]


def test_a_decision_is_on_a_correction_that_waits() -> None:
    for values in ({"decision": "perhaps"}, {"original": 7}, {"original": {}}, {"decision": True}):
        book, act, fixed = corrected()
        decide(book, fixed, **({"original": act} | values))
        assert followed(book) == [("decision-wrong", 2)], values
    book, act, fixed = corrected()
    decide(book, fixed, act)
    decide(book, fixed, act)
    assert followed(book) == [("decision-wrong", 3)], "twice"
    book, act, fixed = corrected()
    decide(book, act, act)
    assert followed(book) == [("decision-wrong", 2)], "on what is no correction"
    book, act, fixed = corrected()
    decide(book, fixed | {"leaf": act["leaf"]}, act)
    assert followed(book) == [("reference-wrong", 2)]


ZERO = {"leaf": "0" * 64, "n": 1, "stream": "table/BJ-06"}


@pytest.mark.parametrize(
    "named", [None, 7, [], {}, ZERO, ZERO | {"leaf": 1}, ZERO | {"n": True}, ZERO | {"n": -1}]
)
@pytest.mark.parametrize(
    "kind", ["corrected/1", "witnessed/1", "erased/1", "epoch-approved/1", "house-act-decided/1"]
)
def test_a_reference_is_a_reference(kind: str, named: Any) -> None:
    names = {"corrected/1": "pending", "witnessed/1": "witnessed", "erased/1": "entry"}
    names["house-act-decided/1"] = "act"
    payload = {} if named is None else {names.get(kind, "begun"): named}
    book = one()
    book.add(kind, payload)
    assert followed(book) == [("reference-wrong", 1)]


def witnessed(staff: str = "S-0200", by: str = "S-0200", kind: str = "shuffler-loaded/1") -> Book:
    book = Book()
    act = book.add("shuffler-loaded/1", {"packets": 3})
    book.add("witnessed/1", {"witnessed": act, "act": kind, "staff": staff}, staff=by)
    return book


def test_a_witness_is_another_person_and_names_the_act() -> None:
    assert followed(witnessed()) == []
    assert followed(witnessed("S-0187", "S-0187")) == [("same-person", 1)]
    assert followed(witnessed(kind="card-burned/1")) == [("witness-wrong", 1)]
    assert followed(witnessed("S-0201")) == [("witness-wrong", 1)]


def test_what_is_erased_was_private() -> None:
    for field in ("text", "cards", "x", 7):
        listed = [] if field == "text" else [("erasure-wrong", 1)]
        book = Book()
        entry = book.add("card-burned/1", {"cards": 1}, private={"text": "x"})
        book.add("erased/1", {"entry": entry, "field": field, "legal_basis": "request"})
        assert followed(book) == listed


def test_names_that_are_kept_have_an_end() -> None:
    for length, listed in ((300, []), (301, [("erasure-wrong", 1)])):
        book, field = Book(), "x" * length
        entry = book.add("card-burned/1", {"cards": 1}, private={field: "x"})
        book.add("erased/1", {"entry": entry, "field": field, "legal_basis": "request"})
        assert followed(book) == listed
    for name in ("origin", "lost_origin", "lost_root"):
        for length, listed in ((300, []), (301, [("house-form", 0)])):
            book, how = Book(), {"origin": "a", "lost_origin": "b", "lost_root": "0"}
            how |= {name: "x" * length, "reason": "x"}
            book.add("epoch-begun/1", how | {"lost_size": 1}, stream="house", staff="S-0001")
            assert followed(book) == listed


def test_an_epoch_is_approved_by_another_person_and_begun_as_it_must_be() -> None:
    values = {"origin": "a", "lost_origin": "b", "lost_size": 1, "lost_root": "00", "reason": "x"}
    book = Book()
    begun = book.add("epoch-begun/1", values, stream="house", staff="S-0001")
    book.add("epoch-approved/1", {"begun": begun}, stream="house", staff="S-0002")
    assert followed(book) == []
    book = Book()
    act = book.add("card-burned/1", {}, stream="house")
    book.add("epoch-approved/1", {"begun": act}, stream="house", staff="S-0002")
    assert followed(book) == [("house-form", 1)]
    book = Book()
    book.add("epoch-begun/1", values, stream="table/BJ-06")
    assert followed(book) == [("house-form", 0)]


def withdrawn(**values: Any) -> tuple[Book, dict[str, Any], dict[str, Any]]:
    """An act and the withdrawal that was asked of it."""
    book = Book()
    act = book.add("card-burned/1", {"cards": 1})
    fields = {"entry": act, "act": "card-burned/1", "reason": "tapped_by_mistake"} | values
    asked = book.add("withdrawal-asked/1", fields, staff="S-0190")
    return book, act, asked


def test_a_withdrawal_is_decided_by_another_person_than_asked_and_than_wrote() -> None:
    for decision in ("approved", "refused"):
        book, act, asked = withdrawn()
        decide(book, asked, act, decision=decision)
        assert followed(book) == []
    for staff in ("S-0190", "s-0190", "S-0187"):  # who asked, and who wrote the act
        book, act, asked = withdrawn()
        decide(book, asked, act, staff=staff)
        assert followed(book) == [("same-person", 2)], staff


def test_a_withdrawal_is_of_an_entry_there_is_of_the_kind_it_says() -> None:
    wrong: list[Any] = [7, {}, {"leaf": "0" * 64, "n": 1, "stream": "table/BJ-06"}]
    for named in wrong:
        assert followed(withdrawn(entry=named)[0]) == [("reference-wrong", 1)], named
    assert followed(withdrawn(act="cut-made/1")[0]) == [("correction-form", 1)]
    assert followed(withdrawn(reason=7)[0]) == [("correction-form", 1)]


def test_what_is_withdrawn_is_neither_corrected_nor_withdrawn_again() -> None:
    book, act, asked = withdrawn()
    book.add("card-burned/1", {"cards": 3}, supersedes=act)
    assert followed(book) == [("correction-second", 2)], "while it waits"
    book, act, asked = withdrawn()
    decide(book, asked, act)
    again = {"entry": act, "act": "card-burned/1", "reason": "told_twice"}
    book.add("withdrawal-asked/1", again)
    assert followed(book) == [("correction-second", 3)], "after it was approved"
    book, act, asked = withdrawn()
    decide(book, asked, act, decision="refused")
    decide(book, book.add("withdrawal-asked/1", again | {"entry": act}), act)
    assert followed(book) == [], "after it was refused"
    book, act, asked = withdrawn()
    decide(book, asked, asked)
    assert followed(book) == [("decision-wrong", 2)], "on another entry than was asked for"


# What a finding rests on.


@pytest.mark.parametrize(
    ("wrong", "code"),
    [({}, None), ({"leaf": "ab" * 32}, "evidence-wrong"), ({"n": 9}, None)],
)
@pytest.mark.parametrize("kind", ["finding-raised/2", "finding-superseded/2"])
def test_what_a_finding_rests_on_is_what_it_names(
    wrong: dict[str, Any], code: str | None, kind: str
) -> None:
    book = Book()
    act = book.add("round-played/1", {"number": 1}, stream="table/BJ-06")
    named = act | wrong
    values = {"evidence": [named]} if kind == "finding-raised/2" else {"by": named}
    book.add(kind, values, stream="reconciler")
    assert followed(book) == ([(code, 1)] if code else [])


def test_evidence_that_is_nowhere_is_found_in_a_whole_book_and_not_shown_in_a_part(
    tmp_path: Path,
) -> None:
    book = Book()
    act = book.add("round-played/1", {"number": 1}, stream="table/BJ-06")
    book.add("finding-raised/2", {"evidence": [act]}, stream="reconciler")
    book.add("finding-raised/2", {"evidence": [act | {"n": 9}]}, stream="reconciler")
    book.sign()
    found = checked(book.write(tmp_path / "full"))
    assert (found.code, found.codes, found.indices()) == (1, {"evidence-missing"}, {2})
    part = book.write(tmp_path / "part", {"kind": "range", "from": 1, "to": 3})
    found = checked(part)
    assert (found.code, "evidence-not-shown" in found.notes) == (0, True)


# Which rows there were.


@pytest.mark.parametrize(
    ("recorded", "found"),
    [
        ({"size": 1, "ids": sha256(ids_of(0, 1)).hexdigest()}, False),
        ({"size": 1, "ids": sha256(ids_of(1, 2)).hexdigest()}, True),
        ({"size": 2**53 - 1, "ids": sha256(ids_of(0, 1)).hexdigest()}, True),  # it has no such rows
        ({"size": 1}, False),  # as older programs told it
        ({"size": -1, "ids": "ab" * 32}, False),  # no verification tells so
        ({"size": "1", "ids": "ab" * 32}, False),
        ({"size": 1, "ids": 7}, False),
    ],
)
def test_the_ids_of_rows_are_those_a_verification_told_of(
    recorded: dict[str, Any], found: bool, tmp_path: Path
) -> None:
    book = Book()
    book.add("round-played/1", {"number": 1}, stream="table/BJ-06")
    book.add("book-verified/1", recorded | {"run": WATCH}, stream="house")
    book.add("round-played/1", {"number": 2}, stream="table/BJ-06")
    book.sign()
    place, report = book.write(tmp_path / "bundle"), plain.Report()
    quick = checked(place)
    plain.verify(str(place), report)
    assert (quick.code, report.verdict()) == (int(found), int(found))
    assert quick.codes == ({"ids-differ"} if found else set())
    part = checked(book.write(tmp_path / "part", {"kind": "range", "from": 0, "to": 2}))
    assert part.code == 0, "of a part they are not asked"
