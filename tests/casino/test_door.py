"""The door: whose address is believed, how large a body may be, who is shut out, what is noted."""

import logging
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import reverse

from casino.machine.environment_values import networks_from
from casino.models import Account
from casino.security import FORMS_BODY, STRANGERS_BODY, believed_address
from casino.web.entrance import KNOWN
from casino.web.login.throttle import TRIES
from casino.web_worker import SLOWEST, WITHIN, TimedReader
from tests.factories.findings import client_of, people
from tests.factories.people import PASSWORD
from tests.patience import PATIENCE, wait_until
from tests.stages import recorded_once

pytestmark = pytest.mark.share

STAFF = "S-0600"
HOME, AFAR = "192.0.2.7", "203.0.113.66"


@recorded_once
def account() -> Account:
    return Account.objects.create_user(STAFF, PASSWORD, language="en")


def knock(client: Client, password: str, **headers: str) -> int:
    sent = {"username": STAFF, "password": password, "next": "/admin/"}
    return client.post(reverse("admin:login"), sent, **headers).status_code


# Where a request came from


@pytest.mark.parametrize(
    ("peer", "passed_on", "believed"),
    [
        ("10.0.0.1", "192.0.2.7", "192.0.2.7"),  # by the proxy that is named
        ("10.0.0.1", "203.0.113.66, 192.0.2.7", "192.0.2.7"),  # what stands left of it is said
        ("10.0.0.1", "192.0.2.7, 10.0.0.2", "10.0.0.2"),  # the last it is, whosever
        ("::ffff:10.0.0.1", "2001:db8::7", "2001:db8::7"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "unknown", "10.0.0.1"),
        ("192.0.2.9", "192.0.2.7", "192.0.2.9"),  # nobody else is believed
        ("", "192.0.2.7", ""),
    ],
)
def test_a_named_proxy_alone_says_who_asks(peer: str, passed_on: str, believed: str) -> None:
    seen: list[str] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(request.META["REMOTE_ADDR"])
        return HttpResponse()

    request = RequestFactory().get("/", REMOTE_ADDR=peer, headers={"x-forwarded-for": passed_on})
    with override_settings(TRUSTED_PROXIES=networks_from("10.0.0.0/30, ::1")):
        believed_address(view)(request)
    assert seen == [believed]


def test_a_proxy_that_is_no_address_is_refused_at_the_start() -> None:
    assert networks_from(" ") == []
    with pytest.raises(ImproperlyConfigured, match=r"TRUSTED_PROXIES: .*caddy"):
        networks_from("127.0.0.1,caddy")


# Who is shut out


@override_settings(TRUSTED_PROXIES=networks_from("127.0.0.1"))
def test_behind_the_proxy_nobody_is_shut_out_from_another_address(account: Account) -> None:
    by = {"REMOTE_ADDR": "127.0.0.1"}
    for _ in range(TRIES + 1):
        last = knock(Client(**by), "wrong", HTTP_X_FORWARDED_FOR=AFAR)
    assert last == 429
    assert knock(Client(**by), PASSWORD, HTTP_X_FORWARDED_FOR=HOME) == 302


def test_ones_own_tablet_lets_one_in_whoever_tried_at_the_same_address(account: Account) -> None:
    tablet = Client(REMOTE_ADDR=HOME)
    assert knock(tablet, PASSWORD) == 302
    tablet.post(reverse("admin:logout"))
    for _ in range(TRIES + 1):
        last = knock(Client(REMOTE_ADDR=HOME), "wrong")
    assert last == 429
    assert knock(tablet, PASSWORD) == 302
    assert knock(Client(REMOTE_ADDR=HOME), PASSWORD) == 429  # a browser nobody knows


def test_who_has_the_tablet_has_no_more_tries_than_others(account: Account) -> None:
    tablet = Client(REMOTE_ADDR=HOME)
    assert knock(tablet, PASSWORD) == 302
    tablet.post(reverse("admin:logout"))
    assert [knock(tablet, "wrong") for _ in range(TRIES + 1)] == [200] * TRIES + [429]
    assert knock(tablet, PASSWORD) == 429
    assert STAFF not in tablet.cookies[KNOWN].value


def test_a_cookie_somebody_made_up_is_none(account: Account) -> None:
    client = Client(REMOTE_ADDR=HOME)
    for _ in range(TRIES):
        client.cookies[KNOWN] = "eyJicm93c2VyIjoiYSIsInBlb3BsZSI6W119:x:y"
        knock(client, "wrong")
    client.cookies[KNOWN] = "another"
    assert knock(client, PASSWORD) == 429


# How large a body may be


def test_a_stranger_sends_no_more_than_a_form(db: None) -> None:
    client = Client()
    body = b"x" * (STRANGERS_BODY + 1)
    answer = client.post("/admin/login/", body, content_type="multipart/form-data; boundary=b")
    assert answer.status_code == 413
    text = answer.content.decode()
    assert "256" in text
    assert "Inicie sessão primeiro" in text or "Log in first" in text
    assert (
        client.post("/admin/login/", {"username": "x" * 1000, "password": "y"}).status_code == 200
    )


def test_who_is_logged_in_sends_no_more_than_a_form_takes(db: None) -> None:
    people()
    client = client_of("administrador")
    least = {"x": "y" * (STRANGERS_BODY + 1)}
    assert client.post("/admin/password_change/", least).status_code == 200
    body = b"x=" + b"y" * FORMS_BODY
    form = "application/x-www-form-urlencoded"
    assert client.post("/admin/password_change/", body, content_type=form).status_code == 413


def test_not_a_byte_of_what_is_refused_is_read(db: None) -> None:
    class Untouched:
        def read(self, *_: int) -> bytes:
            raise AssertionError("it was read")

        readline = read

    said = {"CONTENT_LENGTH": str(600 * 2**20), "wsgi.input": Untouched()}
    answer = Client().generic("POST", "/admin/login/", b"", "multipart/form-data", **said)
    assert answer.status_code == 413


# What is noted


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    caplog.set_level(logging.INFO, "casino.security_log")
    return lambda: [one.getMessage() for one in caplog.records if "security_log" in one.name]


def test_who_came_in_failed_and_left_is_a_line_each(
    account: Account, lines: Callable[[], list[str]]
) -> None:
    client = Client(REMOTE_ADDR=HOME)
    knock(client, "wrong")
    knock(client, PASSWORD)
    client.post(reverse("admin:logout"))
    who = f'who="{STAFF}" from="{HOME}"'
    assert lines() == [f"login-failed {who}", f"login {who}", f"logout {who}"]


def test_what_was_typed_into_the_wrong_field_is_noted_nowhere(
    db: None, lines: Callable[[], list[str]]
) -> None:
    for typed in ("my secret password", "S-1\nlogin who=S-0001", "S-0600 "):
        Client().post(reverse("admin:login"), {"username": typed, "password": "x"})
    noted = lines()
    assert len(noted) == 3
    assert all("secret" not in one and "\n" not in one for one in noted)
    assert 'who="(no number)"' in noted[0]


def test_a_refusal_is_one_line_with_who_and_what(
    db: None, lines: Callable[[], list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    people()
    client = client_of("inspetor")
    assert client.get("/admin/casino/burn/add/").status_code == 403
    (line,) = [one for one in lines() if one.startswith("refused")]
    assert 'what="GET /admin/casino/burn/add/"' in line
    django = [one for one in caplog.records if one.name == "django.request"]
    assert all(one.exc_info is None for one in django)


def test_too_many_tries_are_noted(account: Account, lines: Callable[[], list[str]]) -> None:
    for _ in range(TRIES + 1):
        knock(Client(REMOTE_ADDR=AFAR), "wrong")
    refused = [one for one in lines() if one.startswith("login-refused")]
    assert refused == [f'login-refused who="{STAFF}" from="{AFAR}" why="too many wrong passwords"']


# A body that comes too slowly


def test_a_request_has_its_time_and_earns_more_by_what_it_sends() -> None:
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        reader = TimedReader(ours)
        begun = reader._until
        theirs.sendall(b"x" * 1600)
        assert len(reader.chunk()) == 1600
        assert reader._until == pytest.approx(begun + 1600 / SLOWEST)
        reader._until = time.monotonic() - 1
        with pytest.raises(ConnectionResetError):
            reader.chunk()
        reader.begin()
        assert reader._until > begun
        assert WITHIN < 60


_APP = """
def application(environ, start_response):
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Length", str(len(str(len(body)))))])
    return [str(len(body)).encode()]
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[int]:
    """A server of one thread that gives a request a second."""
    (tmp_path / "app.py").write_text(_APP)
    (tmp_path / "quick.py").write_text(
        "from casino import web_worker\nweb_worker.WITHIN = 1.0\n"
        "from casino.web_worker import DeadlineWorker\n"
    )
    with closing(socket.socket()) as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
    root = Path(__file__).resolve().parent.parent.parent
    command = [
        *(sys.executable, "-m", "gunicorn", "app:application", f"--bind=127.0.0.1:{port}"),
        *("--worker-class=quick.DeadlineWorker", "--threads=1", "--workers=1"),
        *("--no-control-socket", f"--pythonpath={root},{tmp_path}"),
    ]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: _answers(port), "the server", needs=[process])
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _answers(port: int) -> bool:
    try:
        return _sent(port, b"hello") == b"5"
    except OSError:
        return False


def _sent(port: int, body: bytes) -> bytes:
    with closing(socket.create_connection(("127.0.0.1", port), PATIENCE)) as one:
        one.sendall(_head(len(body)) + body)
        answer = b"".join(iter(lambda: one.recv(4096), b""))
        return answer.rpartition(b"\r\n\r\n")[2]


def _head(length: int) -> bytes:
    return (
        f"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


@pytest.mark.parametrize("begun", [b"POST / HTTP/1.1\r\nHo", _head(1000) + b"x"])
def test_whoever_sends_byte_by_byte_holds_no_thread(server: int, begun: bytes) -> None:
    slow = [socket.create_connection(("127.0.0.1", server), PATIENCE) for _ in range(3)]
    try:
        for one in slow:
            one.sendall(begun)
        assert _sent(server, b"x" * 100_000) == b"100000"  # behind three of them
    finally:
        for one in slow:
            one.close()


# Commands that could not do their work


@pytest.mark.parametrize("trouble", [OperationalError("canceling statement"), KeyError("ours")])
def test_a_command_that_failed_never_ends_as_if_it_had_found_something(
    db: None, monkeypatch: pytest.MonkeyPatch, trouble: Exception, tmp_path: Path
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise trouble

    monkeypatch.setattr("audit.management.commands.reconcile.look_around", fails)
    monkeypatch.setattr("casino.management.commands.import_rounds.Intake", fails)
    (tmp_path / "rounds.jsonl").write_text("{}\n")
    for command, *arguments in (
        ("reconcile", "--from", "2026-11-21"),
        ("import_rounds", str(tmp_path / "rounds.jsonl")),
    ):
        with pytest.raises((CommandError, SystemExit)) as ended:
            call_command(command, *arguments, stderr=StringIO())
        found = ended.value
        code = found.returncode if isinstance(found, CommandError) else found.code
        assert code == 2, command
