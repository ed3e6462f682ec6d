"""The door as it is served: gunicorn as the launcher starts it, set up as in earnest, attacked from
this machine. What nginx adds in front of it stands in docs/operations.md.
"""

import re
import socket
import threading
from collections.abc import Generator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.db import connection

from casino.local.cluster import Cluster
from casino.local.services import SERVICES
from casino.models import Account
from tests.factories.people import PASSWORD
from tests.faults.kills.stack import Stack
from tests.patience import PATIENCE

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("fresh_db")]
STAFF = "S-0600"
# As the proxy in front passes a request on.
PASSED_ON = {"Host": "livro.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
WEB = next(one for one in SERVICES if one.name == "web")
FORM = "application/x-www-form-urlencoded"


class Served:
    """The web server; `kept` is the folder in which it may lay large bodies."""

    def __init__(self, stack: Stack, kept: Path) -> None:
        self.stack = stack
        self.kept = kept
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        bind = f"--bind=127.0.0.1:{self.port}"
        words = [bind if word.startswith("--bind=") else word for word in WEB.command]
        stack.start("web", *words)
        stack.wait("the web server", self.answers)

    def answers(self) -> bool:
        with suppress(OSError):
            return self.ask("GET", "/admin/login/").status == 200
        return False

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> HTTPResponse:
        """Its answer, read to the end."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as asks:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            asks.request(method, path, body, PASSED_ON | named)
            answer = asks.getresponse()
            answer.read()
            return answer

    def head(self, length: int) -> bytes:
        """The head of a stranger's form with so long a body, under a cookie any page gives."""
        cookie = self.ask("GET", "/admin/login/").headers["Set-Cookie"].partition(";")[0]
        lines = {**PASSED_ON, "Cookie": cookie, "Content-Length": str(length)}
        lines["Content-Type"] = "multipart/form-data; boundary=b"
        said = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"POST /admin/login/ HTTP/1.1\r\n{said}\r\n".encode()


@pytest.fixture
def served(
    fresh_db: str, database_environment: dict[str, str], tmp_path: Path
) -> Generator[Served]:
    kept = tmp_path / "kept"
    kept.mkdir()
    # Its own addresses alone, as the launcher gives them.
    others = {n for n in database_environment if n.endswith("DATABASE_URL") and n not in WEB.needs}
    values = {name: value for name, value in database_environment.items() if name not in others}
    values |= {"ALLOWED_HOSTS": "livro.example", "HTTPS": "1", "TRUSTED_PROXIES": "127.0.0.1"}
    values |= {"SECRET_KEY": "k" * 50, "WITNESS_PEPPER": "p" * 50, "TMPDIR": str(kept)}
    with Stack(tmp_path, values | {"FORWARDED_ALLOW_IPS": "127.0.0.1"}) as stack:
        yield Served(stack, kept)
    connection.close()  # it would keep the database from being dropped


def test_twelve_who_send_byte_by_byte_do_not_close_the_house(served: Served) -> None:
    """There are eight threads; each of the twelve goes on sending until it is cut off."""
    head = served.head(10_000)
    slow = [served.connected() for _ in range(12)]
    over, cut = threading.Event(), set[int]()

    def drip() -> None:
        while not over.wait(0.5):
            for number, one in enumerate(slow):
                try:
                    one.sendall(b"x")
                except OSError:
                    cut.add(number)

    for one in slow:
        one.sendall(head)
    dripping = threading.Thread(target=drip)
    dripping.start()
    try:
        for _ in range(5):
            assert served.ask("GET", "/admin/login/").status == 200
        served.stack.wait("all of them to be cut off", lambda: len(cut) == len(slow))
    finally:
        over.set()
        dripping.join(PATIENCE)
        for one in slow:
            one.close()


def test_a_large_body_of_a_stranger_is_laid_nowhere(served: Served) -> None:
    length, piece = 60 * 2**20, b"x" * 2**20
    with closing(served.connected()) as one:
        one.sendall(served.head(length))
        answer = one.recv(65_536)
        assert b" 413 " in answer.splitlines()[0]
        sent = 0
        with suppress(OSError):  # the connection is closed meanwhile
            while sent < length:
                one.sendall(piece)
                sent += len(piece)
                assert not any(file.stat().st_size for file in served.kept.iterdir())
    assert not any(file.stat().st_size for file in served.kept.iterdir())
    assert served.ask("GET", "/admin/login/").status == 200


def test_what_a_browser_is_given_in_earnest(served: Served) -> None:
    Account.objects.create_user(STAFF, PASSWORD, language="en")
    in_clear = served.ask("GET", "/admin/", X_Forwarded_Proto="http", X_Forwarded_Host="x.example")
    assert (in_clear.status, in_clear.headers["Location"]) == (301, "https://livro.example/admin/")
    assert served.ask("GET", "/admin/", Host="x.example").status == 400
    entrance = served.ask("GET", "/admin/login/")
    hsts = "max-age=31536000; includeSubDomains; preload"
    assert entrance.headers["Strict-Transport-Security"] == hsts
    first = entrance.headers["Set-Cookie"]
    token = re.fullmatch(r"__Host-csrftoken=(\w+); .*", first)
    assert token is not None
    sent = {"username": STAFF, "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
    cookie = {"Cookie": first.partition(";")[0], "Content_Type": FORM}
    foreign = served.ask(
        "POST", "/admin/login/", urlencode(sent), **cookie, Origin="https://x.example"
    )
    assert foreign.status == 403
    answer = served.ask(
        "POST", "/admin/login/", urlencode(sent), **cookie, Origin="https://livro.example"
    )
    assert answer.status == 302
    cookies = answer.headers.get_all("Set-Cookie")
    session = next(one for one in cookies if one.startswith("__Host-sessionid="))
    for one in (first, session):
        assert {"HttpOnly", "Secure", "SameSite=Lax", "Path=/"} <= set(one.split("; ")), one
        assert "Domain=" not in one
    # In earnest a password alone opens nothing.
    onward = served.ask("GET", "/admin/", Cookie=session.partition(";")[0])
    assert onward.status == 302
    assert "/second-factor/" in onward.headers["Location"]


def test_without_its_database_every_page_says_when_to_come_again(
    served: Served, database_server: Cluster, fresh_db: str
) -> None:
    with database_server.connect() as superuser:
        superuser.execute(f'ALTER DATABASE "{fresh_db}" ALLOW_CONNECTIONS false')
        superuser.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [fresh_db]
        )
        try:
            cookie = f"__Host-sessionid={'a' * 32}"
            for path in ("/admin/", "/sala/", "/book/", "/findings/"):
                answer = served.ask("GET", path, Cookie=cookie)
                assert (answer.status, answer.headers["Retry-After"]) == (503, "5"), path
        finally:
            superuser.execute(f'ALTER DATABASE "{fresh_db}" ALLOW_CONNECTIONS true')
    served.stack.wait("its database again", served.answers)
    assert served.ask("GET", "/admin/", Cookie=cookie).status == 302
