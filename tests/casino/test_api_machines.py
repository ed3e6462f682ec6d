"""Machines: who gets a token, what it opens, numbered messages, four hours sent again."""

import json
import re
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from random import Random
from typing import Any, Final

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import Client
from oauth2_provider.models import AccessToken, Application
from oauth2_provider.oauth2_validators import OAuth2Validator

from audit.watch.alert_words import MESSAGES
from audit.watch.silent import silent
from casino import clock
from casino.api.api_resources import resources
from casino.api.machine_tokens import NoSuchMachine, make_machine, renew_secret, revoke
from casino.models import (
    Account,
    ApiClient,
    ApiMessage,
    BookEntry,
    LoginTry,
    Round,
    ShoeReport,
    ShufflerReport,
    StakeReport,
)
from casino.reading.payload import payload_of
from casino.reading.round_writer import round_as_object
from casino.recording.authority import writers_of
from casino.simulation import evening
from casino.tlog.canonical import instant_text
from tests.casino.api_calls import API, errors, post
from tests.factories.events.every import FULL
from tests.factories.people import appoint, somebody, write
from tests.stages import recorded_once

pytestmark = pytest.mark.share

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


def test_what_compared_no_secret_counts_as_no_wrong_one(secret: str) -> None:
    refused = ({"scope": "everything"}, {"grant_type": "password"})
    for asked in refused * 6:
        assert token_of(NUMBER, secret, **asked).status_code == 400
    for value in ["\0"] * 12:
        assert token_of(value, value).status_code == 400
    assert not LoginTry.objects.exists()
    assert token_of(NUMBER, secret).status_code == 200


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_database_that_goes_away_makes_no_secret_wrong(
    fresh_db: str, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    appoint(NUMBER, "dispositivo")
    right = make_machine(NUMBER, [TABLE], ALL, "S-0003")[1]
    compare = OAuth2Validator._check_secret

    def interrupted(validator: Any, *secrets: str) -> bool:
        compared: bool = when == "after" and compare(validator, *secrets)
        cursor = connection.cursor()
        cursor.execute("RESET ROLE")
        with pytest.raises(OperationalError):
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        cursor = connection.cursor()  # as whatever the library asks next
        cursor.execute("SELECT 1")
        return compared

    with monkeypatch.context() as patch:
        patch.setattr(OAuth2Validator, "_check_secret", interrupted)
        for _ in range(12):
            with pytest.raises((OperationalError, InterfaceError)):
                token_of(NUMBER, right)
            connection.close()
    assert not LoginTry.objects.exists()
    assert token_of(NUMBER, right).status_code == 200
    assert [token_of(NUMBER, "wrong").status_code for _ in range(11)] == [401] * 10 + [429]


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


def test_a_shoe_reports_its_cards_and_nobody_in_its_stead(secret: str) -> None:
    device, partida = Device(secret), "BJ-06/2026-11-20/1"
    event = {"table": "BJ-06", "partida": partida, "shoe": 2, "position": 17, "card": "KS"}
    sent = {"occurred_at": "2026-11-20T21:00:00Z", "event": event}
    key = "0193479e-1111-7c3e-9a54-0c6f2b1d7e10"
    numbered = {"Message-Number": "1", "Message-Sent-At": instant_text(clock.now())}
    first, again = (post(device.client, "cards-out", sent, key, **numbered) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200), again.content
    assert (first.json()["findings"], again.json()["findings"]) == ([], [])
    row = ShoeReport.objects.get()
    assert (row.partida_id, row.shoe, row.position, row.card) == (partida, 2, 17, "KS")
    for wrong in ({"position": 0}, {"position": 2001}, {"card": "KX"}, {"shoe": None}):
        refused = device.send("cards-out", sent | {"event": event | wrong}, n=2)
        assert refused.status_code in (400, 422), refused.content
        assert errors(refused)
    assert post(somebody("fiscal_de_banca"), "cards-out", sent).status_code == 403
    assert ShoeReport.objects.count() == 1


def test_a_sensor_reports_stakes_and_nobody_in_its_stead(secret: str) -> None:
    device, partida = Device(secret), "BJ-06/2026-11-20/1"
    played = "0193479e-6b1c-7c3e-9a54-0c6f2b1d7e10"
    event = {"table": "BJ-06", "partida": partida, "round": played, "box": 3}
    event |= {"phase": "closed", "amount_cents": 2500}
    sent = {"occurred_at": "2026-11-20T21:00:00Z", "event": event}
    key = "0193479e-1111-7c3e-9a54-0c6f2b1d7e10"
    numbered = {"Message-Number": "1", "Message-Sent-At": instant_text(clock.now())}
    first, again = (post(device.client, "stake-signals", sent, key, **numbered) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200), again.content
    row = StakeReport.objects.get()
    assert (str(row.round), row.box, row.phase, row.amount_cents) == (played, 3, "closed", 2500)
    refused = [{"amount_cents": -1}, {"amount_cents": 2.5}, {"phase": "open"}, {"box": 0}]
    for wrong in [*refused, {"round": None}, {"owner": ""}, {"box": 100}]:
        answer = device.send("stake-signals", sent | {"event": event | wrong}, n=2)
        assert answer.status_code in (400, 422), answer.content
        assert errors(answer)
    assert post(somebody("fiscal_de_banca"), "stake-signals", sent).status_code == 403
    assert StakeReport.objects.count() == 1


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


PLACE: Final = "/admin/machines/"


def secret_on(page: str) -> str:
    """The secret a page shows; "" for none."""
    return next(iter(re.findall(r'<code class="secret">(\w{100,})</code>', page)), "")


def seen_on(page: str) -> dict[str, str]:
    """What the form of the one machine carries."""
    (mark,) = re.findall(r'name="seen" value="([^"]+)"', page)
    return {"machine": NUMBER, "seen": mark}


@pytest.mark.django_db
def test_the_secret_is_shown_once_to_whoever_made_it() -> None:
    appoint(NUMBER, "dispositivo")
    write(FULL["table-registered/1"])
    table = FULL["table-registered/1"].table
    client = somebody("administrador")
    assert "No machine is kept yet." in client.get(PLACE).content.decode()
    asked = {"number": NUMBER, "tables": [table], "scopes": ["rounds", "read"]}
    first = secret_on(client.post(PLACE, asked).content.decode())
    assert token_of(NUMBER, first).status_code == 200
    shown = client.get(PLACE).content.decode()
    assert first not in shown
    kept = ApiClient.objects.get()
    assert (kept.tables, kept.scopes, kept.made_by) == ([table], ["rounds", "read"], "S-0009")
    page = client.post(PLACE, seen_on(shown) | {"renew": "1"}).content.decode()
    second = secret_on(page)
    assert (token_of(NUMBER, first).status_code, token_of(NUMBER, second).status_code) == (401, 200)
    client.post(PLACE, seen_on(page) | {"revoke": "1"})
    assert token_of(NUMBER, second).status_code == 401
    assert "revoked" in client.get(PLACE).content.decode()
    for wrong in ({"number": "X-1"}, {"scopes": []}, {"tables": ["BJ-99"]}):
        assert 'class="mark breach"' in client.post(PLACE, asked | wrong).content.decode()
    assert ApiClient.objects.count() == 1


def test_a_form_that_is_sent_twice_ends_no_secret_twice(secret: str) -> None:
    """A double tap, a page loaded again, the way back: whoever has the secret keeps it."""
    client = somebody("chefia_da_sala")
    asked = seen_on(client.get(PLACE).content.decode()) | {"renew": "1"}
    given = secret_on(client.post(PLACE, asked).content.decode())
    again = client.post(PLACE, asked).content.decode()
    assert secret_on(again) == ""
    assert f"{NUMBER} was given a new secret" in " ".join(again.split())
    assert token_of(NUMBER, given).status_code == 200
    other = secret_on(client.post(PLACE, seen_on(again) | {"renew": "1"}).content.decode())
    assert (token_of(NUMBER, given).status_code, token_of(NUMBER, other).status_code) == (401, 200)


@pytest.mark.parametrize("button", ["renew", "revoke", "move"])
def test_a_form_nobody_can_have_read_ends_nothing(secret: str, settings: Any, button: str) -> None:
    settings.SHIELD_SECONDS = 1.0
    client = somebody("chefia_da_sala")
    asked = seen_on(client.get(PLACE).content.decode()) | {button: "1"}
    now = {"page_shown": f"{clock.now().timestamp():.3f}"}
    assert "Tapped twice?" in client.post(PLACE, asked | now).content.decode()
    assert ApiClient.objects.get().tables == sorted([TABLE, "BJ-06"])
    assert token_of(NUMBER, secret).status_code == 200
    new = {"number": NUMBER, "scopes": ["read"]} | now
    assert f'value="{NUMBER}"' in client.post(PLACE, new).content.decode(), "it stays filled in"


def move(client: Client, tables: list[str], had: list[str]) -> str:
    """The page after asking for other tables than the page before showed."""
    asked = {"machine": NUMBER, "move": "1", "tables": tables, "had": had}
    return " ".join(client.post(PLACE, asked).content.decode().split())


def test_a_machine_is_given_other_tables(secret: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "casino.security_log")
    before, client, device = sorted([TABLE, "BJ-06"]), somebody("administrador"), Device(secret)
    shown = client.get(PLACE).content.decode()
    assert re.findall(r'name="had" value="([^"]+)"', shown) == before
    assert device.send("rounds", ROUNDS[0]).status_code == 201
    assert f"The tables of {NUMBER} were changed." in move(client, ["BJ-06"], before)
    assert ApiClient.objects.get().tables == ["BJ-06"]
    assert device.send("rounds", ROUNDS[1]).status_code == 403  # by the token it has
    assert token_of(NUMBER, secret).status_code == 200  # its secret stays as it was
    assert "were changed" not in move(client, ["BJ-06"], before)  # the form sent twice
    (line,) = [one.message for one in caplog.records if "machine-tables-changed" in one.message]
    assert f'what="{NUMBER}" tables="BJ-06"' in line
    assert "were changed" in move(client, [], ["BJ-06"])  # one that only reads
    assert ApiClient.objects.get().tables == []


def test_tables_changed_meanwhile_stay_and_none_is_made_up(secret: str) -> None:
    before, client = sorted([TABLE, "BJ-06"]), somebody("chefia_da_sala")
    assert "were changed" in move(client, ["BJ-06"], before)
    assert f"{NUMBER} was given other tables since" in move(client, [TABLE, "BJ-06"], before)
    for wrong in (["BJ-99"], ["BJ-06", "\0"], ["x" * 3000]):
        page = move(client, wrong, ["BJ-06"])
        assert "were changed" not in page
        assert "is not one of the available choices" in page
    assert "were changed" not in move(client, ["BJ-99"], ["BJ-99"])
    assert ApiClient.objects.get().tables == ["BJ-06"]
    revoke(ApiClient.objects.get(), clock.now())
    assert "were changed" not in move(client, [], ["BJ-06"])
    assert ApiClient.objects.get().tables == ["BJ-06"]
    for office in ("fiscal_chefe", "inspetor"):
        answer = somebody(office).post(PLACE, {"machine": NUMBER, "move": "1"})
        assert answer.status_code == 403


@pytest.mark.django_db
def test_why_a_number_is_not_taken_is_said() -> None:
    appoint("S-0187", "fiscal_de_banca")
    Account.objects.create_user("S-0187", "a password for tests")
    appoint(NUMBER, "dispositivo")
    client, asked = somebody("chefia_da_sala"), {"scopes": ["read"]}
    said = {"S-0187": "is a person", "D-0999": "is not registered"}
    for number, why in said.items():
        answer = client.post(PLACE, asked | {"number": number}).content.decode()
        assert f"{number} {why}" in answer.replace("&#x27;", "'")
    for why in ("", f"{NUMBER} is a machine already", ""):
        answer = client.post(PLACE, asked | {"number": NUMBER}).content.decode()
        assert why in answer
    revoke(ApiClient.objects.get(), clock.now())
    answer = client.post(PLACE, asked | {"number": NUMBER}).content.decode()
    assert f"{NUMBER} was revoked for good" in answer


def test_two_who_make_one_machine_at_once_make_one(fresh_db: str) -> None:
    appoint(NUMBER, "dispositivo")

    def make(_: int) -> str:
        try:
            return make_machine(NUMBER, [], ("read",), "S-0003")[1]
        except NoSuchMachine as error:
            return f"refused: {error}"
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(make, range(4)))
    (secret,) = [one for one in made if not one.startswith("refused")]
    assert token_of(NUMBER, secret).status_code == 200


@pytest.mark.parametrize(
    ("ms", "said"), [(60_000, ""), (61_000, "61 s behind"), (-90_500, "90 s a")]
)
def test_how_wrong_a_clock_is_stands_there(secret: str, ms: int, said: str) -> None:
    ApiClient.objects.update(skew_ms=ms)
    page = somebody("chefia_da_sala").get(PLACE).content.decode()
    assert f"clock {said}" in page if said else "clock " not in page


def test_machines_stand_among_the_people_in_the_rail(secret: str) -> None:
    page = somebody("chefia_da_sala").get(PLACE).content.decode()
    people = page.partition("<summary>People</summary>")[2].partition("</ul>")[0]
    assert f'href="{PLACE}"' in people
    assert page.count('aria-current="page"') == 1
    assert f'href="{PLACE}"' not in somebody("auditor").get("/admin/").content.decode()


# Whoever calls otherwise than he should


def test_who_is_not_logged_in_is_led_to_the_entrance_and_back(client: Client) -> None:
    answer = client.get("/api/docs")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/login/?next=/api/docs")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "place", "headers", "status"),
    [
        ("POST", "/api/token", {}, 403),
        ("POST", f"{API}/rounds", {}, 403),
        ("GET", f"{API}/rounds", {"authorization": "Bearer x"}, 403),
        ("GET", "/api/docs", {}, 301),
        ("GET", "/admin/", {"authorization": "Bearer x"}, 301),
    ],
)
def test_in_clear_nothing_is_taken_and_nobody_sent_on_with_it(
    settings: Any, method: str, place: str, headers: dict[str, str], status: int
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    answer = Client(headers=headers).generic(method, place)
    assert answer.status_code == status
    if status == 403:
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["type"].endswith(":https-required")
        assert "https://" in answer.json()["detail"]


def test_under_another_name_it_is_said(client: Client) -> None:
    answer = client.get(f"{API}/rounds", headers={"host": "evil.example"})
    assert (answer.status_code, "ALLOWED_HOSTS" in answer.json()["detail"]) == (400, True)


def test_a_message_that_never_came_is_an_alert(secret: str) -> None:
    device, now = Device(secret), clock.now()
    assert device.send("rounds", ROUNDS[0], n=2).status_code == 201
    late = now + timedelta(minutes=16)
    assert [one.what for one in silent(now)] == []
    assert MESSAGES in [one.what for one in silent(late)]
    assert device.send("rounds", ROUNDS[1], n=1).status_code == 201
    assert MESSAGES not in [one.what for one in silent(late)]
