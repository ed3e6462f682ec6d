"""What an installation does, each a step that looks first: what is as it should be *stands*.

Nothing is written twice, nothing that somebody laid there by hand is deleted. A step says what it
did in both languages.
"""

import grp
import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from casino.host.host_trouble import Trouble

TAIL: Final = 2_000  # characters of what a program said, where it failed
Announce = Callable[[str], None]


@dataclass(slots=True)
class Steps:
    """Counts and says what was done. `changed` are the names of steps that changed something."""

    announce: Announce
    changed: list[str] = field(default_factory=list)

    def done(self, name: str, pt: str, en: str, *, changed: bool) -> bool:
        """One step is over; whether it changed anything."""
        if changed:
            self.changed.append(name)
        mark = "feito / done  " if changed else "fica  / stands"
        self.announce(f"{mark}  {pt} / {en}")
        return changed

    def did(self, *names: str) -> bool:
        """Whether one of these steps changed anything."""
        return any(name in self.changed for name in names)


def run(
    *command: str,
    feed: str | None = None,
    environment: Mapping[str, str] | None = None,
    account: str | None = None,
    cwd: Path | None = None,
) -> str:
    """Run a program to its end; what it printed. `account` is whom it runs as.

    Raises: Trouble, with the end of what it said, where it failed or is not there.
    """
    done = ask(*command, feed=feed, environment=environment, account=account, cwd=cwd)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip())[-TAIL:]
        name = " ".join(command[:3])
        raise Trouble(
            f"{name} falhou ({done.returncode}):\n{said}", f"{name} failed ({done.returncode})."
        )
    return done.stdout


def ask(
    *command: str,
    feed: str | None = None,
    environment: Mapping[str, str] | None = None,
    account: str | None = None,
    cwd: Path | None = None,
    seconds: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a program; its answer, whatever it is. One that is not there ends with 127, one that took
    too long with 124.
    """
    values = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", **(environment or {})}
    who = pwd.getpwnam(account) if account else None
    try:
        return subprocess.run(  # noqa: S603
            command,
            input=feed,
            env=values,
            cwd=cwd or "/",
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=seconds,
            stdin=subprocess.DEVNULL if feed is None else None,
            user=who.pw_uid if who else None,
            group=who.pw_gid if who else None,
            extra_groups=os.getgrouplist(who.pw_name, who.pw_gid) if who else None,
        )
    except FileNotFoundError as error:
        return subprocess.CompletedProcess(command, 127, "", f"{error.filename}: not there")
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"no answer within {seconds} s")


def owned(path: Path, mode: int, owner: str, group: str) -> bool:
    """Set owner and mode where they are others; whether they were."""
    uid, gid = pwd.getpwnam(owner).pw_uid, grp.getgrnam(group).gr_gid
    now = path.lstat()
    if (now.st_uid, now.st_gid) == (uid, gid) and now.st_mode & 0o7777 == mode:
        return False
    os.chown(path, uid, gid, follow_symlinks=False)
    path.chmod(mode)
    return True


def folder(path: Path, mode: int, owner: str = "root", group: str = "root") -> bool:
    """A folder that is there with this owner and mode; whether anything was changed."""
    made = not path.exists()
    path.mkdir(parents=True, exist_ok=True)
    return owned(path, mode, owner, group) or made


def put(
    path: Path, text: str | bytes, mode: int = 0o644, owner: str = "root", group: str = "root"
) -> bool:
    """A file that holds this, written whole or not at all; whether anything was changed."""
    data = text.encode() if isinstance(text, str) else text
    if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
        return owned(path, mode, owner, group)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    with open(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    owned(beside, mode, owner, group)
    beside.replace(path)
    return True


def link(path: Path, to: Path) -> bool:
    """A link that leads there; whether it was made now."""
    if path.is_symlink() and path.readlink() == to:
        return False
    path.unlink(missing_ok=True)
    path.symlink_to(to)
    return True


def gone(path: Path) -> bool:
    """Remove a file, a link, or a folder of programs; whether there was one."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
        return True
    there = path.is_symlink() or path.exists()
    path.unlink(missing_ok=True)
    return there


def account(name: str, group: str) -> bool:
    """An account of the system: no shell, no home, no password; whether it was made now."""
    made = False
    try:
        grp.getgrnam(group)
    except KeyError:
        run("groupadd", "--system", group)
        made = True
    try:
        pwd.getpwnam(name)
    except KeyError:
        run(
            *("useradd", "--system", "--gid", group, "--no-create-home"),
            *("--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin", name),
        )
        made = True
    return made


def systemctl(*words: str) -> str:
    """Tell systemd. Raises: Trouble."""
    return run("systemctl", "--no-ask-password", *words)


def is_active(unit: str) -> bool:
    """Whether systemd says that it runs."""
    return ask("systemctl", "is-active", "--quiet", unit).returncode == 0
