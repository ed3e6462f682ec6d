"""Asking a server nobody here trusts: bounded in bytes and in seconds, without redirects.

In TLS, or on this machine: whatever else is asked in clear could be answered by anybody. What is
compressed is not asked for: a small answer could become a large one.
"""

import http.client
import socket
import ssl
from dataclasses import dataclass
from ipaddress import ip_address
from threading import Timer
from types import TracebackType
from typing import Final, NamedTuple, Self
from urllib.parse import urlsplit

SECONDS: Final = 20.0  # for an answer, from the first byte sent to the last one read


class Unanswered(Exception):
    """There is no answer that could be used. The sentence says why."""


class Answer(NamedTuple):
    """What a server answered."""

    status: int
    content_type: str
    body: bytes


def refuse_unsafe(url: str) -> None:
    """Raises: ValueError, for an address that is neither https nor of this machine."""
    parts = urlsplit(url)
    if not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ValueError(f"{url!r} is no address of a server: https://log.example/path")
    _ = parts.port  # raises ValueError for what is no port
    if parts.scheme == "https" or (parts.scheme == "http" and _is_here(parts.hostname)):
        return
    raise ValueError(f"{url!r} must begin with https://; in clear only this machine is asked")


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(slots=True)
class Site:
    """What lies under an address. `token` is sent with every request, where there is one.

    One connection is kept while it is used (`with`). Raises: ValueError, for an unsafe address.
    """

    prefix: str
    token: str = ""
    seconds: float = SECONDS
    _open: http.client.HTTPConnection | None = None

    def __post_init__(self) -> None:
        refuse_unsafe(self.prefix)
        self.prefix = self.prefix.rstrip("/")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the connection go."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def get(self, path: str, most: int) -> Answer:
        """Ask for something of at most `most` bytes. Raises: Unanswered."""
        return self._ask("GET", path, most, None)

    def post(self, path: str, body: bytes, most: int) -> Answer:
        """Send something. Raises: Unanswered."""
        return self._ask("POST", path, most, body)

    def _ask(self, method: str, path: str, most: int, body: bytes | None) -> Answer:
        # A server may have let a connection go that nobody used for a while: once more, then.
        for again in (self._open is not None, False):
            try:
                return self._asked(method, path, most, body)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                if not again:
                    why = str(error) or type(error).__name__
                    raise Unanswered(f"{self.prefix}/{path}: {why}") from error
        raise AssertionError("asked twice at most")

    def _asked(self, method: str, path: str, most: int, body: bytes | None) -> Answer:
        connection = self._open or self._connection()
        self._open = connection
        if connection.sock is None:
            connection.connect()
        # However slowly it answers, byte by byte, it ends: a time-out of the socket is one of each.
        end = Timer(self.seconds, connection.sock.shutdown, [socket.SHUT_RDWR])
        end.daemon = True
        end.start()
        try:
            return self._answered(connection, method, path, most, body)
        finally:
            end.cancel()

    def _answered(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        most: int,
        body: bytes | None,
    ) -> Answer:
        headers = {"Accept-Encoding": "identity"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        connection.request(method, f"{urlsplit(self.prefix).path}/{path}", body, headers)
        answer = connection.getresponse()
        why = ""
        if answer.headers.get("Content-Encoding", "identity") != "identity":
            why = "a compressed answer"
        elif answer.length is None and not answer.chunked:
            why = "an answer that does not say where it ends"
        elif (answer.length or 0) > most:
            why = f"more than {most} bytes"
        found = b"" if why else answer.read(most + 1 if answer.chunked else None)
        if why or len(found) > most:
            self.close()
            raise Unanswered(f"{self.prefix}/{path}: {why or f'more than {most} bytes'}")
        return Answer(answer.status, answer.headers.get_content_type(), found)

    def _connection(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.prefix)
        assert parts.hostname is not None
        if parts.scheme == "http":
            return http.client.HTTPConnection(parts.hostname, parts.port, timeout=self.seconds)
        trusted = ssl.create_default_context()
        return http.client.HTTPSConnection(
            parts.hostname, parts.port, timeout=self.seconds, context=trusted
        )
