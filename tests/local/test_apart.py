"""Accounts of their own: whoever gets into one service reads nothing that another is recorded."""

import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from casino.local import addresses, apart, roles
from casino.local.apart import SERVICES, WIDTH, Rights
from casino.local.local_places import Account, open_folder
from casino.local.run_house import House
from casino.local.services import SERVICES as ALL_SERVICES
from tests.local.opened import Opened
from tests.patience import PATIENCE, wait_until

AS_ROOT: Final = pytest.mark.skipif(os.geteuid() != 0, reason="only root has accounts to give")


@pytest.fixture
def place() -> Generator[Path]:
    """A folder other accounts can reach; pytest's own are closed to them."""
    folder = open_folder(Path(tempfile.mkdtemp(prefix="livro-apart-")))
    yield folder
    shutil.rmtree(folder)


# Which accounts


def test_every_service_has_an_account(place: Path) -> None:
    numbered = apart.numbered(place)
    assert set(numbered) == set(SERVICES) == {service.name for service in ALL_SERVICES}
    assert len({account.uid for account in numbered.values()}) == len(SERVICES) <= WIDTH
    assert numbered == apart.numbered(place), "the same ones each time"
    assert all(60_578 <= account.uid == account.gid <= 61_183 for account in numbered.values())


def test_nobodys_number_is_taken(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = apart.numbered(place)["signer"].uid
    somebody = {before + WIDTH - 1, before + WIDTH}

    def getpwuid(uid: int) -> object:
        if uid not in somebody:
            raise KeyError(uid)
        return object()

    monkeypatch.setattr(pwd, "getpwuid", getpwuid)
    after = apart.numbered(place)["signer"].uid
    assert after != before
    assert not somebody & set(range(after, after + WIDTH))


def test_whoever_is_not_root_serves_alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    rights = apart.rights(place)
    assert rights == Rights(why="it was not opened by root")
    assert rights.of("signer") is None
    assert Rights.kept(place).of("signer") is None


def test_what_was_found_out_is_kept(place: Path) -> None:
    rights = Rights({"signer": Account(60_600, 60_600)}, "/usr/bin/python3")
    rights.save(place)
    assert Rights.kept(place) == rights
    assert Rights.kept(place / "nowhere") == Rights()


# What each is recorded


def test_only_the_signer_is_told_of_its_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in addresses.OF_THE_SIGNER:
        monkeypatch.setenv(name, "book.example/told")
    monkeypatch.setenv("SECRET_KEY", "of the house")
    known = {name: f"postgres://{role}@db/casino" for role, name in roles.VARIABLES.items()}
    house = House(tmp_path, ALL_SERVICES, known=known)
    for service in ALL_SERVICES:
        values = house.environment(service)
        assert values["BOOK_PUBLIC"] == str(tmp_path / "public")
        if service.name == "signer":
            assert {name for name in values if name.endswith("_URL")} == {"SIGNER_DATABASE_URL"}
            assert values.get("SIGNER_HOME") == str(tmp_path / "signer")
            assert not {"SECRET_KEY", "WITNESS_PEPPER"} & set(values)
        else:
            # The worker asks the log's witnesses, and lays what they answer.
            of_witnesses = {"COSIGNATURES", "WITNESSES"} if service.name == "worker" else set()
            kept_apart = {*addresses.OF_THE_SIGNER, "SIGNER_DATABASE_URL"}
            assert kept_apart & set(values) == of_witnesses
        assert ("MIRROR_TOKENS" in values) is (service.name == "web")
        keys = {"SECRET_KEY", "WITNESS_PEPPER"} if service.keys else set()
        assert {name for name in addresses.KEYS if name in values} == keys


def test_an_account_finds_its_home_and_not_ours(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/of/root")
    monkeypatch.setenv("HOME", "/of/root")
    us = Account(os.geteuid(), os.getegid())
    house = House(place, ALL_SERVICES, rights=Rights(dict.fromkeys(SERVICES, us)))
    values = house.environment(next(one for one in ALL_SERVICES if one.name == "beat"))
    assert "XDG_CACHE_HOME" not in values
    assert values["HOME"] == values["TMPDIR"] == str(place / "own" / "beat")


# Files that an earlier run made as somebody else


@AS_ROOT
def test_what_another_account_left_is_handed_over(place: Path) -> None:
    first, second = Account(60_600, 60_600), Account(60_608, 60_608)
    own = apart.own_folder(place, "beat", None)
    (own / "schedule").write_text("root's")
    own = apart.own_folder(place, "beat", first)
    assert list(own.iterdir()) == [], "what must not stay is made anew"
    assert own.stat().st_uid == first.uid
    signer = apart.hand_over(place / "signer", None, 0o700)
    (signer / "keys").mkdir()
    (signer / "keys" / "one.key").write_text("a key")
    (signer / "elsewhere").symlink_to("/etc/passwd")
    for account in (first, second, None):
        apart.hand_over(signer, account, 0o700)
        uid = account.uid if account else 0
        assert {path.lstat().st_uid for path in (signer, *signer.rglob("*"))} == {uid}
        assert (signer / "keys" / "one.key").read_text() == "a key"
    assert Path("/etc/passwd").stat().st_uid == 0, "a link is not followed"


# Whether they can


@AS_ROOT
def test_a_trial_says_what_is_in_the_way(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    account = apart.numbered(place)["web"]
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    (closed / "python").symlink_to(sys.executable)
    assert "Permission denied" in apart.trial(str(closed / "python"), place, account)
    assert "No such file" in apart.trial(str(place / "nothing"), place, account)
    checkout = place / "checkout"
    (checkout / "casino").mkdir(parents=True)
    for name in ("manage.py", "requirements.txt", "casino/one.py"):
        (checkout / name).write_text("")
    for name in ("jackpot", "audit", "locale"):
        (checkout / name).mkdir()
    (checkout / "casino" / "one.py").chmod(0o600)
    monkeypatch.setattr(apart, "CHECKOUT", checkout)
    system = shutil.which("python3", path="/usr/bin")
    if system is None:
        pytest.skip("no Python that other accounts can reach")
    assert apart.trial(system, place, account) == "casino/one.py is not to be read by all"


def allowed(account: Account, code: str) -> str:
    """What an account is recorded that runs a piece of shell: its errors."""
    done = subprocess.run(
        ["/bin/sh", "-c", code], capture_output=True, text=True, **account.as_arguments()
    )
    return done.stderr


@AS_ROOT
@pytest.mark.check
def test_no_service_reads_what_another_is_told(state: Path) -> None:
    house = Opened(state, "web", "sequencer", "signer").wait()
    rights = Rights.kept(state)
    if not rights.accounts:
        assert house.ask(2) == 0
        assert "One uid serves all" in house.said
        pytest.skip("no other account can read the program or its Python here")
    wait_until((state / "public" / "checkpoint").exists, "the first checkpoint")
    web, signer = rights.accounts["web"], rights.accounts["signer"]
    pids = {name: serving(state, name) for name in ("web", "signer")}
    assert {name: uid_of(pid) for name, pid in pids.items()} == {
        "web": web.uid,
        "signer": signer.uid,
    }
    key = next((state / "signer" / "keys").glob("*.key"))
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert key.stat().st_uid == signer.uid
    closed = [
        f"cat {key}",
        f"ls {state}/signer",
        f"cat {state}/signer/last",
        f"cat /proc/{pids['signer']}/environ",
        f"kill -9 {pids['signer']}",
        f"touch {state}/public/checkpoint",
        f"touch {state}/cosignatures/answer",  # the worker alone lays what witnesses answer
        f"cat {state}/secrets/*",
        f"cat {state}/log/web.log",
        f"touch {Path(__file__)}",
    ]
    for code in closed:
        assert re.search("ermission denied|not permitted", allowed(web, code)), code
    drop = (state / "cosignatures").stat()
    assert (drop.st_uid, drop.st_gid) == (signer.uid, rights.accounts["worker"].gid)
    assert allowed(rights.accounts["worker"], f"touch {state}/cosignatures/.answer") == ""
    assert allowed(web, f"cat {state}/public/checkpoint {state}/public/policy") == ""
    assert "Permission denied" in allowed(signer, f"cat /proc/{pids['web']}/environ")
    data = Path(f"/proc/{pids['web']}/environ").read_bytes()
    assert b"SIGNER" not in data
    status = visit(state, "signer", "status")
    assert status.returncode == 0, status.stderr
    assert "the tree follows from what was signed" in status.stdout
    assert house.page() == 200
    assert house.ask(2) == 0
    assert f"its keys are account {signer.uid}'s alone" in house.said


def serving(state: Path, name: str) -> int:
    """The process of a service: the one that has its folder for a home."""
    home = f"HOME={state}/own/{name}\0".encode()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if home in (folder / "environ").read_bytes():
                    return int(folder.name)
            except OSError:
                continue
    raise AssertionError(f"{name} does not run")


def uid_of(pid: int) -> int:
    """As whom a process runs."""
    return Path(f"/proc/{pid}").stat().st_uid


def visit(state: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of the launcher beside the open house."""
    return subprocess.run(
        [sys.executable, "-m", "casino.local", *words],
        env={**roles.without_addresses(), "LIVRO_STATE": str(state)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_without_a_signer_there_is_nothing_to_ask(place: Path) -> None:
    asked = visit(place, "signer", "status")
    assert asked.returncode == 1
    assert "There is no signer yet" in asked.stderr
