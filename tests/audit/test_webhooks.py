"""Programs of others are told of findings, duties and reports: once each, signed, where the
operator allows it.
"""

import hmac
import json
import time
from base64 import b64decode
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import StringIO
from threading import Thread
from typing import Any, Final

import pytest
from django.core.management import call_command
from django.db import OperationalError

from audit import tasks
from audit.mail_events import WebhookSet
from audit.mailing import webhooks
from audit.mailing.webhooks import HostNotAllowed, NoHostAllowed, make_posts, send_posts
from audit.models import ReportRequest, WebhookPost
from casino import clock
from casino.events import Malformed
from casino.house_day import gaming_day_now
from tests.factories.findings import DAY, OWNER, client_of, finding, key_of, people, text_of, write
from tests.factories.tonight import Table

pytestmark = [pytest.mark.django_db, pytest.mark.share]
HOST: Final = "127.0.0.1"
NAME: Final = "inspecao"


class Receiver:
    """A program that is told: what it got, and the status it answers with."""

    def __init__(self) -> None:
        self.status, self.drips = 200, False
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        receiver = self

        class Answer(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((self.path, dict(self.headers), body))
                while receiver.drips:
                    try:
                        self.wfile.write(b"H")
                    except OSError:
                        return
                    time.sleep(0.02)
                self.send_response(receiver.status)
                self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self.server = HTTPServer((HOST, 0), Answer)

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://{HOST}:{self.server.server_port}/livro?casa=1"

    def bodies(self) -> list[Any]:
        """What it was told."""
        return [json.loads(body) for _path, _headers, body in self.got]


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_HOSTS = [HOST]
    settings.HOUSE_URL = "https://livro.example"
    made = Receiver()
    thread = Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


def told(address: str | None, topic: Any = "finding", name: str = NAME) -> None:
    """The administrator says where a program is told."""
    write([WebhookSet(webhook=name, topic=topic, address=address)], OWNER)


def minute() -> None:
    """What beat does every minute."""
    make_posts(clock.now())
    send_posts()


def test_a_finding_raised_is_told_once_and_names_nobody(receiver: Receiver) -> None:
    write([finding(1)])
    told(receiver.address)
    minute()
    assert receiver.got == [], "what was found before is no news"
    write([finding(2, owed_cents=123_400)])
    minute()
    minute()
    ((path, headers, body),) = receiver.got
    assert path == "/livro?casa=1"
    said = json.loads(body)
    assert said["type"] == "finding"
    assert said["id"] == headers["webhook-id"]
    assert said["data"].pop("link").startswith("https://livro.example/admin/audit/finding/")
    assert said["data"] == {
        "finding": key_of(2), "rulebook": "pt", "article": "21", "table": "BJ-01", "partida": "",
        "check": "blackjack_paid_three_to_two", "severity": "breach", "gaming_day": DAY.isoformat(),
    }  # fmt: skip
    assert b"J4" not in body
    assert b"1234" not in body


def test_its_signature_is_verified_with_the_key_of_the_command(receiver: Receiver) -> None:
    """As Standard Webhooks has it: whoever has another key, bytes or moment is not believed."""
    told(receiver.address)
    write([finding(1)])
    minute()
    ((_path, headers, body),) = receiver.got
    out = StringIO()
    call_command("webhook_key", NAME, stdout=out)
    key = b64decode(out.getvalue().strip().removeprefix("whsec_"), validate=True)
    assert len(key) == 32
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    version, _, mark = headers["webhook-signature"].partition(",")
    assert version == "v1"
    assert b64decode(mark) == hmac.digest(key, signed, "sha256")
    assert webhooks.key_of("another") != key


def test_none_is_left_out_however_long_nobody_looked(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(receiver.address)
    write([finding(which) for which in range(1, 8)])
    monkeypatch.setattr(webhooks, "MOST", 3)
    for _ in range(4):
        minute()
    assert sorted(one["data"]["finding"] for one in receiver.bodies()) == [
        key_of(which) for which in range(1, 8)
    ]


def test_a_receiver_that_is_away_is_asked_again_and_given_up_after_a_day(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(receiver.address)
    write([finding(1), finding(2)])
    receiver.status = 500
    minute()
    assert len(receiver.got) == 1, "one try for all that waits for it"
    first, second = WebhookPost.objects.order_by("n")
    assert (first.tries, first.trouble) == (1, "NotTaken: HTTP 500")
    assert (second.tries, second.next_at) == (0, first.next_at)
    assert first.next_at is not None
    assert first.next_at - clock.now() > timedelta(minutes=1)
    receiver.status = 204
    monkeypatch.setenv("CLOCK_OFFSET", "180")
    send_posts()
    assert not WebhookPost.objects.filter(sent_at=None).exists()
    ids = [headers["webhook-id"] for _path, headers, _body in receiver.got]
    assert ids.count(str(first.id)) == 2, "again under the same id"
    write([finding(3)])
    minute()
    receiver.status = 503
    write([finding(4)])
    make_posts(clock.now())
    monkeypatch.setenv("CLOCK_OFFSET", str(25 * 3600))
    send_posts()
    last = WebhookPost.objects.order_by("n").last()
    assert last is not None
    assert (last.given_up_at is not None, last.next_at) == (True, None)
    people()
    page = text_of(client_of("administrador", "en").get("/audit/alerts/").content.decode())
    assert f"{NAME} webhook" in page
    assert "HTTP 503" in page


def test_a_worker_that_dies_before_its_note_sends_it_again_under_the_same_id(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(receiver.address)
    write([finding(1)])

    def dies(*_: Any, **__: Any) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    with monkeypatch.context() as patched:
        patched.setattr(WebhookPost, "save", dies)
        make_posts(clock.now())
        with pytest.raises(OperationalError):
            send_posts()
    minute()
    minute()
    first, again = receiver.got
    assert first[1]["webhook-id"] == again[1]["webhook-id"]
    assert first[2] == again[2]


@pytest.mark.parametrize("status", [301, 302, 307, 404])
def test_nobody_is_followed_elsewhere(receiver: Receiver, status: int) -> None:
    told(receiver.address)
    write([finding(1)])
    receiver.status = status
    minute()
    assert [path for path, *_ in receiver.got] == ["/livro?casa=1"]
    assert WebhookPost.objects.get().trouble == f"NotTaken: HTTP {status}"


def test_who_wants_no_more_of_it_is_asked_no_more(receiver: Receiver) -> None:
    told(receiver.address)
    write([finding(1)])
    receiver.status = 410
    minute()
    post = WebhookPost.objects.get()
    assert (post.trouble, post.next_at) == ("HTTP 410", None)


def test_a_server_that_does_not_answer_costs_the_others_nothing(
    receiver: Receiver, settings: Any
) -> None:
    settings.WEBHOOK_HOSTS = [HOST, "localhost"]
    told("http://localhost:1/", name="away")
    told(receiver.address)
    write([finding(1), finding(2)])
    minute()
    assert len(receiver.got) == 2


def test_one_whose_answer_comes_byte_by_byte_is_left(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each byte of its head is soon enough; the whole of it would keep the mails back."""
    monkeypatch.setattr(webhooks, "WITHIN", 0.5)
    told(receiver.address)
    write([finding(1)])
    receiver.drips = True
    minute()
    assert WebhookPost.objects.get().trouble == "TimeoutError: not answered within 0.5 s"


def test_it_is_told_nothing_any_more(receiver: Receiver) -> None:
    told(receiver.address)
    write([finding(1)])
    make_posts(clock.now())
    told(None)
    write([finding(2)])
    minute()
    assert receiver.got == []
    assert WebhookPost.objects.get().trouble == webhooks.NO_TARGET
    told(receiver.address)
    write([finding(3)])
    minute()
    assert [one["data"]["finding"] for one in receiver.bodies()] == [key_of(3)]


def test_another_address_begins_nothing_anew(receiver: Receiver) -> None:
    told(f"http://{HOST}:1/")
    write([finding(1)])
    told(receiver.address)
    minute()
    assert [one["data"]["finding"] for one in receiver.bodies()] == [key_of(1)]


def test_a_duty_that_comes_due_is_told_once(receiver: Receiver) -> None:
    told(receiver.address, "due")
    table = Table(dealing="shuffler")
    table.shuffled()
    table.loaded()
    tasks.send_mail()
    tasks.send_mail()
    (said,) = receiver.bodies()
    assert said["type"] == "due"
    assert said["data"]["partida"] == table.partida
    assert said["data"]["check"] == "loading_witnessed"
    assert said["data"]["until"].endswith("Z")


def test_a_report_that_is_ready_is_told_and_one_that_is_not_is_not(receiver: Receiver) -> None:
    told(receiver.address, "report")
    for which, state in enumerate(("open", "finished", "failed")):
        ReportRequest.objects.create(
            request=f"{which}" * 32, by_staff="I-0001", by_office="inspetor", by_door="admin",
            report="night", report_language="pt", from_day=DAY, to_day=gaming_day_now(),
            asked_at=clock.now(), state=state, number=f"REL-2026-00000{which}",
        )  # fmt: skip
    minute()
    minute()
    (said,) = receiver.bodies()
    assert said["data"]["number"] == "REL-2026-000001"
    assert "I-0001" not in json.dumps(said)


# Where it may be sent


@pytest.mark.parametrize(
    "address",
    ["https://srij.example/", "https://srij.example:8443/a?b=c", "http://127.0.0.1:9/x",
     "http://localhost/", "http://[::1]:8000/"],
)  # fmt: skip
def test_an_address_is_of_https_or_of_this_machine(address: str) -> None:
    assert WebhookSet(webhook=NAME, topic="due", address=address).address == address


@pytest.mark.parametrize(
    "address",
    ["http://srij.example/", "ftp://srij.example/", "srij.example", "https://", "https:///x",
     "https://ana:segredo@srij.example/", "https://srij.example/#x", "https://srij.example:x/",
     "https://inspeção.example/", "https://srij.example/a b", "https://srij.example\\@127.0.0.1/",
     "file:" "///etc/passwd", "http://127.0.0.1.srij.example/", "https://[::1/"],
)  # fmt: skip
def test_another_address_is_malformed(address: str) -> None:
    with pytest.raises(Malformed, match=r"asked is https://host/path"):
        WebhookSet(webhook=NAME, topic="due", address=address)


def test_a_host_the_operator_does_not_name_is_refused(settings: Any) -> None:
    settings.WEBHOOK_HOSTS = ["srij.example"]
    told("https://SRIJ.example/x")
    for address in ("https://10.0.0.7/", "http://127.0.0.1:5432/", "https://x.srij.example/"):
        with pytest.raises(HostNotAllowed, match=r"allowed are srij\.example \(WEBHOOK_HOSTS\)"):
            told(address)
    told(None)


def test_where_no_host_is_allowed_it_is_said(settings: Any) -> None:
    settings.WEBHOOK_HOSTS = []
    with pytest.raises(NoHostAllowed, match=r"srij\.example: no host is allowed yet"):
        told("https://srij.example/x")


def test_the_list_says_which_is_sent_nothing_any_more(settings: Any) -> None:
    settings.WEBHOOK_HOSTS = ["srij.example"]
    people()
    told("https://srij.example/x", name="one")
    told(None, name="other")
    page = client_of("inspetor", "es").get("/admin/audit/webhooksetting/").content.decode()
    assert "https://srij.example/x" in page
    assert "Ya no se le informa de nada." in page


def test_a_host_that_is_allowed_no_more_is_asked_no_more(receiver: Receiver, settings: Any) -> None:
    told(receiver.address)
    write([finding(1)])
    settings.WEBHOOK_HOSTS = []
    minute()
    assert receiver.got == []
    assert WebhookPost.objects.get().trouble == f"NotTaken: {HOST} is not among WEBHOOK_HOSTS"
