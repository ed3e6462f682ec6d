"""Bodies nobody should send, for every kind that is recorded: never a fault, never another value.

Of each kind some hundred are made of its own fields. `make test` asks two kinds, drawn by the
commit; `make check` all. What schemathesis makes of the description is asked beside it.
"""

import json
from base64 import b64encode
from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

import pytest
import schemathesis
from django.db import connection
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino import clock
from casino.api.api_resources import resources
from casino.api.machine_tokens import make_machine
from casino.events.event_policy import DEVICE
from casino.extensions import event_kinds
from casino.models import BookEntry
from casino.reading.payload import payload_of
from casino.recording.authority import writers_of
from casino.tlog.canonical import instant_text
from tests.casino.api_calls import API, KEPT
from tests.casino.refused_json import REFUSED
from tests.factories.events.every import FULL
from tests.factories.people import CAST, appoint, somebody
from tests.gate import drawn, size
from tests.stages import recorded_once

MACHINE: Final = "D-0900"
WRITES: Final = [one for one in resources() if one.posts]
NONE_AT_ALL: Final = (
    None, {}, [], [[]], {"a": {"b": 1}}, 2**53 - 1, 10**12 + 1, -1, "", " ", "\0", "\u202e",
    "é" * 5_000, "A" * 200_000, True, "2026-11-20T21:15:00", "٣",
    "../../etc/passwd", "'; DROP TABLE", "=1+1",
)  # fmt: skip


@recorded_once
def people() -> dict[str, Client]:
    """One of each office, and a device that is a machine at its tables."""
    appoint(MACHINE, DEVICE)
    secret = make_machine(MACHINE, ["BJ-06"], ("rounds", "records"), "S-0003")[1]
    basic = b64encode(f"{MACHINE}:{secret}".encode()).decode()
    asked = {"grant_type": "client_credentials"}
    token = Client().post("/api/token", asked, headers={"Authorization": f"Basic {basic}"}).json()
    device = Client(headers={"authorization": f"Bearer {token['access_token']}"})
    return {office: somebody(office) for office in CAST} | {DEVICE: device}


def bodies(one: Any) -> Iterator[bytes]:
    """Hostile bodies of a kind: each field as nobody means it, and what surrounds it."""
    event = payload_of(FULL[one.kind])
    whole = event if one.is_round else {"occurred_at": "2026-11-20T21:15:00Z", "event": event}
    for name in event:
        for value in NONE_AT_ALL:
            changed = {**event, name: value}
            yield json.dumps(changed if one.is_round else whole | {"event": changed}).encode()
    for text, _, _ in REFUSED:
        if 0 < len(text) < 200_000:
            yield text
    for value in NONE_AT_ALL:
        yield json.dumps(value).encode()
        yield json.dumps({**whole, "occurred_at": value}).encode()
        yield json.dumps({**whole, "supersedes": value}).encode()
    plain = json.dumps(whole).encode()
    yield plain[: len(plain) // 2]
    yield plain.replace(b"1", b"1.0", 1)
    yield plain + plain
    yield plain.replace(b"{", b'{"a":1,"a":1,', 1)


@pytest.mark.parametrize("noun", drawn([one.noun for one in WRITES], 2))
def test_no_body_is_a_fault_and_what_is_stored_is_what_was_sent(
    noun: str, people: dict[str, Client]
) -> None:
    one = next(each for each in WRITES if each.noun == noun)
    office = next(each for each in people if each in writers_of(one.kind))
    client, count = people[office], 0
    for body in bodies(one):
        before, count = BookEntry.objects.count(), count + 1
        numbered = {"Message-Number": str(count), "Message-Sent-At": instant_text(clock.now())}
        answer = client.post(
            f"{API}/{one.noun}",
            body,
            content_type="application/json",
            headers=numbered | ({} if one.is_round else {"Idempotency-Key": str(uuid4())}),
        )
        assert answer.status_code < 500, (body[:300], answer.content)
        stored = BookEntry.objects.count() - before
        if answer.status_code != 201:
            assert answer["Content-Type"] == "application/problem+json"
            assert stored == 0, (body[:300], answer.content)
            continue
        entry = json.loads(bytes(BookEntry.objects.get(pk=answer.json()["entry"]).entry))
        sent = json.loads(body)
        event = sent if one.is_round else sent["event"]
        private = event_kinds()[one.kind].private
        said = {key: value for key, value in event.items() if value != [] or key != "despite"}
        assert {key: entry["payload"][key] for key in said if key not in private} == {
            key: value for key, value in said.items() if key not in private
        }
    assert count >= 60


SCHEMA: Final = schemathesis.openapi.from_dict(KEPT)
OPERATIONS: Final = {one.ok().label: one.ok() for one in SCHEMA.get_all_operations()}
PEOPLE: Final = ("chefia_da_sala", "inspetor", "fiscal_de_banca")


@pytest.mark.parametrize("label", drawn(sorted(OPERATIONS), 3))
def test_what_the_description_allows_is_never_a_fault(
    label: str, people: dict[str, Client]
) -> None:
    with connection.cursor() as cursor:  # making up a case may take longer than a request may
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")

    @settings(
        max_examples=size(10, 60, 200),
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(case=OPERATIONS[label].as_strategy(), office=st.sampled_from(PEOPLE))
    def ask(case: Any, office: str) -> None:
        headers = {name: value for name, value in (case.headers or {}).items() if value.isascii()}
        url = case.formatted_path
        sent: dict[str, Any] = {"headers": headers}
        if case.method.upper() == "POST":
            sent |= {"data": json.dumps(case.body), "content_type": "application/json"}
            answer = people[office].post(url, **sent)
        else:
            answer = people[office].get(url, case.query or {}, **sent)
        assert answer.status_code < 500, answer.content
        good = "application/json" if answer.status_code < 400 else "application/problem+json"
        assert answer["Content-Type"] == good

    ask()
