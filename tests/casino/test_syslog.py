"""The security log's lines at a syslog server: RFC 5424 by UDP, TCP and a socket of the machine."""

import logging
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from casino.logs.syslog_lines import Syslog, address_of, syslog, to_syslog

LINE = re.compile(
    rb"<86>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S+ livro-da-sala \d+ login-failed - "
    rb'login-failed who="S-0187" from="10\.0\.0\.7"'
)
SAID = 'login-failed who="S-0187" from="10.0.0.7"'


@contextmanager
def logging_to(where: str) -> Iterator[logging.Logger]:
    """A log that goes there alone."""
    handler, log = syslog(where), logging.getLogger("casino.security_log.tests")
    log.propagate, log.handlers = False, [handler]
    log.setLevel(logging.INFO)
    try:
        yield log
    finally:
        handler.close()
        log.handlers = []


@pytest.mark.parametrize("scheme", ["", "udp://"])
def test_a_line_comes_by_udp(scheme: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(60)
        with logging_to(f"{scheme}127.0.0.1:{server.getsockname()[1]}") as log:
            log.info(SAID)
            assert LINE.fullmatch(server.recv(2_000))


def test_lines_come_by_tcp_each_ended() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        with logging_to(f"tcp://127.0.0.1:{server.getsockname()[1]}") as log:
            log.info(SAID)
            log.info("login\nwho=%s", "forged")  # nobody makes two lines of one
            peer, _ = server.accept()
            with peer, peer.makefile("rb") as lines:
                assert LINE.fullmatch(lines.readline().rstrip(b"\n"))
                assert lines.readline().endswith(b"login - login who=forged\n")


def test_a_line_comes_to_a_socket_of_the_machine(tmp_path: Path) -> None:
    path = str(tmp_path / "log")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind(path)
        server.settimeout(60)
        with logging_to(path) as log:
            log.info(SAID)
            assert LINE.fullmatch(server.recv(2_000))


def test_a_server_that_is_away_is_said_once_and_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with logging_to(f"tcp://127.0.0.1:{port}") as log:
        for _ in range(3):
            log.info(SAID)
        away = [one for one in caplog.records if "takes no lines" in one.getMessage()]
        assert len(away) == 1
        with socket.create_server(("127.0.0.1", port)) as server:
            server.settimeout(60)
            log.handlers[0]._rest_until = 0.0  # type: ignore[attr-defined]
            log.info(SAID)
            peer, _ = server.accept()
            with peer, peer.makefile("rb") as lines:
                assert LINE.fullmatch(lines.readline().rstrip(b"\n"))


@pytest.mark.parametrize(
    "where", ["host", "host:", ":514", "host:0", "host:70000", "http://h:1", "tcp://h:1/x", "h:x"]
)
def test_what_names_no_server_is_refused(where: str) -> None:
    with pytest.raises(ValueError, match="SYSLOG: found"):
        address_of(where)


def test_settings_name_the_handler_once_it_is_asked_for() -> None:
    assert to_syslog("") == {}
    assert to_syslog("/dev/log")["syslog"]["where"] == "/dev/log"
    with pytest.raises(ValueError, match="SYSLOG: found"):
        to_syslog("nowhere")
    other = logging.LogRecord("casino.tasks", logging.INFO, "", 1, "begun", None, None)
    assert not syslog("/dev/log").filter(other)  # of the security log alone


def test_what_names_one_is_read() -> None:
    assert address_of("log.example:514") == (("log.example", 514), False)
    assert address_of("tcp://[::1]:601") == (("::1", 601), True)
    assert address_of("/dev/log") == ("/dev/log", False)
    assert isinstance(syslog("log.invalid:514"), Syslog)  # nobody is asked before there is a line
