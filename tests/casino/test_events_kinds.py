"""What holds of every kind of event: its name, its fields, its bytes and back."""

import dataclasses
import importlib
import json
import pickle
import pkgutil
import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import audit.events
import casino.events
import jackpot.events
from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.events.shape import Part, Withheld, fields_of, parts_of, private_fields_of
from casino.events.values import Spelled
from casino.reading.payload import COMMITMENT, event_of, payload_of
from casino.tlog.canonical import canonical
from tests.factories.any_events import events
from tests.factories.events.every import BARE, FULL, KINDS, OF_FIELDS
from tests.gate import size

ROOT = Path(__file__).resolve().parents[2]
STREAMS = {
    "staff-registered/1": "house",
    "office-granted/1": "house",
    "office-ended/1": "house",
    "duty-begun/1": "house",
    "duty-ended/1": "house",
    "shuffler-registered/1": "house",
    "shelf-rebuilt/1": "house",
    **dict.fromkeys(
        (
            *("signing-key-named/2", "house-act-decided/1", "pepper-changed/1"),
            *("signing-key-named/1", "epoch-begun/1", "epoch-approved/1", "schema-recorded/1"),
            *("draw-committed/1", "draw-made/1"),
            *("erasure-proposed/1", "erasure-decided/1", "erasure-suspended/1"),
            *("suspension-lifted/1", "subject-requested/1"),
            *("book-restored/1", "book-verified/1", "export-made/1", "report-issued/1"),
            *("document-seal-asked/1", "letter-issued/1", "letter-received/1"),
            *("alert-sent/1", "webhook-set/1", "import-confirmed/1"),
            *("office-asked/1", "login-reset-asked/1", "request-decided/1"),
            *("deck-received/1", "decks-destroyed/1"),
            *("inspection-leave-asked/1", "inspection-leave-decided/1"),
            *("limits-approved/1", "firmware-decided/1", "notice-acknowledged/1"),
            *("regulation-text-received/1", "figures-asked/1", "figures-set/1"),
            *("passkey-registered/1", "passkey-revoked/1", "witness-unlocked/1"),
        ),
        "house",
    ),
    "reconciliation-started/1": "reconciler",
    "reconciliation-finished/1": "reconciler",
    "game-judged/1": "reconciler",
    **dict.fromkeys(("finding-raised/1", "finding-raised/2"), "reconciler"),
    **dict.fromkeys(("finding-superseded/1", "finding-superseded/2"), "reconciler"),
    "jackpot-replayed/1": "reconciler",
    "findings-numbered/1": "reconciler",
    "finding-noted/1": "notes",
    **dict.fromkeys(
        (
            *("finding-assigned/1", "explanation-asked/1", "explanation-given/1"),
            *("footage-marked/1", "finding-decided/1", "finding-settled/1", "finding-reopened/1"),
        ),
        "cases",
    ),
    **{event.kind: "jackpot/JP-1" for event in jackpot.events.OF_POOLS},
}


def every_event_class() -> set[type[Event]]:
    """All classes that name a kind, wherever they are written."""
    for module in pkgutil.iter_modules(casino.events.__path__):
        importlib.import_module(f"casino.events.{module.name}")
    found: set[type[Event]] = set()
    waiting: list[type[Event]] = [Event]
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        # A slotted dataclass is made twice; the first making is nobody's.
        module = importlib.import_module(one.__module__)
        if "kind" in vars(one) and getattr(module, one.__name__) is one:
            found.add(one)
    return found


def test_every_fact_is_listed_under_its_kind() -> None:
    assert every_event_class() | {RoundPlayed} == set(KINDS.values())
    assert audit.events.KINDS.keys().isdisjoint(jackpot.events.KINDS)
    for kind, event in KINDS.items():
        assert event.kind == kind
        Spelled("kind").check(kind, "$")


@pytest.mark.parametrize("kind", KINDS)
def test_a_fact_is_frozen_and_holds_nothing_else(kind: str) -> None:
    event = FULL[kind]
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(event, dataclasses.fields(event)[0].name, "BJ-07")
    assert not hasattr(event, "__dict__")
    with pytest.raises(TypeError):
        type(event)("BJ-06")
    assert pickle.loads(pickle.dumps(event)) == event


@pytest.mark.parametrize("kind", OF_FIELDS)
def test_the_private_fields_are_those_that_may_be_withheld(kind: str) -> None:
    assert OF_FIELDS[kind].private == private_fields_of(OF_FIELDS[kind])
    for part in parts_of(OF_FIELDS[kind]):
        assert private_fields_of(part) == frozenset(), "only a fact's own field can be withheld"


@pytest.mark.parametrize("kind", OF_FIELDS)
def test_a_field_left_out_is_unknown_or_none(kind: str) -> None:
    for of in (OF_FIELDS[kind], *parts_of(OF_FIELDS[kind])):
        for field in fields_of(of):
            assert field.required or field.default in (None, ())
            assert re.fullmatch("[a-z0-9_]+", field.name)


@pytest.mark.parametrize("kind", KINDS)
def test_a_fact_knows_where_it_goes(kind: str) -> None:
    for event in (FULL[kind], BARE[kind]):
        assert re.fullmatch(r"house|reconciler|cases|notes|table/BJ-06|jackpot/JP-1", event.stream)
        if kind in STREAMS:
            assert event.stream == STREAMS[kind]
    full = FULL[kind]
    if kind not in STREAMS:
        assert full.stream == "table/BJ-06"
    if "partida" in payload_of(full):
        assert full.gaming_day == date(2026, 11, 20)
    if kind != "round-played/1" and "partida" in payload_of(full):
        assert (full.table_code, full.partida_id) == ("BJ-06", "BJ-06/2026-11-20/1")


def test_a_fact_of_no_partida_leaves_the_day_to_its_moment() -> None:
    for kind in ("table-registered/1", "limits-set/1", "duty-begun/1", "shelf-rebuilt/1"):
        assert FULL[kind].gaming_day is None
        assert FULL[kind].partida_id is None
    assert BARE["deck-inspected/1"].stream == "house"
    assert BARE["deck-inspected/1"].table_code is None
    assert BARE["incident-reported/1"].stream == "house"
    assert BARE["erased/1"].table_code == "BJ-06"  # the table of the entry's stream
    assert BARE["reconciliation-started/1"].partida_id == "BJ-06/2026-11-20/1"
    assert BARE["reconciliation-started/1"].table_code == "BJ-06"
    assert FULL["reconciliation-started/1"].table_code is None


@pytest.mark.parametrize("kind", sorted(OF_FIELDS))
@settings(max_examples=size(4, 25, 300), suppress_health_check=[HealthCheck.filter_too_much])
@given(data=st.data())
def test_a_fact_comes_back_from_its_bytes(kind: str, data: st.DataObject) -> None:
    event = data.draw(events(OF_FIELDS[kind]))
    written = canonical(payload_of(event))
    assert event_of(type(event), json.loads(written)) == event
    assert canonical(payload_of(event_of(type(event), json.loads(written)))) == written


@pytest.mark.parametrize("kind", OF_FIELDS)
def test_what_is_unknown_is_left_out_and_nothing_is_null(kind: str) -> None:
    payload = payload_of(BARE[kind])
    assert set(payload) >= {field.name for field in fields_of(KINDS[kind]) if field.required}
    assert "null" not in canonical(payload).decode()
    assert set(payload_of(FULL[kind])) >= {
        field.name
        for field in fields_of(KINDS[kind])
        if getattr(FULL[kind], field.name) is not None
    }


def test_a_list_that_is_known_to_be_empty_is_written() -> None:
    written = payload_of(FULL["deck-inspected/1"])
    assert written["damaged_cards"] == []
    assert "damaged_cards" not in payload_of(BARE["deck-inspected/1"])
    assert event_of(KINDS["deck-inspected/1"], written).damaged_cards == ()


def test_a_private_value_can_be_withheld() -> None:
    full = FULL["staff-registered/1"]
    payload = payload_of(full) | {"name": {COMMITMENT: "a" * 64}}
    event = event_of(type(full), payload)
    assert event.name == Withheld("a" * 64)
    assert event.contact == full.contact
    assert payload_of(event) == payload


def test_the_page_of_facts_names_every_field() -> None:
    page = (ROOT / "docs" / "events.md").read_text("utf-8")
    values: dict[str, list[str]] = {}
    for line in page.splitlines():
        row = re.match(r"\| `([a-z-]+/\d+)` \|([^|]*)\|([^|]*)\|([^|]*)\|", line)
        if row:
            values[row[1]] = re.findall(r"`([a-z0-9_]+\??)`", row[3])
            private = set(re.findall(r"`([a-z_]+)`", row[4]))
            assert private == set(getattr(KINDS[row[1]], "private", ())), row[1]
    assert values.keys() == KINDS.keys()
    for kind, event in OF_FIELDS.items():
        shared = {"despite", "paper"} & {field.name for field in fields_of(event)}
        names = [
            field.name if field.required else f"{field.name}?"
            for field in fields_of(event)
            if field.name not in shared
        ]
        assert sorted(values[kind]) == sorted(names), kind


def test_the_page_of_facts_names_every_part() -> None:
    page = (ROOT / "docs" / "events.md").read_text("utf-8")
    values = {
        row[1]: re.findall(r"`([a-z0-9_]+\??)`", row[2])
        for row in re.finditer(r"^\| `([A-Z]\w+)` \|([^|]*)\|", page, re.MULTILINE)
    }
    parts: set[type[Part]] = {part for event in OF_FIELDS.values() for part in parts_of(event)}
    assert values == {
        part.__name__: [
            field.name if field.required else f"{field.name}?" for field in fields_of(part)
        ]
        for part in parts
    }


def test_the_fields_of_a_class_that_is_no_fact_are_refused() -> None:
    @dataclasses.dataclass
    class Odd:
        worth: float

    @dataclasses.dataclass
    class Two:
        worth: str | int

    @dataclasses.dataclass
    class Pair:
        worth: tuple[int, int]

    for odd in (Odd, Two, Pair):
        with pytest.raises(TypeError):
            fields_of(odd)
