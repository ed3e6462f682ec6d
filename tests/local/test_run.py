"""`make run` whole: opened, used, killed in parts, closed; twice at once; gone without a trace."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from casino.local import addresses, roles
from casino.local.local_places import CHECKOUT, open_folder
from tests.gate import STORIES, in_turn
from tests.local.opened import Opened
from tests.local.processes import wait_until_gone
from tests.patience import PATIENCE, wait_until


def refused(state: Path, *words: str) -> str:
    """What a command says that must fail."""
    done = subprocess.run(
        [sys.executable, "-m", "casino.local", *words],
        cwd=CHECKOUT,
        env={**roles.without_addresses(), "LIVRO_STATE": str(state), "DEMO": "0"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def count(house: Opened) -> int:
    """Rows of the table `kept`, asked as its owner."""
    address = roles.addresses(house.cluster())["OWNER_DATABASE_URL"]
    with psycopg.connect(address) as connection:
        row = connection.execute("SELECT count(*) FROM kept").fetchone()
    return int(row[0])


def keep_rows(house: Opened, rows: int) -> None:
    """Write something that must survive."""
    address = roles.addresses(house.cluster())["OWNER_DATABASE_URL"]
    with psycopg.connect(address) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (n int)")
        connection.execute("INSERT INTO kept SELECT generate_series(1, %s)", [rows])


def open_and_signed(state: Path) -> Opened:
    """A house with all its services, that has signed its first checkpoint."""
    house = Opened(state).wait()
    assert house.page() == 200
    signed = state / "public" / "checkpoint"
    wait_until(signed.exists, "the first checkpoint", seen=lambda: logs(state))
    return house


def logs(state: Path) -> str:
    """The end of what each service said."""
    return "".join(log.read_text("utf-8", "replace")[-600:] for log in state.glob("log/*.log"))


@in_turn("house", STORIES)
def test_the_house_opens_serves_and_closes(state: Path) -> None:
    house = open_and_signed(state)
    assert "This checkout runs already: " + house.address in refused(state, "run")
    assert house.ask(signal.SIGINT) == 0
    assert "Closed." in house.said
    wait_until_gone(str(state), "what Ctrl-C ended")


@pytest.mark.check
def test_the_house_remembers_what_it_was_told(state: Path) -> None:
    first = open_and_signed(state)
    keys = {file: file.read_text() for file in (state / "signer" / "keys").iterdir()}
    keep_rows(first, 1000)
    assert "runs already" in refused(state, "forget")
    assert first.ask(signal.SIGINT) == 0
    wait_until_gone(str(state), "what Ctrl-C ended")
    second = Opened(state).wait()
    assert second.page() == 200
    assert second.address == first.address
    assert count(second) == 1000
    assert {file: file.read_text() for file in (state / "signer" / "keys").iterdir()} == keys
    assert second.ask(signal.SIGTERM) == 0
    wait_until_gone(str(state))


@pytest.mark.check
def test_a_killed_server_comes_back_while_the_house_is_open(state: Path) -> None:
    house = Opened(state, "web").wait()
    keep_rows(house, 500)
    before = (state / "data" / "postmaster.pid").read_text().split()[0]
    os.kill(int(before), signal.SIGKILL)
    log = state / "server.log"
    wait_until(lambda: log.read_text().count("ready to accept connections") > 1, seen=log.read_text)
    wait_until(house.cluster().answers, "the server's answer")
    assert count(house) == 500
    assert house.page() == 200
    assert house.ask(signal.SIGTERM) == 0
    assert "The database server ended and is started again" in house.said


@pytest.mark.check
def test_a_killed_house_leaves_nobody_and_opens_again(state: Path) -> None:
    house = Opened(state, "web", "sequencer").wait()
    keep_rows(house, 300)
    server = int((state / "data" / "postmaster.pid").read_text().split()[0])
    os.kill(server, signal.SIGKILL)
    house.process.kill()
    house.process.communicate()
    again = Opened(state, "web").wait()
    assert count(again) == 300
    assert again.page() == 200
    assert again.ask(signal.SIGINT) == 0
    wait_until_gone(str(state))


@pytest.mark.check
def test_two_houses_do_not_collide(state: Path) -> None:
    pair = [Opened(open_folder(state / name), "web") for name in ("one", "other")]
    for house in pair:
        house.wait()
    assert pair[0].address != pair[1].address
    assert pair[0].cluster().port != pair[1].cluster().port
    for house in pair:
        assert house.page() == 200
    keep_rows(pair[0], 1)
    with pytest.raises(psycopg.errors.UndefinedTable):
        count(pair[1])
    assert [house.ask(signal.SIGINT) for house in pair] == [0, 0]


@pytest.mark.check
def test_a_service_that_ends_at_once_closes_the_house(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNICORN_CMD_ARGS", "--no-such-option")
    house = Opened(state, "web")
    said, _ = house.process.communicate(timeout=PATIENCE)
    assert house.process.returncode == 1
    assert "The service web ended at once:" in said
    assert "no-such-option" in said
    assert "Traceback" not in said
    wait_until_gone(str(state))


@pytest.mark.parametrize("given", sorted(roles.VARIABLES.values()))
def test_a_database_needs_an_address_for_each_role(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in roles.VARIABLES.values():
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(given, "postgres://app@db/casino")
    with pytest.raises(addresses.Trouble, match="missing: ") as info:
        addresses.wanted()
    assert given not in re.findall(r"\w+_URL", str(info.value))
    assert "postgres://" not in str(info.value)


def test_addresses_of_the_environment_switch_our_own_server_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {name: f"postgres://{role}@db/casino" for role, name in roles.VARIABLES.items()}
    for name, address in given.items():
        monkeypatch.setenv(name, address)
    assert addresses.wanted() == addresses.Wanted(book=False, queue=True)
    monkeypatch.setenv("BROKER_URL", "amqp://queue//")
    needs = addresses.wanted()
    assert not needs.server
    known = addresses.known(None, needs)
    assert known == {**given, "BROKER_URL": "amqp://queue//"}
    values = addresses.environment(known, tmp_path, ("DATABASE_URL",))
    assert [name for name in values if name.endswith("_URL")] == ["DATABASE_URL"]


def test_the_key_is_made_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    key = addresses.environment({}, tmp_path)["SECRET_KEY"]
    assert len(key) >= 50
    assert addresses.environment({}, tmp_path)["SECRET_KEY"] == key
    monkeypatch.setenv("SECRET_KEY", "given")
    assert addresses.environment({}, tmp_path)["SECRET_KEY"] == "given"
