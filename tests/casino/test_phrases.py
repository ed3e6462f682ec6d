"""Texts of ours: English as they stand, and said whole in Portuguese by a door that speaks it."""

import json
import pickle

import pytest
from django.utils import translation
from django.utils.translation import gettext

from casino.events import Malformed
from casino.events.phrases import Phrase, said
from casino.events.round.field_form import shown
from casino.reading.file_trouble import why
from casino.reading.round_reader import read_round
from tests.casino.refused_json import REFUSED
from tests.factories.malformed_rounds import SPOILT, changed

FRENCH = {"{count} cards at {place}": "{count} cartes, {place}", "the bank": "la banque"}


def french(text: str) -> str:
    return FRENCH.get(text, text)


def portuguese(text: str) -> str:
    with translation.override("pt-pt"):
        return said(text, gettext)


def left_in_english(text: object) -> list[str]:
    """What a text and the phrases in it would still say in English."""
    if not isinstance(text, Phrase):
        return []
    with translation.override("pt-pt"):
        here = [] if gettext(text.template) != text.template else [text.template]
    return here + [left for value in text.values.values() for left in left_in_english(value)]


def test_a_phrase_is_its_english_text_and_is_said_whole() -> None:
    phrase = Phrase("{count} cards at {place}", count=3, place=Phrase("the bank"))
    assert phrase == "3 cards at the bank"
    assert json.dumps([phrase]) == '["3 cards at the bank"]'
    assert said(phrase, french) == "3 cartes, la banque"


def test_a_plain_text_and_a_value_are_data_and_stay() -> None:
    assert said("the bank", french) == "the bank"
    assert said(Phrase("{count} cards at {place}", count=3, place="the bank"), french) == (
        "3 cartes, the bank"
    )


def test_braces_in_data_and_in_a_text_without_gaps_stay() -> None:
    assert Phrase("found {found}", found="{x}") == "found {x}"
    assert said(Phrase("found {found}", found="{x}"), french) == "found {x}"
    assert said(Phrase("{ column = ... }"), french) == "{ column = ... }"


def test_a_phrase_travels_between_processes() -> None:
    phrase = Phrase("{count} cards at {place}", count=3, place=Phrase("the bank"))
    again = pickle.loads(pickle.dumps(phrase))
    assert again == phrase
    assert said(again, french) == said(phrase, french)


def reason_of(data: bytes) -> str:
    try:
        read_round(data)
    except Malformed as error:
        return error.reason
    raise AssertionError(f"{data!r} was read")


def test_every_refusal_is_said_in_portuguese() -> None:
    records = [json.dumps(changed(spoilt.changes)).encode() for spoilt in SPOILT]
    reasons = [reason_of(data) for data in [*records, *(data for data, *_ in REFUSED)]]
    assert {left for reason in reasons for left in left_in_english(reason)} == set()
    assert all(portuguese(reason).isprintable() for reason in reasons)


@pytest.mark.parametrize(
    ("value", "recorded"),
    [
        ({}, "um objeto"),
        ([], "uma lista"),
        (1.5, "o número fracionário 1.5"),
        (10**30, "um número inteiro de mais de 30 algarismos"),
        ("an object", '"an object"'),
        (None, "null"),
    ],
)
def test_a_value_is_shown_in_portuguese_where_the_words_are_ours(
    value: object, recorded: str
) -> None:
    assert portuguese(shown(value)) == recorded


def test_the_system_s_words_are_said_where_we_have_none() -> None:
    assert portuguese(why(OSError(28, "No space left on device"))) == "o disco está cheio"
    assert why(OSError(71, "Protocol error")) == "Protocol error"
    assert why(OSError("planted")) == "planted"
