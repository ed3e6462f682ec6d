"""Strict JSON: what two readers could take differently is refused where it stands."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.events import Malformed
from casino.reading.strict_json import MAX_DEPTH, parse
from tests.casino.refused_json import REFUSED


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
