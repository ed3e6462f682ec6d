"""Machines: who gets a token, what it opens, numbered messages, four hours sent again."""

import json
import re
from base64 import b64encode
from datetime import date, timedelta
from random import Random
from typing import Any, Final

import pytest
from django.test import Client
from oauth2_provider.models import AccessToken, Application

from audit.watch.alert_words import MESSAGES
from audit.watch.silent import silent
from casino import clock
from casino.api.api_resources import resources
from casino.api.machine_tokens import NoSuchMachine, make_machine, renew_secret, revoke
from casino.models import Account, ApiClient, ApiMessage, BookEntry, Round, ShufflerReport
from casino.reading.payload import payload_of
from casino.reading.round_writer import round_as_object
from casino.recording.authority import writers_of
from casino.simulation import evening
from casino.tlog.canonical import instant_text
from tests.casino.api_calls import API, errors, post
from tests.factories.events.every import FULL
from tests.factories.people import appoint, somebody, write
from tests.stages import recorded_once

NUMBER: Final = "D-0900"
DAY: Final = date(2026, 11, 12)
ROUNDS: Final = [round_as_object(record) for record, _ in evening(5, 1, 60, 0.0, DAY)]
TABLE: Final = str(ROUNDS[0]["table"])
ALL: Final = ("rounds", "records", "read")


@recorded_once
def secret() -> str:
    """A device of two tables, and its secret."""
    appoint(NUMBER, "dispositivo")
    return make_machine(NUMBER, [TABLE, "BJ-06"], ALL, "S-0003")[1]


def token_of(number: str, secret: str, **more: str) -> Any:
    basic = b64encode(f"{number}:{secret}".encode()).decode()
    body = {"grant_type": "client_credentials", **more}
    return Client().post("/api/token", body, headers={"Authorization": f"Basic {basic}"})


class Device:
    """A machine that numbers its messages, and keeps them."""

    def __init__(self, secret: str, number: str = NUMBER) -> None:
        answer = token_of(number, secret)
        assert answer.status_code == 200, answer.content
        self.client = Client(headers={"authorization": f"Bearer {answer.json()['access_token']}"})
        self.sent = 0

    def send(self, noun: str, body: object, *, n: int | None = None, **headers: str) -> Any:
        self.sent = self.sent + 1 if n is None else self.sent
        at = headers.pop("at", instant_text(clock.now()))
        named = {"Message-Number": str(n or self.sent), "Message-Sent-At": at, **headers}
        key = headers.pop("key", None)
        if key is None and isinstance(body, dict) and "round" in body:
            key = str(body["round"])
        return post(self.client, noun, body, key, **named)


def test_a_machine_is_let_in_by_its_secret_alone(secret: str) -> None:
    answer = token_of(NUMBER, secret)
    assert answer.status_code == 200
    given = answer.json()
    assert (given["token_type"], given["expires_in"]) == ("Bearer", 900)
    assert given["scope"].split() == [*ALL]
    for number, wrong in ((NUMBER, secret[:-1]), (NUMBER, ""), ("D-0901", secret)):
        assert token_of(number, wrong).status_code == 401
    kept = AccessToken.objects.get()
    assert given["access_token"] not in (kept.token, kept.token_checksum)
    assert Application.objects.get().client_secret.startswith("argon2")
    assert not Account.objects.get(staff=NUMBER).has_usable_password()


@pytest.mark.parametrize(
    "asked",
    [
        {"grant_type": "password", "username": "S-0187", "password": "x"},
        {"grant_type": "authorization_code", "code": "x"},
        {"grant_type": "refresh_token", "refresh_token": "x"},
        {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "x"},
        {"scope": "rounds everything"},
    ],
)
def test_no_other_grant_is_open(secret: str, asked: dict[str, str]) -> None:
    answer = token_of(NUMBER, secret, **asked)
    assert answer.status_code in (400, 401, 404), answer.content
    assert "error" in answer.json()
    assert not AccessToken.objects.exists()


def test_wrong_secrets_are_counted(secret: str) -> None:
    found = [token_of(NUMBER, "wrong").status_code for _ in range(12)]
    assert found == [401] * 10 + [429] * 2


@pytest.mark.parametrize("value", ["\0", "\ud800".encode("utf-8", "surrogatepass"), "é" * 999])
def test_what_no_text_can_be_is_no_number(secret: str, value: Any) -> None:
    body = {"grant_type": "client_credentials", "client_id": value, "client_secret": value}
    for place in ("/api/token", "/api/revoke"):
        assert Client().post(place, body | {"token": value}).status_code in (400, 401)


def test_a_token_that_ended_or_is_nobodys_opens_nothing(secret: str) -> None:
    device = Device(secret)
    place = f"{API}/rounds/preview"
    ask = {"path": place, "data": ROUNDS[0], "content_type": "application/json"}
    assert device.client.post(**ask).status_code == 200
    for wrong in ("Bearer x", "Bearer é", "Basic x", "x", "Bearer"):
        answer = Client(headers={"authorization": wrong}).post(**ask)
        assert (answer.status_code, answer["WWW-Authenticate"]) == (401, 'Bearer realm="api"')
    AccessToken.objects.update(expires=clock.now() - timedelta(seconds=1))
    assert device.client.post(**ask).status_code == 401


def test_a_new_secret_and_a_revocation_end_what_was_before(secret: str) -> None:
    device, client = Device(secret), ApiClient.objects.get()
    other = renew_secret(client)
    assert device.send("rounds", ROUNDS[0]).status_code == 401
    assert token_of(NUMBER, secret).status_code == 401
    later = Device(other)
    assert later.send("rounds", ROUNDS[0]).status_code == 201
    revoke(client, clock.now())
    assert later.send("rounds", ROUNDS[1]).status_code == 401
    assert token_of(NUMBER, other).status_code == 401


def test_a_machine_gives_its_token_back(secret: str) -> None:
    answer = token_of(NUMBER, secret).json()["access_token"]
    body = {"token": answer, "client_id": NUMBER, "client_secret": secret}
    assert Client().post("/api/revoke", body).status_code == 200
    assert not AccessToken.objects.exists()


def test_a_machine_records_as_a_device_at_its_tables(secret: str) -> None:
    device = Device(secret)
    answer = device.send("rounds", ROUNDS[0])
    assert answer.status_code == 201, answer.content
    body = json.loads(bytes(BookEntry.objects.get(pk=answer.json()["entry"]).entry))
    assert body["who"] == {"door": "api", "office": "dispositivo", "staff": NUMBER}
    elsewhere = json.loads(json.dumps(ROUNDS[1]).replace(TABLE, "BJ-77"))
    refused = device.send("rounds", elsewhere)
    assert (refused.status_code, refused.json()["type"].rpartition(":")[2]) == (
        403,
        "not-at-this-table",
    )


def test_a_round_paid_wrongly_is_recorded_and_found_before_the_answer(secret: str) -> None:
    device, wrong = Device(secret), json.loads(json.dumps(ROUNDS[0]))
    wager = wrong["boxes"][0]["wagers"][0]
    wager["returned_cents"] += 500
    first, again = (device.send("rounds", wrong) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["findings"]
    assert first.json()["findings"] == again.json()["findings"]
    assert not device.send("rounds", ROUNDS[1]).json()["findings"]


def test_what_asks_for_a_person_is_no_machines(secret: str) -> None:
    appoint(NUMBER, "chefia_da_sala")  # whatever else its number may be
    device = Device(secret)
    for one in resources():
        if one.posts and one.kind in FULL and not one.is_round:
            body = {
                "occurred_at": "2026-11-20T21:00:00Z",
                "event": payload_of(FULL[one.kind]),
            }
            answer = device.send(f"{one.noun}/preview", body)
            may = "dispositivo" in writers_of(one.kind)
            assert (answer.status_code != 403) is may or may, (one.noun, answer.content)
            if not may:
                assert answer.status_code == 403, one.noun


def test_a_shuffler_reports_of_itself_and_nobody_in_its_stead(secret: str) -> None:
    device = Device(secret)
    event = {"table": "BJ-06", "shuffler": "CSM-04", "phase": "ended", "cards": 311}
    sent = {"occurred_at": "2026-11-20T21:00:00Z", "event": event}
    answer = device.send("shuffler-cycles", sent)
    assert answer.status_code == 201, answer.content
    row = ShufflerReport.objects.get()
    assert (row.shuffler, row.phase, row.cards, row.staff) == ("CSM-04", "ended", 311, NUMBER)
    for wrong in ({"phase": "started"}, {"mode": "deal"}, {"cards": -1}, {"shuffler": None}):
        refused = device.send("shuffler-cycles", sent | {"event": event | wrong}, n=2)
        assert refused.status_code in (400, 422), refused.content
        assert errors(refused)
    for elsewhere in ({"table": "BJ-07"}, {"table": None}):
        body = {name: value for name, value in (event | elsewhere).items() if value is not None}
        assert device.send("shuffler-cycles", sent | {"event": body}, n=2).status_code == 403
    for office in ("fiscal_de_banca", "chefia_da_sala", "administrador"):
        assert post(somebody(office), "shuffler-cycles", sent).status_code == 403, office
    assert ShufflerReport.objects.count() == 1


def test_a_scope_is_what_a_token_opens(secret: str) -> None:
    for scope in ALL:
        answer = token_of(NUMBER, secret, scope=scope)
        client = Client(headers={"authorization": f"Bearer {answer.json()['access_token']}"})
        kinds = {
            "rounds": client.post(f"{API}/rounds/preview", ROUNDS[0], "application/json"),
            "records": client.post(f"{API}/seat-takings/preview", {}, "application/json"),
            "read": client.get(f"{API}/tables?limit=0"),
        }
        opened = [name for name, one in kinds.items() if one.status_code in (200, 400)]
        # Its office reads nothing, so that its token alone does not either.
        assert opened == ([scope] if scope != "read" else []), (scope, kinds)


@pytest.mark.django_db
def test_a_reading_machine_reads_as_its_number_may() -> None:
    appoint("X-0007", "auditor")
    _, secret = make_machine("X-0007", [], ("read",), "S-0003")
    device = Device(secret, "X-0007")
    assert device.client.get(f"{API}/rounds").status_code == 200
    assert device.client.get(f"{API}/finding-notes").status_code == 403
    answer = device.send("finding-assignments", {})
    assert answer.status_code == 403


def test_messages_are_numbered_and_one_number_is_one_body(secret: str) -> None:
    device = Device(secret)
    assert device.send("rounds", ROUNDS[0]).status_code == 201
    assert device.send("rounds", ROUNDS[0], n=1).status_code == 200
    other = device.send("rounds", ROUNDS[1], n=1)
    assert (other.status_code, other.json()["type"].rpartition(":")[2]) == (
        422,
        "message-number-reused",
    )
    assert device.send("rounds", {**ROUNDS[1], "table": 7}, n=2).status_code == 400
    assert device.send("rounds", ROUNDS[2], n=4).status_code == 201
    client = ApiClient.objects.get()
    assert (client.highest, client.taken, client.missing) == (4, 2, 2)
    assert device.send("rounds", ROUNDS[1], n=2).status_code == 201
    assert ApiClient.objects.get().missing == 1
    assert Round.objects.count() == 3


@pytest.mark.parametrize(
    ("headers", "pointer"),
    [
        ({"Message-Number": "0"}, "Message-Number"),
        ({"Message-Number": "٣"}, "Message-Number"),
        ({"Message-Number": "1.5"}, "Message-Number"),
        ({"Message-Number": "99999999999999999"}, "Message-Number"),
        ({"at": "2026-11-12T22:00:00"}, "Message-Sent-At"),
        ({"at": ""}, "Message-Sent-At"),
    ],
)
def test_a_message_says_its_number_and_its_moment(
    secret: str, headers: dict[str, str], pointer: str
) -> None:
    answer = Device(secret).send("rounds", ROUNDS[0], **headers)
    assert (answer.status_code, [at for at, _ in errors(answer)]) == (400, [f"header:{pointer}"])
    assert not Round.objects.exists()


def test_a_clock_that_is_wrong_is_measured(secret: str) -> None:
    device = Device(secret)
    at = instant_text(clock.now() - timedelta(minutes=10))
    assert device.send("rounds", ROUNDS[0], at=at).status_code == 201
    assert ApiClient.objects.get().skew_ms // 1000 in (600, 601)
    assert ApiMessage.objects.get().sent_at < clock.now() - timedelta(minutes=9)


def test_what_a_device_kept_for_hours_is_sent_shuffled_and_doubled(secret: str) -> None:
    device = Device(secret)
    parts = [ROUNDS[at : at + 7] for at in range(0, len(ROUNDS), 7)]
    messages = list(enumerate(parts, start=1))
    sent = messages * 2
    Random(5).shuffle(sent)
    for n, part in sent:
        answer = device.send("rounds/batch", {"rounds": part}, n=n)
        assert answer.status_code in (200, 201), answer.content
    assert Round.objects.count() == len(ROUNDS)
    assert ApiClient.objects.get().missing == 0
    assert ApiMessage.objects.count() == len(messages)


@pytest.mark.django_db
def test_who_logs_in_is_no_machine_and_a_machine_is_registered() -> None:
    appoint("S-0187", "fiscal_de_banca")
    Account.objects.create_user("S-0187", "a password for tests")
    for number, scopes in (("S-0187", ALL), ("D-0999", ALL), ("S-0187", ())):
        with pytest.raises(NoSuchMachine):
            make_machine(number, [], scopes, "S-0003")


@pytest.mark.django_db
def test_the_secret_is_shown_once_to_whoever_made_it() -> None:
    appoint(NUMBER, "dispositivo")
    write(FULL["table-registered/1"])
    table = FULL["table-registered/1"].table
    client, place = somebody("administrador"), "/admin/machines/"
    assert "No machine is kept yet." in client.get(place).content.decode()
    asked = {"number": NUMBER, "tables": [table], "scopes": ["rounds", "read"]}
    made = client.post(place, asked).content.decode()
    first = re.findall(r"<code>(\w{100,})</code>", made)[0]
    assert token_of(NUMBER, first).status_code == 200
    assert first not in client.get(place).content.decode()
    kept = ApiClient.objects.get()
    assert (kept.tables, kept.scopes, kept.made_by) == ([table], ["rounds", "read"], "S-0009")
    renewed = client.post(place, {"machine": NUMBER, "renew": "1"}).content.decode()
    second = re.findall(r"<code>(\w{100,})</code>", renewed)[0]
    assert (token_of(NUMBER, first).status_code, token_of(NUMBER, second).status_code) == (401, 200)
    client.post(place, {"machine": NUMBER, "revoke": "1"})
    assert token_of(NUMBER, second).status_code == 401
    assert "revoked" in client.get(place).content.decode()
    for wrong in ({"number": "X-1"}, {"scopes": []}, {"tables": ["BJ-99"]}):
        assert 'class="mark breach"' in client.post(place, asked | wrong).content.decode()
    assert ApiClient.objects.count() == 1


def test_a_message_that_never_came_is_an_alert(secret: str) -> None:
    device, now = Device(secret), clock.now()
    assert device.send("rounds", ROUNDS[0], n=2).status_code == 201
    late = now + timedelta(minutes=16)
    assert [one.what for one in silent(now)] == []
    assert MESSAGES in [one.what for one in silent(late)]
    assert device.send("rounds", ROUNDS[1], n=1).status_code == 201
    assert MESSAGES not in [one.what for one in silent(late)]
