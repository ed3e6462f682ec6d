"""The log's witnesses, asked over HTTP: what they sign is kept, what they refuse is found."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from audit import log_witnesses
from audit.inspectorate import supervised
from audit.inspectorate.mirror_store import Store
from audit.inspectorate.supervised import Inspectorate
from audit.inspectorate.witness_desk import add_checkpoint
from audit.log_witnesses import ask_all
from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.tasks import ask_witnesses
from casino import clock
from casino.models import BookCosignature
from casino.signer import cosigning
from casino.signer.cosigning import take
from casino.signer.signer_book import Book
from casino.signer.signer_places import Places
from casino.tlog.checkpoint import Checkpoint, cosign
from casino.tlog.note import COSIGNATURE, SigningKey, parse_note, signed
from casino.tlog.witness import AddCheckpoint
from tests.factories.sealed_book import ORIGIN, Connect, Seal, seal_events
from tests.factories.served_log import running, witnessing

pytestmark = pytest.mark.share
AGREES, ANSWERS = house_checks.WITNESS_AGREES, house_checks.WITNESS_ANSWERS
WITNESS = SigningKey("witness.example/w_1", bytes(range(32)))


class House:
    """A sealed book, its witnesses' file and the folder their answers are laid in."""

    def __init__(self, seal: Seal, folder: Path, settings: Any, connect_as: Connect) -> None:
        self.seal, self.connect_as = seal, connect_as
        self.drop = folder / "cosignatures"
        self.drop.mkdir()
        self.witnesses = folder / "witnesses"
        settings.COSIGNATURES = str(self.drop)
        settings.WITNESSES = str(self.witnesses)

    def know(self, url: str, key: SigningKey = WITNESS, name: str = "regulator") -> None:
        """Know one witness, at an address."""
        vkey = key.verifier(COSIGNATURE).text()
        self.witnesses.write_text(f"witness {name} {vkey} {url}\nquorum {name}\n")

    def grow(self) -> int:
        """Record and sign some more; the size."""
        seal_events(30)
        return self.seal.sign().size

    def ask(self) -> int:
        """Ask, and let the signer take what was laid."""
        count = ask_all(clock.now())
        for file in self.drop.glob("*.line"):
            os.utime(file, (time.time() - 60,) * 2)
        at = Places(self.drop, self.drop, self.drop, self.witnesses, ORIGIN, "", None)
        with self.connect_as("signer", autocommit=True) as signer:
            take(at, Book(signer), cosigning.witnesses(at))
        assert list(self.drop.iterdir()) == [], "nothing is refused, nothing piles up"
        return count

    def kept(self) -> list[int]:
        """The sizes under which a witness's signature is kept."""
        return sorted(BookCosignature.objects.values_list("size", flat=True))

    def found(self) -> list[tuple[str, dict[str, Any]]]:
        """What is found of the witnesses."""
        rows = standing().filter(check_name__in=(AGREES, ANSWERS)).order_by("n")
        assert {row.where["witness"] for row in rows} <= {"regulator"}
        return [(row.check_name, row.observed) for row in rows]


@pytest.fixture
def house(fresh_db: str, connect_as: Connect, tmp_path: Path, settings: Any) -> House:
    seal = Seal(connect_as, tmp_path / "public", settings)
    return House(seal, tmp_path, settings, connect_as)


@pytest.fixture
def late_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_witnesses, "LATE", log_witnesses.LATE * 0)


Answered = Callable[[bytes], tuple[int, str, bytes]]


@contextmanager
def answering(answer: Answered) -> Iterator[str]:
    """A witness that answers as a test likes; its address."""

    class Handler(BaseHTTPRequestHandler):
        wbufsize = -1

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, content_type, said = answer(body)
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_: Any) -> None:
            pass

    with running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as address:
        yield address


def text_under(body: bytes) -> str:
    """The text that a request asks to be signed."""
    return parse_note(body.partition(b"\n\n")[2]).text


@pytest.fixture
def inspectorate(tmp_path: Path, house: House) -> Inspectorate:
    home = tmp_path / "inspectorate"
    supervised.begin(home, "inspectorate.example/w1")
    supervised.add(home, house.seal.key.verifier().text(), "https://livro.example/log", "")
    settings = home / supervised.SETTINGS
    settings.write_text(settings.read_text().replace(supervised.LISTEN, "127.0.0.1:0"))
    return Inspectorate.open(home)


def test_each_checkpoint_is_signed_by_the_inspectorate_as_the_book_grows(
    house: House, inspectorate: Inspectorate
) -> None:
    with witnessing(inspectorate) as address:
        house.know(address, inspectorate.key)
        assert house.ask() == 0, "nothing is signed yet"
        sizes = []
        for _ in range(3):
            sizes.append(house.grow())
            assert house.ask() == 1
            assert house.ask() == 0, "it is asked once for each"
    assert house.kept() == sizes
    assert house.found() == []


def test_a_witness_that_saw_an_older_checkpoint_is_brought_to_the_newest(
    house: House, inspectorate: Inspectorate
) -> None:
    """Its answers went astray: it knows more than the book keeps of it."""
    first = house.grow()
    with witnessing(inspectorate) as address:
        house.know(address, inspectorate.key)
        ask_all(clock.now())
        for file in house.drop.iterdir():
            file.unlink()
        last = house.grow()
        assert house.ask() == 1
    assert house.kept() == [last] != [first]


def test_a_witness_that_is_away_is_asked_again_and_is_late_after_a_while(
    house: House, inspectorate: Inspectorate, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.know("http://127.0.0.1:9", inspectorate.key)
    size = house.grow()
    assert house.ask() == 0
    assert house.found() == [], "a quarter of an hour is its"
    with monkeypatch.context() as moved:
        moved.setattr(log_witnesses, "LATE", log_witnesses.LATE * 0)
        for _ in range(2):
            assert house.ask() == 0
        ((check, observed),) = house.found()
        assert check == ANSWERS
        assert observed["why"].startswith("http://127.0.0.1:9/add-checkpoint: ")
        assert observed["unsigned_since"]
        with witnessing(inspectorate) as address:
            house.know(address, inspectorate.key)
            assert house.ask() == 1
    assert (house.kept(), house.found()) == ([size], [])


def test_one_that_was_shown_another_book_is_an_alert_at_once(
    house: House, inspectorate: Inspectorate
) -> None:
    """The house shows the regulator's witness a tree of its own making first."""
    size = house.grow()
    forked = signed(Checkpoint(ORIGIN, size - 3, bytes(32)).text(), [house.seal.key])
    store = Store(inspectorate.home)
    body = AddCheckpoint(0, (), forked).text().encode()
    assert add_checkpoint(store, inspectorate, body, int(time.time())).status == 200
    store.close()
    with witnessing(inspectorate) as address:
        house.know(address, inspectorate.key)
        for _ in range(2):
            assert house.ask() == 0
    ((check, observed),) = house.found()
    assert (check, observed["size"]) == (AGREES, size)
    assert house.kept() == []


def test_one_that_has_seen_more_than_was_signed_is_an_alert(house: House) -> None:
    """A backup was put back: what was signed since is gone."""
    size = house.grow()
    with answering(lambda _: (409, "text/x.tlog.size", b"%d\n" % (size + 5))) as address:
        house.know(address)
        house.ask()
    assert house.found() == [(AGREES, {"size": size, "known_size": size + 5})]


def test_one_that_names_the_size_it_was_sent_knows_another_root(house: House) -> None:
    """So did witnesses before 422 was asked of them."""
    size = house.grow()
    with answering(lambda _: (409, "text/x.tlog.size", b"%d\n" % size)) as address:
        house.know(address)
        house.ask()
    ((check, observed),) = house.found()
    assert (check, observed["size"]) == (AGREES, size)


OTHER = SigningKey.generate("witness.example/other")
LIES: dict[str, Answered] = {
    "another key": lambda body: (
        200,
        "x/y",
        f"{cosign(OTHER, text_under(body), now())}\n".encode(),
    ),
    "its key, another text": lambda body: (
        200,
        "x/y",
        f"{cosign(WITNESS, text_under(body).replace('/1', '/2', 1), now())}\n".encode(),
    ),
    "tomorrow's": lambda body: (
        200,
        "x/y",
        f"{cosign(WITNESS, text_under(body), now() + 86_400)}\n".encode(),
    ),
    "nothing": lambda body: (200, "x/y", b""),
    "no size": lambda body: (409, "text/plain", b"3\n"),
    "a size in words": lambda body: (409, "text/x.tlog.size", b"three\n"),
    "a negative size": lambda body: (409, "text/x.tlog.size", b"-3\n"),
    "another size each time": lambda body: (409, "text/x.tlog.size", b"%d\n" % sizes_said(body)),
    "unknown log": lambda body: (404, "text/plain", b"who?"),
    "unknown key": lambda body: (403, "text/plain", b""),
    "bad request": lambda body: (400, "text/plain", b""),
    "its own trouble": lambda body: (500, "text/html", b"<html>"),
    "somewhere else": lambda body: (302, "text/html", b""),
    "too much": lambda body: (200, "x/y", b"x" * 200_000),
}


def now() -> int:
    return int(time.time())


def sizes_said(body: bytes) -> int:
    """A size that is another one than the one that was sent."""
    return (int(body.split(b"\n")[0].split()[1]) + 7) % 23 + 1


@pytest.mark.usefixtures("late_at_once")
@pytest.mark.parametrize("lie", LIES)
def test_whatever_else_a_witness_answers_is_no_signature(house: House, lie: str) -> None:
    house.grow()
    with answering(LIES[lie]) as address:
        house.know(address)
        assert house.ask() == 0
    assert house.kept() == []
    ((check, observed),) = house.found()
    assert check == ANSWERS, lie
    assert observed["why"]


def test_what_was_laid_is_first_taken_by_the_signer(
    house: House, inspectorate: Inspectorate
) -> None:
    """Where the signer stands still, answers do not pile up."""
    house.grow()
    with witnessing(inspectorate) as address:
        house.know(address, inspectorate.key)
        assert [ask_all(clock.now()) for _ in range(3)] == [1, 0, 0]
    assert len(list(house.drop.iterdir())) == 1


def test_one_of_two_is_enough_for_the_other_to_be_asked(
    house: House, inspectorate: Inspectorate
) -> None:
    size = house.grow()
    with witnessing(inspectorate) as address:
        house.know(address, inspectorate.key)
        away = WITNESS.verifier(COSIGNATURE).text()
        text = house.witnesses.read_text().replace("quorum regulator\n", "")
        house.witnesses.write_text(
            f"witness away {away} http://127.0.0.1:9\n{text}group both all away regulator\n"
            "quorum both\n"
        )
        assert house.ask() == 1
    assert house.kept() == [size]


@pytest.mark.parametrize("text", ["", "witness w x\nquorum w\n", "quorum none\n"])
def test_a_file_that_cannot_be_used_asks_nobody(house: House, text: str) -> None:
    house.grow()
    house.witnesses.write_text(text)
    assert ask_all(clock.now()) == 0
    assert house.found() == []


def test_it_is_a_job_of_beat_that_stands_alone(house: House, settings: Any) -> None:
    tasks = {one["task"] for one in settings.CELERY_BEAT_SCHEDULE.values()}
    assert ask_witnesses.name in tasks
    ask_witnesses()
    settings.WITNESSES = ""
    ask_witnesses()


def test_an_address_in_clear_is_not_asked(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_witnesses, "LATE", log_witnesses.LATE * 0)
    house.grow()
    house.know("http://witness.example/")
    assert house.ask() == 0
    ((_, observed),) = house.found()
    assert "https://" in observed["why"]
