"""Every answer of the house carries the strict policy, and no page of ours needs more."""

import re
from pathlib import Path

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings

from casino.security import HEADERS, strict_headers
from tests.casino.content_policy import refused_in
from tests.factories.findings import client_of, people

ROOT = Path(__file__).resolve().parent.parent.parent
OURS = [
    path
    for package in ("casino", "jackpot", "audit")
    for path in (ROOT / package).rglob("templates/**/*.html")
]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none';"
    " base-uri 'none'"
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
