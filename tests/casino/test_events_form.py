"""What no event can be: the wrong form, and what contradicts itself. And what every event may
be.
"""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.events import Malformed
from casino.events.event import EntryRef, OverriddenWarning
from casino.events.shape import Items, Object, Plain, Withheld, fields_of
from casino.events.values import Figures
from casino.reading.payload import COMMITMENT, event_of, payload_of
from casino.tlog.canonical import canonical
from tests.factories.events.every import BARE, FULL, KINDS, OF_FIELDS
from tests.factories.events.house import LATER, A, at

pytestmark = pytest.mark.share


def refused(kind: str, payload: dict[str, Any]) -> Malformed:
    """The refusal of a payload."""
    with pytest.raises(Malformed) as error:
        event_of(KINDS[kind], payload)
    return error.value


@pytest.mark.parametrize("kind", OF_FIELDS)
def test_a_key_nobody_knows_is_refused(kind: str) -> None:
    error = refused(kind, payload_of(BARE[kind]) | {"colour": "red"})
    assert error.path == "$.colour"
    for odd in ("correction_reason", "attachments", "kind"):
        assert refused(kind, payload_of(FULL[kind]) | {odd: "x"}).path == f"$.{odd}"


@pytest.mark.parametrize("kind", OF_FIELDS)
def test_a_key_that_must_be_told_must_be_told(kind: str) -> None:
    for field in fields_of(KINDS[kind]):
        payload = payload_of(BARE[kind])
        if field.required:
            del payload[field.name]
            assert refused(kind, payload).path == f"$.{field.name}"


@pytest.mark.parametrize("kind", OF_FIELDS)
def test_nothing_is_null(kind: str) -> None:
    for field in fields_of(KINDS[kind]):
        error = refused(kind, payload_of(FULL[kind]) | {field.name: None})
        assert error.path == f"$.{field.name}"


@pytest.mark.parametrize("kind", OF_FIELDS)
def test_a_value_of_another_type_is_refused_where_it_stands(kind: str) -> None:
    for field in fields_of(KINDS[kind]):
        for odd in (-1, 10**16, 1.5, True, "", "\0", " ", "x" * 5000, [], [None], {}, {"a": {}}):
            if fits(field.shape, odd):
                continue
            error = refused(kind, payload_of(FULL[kind]) | {field.name: odd})
            assert error.path.startswith(f"$.{field.name}"), (field.name, odd, error)


def fits(shape: Any, odd: object) -> bool:
    """Whether one of the odd values is none for this field."""
    if isinstance(shape, Items):
        return odd == []
    if isinstance(shape, Object):
        return False
    assert isinstance(shape, Plain)
    if isinstance(shape.form, Figures):
        return odd == {}
    try:
        shape.form.check(odd, "$")
    except Malformed:
        return False
    return True


@pytest.mark.parametrize("kind", OF_FIELDS)
@pytest.mark.parametrize("odd", [None, 1, "x", [], [{}]])
def test_a_fact_is_an_object(kind: str, odd: object) -> None:
    assert refused(kind, odd).path == "$"  # type: ignore[arg-type]


CONTRADICTIONS = [
    ("limits-set/1", {"maximum_cents": 999, "minimum_cents": 1000}, "$.maximum_cents"),
    (
        "partida-opened/1",
        {"limits": {"minimum_cents": 1000, "maximum_cents": 999}},
        "$.limits.maximum_cents",
    ),
    ("partida-opened/1", {"decks": [{"deck": "D-1"}, {"deck": "D-1"}]}, "$.decks[1].deck"),
    (
        "partida-opened/1",
        {"counts": [{"value_cents": 5, "count": 1}, {"value_cents": 5, "count": 2}]},
        "$.counts[1].value_cents",
    ),
    ("partida-opened/1", {"dealing": "shoe", "shuffler": "CSM-04"}, "$.shuffler"),
    ("partida-opened/1", {"partida": "BJ-07/2026-11-20/1"}, "$.partida"),
    ("partida-opened/1", {"partida": "BJ-06/2026-02-30/1"}, "$.partida"),
    ("partida-opened/1", {"partida": "BJ-06/2026-11-20/0"}, "$.partida"),
    ("partida-opened/1", {"jackpots": ["JP-1", "JP-1"]}, "$.jackpots[1]"),
    (
        "partida-closed/1",
        {"counts": [{"value_cents": 5, "count": 1}, {"value_cents": 5, "count": 2}]},
        "$.counts[1].value_cents",
    ),
    ("office-granted/1", {"valid_until": "2026-11-20T08:00:00.000000Z"}, "$.valid_until"),
    ("duty-begun/1", {"tables": ["BJ-06", "BJ-06"]}, "$.tables[1]"),
    ("deck-inspected/1", {"table": ...}, "$.table"),
    ("cards-shuffled/1", {"decks": [{"deck": "D", "passes": 1}] * 2}, "$.decks[1].deck"),
    ("cut-made/1", {"seats_occupied": [5, 2]}, "$.seats_occupied[1]"),
    ("cut-made/1", {"seats_occupied": [2, 2]}, "$.seats_occupied[1]"),
    ("cut-made/1", {"offers": [{"seat": 5, "accepted": True}] * 2}, "$.offers[1].seat"),
    ("cut-made/1", {"seat": ...}, "$.seat"),
    ("cut-made/1", {"cut_by": "nobody"}, "$.seat"),
    ("cut-made/1", {"staff": "S-1"}, "$.staff"),
    ("cut-made/1", {"cut_by": "nobody", "seat": ..., "staff": "S-1"}, "$.staff"),
    ("carta-aviso-placed/1", {"cards_from_end": 313}, "$.cards_from_end"),
    ("shuffler-loaded/1", {"decks": ["D-1", "D-1"]}, "$.decks[1]"),
    ("shuffler-loaded/1", {"ended_at": "2026-11-20T19:39:59Z"}, "$.ended_at"),
    ("shuffler-unloaded/1", {"ended_at": "2026-11-20T23:39:59Z"}, "$.ended_at"),
    ("witnessed/1", {"method": "pin"}, "$.passkey"),
    ("witnessed/1", {"passkey": ...}, "$.passkey"),
    ("witnessed/1", {"table": "BJ-07", "partida": ...}, "$.table"),
    ("witnessed/1", {"table": ...}, "$.table"),
    ("witnessed/1", {"present_until": "2026-11-20T19:38:00Z"}, "$.present_until"),
    ("incident-reported/1", {"lid_closed_at": "2026-11-20T21:04:59Z"}, "$.lid_closed_at"),
    ("incident-reported/1", {"table": ...}, "$.table"),
    ("corrected/1", {"pending": {"stream": "house", "n": 1, "leaf": A}}, "$.table"),
    (
        "corrected/1",
        {"pending": {"stream": "table/BJ-06", "n": 13, "leaf": A}},
        "$.pending",
    ),
    ("withdrawal-asked/1", {"falls_with": {"stream": "house", "n": 1, "leaf": A}}, "$.falls_with"),
    ("erased/1", {"entry": {"stream": "house", "n": 1, "leaf": A}}, "$.table"),
    ("reconciliation-started/1", {"scope": {}}, "$.scope"),
    ("reconciliation-started/1", {"scope": {"from_day": "2026-11-20"}}, "$.scope"),
    (
        "reconciliation-started/1",
        {"scope": {"from_day": "2026-11-20", "partida": "BJ-06/2026-11-20/1"}},
        "$.scope",
    ),
    (
        "reconciliation-started/1",
        {
            "scope": {
                "from_day": "2026-11-20",
                "to_day": "2026-11-20",
                "partida": "BJ-06/2026-11-20/1",
            }
        },
        "$.scope",
    ),
    (
        "reconciliation-started/1",
        {"scope": {"from_day": "2026-11-20", "to_day": "2026-11-19"}},
        "$.scope.to_day",
    ),
    ("reconciliation-started/1", {"scope": {"partida": "BJ-06/2026-02-30/1"}}, "$.partida"),
    ("reconciliation-started/1", {"laws": [{"rulebook": "pt", "sha256": A}] * 2}, "$.laws[1]"),
    ("reconciliation-finished/1", {"read_up_to": [{"stream": "house", "n": 1}] * 2}, "$.read"),
    ("finding-raised/1", {"owed_to": ...}, "$.owed_to"),
    ("finding-raised/1", {"owed_cents": 0}, "$.owed_to"),
    ("finding-raised/1", {"gaming_day": "2026-11-21"}, "$.gaming_day"),
    (
        "finding-raised/1",
        {"evidence": [f"{n}" * 8 + "-0000" * 3 + "-" + "0" * 12 for n in (2, 1)]},
        "$.evidence[1]",
    ),
    ("finding-raised/2", {"gaming_day": "2026-11-21"}, "$.gaming_day"),
    (
        "finding-raised/2",
        {"evidence": [{"stream": "table/BJ-06", "n": n, "leaf": A} for n in (2, 1)]},
        "$.evidence[1]",
    ),
]


@pytest.mark.parametrize(("kind", "changes", "path"), CONTRADICTIONS)
def test_what_contradicts_itself_is_refused(kind: str, changes: dict[str, Any], path: str) -> None:
    payload = payload_of(FULL[kind])
    for name, value in changes.items():
        if value is ...:
            del payload[name]
        else:
            payload[name] = value
    assert refused(kind, payload).path.startswith(path)


@pytest.mark.parametrize(
    ("kind", "changes", "path"),
    [
        ("table-registered/1", {"boxes": 0}, "$.boxes"),
        ("table-registered/1", {"boxes": 21}, "$.boxes"),
        ("table-registered/1", {"boxes": True}, "$.boxes"),
        ("table-registered/1", {"table": "BJ/06"}, "$.table"),
        ("table-registered/1", {"table": "x" * 41}, "$.table"),
        ("table-registered/1", {"place": "two\nlines"}, "$.place"),
        ("table-registered/1", {"place": "\u200fok\u2028"}, "$.place"),
        ("table-registered/1", {"place": "e\u0301"}, "$.place"),
        ("table-registered/1", {"place": "half \ud800"}, "$.place"),
        ("table-registered/1", {"place": "\u00a0 "}, "$.place"),
        ("table-registered/1", {"place": "x" * 81}, "$.place"),
        ("table-registered/1", {"despite": [{"check": "x"}]}, "$.despite[0].reason"),
        ("table-registered/1", {"despite": [{"check": "X", "reason": "y"}]}, "$.despite[0].check"),
        ("table-registered/1", {"despite": ["x"]}, "$.despite[0]"),
        ("table-registered/1", {"despite": {"check": "x"}}, "$.despite"),
        ("limits-set/1", {"minimum_cents": 0}, "$.minimum_cents"),
        ("limits-set/1", {"valid_from": "2026-11-20T15:00:00"}, "$.valid_from"),
        ("limits-set/1", {"valid_from": "2026-11-20 15:00:00Z"}, "$.valid_from"),
        ("limits-set/1", {"valid_from": "2026-02-30T15:00:00Z"}, "$.valid_from"),
        ("limits-set/1", {"valid_from": "0001-01-01T00:00:00+01:00"}, "$.valid_from"),
        ("limits-set/1", {"valid_from": 1795100400}, "$.valid_from"),
        ("office-granted/1", {"office": "croupier"}, "$.office"),
        ("partida-opened/1", {"dealing": "hand"}, "$.dealing"),
        ("partida-opened/1", {"limits": {"minimum_cents": 1000}}, "$.limits.maximum_cents"),
        ("partida-opened/1", {"limits": [1000, 30000]}, "$.limits"),
        (
            "partida-opened/1",
            {"limits": {"minimum_cents": 1, "maximum_cents": 2, "euro": 1}},
            "$.limits.euro",
        ),
        ("partida-opened/1", {"decks": [{"deck": "D", "back_colour": "Red"}]}, "$.decks[0].back"),
        ("partida-opened/1", {"decks": [{"deck": f"D-{n}"} for n in range(21)]}, "$.decks"),
        ("partida-opened/1", {"cut_card": {"front": "red"}}, "$.cut_card.back"),
        ("deck-inspected/1", {"cards": 201}, "$.cards"),
        ("deck-inspected/1", {"missing_cards": ["7S", "1S"]}, "$.missing_cards[1]"),
        ("deck-inspected/1", {"note": {COMMITMENT: "a" * 63}}, "$.note.hmac_sha256"),
        ("deck-inspected/1", {"note": {COMMITMENT: 1}}, "$.note"),
        ("deck-inspected/1", {"note": {COMMITMENT: A, "value": "x"}}, "$.note"),
        ("deck-inspected/1", {"deck": {COMMITMENT: A}}, "$.deck"),
        ("card-burned/1", {"cards": 21}, "$.cards"),
        ("card-burned/1", {"shoe": 0}, "$.shoe"),
        ("cards-spread/1", {"round": "0193479E-6B1C-7C3E-9A54-0C6F2B1D7E10"}, "$.round"),
        ("shuffler-loaded/1", {"packets": 0}, "$.packets"),
        ("shuffler-loaded/1", {"packets": 51}, "$.packets"),
        ("witnessed/1", {"act": "shuffler-loaded"}, "$.act"),
        ("witnessed/1", {"text_sha256": "A" * 64}, "$.text_sha256"),
        (
            "witnessed/1",
            {"witnessed": {"stream": "table/", "n": 1, "leaf": A}},
            "$.witnessed.stream",
        ),
        ("witnessed/1", {"witnessed": {"stream": "house", "n": 0, "leaf": A}}, "$.witnessed.n"),
        ("erased/1", {"field": "Note"}, "$.field"),
        ("jackpot-incremented/1", {"chips": [{"box": 1, "owner": "J", "n": 0}]}, "$.chips[0].n"),
        ("finding-raised/1", {"gaming_day": "20261120"}, "$.gaming_day"),
        ("finding-raised/1", {"gaming_day": "2026-02-30"}, "$.gaming_day"),
        ("finding-raised/1", {"where": {"box": 1.5}}, "$.where.box"),
        ("finding-raised/1", {"where": {"box": {"a": 1}}}, "$.where.box"),
        ("finding-raised/1", {"where": {"box": [1, [2]]}}, "$.where.box"),
        ("finding-raised/1", {"where": {"Box": 1}}, "$.where"),
        ("finding-raised/1", {"where": {"box": True}}, "$.where.box"),
        ("finding-raised/1", {"where": {"box": 2**53}}, "$.where.box"),
    ],
)
def test_what_is_not_of_the_form_asked_is_refused(
    kind: str, changes: dict[str, Any], path: str
) -> None:
    assert refused(kind, payload_of(FULL[kind]) | changes).path.startswith(path)


def test_a_fact_built_in_python_is_held_to_the_same_form() -> None:
    table = FULL["table-registered/1"]
    for change in (
        {"boxes": "7"},
        {"place": ""},
        {"despite": [OverriddenWarning(check="x", reason="y")]},
        {"despite": ({"check": "x", "reason": "y"},)},
        {"table": None},
    ):
        with pytest.raises(Malformed):
            replace(table, **change)
    with pytest.raises(Malformed):
        replace(FULL["limits-set/1"], valid_from=datetime(2026, 11, 20))  # noqa: DTZ001
    with pytest.raises(Malformed):
        replace(FULL["staff-registered/1"], name=Withheld("x"))
    with pytest.raises(Malformed):
        replace(FULL["office-ended/1"], reason=Withheld(A))
    with pytest.raises(Malformed):
        replace(FULL["finding-raised/1"], gaming_day=at("19:47"))


def test_moments_are_told_with_any_offset_and_kept_in_utc() -> None:
    payload = payload_of(BARE["limits-set/1"]) | {"valid_from": "2026-07-01T00:30:00.5+01:00"}
    limits = event_of(KINDS["limits-set/1"], payload)
    assert limits.valid_from == datetime(2026, 6, 30, 23, 30, 0, 500_000, tzinfo=UTC)
    assert limits.valid_from.tzinfo is UTC
    assert payload_of(limits)["valid_from"] == "2026-06-30T23:30:00.500000Z"


UNLAWFUL = [
    ("table-registered/1", {"boxes": 5}, "PT art. 2: six or seven boxes"),
    ("limits-set/1", {"minimum_cents": 1000, "maximum_cents": 31000}, "PT art. 37: thirty times"),
    ("partida-opened/1", {"decks": [{"deck": f"D-{n}"} for n in range(5)]}, "PT art. 3"),
    ("partida-opened/1", {"cut_card": {"front": "red", "back": "blue"}}, "PT art. 4: one colour"),
    ("partida-opened/1", {"cut_card": {"front": "red", "back": "red"}}, "PT art. 4: as a deck"),
    ("deck-inspected/1", {"cards": 51, "result": "conform"}, "PT art. 7, 55"),
    ("deck-inspected/1", {"damaged_cards": ["7S"], "result": "conform"}, "PT art. 5"),
    ("deck-inspected/1", {"jokers": 1}, "PT art. 3: no jokers"),
    ("cards-shuffled/1", {"decks": [{"deck": "D-1", "passes": 0}]}, "PT art. 8, 53"),
    ("cut-made/1", {"offers": [], "seat": 7}, "PT art. 8: nobody was asked, another cut"),
    ("cut-made/1", {"cut_by": "nobody", "seat": ...}, "PT art. 8: no cut"),
    ("cut-made/1", {"cut_by": "pagador", "seat": ..., "staff": "P-104"}, "PT art. 8"),
    ("carta-aviso-placed/1", {"cards_from_end": 10}, "PT art. 9"),
    ("card-burned/1", {"cards": 0}, "PT art. 10: one card"),
    ("cards-spread/1", {"reason": "other"}, "PT art. 12"),
    ("shuffler-loaded/1", {"packets": 1}, "PT art. 54: two packets"),
    ("shuffler-loaded/1", {"fiscal_chefe": ...}, "PT art. 54: nobody present"),
    ("shuffler-loaded/1", {"fiscal_chefe": "P-104"}, "PT art. 54: the operator himself"),
    ("shuffler-unloaded/1", {"closing_announced": False}, "PT art. 55"),
    ("shuffler-unloaded/1", {"reason": "maintenance"}, "PT art. 57"),
    ("incident-reported/1", {"opened_at": "2026-11-20T20:00:00Z"}, "PT art. 51: before he came"),
    ("incident-reported/1", {"resolved_by_office": "pagador"}, "PT art. 51"),
    ("jackpot-incremented/1", {"chips": [{"box": 2, "owner": "J2", "n": 2}]}, "PT art. 47"),
    ("witnessed/1", {"office": "pagador"}, "PT art. 54: not the rank"),
]


@pytest.mark.parametrize(("kind", "changes", "law"), UNLAWFUL)
def test_what_should_not_have_happened_is_recorded(
    kind: str, changes: dict[str, Any], law: str
) -> None:
    payload = payload_of(FULL[kind]) | changes
    values = {name: value for name, value in payload.items() if value is not ...}
    assert path_refused(kind, json.loads(json.dumps(values))) is None, law


def test_an_entry_of_the_house_has_no_table() -> None:
    erased = replace(FULL["erased/1"], table=None, partida=None, entry=IN_HOUSE)
    assert (erased.stream, erased.table_code, erased.gaming_day) == ("house", None, None)
    corrected = replace(BARE["corrected/1"], pending=replace(LATER, stream="jackpot/JP-1"))
    assert (corrected.stream, corrected.table_code) == ("jackpot/JP-1", None)


IN_HOUSE = EntryRef(stream="house", n=3, leaf=A)

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)


@given(kind=st.sampled_from(sorted(OF_FIELDS)), junk=JUNK, data=st.data())
def test_junk_is_refused_and_nothing_else_happens(
    kind: str, junk: Any, data: st.DataObject
) -> None:
    payload = payload_of(FULL[kind])
    payload[data.draw(st.sampled_from(sorted(payload)) | st.text(max_size=8))] = junk
    for values in (payload, junk):
        path = path_refused(kind, values)
        if path is not None:
            assert path.startswith("$")
            assert path.isprintable()


def path_refused(kind: str, value: Any) -> str | None:
    """Where a value is refused; None for one that is taken, and then comes back from its bytes."""
    try:
        event = event_of(KINDS[kind], value)
    except Malformed as error:
        return error.path
    assert event_of(KINDS[kind], json.loads(canonical(payload_of(event)))) == event
    return None
