"""Names, parts and digests: pure, and the same whoever works them out."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.reconcile.cutting import PARTIDAS_IN_PART, Part, Size, Work, cut
from audit.runs import keys
from casino.events.event import EntryRef
from casino.law.finding import Finding

ONE, OTHER = "0193479e-6b1c-7c3e-9a54-0c6f2b1d7e10", "0193479e-6b1c-7c3e-9a54-0c6f2b1d7e11"
NAMED = {
    ONE: EntryRef(stream="table/BJ-06", n=12, leaf="a" * 64),
    OTHER: EntryRef(stream="house", n=40, leaf="b" * 64),
}
FOUND = Finding(
    rulebook="pt",
    article="21",
    check="blackjack_paid_three_to_two",
    severity="breach",
    gaming_day=date(2026, 11, 20),
    table="BJ-06",
    partida="BJ-06/2026-11-20/1",
    evidence=(ONE, OTHER),
    where={"box": 4, "hand": 1, "owner": "J4", "kind": "main"},
    observed={"returned_cents": 4000},
    expected={"returned_cents": 5000},
    owed_cents=1000,
    owed_to="player",
    readings=("no-peek",),
)


def key_of(found: Finding, named: Mapping[str, EntryRef] = NAMED) -> str:
    return keys.finding_key(found, named)


def test_a_finding_has_one_name_for_ever() -> None:
    written = (
        b'{"article":"21","check":"blackjack_paid_three_to_two","evidence":'
        b'[{"leaf":"' + b"b" * 64 + b'","n":40,"stream":"house"},'
        b'{"leaf":"' + b"a" * 64 + b'","n":12,"stream":"table/BJ-06"}],'
        b'"expected":{"returned_cents":5000},"observed":{"returned_cents":4000},'
        b'"readings":["no-peek"],"rulebook":"pt","v":2,'
        b'"where":{"box":4,"hand":1,"kind":"main","owner":"J4"}}'
    )
    assert key_of(FOUND) == sha256(written).hexdigest()
    assert key_of(FOUND).startswith("11b2f12c703c9f76")


@pytest.mark.parametrize(
    "change",
    [
        {"rulebook": "es"},
        {"article": "20"},
        {"check": "bank_draws_to_sixteen"},
        {"evidence": FOUND.evidence[:1]},
        {"where": {**FOUND.where, "box": 5}},
        {"observed": {"returned_cents": 4500}},
        {"expected": {"returned_cents": 5500}},
        {"readings": ()},
    ],
)
def test_whatever_was_found_otherwise_has_another_name(change: dict[str, Any]) -> None:
    assert key_of(replace(FOUND, **change)) != key_of(FOUND)


def test_the_bytes_an_entry_was_sealed_with_are_in_the_name_and_the_id_of_its_row_is_not() -> None:
    forged = {**NAMED, ONE: replace(NAMED[ONE], leaf="c" * 64)}
    assert key_of(FOUND, forged) != key_of(FOUND)
    renamed = {"another": NAMED[ONE], OTHER: NAMED[OTHER]}
    assert key_of(replace(FOUND, evidence=("another", OTHER)), renamed) == key_of(FOUND)


def test_what_a_run_changed_knows_no_order_and_no_key_twice() -> None:
    assert keys.changes_of(["b", "a", "a"], []) == keys.changes_of(["a", "b"], [])
    assert keys.changes_of(["a"], ["b"]).digest != keys.changes_of(["b"], ["a"]).digest


def test_order_severity_and_amount_owed_make_no_other_finding() -> None:
    other = replace(
        FOUND,
        evidence=FOUND.evidence[::-1],
        where=dict(reversed(FOUND.where.items())),
        severity="warning",
        owed_cents=999,
    )
    assert key_of(other) == key_of(FOUND)


def test_a_record_of_a_finding_has_a_name_for_each_time() -> None:
    name = key_of(FOUND)
    made = [keys.event_key(what, name, n) for what in ("raised", "superseded") for n in (0, 1)]
    assert len(set(made)) == 4
    assert keys.event_key("raised", name, 0) == keys.event_key("raised", name, 0)


def test_the_digest_knows_no_order() -> None:
    counts = {"entries": 5, "rounds": 3}
    assert keys.digest_of(counts, ["b", "a"]) == keys.digest_of(counts, ["a", "b", "a"])
    assert keys.digest_of(counts, ["a"]) != keys.digest_of(counts, ["b"])
    assert keys.digest_of({**counts, "rounds": 4}, ["a"]) != keys.digest_of(counts, ["a"])


def sized(rounds: int, place: int, most: int) -> Size:
    """A partida whose rounds stand at the numbers 10, 11, 12 ... of its stream."""
    cuts = tuple(range(10, 10 + rounds, most)) if rounds > most else ()
    return Size(f"BJ-{place:02d}/2026-11-20/1", rounds, cuts)


@given(st.lists(st.integers(0, 60), max_size=60), st.integers(1, 20))
def test_every_round_is_judged_once(rounds: list[int], most: int) -> None:
    sizes = [sized(count, place, most) for place, count in enumerate(rounds)]
    parts: list[Part] = list(cut(sizes, most))
    assert sum(part.rounds for part in parts) == sum(rounds)
    assert all(part.rounds <= most and len(part.works) <= PARTIDAS_IN_PART for part in parts)
    works: list[Work] = [work for part in parts for work in part.works]
    for size in sizes:
        mine = [work for work in works if work.partida == size.partida]
        if size.rounds <= most:
            assert [work.what for work in mine] == ["all"]
            continue
        assert [work.what for work in mine[:1]] == ["procedures"]
        numbers = range(10, 10 + size.rounds)
        for n in numbers:
            assert sum(work.first <= n <= work.last for work in mine[1:]) == 1
        # A round recorded after the cutting falls into the last piece, not between two.
        assert mine[-1].last > 10**9
