"""`manage.py healthy`: a service that lives but gets nothing done is not healthy."""

import os
import time
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from casino.management.commands import healthy
from tests.factories.records import burnt, recorded


def asked(service: str) -> str | None:
    """The reason why a service is not healthy; None when it is."""
    try:
        call_command("healthy", service, stdout=StringIO())
    except CommandError as trouble:
        return str(trouble)
    return None


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Generator[list[int]]:
    """A web server whose answer is the status last in the list."""
    settings.ALLOWED_HOSTS = [".livro.example"]
    statuses = [200]
    hosts: list[str | None] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hosts.append(self.headers["Host"])
            self.send_response(statuses[-1])
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Answer)
    monkeypatch.setattr(healthy, "PORT", server.server_port)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield statuses
    server.shutdown()
    thread.join()
    server.server_close()
    assert set(hosts) <= {"livro.example"}


def test_a_web_that_can_record_is_healthy(page: list[int]) -> None:
    assert asked("web") is None
    for status in (503, 301, 404):
        page.append(status)
        assert asked("web") == f"web: the answer was {status}"


def test_no_page_is_not(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["livro.example"]
    monkeypatch.setattr(healthy, "PORT", 1)
    assert "no answer on port 1" in str(asked("web"))


@pytest.mark.parametrize(
    ("service", "variable", "patience"),
    [("worker", "HEARTBEAT_FILE", healthy.PULSE), ("beat", "BEAT_FILE", healthy.SCHEDULED)],
)
def test_a_pulse_that_stopped_is_noticed(
    service: str, variable: str, patience: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pulse"
    monkeypatch.setenv(variable, str(file))
    assert "was never written" in str(asked(service))
    file.touch()
    assert asked(service) is None
    long_ago = time.time() - patience - 5
    os.utime(file, (long_ago, long_ago))
    assert "was last written" in str(asked(service))
    # The database a schedule lies in may have an ending of its own.
    (tmp_path / "pulse.db").touch()
    assert asked(service) is None


@pytest.mark.django_db
def test_what_waits_too_long_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (asked("sequencer"), asked("outbox")) == (None, None)
    recorded(burnt())
    assert (asked("sequencer"), asked("outbox")) == (None, None)
    # The job that follows an event of a partida is due within 65 seconds.
    monkeypatch.setenv("CLOCK_OFFSET", "300")
    assert "an entry has waited since" in str(asked("sequencer"))
    assert "a job was due at" in str(asked("outbox"))
