"""Files by the API: with their record or not at all, listed, and read by whoever may."""

import json
from hashlib import sha256
from typing import Any, Final
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from casino.api.machine_tokens import make_machine
from casino.events.event import EntryRef
from casino.models import Attachment, BookEntry, PrivateLook
from casino.recording.attached_files import LARGEST_FILE
from tests.casino.api_calls import API, burn, errors, post
from tests.factories.erasures import erased
from tests.factories.people import appoint, somebody
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.share]
PNG: Final = b"\x89PNG\r\n\x1a\n" + b"a picture of a card"
PDF: Final = b"%PDF-1.7 a report"
WHERE: Final = {"table": "BJ-06", "incident": "IN-2026-0001"}
INCIDENT: Final = {
    "occurred_at": "2026-11-20T21:15:00Z",
    "event": WHERE | {"category": "conduct", "reason": "noise", "people": []},
}


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def send(client: Client, *files: bytes, noun: str = "incidents", **parts: Any) -> Any:
    """A record and its files; whatever kind the sender says they are, under whatever name."""
    uploads = [SimpleUploadedFile("../../etc/passwd", one, "text/html") for one in files]
    key = parts.pop("key", None) or str(uuid4())
    body = {"record": json.dumps(parts.pop("record", INCIDENT)), "files": uploads} | parts
    return client.post(f"{API}/{noun}", body, headers={"Idempotency-Key": key})


def listed(client: Client, entry: str) -> list[dict[str, Any]]:
    answer = client.get(f"{API}/attachments", {"entry": entry})
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


def test_files_come_with_their_record_and_are_read_again(pit: Client) -> None:
    key, whose = str(uuid4()), [digest(PNG), digest(PDF)]
    first = send(pit, PNG, PDF, PNG, key=key, sha256=[*whose, digest(PNG)])
    again = send(pit, PNG, PDF, key=key)
    assert (first.status_code, again.status_code) == (201, 200), first.content
    entry = first.json()["entry"]
    assert again.json()["entry"] == entry
    assert pit.get(first["Location"]).json()["event"]["attachments"] == whose
    items = listed(pit, entry)
    assert [(one["sha256"], one["media_type"], one["size"]) for one in items] == [
        (digest(PNG), "image/png", len(PNG)),
        (digest(PDF), "application/pdf", len(PDF)),
    ]
    looks = PrivateLook.objects.count()
    file = pit.get(items[1]["url"], headers={"accept": "application/pdf"})
    assert (file.status_code, file.content, file["Content-Type"]) == (200, PDF, "application/pdf")
    assert file["Content-Disposition"] == 'attachment; filename="table-BJ-06-1-2.pdf"'
    assert "sandbox" in file["Content-Security-Policy"]
    assert PrivateLook.objects.count() == looks + 1
    assert send(pit, PDF, key=key).status_code == 422  # the same key, other files
    assert post(pit, "incidents", INCIDENT, key).status_code == 422  # or none
    assert BookEntry.objects.filter(kind="incident-reported/1").count() == 1


def test_whoever_may_not_have_a_file_is_told_that_there_is_one(pit: Client) -> None:
    entry = send(pit, PNG).json()["entry"]
    (item,) = listed(pit, entry)
    for client, status in (
        (somebody("inspetor"), 200),
        (somebody("fiscal_de_banca", "S-0188"), 403),
        (somebody("administrador"), 403),
        (Client(), 401),
    ):
        assert client.get(item["url"]).status_code == status
    for wrong in (f"{API}/attachments/{entry}/{digest(PDF)}", f"{API}/attachments/{uuid4()}/x"):
        assert pit.get(wrong).status_code == 404
    for asked in ("", "?entry=x", "?entry=%00"):
        assert pit.get(f"{API}/attachments{asked}").status_code == 400
    assert pit.get(f"{API}/attachments?entry={uuid4()}").status_code == 404
    bare = post(pit, "card-burns", burn()).json()["entry"]
    assert listed(pit, bare) == []


def test_an_erased_file_is_listed_and_handed_out_no_more(pit: Client) -> None:
    entry = BookEntry.objects.select_related("stream").get(pk=send(pit, PNG).json()["entry"])
    ref = EntryRef(stream=entry.stream.name, n=entry.n, leaf=bytes(entry.leaf_hash).hex())
    erased(ref, "attachments")
    assert listed(pit, str(entry.pk)) == [{"sha256": digest(PNG), "state": "erased"}]
    address = f"{API}/attachments/{entry.pk}/{digest(PNG)}"
    assert pit.get(address).status_code == 404


@pytest.mark.parametrize(
    ("files", "parts", "places"),
    [
        ((b"",), {}, ["part:files[0]"]),
        (
            (PNG, b"MZ\x90\x00", b"PK\x03\x04", b"<svg/>"),
            {},
            [f"part:files[{n}]" for n in (1, 2, 3)],
        ),
        ((b"a" * (LARGEST_FILE + 1),), {}, ["part:files[0]"]),
        ((PNG, b"1", b"2", b"3", b"4", b"5"), {}, ["part:files"]),
        ((), {}, ["part:files"]),
        ((PNG,), {"sha256": [digest(PDF)]}, ["part:sha256[0]"]),
        ((PNG,), {"sha256": ["x"]}, ["part:sha256[0]"]),
        ((PNG, PDF), {"sha256": [digest(PNG)]}, ["part:sha256"]),
        ((PNG,), {"note": "x"}, ["part:note"]),
        ((PNG,), {"record": INCIDENT | {"event": {}}}, ["$.event.incident"]),
    ],
)
def test_what_is_not_taken_is_named_and_nothing_is_kept(
    pit: Client, files: tuple[bytes, ...], parts: dict[str, Any], places: list[str]
) -> None:
    answer = send(pit, *files, **parts)
    assert answer.status_code == 400, answer.content
    assert [place for place, _ in errors(answer)] == places
    assert not Attachment.objects.exists()
    assert not BookEntry.objects.filter(kind="incident-reported/1").exists()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--x\r\n",
        b"--x--\r\n",
        b'--x\r\nContent-Disposition: form-data; name="record"\r\n\r\n{"a":"\xff"}\r\n--x--\r\n',
        b'--x\r\nContent-Disposition: form-data; name="record"\r\n\r\n'
        + b"[" * 999
        + b"\r\n--x--\r\n",
        b'--x\r\nContent-Disposition: form-data; name="record"; filename="r"\r\n\r\n{}'
        + b"\r\n--x--\r\n",
        b'--x\r\nContent-Disposition: form-data; name="a\x00"\r\n\r\n{}\r\n--x--\r\n' * 2000,
    ],
)
def test_a_body_that_is_broken_is_refused(pit: Client, body: bytes) -> None:
    for kind in ("multipart/form-data; boundary=x", "multipart/form-data"):
        answer = pit.generic(
            "POST", f"{API}/incidents", body, kind, headers={"Idempotency-Key": str(uuid4())}
        )
        assert answer.status_code in (400, 413), (kind, answer.content)
        errors(answer)
    assert not BookEntry.objects.filter(kind="incident-reported/1").exists()


def test_no_machine_sends_files_and_a_kind_without_them_takes_none(pit: Client) -> None:
    appoint("D-0900", "dispositivo")
    secret = make_machine("D-0900", ["BJ-06"], ("records",), "S-0003")[1]
    asked = {"grant_type": "client_credentials", "client_id": "D-0900", "client_secret": secret}
    token = Client().post("/api/token", asked).json()["access_token"]
    named = {"authorization": f"Bearer {token}", "accept-language": "en"}
    machine = Client(headers=named)
    answer = send(machine, PNG)
    assert (answer.status_code, answer.json()["detail"]) == (
        403,
        "A machine sends no files with its records.",
    )
    for noun in ("card-burns", "rounds", "shuffler-signals", "incidents/preview"):
        assert send(pit, PNG, noun=noun).status_code in (400, 403, 415), noun
    assert not Attachment.objects.exists()


def test_another_office_sends_no_files_either(pit: Client) -> None:
    for client, status in ((somebody("inspetor"), 403), (Client(), 401)):
        assert send(client, PNG).status_code == status
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = pit.cookies
    assert send(strict, PNG).status_code == 403  # without the token against forged forms
    assert not Attachment.objects.exists()
