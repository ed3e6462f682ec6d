"""Asking a server nobody here trusts: bounded in bytes and in seconds, without redirects.

In TLS, or on this machine: whatever else is asked in clear could be answered by anybody. What is
compressed is not asked for: a small answer could become a large one.
"""

import http.client
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from threading import Event, Timer
from types import MappingProxyType, TracebackType
from typing import Final, NamedTuple, Self
from urllib.parse import urlsplit

SECONDS: Final = 20.0  # for an answer, from the first byte sent to the last one read
_HERE: Final = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


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
    if parts.scheme in ways_to(parts.hostname):
        return
    raise ValueError(f"{url!r} must begin with https://; in clear only this machine is asked")


def ways_to(host: str) -> frozenset[str]:
    """How a host may be asked: "https", and "http" where it is this machine."""
    try:
        here = any(ip_address(host) in each for each in _HERE)
    except ValueError:
        here = host == "localhost"
    return frozenset({"https", "http"} if here else {"https"})


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

    def post(
        self, path: str, body: bytes, most: int, headers: Mapping[str, str] = MappingProxyType({})
    ) -> Answer:
        """Send something. Raises: Unanswered."""
        return self._ask("POST", path, most, body, headers)

    def deliver(self, path: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Send something to whom only the status is asked of: whatever else he answers is left
        unread. Once, over a connection of its own. Raises: Unanswered.
        """
        self.close()
        try:
            return self._ask("POST", path, None, body, headers).status
        finally:
            self.close()

    def _ask(
        self,
        method: str,
        path: str,
        most: int | None,
        body: bytes | None,
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> Answer:
        # A server may have let a connection go that nobody used for a while: once more, then.
        for again in (self._open is not None, False):
            try:
                return self._asked(method, path, most, body, more)
            # A host may have no spelling of its own: a label too long is no OSError.
            except (OSError, http.client.HTTPException, UnicodeError) as error:
                self.close()
                if not again:
                    why = str(error) or type(error).__name__
                    raise Unanswered(f"{self.prefix}/{path}: {why}") from error
        raise AssertionError("asked twice at most")

    def _asked(
        self, method: str, path: str, most: int | None, body: bytes | None, more: Mapping[str, str]
    ) -> Answer:
        connection = self._open or self._connection()
        self._open = connection
        if connection.sock is None:
            connection.connect()
        late, taken = Event(), connection.sock

        def let_go() -> None:
            late.set()
            with suppress(OSError):  # the server was quicker
                taken.shutdown(socket.SHUT_RDWR)

        # However slowly it answers, byte by byte, it ends: a time-out of the socket is one of each.
        end = Timer(self.seconds, let_go)
        end.daemon = True
        end.start()
        headers = {"Accept-Encoding": "identity", **more}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        try:
            connection.request(method, f"{urlsplit(self.prefix).path}/{path}", body, headers)
            with connection.getresponse() as answer:
                return self._answered(answer, path, most)
        finally:
            end.cancel()
            if late.is_set():  # a head that was cut off reads like a whole one
                raise TimeoutError(f"not answered within {self.seconds:g} s")

    def _answered(self, answer: http.client.HTTPResponse, path: str, most: int | None) -> Answer:
        if most is None:
            return Answer(answer.status, "", b"")
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
