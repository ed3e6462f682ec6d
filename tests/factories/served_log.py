"""A casino's log as its web server shows it: true, or altered as a test likes; no database."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from audit.inspectorate import supervised
from audit.inspectorate.inspectorate_report import report_text
from audit.inspectorate.mirror_store import Store
from audit.inspectorate.supervised import Inspectorate
from audit.inspectorate.witness_desk import Desk
from casino.tlog.merkle import leaf_hash
from casino.tlog.note import SigningKey
from casino.tlog.tiles import pack_entries, tile_path
from tests.foreign.written import note_at, tiles_for
from tests.tlog.trees import Tiles

LOG = SigningKey("book.example/sala/1", bytes(range(1, 33)))
TOKEN = "t" * 40


def entries(count: int, mark: str = "") -> list[bytes]:
    """Entries that are none of a casino's: whoever mirrors asks the tree alone."""
    return [b'{"n":%d,"mark":"%s"}' % (n, mark.encode()) for n in range(count)]


class ServedLog:
    """What is served: `files` by path, made anew by `show`; `asked` is what was asked for."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.url = ""

    def show(self, listed: list[bytes], key: SigningKey = LOG) -> str:
        """Serve the tree of these entries; its signed note."""
        tiles = Tiles([leaf_hash(one) for one in listed])
        note = note_at(tiles.tree(), len(listed), key)
        self.files["log/checkpoint"] = note.encode()
        for level, n, width in tiles_for(len(listed)):
            self.files[f"log/{tile_path(level, n, width)}"] = tiles.read(level, n, width)
        for n in range(0, len(listed), 256):
            some = listed[n : n + 256]
            self.files[f"log/{tile_path('entries', n // 256, len(some))}"] = pack_entries(some)
        return note

    def proof(self, listed: list[bytes], old: int) -> tuple[bytes, ...]:
        """What leads from an older size of these entries to all of them."""
        return tuple(Tiles([leaf_hash(one) for one in listed]).tree().consistency(old))


@contextmanager
def served() -> Iterator[ServedLog]:
    """A server on this machine, closed afterwards."""
    log = ServedLog()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_GET(self) -> None:
            path = self.path.lstrip("/")
            log.asked.append(path)
            open_to = self.headers.get("Authorization") == f"Bearer {TOKEN}"
            found = log.files.get(path) if open_to else None
            self.send_response(200 if found is not None else 404 if open_to else 401)
            self.send_header("Content-Length", str(len(found or b"")))
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, *_: Any) -> None:
            pass

    with running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as address:
        log.url = f"{address}/log"
        yield log


@contextmanager
def running(server: ThreadingHTTPServer) -> Iterator[str]:
    """A server at work; its address."""
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def inspectorate(home: Path, *urls: str, witnesses: tuple[str, ...] = ()) -> Inspectorate:
    """An inspectorate that follows the log at an address, and asks these other witnesses."""
    supervised.begin(home, f"inspectorate.example/{home.name}")
    (home / "token").write_text(TOKEN)
    for url in urls:
        supervised.add(home, LOG.verifier().text(), url, str(home / "token"))
    settings = home / supervised.SETTINGS
    text = settings.read_text().replace(supervised.LISTEN, "127.0.0.1:0")
    listed = ", ".join(f'"{one}"' for one in witnesses)
    settings.write_text(text.replace("witnesses = []", f"witnesses = [{listed}]"))
    return Inspectorate.open(home)


@contextmanager
def witnessing(of: Inspectorate) -> Iterator[str]:
    """Its witness at work; its address."""
    with running(Desk(lambda: Inspectorate.open(of.home), "en")) as address:
        yield address


def codes(of: Inspectorate, origin: str = LOG.name) -> list[tuple[str, Mapping[str, object]]]:
    """What is wrong with a casino, as it is kept."""
    store = Store(of.home)
    try:
        return [(one.code, one.details) for one in store.troubles(origin)]
    finally:
        store.close()


def report_text_of(of: Inspectorate) -> str:
    """The report in English."""
    store = Store(of.home)
    try:
        return report_text(store, of, "en")
    finally:
        store.close()
