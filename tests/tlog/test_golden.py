"""The bytes that never change: every kind's payload and entry, typed by hand (golden/README.md)."""

import hashlib
import hmac
import json
from typing import Any

import pytest

from casino.events.kinds import KINDS as FLOOR
from casino.reading.payload import COMMITMENT, event_in_book, event_of, payload_of
from casino.reading.strict_json import parse
from casino.tlog.canonical import ENVELOPE_NULLS, canonical
from tests.factories.events.every import BARE, FULL, KINDS
from tests.tlog.golden_entries import ENTRIES, GOLDEN

SALT = bytes(range(32))
_PAYLOADS = (GOLDEN / "payloads.txt").read_bytes().splitlines()
PAYLOADS = {
    kind.decode(): (full, bare)
    for kind, full, bare in zip(_PAYLOADS[::3], _PAYLOADS[1::3], _PAYLOADS[2::3], strict=True)
}


def test_every_kind_has_its_bytes() -> None:
    assert set(PAYLOADS) == set(KINDS)
    assert {entry.id for entry in ENTRIES} == set(KINDS)
    assert FLOOR.keys() < KINDS.keys()


@pytest.mark.parametrize("kind", PAYLOADS)
def test_a_fact_is_written_as_it_always_was(kind: str) -> None:
    full, bare = PAYLOADS[kind]
    assert canonical(payload_of(FULL[kind])) == full
    assert canonical(payload_of(BARE[kind])) == bare


@pytest.mark.parametrize("kind", PAYLOADS)
def test_old_bytes_are_read_as_they_always_were(kind: str) -> None:
    full, bare = PAYLOADS[kind]
    assert event_of(KINDS[kind], parse(full)) == FULL[kind]
    assert event_of(KINDS[kind], parse(bare)) == BARE[kind]


def committed(event: Any) -> dict[str, Any]:
    """The payload as the book holds it, private values committed to with the golden salt."""
    payload = payload_of(event)
    for name in getattr(event, "private", ()):
        if name in payload:
            value = canonical(payload[name])
            payload[name] = {COMMITMENT: hmac.digest(SALT, value, "sha256").hex()}
    return payload


@pytest.mark.parametrize(("leaf", "entry"), ENTRIES)
def test_an_entry_is_made_of_its_fact(leaf: bytes, entry: bytes) -> None:
    value = json.loads(entry)
    event = FULL[value["kind"]]
    reason = value["payload"].pop("correction_reason", None)
    assert (reason is None) == (value["supersedes"] is None)
    assert value["payload"] == committed(event)
    assert value["stream"] == event.stream
    day = event.gaming_day
    assert value["day"] == (value["occurred"][:10] if day is None else day.isoformat())


@pytest.mark.parametrize(("leaf", "entry"), ENTRIES)
def test_an_entrys_bytes_are_canonical_and_hash_to_its_leaf(leaf: bytes, entry: bytes) -> None:
    assert canonical(json.loads(entry), nulls=ENVELOPE_NULLS) == entry
    assert hashlib.sha256(b"\0" + entry).hexdigest().encode() == leaf


@pytest.mark.parametrize(("leaf", "entry"), ENTRIES)
def test_the_facts_of_the_book_are_read_without_their_private_values(
    leaf: bytes, entry: bytes
) -> None:
    value = json.loads(entry)
    event = event_in_book(KINDS[value["kind"]], value["payload"])
    payload = payload_of(event)
    assert payload == {
        name: value for name, value in value["payload"].items() if name != "correction_reason"
    }
    for name in getattr(event, "private", ()):
        assert getattr(event, name) is None or getattr(event, name).hmac
