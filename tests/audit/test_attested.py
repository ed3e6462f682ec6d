"""Passkeys' answers verified from the book alone: what stands, and every way to be false."""

import json
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from audit.attested import KINDS, PROBLEMS, answers, challenge_of, problem_of
from audit.verifying import passkey_phase
from audit.verifying.problem_texts import sentence
from audit.verifying.problems import Problem, gravity_of
from audit.verifying.walking import verify
from casino.events.event import EntryRef
from casino.events.witnessing import PasskeyAnswer, Witnessed
from casino.models import Account, BookEntry
from casino.recording import authority
from casino.witnessing import revoke
from tests.casino.passkey_device import PRESENT, Device, b64, unb64
from tests.factories import records
from tests.factories.passkeys import HEAD, confirmed, registered
from tests.factories.people import PASSWORD, appoint
from tests.factories.records import loaded, recorded
from tests.stages import Stage, Story, one_of_several

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
Body = dict[str, Any]
SIGNED_WITH = ("ES256", "EdDSA", "RS256")


def confirming(kind: str) -> Story:
    """A fiscal-chefe's telephone, with this kind of key, confirmed one loading."""

    def story() -> Device:
        device = Device(kind)  # a key of RSA takes longer than most of the tests
        appoint(HEAD, "fiscal_chefe")
        registered(Account.objects.create_user(HEAD, PASSWORD), device)
        confirmed(recorded(loaded()), device)
        return device

    story.__name__ = kind
    return one_of_several(story)


@pytest.fixture(params=map(confirming, SIGNED_WITH), ids=SIGNED_WITH)
def device(request: pytest.FixtureRequest, stage_set: Stage) -> Device:
    """The telephone of the stage; what it signs in this test it forgets afterwards."""
    return replace(stage_set.given[request.param.__name__])


def bodies() -> list[Body]:
    """The book's entries of the three kinds, as their bytes say."""
    found = BookEntry.objects.filter(kind__in=KINDS).order_by("pk")
    return [json.loads(bytes(one.entry)) for one in found]


def problems(entries: list[Body]) -> list[str]:
    return [one.problem for one in answers(entries)]


def witnessed(entries: list[Body]) -> Body:
    return next(one for one in entries if one["kind"] == "witnessed/1")


def test_what_the_server_let_in_stands(device: Device) -> None:
    (answer,) = answers(bodies())
    assert (answer.stream, answer.staff, answer.problem) == ("table/BJ-06", HEAD, "")
    assert answer.alone
    assert challenge_of(witnessed(bodies())["payload"]) == unb64(
        json.loads(unb64(witnessed(bodies())["payload"]["passkey"]["client_data"]))["challenge"]
    )


def test_what_was_confirmed_before_a_revocation_stands(device: Device) -> None:
    revoke(records.HEAD, HEAD, b64(device.credential), "lost")
    assert problems(bodies()) == [""]
    entries = bodies()
    gone = next(one for one in entries if one["kind"] == "passkey-revoked/1")
    gone["at"] = "2026-01-01T00:00:00.000000Z"
    assert problems(entries) == ["revoked"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("text_sha256", "0" * 64),
        ("nonce", "0193479e-7777-4c3e-9a54-0c6f2b1d7e10"),
        ("expires_at", "2199-01-01T00:00:00.000000Z"),
    ],
)
def test_another_question_is_found(device: Device, name: str, value: str) -> None:
    entries = bodies()
    witnessed(entries)["payload"][name] = value
    assert problems(entries) == ["challenge"]


def test_another_act_is_found(device: Device) -> None:
    entries = bodies()
    witnessed(entries)["payload"]["witnessed"]["leaf"] = "0" * 64
    assert problems(entries) == ["challenge"]


def test_another_person_or_key_is_found(device: Device) -> None:
    entries = bodies()
    witnessed(entries)["payload"]["staff"] = "S-0022"
    assert problems(entries) == ["unknown"]
    assert problems([witnessed(bodies())]) == ["unknown"]
    entries = bodies()
    entries[0]["at"] = "2199-01-01T00:00:00.000000Z"  # registered afterwards
    assert problems(entries) == ["unknown"]
    entries = bodies()
    witnessed(entries)["at"] = "2199-01-01T00:00:00.000000Z"
    assert problems(entries) == ["late"]


def resigned(device: Device, change: Callable[[Device], Device], **client: Any) -> str:
    """What is said of an answer the holder's own key gave, but otherwise than asked."""
    key, act = bodies()[0]["payload"], witnessed(bodies())["payload"]
    answer = change(device).got(b64(challenge_of(act)), **client)
    return problem_of(act | {"passkey": answer}, key)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"origin": "https://evil.example"}, "origin"),
        ({"origin": "http://127.0.0.1:8000"}, "origin"),
        ({"origin": "https://localhost.evil.example"}, "origin"),
        ({"origin": "https://evillocalhost"}, "origin"),
        ({"origin": "http://sala.localhost"}, "origin"),
        ({"origin": "https://sala.localhost"}, ""),
        ({"rp_id": "evil.example"}, "domain"),
        ({"flags": PRESENT}, "user"),
        ({"flags": 0x04}, "user"),
        ({"key": Device().key, "kind": "ES256"}, "signature"),
        ({}, ""),
    ],
)
def test_whatever_the_device_says_otherwise_is_found(
    device: Device, changed: dict[str, Any], problem: str
) -> None:
    assert resigned(device, lambda own: replace(own, **changed)) == problem


@pytest.mark.parametrize(
    ("client", "problem"),
    [
        ({"type": "webauthn.create"}, "type"),
        ({"crossOrigin": True}, "type"),
        ({"challenge": b64(bytes(32))}, "challenge"),
    ],
)
def test_other_client_data_is_found(device: Device, client: dict[str, Any], problem: str) -> None:
    assert resigned(device, lambda own: own, **client) == problem


@pytest.mark.parametrize("name", ["client_data", "authenticator_data", "signature"])
def test_no_bit_can_be_turned(device: Device, name: str) -> None:
    entries = bodies()
    answer = witnessed(entries)["payload"]["passkey"]
    whole = unb64(answer[name])
    for at in range(len(whole)):
        changed = bytearray(whole)
        changed[at] ^= 1 << at % 8
        answer[name] = b64(bytes(changed))
        assert problems(entries) != [""], at


@pytest.mark.parametrize("rubbish", ["", "!", "AAAA", "W10", "bnVsbA", "e30"])
def test_rubbish_is_told_of_and_breaks_nothing(device: Device, rubbish: str) -> None:
    for name in ("client_data", "authenticator_data", "signature"):
        entries = bodies()
        witnessed(entries)["payload"]["passkey"][name] = rubbish
        (problem,) = problems(entries)
        assert problem in PROBLEMS


@pytest.mark.parametrize("rubbish", [None, [], "x", 7, {}, {"credential": []}])
def test_an_entry_somebody_altered_breaks_nothing(device: Device, rubbish: Any) -> None:
    for place in range(2):
        entries = bodies()
        entries[place]["payload"] = rubbish
        assert "" not in problems(entries)
        entries = bodies()
        witnessed(entries)["payload"]["passkey"] = rubbish
        assert "" not in problems(entries)
        entries = bodies()
        del entries[place]["at"]
        assert "" not in problems(entries)


def test_nobody_takes_a_passkey_over(device: Device) -> None:
    entries = bodies()
    taken = json.loads(json.dumps(entries[0]))
    taken["payload"]["public_key"] = "AAAA"
    taken["at"] = entries[1]["at"]
    taken["stream"], taken["n"] = "house", 99
    assert problems([taken, *entries]) == ["twice", ""]
    assert problems([entries[0], *entries]) == [""]  # one and the same, read twice


def test_a_code_or_a_password_is_no_matter_of_this(device: Device) -> None:
    entries = bodies()
    del witnessed(entries)["payload"]["passkey"]
    assert problems(entries) == []


def test_the_command_reads_the_book_or_a_file(device: Device, tmp_path: Path) -> None:
    said = StringIO()
    call_command("attested", stdout=said)
    assert "1 confirmations by passkey, 0 wrong, 0 not to be seen; 1 by a key" in said.getvalue()
    entries = bodies()
    witnessed(entries)["payload"]["text_sha256"] = "0" * 64
    file = tmp_path / "entries.jsonl"
    file.write_text("\n".join(map(json.dumps, entries)), "utf-8")
    said = StringIO()
    with pytest.raises(CommandError):
        call_command("attested", file=file, stdout=said)
    assert "table/BJ-06 2 (S-0021): it answers another question" in said.getvalue()
    with pytest.raises(CommandError):
        call_command("attested", file=tmp_path / "none")


def test_verifying_the_book_finds_what_no_passkey_signed(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passkey_phase, "MANY", 1)
    confirmed(recorded(loaded()), device)
    assert [one for one in found() if one.startswith("attested")] == []
    answer = witnessed(bodies())["payload"]["passkey"]
    act = recorded(loaded())
    forged = Witnessed(
        table="BJ-06",
        partida=records.PARTIDA,
        witnessed=EntryRef(stream=act.stream, n=act.n, leaf=act.leaf),
        act="shuffler-loaded/1",
        staff=HEAD,
        office="fiscal_chefe",
        method="passkey",
        nonce=str(uuid4()),
        expires_at=records.soon(),
        text_sha256="0" * 64,
        passkey=PasskeyAnswer(**answer),
    )
    recorded(forged, by=records.HEAD)
    assert [one for one in found() if one.startswith("attested")] == ["attested-challenge"]


def test_verifying_the_book_tells_once_of_a_key_that_was_registered_twice(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passkey_phase, "MANY", 1)
    confirmed(recorded(loaded()), device)
    monkeypatch.setattr(authority, "_check_passkey", lambda *_: None)
    registered(Account.objects.get(staff=HEAD), device)
    assert [one for one in found() if one.startswith("attested")] == ["attested-twice"]


def found() -> list[str]:
    return [one.code for one in verify(looks=False, projections=False).report.problems]


def test_every_problem_has_its_sentence() -> None:
    for problem in PROBLEMS:
        said = sentence(Problem(f"attested-{problem}", details={"staff": HEAD}))
        assert said != f"attested-{problem}"
        assert gravity_of(f"attested-{problem}") == "problem"
