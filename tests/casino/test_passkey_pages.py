"""A witness's own pages: what waits for him, his passkeys, and whose pages they are."""

import json
from dataclasses import replace
from html import unescape
from re import findall, search
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.models import Account, Attestation, PasskeyRevocation
from casino.witnessing import passkeys_of
from tests.casino.passkey_device import Device, b64
from tests.factories import records
from tests.factories.passkeys import HEAD, registered
from tests.factories.people import PASSWORD, appoint, somebody
from tests.factories.records import loaded, recorded, tonight
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]


@recorded_once
def device() -> Device:
    """A fiscal-chefe's telephone, with a passkey the book knows."""
    appoint(HEAD, "fiscal_chefe")
    own = Device()
    registered(Account.objects.create_user(HEAD, PASSWORD), own)
    return own


@pytest.fixture
def phone(device: Device, settings: Any) -> Client:
    """His own browser."""
    settings.ALLOWED_HOSTS = ["localhost"]
    client = Client(headers={"host": "localhost:8000", "accept-language": "en"})
    client.force_login(Account.objects.get(staff=HEAD))
    return client


def options_on(client: Client, url: str) -> tuple[dict[str, Any], str]:
    page = client.get(url).content.decode()
    options, token = (
        search(r'data-options="([^"]+)"', page),
        search(r'"token" value="([^"]+)', page),
    )
    assert options is not None
    assert token is not None
    return json.loads(unescape(options[1])), token[1]


def test_what_waits_for_him_he_confirms_on_his_own_device(phone: Client, device: Device) -> None:
    act = recorded(loaded(3, tonight()), occurred_at=clock.now())
    his_own = replace(records.PIT, staff=HEAD)
    recorded(loaded(2, tonight()), by=his_own, occurred_at=clock.now())
    waiting = phone.get(reverse("admin:casino_presence")).content.decode()
    url = reverse("admin:casino_presence_confirm", args=[act.entry_id])
    assert len(set(findall(r"passkey/presence/[0-9a-f-]{36}/", waiting))) == 1
    assert url in waiting
    options, token = options_on(phone, url)
    assert options["rpId"] == "localhost"
    assert options["userVerification"] == "required"
    assert [one["id"] for one in options["allowCredentials"]] == [b64(device.credential)]
    page = phone.get(url)  # on duty nowhere: it is said, and ticked, before his device is asked
    assert [one.check for one in page.context["warned"]] == ["loading_witness_on_duty"]
    sent = device.got(options["challenge"]) | {"token": token}
    assert phone.post(url, sent).status_code == 200
    options, sent["token"] = options_on(phone, url)
    sent |= device.got(options["challenge"]) | {"over": HEAD}
    answer = phone.post(url, sent)
    assert (answer.status_code, answer.url) == (302, reverse("admin:casino_presence"))
    assert Attestation.objects.get().witnessed_n == act.n
    assert url not in phone.get(reverse("admin:casino_presence")).content.decode()


def test_the_page_refuses_in_words(phone: Client) -> None:
    url = reverse("admin:casino_presence_confirm", args=[recorded(loaded(3)).entry_id])
    _, token = options_on(phone, url)
    answer = phone.post(url, {"token": token, "over": HEAD})
    assert answer.status_code == 200
    assert "not right" in answer.context["refused"]
    assert phone.post(url, {"token": "x" * 3_000}).status_code == 200


def test_a_passkey_is_registered_and_revoked_on_his_page(phone: Client) -> None:
    url = reverse("admin:casino_passkeys")
    options, token = options_on(phone, url)
    assert options["attestation"] == "none"
    another = Device(credential=b"another device of the same man")
    sent = another.created(options) | {"token": token, "password": PASSWORD}
    wrong = phone.post(url, sent | {"password": "wrong"})
    assert wrong.status_code == 200
    assert PASSWORD not in wrong.content.decode()
    assert phone.post(url, sent).status_code == 302
    assert len(passkeys_of(HEAD)) == 2
    gone = {"credential": b64(another.credential), "reason": "replaced"}
    assert phone.post(reverse("admin:casino_passkeys_revoke"), gone).status_code == 302
    assert len(passkeys_of(HEAD)) == 1
    for rubbish in ({}, {"credential": "a\0b"}, gone | {"reason": "whim"}):
        assert phone.post(reverse("admin:casino_passkeys_revoke"), rubbish).status_code == 404


def test_management_revokes_anybodys(device: Device) -> None:
    client = somebody("chefia_da_sala")
    page = client.get(reverse("admin:casino_passkeys")).content.decode()
    assert b64(device.credential) in page
    sent = {"credential": b64(device.credential), "reason": "left"}
    assert client.post(reverse("admin:casino_passkeys_revoke"), sent).status_code == 302
    assert PasskeyRevocation.objects.get().staff == "S-0003"


def test_at_an_address_that_is_none_of_the_houses_the_page_leads_there(device: Device) -> None:
    client = somebody("fiscal_de_banca")
    page = client.get(reverse("admin:casino_passkeys")).content.decode()
    assert "do not work at this address" in page
    assert f"http://localhost{reverse('admin:casino_passkeys')}" in page


@pytest.mark.parametrize(
    ("office", "opens"),
    [
        ("fiscal_de_banca", True),
        ("fiscal_chefe", True),
        ("chefia_da_sala", True),
        ("inspetor", False),
        ("auditor", False),
        ("administrador", False),
    ],
)
def test_whose_page_it_is(office: str, opens: bool) -> None:
    act = recorded(loaded(), by=replace(records.PIT, staff="S-0600"))
    client = somebody(office, "S-0600" if office == "fiscal_de_banca" else None)
    for url in (
        reverse("admin:casino_presence"),
        reverse("admin:casino_presence_confirm", args=[act.entry_id]),
    ):
        assert client.get(url).status_code == (200 if opens else 403)
    revokes = opens or office == "administrador"
    assert client.get(reverse("admin:casino_passkeys")).status_code == (200 if revokes else 403)
    shown = client.get(reverse("admin:index")).content.decode()
    assert (reverse("admin:casino_presence") in shown) is opens
