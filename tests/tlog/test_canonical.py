"""Canonical bytes: the same as another writer's, and nothing that two writers could differ on."""

import json
import pickle
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from casino.tlog.canonical import ENVELOPE_NULLS, MAX_WHOLE, NotCanonical, canonical, instant_text

NAMES = st.text("abcdefghijklmnopqrstuvwxyz0123456789_", min_size=1, max_size=12)
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=30)
WHOLE = st.integers(-MAX_WHOLE, MAX_WHOLE)
VALUES = st.recursive(
    st.booleans() | WHOLE | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=20,
)


def composed(value: Any) -> bool:
    """Whether every text in a value is in composed form, asked another way than the code asks."""
    from unicodedata import normalize

    if isinstance(value, str):
        return normalize("NFC", value) == value
    if isinstance(value, dict):
        return all(composed(each) for each in value.values())
    return all(composed(each) for each in value) if isinstance(value, list) else True


@given(VALUES)
def test_another_writer_gives_the_same_bytes(value: Any) -> None:
    if not composed(value):
        with pytest.raises(NotCanonical):
            canonical(value)
        return
    assert canonical(value) == rfc8785.dumps(value)


@given(VALUES)
def test_reading_and_writing_again_changes_nothing(value: Any) -> None:
    if composed(value):
        data = canonical(value)
        assert json.loads(data) == value
        assert canonical(json.loads(data)) == data


def test_bytes_as_they_must_be() -> None:
    value = {"b": [1, -2, True], "a": 'é"\\/\n\x1f\x7f\u2028€😀', "_0": {}, "c": []}
    assert canonical(value) == (
        '{"_0":{},"a":"é\\"\\\\/\\n\\u001f\x7f\u2028€😀","b":[1,-2,true],"c":[]}'.encode()
    )


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"a": 1.0}, "$.a"),
        ({"a": [1, 2.5]}, "$.a[1]"),
        (MAX_WHOLE + 1, "$"),
        ({"a": {"b": -MAX_WHOLE - 1}}, "$.a.b"),
        ({"a": None}, "$.a"),
        (None, "$"),
        ({"a": (1, 2)}, "$.a"),
        ({"a": datetime(2026, 11, 20, tzinfo=UTC)}, "$.a"),
        ({"a": b"x"}, "$.a"),
        ({"a": {1, 2}}, "$.a"),
        ({"A": 1}, "$"),
        ({"a-b": 1}, "$"),
        ({"": 1}, "$"),
        ({"é": 1}, "$"),
        ({"a\n": 1}, "$"),
        ({1: 1}, "$"),
        ({"a": {"B": 1}}, "$.a"),
        ({"a": "x\0"}, "$.a"),
        ({"a": "é\0"}, "$.a"),
        ({"a": "\ud800"}, "$.a"),
        ({"a": "\udc00x"}, "$.a"),
        ({"a": ["e\u0301"]}, "$.a[0]"),
        ({"a": "\u1100\u1161"}, "$.a"),
    ],
)
def test_what_two_writers_could_differ_on_has_no_bytes(value: Any, path: str) -> None:
    with pytest.raises(NotCanonical) as refused:
        canonical(value)
    assert refused.value.path == path


def test_texts_that_only_look_like_texts_are_refused() -> None:
    class Loud(str):
        pass

    class Large(int):
        pass

    for value in (Loud("x"), Large(1)):
        with pytest.raises(NotCanonical):
            canonical({"a": value})


def test_depth_has_an_end() -> None:
    deep: Any = 1
    for _ in range(32):
        deep = [deep]
    assert canonical(deep) == rfc8785.dumps(deep)
    with pytest.raises(NotCanonical):
        canonical([deep])
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(NotCanonical):
        canonical(deep)


def test_null_stands_only_where_it_is_asked_for() -> None:
    envelope = {"cp": None, "n": 1, "prev": None, "supersedes": None, "v": 1}
    assert canonical(envelope, nulls=ENVELOPE_NULLS) == rfc8785.dumps(envelope)
    with pytest.raises(NotCanonical):
        canonical(envelope)
    with pytest.raises(NotCanonical):
        canonical(envelope | {"at": None}, nulls=ENVELOPE_NULLS)
    with pytest.raises(NotCanonical):
        canonical({"payload": {"prev": None}}, nulls=ENVELOPE_NULLS)
    with pytest.raises(NotCanonical):
        canonical([None], nulls=ENVELOPE_NULLS)
    with pytest.raises(NotCanonical) as refused:
        canonical({"A": 1}, nulls=ENVELOPE_NULLS)
    assert refused.value.path == "$"


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 11, 20, 19, 47, tzinfo=UTC), "2026-11-20T19:47:00.000000Z"),
        (datetime(2026, 11, 20, 19, 47, 1, 5, tzinfo=UTC), "2026-11-20T19:47:01.000005Z"),
        (
            datetime(2026, 7, 1, 0, 30, tzinfo=timezone(timedelta(hours=1))),
            "2026-06-30T23:30:00.000000Z",
        ),
        (datetime(1, 1, 1, tzinfo=UTC), "0001-01-01T00:00:00.000000Z"),
    ],
)
def test_a_moment_is_one_text(moment: datetime, text: str) -> None:
    assert instant_text(moment) == text


def test_a_moment_without_offset_is_refused() -> None:
    with pytest.raises(NotCanonical):
        instant_text(datetime(2026, 11, 20))  # noqa: DTZ001


def test_a_refusal_crosses_to_another_process() -> None:
    error = NotCanonical("$.a", "a text with a NUL")
    again = pickle.loads(pickle.dumps(error))
    assert (again.path, again.why, str(again)) == (error.path, error.why, str(error))
