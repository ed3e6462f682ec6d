"""The second factor: set up at the first log-in, asked after the password, remembered a shift."""

import html
import json
import re
from base64 import b32decode
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.test import Client

from casino import clock
from casino.models import Account, Authenticator, RecoveryCode
from casino.security_log import note
from casino.web.login.throttle import TRIES
from casino.web.second_person.device_answer import AnswerFields
from casino.witnessing import LASTS, ask_second, begin_registration, enrol, new_secret, register
from tests.casino.junk import JUNK, post
from tests.casino.passkey_device import ORIGIN, Device, b64
from tests.factories.people import PASSWORD, appoint
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.share]
HEAD, AUDITOR = "S-0021", "A-0042"
ASK, OWN = "/admin/second-factor/", "/admin/second-factor/own/"
ENGLISH = {"accept-language": "en"}
NOW = datetime(2026, 11, 20, 21, 0, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def asked_of_everybody(house: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a house others reach; at one moment of one evening."""
    settings.SECOND_FACTOR = True
    settings.HOUSE_TABLET_LOCKS = timedelta(0)
    at(monkeypatch, NOW)


@recorded_once
def house() -> None:
    for staff, office in ((HEAD, "fiscal_chefe"), (AUDITOR, "auditor")):
        appoint(staff, office)
        Account.objects.create_user(staff, PASSWORD, language="en")


def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr(clock, "now", lambda: moment)


def code(secret: str, moment: datetime | None = None) -> str:
    """What an app shows; reckoned by RFC 6238, not by the house."""
    seconds = int((moment or clock.now()).timestamp())
    return TOTP(b32decode(secret), 6, SHA1(), 30).generate(seconds).decode()


def with_app(staff: str) -> tuple[str, list[str]]:
    """An account with an app set up an hour ago: its secret, and the recovery codes."""
    secret, account = new_secret(), Account.objects.get(staff=staff)
    found = enrol(account, PASSWORD, secret, code(secret))
    Authenticator.objects.update(last_step=0)
    return secret, found


def browser() -> Client:
    return Client(headers=ENGLISH)


def logged_in(staff: str, client: Client | None = None, onward: str = "/admin/") -> Client:
    """By number and password alone."""
    client = client or browser()
    sent = {"username": staff, "password": PASSWORD, "next": onward}
    assert client.post("/admin/login/", sent).status_code == 302
    return client


def given(client: Client, typed: str, onward: str = "/admin/", **more: str) -> Any:
    return client.post(ASK, {"factor-code": typed, "factor-onward": onward, **more})


# Set up


def test_nothing_opens_before_it_is_set_up() -> None:
    client = logged_in(HEAD)
    for path in ("/admin/", "/sala/", "/findings/", "/admin/password_change/"):
        assert client.get(path)["Location"].startswith(f"{OWN}?next="), path
    assert client.post("/sala/duty/", {})["Location"] == f"{OWN}?next="
    page = client.get(OWN)
    assert page.status_code == 200
    assert "nothing else opens before" in page.content.decode()


def test_it_is_set_up_by_password_and_code_and_ten_codes_are_shown_once() -> None:
    client = logged_in(HEAD)
    page = client.get(f"{OWN}?next=/sala/").content.decode()
    secret = re.search(r'class="code">([A-Z2-7 ]{39})<', page)
    assert secret is not None
    plain = secret[1].replace(" ", "")
    wrong = client.post(OWN, {"password": PASSWORD, "code": "000000"})
    assert "The code is not right." in wrong.content.decode()
    wrong = client.post(OWN, {"password": "guessed", "code": code(plain)})
    assert not Authenticator.objects.exists()
    done = client.post(f"{OWN}?next=/sala/", {"password": PASSWORD, "code": code(plain)})
    codes = re.findall(r'<li class="code">([a-z0-9]{5}-[a-z0-9]{5})</li>', done.content.decode())
    assert len(set(codes)) == 10
    assert 'href="/sala/"' in done.content.decode()
    assert client.get("/sala/").status_code == 200
    assert codes[0] not in client.get(OWN).content.decode()
    kept = Authenticator.objects.get()
    assert plain not in kept.secret
    assert not RecoveryCode.objects.filter(code_hash__in=codes).exists()


def test_whoever_set_it_up_is_asked_in_his_other_sessions_too() -> None:
    other = logged_in(HEAD)
    with_app(HEAD)
    assert other.get("/admin/")["Location"] == f"{ASK}?next=%2Fadmin%2F"


# Asked


def test_after_the_password_nothing_opens_until_the_code_is_right() -> None:
    secret, _ = with_app(HEAD)
    client = logged_in(HEAD)
    assert client.get("/admin/")["Location"].startswith(ASK)
    assert client.get("/sala/")["Location"].startswith("/sala/factor/")
    assert client.get("/sala/BJ-01/")["Location"].startswith("/sala/factor/")
    answer = client.post("/api/v1/cuts", "{}", content_type="application/json")
    assert (answer.status_code, answer.json()["status"]) == (403, 403)
    assert given(client, "").status_code == 403
    assert given(client, "000000").status_code == 403
    assert client.get("/admin/")["Location"].startswith(ASK)
    assert given(client, code(secret), "/findings/")["Location"] == "/findings/"
    assert client.get("/admin/").status_code == 200


@pytest.mark.parametrize("value", JUNK.values(), ids=JUNK)
def test_what_nobody_means_opens_nothing(value: str) -> None:
    with_app(HEAD)
    client = logged_in(HEAD)
    names = ("factor-code", "factor-onward", "password", "code", *AnswerFields.names)
    for page in (ASK, "/sala/factor/", OWN):
        for name in names:
            answer = post(client, page, {name: value})
            assert answer.status_code in (302, 400, 403, 413, 429), (page, name)
    assert client.get("/admin/")["Location"].startswith(ASK)


def test_an_onward_address_elsewhere_is_not_followed() -> None:
    secret, _ = with_app(HEAD)
    answer = given(logged_in(HEAD), code(secret), "https://elsewhere.example/")
    assert answer["Location"] == "/admin/"


@pytest.mark.parametrize(
    ("seconds", "is_taken"), [(-40, True), (-90, False), (30, True), (90, False)]
)
def test_the_half_minute_before_and_after_are_taken(seconds: int, *, is_taken: bool) -> None:
    secret, _ = with_app(HEAD)
    typed = code(secret, NOW + timedelta(seconds=seconds))
    assert given(logged_in(HEAD), typed).status_code == (302 if is_taken else 403)


def test_each_code_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    secret, _ = with_app(AUDITOR)
    typed = code(secret)
    assert given(logged_in(AUDITOR), typed).status_code == 302
    assert given(logged_in(AUDITOR), typed).status_code == 403
    at(monkeypatch, NOW + timedelta(seconds=30))
    assert given(logged_in(AUDITOR), code(secret)).status_code == 302


def test_a_recovery_code_is_good_once_however_it_is_spelled() -> None:
    _, codes = with_app(HEAD)
    for typed in (codes[0].upper().replace("-", " "), codes[1], codes[2].replace("-", "")):
        assert given(logged_in(HEAD), typed).status_code == 302
    for used in codes[:3]:
        assert given(logged_in(HEAD), used).status_code == 403
    assert RecoveryCode.objects.count() == 7


def test_anothers_codes_are_nobodys() -> None:
    with_app(HEAD)
    _, codes = with_app(AUDITOR)
    assert given(logged_in(HEAD), codes[0]).status_code == 403


def test_guesses_are_few_wherever_they_come_from() -> None:
    secret, codes = with_app(HEAD)
    for _ in range(TRIES):
        assert given(logged_in(HEAD), "000000").status_code == 403
    for typed in (code(secret), codes[0]):
        refused = given(logged_in(HEAD), typed)
        assert refused.status_code == 429
        assert int(refused["Retry-After"]) > 14 * 60


def test_what_was_tried_is_in_the_security_log_and_the_code_is_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    secret, _ = with_app(HEAD)
    with caplog.at_level("INFO", "casino.security_log"):
        client = logged_in(HEAD)
        given(client, "000000")
        given(client, code(secret))
    assert 'second-factor-failed who="S-0021"' in caplog.text
    assert 'second-factor who="S-0021" from="127.0.0.1" how="app"' in caplog.text
    assert code(secret) not in caplog.text


# Remembered


def test_a_tablet_of_the_floor_remembers_it_for_the_shift(monkeypatch: pytest.MonkeyPatch) -> None:
    secret, _ = with_app(HEAD)
    tablet = logged_in(HEAD)
    given(tablet, code(secret))
    tablet.post("/admin/logout/")
    for hours, path in ((11, None), (13, f"{ASK}?next=%2Fadmin%2F")):
        at(monkeypatch, NOW + timedelta(hours=hours))
        logged_in(HEAD, tablet)
        assert tablet.get("/admin/").get("Location") == path, hours
        tablet.post("/admin/logout/")
    at(monkeypatch, NOW + timedelta(hours=1))
    assert logged_in(HEAD).get("/admin/")["Location"].startswith(ASK)  # another browser


def test_an_auditor_is_asked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    secret, _ = with_app(AUDITOR)
    client = logged_in(AUDITOR)
    given(client, code(secret))
    client.post("/admin/logout/")
    at(monkeypatch, NOW + timedelta(minutes=5))
    assert logged_in(AUDITOR, client).get("/admin/")["Location"].startswith(ASK)


@pytest.mark.parametrize(
    ("what", "is_asked"),
    [("password", True), ("app", True), ("session taken away", True), ("another's session", False)],
)
def test_another_password_or_app_or_a_session_taken_away_ends_what_is_remembered(
    what: str, monkeypatch: pytest.MonkeyPatch, *, is_asked: bool
) -> None:
    secret, _ = with_app(HEAD)
    tablet = logged_in(HEAD)
    given(tablet, code(secret))
    tablet.post("/admin/logout/")
    at(monkeypatch, NOW + timedelta(minutes=5))
    if what == "app":
        with_app(HEAD)
    elif what == "password":
        account = Account.objects.get(staff=HEAD)
        account.set_password(PASSWORD)
        account.save()
    else:
        of = AUDITOR if "another" in what else HEAD
        note("session-taken-away", None, "S-0003", of=of)
    assert logged_in(HEAD, tablet).get("/admin/").get("Location", "").startswith(ASK) == is_asked


def test_what_one_person_gave_is_not_anothers() -> None:
    secret, _ = with_app(HEAD)
    with_app(AUDITOR)
    tablet = logged_in(HEAD)
    given(tablet, code(secret))
    assert logged_in(AUDITOR, tablet).get("/admin/")["Location"].startswith(ASK)


# What had been sent


def test_on_the_floor_what_had_been_sent_waits_for_the_code() -> None:
    secret, _ = with_app(HEAD)
    client = browser()
    typed = {"enter-number": HEAD, "enter-secret": PASSWORD, "enter-onward": "/sala/duty/"}
    asked = client.post("/sala/enter/", typed | {"duty-tables": "BJ-01", "key": "k"})
    page = asked.content.decode()
    assert asked.status_code == 403
    assert 'name="duty-tables" value="BJ-01"' in page
    assert PASSWORD not in page
    sent = {"factor-onward": "/sala/duty/", "duty-tables": "BJ-01", "key": "k"}
    wrong = client.post("/sala/factor/", sent | {"factor-code": "000000"})
    assert wrong.status_code == 403
    assert 'name="duty-tables" value="BJ-01"' in wrong.content.decode()
    answer = client.post("/sala/factor/", sent | {"factor-code": code(secret)})
    assert answer.request["PATH_INFO"] in ("/sala/duty/", "/sala/factor/")
    assert client.get("/sala/").status_code == 200


def test_in_the_admin_what_had_been_sent_is_shown_again_and_not_recorded() -> None:
    from casino.models import BookEntry

    secret, _ = with_app(HEAD)
    path, before = "/admin/casino/incident/add/", BookEntry.objects.count()
    client = browser()
    waits = {"what": "one line of an incident"}
    login = {"enter-username": HEAD, "enter-password": PASSWORD}
    asked = client.post(path, waits | login)
    assert "one line of an incident" in asked.content.decode()
    shown = given(client, code(secret), path, **waits)
    assert shown.status_code == 200
    assert BookEntry.objects.count() == before


def test_the_floors_page_leads_on_to_the_floor_alone() -> None:
    secret, _ = with_app(HEAD)
    client = logged_in(HEAD)
    page = client.get("/sala/factor/?next=/sala/duty/").content.decode()
    assert 'value="/sala/duty/"' in page
    sent = {"factor-code": code(secret), "factor-onward": "https://elsewhere.example/sala/"}
    assert client.post("/sala/factor/", sent)["Location"] == "/sala/"


# Lost, and another order of the steps


def test_a_first_password_is_changed_after_the_second_factor() -> None:
    secret, _ = with_app(HEAD)
    Account.objects.filter(staff=HEAD).update(password_is_temporary=True)
    client = logged_in(HEAD)
    assert client.get("/admin/password_change/")["Location"].startswith(ASK)
    assert given(client, code(secret))["Location"].startswith("/admin/password_change/?next=")


def test_who_lost_everything_sets_it_up_anew() -> None:
    from django.core.management import call_command

    _, codes = with_app(HEAD)
    call_command("account", HEAD, "--forget-second-factor")
    client = logged_in(HEAD)
    assert client.get("/admin/")["Location"].startswith(OWN)
    assert not RecoveryCode.objects.exists()
    assert Account.objects.get(staff=HEAD).check_password(PASSWORD)
    assert given(client, codes[0])["Location"].startswith(OWN)
    assert client.get("/admin/")["Location"].startswith(OWN)


def test_new_recovery_codes_end_the_ones_before() -> None:
    secret, codes = with_app(HEAD)
    client = logged_in(HEAD)
    given(client, code(secret))
    assert "wrong" not in client.post(OWN, {"renew": "1", "again": "no"}).content.decode()
    page = client.post(OWN, {"renew": "1", "again": PASSWORD}).content.decode()
    assert len(re.findall(r'<li class="code">', page)) == 10
    assert given(logged_in(HEAD), codes[0]).status_code == 403


def test_who_finds_a_session_open_gives_it_no_factor_of_his_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    secret, _ = with_app(HEAD)
    client = logged_in(HEAD)
    given(client, code(secret))
    at(monkeypatch, NOW + timedelta(minutes=11))
    for answer in (client.get(OWN), client.post(OWN, {"renew": "1", "again": PASSWORD})):
        assert "shows once more that it is he" in answer.content.decode()
    assert client.post("/admin/casino/passkey/own/", {}).context["again"]
    assert RecoveryCode.objects.count() == 10
    assert given(client, code(secret), OWN)["Location"] == OWN
    assert "New recovery codes" in client.get(OWN).content.decode()


def test_a_house_tried_out_asks_whoever_has_one_and_nobody_else(settings: Any) -> None:
    settings.SECOND_FACTOR = False
    assert logged_in(HEAD).get("/admin/").status_code == 200
    with_app(HEAD)
    assert logged_in(HEAD).get("/admin/")["Location"].startswith(ASK)


@pytest.mark.parametrize("language", ["pt-pt", "es", "fr"])
def test_in_the_languages_of_those_who_read(language: str) -> None:
    with_app(AUDITOR)
    Account.objects.filter(staff=AUDITOR).update(language=language)
    page = logged_in(AUDITOR).get(ASK)
    words = {"pt-pt": "código de recuperação", "es": "recuperación", "fr": "secours"}
    assert words[language] in page.content.decode()


# By passkey


@pytest.fixture
def phone(settings: Any) -> tuple[Device, Client]:
    """A passkey registered by its owner, in a browser where passkeys work."""
    settings.ALLOWED_HOSTS = ["localhost"]
    settings.WITNESS_DOMAIN = "localhost"
    account, device = Account.objects.get(staff=HEAD), Device()
    asked = begin_registration(account)
    register(account, asked.token, device.created(asked.options), PASSWORD, origin=ORIGIN)
    ask_second(account)
    return device, Client(headers=ENGLISH | {"host": "localhost:8000"})


def options(page: Any) -> dict[str, Any]:
    found = re.search(r'data-options="([^"]+)"', page.content.decode())
    assert found is not None
    asked: dict[str, Any] = json.loads(html.unescape(found[1]))
    return asked


def test_a_passkey_is_asked_for_first_and_lets_in_once(phone: tuple[Device, Client]) -> None:
    device, client = phone
    logged_in(HEAD, client)
    asked = options(client.get(ASK))
    assert [one["id"] for one in asked["allowCredentials"]] == [b64(device.credential)]
    answer = device.got(asked["challenge"])
    forged = Device().got(asked["challenge"])
    assert given(client, "", **forged).status_code == 403
    assert given(client, "", **answer).status_code == 403  # of a challenge that was used already
    again = device.got(options(client.get(ASK))["challenge"])
    assert given(client, "", "/findings/", **again)["Location"] == "/findings/"
    assert client.get("/admin/").status_code == 200


def test_a_passkeys_answer_that_comes_late_is_asked_for_once_more(
    phone: tuple[Device, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    device, client = phone
    logged_in(HEAD, client)
    answer = device.got(options(client.get(ASK))["challenge"])
    at(monkeypatch, NOW + LASTS + timedelta(seconds=1))
    late = given(client, "", **answer)
    assert late.status_code == 403
    assert "It took too long" in late.content.decode()


def test_who_revoked_his_last_passkey_sets_up_another_factor(phone: tuple[Device, Client]) -> None:
    device, client = phone
    logged_in(HEAD, client)
    given(client, "", **device.got(options(client.get(ASK))["challenge"]))
    sent = {"credential": b64(device.credential), "reason": "lost"}
    assert client.post("/admin/casino/passkey/own/revoke/", sent).status_code == 302
    assert not Account.objects.get(staff=HEAD).asks_second
    assert client.get("/admin/")["Location"].startswith(OWN)
