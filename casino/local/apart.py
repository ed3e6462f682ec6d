"""Accounts of their own for the services, where root opens the house: whoever gets into one of them
cannot read what the others are recorded, least of all the signer's keys.

The accounts have numbers and no names. They must be able to read the program and its Python, which
the checkout of a root may well forbid: that is tried before, and where it fails all run as us.
"""

import json
import os
import pwd
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from casino.local.local_places import (
    CHECKOUT,
    Account,
    forget,
    identity,
    open_folder,
    private_folder,
    write_private,
)

# Numbers that no distribution gives to anybody (systemd's UIDS-GIDS: 60578 to 61183 are unused).
FIRST: Final = 60_578
HOUSES: Final = 75
WIDTH: Final = 8  # accounts of a house; the first is the signer's
SERVICES: Final = ("signer", "web", "worker", "beat", "outbox", "sequencer")
KEPT: Final = "accounts.json"
SECONDS: Final = 60  # for the trial

# What a service needs to be able to do, in order. It imports what the services do: their Python may
# be another one than ours.
TRIAL: Final = """
import os, sys
for top in ("manage.py", "requirements.txt", "casino", "jackpot", "audit", "locale"):
    for folder, folders, files in os.walk(top):
        for name in [*folders, *files]:
            if not os.access(os.path.join(folder, name), os.R_OK):
                sys.exit(os.path.join(folder, name) + " is not to be read by all")
    if not os.access(top, os.R_OK):
        sys.exit(top + " is not to be read by all")
os.listdir(os.environ["HOME"])
import casino.signer.__main__
import gunicorn.app.wsgiapp, celery.bin.celery, kombu, whitenoise
import casino.celery, casino.wsgi
"""


@dataclass(frozen=True, slots=True)
class Rights:
    """As whom each service runs, and by which Python. Without accounts all are we ourselves, and
    `why` says why.
    """

    accounts: Mapping[str, Account] = field(default_factory=dict)
    python: str = sys.executable
    why: str = ""

    def of(self, service: str) -> Account | None:
        """The account of a service; None where it has none of its own."""
        return self.accounts.get(service)

    def save(self, state: Path) -> None:
        """Keep them for visits while the house is open."""
        values = {name: [one.uid, one.gid] for name, one in self.accounts.items()}
        write_private(state / KEPT, json.dumps({"accounts": values, "python": self.python}))

    @classmethod
    def kept(cls, state: Path) -> Self:
        """Those with which the house was opened last."""
        file = state / KEPT
        if not file.exists():
            return cls()
        value = json.loads(file.read_text("utf-8"))
        accounts = {name: Account(*pair) for name, pair in value["accounts"].items()}
        return cls(accounts, value["python"])


def rights(state: Path) -> Rights:
    """Find out who may run what, and keep it. Some two seconds, as root; nothing for others."""
    found = _tried(state) if os.geteuid() == 0 else Rights(why="it was not opened by root")
    found.save(state)
    return found


def _tried(state: Path) -> Rights:
    accounts = numbered(state)
    complaints: dict[str, None] = {}
    for python in pythons(state):
        complaint = trial(python, state, accounts["web"])
        if not complaint:
            return Rights(accounts, python)
        complaints[complaint] = None
    return Rights(why="; ".join(complaints))


def numbered(state: Path) -> dict[str, Account]:
    """The numbers of this house's accounts: always the same ones, and nobody's by name."""
    seed = int(identity(state), 16)
    for step in range(HOUSES):
        first = FIRST + (seed + step) % HOUSES * WIDTH
        if not any(map(is_somebody, range(first, first + WIDTH))):
            break
    return {name: Account(first + n, first + n) for n, name in enumerate(SERVICES)}


def is_somebody(uid: int) -> bool:
    """Whether an account of this machine has that number."""
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def pythons(state: Path) -> Iterator[str]:
    """Our own Python; then the system's of the same version with our packages, for ours may lie in
    root's home.
    """
    yield sys.executable
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for folder in ("/usr/local/bin", "/usr/bin"):
        there = Path(folder) / name
        if there.exists() and not there.samefile(sys.executable):
            yield str(environment_of(there, state / "python"))


def environment_of(python: Path, place: Path) -> Path:
    """A virtual environment that gives another Python our packages; its program."""
    forget(place)
    packages = place / "lib" / python.name / "site-packages"
    packages.mkdir(parents=True)
    (place / "bin").mkdir()
    (place / "pyvenv.cfg").write_text(
        f"home = {python.parent}\ninclude-system-site-packages = false\n", "utf-8"
    )
    ours = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    (packages / "house.pth").write_text("".join(f"{path}\n" for path in ours), "utf-8")
    program = place / "bin" / "python"
    program.symlink_to(python)
    for path in (place, *place.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    return program


def trial(python: str, state: Path, account: Account) -> str:
    """What keeps an account from running a service by that Python, in a line; '' for nothing."""
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "SECRET_KEY": "of a trial",
        # Nobody listens there: nothing is connected.
        "DATABASE_URL": "postgres://app@127.0.0.1:1/casino",
        **personal(own_folder(state, "web", account), "web"),
    }
    try:
        tried = subprocess.run(  # noqa: S603
            [python, "-c", TRIAL],
            cwd=CHECKOUT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            **account.as_arguments(),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{python}: {getattr(error, 'strerror', None) or 'no answer'}"
    said = tried.stderr.strip().splitlines()
    return "" if not tried.returncode else (said or ["it ended without a word"])[-1]


def personal(folder: Path, name: str) -> dict[str, str]:
    """What a service of its own account is told of itself."""
    return {"HOME": str(folder), "TMPDIR": str(folder), "USER": name, "LOGNAME": name}


def own_folder(state: Path, service: str, account: Account | None) -> Path:
    """A service's own folder: its home, and what it writes for itself. Nothing in it must stay."""
    folder = open_folder(state / "own") / service
    uid = account.uid if account else os.geteuid()
    if folder.is_symlink() or (folder.exists() and folder.stat().st_uid != uid):
        forget(folder)  # the house was opened by somebody else before
    return private_folder(folder, account)


def hand_over(
    folder: Path, account: Account | None, mode: int, group: Account | None = None
) -> Path:
    """A folder, and all in it, for an account (or us); made where there is none. The folder itself
    is the group's of another account, where one is named.
    """
    uid, gid = (account.uid, account.gid) if account else (os.geteuid(), os.getegid())
    folder.mkdir(exist_ok=True)
    if folder.stat().st_uid != uid:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, uid, gid, follow_symlinks=False)
    if group is not None:
        os.chown(folder, uid, group.gid)
    folder.chmod(mode)
    return folder
