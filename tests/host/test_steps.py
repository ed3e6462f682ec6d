"""A step changes what is not as it should be, and nothing else."""

import grp
import os
import pwd
from pathlib import Path

import pytest

from casino.host import installing, server_steps
from casino.host.drill import RESULT, drill
from casino.host.host_trouble import Trouble
from casino.host.installing import fingerprint
from casino.host.steps import Steps, ask, folder, gone, link, put, run

WE = pwd.getpwuid(os.getuid()).pw_name
OURS = grp.getgrgid(os.getgid()).gr_name


def test_what_stands_is_not_written_again(tmp_path: Path) -> None:
    file = tmp_path / "etc" / "conf"
    assert put(file, "a\n", 0o600, WE, OURS)
    before = file.stat()
    assert not put(file, "a\n", 0o600, WE, OURS)
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    assert put(file, "a\n", 0o600, WE, OURS)
    assert file.stat().st_mode & 0o777 == 0o600
    assert put(file, "b\n", 0o600, WE, OURS)
    assert [path.name for path in file.parent.iterdir()] == ["conf"]
    assert folder(tmp_path / "kept", 0o700, WE, OURS)
    assert not folder(tmp_path / "kept", 0o700, WE, OURS)


def test_a_link_leads_to_the_new_version_and_goes_without_what_it_leads_to(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    at = tmp_path / "now"
    assert link(at, one)
    assert not link(at, one)
    assert link(at, two)
    assert gone(at)
    assert not gone(at)
    assert one.is_dir()
    assert two.is_dir()


def test_a_program_that_fails_says_what_it_said() -> None:
    assert run("echo", "well") == "well\n"
    with pytest.raises(Trouble) as failed:
        run("sh", "-c", "echo what went wrong >&2; exit 3")
    assert "what went wrong" in failed.value.said.pt
    assert "(3)" in failed.value.said.en
    assert ask("no-such-program").returncode == 127
    assert ask("sleep", "60", seconds=0.01).returncode == 124


def test_steps_say_what_changed() -> None:
    said: list[str] = []
    steps = Steps(said.append)
    steps.done("a", "pastas", "folders", changed=False)
    assert not steps.did("a")
    steps.done("b", "contas", "accounts", changed=True)
    assert steps.did("a", "b")
    assert said == ["fica  / stands  pastas / folders", "feito / done    contas / accounts"]


def test_the_same_program_has_the_same_fingerprint(tmp_path: Path) -> None:
    for part in ("casino", "jackpot", "audit", "locale", "requirements"):
        (tmp_path / part).mkdir()
    (tmp_path / "manage.py").write_text("a")
    (tmp_path / "casino" / "a.py").write_text("a")
    first = fingerprint(tmp_path)
    (tmp_path / "casino" / "__pycache__").mkdir()
    (tmp_path / "casino" / "__pycache__" / "a.pyc").write_text("compiled")
    assert fingerprint(tmp_path) == first
    (tmp_path / "casino" / "a.py").write_text("b")
    assert fingerprint(tmp_path) != first


def test_a_drill_that_fails_keeps_the_last_good_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing can be backed up from a folder without the program."""
    (tmp_path / "drill" / "backup").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    assert drill(said.append, tmp_path / "drill") == 2
    assert (tmp_path / "drill" / "backup").is_dir()
    assert '"exit": 2' in (tmp_path / "drill" / RESULT).read_text()


def test_what_was_written_and_not_started_is_started_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between the two, the file stands and the server runs with the old one."""
    monkeypatch.setattr(server_steps, "APPLIED", tmp_path)
    mark = server_steps.applied("book", "conf", b"key")
    assert mark
    assert server_steps.applied("book", "conf", b"key") == mark
    (tmp_path / "book").write_text(mark)
    assert server_steps.applied("book", "conf", b"key") == ""
    assert server_steps.applied("book", "conf", b"another key")


def test_what_cannot_be_made_anew_is_asked_for_and_the_rest_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lost pepper is put back from a copy; a lost password is made, and the role with it."""

    def write(path: Path, text: str, mode: int) -> bool:
        path.write_text(text)
        path.chmod(mode)
        return True

    for name in ("SECRETS", "APPLIED"):
        (tmp_path / name).mkdir()
        monkeypatch.setattr(installing, name, tmp_path / name)
        monkeypatch.setattr(server_steps, name, tmp_path / name)
    monkeypatch.setattr(installing, "put", write)
    monkeypatch.setattr(installing, "owned", lambda *_: False)
    secrets, steps = tmp_path / "SECRETS", Steps(lambda line: None)
    installing.made_secrets(steps)
    first = {file.name: file.read_text() for file in secrets.iterdir()}
    assert len(set(first.values())) == len(first)
    assert min(map(len, first.values())) > 40
    (tmp_path / "APPLIED" / "services").write_text("")
    (secrets / "APP_PASSWORD").unlink()
    installing.made_secrets(steps)
    assert {n for n in first if (secrets / n).read_text() != first[n]} == {"APP_PASSWORD"}
    (secrets / "WITNESS_PEPPER").unlink()
    with pytest.raises(Trouble, match="put back the copy you kept"):
        installing.made_secrets(steps)
    (secrets / "WITNESS_PEPPER").write_text("\n")
    with pytest.raises(Trouble, match="is empty"):
        installing.made_secrets(steps)
