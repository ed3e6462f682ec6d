"""A log is mirrored as far as it leads to what its key signed, and no further."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from audit.inspectorate import log_mirror, mirror_store, supervised
from audit.inspectorate.__main__ import main, serve, turn
from audit.inspectorate.log_mirror import NotFollowed, follow
from audit.inspectorate.mirror_store import Store
from audit.inspectorate.supervised import Inspectorate
from casino.bounded_http import Site, Unanswered
from casino.local.local_places import CHECKOUT
from casino.tlog.note import SigningKey
from tests.factories.served_log import LOG, ServedLog, codes, entries, inspectorate, served
from tests.patience import wait_until

pytestmark = pytest.mark.share


@pytest.fixture
def log() -> Iterator[ServedLog]:
    with served() as one:
        yield one


@pytest.fixture
def of(tmp_path: Path, log: ServedLog) -> Inspectorate:
    return inspectorate(tmp_path / "one", log.url)


def mirrored(of: Inspectorate) -> list[bytes]:
    """What is kept."""
    with closing(Store(of.home)) as store:
        return [entry for _, entry in store.entries(LOG.name)]


@pytest.mark.parametrize("sizes", [(1,), (255, 256, 257), (300, 300, 700), (513, 70_000)])
def test_a_true_log_is_mirrored_as_it_grows(
    of: Inspectorate, log: ServedLog, sizes: tuple[int, ...]
) -> None:
    listed = entries(sizes[-1])
    for size in sizes:
        log.show(listed[:size])
        turn(of, "en")
        assert mirrored(of) == listed[:size]
    with closing(Store(of.home)) as store:
        for size in sizes:
            assert store.tree(LOG.name).root_at(size) is not None
        assert store.count(LOG.name) == len(set(sizes))
        assert store.to_compare(LOG.name, sizes[-1]) == []
    assert codes(of) == []
    log.asked.clear()
    turn(of, "en")
    assert log.asked == ["log/checkpoint"], "what is there is not fetched again"


def test_a_turn_is_bounded_and_the_next_goes_on(
    of: Inspectorate, log: ServedLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_mirror, "TURN", 2)
    listed = entries(1400)
    log.show(listed)
    held = []
    for _ in range(3):
        turn(of, "en")
        held.append(len(mirrored(of)))
    assert held == [512, 1024, 1400]
    assert codes(of) == []


ALTERED = ["log/tile/entries/001", "log/tile/entries/002.p/188", "log/tile/1/000.p/2"]


@pytest.mark.parametrize("path", [*ALTERED, "log/tile/0/002.p/188"])
def test_an_altered_tile_is_found_and_nothing_of_it_is_kept(
    of: Inspectorate, log: ServedLog, path: str
) -> None:
    listed = entries(700)
    log.show(listed)
    whole = log.files[path]
    log.files[path] = whole[:-2] + bytes([whole[-2] ^ 1]) + whole[-1:]
    turn(of, "en")
    ((code, details),) = codes(of)
    assert code == "tile-altered"
    if "entries" in path:
        assert f"log/{details['tile']}" == path
    kept = mirrored(of)
    assert kept == listed[: len(kept)]
    assert len(kept) < 700
    log.files[path] = whole
    turn(of, "en")
    assert mirrored(of) == listed, "mended, it is followed on; what was found stays"
    assert [code for code, _ in codes(of)] == ["tile-altered"]


@pytest.mark.parametrize("cut", [b"", b"\x00", b"\x00\x05abc", b"x" * 70_000])
def test_entries_in_another_form_are_refused(of: Inspectorate, log: ServedLog, cut: bytes) -> None:
    log.show(entries(10))
    log.files["log/tile/entries/000.p/10"] = cut
    turn(of, "en")
    assert [code for code, _ in codes(of)] == ["tile-altered"]


def test_a_tile_that_is_missing_or_too_long_accuses_nobody(
    of: Inspectorate, log: ServedLog
) -> None:
    log.show(entries(300))
    whole = log.files.pop("log/tile/0/001.p/44")
    for served_instead, why in ((None, "404"), (bytes(10_000), "more than 8192 bytes")):
        if served_instead:
            log.files["log/tile/0/001.p/44"] = whole + served_instead
        with closing(Store(of.home)) as store, pytest.raises(Unanswered, match=why):
            follow(store, of.casinos[LOG.name])
        turn(of, "en")
        assert codes(of) == []


def test_a_history_written_anew_and_signed_with_the_true_key_is_found(
    of: Inspectorate, log: ServedLog
) -> None:
    before = log.show(entries(300))
    turn(of, "en")
    after = log.show(entries(700, "another"))
    turn(of, "en")
    assert codes(of) == [("not-continued", {"held": 300, "size": 700})]
    with closing(Store(of.home)) as store:
        (trouble,) = store.troubles(LOG.name)
    assert (trouble.first, trouble.second) == (before, after), "both notes are evidence"
    assert mirrored(of) == entries(300), "what was mirrored stays"
    assert main(["--home", str(of.home), "report"]) == 1


def test_the_same_size_twice_is_a_split_view(of: Inspectorate, log: ServedLog) -> None:
    notes = {log.show(entries(300))}
    turn(of, "en")
    notes.add(log.show(entries(300, "another")))
    turn(of, "en")
    ((code, details),) = codes(of)
    assert (code, details["size"]) == ("split-view", 300)
    with closing(Store(of.home)) as store:
        (trouble,) = store.troubles(LOG.name)
    assert {trouble.first, trouble.second} == notes


def test_an_older_checkpoint_again_is_no_trouble(of: Inspectorate, log: ServedLog) -> None:
    log.show(entries(700))
    turn(of, "en")
    log.show(entries(300))
    turn(of, "en")
    assert codes(of) == []
    assert len(mirrored(of)) == 700


def test_what_another_key_signed_is_not_believed(of: Inspectorate, log: ServedLog) -> None:
    log.show(entries(3), SigningKey.generate(LOG.name))
    turn(of, "en")
    log.show(entries(3), SigningKey.generate("another.example/log"))
    turn(of, "en")
    log.files["log/checkpoint"] = b"<html>"
    turn(of, "en")
    found = {code for code, _ in codes(of)}
    assert found == {"checkpoint-unsigned", "checkpoint-unreadable"}
    assert mirrored(of) == []


def test_a_size_nobody_could_mirror_is_refused(
    of: Inspectorate, log: ServedLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_mirror, "LARGEST", 100)
    log.show(entries(300))
    with closing(Store(of.home)) as store, pytest.raises(NotFollowed, match="too-large"):
        follow(store, of.casinos[LOG.name])


def test_a_house_that_is_away_or_closed_accuses_nobody(of: Inspectorate, log: ServedLog) -> None:
    (of.home / "token").write_text("u" * 40)
    closed = Inspectorate.open(of.home)
    turn(closed, "en")
    assert codes(of) == []


def test_a_mirror_that_is_killed_goes_on_where_it_was(of: Inspectorate, log: ServedLog) -> None:
    listed = entries(20_000)
    log.show(listed)
    command = [sys.executable, "-m", "audit.inspectorate", "--home", str(of.home), "mirror"]
    program = subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.DEVNULL)
    wait_until(lambda: sum("entries" in path for path in log.asked) > 5, "some tiles")
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    kept = mirrored(of)
    assert 0 < len(kept) < 20_000
    assert kept == listed[: len(kept)]
    log.asked.clear()
    turn(of, "en")
    assert mirrored(of) == listed
    fetched = [path for path in log.asked if "entries" in path]
    assert len(fetched) == len(set(fetched)) == -(-20_000 // 256) - len(kept) // 256


def test_it_serves_and_follows_until_it_is_asked_to_stop(
    of: Inspectorate, log: ServedLog, capsys: pytest.CaptureFixture[str]
) -> None:
    log.show(entries(300))
    stopping = Event()
    serving = Thread(target=serve, args=(of.home, "en", stopping))
    serving.start()
    said: list[str] = []

    def has_followed() -> bool:
        said.append(capsys.readouterr().out)
        return "300 entries mirrored" in "".join(said)

    wait_until(has_followed, "a turn")
    address = re.search(r"http://[0-9.:]+", "".join(said))
    assert address is not None
    with Site(address[0]) as site:
        page = site.get("report.txt", 65_536).body.decode()
    assert "Mirrored and followed to the signed root: 300 entries." in page
    stopping.set()
    serving.join()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("url =", "uri ="), "url"),
        (("https://", "http://"), "must begin with https://"),
        (('keys = ["book', 'keys = ["nook'), "another key's id"),
        (("keys = [", "keys = 3 #"), "at least one"),
        (('listen = "127.0.0.1:0"', "listen = 3"), "listen is"),
        (("[[casino]]", "[[casino"), "Expected"),
    ],
)
def test_settings_that_cannot_be_used_are_named(
    tmp_path: Path, change: tuple[str, str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    of = inspectorate(tmp_path / "one", "https://book.example/log")
    file = of.home / supervised.SETTINGS
    file.write_text(file.read_text().replace(*change))
    assert main(["--home", str(of.home), "report"]) == 3
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("url", ["http://book.example/log", 'https://x.example/"', "https://x/\\"])
def test_a_casino_that_cannot_be_followed_is_not_added(tmp_path: Path, url: str) -> None:
    of = inspectorate(tmp_path / "one")
    before = (of.home / supervised.SETTINGS).read_text()
    command = ["--home", str(of.home), "add", url, "--key", LOG.verifier().text()]
    assert main(command) == 3
    assert main([*command[:3], "https://x.example/log", "--key", "x+y"]) == 3
    assert (of.home / supervised.SETTINGS).read_text() == before
    good = [*command[:3], "https://x.example/log", *command[4:]]
    assert (main(good), main(good)) == (0, 3), "once"


def test_clear_text_is_spoken_on_this_machine_alone() -> None:
    for url in ("http://livro.example/log", "ftp://127.0.0.1/", "https://u:p@x.example/", "x"):
        with pytest.raises(ValueError, match="https://"):
            Site(url)
    for url in ("https://livro.example/log", "http://127.0.0.1:8000/log", "http://[::1]/log"):
        Site(url)


def test_its_files_are_its_owners_alone(of: Inspectorate) -> None:
    assert (of.home / "witness.key").stat().st_mode & 0o077 == 0
    assert of.home.stat().st_mode & 0o077 == 0
    assert main(["--home", str(of.home), "init", "again.example/w"]) == 3
    assert mirror_store.FILE == "mirror.sqlite"
