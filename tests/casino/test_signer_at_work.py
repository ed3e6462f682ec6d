"""The signer as a process: in time, alone in its place, refusing aloud, asked how it stands."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from casino.events.event import EntryRef
from casino.events.sealing import EpochApproved, EpochBegun
from casino.local.local_places import CHECKOUT
from casino.recording import Actor
from casino.signer import keyring, signer_state
from casino.signer.adopting import adopt
from casino.signer.signer_book import opened
from casino.signer.signer_loop import place, run
from casino.signer.signer_trouble import Trouble
from tests.casino.signer_house import Connect, OlderBook, SignerHouse
from tests.factories.records import MANAGER, burnt, loaded, recorded
from tests.patience import PATIENCE, wait_until
from tests.servers import Databases

pytestmark = pytest.mark.share

ADMIN = Actor("S-0001", "administrador", "admin")


@pytest.fixture
def house(
    fresh_db: str, tmp_path: Path, database_environment: dict[str, str], connect_as: Connect
) -> SignerHouse:
    return SignerHouse(tmp_path, database_environment, connect_as)


@pytest.fixture
def older_book(house: SignerHouse, databases: Databases) -> Generator[OlderBook]:
    older = OlderBook(house, databases)
    yield older
    older.forget()


class Processes:
    """Processes of a test, each with its log; all are gone when the test is over."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self, name: str, values: dict[str, str], *command: str) -> subprocess.Popen[bytes]:
        """Start Python in the checkout, told nothing but this."""
        environment = {"PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1", **values}
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *command], cwd=CHECKOUT, env=environment, stdout=log, stderr=log
            )
        self.running.append(process)
        return process

    def said(self, name: str) -> str:
        """What it wrote so far."""
        return (self.folder / f"{name}.log").read_text()


@pytest.fixture
def processes(tmp_path: Path) -> Generator[Processes]:
    some = Processes(tmp_path)
    yield some
    for process in some.running:
        process.kill()
        process.wait()


SIGNER = ("-m", "casino.signer", "run")


def signed(house: SignerHouse, size: int) -> Callable[[], bool]:
    """Whether a checkpoint of so many entries, or more, stands in the book."""
    return lambda: house.rows("SELECT coalesce(max(size), 0) FROM book_checkpoint")[0][0] >= size


# In time


def waited(house: SignerHouse, kind: str) -> list[float]:
    """Seconds from each record of a kind to the checkpoint that covers it, by the database."""
    found = house.rows(
        "SELECT min(c.signed_at) - e.recorded_at FROM book_entry e JOIN book_leaf l"
        " ON l.entry_id = e.id JOIN book_checkpoint c ON c.size > l.idx"
        " WHERE e.kind = %s GROUP BY e.id, e.recorded_at ORDER BY e.id",
        kind,
    )
    return [took / timedelta(seconds=1) for (took,) in found]


@pytest.mark.check
def test_a_record_is_signed_in_time_and_what_is_urgent_at_once(
    house: SignerHouse, processes: Processes, database_environment: dict[str, str]
) -> None:
    """With the sequencer and the signer as they run: ten seconds, and at once what is urgent."""
    processes.start("sequencer", {**database_environment, "DEBUG": "1"}, "manage.py", "sequencer")
    processes.start("signer", house.recorded, *SIGNER)
    recorded(burnt())
    wait_until(signed(house, 1), "the first checkpoint")
    recorded(burnt())
    wait_until(signed(house, 2))
    for number in range(3):
        recorded(burnt())
        recorded(loaded())
        wait_until(signed(house, 4 + 2 * number))
    _, second, *beside = waited(house, "card-burned/1")
    urgent = waited(house, "shuffler-loaded/1")
    assert len(beside) == len(urgent) == 3
    assert second > 5, "the interval is kept"
    # How many seconds the rest takes is the machine's affair: an urgent one does not wait for the
    # interval, at none of its three turns.
    assert min(urgent) < second / 2, (urgent, second)
    assert max(urgent) < second, (urgent, second)
    house.must_agree()


# Alone


@pytest.mark.check
def test_a_second_signer_waits_and_takes_over(house: SignerHouse, processes: Processes) -> None:
    house.grow(1)
    first = processes.start("first", house.recorded, *SIGNER)
    wait_until(signed(house, 1))
    processes.start("second", house.recorded, *SIGNER)
    wait_until(lambda: "another signer is at work" in processes.said("second"))
    house.grow(2)
    first.kill()
    first.wait()
    wait_until(signed(house, 3))
    assert "signed 3 entries" in processes.said("second")
    assert processes.said("second").count("another signer is at work") == 1
    house.must_agree()


def test_another_folder_is_kept_out_by_the_database(house: SignerHouse) -> None:
    """A copy of the signer's folder on another machine: the file's lock does not reach there."""
    with opened(house.at) as book, opened(house.at) as other:
        assert book.try_lock()
        assert not other.try_lock()
        with place(house.at, other) as ours:
            assert not ours
        book.unlock()
        with place(house.at, other) as ours:
            assert ours
            with place(house.at, book) as too:
                assert not too
        with place(house.at, book) as ours:
            assert ours


def test_it_ends_when_asked(house: SignerHouse, processes: Processes) -> None:
    house.grow(1)
    signer = processes.start("signer", house.recorded, *SIGNER)
    wait_until(signed(house, 1))
    signer.send_signal(signal.SIGTERM)
    assert signer.wait(PATIENCE) == 0
    assert "signer: stopped" in processes.said("signer")


@pytest.mark.check
def test_a_database_that_is_away_ends_it_with_a_line(house: SignerHouse) -> None:
    """Whoever started it starts it again; no password is recorded."""
    ended = house.command(
        "run", SIGNER_DATABASE_URL="postgres://signer:not-to-be-told@127.0.0.1:1/casino"
    )
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    assert "not-to-be-told" not in ended.stdout + ended.stderr


# Refusing


def healthy(house: SignerHouse, patch: pytest.MonkeyPatch) -> str | None:
    """What `manage.py healthy signer` has against it."""
    for name, value in house.recorded.items():
        patch.setenv(name, value)
    try:
        call_command("healthy", "signer", stdout=StringIO())
    except CommandError as trouble:
        return str(trouble)
    return None


def test_it_refuses_aloud_and_goes_on_when_the_tree_is_right(
    house: SignerHouse, processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.grow(4)
    signer = processes.start("signer", house.recorded, *SIGNER)
    wait_until(signed(house, 4))
    assert healthy(house, monkeypatch) is None
    assert house.command("status").returncode == 0
    root = bytes(house.rows("SELECT root FROM book_tree")[0][0]).hex()
    house.forge("book_tree", "UPDATE book_tree SET root = sha256('x')")
    wait_until(lambda: bool(house.refusal()))
    assert house.refusal()["code"] == "different"
    assert "REFUSED (different)" in processes.said("signer")
    assert "refuses since" in str(healthy(house, monkeypatch))
    status = house.command("status")
    assert status.returncode == 1
    assert "REFUSES     at 4 entries the tree's root is" in status.stdout
    assert signer.poll() is None, "it keeps looking"
    house.forge("book_tree", f"UPDATE book_tree SET root = '\\x{root}'")
    recorded(loaded())
    house.integrate()
    wait_until(signed(house, 5))
    wait_until(lambda: not house.refusal())
    assert healthy(house, monkeypatch) is None
    assert processes.said("signer").count("REFUSED") == 1, "it is told once"


def test_status_says_where_it_stands(house: SignerHouse) -> None:
    assert "signed      nothing yet" in house.command("status").stdout
    house.grow(4)
    own = house.signer().turn()
    house.grow(3)
    said = house.command("status")
    assert said.returncode == 0, said.stderr
    root = own.root.hex()  # whole: it is what an epoch has to name
    assert {line[:12].strip(): line[12:] for line in said.stdout.splitlines()} == {
        "origin": "book.example/sala/1",
        "signs": keyring.load(house.at)[0].verifier().text(),
        "signed": f"4 entries, root {root}",
        "published": f"a checkpoint of 4 entries, root {root}, 0 signatures of witnesses",
        "tree": f"7 entries, root {bytes(newest_root(house)).hex()}",
        "in the book": f"a checkpoint of 4 entries, root {root}",
        "standing": "the tree follows from what was signed; 3 entries wait",
    }


def newest_root(house: SignerHouse) -> bytes:
    """The tree's root."""
    found: bytes = house.rows("SELECT root FROM book_tree ORDER BY size DESC LIMIT 1")[0][0]
    return found


@pytest.mark.check
def test_a_tree_that_is_not_signed_in_a_minute_is_not_well(
    house: SignerHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.grow(1)
    assert healthy(house, monkeypatch) is None
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(signer_state, "LAG", -1.0)
        assert "wait for a checkpoint" in str(healthy(house, monkeypatch))
    monkeypatch.delenv("SIGNER_HOME", raising=False)
    with pytest.raises(CommandError, match="SIGNER_HOME is missing"):
        call_command("healthy", "signer")


# What the book says of the signer


@pytest.mark.check
def test_two_persons_begin_an_epoch_beside_a_signer_that_refuses(
    house: SignerHouse, processes: Processes, older_book: OlderBook
) -> None:
    house.recorded["LOG_ORIGIN"] = ""
    house.grow(2)
    older_book.keep()
    house.grow(2)
    lost = house.signer().turn()
    older_book.put_back()
    processes.start("signer", house.recorded, *SIGNER)
    wait_until(lambda: house.refusal().get("code") == "shorter")
    house.grow(4)
    wait_until(lambda: house.refusal().get("code") == "different")
    assert "holds no epoch-begun/1" in house.command("adopt").stderr
    begun = recorded(
        EpochBegun(
            origin="book.example/sala/2",
            lost_origin=lost.origin,
            lost_size=lost.size,
            lost_root=lost.root.hex(),
            reason="disk-lost",
        ),
        by=ADMIN,
    )
    named_entry = EntryRef(stream=begun.stream, n=begun.n, leaf=begun.leaf)
    recorded(EpochApproved(begun=named_entry), by=MANAGER)
    size = house.integrate()
    adopted = house.command("adopt")
    assert adopted.returncode == 0, adopted.stderr
    assert "book.example/sala/2" in adopted.stdout
    wait_until(signed(house, size))
    wait_until(lambda: not house.refusal())
    assert house.must_agree().origin == "book.example/sala/2"
    assert house.published().size == size


def test_an_epoch_is_not_begun_while_all_is_well(house: SignerHouse) -> None:
    house.grow(1)
    house.signer().turn()
    with opened(house.at) as book, place(house.at, book) as ours:
        assert ours
        with pytest.raises(Trouble, match="refuses nothing"):
            adopt(house.at, rest=lambda _: None)


def test_the_loop_gives_its_place_away_while_it_refuses(house: SignerHouse) -> None:
    """Else nobody could ever call `adopt` beside it."""
    house.grow(2)
    house.signer().turn()
    house.forge("book_tree", "UPDATE book_tree SET root = sha256('x')")
    free = []

    def rest(_: float) -> None:
        with opened(house.at) as book, place(house.at, book) as ours:
            free.append(ours)

    run(house.at, lambda: len(free) == 2, rest)
    assert free == [True, True]
