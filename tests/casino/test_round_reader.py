"""The reader: sound rounds come out whole, spoilt ones are refused where the fault is."""

import json
import pickle
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.events import Malformed
from casino.events.round.round_played import Hand, Place, RoundPlayed
from casino.reading.refusal import Refused
from casino.reading.round_reader import read_round, round_of
from casino.reading.round_writer import round_as_json
from tests.factories.any_rounds import optional_drops, rounds
from tests.factories.malformed_rounds import DROP, SOUND, SPOILT, Spoilt, changed

pytestmark = pytest.mark.share


def read(value: object) -> RoundPlayed:
    return read_round(json.dumps(value).encode())


def refusal(data: bytes) -> Malformed:
    with pytest.raises(Malformed) as caught:
        read_round(data)
    return caught.value


def outcome_of(reading: Callable[[], RoundPlayed]) -> RoundPlayed | Malformed:
    try:
        return reading()
    except Malformed as error:
        return error


def test_a_sound_round_is_read_whole() -> None:
    played = read(SOUND)
    assert played.gaming_day == date(2026, 11, 20)
    assert played.stream == "table/BJ-06"
    assert played.times is not None
    assert played.times.stakes_closed == datetime(2026, 11, 20, 22, 14, 5, 120000, tzinfo=UTC)
    assert played.times.first_card is None
    assert played.boxes[0].hands[1] == Hand(2, ("8D", "TH"), ("stand",), 1)
    assert played.boxes[0].wagers[0].at_once is False
    assert played.boxes[0].wagers[1].at_once is None
    assert played.misdealt[1].to == Place(3, 1)
    assert played.dealt is not None
    assert played.dealt[2].to == "bank"
    assert played.bank.open == (1,)


def test_the_worked_example_of_the_plan_is_read(shared_data: Callable[[str], Path]) -> None:
    text = shared_data("spec/examples.md").read_text("utf-8")
    record = text.split("```json\n", 1)[1].split("```", 1)[0]
    played = read_round(record.encode())
    assert [len(box.wagers) for box in played.boxes] == [4]


@pytest.mark.parametrize("spoilt", SPOILT, ids=str)
def test_a_spoilt_round_is_refused_at_its_path(spoilt: Spoilt) -> None:
    error = refusal(json.dumps(changed(spoilt.changes)).encode())
    assert error.path == spoilt.path
    assert error.reason.isprintable()
    assert len(error.reason) < 400


@pytest.mark.parametrize("spoilt", SPOILT, ids=str)
def test_a_refusal_names_what_was_found_and_travels_between_processes(spoilt: Spoilt) -> None:
    error = refusal(json.dumps(changed(spoilt.changes)).encode())
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == f"{error.path}: {error.reason}"
    refused, value = pickle.loads(pickle.dumps((Refused.of(7, error), error.reason)))
    assert refused == Refused(7, error.path, error.reason)
    assert (value.template, value.values) == (error.reason.template, error.reason.values)
    assert value.template.format(**value.values) == value


@pytest.mark.parametrize("value", [None, [], "round/1", 1, True, [SOUND]])
def test_what_is_no_object_is_no_round(value: object) -> None:
    assert refusal(json.dumps(value).encode()).path == "$"


def lawless(changes: dict[str, Any]) -> RoundPlayed:
    return read(changed({"dealt": DROP, "misdealt": [], "warning_card_at": DROP, **changes}))


@pytest.mark.parametrize(
    "changes",
    [
        {"boxes.1.hands.0.cards": ["7S"] * 7, "boxes.1.hands.0.actions": ["hit"] * 5},
        {"boxes.1.hands.0.cards": ["KS", "AS", "5H"]},
        {
            "boxes.1.hands.0.cards": ["2S", "2H", "2C", "5D"],
            "boxes.1.hands.0.actions": ["hit", "double"],
        },
        {
            "boxes.1.hands.0.cards": ["2S", "2H", "2C"],
            "boxes.1.hands.0.actions": ["surrender", "stand", "hit", "stand"],
        },
        {"boxes.1.hands": []},
        {"boxes.1.wagers": []},
        {"boxes.1.box": 99},
        {"boxes.1.hands.0.cards": ["2S"] * 24, "boxes.1.hands.0.actions": ["hit"] * 22},
        {"boxes.0.wagers.0.stake_cents": 1, "boxes.0.wagers.0.returned_cents": 10**12},
        {"boxes.0.hands.1.cards": ["KD", "TH"]},
        {"boxes": [SOUND["boxes"][1], SOUND["boxes"][0]]},
        {"bank.cards": [], "bank.open": []},
        {"bank.open": []},
        {"bank.open": [1, 3]},
        {"bank.open": [1, 2]},
        {"boxes.0.hands.1.cards": ["8D"], "dealt": DROP},
        {"bank.cards": ["X?", "7?"]},
        {"limits": {"minimum_cents": 1, "maximum_cents": 10**12}},
        {"misdealt": [{"card": "9C", "at": "bank", "fate": "bank"}], "bank.open": [1, 2]},
        {"misdealt": [{"card": "9C", "at": "shoe", "fate": "discard"}]},
        {
            "misdealt": [{"card": "TH", "at": "shoe", "fate": "hand", "to": {"box": 1, "hand": 2}}],
            "boxes.0.hands.1.cards": ["8D", "3C", "TH"],
        },
        {"voided": {"why": "incident"}, "boxes.0.hands.1.cards": ["8D"]},
        {"voided": {"why": "separator"}, "boxes.0.hands.1": DROP},
        {"times": {}},
        {"times": {"paid": "2026-11-20T22:14:05.1-03:30", "first_card": "1999-01-01T00:00:00Z"}},
        {"seats_occupied": []},
        {"warning_card_at": 0},
        {"put_back": 5},
        {"paper": {"sheet": "12", "written_by": "S-0021", "why": "no_power"}},
    ],
)
def test_whatever_hands_can_do_is_read_and_written_back(changes: dict[str, Any]) -> None:
    played = lawless(changes)
    assert read_round(round_as_json(played).encode()) == played


def test_moments_are_told_in_utc() -> None:
    times = lawless({"times": {"paid": "2026-11-20T22:14:05.1-03:30"}}).times
    assert times is not None
    assert times.paid == datetime(2026, 11, 21, 1, 44, 5, 100000, tzinfo=UTC)
    assert times.paid.tzinfo is UTC


def test_the_record_is_written_sorted_compact_and_without_what_is_unknown() -> None:
    only = {"schema", "round", "table", "partida", "boxes", "bank", "misdealt"}
    bare = {name: value for name, value in SOUND.items() if name in only} | {"misdealt": []}
    text = round_as_json(read(bare))
    assert set(json.loads(text)) == only
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
    assert "null" not in text


def test_a_value_that_came_typed_is_read_as_strictly() -> None:
    for wrong in ({"shoe": 3.0}, {"seats_occupied": (1, 5)}, {1: 2}, {"boxes.0.box": 1.0}):
        with pytest.raises(Malformed):
            round_of({**SOUND, **wrong} if "boxes.0.box" not in wrong else changed(wrong))


@given(rounds())
def test_every_round_reads_back_as_it_was_written(played: RoundPlayed) -> None:
    text = round_as_json(played)
    again = read_round(text.encode())
    assert again == played
    assert round_as_json(again) == text


@given(rounds())
def test_a_round_without_one_optional_field_is_a_round(played: RoundPlayed) -> None:
    for less in optional_drops(played):
        assert less != played
        assert read_round(round_as_json(less).encode()) == less


_JUNK = st.one_of(
    st.binary(min_size=1, max_size=4),
    st.sampled_from(
        [
            *(b"null", b"true", b"-1", b"1.5", b"1e9", b"NaN", b'"\\ud800"', b"{}", b"[]", b'""'),
            *(b"9" * 30, b"\0", b"\\u0000", b'"a":1,"a":1', b"[" * 100, b"\xef\xbb\xbf", b"}"),
        ]
    ),
)


@given(st.data())
def test_spoilt_bytes_give_a_round_or_a_refusal_and_nothing_else(data: st.DataObject) -> None:
    written = bytearray(json.dumps(SOUND).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(written)))
        end = min(len(written), start + data.draw(st.sampled_from([0, 1, 2, 5, 40])))
        written[start:end] = data.draw(_JUNK)
    outcome = outcome_of(lambda: read_round(bytes(written)))
    if isinstance(outcome, RoundPlayed):
        assert read_round(round_as_json(outcome).encode()) == outcome
    else:
        assert outcome.reason.isprintable()
        assert outcome.path.isprintable()


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)


@given(st.data(), _VALUES)
def test_any_value_in_any_place_gives_a_round_or_a_refusal(data: st.DataObject, new: Any) -> None:
    value = changed({})
    here: Any = value
    while True:
        keys = sorted(here) if isinstance(here, dict) else range(len(here))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(here[key], dict | list) or not here[key] or data.draw(st.booleans()):
            here[key] = new
            break
        here = here[key]
    outcome = outcome_of(lambda: round_of(value))
    if isinstance(outcome, RoundPlayed):
        assert read_round(round_as_json(outcome).encode()) == outcome
    else:
        assert outcome.path.startswith("$")
        assert outcome.reason.isprintable()
