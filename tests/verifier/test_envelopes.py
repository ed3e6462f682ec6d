"""What an entry must be, byte by byte: lawful, unlawful, at the boundary."""

import json
from typing import Any

import pytest

from tests.verifier.followed import followed
from tests.verifier.maker import Book

pytestmark = pytest.mark.usefixtures("reader")

NFD = "e\u0301"


def one(payload: Any = None, **envelope: Any) -> Book:
    book = Book()
    book.add("card-burned/1", payload or {"cards": 1}, **envelope)
    return book


def written(entry: bytes) -> list[tuple[str, int]]:
    """What is reported of one entry with these bytes, between two sound ones of another table."""
    book = Book()
    book.add("card-burned/1", {"cards": 1}, stream="table/BJ-01")
    book.append(entry, "table/BJ-06", 1)
    book.add("card-burned/1", {"cards": 1}, stream="table/BJ-01")
    return followed(book)


def entry_with(payload: bytes) -> bytes:
    """An entry whose payload is written like this."""
    return one().entries[0].replace(b'{"cards":1}', payload)


WRONG = [("entry-form", 1)]


@pytest.mark.parametrize(
    "payload",
    [
        '{"a":0,"b":-1,"c":9007199254740991,"d":-9007199254740991}',
        '{"a":"é","b":"\\u0000x"}'.replace("\\u0000", "\\u0001"),
        '{"a":{"b":[{"c":[]}]}}',
        '{"a":"1.5","b":"null","c":"{\\"x y\\":1}","d":",1.5"}',
        '{"_":true,"a":[true,false],"b_9":""}',
        '{"at":"2026-11-20T19:52:11.031377Z"}',
        "{}",
    ],
)
def test_a_payload_as_it_must_be(payload: str) -> None:
    assert written(entry_with(payload.encode())) == []


@pytest.mark.parametrize(
    "payload",
    [
        b'{"a": 1}',
        b'{"a":1 }',
        b'{"b":1,"a":1}',
        b'{"a":1,"a":1}',
        b'{"a":1.0}',
        b'{"a":1e3}',
        b'{"a":1E3}',
        b'{"a":-0}',
        b'{"a":01}',
        b'{"a":+1}',
        b'{"a":0.5}',
        b'{"a":[1.5]}',
        b'{"a":[1,2.5]}',
        b'{"a":9007199254740992}',
        b'{"a":-9007199254740992}',
        b'{"a":18446744073709551616}',
        b'{"a":[99999999999999999999999999]}',
        b'{"a":null}',
        b'{"a":[null]}',
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"A":1}',
        b'{"a b":1}',
        b'{"":1}',
        b'{"a-b":1}',
        b'{"a":{"B":1}}',
        b'{"a":[{"\xc3\xa9":1}]}',
        b'{"a\\u0062":1}',
        b'{"a":"\\u0062"}',
        b'{"a":"\\/"}',
        b'{"a":"\\u00E9"}',
        b'{"a":"\\u000A"}',
        b'{"a":"\\u000a"}',
        b'{"a":"\\u0000"}',
        b'{"a":"\\ud800"}',
        b'{"a":"\xed\xa0\x80"}',
        b'{"a":"\xff"}',
        b'{"a":"\xc0\xaf"}',
        f'{{"a":"{NFD}"}}'.encode(),
        b'{"a":"\n"}',
        b'{"a":"\x01"}',
        b'{"a":1,}',
        b'{"a":1}}',
        b'{{"a":1}',
        b'{"a":1},"b":{}',
        b'{"a":[1}',
        b"{'a':1}",
        b'{"a":tru}',
        b"{a:1}",
        b'{"a":1}\x00',
        b'{"a":' + b"[" * 32 + b"]" * 32 + b"}",
        b'{"a":' * 33 + b"1" + b"}" * 33,
        b'{"a":' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"a":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
        b'{"a":"\\"b":1}',
        b'{"a\\"b":1}',
    ],
)
def test_a_payload_as_it_must_not_be(payload: bytes) -> None:
    assert written(entry_with(payload)) == WRONG


def test_nothing_reaches_from_one_entry_into_the_next() -> None:
    """Three texts that, put side by side, would make three entries in another way."""
    book = Book()
    book.add("card-burned/1", {"cards": 1}, stream="table/BJ-01")
    pieces = [b'{"a":[{}', b"{}]}", b"{},0,{}"]
    for n, piece in enumerate(pieces, 1):
        entry = entry_with(piece).replace(b"BJ-06", b"BJ-1%d" % n)
        book.append(entry, f"table/BJ-1{n}", 1)
    assert set(followed(book)) == {("entry-form", n) for n in (1, 2, 3)}


ENVELOPE = one().entries[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'{"at"', b' {"at"'),
        (b'"}}', b'"}} '),
        (b'"v":1', b'"v":2'),
        (b'"v":1', b'"v":true'),
        (b'"v":1,', b""),
        (b'"day":"2026-11-20",', b""),
        (b'"cp":null,', b'"cp":null,"cq":1,'),
        (b'"cp":null', b'"cp":{}'),
        (b'"cp":null', b'"cp":{"root":"00","size":1}'),
        (b'"cp":null', b'"cp":0'),
        (b'"day":"2026-11-20"', b'"day":"2026-02-30"'),
        (b'"day":"2026-11-20"', b'"day":"2026-W47-5"'),
        (b'"day":"2026-11-20"', b'"day":"card-/1111"'),
        (b'"day":"2026-11-20"', b'"day":null'),
        (b"T19:00:01.", b"T24:00:01."),
        (b"T19:00:01.", b"T19:60:01."),
        (b"T19:00:01.", b"T19:00:60."),
        (b"T19:00:01.", b" 19:00:01."),
        (b".000000Z", b".000000z"),
        (b".000000Z", b".00000Z"),
        (b"2026-11-20T19", b"2026-13-20T19"),
        (b'"at":"2026', b'"at":"0026'),
        (b'"n":1,', b'"n":0,'),
        (b'"n":1,', b'"n":01,'),
        (b'"n":1,', b'"n":"1",'),
        (b'"n":1,', b'"n":1.0,'),
        (b'"kind":"card-burned/1"', b'"kind":"card-burned"'),
        (b'"kind":"card-burned/1"', b'"kind":"2026-11-20"'),
        (b'"kind":"card-burned/1"', b'"kind":"Card/1"'),
        (b'"kind":"card-burned/1"', b'"kind":"card-burned/0"'),
        (b'"prev":null', b'"prev":""'),
        (b'"stream":"table/BJ-06"', b'"stream":"Table/BJ-06"'),
        (b'"stream":"table/BJ-06"', b'"stream":"table/"'),
        (b'"stream":"table/BJ-06"', b'"stream":"table/\xc3\xa9"'),
        (b'"stream":"table/BJ-06"', b'"stream":""'),
        (b'"supersedes":null', b'"supersedes":{}'),
        (b'"supersedes":null', b'"supersedes":0'),
        (b'"staff":"S-0187"', b'"staff":""'),
        (b'"staff":"S-0187"', b'"staff":"S 0187"'),
        (b'"staff":"S-0187"', b'"staff":"S-0187","table":"x"'),
        (b'"door":"sala",', b""),
        (b'"payload":{"cards":1}', b'"payload":[]'),
        (b'"payload":{"cards":1}', b'"payload":null'),
    ],
)
def test_an_envelope_as_it_must_not_be(before: bytes, after: bytes) -> None:
    assert ENVELOPE.count(before) >= 1
    assert written(ENVELOPE.replace(before, after, 1)) == WRONG


@pytest.mark.parametrize(
    "change", [str.upper, lambda key: key.replace("-", "_"), lambda key: key[:-1] + "g"]
)
def test_a_senders_key_is_written_in_one_way(change: Any) -> None:
    key = json.loads(ENVELOPE)["key"]
    assert written(ENVELOPE.replace(key.encode(), change(key).encode())) == WRONG


@pytest.mark.parametrize(
    "junk",
    [b"", b"{}", b"[]", b"\x00" * 50, b'{"at":"', b"\xff\xfe", ENVELOPE[:-1], ENVELOPE + b"}"],
)
def test_what_is_no_entry_at_all(junk: bytes) -> None:
    assert written(junk) == WRONG


def test_an_entry_has_at_most_sixty_kibibytes() -> None:
    room = 60 * 1024 - len(entry_with(b'{"text":""}'))
    assert written(entry_with(b'{"text":"%b"}' % (b"x" * room))) == []
    assert written(entry_with(b'{"text":"%b"}' % (b"x" * (room + 1)))) == WRONG
