"""One machine's line to a house: its token, and its messages over one connection, by the standard
library alone.
"""

import http.client
import json
import ssl
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from casino.bounded_http import refuse_unsafe

SECONDS: Final = 60.0  # for one answer
API: Final = "/api/v1/"
# Answers after which the same is asked again; 0: there was none.
AGAIN: Final = frozenset({0, 401, 409, 429, 500, 502, 503, 504})
_FORM: Final = "application/x-www-form-urlencoded"
_JSON: Final = "application/json"


Said = dict[str, Any]  # what an answer says
Answer = tuple[int, Said]  # after its status


class Refused(Exception):
    """The house does not know the machine, or refuses for good what it sent: its answer."""


@dataclass(slots=True)
class Line:
    """A connection as the machine `number`. Raises: ValueError, for an address that is not safe."""

    url: str
    number: str
    secret: str
    seconds: float = SECONDS
    _token: str = ""
    _open: http.client.HTTPConnection | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        refuse_unsafe(self.url)

    def close(self) -> None:
        """Let the connection go."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def enter(self) -> int:
        """Ask for a token; the status of the answer, 0 where none came. Raises: Refused."""
        basic = b64encode(f"{self.number}:{self.secret}".encode()).decode()
        headers = {"Authorization": f"Basic {basic}", "Content-Type": _FORM}
        status, said = self._ask("POST", "/api/token", b"grant_type=client_credentials", headers)
        if status not in (0, 200, 429) and status < 500:
            raise Refused(f"{self.number}: {status} {said}")
        self._token = said.get("access_token", "") if status == 200 else ""
        return status

    def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """The status and the answer's JSON; 0 where none came. Raises: Refused."""
        return self._with_token("POST", API + path, body, {"Content-Type": _JSON, **headers})

    def get(self, path: str) -> Answer:
        """As `post`."""
        return self._with_token("GET", API + path, None, {})

    def lose(self, path: str, body: bytes, headers: Mapping[str, str], *, half: bool) -> None:
        """Send it, or half of it, and let the line break before anything is answered."""
        try:
            link = self._connected()
            link.putrequest("POST", urlsplit(self.url).path.rstrip("/") + API + path)
            sent = {"Content-Type": _JSON, "Content-Length": str(len(body)), **headers}
            for name, value in (sent | {"Authorization": f"Bearer {self._token}"}).items():
                link.putheader(name, value)
            link.endheaders(body[: len(body) // 2] if half else body)
        except (OSError, http.client.HTTPException):
            pass  # it broke by itself
        self.close()

    def _with_token(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        if not self._token and (status := self.enter()) != 200:
            return status, {}
        named = {**headers, "Authorization": f"Bearer {self._token}"}
        status, said = self._ask(method, path, body, named)
        if status == 401:  # the token has ended: with the next
            self._token = ""
        return status, said

    def _ask(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Answer:
        try:
            link = self._connected()
            link.request(method, urlsplit(self.url).path.rstrip("/") + path, body, dict(headers))
            answer = link.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            return 0, {}
        try:
            return answer.status, json.loads(text)
        except ValueError:  # a page, of whoever stands before the house
            return answer.status, {}

    def _connected(self) -> http.client.HTTPConnection:
        if self._open is None:
            parts = urlsplit(self.url)
            assert parts.hostname is not None
            if parts.scheme == "https":
                trusted = ssl.create_default_context()
                self._open = http.client.HTTPSConnection(
                    parts.hostname, parts.port, timeout=self.seconds, context=trusted
                )
            else:
                self._open = http.client.HTTPConnection(
                    parts.hostname, parts.port, timeout=self.seconds
                )
        return self._open
