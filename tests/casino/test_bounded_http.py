"""A server nobody trusts is asked: whatever it answers ends, and is no longer than it may be."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import pytest

from casino.bounded_http import Site, Unanswered, ways_to

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
CLOSING = b"Connection: close\r\nContent-Length: 90\r\n\r\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"


@contextmanager
def server(
    answers: Callable[[socket.socket], None], times: int = 1, seen: list[bytes] | None = None
) -> Iterator[str]:
    """A server that does to each connection as a test likes; its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            for _ in range(times):
                connection, _ = listening.accept()
                with connection:
                    asked = connection.recv(65_536)
                    if seen is not None:
                        seen.append(asked)
                    with suppress(OSError):  # it was let go
                        answers(connection)

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/log"
        thread.join()


def asked(answer: bytes, most: int = 100) -> tuple[int, bytes]:
    with server(lambda one: one.sendall(answer)) as address, Site(address, seconds=5) as site:
        found = site.get("checkpoint", most)
        return found.status, found.body


def test_an_answer_within_its_bounds() -> None:
    assert asked(HEAD + b"Content-Length: 3\r\n\r\nabc") == (200, b"abc")
    assert asked(HEAD + b"Content-Length: 100\r\n\r\n" + b"x" * 100) == (200, b"x" * 100)
    assert asked(CHUNKED + b"3\r\nabc\r\n0\r\n\r\n") == (200, b"abc")
    assert asked(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") == (404, b"")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (HEAD + b"Content-Length: 101\r\n\r\n" + b"x" * 101, "more than 100 bytes"),
        (HEAD + b"Content-Length: 50\r\n\r\nabc", "IncompleteRead"),
        (HEAD + b"\r\nabc", "does not say where it ends"),
        (CHUNKED + b"3\r\nab", "IncompleteRead"),
        (CHUNKED + b"65\r\n" + b"x" * 101 + b"\r\n0\r\n\r\n", "more than 100 bytes"),
        (HEAD + b"Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", "compressed"),
        (HEAD + b"X: " + b"x" * 100_000 + b"\r\n\r\n", "header line"),
        (HEAD + b"X: y\r\n" * 1000 + b"\r\n", "more than 100 headers"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "SSH"),
        (b"", "closed connection"),
    ],
)
def test_any_other_is_none(answer: bytes, why: str) -> None:
    with pytest.raises(Unanswered, match=why):
        asked(answer)


def dripping(begun: bytes) -> Callable[[socket.socket], None]:
    """Each byte is soon enough; all of them would take for ever."""

    def drip(connection: socket.socket) -> None:
        connection.sendall(begun)
        connection.settimeout(0.05)
        for _ in range(100_000):
            connection.sendall(b"x")
            try:
                if not connection.recv(1):
                    return
            except TimeoutError:
                continue

    return drip


@pytest.mark.parametrize("more", [b"", b"Content-Length: 90\r\n\r\n", CLOSING])
def test_one_that_comes_byte_by_byte_ends(more: bytes) -> None:
    drip = dripping(HEAD + more)
    late = pytest.raises(Unanswered, match=r"not answered within 0\.5 s")
    with server(drip) as address, Site(address, seconds=0.5) as site, late:
        site.get("checkpoint", 100)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (HEAD + b"Content-Length: 3\r\n\r\nabc", 200),
        (HEAD + b"\r\n" + b"x" * 100_000, 200),
        (HEAD + b"Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", 200),
        (b"HTTP/1.0 410 Gone\r\n\r\n", 410),
    ],
)
def test_of_whom_the_status_is_asked_nothing_else_is_read(answer: bytes, status: int) -> None:
    seen: list[bytes] = []
    with server(lambda one: one.sendall(answer), seen=seen) as address:
        assert Site(address, seconds=5).deliver("in?of=1", b"{}", {"X-Key": "k"}) == status
    assert seen[0].startswith(b"POST /log/in?of=1 HTTP/1.1\r\n")
    assert b"X-Key: k\r\n" in seen[0]


def test_neither_a_status_nor_a_body_that_drips_is_waited_for() -> None:
    with server(dripping(HEAD)) as address, pytest.raises(Unanswered, match="not answered"):
        Site(address, seconds=0.5).deliver("in", b"", {})
    with server(dripping(HEAD + CLOSING)) as address:
        assert Site(address, seconds=60).deliver("in", b"", {}) == 200


@pytest.mark.parametrize("host", ["a..b", "x" * 64 + ".example"])
def test_a_host_that_cannot_be_spelled_is_unanswered(host: str) -> None:
    with pytest.raises(Unanswered):
        Site(f"https://{host}").deliver("", b"", {})


@pytest.mark.parametrize(
    ("host", "here"),
    [
        *((one, True) for one in ("127.0.0.1", "127.255.0.9", "::1", "localhost")),
        *((one, False) for one in ("128.0.0.1", "::2", "0.0.0.0", "::", "::ffff:127.0.0.1")),
        *((one, False) for one in ("127.0.0.1.example", "127.1", "localhost.", "")),
    ],
)
def test_in_clear_only_this_machine_is_asked(host: str, here: bool) -> None:
    assert ways_to(host) == ({"https", "http"} if here else {"https"})


def test_a_redirect_is_not_followed() -> None:
    head = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    assert asked(head) == (302, b"")


def test_a_connection_the_server_let_go_is_opened_again() -> None:
    def once(connection: socket.socket) -> None:
        connection.sendall(HEAD + b"Content-Length: 3\r\n\r\nabc")

    with server(once, times=2) as address, Site(address, seconds=5) as site:
        assert [site.get("a", 9).body, site.get("b", 9).body] == [b"abc", b"abc"]
