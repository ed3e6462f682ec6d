"""Witnessing over HTTP: a casino's checkpoint is cosigned where it continues the one seen last.

Source: C2SP tlog-witness v1.0.0. A plain page shows what is kept. The server is a small one: it
listens on this machine, and whoever opens it to others puts a server with TLS in front.
"""

import re
import socket
import time
from collections.abc import Callable
from contextlib import closing
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore
from typing import Final, NamedTuple

from audit.inspectorate.inspectorate_report import report_text
from audit.inspectorate.log_mirror import NotFollowed, own_lines, take
from audit.inspectorate.mirror_store import Store
from audit.inspectorate.supervised import Casino, Inspectorate
from casino.tlog.checkpoint import Checkpoint, cosign, parse_checkpoint
from casino.tlog.note import parse_note, with_signatures
from casino.tlog.proof import ProofRefused, verify_consistency
from casino.tlog.strict import Unreadable
from casino.tlog.witness import MOST_REQUEST, PATH, SIZE_TYPE, AddCheckpoint, origin_hash

AT_ONCE: Final = 32  # requests
PATIENCE: Final = 10.0  # seconds for a request to arrive
TEXT: Final = "text/plain; charset=utf-8"
Connection = socket.socket | tuple[bytes, socket.socket]
Address = object
_is_length: Final = re.compile(r"[0-9]{1,6}").fullmatch


class Reply(NamedTuple):
    """What is answered."""

    status: int
    body: bytes
    content_type: str = TEXT


def add_checkpoint(store: Store, inspectorate: Inspectorate, body: bytes, timestamp: int) -> Reply:
    """Cosign what a request brings, at a moment (seconds since 1970), or say why not."""
    try:
        asked = AddCheckpoint.parse(body)
        checkpoint = parse_checkpoint(parse_note(asked.note).text)
    except Unreadable as error:
        return _refused(400, str(error))
    casino = inspectorate.casinos.get(checkpoint.origin)
    if casino is None:
        return _refused(404, "this log is not known here")
    try:
        with store.writing():
            take(store, casino, asked.note, PATH)
    except NotFollowed as error:
        return _refused(403, str(error))
    if asked.old > checkpoint.size:
        return _refused(400, "the old size is larger than the checkpoint's")
    with store.writing():
        return _signed(store, inspectorate, casino, asked, checkpoint, timestamp)


def _signed(
    store: Store,
    inspectorate: Inspectorate,
    casino: Casino,
    asked: AddCheckpoint,
    checkpoint: Checkpoint,
    timestamp: int,
) -> Reply:
    last = store.cosigned(casino.origin)
    if asked.old != (last.size if last else 0):
        return Reply(409, f"{last.size if last else 0}\n".encode(), SIZE_TYPE)
    try:
        if last and last.size:
            sizes = last.size, last.root, checkpoint.size, checkpoint.root
            verify_consistency(*sizes, asked.proof)
        elif asked.proof:
            raise ProofRefused("an empty tree is the beginning of any without a proof")
    except ProofRefused as error:
        # No proof of anything against the casino: anybody can send its checkpoint with a bad path.
        # What it signed is kept, and held against the entries once they are mirrored.
        return _refused(422, str(error))
    line = cosign(inspectorate.key, checkpoint.text(), timestamp)
    note = with_signatures(own_lines(asked.note, casino), [line])
    store.cosign(casino.origin, checkpoint.size, checkpoint.root, note)
    return Reply(200, f"{line}\n".encode())


def _refused(status: int, why: str) -> Reply:
    return Reply(status, f"{why}\n".encode())


def shown(store: Store, inspectorate: Inspectorate, path: str, language: str) -> Reply:
    """What a GET is answered: the report, or the newest cosigned checkpoint of a log."""
    if path in ("/", "/report.txt"):
        text = report_text(store, inspectorate, language)
        if path == "/":
            page = f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
            page += (
                f"<title>{escape(inspectorate.key.name)}</title><pre>{escape(text)}</pre></html>"
            )
            return Reply(200, page.encode(), "text/html; charset=utf-8")
        return Reply(200, text.encode())
    for origin in inspectorate.casinos:
        if path == f"/{origin_hash(origin)}/checkpoint":
            last = store.cosigned(origin)
            return Reply(200, last.note.encode()) if last else _refused(404, "never cosigned")
    return _refused(404, "there is nothing here")


class Desk(ThreadingHTTPServer):
    """The server: AT_ONCE requests at a time, others are turned away. It reads the settings anew at
    each.
    """

    daemon_threads = True

    def __init__(self, opened: Callable[[], Inspectorate], language: str) -> None:
        self.opened, self.language = opened, language
        self.places = BoundedSemaphore(AT_ONCE)
        super().__init__(opened().listen, _Request)

    def process_request(self, request: Connection, client_address: Address) -> None:
        """One request, where there is a place for it."""
        if self.places.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Connection, client_address: Address) -> None:
        """Answer it, and give the place back."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.places.release()


class _Request(BaseHTTPRequestHandler):
    """One request: of a few sizes, in some seconds."""

    server: Desk
    timeout = PATIENCE
    wbufsize = -1  # an answer leaves in one piece
    server_version, sys_version = "inspectorate", ""

    def do_GET(self) -> None:
        """Show."""
        inspectorate = self.server.opened()
        with closing(Store(inspectorate.home)) as store:
            self._answer(
                shown(store, inspectorate, self.path.partition("?")[0], self.server.language)
            )

    def do_POST(self) -> None:
        """Witness."""
        length = self.headers.get("Content-Length", "")
        if self.path.rpartition("/")[2] != PATH:
            return self._answer(_refused(404, "there is nothing here"))
        if not _is_length(length) or int(length) > MOST_REQUEST:
            return self._answer(_refused(413, f"asked are at most {MOST_REQUEST} bytes"))
        inspectorate = self.server.opened()
        with closing(Store(inspectorate.home)) as store:
            body = self.rfile.read(int(length))
            self._answer(add_checkpoint(store, inspectorate, body, int(time.time())))
        return None

    def _answer(self, reply: Reply) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(reply.body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", "default-src 'none'")
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, *_args: object) -> None:
        """Nothing: what matters is kept."""
