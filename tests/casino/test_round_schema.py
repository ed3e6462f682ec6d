"""The JSON Schema and the page agree with the reader: it refuses no round the reader takes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from casino.cards import CODES
from casino.events.round import round_words
from casino.reading import round_reader
from casino.reading.round_reader import read_round
from casino.reading.round_writer import round_as_json, round_as_object
from tests.factories.any_rounds import rounds
from tests.factories.malformed_rounds import SOUND, SPOILT, Spoilt, changed

ROOT = Path(__file__).resolve().parents[2]
SCHEMA: dict[str, Any] = json.loads(
    (ROOT / "casino" / "reading" / "round_schema.json").read_text("utf-8")
)
VALIDATOR = Draft202012Validator(SCHEMA)
PAGE = (ROOT / "docs" / "round-record.md").read_text("utf-8")
EXAMPLES = re.findall(r"(?ms)^### (.*?)$|^```json round( lawful)?\n(.*?)^```", PAGE)


def examples() -> list[Any]:
    heading, found = "", []
    for title, lawful, record in EXAMPLES:
        heading = title or heading
        if record:
            found.append(pytest.param(record, id=f"{heading}{lawful}"))
    return found


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_sound_round_is_sound_to_both() -> None:
    VALIDATOR.validate(SOUND)


@pytest.mark.parametrize("spoilt", SPOILT, ids=str)
def test_the_schema_refuses_what_a_schema_can_see(spoilt: Spoilt) -> None:
    assert VALIDATOR.is_valid(changed(spoilt.changes)) is not spoilt.schema_sees


@given(rounds())
def test_the_schema_takes_every_round_that_is_written(played: Any) -> None:
    VALIDATOR.validate(round_as_object(played))


@pytest.mark.parametrize("record", examples())
def test_every_example_of_the_page_is_read(record: str) -> None:
    VALIDATOR.validate(json.loads(record))
    played = read_round(record.encode())
    assert read_round(round_as_json(played).encode()) == played


def test_the_page_shows_every_kind_of_round() -> None:
    assert len(examples()) >= 13
    assert len({json.loads(each.values[0])["round"] for each in examples()}) == len(examples())


def objects_of_the_schema() -> list[tuple[dict[str, Any], Any]]:
    top, parts = SCHEMA["properties"], SCHEMA["$defs"]
    return [
        (SCHEMA, round_reader._ROUND),
        (parts["box"], round_reader._BOX),
        (parts["hand"], round_reader._HAND),
        (parts["wager"], round_reader._WAGER),
        (parts["misdealt"], round_reader._MISDEALT),
        (parts["hand_place"], round_reader._PLACE),
        (top["bank"], round_reader._BANK),
        (top["bank"]["properties"]["voided"]["items"], round_reader._VOIDED_CARD),
        (top["dealt"]["items"], round_reader._DEALT),
        (top["device"], round_reader._DEVICE),
        (top["limits"], round_reader._LIMITS),
        (top["times"], round_reader._TIMES),
        (top["voided"], round_reader._VOIDED),
    ]


@pytest.mark.parametrize(("recorded", "shape"), objects_of_the_schema())
def test_schema_and_reader_know_the_same_fields(recorded: dict[str, Any], shape: Any) -> None:
    assert recorded["additionalProperties"] is False
    assert set(recorded["properties"]) == shape.known
    assert set(recorded.get("required", [])) == shape.required
    for name in shape.known:
        assert f"`{name}`" in PAGE or f'"{name}"' in PAGE


def test_schema_and_facts_know_the_same_words_and_bounds() -> None:
    parts = SCHEMA["$defs"]
    wager, hand, misdealt = (parts[n]["properties"] for n in ("wager", "hand", "misdealt"))
    bank = SCHEMA["properties"]["bank"]["properties"]
    assert set(wager["kind"]["enum"]) == round_words.WAGER_KINDS
    assert (
        set(parts["wager"]["allOf"][0]["if"]["properties"]["kind"]["enum"]) == round_words.ON_A_HAND
    )
    assert set(hand["actions"]["items"]["enum"]) == round_words.ACTIONS
    assert set(misdealt["fate"]["enum"]) == round_words.FATES
    assert set(misdealt["at"]["anyOf"][1]["enum"]) == round_words.MISDEALT_AT
    assert set(bank["voided"]["items"]["properties"]["why"]["enum"]) == round_words.VOIDED_WHY
    voided = SCHEMA["properties"]["voided"]["properties"]["why"]["enum"]
    assert set(voided) == round_words.ROUND_VOIDED_WHY
    assert hand["cards"]["maxItems"] == bank["cards"]["maxItems"] == round_words.MAX_CARDS_IN_HAND
    assert parts["cents"]["maximum"] == round_words.MAX_CENTS
    assert parts["place"]["maximum"] == round_words.MAX_PLACE
    assert parts["number"]["maximum"] == round_words.MAX_NUMBER
    assert parts["chips"]["maximum"] == round_words.MAX_CHIPS
    side = parts["wager"]["allOf"][1]["then"]["properties"]["stake_cents"]
    assert side["maximum"] == round_words.MAX_CHIPS_CENTS
    cards = re.compile(parts["card"]["pattern"])
    assert {a + b for a in "A23456789TJQKX10" for b in "CDHS?xX" if cards.search(a + b)} == CODES
