"""Lines to a syslog server (RFC 5424), by Python's own handler.

Where the server is: ``HOST:PORT`` or ``udp://HOST:PORT`` for UDP, ``tcp://HOST:PORT`` for TCP (a
line feed ends each, RFC 6587), a path that begins with ``/`` for a socket of this machine. A server
that is away keeps nobody waiting: it is tried again after half a minute, and what was logged
meanwhile stands on stderr alone.
"""

import logging
import socket
import time
from datetime import UTC, datetime
from logging.handlers import SysLogHandler
from typing import Final
from urllib.parse import urlsplit

NAME: Final = "livro-da-sala"
_PATIENCE: Final = 2.0  # seconds a connection or a line may take
_REST: Final = 30.0  # seconds until a server that was away is tried again
_HOST: Final = socket.gethostname() or "-"
_log: Final = logging.getLogger(__name__)
Address = tuple[str, int] | str


class SyslogLines(logging.Formatter):
    """One line an event; the first word of its message is its MSGID."""

    def __init__(self, end: str = "") -> None:
        super().__init__()
        self._end = end

    def format(self, record: logging.LogRecord) -> str:
        """A record as RFC 5424 has it, but for the priority, which the handler puts before it."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        message = " ".join(record.getMessage().split())
        what = message.partition(" ")[0][:32] or "-"
        head = f"1 {at.replace('+00:00', 'Z')} {_HOST} {NAME} {record.process} {what} -"
        return f"{head} {message}{self._end}"


class Syslog(SysLogHandler):
    """Python's handler, which connects when there is something to say, and rests after a fault."""

    append_nul = False
    unixsocket = False

    def __init__(self, address: Address, *, connected: bool) -> None:
        self._begun, self._rest_until, self._connected = False, 0.0, connected
        super().__init__(
            address, SysLogHandler.LOG_AUTHPRIV, socket.SOCK_STREAM if connected else None
        )
        self._begun = True

    def createSocket(self) -> None:  # noqa: N802 - logging's name
        """Connect; not while it is being made, when the server may be away. Raises: OSError."""
        if not self._begun:
            return
        if self._connected and not isinstance(self.address, str):
            self.socket = socket.create_connection(self.address, _PATIENCE)
        else:
            super().createSocket()

    def emit(self, record: logging.LogRecord) -> None:
        """Send a line, unless the server was away just now."""
        if time.monotonic() >= self._rest_until:
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Say once that the server is away, and rest."""
        self._rest_until = time.monotonic() + _REST
        if self.socket is not None:
            self.socket.close()
            self.socket = None  # type: ignore[assignment]
        _log.warning(
            "the syslog server %s takes no lines: tried again in %d s", self.address, _REST
        )


def to_syslog(where: str) -> dict[str, dict[str, str]]:
    """The handler in settings, by its name; none where nothing is said. Raises: ValueError."""
    if not where:
        return {}
    address_of(where)
    return {"syslog": {"()": f"{__name__}.syslog", "where": where}}


def syslog(where: str) -> Syslog:
    """The handler for the server a setting names, of the security log. Raises: ValueError."""
    address, connected = address_of(where)
    made = Syslog(address, connected=connected)
    made.addFilter(logging.Filter("casino.security_log"))
    made.setFormatter(SyslogLines("\n" if connected else ""))
    return made


def address_of(where: str) -> tuple[Address, bool]:
    """The server a setting names, and whether it is spoken to over a connection.

    Raises: ValueError.
    """
    if where.startswith("/"):
        return where, False
    parts = urlsplit(where if "://" in where else f"udp://{where}")
    port = parts.netloc.rpartition(":")[2]
    right = parts.scheme in ("udp", "tcp") and parts.hostname and not parts.path
    if not (right and port.isascii() and port.isdigit() and 0 < int(port) < 65_536):
        raise ValueError(
            f"SYSLOG: found {where!r}; asked is HOST:PORT, udp://HOST:PORT, tcp://HOST:PORT or the"
            " path of a socket."
        )
    return (str(parts.hostname), int(port)), parts.scheme == "tcp"
