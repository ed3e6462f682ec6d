"""Strict JSON: what two readers could take differently is refused where it stands."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.facts import Malformed
from casino.reading.strict_json import MAX_DEPTH, parse

REFUSED = [
    (b"", "$", "found nothing"),
    (b" \t\r\n", "$", "found nothing"),
    (b"{", "$", "the end"),
    (b'{"a":1}}', "$", "character 8"),
    (b'{"a":1} {"a":1}', "$", "character 9"),
    (b"{'a':1}", "$", "character 2"),
    (b'{"a":1,}', "$", "found no JSON"),
    (b"[1,]", "$", "found no JSON"),
    (b"// no\n{}", "$", "found no JSON"),
    (b"\x00", "$", "NUL at character 1"),
    (b'{"a":"\x00"}', "$", "NUL at character 7"),
    (b'{"a":"b\nc"}', "$", "found no JSON"),
    (b'{"a":"b\x1fc"}', "$", "found no JSON"),
    (b"{}\x0c", "$", "found no JSON"),
    (b'"\\x41"', "$", "found no JSON"),
    (b"\xef\xbb\xbf{}", "$", "found no JSON"),  # a mark before line 1 is the line reader's matter
    (b'{"a":"\xff"}', "$", "not UTF-8, from byte 7"),
    (b'{"a":"\xed\xa0\x80"}', "$", "not UTF-8"),  # half a pair, as bytes
    (b'{"a":"\xc0\xaf"}', "$", "not UTF-8"),  # a slash, longer than need be
    ('{"a":1}'.encode("utf-16"), "$", "not UTF-8"),
    ('{"a":1}'.encode("utf-16-le"), "$", "NUL at character 2"),
    (b'{"a":1,"a":1}', "$.a", 'the field "a" twice'),
    (b'{"b":[0,{"a":1,"\\u0061":2}]}', "$.b[1].a", "twice"),
    (b'{"x y":1,"x y":1}', '$["x y"]', "twice"),
    (b"1.0", "$", "the number 1.0"),
    (b'{"a":[1,2.5]}', "$.a[1]", "the number 2.5"),
    (b'{"a":1e3}', "$.a", "the number 1e3"),
    (b'{"a":1E400}', "$.a", "the number 1E400"),
    (b'{"a":-0.0}', "$.a", "the number -0.0"),
    (b'{"a":NaN}', "$.a", "NaN"),
    (b'{"a":[Infinity]}', "$.a[0]", "Infinity"),
    (b'{"a":-Infinity}', "$.a", "-Infinity"),
    (b'{"a":9007199254740992}', "$.a", "9007199254740992"),
    (b'{"a":-9007199254740992}', "$.a", "-9007199254740992"),
    (b'{"a":' + b"9" * 10_000 + b"}", "$.a", "9" * 40 + "..."),
    (b'{"a":0.' + b"9" * 10_000 + b"}", "$.a", "..."),
    (b'{"a":01}', "$", "found no JSON"),
    (b'{"a":+1}', "$", "found no JSON"),
    (b'{"a":0x1}', "$", "found no JSON"),
    (b'{"a":["\\ud800"]}', "$.a[0]", "half a surrogate pair"),
    (b'{"a":"\\udc00\\ud800"}', "$.a", "half a surrogate pair"),
    (b'{"\\ud83d":1}', "$", "half a surrogate pair"),
    (b'{"a":1.5,"b":1,"b":2}', "$.b", "twice"),  # the object before what it holds
    (b'{"a":1.5,"b":2,"b"', "$", "the end"),
    (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), "$" + "[0]" * MAX_DEPTH, "deeper"),
    (b'{"a":' * 40 + b"1" + b"}" * 40, "$" + ".a" * MAX_DEPTH, "deeper"),
    (b"[" * 100_000 + b"]" * 100_000, "$", "deeper"),
    (b"[" * 100_000, "$", "deeper"),
    (b'{"a":' * 100_000, "$", "deeper"),
    (b"[1.5," + b"[" * 100_000, "$", "deeper"),
]


@pytest.mark.parametrize(
    ("data", "path", "reason"), REFUSED, ids=[str(d[:24]) for d, *_ in REFUSED]
)
def test_what_readers_could_take_differently_is_refused(
    data: bytes, path: str, reason: str
) -> None:
    with pytest.raises(Malformed) as caught:
        parse(data)
    assert caught.value.path == path
    assert reason in caught.value.reason
    assert caught.value.reason.isprintable()


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"{}", {}),
        (b' \t{"a" : [1, -1, true, false, null, "x"]}\r', {"a": [1, -1, True, False, None, "x"]}),
        (b"9007199254740991", 2**53 - 1),
        (b"-9007199254740991", -(2**53) + 1),
        (b'"\\ud83c\\udca1"', "\U0001f0a1"),
        ('"às"'.encode(), "às"),
        (b'"{[{[{[{[{[{[{[{[{[{[{[{[{[{[{[{[{[{["', "{[" * 18),  # brackets in a text are no depth
        (b'{"a":{"a":1},"b":{"a":1}}', {"a": {"a": 1}, "b": {"a": 1}}),
        (b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, None),
    ],
)
def test_plain_json_is_read(data: bytes, value: object) -> None:
    read = parse(data)
    assert value is None or read == value


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(_VALUES, st.booleans())
def test_whatever_is_written_plainly_is_read_back(value: object, ascii_only: bool) -> None:
    assert parse(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary(max_size=60) | st.text('{}[]":,0123456789.eE-+\\untrfals \n', max_size=60))
def test_any_bytes_give_a_value_or_a_refusal(data: bytes | str) -> None:
    raw = data.encode() if isinstance(data, str) else data
    try:
        value = parse(raw)
    except Malformed:
        return
    assert value == json.loads(raw)


def test_a_deep_text_is_refused_where_the_stack_is_nearly_full() -> None:
    def nested(depth: int) -> None:
        if depth:
            return nested(depth - 1)
        with pytest.raises(Malformed):
            parse(b"[" * 5_000 + b"]" * 5_000)
        return None

    nested(sys.getrecursionlimit() // 2)
