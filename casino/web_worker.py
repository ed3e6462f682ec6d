"""The web server's worker: whoever sends his request too slowly is not waited for.

gunicorn's own worker gives a thread to a request whose bytes come one by one, for as long as they
come: a dozen of them held every thread of the house. Here a request has so many seconds to arrive,
and more only as its bytes do. A server in front that keeps a request until all of it is there
(docs/operations.md) spares the threads altogether; this is for where there is none.
"""

import errno
import time
from socket import socket
from typing import Final

from gunicorn.glogging import Logger
from gunicorn.http.unreader import SocketUnreader
from gunicorn.workers.gthread import TConn, ThreadWorker

from casino.logs.log_lines import lines

WITHIN: Final = 15.0  # seconds for the head of a request, and for the beginning of its body
SLOWEST: Final = 16 * 1024  # bytes a second that earn the rest of a body its time


class TimedReader(SocketUnreader):
    """Reads a connection, each request of it within its time."""

    def __init__(self, sock: socket) -> None:
        super().__init__(sock)
        self.begin()

    def begin(self) -> None:
        """A new request begins to be read."""
        self._until = time.monotonic() + WITHIN

    def chunk(self, size_hint: int | None = None) -> bytes:
        """What has come. Raises: ConnectionResetError, where it comes too slowly."""
        left = self._until - time.monotonic()
        before = self.sock.gettimeout()
        try:
            self.sock.settimeout(max(0.001, left if before is None else min(before, left)))
            data: bytes = super().chunk(size_hint)
        except TimeoutError as error:
            if before is not None and before < left:
                raise  # gunicorn's own: it drains what was not read
            raise ConnectionResetError(errno.ECONNRESET, "sent too slowly") from error
        finally:
            self.sock.settimeout(before)
        self._until += len(data) / SLOWEST
        return data


class _Connection(TConn):
    def init(self) -> None:
        """As gunicorn's, with a reader that knows the time."""
        if not self.initialized:
            super().init()
            self.parser.unreader = TimedReader(self.sock)
        else:
            self.parser.unreader.begin()


class DeadlineWorker(ThreadWorker):
    """gunicorn's worker of threads, with such connections."""

    def enqueue_req(self, conn: object) -> None:
        """Give a connection to a thread; one that is new becomes one of ours."""
        if type(conn) is TConn:
            conn.__class__ = _Connection
        super().enqueue_req(conn)


class HouseLogger(Logger):
    """What gunicorn says of itself, in the house's lines. Requests have theirs (request_log)."""

    def setup(self, cfg: object) -> None:
        """As gunicorn's, with another formatter."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(lines())
