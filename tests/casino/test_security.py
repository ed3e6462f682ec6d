"""Every answer of the house carries the strict policy, and no page of ours needs more."""

import re
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings

from casino.models import Account, BookEntry
from casino.security import HEADERS, strict_headers
from tests.casino.content_policy import refused_in
from tests.factories.findings import client_of, people
from tests.factories.people import PASSWORD

ROOT = Path(__file__).resolve().parent.parent.parent
OURS = [
    path
    for package in ("casino", "jackpot", "audit")
    for path in (ROOT / package).rglob("templates/**/*.html")
]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " font-src 'self'; manifest-src 'self'; connect-src 'self'; form-action 'self';"
    " frame-ancestors 'none'; base-uri 'none'"
)


def test_what_the_policy_refuses_is_seen() -> None:
    page = (
        '<p style="x"><a onclick="y" href="//z.example"><style>q</style><script>r</script>'
        '<script src="/s"></script><a href="javascript:1"><a href="/fine">'
    )
    assert len(refused_in(page)) == 6


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_no_template_of_ours_needs_what_the_policy_refuses(path: Path) -> None:
    tags = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}")
    assert refused_in(tags.sub("", path.read_text("utf-8"))) == []


@pytest.mark.django_db
@pytest.mark.parametrize("office", [None, "inspetor", "chefia_da_sala", "administrador"])
def test_every_answer_carries_the_policy_and_keeps_it(office: str | None) -> None:
    people()
    client = Client() if office is None else client_of(office)
    addresses = [
        "/", "/admin/", "/admin/login/", "/law/pt/", "/law/pt/21/", "/admin/audit/finding/",
        "/admin/password_change/", "/nowhere/", "/admin/jsi18n/",
    ]  # fmt: skip
    for address in addresses:
        answer = client.get(address)
        assert answer["Content-Security-Policy"] == POLICY, address
        for name, value in HEADERS.items():
            assert answer[name] == value, address
        assert answer["X-Content-Type-Options"] == "nosniff"
        if answer["Content-Type"].startswith("text/html"):
            assert refused_in(answer.content.decode()) == [], address


def test_a_static_file_carries_the_policy_too() -> None:
    answer = Client().get("/static/casino/tokens.css")
    assert answer["Content-Security-Policy"] == POLICY
    answer.close()


@pytest.mark.django_db
def test_refusals_carry_the_policy_too() -> None:
    strict = Client(enforce_csrf_checks=True)
    refused = strict.post("/language/", {"language": "en"})
    assert refused.status_code == 403
    assert refused["Content-Security-Policy"] == POLICY
    assert refused_in(refused.content.decode()) == []
    assert "A página envelheceu" in refused.content.decode()


@pytest.mark.django_db
@override_settings(DEBUG=False)
def test_a_fault_of_ours_carries_the_policy_too(monkeypatch: pytest.MonkeyPatch) -> None:
    people()
    client = client_of("inspetor")
    client.raise_request_exception = False
    monkeypatch.setattr("audit.pages.overview.panel", lambda request: 1 / 0)
    answer = client.get("/admin/")
    assert answer.status_code == 500
    assert answer["Content-Security-Policy"] == POLICY
    assert refused_in(answer.content.decode()) == []


def test_a_view_may_be_stricter() -> None:
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Referrer-Policy": "no-referrer"})

    answer = strict_headers(view)(HttpRequest())
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["Content-Security-Policy"] == POLICY


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("chosen", "cookie"), [("en", "en"), ("pt-pt", "pt-pt"), ("xx", None), ("", None)]
)
def test_only_a_language_of_the_house_can_be_chosen(chosen: str, cookie: str | None) -> None:
    people()
    client = client_of("inspetor")
    answer = client.post("/language/", {"language": chosen, "next": "//evil.example/"})
    assert answer.status_code in (204, 302)
    assert "evil" not in answer.get("Location", "")
    got = client.cookies.get("django_language")
    assert (got.value if got else None) == cookie
    if got:
        assert got["httponly"]
    assert client.get("/language/").status_code == 405


@pytest.mark.django_db
def test_what_is_shown_to_a_session_is_kept_by_no_browser() -> None:
    people()
    auditor = client_of("auditor")
    for page in ("/book/", "/audit/exposure/", "/jackpots/", "/admin/", "/law/pt/"):
        answer = auditor.get(page)
        assert answer.status_code == 200, page
        assert "no-store" in answer["Cache-Control"], page
    assert "Cache-Control" not in Client().get("/nowhere/")


# Forms of others, other methods, other places


@pytest.mark.django_db
@pytest.mark.parametrize(
    "url", ["/admin/login/", "/sala/enter/", "/sala/leave/", "/admin/logout/", "/language/"]
)
@pytest.mark.parametrize("origin", [None, "https://elsewhere.example"])
def test_a_form_of_another_site_does_nothing(url: str, origin: str | None) -> None:
    Account.objects.create_user("S-0600", PASSWORD, language="en")
    client = Client(enforce_csrf_checks=True)
    client.get("/admin/login/")  # with the cookie, and without what stands in the form
    if not url.endswith(("login/", "enter/")):
        client.force_login(Account.objects.get())
    sent = {"username": "S-0600", "password": PASSWORD, "language": "en"}
    sent |= {"enter-number": "S-0600", "enter-secret": PASSWORD}
    if origin:
        sent["csrfmiddlewaretoken"] = client.cookies["csrftoken"].value
    answer = client.post(url, sent, headers={"origin": origin} if origin else {})
    assert answer.status_code == 403
    logged_in = "_auth_user_id" in client.session
    assert logged_in is not url.endswith(("login/", "enter/"))
    assert "django_language" not in client.cookies


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "FOO"])
def test_no_other_method_does_anything(method: str) -> None:
    people()
    client = client_of("administrador")
    client.handler.enforce_csrf_checks = True
    before = BookEntry.objects.count()
    for url in ("/admin/", "/admin/casino/officegrant/add/", "/sala/", "/admin/logout/"):
        answer = client.generic(method, url, b"a=b", HTTP_X_SECRET="echo me")
        # A page may be read by TRACE as by GET, which changes nothing and repeats nothing.
        read = {client.get(url).status_code} if method == "TRACE" else set()
        assert answer.status_code in {403, 405} | read, (url, answer.status_code)
        assert b"echo me" not in answer.content
        named = {"HTTP_X_HTTP_METHOD_OVERRIDE": method, "HTTP_X_METHOD_OVERRIDE": method}
        overridden = client.get(url, {"_method": method}, **named)
        assert overridden.status_code == client.get(url).status_code, url
    assert BookEntry.objects.count() == before
    assert "_auth_user_id" in client.session


ELSEWHERE = [
    *("https://x.example/", "//x.example/", "///x.example/", "/\\x.example/", "\\\\x.example"),
    *("https:x.example", "javascript:alert(1)", " //x.example", "/%2f%2fx.example@/\r\nX: y"),
]


@pytest.mark.django_db
@pytest.mark.parametrize("onward", ELSEWHERE)
def test_no_door_leads_to_another_place(onward: str) -> None:
    Account.objects.create_user("S-0600", PASSWORD, language="en")
    for url, sent in (
        ("/admin/login/", {"username": "S-0600", "password": PASSWORD, "next": onward}),
        (
            "/sala/enter/",
            {"enter-number": "S-0600", "enter-secret": PASSWORD, "enter-onward": onward},
        ),
        ("/language/", {"language": "en", "next": onward}),
    ):
        client = Client()
        if url == "/language/":
            client.force_login(Account.objects.get())
        answer = client.post(url, sent)
        assert answer.status_code in (204, 302), (url, answer.status_code)
        to = answer.get("Location", "/")
        place = urlsplit(urljoin("http://testserver/", to))
        assert place.netloc == "testserver", (url, to)
        assert place.scheme == "http"
        assert "\n" not in to


@pytest.mark.django_db
def test_another_houses_name_is_not_answered_nor_repeated() -> None:
    with override_settings(ALLOWED_HOSTS=["livro.example"], SECURE_SSL_REDIRECT=True):
        assert Client().get("/admin/", HTTP_HOST="x.example").status_code == 400
        named = {"HTTP_HOST": "livro.example", "HTTP_X_FORWARDED_HOST": "x.example"}
        answer = Client().get("/admin/", **named)
    assert answer["Location"] == "https://livro.example/admin/"
