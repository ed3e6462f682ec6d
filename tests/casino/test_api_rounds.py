"""Rounds by the API: each under its own UUID, alone or up to a thousand, all or none."""

import json
from datetime import date
from typing import Any, Final

import pytest
from django.test import Client

from casino.models import BookEntry, Round
from casino.reading.round_writer import round_as_object
from casino.simulation import evening
from tests.casino.api_calls import errors, post
from tests.factories.people import somebody
from tests.stages import recorded_once

DAY: Final = date(2026, 11, 12)
ROUNDS: Final = [round_as_object(record) for record, _ in evening(5, 2, 20, 0.2, DAY)]


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


def batch(client: Client, rounds: object) -> Any:
    return post(client, "rounds/batch", {"rounds": rounds})


def test_a_round_is_its_own_key(pit: Client) -> None:
    played = ROUNDS[0]
    key = str(played["round"])
    answers = [post(pit, "rounds", played, key) for _ in range(2)]
    assert [one.status_code for one in answers] == [201, 200]
    assert BookEntry.objects.get(key=key).pk
    other = post(pit, "rounds", ROUNDS[1], key)
    assert (other.status_code, errors(other)) == (400, [("header:Idempotency-Key", "key")])
    changed = post(pit, "rounds", {**played, "dealer": "P-999"}, key)
    assert (changed.status_code, errors(changed)) == (422, [("$", "key-reused")])


def test_what_was_paid_wrongly_is_recorded_and_found_at_once(pit: Client) -> None:
    found = [post(pit, "rounds", one, str(one["round"])).json()["findings"] for one in ROUNDS[:20]]
    assert any(found)
    assert Round.objects.count() == 20


def test_a_batch_is_recorded_whole_and_once(pit: Client) -> None:
    first = batch(pit, ROUNDS)
    assert first.status_code == 201, first.content
    receipts = first.json()["receipts"]
    keys = [str(one["round"]) for one in ROUNDS]
    entries = {str(one.key): str(one.pk) for one in BookEntry.objects.filter(key__in=keys)}
    assert [one["entry"] for one in receipts] == [entries[key] for key in keys]
    again = batch(pit, ROUNDS[::-1] + ROUNDS[:5])
    assert again.status_code == 200
    assert all(one["repeated"] for one in again.json()["receipts"])
    assert Round.objects.count() == len(ROUNDS)


def test_of_a_batch_every_error_is_named_and_nothing_is_stored(pit: Client) -> None:
    wrong = [dict(one) for one in ROUNDS]
    wrong[3]["table"] = 7
    wrong[8].pop("bank")
    answer = batch(pit, wrong)
    assert answer.status_code == 400
    assert errors(answer) == [
        ("$.rounds[3].table", "malformed"),
        ("$.rounds[8].bank", "malformed"),
    ]
    assert Round.objects.count() == 0


def test_a_round_still_to_come_is_named_in_its_batch(pit: Client) -> None:
    late = json.loads(json.dumps(ROUNDS[4]).replace("2026-11-1", "2066-11-1"))
    answer = batch(pit, [ROUNDS[0], late])
    assert answer.status_code == 400
    assert [at for at, _ in errors(answer)] == ["$.rounds[1].occurred_at"]
    assert Round.objects.count() == 0


def test_one_that_reuses_a_key_stops_its_batch(pit: Client) -> None:
    assert batch(pit, ROUNDS[:2]).status_code == 201
    answer = batch(pit, [*ROUNDS[5:8], {**ROUNDS[1], "dealer": "P-999"}])
    assert (answer.status_code, errors(answer)) == (422, [("$.rounds[3]", "key-reused")])
    assert Round.objects.count() == 2


@pytest.mark.parametrize("rounds", [[], {}, None, "x", [ROUNDS[0]] * 1001])
def test_a_batch_is_a_list_of_one_to_a_thousand(pit: Client, rounds: object) -> None:
    answer = batch(pit, rounds)
    assert (answer.status_code, errors(answer)) == (400, [("$.rounds", "malformed")])


def test_a_batch_has_four_megabytes_and_everything_else_a_sixteenth(pit: Client) -> None:
    spaces = b" " * (4 * 2**20)
    assert post(pit, "rounds/batch", b'{"rounds":[]}' + spaces[: 2**20]).status_code == 400
    assert post(pit, "rounds/batch", b'{"rounds":[]}' + spaces).status_code == 413
    assert post(pit, "rounds", spaces[: 2**18] + b"{}").status_code == 413
