"""Logging in by an identity provider: who is let in, who is not, and what goes on afterwards."""

import time
from base64 import b32decode
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.test import Client

from casino import clock
from casino.api.machine_tokens import make_machine
from casino.models import Account, BookEntry, DirectoryOffices, LoginTry
from casino.web.login import provider_client
from casino.witnessing import enrol, new_secret
from tests.casino.sala_forms import form_on, hidden
from tests.factories.identity_provider import OTHER_KEY, ServedProvider, identity_provider, signed
from tests.factories.people import PASSWORD, appoint
from tests.factories.recorded import entries
from tests.stages import recorded_once

pytestmark = pytest.mark.django_db
HEAD, ADMIN, DEVICE = "S-0021", "S-0009", "D-0001"
BEGIN, BACK, DUTY = "/provider/", "/provider/back/", "/sala/duty/"


@recorded_once
def house() -> None:
    for staff, office in (
        (HEAD, "fiscal_chefe"),
        (ADMIN, "administrador"),
        (DEVICE, "dispositivo"),
    ):
        appoint(staff, office)
    for staff in (HEAD, ADMIN):
        Account.objects.create_user(staff, PASSWORD, language="en")


@pytest.fixture
def provider(house: None, settings: Any) -> Iterator[ServedProvider]:
    with identity_provider() as found:
        settings.HOUSE_PROVIDER = found.settings()
        yield found


def browser() -> Client:
    return Client(headers={"accept-language": "en"})


def begun(client: Client, onward: str = "/admin/", **sent: str) -> str:
    """The address the browser is sent to."""
    answer = client.post(BEGIN, {"provider-onward": onward, **sent})
    assert answer.status_code == 200, answer.content
    wait, _, url = answer["Refresh"].partition("; url=")
    assert wait == "0"
    return str(url)


def back(client: Client, address: str) -> Any:
    """The browser comes back as the provider sends it."""
    parts = urlsplit(address)
    return client.get(f"{parts.path}?{parts.query}")


def come(provider: ServedProvider, client: Client, onward: str = "/admin/", **sent: str) -> Any:
    return back(client, provider.log_in(begun(client, onward, **sent)))


def is_in(client: Client) -> bool:
    return SESSION_KEY in client.session


def refused(answer: Any, client: Client, text: str, status: int = 403) -> None:
    assert answer.status_code == status
    assert text in answer.content.decode()
    assert not is_in(client)


# Let in


@pytest.mark.parametrize("methods", [None, ["client_secret_post"]])
def test_who_comes_back_is_in_and_goes_on_where_he_wanted(
    provider: ServedProvider, methods: list[str] | None
) -> None:
    provider.methods, client = methods, browser()
    answer = come(provider, client, "/admin/sessions/")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/sessions/")
    assert client.get("/admin/sessions/").status_code == 200
    assert not LoginTry.objects.exists()


@pytest.mark.share
def test_a_number_is_one_persons_however_it_is_written(provider: ServedProvider) -> None:
    provider.claims["employee"] = " s-0021 "
    client = browser()
    assert come(provider, client, "/sala/").status_code == 302
    assert client.session[SESSION_KEY] == str(Account.objects.get(staff=HEAD).pk)


def test_what_was_sent_when_the_session_had_ended_is_recorded_once_he_is_back(
    provider: ServedProvider,
) -> None:
    client = browser()
    come(provider, client, "/sala/")
    form = form_on(client.get(DUTY)) | {"do": "begin"}
    Session.objects.all().delete()
    waits = hidden(client.post(DUTY, form))
    before = entries()
    assert come(provider, client, DUTY, **waits).status_code == 303
    assert entries() == before + 1
    assert BookEntry.objects.filter(kind="duty-begun/1").count() == 1


def test_a_form_of_the_admin_is_shown_again_as_it_was_filled_in(provider: ServedProvider) -> None:
    provider.claims["employee"] = ADMIN
    client, add = browser(), "/admin/casino/officegrant/add/"
    before = entries()
    answer = come(provider, client, add, staff="S-0777", office="pagador")
    assert answer.status_code == 200
    assert "S-0777" in answer.content.decode()
    assert entries() == before


def test_the_second_factor_of_the_house_is_asked_after_it(provider: ServedProvider) -> None:
    with_app()
    client = browser()
    provider.claims |= {"amr": ["pwd", "mfa"], "auth_time": int(time.time())}
    answer = come(provider, client)
    assert "Second factor" in answer.content.decode()
    assert client.get("/admin/")["Location"].startswith("/admin/second-factor/")


@pytest.mark.parametrize("claim", [{"amr": ["pwd", "mfa"]}, {"acr": "mfa"}])
def test_the_providers_own_counts_where_the_house_says_so(
    provider: ServedProvider, settings: Any, claim: dict[str, Any]
) -> None:
    with_app()
    settings.HOUSE_PROVIDER = provider.settings(second_factors=frozenset({"mfa"}))
    other = browser()
    come(provider, other)
    assert other.get("/admin/")["Location"].startswith("/admin/second-factor/")
    provider.claims |= claim
    client = browser()
    assert come(provider, client).status_code == 302
    assert client.get("/admin/").status_code == 200
    assert (
        client.session["second-factor"]["at"] == 0
    )  # when, it did not say: asked anew where it is grave


def with_app() -> None:
    secret = new_secret()
    account = Account.objects.get(staff=HEAD)
    shown = TOTP(b32decode(secret), 6, SHA1(), 30).generate(int(clock.now().timestamp())).decode()
    enrol(account, PASSWORD, secret, shown)


@pytest.mark.share
def test_who_has_no_password_yet_chooses_one_first(provider: ServedProvider) -> None:
    account = Account.objects.get(staff=HEAD)
    account.set_unusable_password()
    account.password_is_temporary = True
    account.save()
    client = browser()
    answer = come(provider, client)
    page = client.get(answer["Location"])
    assert "when the identity provider is away" in page.content.decode()
    assert "old_password" not in page.content.decode()
    twice = {f"new_password{n}": "a sentence nobody else would choose" for n in (1, 2)}
    assert client.post(answer["Location"], twice).status_code == 302
    assert client.get("/admin/").status_code == 200
    assert Account.objects.get(staff=HEAD).check_password(twice["new_password1"])
    assert "old_password" in client.get("/admin/password_change/").content.decode()


@pytest.mark.share
def test_groups_are_kept_as_offices_and_no_office_follows(
    provider: ServedProvider, settings: Any
) -> None:
    settings.HOUSE_GROUPS = {"fiscal_de_banca": frozenset({"pit"}), "auditor": frozenset({"audit"})}
    before = entries()
    for groups, offices in (
        (["pit", "of no office"], ["fiscal_de_banca"]),
        (None, ["fiscal_de_banca"]),  # not said is not none
        ({"src1": "elsewhere"}, ["fiscal_de_banca"]),
        ([], []),
    ):
        provider.claims["groups"] = groups
        assert come(provider, browser()).status_code == 302
        assert DirectoryOffices.objects.get().offices == offices
    assert entries() == before


# Not let in


def test_who_is_not_here_is_not_let_in(provider: ServedProvider) -> None:
    make_machine(DEVICE, ["BJ-01"], ["rounds"], ADMIN)
    appoint("S-0500", "pagador")
    Account.objects.filter(staff=ADMIN).update(is_active=False)
    for claim, text in {
        "S-4711": "S-4711 is registered nowhere in this house.",
        "S-0500": "S-0500 has no account here",
        DEVICE: f"{DEVICE} has no account here",
        ADMIN: f"The account of {ADMIN} is closed.",
        "": "does not say which staff number is yours (employee).",
        "S-0021\0": "does not say which",
        "\ud800": "does not say which",
        "x" * 5_000: "does not say which",
    }.items():
        provider.claims["employee"] = claim
        client = browser()
        refused(come(provider, client), client, text)
    for value in (21, ["S-0021"], {"a": 1}, None):
        provider.claims["employee"] = value
        client = browser()
        refused(come(provider, client), client, "does not say which")


def test_what_proves_nothing_lets_nobody_in(provider: ServedProvider) -> None:
    now = int(time.time())
    for claims in (
        {"iss": "https://other.example"},
        {"aud": "another house"},
        {"aud": ["livro da sala", "another house"]},
        {"aud": ["livro da sala", "another house"], "azp": "another house"},
        {"exp": now - 61},
        {"exp": None},
        {"iat": None},
        {"sub": None},
        {"nbf": now + 600},
        {"iat": now + 600},
        {"nonce": "of another log-in"},
        {"nonce": None},
    ):
        provider.claims = {"employee": HEAD, **claims}
        client = browser()
        refused(come(provider, client), client, "does not prove who you are")
    provider.claims = {"employee": HEAD, "exp": now - 50, "aud": ["livro da sala"]}
    assert come(provider, browser()).status_code == 302  # clocks differ by less than a minute


def test_a_token_nobody_signed_lets_nobody_in(provider: ServedProvider) -> None:
    now = int(time.time())
    claims = {"iss": provider.url, "sub": "u", "aud": "livro da sala", "exp": now + 60, "iat": now}
    for token in (
        signed(claims, OTHER_KEY),
        signed(claims, kid="of no key"),
        signed(claims, alg="none").rpartition(".")[0] + ".",
        signed(claims, alg="HS256"),
        signed("[" * 90_000),
        "no token",
        "",
    ):
        provider.token = token
        client = browser()
        answer = come(provider, client)
        assert answer.status_code in (403, 503)
        assert not is_in(client)


def test_who_comes_back_without_having_gone_is_not_in(provider: ServedProvider) -> None:
    text = "was not begun in this browser"
    client, other = browser(), browser()
    there = provider.log_in(begun(client))
    refused(back(other, there), other, text)
    refused(client.get(f"{BACK}?code=code-0&state=of+another"), client, text)
    refused(back(client, there), client, text)  # asked once
    refused(client.get(f"{BACK}?state=&code="), client, text)
    client = browser()
    there = provider.log_in(begun(client))
    assert back(client, there).status_code == 302
    fresh = browser()
    late = provider.log_in(begun(fresh))
    session = fresh.session
    session["provider-login"] |= {"at": session["provider-login"]["at"] - 601}
    session.save()
    refused(back(fresh, late), fresh, text)


def test_a_code_of_somebody_else_is_worth_nothing(provider: ServedProvider) -> None:
    mine, his = browser(), browser()
    stolen = urlsplit(provider.log_in(begun(his))).query.partition("&")[0]
    begun(mine)
    state = mine.session["provider-login"]["state"]
    refused(mine.get(f"{BACK}?{stolen}&state={state}"), mine, "does not prove who you are")


def test_what_the_provider_refuses_is_said(provider: ServedProvider) -> None:
    for more in ("error=access_denied", "code=x&iss=https%3A%2F%2Fother.example"):
        client = browser()
        begun(client, "/sala/")
        state = client.session["provider-login"]["state"]
        refused(client.get(f"{BACK}?{more}&state={state}"), client, "did not let you in")


# Away, slow, too often, off


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/.well-known/openid-configuration", (500, b"")),
        ("/.well-known/openid-configuration", (200, b"<html>")),
        ("/.well-known/openid-configuration", (200, b'{"issuer": "https://other.example"}')),
        ("/token", (502, b"")),
        ("/token", (200, b'{"access_token": "a"}')),
        ("/token", (200, b"[]")),
        ("/keys", (404, b"")),
        ("/keys", (200, b'{"keys": 5}')),
        ("/keys", (200, b"[" * 90_000)),
    ],
)
def test_a_provider_that_answers_otherwise_is_away(
    provider: ServedProvider, path: str, answer: tuple[int, bytes]
) -> None:
    client = browser()
    if path.startswith("/."):
        provider.answers[path] = answer
        shown = client.post(BEGIN, {"provider-onward": "/sala/", "do": "begin"})
        assert 'name="do" value="begin"' in shown.content.decode()
    else:
        there = provider.log_in(begun(client))
        provider.answers[path] = answer
        shown = back(client, there)
    refused(shown, client, "does not answer. Log in by number and password", 503)


@pytest.mark.share
def test_a_provider_that_names_an_address_in_clear_is_not_believed(
    provider: ServedProvider,
) -> None:
    described = f'{{"issuer": "{provider.url}", "authorization_endpoint": "http://x.example/"}}'
    provider.answers["/.well-known/openid-configuration"] = (200, described.encode())
    assert browser().post(BEGIN, {}).status_code == 503


def test_a_provider_that_is_slow_is_not_waited_for(
    provider: ServedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider_client, "SECONDS", 0.0)  # whatever it takes is too long
    refused(browser().post(BEGIN, {}), browser(), "does not answer", 503)


@pytest.mark.share
def test_who_begins_too_often_waits_and_who_comes_back_does_not(
    provider: ServedProvider,
) -> None:
    client = browser()
    for _ in range(40):
        begun(client)
    answer = browser().post(BEGIN, {})
    assert answer.status_code == 429
    assert answer["Retry-After"] in ("1", "2")
    assert (
        browser().post("/admin/login/", {"username": HEAD, "password": PASSWORD}).status_code == 302
    )


def test_the_entrances_show_it_only_where_there_is_one(
    provider: ServedProvider, settings: Any
) -> None:
    host = urlsplit(provider.url).netloc
    for page in ("/admin/login/", "/sala/"):
        assert f"Log in with {host}" in browser().get(page).content.decode()
    settings.HOUSE_PROVIDER = None
    for page in ("/admin/login/", "/sala/"):
        assert "provider-onward" not in browser().get(page).content.decode()
    assert browser().post(BEGIN, {}).status_code == 404
    assert browser().get(BACK).status_code == 404


def test_a_password_may_be_left_to_the_administrador(
    provider: ServedProvider, settings: Any
) -> None:
    settings.PASSWORD_LOGIN = False
    answers = {
        staff: browser().post("/admin/login/", {"username": staff, "password": PASSWORD})
        for staff in (HEAD, ADMIN)
    }
    assert answers[ADMIN].status_code == 302
    assert "lets in the administrador alone" in answers[HEAD].content.decode()
    wrong = browser().post("/admin/login/", {"username": HEAD, "password": "guessed"})
    assert "lets in the administrador alone" not in wrong.content.decode()


def test_nobody_is_sent_to_another_house_afterwards(provider: ServedProvider) -> None:
    for onward in ("https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"):
        assert come(provider, browser(), onward)["Location"] == "/admin/"


@pytest.mark.share
def test_a_form_too_large_to_wait_is_said_to_be(provider: ServedProvider) -> None:
    client = browser()
    sent = {"provider-onward": DUTY, "text": "x" * 65_536}
    refused(client.post(BEGIN, sent), client, "too much to wait there", 413)
