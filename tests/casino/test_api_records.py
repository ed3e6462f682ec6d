"""The API records and reads: the unlawful is recorded, what is sent twice is one record."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Final
from uuid import uuid4

import pytest
from django.test import Client

from casino import clock
from casino.models import BookEntry
from casino.reading.payload import payload_of
from casino.tlog.canonical import instant_text
from tests.casino.api_calls import API, PARTIDA, burn, errors, post
from tests.casino.refused_json import REFUSED
from tests.factories.events.every import FULL
from tests.factories.people import somebody
from tests.factories.records import PIT as WRITES
from tests.factories.records import burnt, corrects, recorded

LARGEST: Final = 256 * 1024
pytestmark = pytest.mark.django_db


@pytest.fixture
def pit() -> Client:
    return somebody("fiscal_de_banca")


def test_what_is_recorded_is_answered_with_its_receipt(pit: Client) -> None:
    answer = post(pit, "card-burns", burn())
    assert answer.status_code == 201, answer.content
    told = answer.json()
    entry = BookEntry.objects.select_related("stream").get(pk=told["entry"])
    assert (entry.stream.name, entry.n) == (told["stream"], told["n"])
    assert bytes(entry.leaf_hash).hex() == told["leaf"]
    assert json.loads(bytes(entry.entry))["who"] == {
        "door": "api", "office": "fiscal_de_banca", "staff": "S-0187"
    }  # fmt: skip
    assert answer["Location"] == f"{API}/card-burns/{entry.pk}"
    read = pit.get(answer["Location"])
    assert read.status_code == 200
    assert read.json()["event"] == burn()["event"]
    assert read.json()["standing"] == "holds"


def test_what_is_unlawful_is_recorded_and_the_answer_says_what_it_opens(pit: Client) -> None:
    before = pit.post(f"{API}/card-burns/preview", burn(9), content_type="application/json")
    assert BookEntry.objects.filter(kind="card-burned/1").count() == 0
    answer = post(pit, "card-burns", burn(9))
    assert answer.status_code == 201
    found = answer.json()["findings"]
    assert found == before.json()["findings"] != []
    assert {"check", "article", "cited", "statement", "heading", "observed"} <= found[0].keys()
    event = burn(9)["event"] | {"despite": [{"check": found[0]["check"], "reason": "order"}]}
    given = post(pit, "card-burns", burn(9) | {"event": event})
    assert given.status_code == 201, given.content
    rows = [json.loads(bytes(one.entry))["payload"] for one in BookEntry.objects.order_by("n")]
    assert [row.get("despite") for row in rows if row.get("cards") == 9] == [
        None,
        [{"check": found[0]["check"], "reason": "order"}],
    ]


def test_sent_twice_it_is_answered_out_of_the_book(pit: Client) -> None:
    key = str(uuid4())
    first, again = (post(pit, "card-burns", burn(9), key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    told, later = first.json(), again.json()
    assert (told.pop("repeated"), later.pop("repeated")) == (False, True)
    assert told == later
    other = post(pit, "card-burns", burn(8), key)
    assert other.status_code == 422
    assert errors(other) == [("$", "key-reused")]
    # Of another kind too, and from another person.
    assert post(pit, "cuts", burn(8), key).status_code == 400
    assert post(somebody("fiscal_chefe"), "card-burns", burn(9), key).status_code == 422
    assert BookEntry.objects.filter(key=key).count() == 1


def test_a_key_is_a_uuid_and_is_asked(pit: Client) -> None:
    for headers in ({}, {"Idempotency-Key": "7"}):
        answer = pit.post(
            f"{API}/card-burns", burn(), content_type="application/json", headers=headers
        )
        assert answer.status_code == 400
        assert errors(answer) == [("header:Idempotency-Key", "key")]


def changed(**fields: object) -> Callable[[], dict[str, object]]:
    return lambda: burn() | {"event": {**burn()["event"], **fields}}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (list, "$"),
        (dict, "$.event"),
        (lambda: burn() | {"more": 1}, "$.more"),
        (lambda: burn() | {"occurred_at": "2026-11-20T21:15:00"}, "$.occurred_at"),
        (lambda: burn() | {"occurred_at": "2026-11-31T21:15:00Z"}, "$.occurred_at"),
        (lambda: burn() | {"occurred_at": "٢٠٢٦-11-20T21:15:00Z"}, "$.occurred_at"),
        (lambda: burn() | {"event": []}, "$.event"),
        (changed(cards="1"), "$.event.cards"),
        (changed(cards=True), "$.event.cards"),
        (changed(cards=-1), "$.event.cards"),
        (changed(table="BJ\0"), "$.event.table"),
        (changed(table=None), "$.event.table"),
        (changed(partida="BJ-07/2026-11-20/1"), "$.event.partida"),
        (changed(unknown=1), "$.event.unknown"),
        (lambda: burn() | {"supersedes": {"n": 1}}, "$.supersedes.leaf"),
        (lambda: burn() | {"supersedes": 1}, "$.supersedes"),
    ],
)
def test_what_is_malformed_is_refused_with_its_place(
    pit: Client, body: Callable[[], object], pointer: str
) -> None:
    before = BookEntry.objects.count()
    answer = post(pit, "card-burns", body())
    assert answer.status_code == 400, answer.content
    assert [at for at, _ in errors(answer)] == [pointer]
    assert BookEntry.objects.count() == before


@pytest.mark.parametrize(
    ("data", "path", "words"), [one for one in REFUSED if 0 < len(one[0]) < LARGEST]
)
def test_two_readers_of_a_body_read_the_same(
    pit: Client, data: bytes, path: str, words: str
) -> None:
    answer = post(pit, "card-burns", data)
    assert answer.status_code == 400
    assert errors(answer) == [(path, "malformed")]
    assert words in answer.json()["errors"][0]["detail"]


def test_what_is_still_to_come_is_refused(pit: Client) -> None:
    later = instant_text(clock.now() + timedelta(hours=1))
    for place in ("card-burns", "card-burns/preview"):
        answer = post(pit, place, burn() | {"occurred_at": later})
        assert answer.status_code == 400
        assert errors(answer) == [("$.occurred_at", "malformed")]


def test_a_body_has_its_size_and_its_type(pit: Client) -> None:
    large = json.dumps(burn() | {"more": "x" * LARGEST}).encode()
    assert post(pit, "card-burns", large).status_code == 413
    assert post(Client(), "card-burns", large).status_code == 413
    form = pit.post(f"{API}/card-burns", {"event": "null"})
    assert (form.status_code, form["Content-Type"]) == (415, "application/problem+json")


def test_an_address_there_is_not_answers_json(pit: Client) -> None:
    for client in (pit, Client()):
        for place in ("/api/", "/api/v1/nothing", "/api/v2/rounds", "/api/v1/rounds/"):
            answer = client.get(place)
            assert (answer.status_code, errors(answer)) == (404, []), place


def test_words_are_in_the_callers_language(pit: Client) -> None:
    said = {}
    for language in ("pt", "en"):
        answer = pit.post(
            f"{API}/card-burns",
            burn() | {"occurred_at": "x"},
            content_type="application/json",
            headers={"Idempotency-Key": str(uuid4()), "Accept-Language": language},
        )
        said[language] = answer.json()["errors"][0]
    assert said["en"]["detail"].startswith('found "x"; asked is a moment')
    assert said["pt"]["detail"].startswith('encontrado "x"')
    assert said["pt"]["found"] == '"x"'


def test_a_correction_is_the_same_record_as_it_should_have_been(pit: Client) -> None:
    wrong = recorded(burnt(2), by=WRITES)
    link = corrects(wrong)
    named = {"n": link.n, "leaf": link.leaf, "reason": link.reason}
    answer = post(pit, "card-burns", burn(1, supersedes=named))
    assert answer.status_code == 201, answer.content
    asked = pit.get(answer["Location"]).json()
    assert (asked["standing"], asked["supersedes"]["n"]) == ("waiting", wrong.n)
    again = post(pit, "card-burns", burn(0, supersedes=named))
    assert (again.status_code, errors(again)) == (422, [("$", "correction-pending")])


def test_a_withdrawal_is_asked_for(pit: Client) -> None:
    wrong = recorded(burnt(2), by=WRITES)
    entry = {"stream": wrong.stream, "n": wrong.n, "leaf": wrong.leaf}
    event = {
        "entry": entry,
        "act": "card-burned/1",
        "reason": "tapped_by_mistake",
        "table": "BJ-06",
        "partida": PARTIDA,
    }
    body = {"occurred_at": instant_text(clock.now()), "event": event}
    answer = post(pit, "withdrawal-requests", body)
    assert answer.status_code == 201, answer.content
    assert pit.get(f"{API}/card-burns/{wrong.entry_id}").json()["standing"] == "withdrawal asked"
    nothing = post(pit, "withdrawal-requests", body | {"event": event | {"act": "nothing/1"}})
    assert (nothing.status_code, errors(nothing)) == (400, [("$.event.act", "malformed")])
    rounds = post(pit, "withdrawal-requests", body | {"event": event | {"act": "deck-received/1"}})
    assert (rounds.status_code, rounds.json()["type"].rpartition(":")[2]) == (403, "not-allowed")


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        *(("colour=red", "colour"), ("limit=0", "limit"), ("limit=501", "limit")),
        *(("cursor=%D9%A1", "cursor"), ("entry__kind=x", "entry__kind"), ("limit=1e1", "limit")),
        *(("q=%00", "q"), ("table=%00", "table")),
    ],
)
def test_a_parameter_nobody_knows_is_refused(asked: str, name: str) -> None:
    answer = somebody("fiscal_chefe").get(f"{API}/card-burns?{asked}")
    assert (answer.status_code, errors(answer)) == (400, [(f"query:{name}", "parameter")])


def test_a_private_value_is_shown_to_nobody(pit: Client) -> None:
    event = payload_of(FULL["deck-inspected/1"])
    assert isinstance(event["note"], str)
    answer = post(pit, "deck-inspections", burn() | {"event": event})
    assert answer.status_code == 201, answer.content
    assert list(pit.get(answer["Location"]).json()["event"]["note"]) == ["hmac_sha256"]
